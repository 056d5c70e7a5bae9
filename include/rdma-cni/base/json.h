/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading JSON, strictly, through cJSON.
 *
 * cJSON alone accepts more than RFC 8259 (trailing text, a BOM, raw control characters,
 * 01), takes the first of duplicate keys, ignores letter case and cuts a string at \u0000.
 * Here a document is checked first (json_scan.h), keys are exact, the last of duplicates
 * wins as in Go's encoding/json, and \u0000 and lone surrogates read as U+FFFD, so that no
 * name can hide behind them. Numbers are doubles: what must pass unchanged is taken from the
 * source text.
 *
 * A value is a borrowed pointer into its document; NULL means "absent" and every getter
 * accepts it.
 */
#ifndef RDMA_CNI_BASE_JSON_H
#define RDMA_CNI_BASE_JSON_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

enum json_type {
	JSON_ABSENT,
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/*
 * Parse one document. ERROR_DECODE names what is wrong and at which byte; the caller
 * adds which document it was. Free it with json_free().
 */
int json_parse(const char *text, size_t length, struct cJSON **ret, struct error *err)
	must_check nonnull(3, 4);
void json_free(struct cJSON *document);

enum json_type json_type(const struct cJSON *value);
/* "a number", "an object": for messages. */
const char *json_type_name(enum json_type type);

/* The last member with exactly this name. NULL when absent, or when `object` is none. */
const struct cJSON *json_member(const struct cJSON *object, const char *name) nonnull(2);

/* The same, but a name in another letter case serves when the exact one is absent. */
const struct cJSON *json_member_any_case(const struct cJSON *object, const char *name) nonnull(2);

/* First element of an array or member of an object, then the next one; NULL at the end. */
const struct cJSON *json_first(const struct cJSON *container);
const struct cJSON *json_next(const struct cJSON *value) nonnull(1);

/* The string, or NULL when the value is no string. */
const char *json_string(const struct cJSON *value);

/* True and `ret` set when the value is an integer that a double holds exactly. */
bool json_integer(const struct cJSON *value, int64_t *ret) must_check nonnull(2);

bool json_is_true(const struct cJSON *value);

static inline void cleanup_json_document(struct cJSON **document)
{
	json_free(*document);
}

#define cleanup_json cleanup(cleanup_json_document)

#endif
