/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON as text: check a document against RFC 8259 and find where its values stand.
 *
 * This is how a result passes through unchanged: the bytes of a value are taken from
 * the source, never printed anew from a parsed number.
 *
 * A span borrows the source text. The functions on spans expect text that json_check()
 * accepted.
 */
#ifndef RDMA_CNI_BASE_JSON_SCAN_H
#define RDMA_CNI_BASE_JSON_SCAN_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <stdbool.h>
#include <stddef.h>

struct json_span {
	const char *start; /* NULL: absent */
	size_t length;
};

/* One `"name": value` of an object, or one element of an array (its name is absent). */
struct json_item {
	struct json_span name; /* with its quotes, as written */
	struct json_span value;
};

/*
 * Check that `text` is exactly one JSON document of at most LIMIT_JSON_DEPTH levels.
 * ERROR_DECODE says what is wrong and at which byte.
 */
int json_check(const char *text, size_t length, struct error *err) must_check nonnull(3);

/* The document's value without the space around it. */
struct json_span json_whole(const char *text, size_t length);

/*
 * Go through an object or an array: start with `item` all zero, stop when it returns
 * false. Anything else than a container has no items.
 */
bool json_next_item(struct json_span container, struct json_item *item) must_check nonnull(2);

/* Is the item a member with this (ASCII) name, written plainly or with escapes? */
bool json_item_is(const struct json_item *item, const char *name) nonnull(1, 2);

/*
 * The value of the last member with this name (written plainly or with escapes);
 * absent when there is none or `object` is no object.
 */
struct json_span json_find(struct json_span object, const char *name) nonnull(2);

#endif
