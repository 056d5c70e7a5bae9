/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading JSON through cJSON, behind a strict check.
 */
#include <rdma-cni/base/json.h>

#include <cjson/cJSON.h>
#include <errno.h>
#include <rdma-cni/base/json_scan.h>
#include <string.h>
#include <strings.h>

/* A double of 2^53 may also have been 2^53 + 1 in the text: below it every integer is exact. */
#define EXACT_INTEGER_MAX 9007199254740991.0

/* `text` starts with \u and four digits: first `high` ("d"), then one of `next` ("89ab"). */
static bool is_escape_of(const char *text, size_t length, const char *high, const char *next)
{
	return length >= 6 && text[0] == '\\' && text[1] == 'u' && (text[2] | 0x20) == high[0] &&
	       strchr(next, text[3] | 0x20);
}

/*
 * cJSON ends a string at \u0000 and refuses half a surrogate pair, which Go's decoder
 * reads as U+FFFD. The escape for that is as long, so it can be put in their place; a
 * backslash that is itself escaped starts nothing.
 */
static void replace_unreadable_escapes(char *text, size_t length)
{
	size_t i = 0;

	while (i + 1 < length) {
		const size_t left = length - i;

		if (text[i] != '\\') {
			i++;
			continue;
		}
		if (is_escape_of(text + i, left, "d", "89ab") &&
		    is_escape_of(text + i + 6, left - 6, "d", "cdef")) {
			i += 12;
			continue;
		}
		if (is_escape_of(text + i, left, "d", "89abcdef") ||
		    (left >= 6 && memcmp(text + i, "\\u0000", 6) == 0))
			memcpy(text + i, "\\ufffd", 6);
		i += 2;
	}
}

int json_parse(const char *text, size_t length, struct cJSON **ret, struct error *err)
{
	char *cleanup_free copy = NULL;
	cJSON *document;
	const int r = json_check(text, length, err);

	if (r < 0)
		return r;
	copy = malloc(length + 1);
	if (!copy)
		return error_no_memory(err);
	memcpy(copy, text, length);
	copy[length] = '\0';
	replace_unreadable_escapes(copy, length);

	document = cJSON_ParseWithLength(copy, length + 1);
	/* The text is JSON, so all that cJSON can lack is memory. */
	if (!document)
		return error_no_memory(err);
	*ret = document;
	return 0;
}

void json_free(struct cJSON *document)
{
	const int saved = errno;

	cJSON_Delete(document);
	errno = saved;
}

enum json_type json_type(const struct cJSON *value)
{
	if (!value)
		return JSON_ABSENT;
	if (cJSON_IsBool(value))
		return JSON_BOOL;
	if (cJSON_IsNumber(value))
		return JSON_NUMBER;
	if (cJSON_IsString(value))
		return JSON_STRING;
	if (cJSON_IsArray(value))
		return JSON_ARRAY;
	return cJSON_IsObject(value) ? JSON_OBJECT : JSON_NULL;
}

const char *json_type_name(enum json_type type)
{
	static const char *const names[] = {
		[JSON_ABSENT] = "absent",    [JSON_NULL] = "null",	 [JSON_BOOL] = "a boolean",
		[JSON_NUMBER] = "a number",  [JSON_STRING] = "a string", [JSON_ARRAY] = "an array",
		[JSON_OBJECT] = "an object",
	};

	return names[type];
}

static const struct cJSON *last_member(const struct cJSON *object, const char *name,
				       int (*compare)(const char *, const char *))
{
	const struct cJSON *found = NULL;

	if (!cJSON_IsObject(object))
		return NULL;
	for (const struct cJSON *member = object->child; member; member = member->next) {
		if (compare(member->string, name) == 0)
			found = member;
	}
	return found;
}

const struct cJSON *json_member(const struct cJSON *object, const char *name)
{
	return last_member(object, name, strcmp);
}

const struct cJSON *json_member_any_case(const struct cJSON *object, const char *name)
{
	const struct cJSON *exact = json_member(object, name);

	return exact ? exact : last_member(object, name, strcasecmp);
}

const struct cJSON *json_first(const struct cJSON *container)
{
	return container ? container->child : NULL;
}

const struct cJSON *json_next(const struct cJSON *value)
{
	return value->next;
}

const char *json_string(const struct cJSON *value)
{
	return cJSON_GetStringValue(value);
}

bool json_integer(const struct cJSON *value, int64_t *ret)
{
	double number;

	if (!cJSON_IsNumber(value))
		return false;
	number = value->valuedouble;
	/* The range first: a conversion of what does not fit is undefined. */
	if (!(number >= -EXACT_INTEGER_MAX && number <= EXACT_INTEGER_MAX))
		return false;
	if ((double)(int64_t)number < number || (double)(int64_t)number > number)
		return false;
	*ret = (int64_t)number;
	return true;
}

bool json_is_true(const struct cJSON *value)
{
	return cJSON_IsTrue(value);
}
