/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building JSON through cJSON.
 */
#include <rdma-cni/base/json_build.h>

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An entry or a result fits: cJSON starts with 256, and moves whenever that is full. */
#define PRINT_BYTES 900

struct cJSON *json_new_object(void)
{
	return cJSON_CreateObject();
}

struct cJSON *json_new_array(void)
{
	return cJSON_CreateArray();
}

static struct cJSON *string_value(const char *value)
{
	const size_t size = strlen(value) + 1;
	char *cleanup_free readable = malloc(size);

	if (!readable)
		return NULL;
	text_printable(value, readable, size);
	return cJSON_CreateString(readable);
}

bool json_put_string(struct cJSON *object, const char *name, const char *value)
{
	return json_put(object, name, string_value(value));
}

bool json_put_integer(struct cJSON *object, const char *name, int64_t value)
{
	char digits[24];

	/* cJSON prints 2^53 as 9.00719925474099e+15. */
	(void)snprintf(digits, sizeof(digits), "%" PRId64, value);
	return json_put(object, name, cJSON_CreateRaw(digits));
}

bool json_put_bool(struct cJSON *object, const char *name, bool value)
{
	return cJSON_AddBoolToObject(object, name, value);
}

static struct cJSON *raw_value(struct json_span value)
{
	char *cleanup_free copy = value.start ? strndup(value.start, value.length) : NULL;

	return copy ? cJSON_CreateRaw(copy) : NULL;
}

bool json_put_span(struct cJSON *object, const char *name, struct json_span value)
{
	return json_put(object, name, raw_value(value));
}

bool json_put(struct cJSON *object, const char *name, struct cJSON *value)
{
	if (cJSON_AddItemToObject(object, name, value))
		return true;
	cJSON_Delete(value);
	return false;
}

bool json_push(struct cJSON *array, struct cJSON *value)
{
	if (cJSON_AddItemToArray(array, value))
		return true;
	cJSON_Delete(value);
	return false;
}

bool json_push_string(struct cJSON *array, const char *value)
{
	return json_push(array, string_value(value));
}

bool json_push_span(struct cJSON *array, struct json_span value)
{
	return json_push(array, raw_value(value));
}

bool json_put_item(struct cJSON *object, const struct json_item *item)
{
	struct cJSON cleanup_json *name = NULL;
	struct error ignored;

	/* Not cJSON alone: it refuses half a surrogate pair and ends the name at \u0000. */
	return json_parse(item->name.start, item->name.length, &name, &ignored) == 0 &&
	       json_put_span(object, json_string(name), item->value);
}

int json_quote(const char *string, struct text *ret)
{
	cJSON *value = string_value(string);
	const int r = value ? json_print(value, false, ret) : -ENOMEM;

	cJSON_Delete(value);
	return r;
}

int json_print(const struct cJSON *value, bool pretty, struct text *ret)
{
	char *cleanup_free printed = cJSON_PrintBuffered(value, PRINT_BYTES, pretty);

	if (!printed)
		return -ENOMEM;
	text_add_string(ret, printed);
	return ret->failed ? -ENOMEM : 0;
}
