/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/json: typed reading, as Go's encoding/json would read it.
 */
#include "unit.h"

#include <rdma-cni/base/json.h>
#include <stdio.h>
#include <string.h>

static struct cJSON *parse(const char *text)
{
	struct cJSON *document = NULL;
	struct error err = { 0 };

	want_success(text, json_parse(text, strlen(text), &document, &err), &err);
	return document;
}

static void what_cjson_would_accept_but_is_no_json_is_refused(void **state)
{
	static const char *const texts[] = {
		"\xef\xbb\xbf{}", "{} trailing",     "{\"a\":01}",
		"{\"a\":1.}",	  "{\"a\":\"\n\"}",  "",
		"{\"a\":+1}",	  "{\"a\":\"\\x\"}",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		struct cJSON *document = NULL;
		struct error err = { 0 };

		want_error(texts[i], json_parse(texts[i], strlen(texts[i]), &document, &err), &err,
			   ERROR_DECODE);
		assert_null(document);
	}
}

static void valid_json_is_never_a_lack_of_memory(void **state)
{
	static const char *const texts[] = {
		"[1e400,-1e400,1e-400]",
		"123456789012345678901234567890123456789012345678901234567890123456789012345678901",
		"[0.1000000000000000000000000000000000000000000000000000000000000000000000000001]",
		"{\"a\":1e00000000000000000000000000000000000000000000000000000000000000000000001}",
		"{\"\\ud800\":\"\\udfff\",\"\\u0000\":\"a\\u0000b\"}",
		"{\"\":{\"\":[]}}",
		"\"\xff\"",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++)
		json_free(parse(texts[i]));
}

static void a_document_as_deep_as_the_limit_is_read(void **state)
{
	char *cleanup_free opening = repeat("[", 1000);
	char *cleanup_free closing = repeat("]", 1000);
	char text[2001];

	(void)state;
	(void)snprintf(text, sizeof(text), "%s%s", opening, closing);
	json_free(parse(text));
}

