/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building JSON, through cJSON: small objects of our own, and objects made of pieces
 * of a source text that must come out as they came in.
 *
 *	struct cJSON cleanup_json *object = json_new_object();
 *	bool ok = json_put_string(object, "name", name);
 *	ok = json_put_span(object, "dns", dns) && ok;
 *	if (!ok || json_print(object, &text) < 0) return error_no_memory(err);
 *
 * Every function accepts a NULL object and then fails, so that a chain of puts needs one
 * check. Strings are made printable UTF-8 first (text_printable()).
 */
#ifndef RDMA_CNI_BASE_JSON_BUILD_H
#define RDMA_CNI_BASE_JSON_BUILD_H

#include <rdma-cni/base/json.h>
#include <rdma-cni/base/json_scan.h>
#include <rdma-cni/base/text.h>

struct cJSON *json_new_object(void) must_check;
struct cJSON *json_new_array(void) must_check;

bool json_put_string(struct cJSON *object, const char *name, const char *value)
	must_check nonnull(2, 3);
/* Most readers hold it exactly up to 2^53; larger ones are for json_put_string(). */
bool json_put_integer(struct cJSON *object, const char *name, int64_t value) must_check nonnull(2);
bool json_put_bool(struct cJSON *object, const char *name, bool value) must_check nonnull(2);
/* Source text, verbatim. */
bool json_put_span(struct cJSON *object, const char *name, struct json_span value)
	must_check nonnull(2);
/* A member as it stands in a source text, its name included. */
bool json_put_item(struct cJSON *object, const struct json_item *item) must_check nonnull(2);
/* `value` belongs to the object afterwards, also on failure; NULL fails. */
bool json_put(struct cJSON *object, const char *name, struct cJSON *value) must_check nonnull(2);
/* The same for an array's next element. */
bool json_push(struct cJSON *array, struct cJSON *value) must_check;
bool json_push_string(struct cJSON *array, const char *value) must_check nonnull(2);
bool json_push_span(struct cJSON *array, struct json_span value) must_check;

/* Append the string as a JSON string, with its quotes. 0 or -ENOMEM. */
int json_quote(const char *string, struct text *ret) must_check nonnull(1, 2);

/* Append the value to `ret` on one line; with tabs and line breaks if `pretty`. 0 or -ENOMEM. */
int json_print(const struct cJSON *value, bool pretty, struct text *ret) must_check nonnull(1, 3);

#endif
