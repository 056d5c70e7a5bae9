/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/json_build: small objects, and pieces of a source text that come out as they came in.
 */
#include "unit.h"

#include <rdma-cni/base/json_build.h>
#include <string.h>

static void want_printed(const char *row, const struct cJSON *value, const char *expected)
{
	struct text cleanup_text text = { 0 };

	assert_non_null(value);
	assert_int_equal(json_print(value, false, &text), 0);
	want_string(row, text.data, expected);
}

static struct json_span span_of(const char *text)
{
	return (struct json_span){ .start = text, .length = strlen(text) };
}

static void an_object_prints_its_members_in_order(void **state)
{
	struct cJSON cleanup_json *object = json_new_object();
	struct cJSON *array = json_new_array();

	(void)state;
	assert_true(json_put_string(object, "s", "x"));
	assert_true(json_put_integer(object, "i", -7));
	assert_true(json_put_bool(object, "t", true));
	assert_true(json_put_bool(object, "f", false));
	assert_true(json_put(object, "a", array));
	assert_true(json_push_string(array, "one"));
	assert_true(json_push_span(array, span_of("2.0")));
	assert_true(json_push(array, json_new_object()));
	want_printed("object", object,
		     "{\"s\":\"x\",\"i\":-7,\"t\":true,\"f\":false,\"a\":[\"one\",2.0,{}]}");
}

static void integers_up_to_2_to_the_53_are_printed_exactly(void **state)
{
	static const struct {
		int64_t value;
		const char *text;
	} rows[] = {
		{ 0, "{\"n\":0}" },
		{ 999, "{\"n\":999}" },
		{ 4294967295, "{\"n\":4294967295}" },
		{ INT64_C(9007199254740992), "{\"n\":9007199254740992}" },
		{ INT64_C(-9007199254740992), "{\"n\":-9007199254740992}" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cJSON cleanup_json *object = json_new_object();

		assert_true(json_put_integer(object, "n", rows[i].value));
		want_printed(rows[i].text, object, rows[i].text);
	}
}

static void a_span_comes_out_verbatim(void **state)
{
	static const char *const spans[] = {
		"9007199254740993",  "1e400",	   "-0.0",
		"\"\\u0061\\/<>&\"", "[ 1 ,\n2 ]", "{ \"a\":1,\"a\":2 }",
	};

	(void)state;
	for (size_t i = 0; i < array_size(spans); i++) {
		struct cJSON cleanup_json *object = json_new_object();
		char expected[64] = "{\"v\":";

		assert_true(json_put_span(object, "v", span_of(spans[i])));
		strcat(strcat(expected, spans[i]), "}");
		want_printed(spans[i], object, expected);
	}
}

static void a_member_keeps_its_name_and_value(void **state)
{
	static const char *const rows[][2] = {
		{ "{\"a\":1e400}", "{\"a\":1e400}" },
		{ "{ \"x y\" : [ 1 ] }", "{\"x y\":[ 1 ]}" },
		{ "{\"\":0}", "{\"\":0}" },
		{ "{\"q\\\"\\\\\":0}", "{\"q\\\"\\\\\":0}" },
		/* Half a pair and zero bytes are U+FFFD, as everywhere. */
		{ "{\"\\ud800\":0}", "{\"\xef\xbf\xbd\":0}" },
		{ "{\"a\\u0000b\":0}", "{\"a\xef\xbf\xbd"
				       "b\":0}" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cJSON cleanup_json *object = json_new_object();
		struct json_item item = { 0 };

		assert_true(json_next_item(span_of(rows[i][0]), &item));
		if (!json_put_item(object, &item))
			fail_msg("%s: no member", rows[i][0]);
		want_printed(rows[i][0], object, rows[i][1]);
	}
}

static void strings_are_quoted_and_made_printable(void **state)
{
	static const char *const rows[][2] = {
		{ "", "\"\"" },
		{ "plain", "\"plain\"" },
		{ "a\"b\\c/d", "\"a\\\"b\\\\c/d\"" },
		{ "two\nlines", "\"two\\nlines\"" },
		{ "bell\a", "\"bell?\"" },
		{ "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"" },
		{ "bad\xff", "\"bad?\"" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct text cleanup_text text = { 0 };
		struct cJSON cleanup_json *array = json_new_array();

		assert_int_equal(json_quote(rows[i][0], &text), 0);
		want_string(rows[i][0], text.data, rows[i][1]);
		assert_true(json_push_string(array, rows[i][0]));
	}
}

static void printing_appends(void **state)
{
	struct text cleanup_text text = { 0 };
	struct cJSON cleanup_json *object = json_new_object();

	(void)state;
	text_add_string(&text, "a=");
	assert_true(json_put_bool(object, "x", true));
	assert_int_equal(json_print(object, false, &text), 0);
	assert_int_equal(json_quote("b", &text), 0);
	assert_string_equal(text.data, "a={\"x\":true}\"b\"");
}

static void pretty_printing_has_lines_and_tabs(void **state)
{
	struct text cleanup_text text = { 0 };
	struct cJSON cleanup_json *object = json_new_object();

	(void)state;
	assert_true(json_put_integer(object, "code", 7));
	assert_int_equal(json_print(object, true, &text), 0);
	assert_string_equal(text.data, "{\n\t\"code\":\t7\n}");
}

static void everything_fails_on_an_object_that_is_none(void **state)
{
	struct json_item item = { .name = span_of("\"a\""), .value = span_of("1") };
	struct cJSON cleanup_json *object = json_new_object();

	(void)state;
	assert_false(json_put_string(NULL, "a", "b"));
	assert_false(json_put_integer(NULL, "a", 1));
	assert_false(json_put_bool(NULL, "a", true));
	assert_false(json_put_span(NULL, "a", span_of("1")));
	assert_false(json_put_item(NULL, &item));
	assert_false(json_put(NULL, "a", json_new_object()));
	assert_false(json_push(NULL, json_new_object()));
	assert_false(json_push_string(NULL, "a"));
	assert_false(json_push_span(NULL, span_of("1")));
	assert_false(json_put(object, "a", NULL));
	assert_false(json_put_span(object, "a", (struct json_span){ 0 }));
	want_printed("nothing was put", object, "{}");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_prints_its_members_in_order),
		cmocka_unit_test(integers_up_to_2_to_the_53_are_printed_exactly),
		cmocka_unit_test(a_span_comes_out_verbatim),
		cmocka_unit_test(a_member_keeps_its_name_and_value),
		cmocka_unit_test(strings_are_quoted_and_made_printable),
		cmocka_unit_test(printing_appends),
		cmocka_unit_test(pretty_printing_has_lines_and_tabs),
		cmocka_unit_test(everything_fails_on_an_object_that_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