static void every_value_has_its_type(void **state)
{
	static const struct {
		const char *text;
		enum json_type type;
		const char *name;
	} rows[] = {
		{ "null", JSON_NULL, "null" },	     { "true", JSON_BOOL, "a boolean" },
		{ "false", JSON_BOOL, "a boolean" }, { "-1.5", JSON_NUMBER, "a number" },
		{ "\"\"", JSON_STRING, "a string" }, { "[]", JSON_ARRAY, "an array" },
		{ "{}", JSON_OBJECT, "an object" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cJSON cleanup_json *document = parse(rows[i].text);

		want_int(rows[i].text, json_type(document), rows[i].type);
		want_string(rows[i].text, json_type_name(rows[i].type), rows[i].name);
	}
	assert_int_equal(json_type(NULL), JSON_ABSENT);
	assert_string_equal(json_type_name(JSON_ABSENT), "absent");
}

static void the_last_of_duplicate_members_wins_and_case_counts(void **state)
{
	struct cJSON cleanup_json *document =
		parse("{\"A\":\"upper\",\"a\":\"first\",\"b\":{\"a\":\"inner\"},"
		      "\"a\":\"last\",\"\\u0063\":1}");

	(void)state;
	assert_string_equal(json_string(json_member(document, "a")), "last");
	assert_string_equal(json_string(json_member(document, "A")), "upper");
	assert_non_null(json_member(document, "c"));
	assert_null(json_member(document, "B"));
	assert_null(json_member(document, ""));
	assert_null(json_member(NULL, "a"));
	assert_null(json_member(json_member(document, "a"), "a"));
}

static void another_letter_case_serves_when_the_exact_name_is_absent(void **state)
{
	static const char *const rows[][2] = {
		{ "{\"DEVICEID\":\"x\"}", "x" },
		{ "{\"deviceId\":\"x\"}", "x" },
		{ "{\"deviceID\":\"exact\",\"DeviceID\":\"other\"}", "exact" },
		{ "{\"DeviceID\":\"other\",\"deviceID\":\"exact\"}", "exact" },
		{ "{\"DeviceID\":\"a\",\"DEVICEID\":\"b\"}", "b" },
		{ "{\"device_id\":\"x\"}", NULL },
		{ "{}", NULL },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cJSON cleanup_json *document = parse(rows[i][0]);

		want_string(rows[i][0], json_string(json_member_any_case(document, "deviceID")),
			    rows[i][1]);
	}
	assert_null(json_member_any_case(NULL, "a"));
}

static void no_name_hides_behind_a_zero_or_half_a_pair(void **state)
{
	static const char *const rows[][2] = {
		{ "\"a\\u0000b\"", "a\xef\xbf\xbd"
				   "b" },
		{ "\"\\ud800\"", "\xef\xbf\xbd" },
		{ "\"\\uDC00x\"", "\xef\xbf\xbdx" },
		{ "\"\\ud800\\ud800\\udc00\"", "\xef\xbf\xbd\xf0\x90\x80\x80" },
		{ "\"\\udc00\\ud800\"", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\"\\uD83D\\uDE00\"", "\xf0\x9f\x98\x80" },
		{ "\"\\ud83dx\\ude00\"", "\xef\xbf\xbdx\xef\xbf\xbd" },
		/* An escaped backslash starts nothing. */
		{ "\"\\\\u0000\"", "\\u0000" },
		{ "\"\\\\ud800\"", "\\ud800" },
		{ "\"\\\\\\u0000\"", "\\\xef\xbf\xbd" },
		{ "\"\\u00e9\\u00001\"", "\xc3\xa9\xef\xbf\xbd"
					 "1" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cJSON cleanup_json *document = parse(rows[i][0]);

		want_string(rows[i][0], json_string(document), rows[i][1]);
	}
}

static void a_member_name_with_a_zero_is_another_name(void **state)
{
	struct cJSON cleanup_json *document = parse("{\"name\\u0000x\":\"hidden\"}");

	(void)state;
	assert_null(json_member(document, "name"));
}

static void integers_are_exact_or_refused(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		int64_t value;
	} rows[] = {
		{ "0", true, 0 },
		{ "-0", true, 0 },
		{ "60", true, 60 },
		{ "-7", true, -7 },
		{ "1e2", true, 100 },
		{ "3.0", true, 3 },
		{ "9007199254740991", true, INT64_C(9007199254740991) },
		{ "-9007199254740991", true, INT64_C(-9007199254740991) },
		{ "9007199254740993", false, 0 },
		{ "18446744073709551615", false, 0 },
		{ "1e400", false, 0 },
		{ "-1e400", false, 0 },
		{ "1.5", false, 0 },
		{ "0.1", false, 0 },
		{ "\"3\"", false, 0 },
		{ "true", false, 0 },
		{ "null", false, 0 },
		{ "[1]", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cJSON cleanup_json *document = parse(rows[i].text);
		int64_t value = 4711;

		want_int(rows[i].text, json_integer(document, &value), rows[i].ok);
		want_int(rows[i].text, value, rows[i].ok ? rows[i].value : 4711);
	}
}

static void getters_accept_what_is_absent_or_of_another_type(void **state)
{
	struct cJSON cleanup_json *document = parse("[1,true,\"x\"]");
	const struct cJSON *item = json_first(document);
	int64_t value;

	(void)state;
	assert_null(json_string(NULL));
	assert_false(json_integer(NULL, &value));
	assert_false(json_is_true(NULL));
	assert_null(json_first(NULL));
	assert_null(json_string(item));
	assert_false(json_is_true(item));
	item = json_next(item);
	assert_true(json_is_true(item));
	item = json_next(item);
	assert_string_equal(json_string(item), "x");
	assert_null(json_first(item));
	assert_null(json_next(item));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cjson_would_accept_but_is_no_json_is_refused),
		cmocka_unit_test(valid_json_is_never_a_lack_of_memory),
		cmocka_unit_test(a_document_as_deep_as_the_limit_is_read),
		cmocka_unit_test(every_value_has_its_type),
		cmocka_unit_test(the_last_of_duplicate_members_wins_and_case_counts),
		cmocka_unit_test(another_letter_case_serves_when_the_exact_name_is_absent),
		cmocka_unit_test(no_name_hides_behind_a_zero_or_half_a_pair),
		cmocka_unit_test(a_member_name_with_a_zero_is_another_name),
		cmocka_unit_test(integers_are_exact_or_refused),
		cmocka_unit_test(getters_accept_what_is_absent_or_of_another_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
