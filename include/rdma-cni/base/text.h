/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing buffer for text and bytes. It remembers the first failed allocation,
 * so a caller appends freely and asks once at the end:
 *
 *	struct text cleanup_text out = { 0 };
 *	text_add(&out, "a", 1);
 *	text_print(&out, "%d", 7);
 *	if (out.failed)
 *		return error_no_memory(err);
 *
 * `data` is NULL or NUL-terminated behind `length`.
 */
#ifndef RDMA_CNI_BASE_TEXT_H
#define RDMA_CNI_BASE_TEXT_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *data;
	size_t length;
	size_t size;
	bool failed;
};

/* Room for `more` bytes behind `length`, and the terminator. False: out of memory. */
bool text_reserve(struct text *text, size_t more) nonnull(1);

void text_add(struct text *text, const char *data, size_t length) nonnull(1);
void text_add_string(struct text *text, const char *string) nonnull(1, 2);
void text_print(struct text *text, const char *format, ...) printf_like(2, 3) nonnull(1, 2);

/* Free the contents and make it empty again. */
void text_done(struct text *text) nonnull(1);

#define cleanup_text cleanup(text_done)

/*
 * Copy `in` to `out` (`size` bytes with the terminator, cut where it is full) as
 * printable UTF-8: control characters but the line feed become '?', bytes that are no UTF-8 too.
 * For foreign text on its way into a log line or a JSON document.
 */
void text_printable(const char *in, char *out, size_t size) nonnull(1, 2);

/* FNV-1a of the string and its terminator, from TEXT_HASH_START or another string's hash on. */
#define TEXT_HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t text_hash(uint64_t hash, const char *string) must_check nonnull(2);

#endif
