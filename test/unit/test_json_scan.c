/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/json_scan: what is JSON (RFC 8259), and where its values stand.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/json_scan.h>
#include <rdma-cni/base/limits.h>
#include <stdio.h>
#include <string.h>

static void what_is_json_is_accepted(void **state)
{
	static const char *const texts[] = {
		"{}",
		"[]",
		"null",
		"true",
		"false",
		"0",
		"-0",
		"\"\"",
		" \t\r\n{ } \n",
		"0.5",
		"-12.50e+10",
		"1E5",
		"1e-0",
		"1e400",
		"18446744073709551616",
		"[1,[2,[]],{}]",
		"{\"a\":{\"b\":[null]},\"\":0}",
		"{\"a\":1,\"a\":2}",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude00\"",
		"\"\\u0000\"",
		"\"\x7f\"",
		"\"gr\xc3\xbc\xc3\x9f\"",
		/* Go's decoder reads these as U+FFFD: no reason to refuse a configuration. */
		"\"\\ud800\"",
		"\"\xff\xc0\xaf\"",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		struct error err = { 0 };

		want_success(texts[i], json_check(texts[i], strlen(texts[i]), &err), &err);
	}
}

static const char *const no_json[] = {
	"",
	" ",
	"\n",
	"\xef\xbb\xbf{}",
	"{} x",
	"{}{}",
	"{},",
	"[1 2]",
	"[1,]",
	"[,1]",
	"{\"a\"}",
	"{\"a\":}",
	"{\"a\" 1}",
	"{\"a\":1,}",
	"{,}",
	"{a:1}",
	"{'a':1}",
	"{1:1}",
	"{\"a\":1 \"b\":2}",
	"[",
	"{",
	"]",
	"}",
	"[}",
	"{]",
	"[1}",
	"{\"a\":1]",
	"[[]",
	"01",
	"-01",
	"00",
	"+1",
	"-",
	"1.",
	".5",
	"1.e1",
	"1e",
	"1e+",
	"0x10",
	"1_000",
	"NaN",
	"Infinity",
	"-Infinity",
	"nul",
	"nulll",
	"True",
	"TRUE",
	"tru",
	"undefined",
	"\"",
	"\"a",
	"\"\\\"",
	"\"\\",
	"\"\\x41\"",
	"\"\\u12\"",
	"\"\\u12g4\"",
	"\"\\U0041\"",
	"\"\n\"",
	"\"\t\"",
	"\"\x1f\"",
	"{\"a\nb\":1}",
	"'a'",
	"// c\n{}",
	"{}/* c */",
	"\v{}",
	"\f{}",
	"\xc2\xa0{}",
};

static void what_is_no_json_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(no_json); i++) {
		struct error err = { 0 };

		want_error(no_json[i], json_check(no_json[i], strlen(no_json[i]), &err), &err,
			   ERROR_DECODE);
	}
}

static void a_zero_byte_is_refused_wherever_it_is(void **state)
{
	static const struct {
		const char *text;
		size_t length;
	} rows[] = {
		{ "\0{}", 3 },
		{ "{}\0", 3 },
		{ "{\0}", 3 },
		{ "\"a\0b\"", 5 },
		{ "[1\0]", 4 },
		{ "{\"a\0\":1}", 8 },
		{ "1\0", 2 },
		{ "\"\\\0\"", 4 },
		{ "\"\\u00\0"
		  "0\"",
		  8 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };

		want_error(rows[i].text, json_check(rows[i].text, rows[i].length, &err), &err,
			   ERROR_DECODE);
	}
}

static void every_prefix_of_a_document_is_refused(void **state)
{
	static const char text[] =
		"{\"a\":[1,-2.5e-3,\"x\\u00e9\\n\",true,false,null,{}],\"b\":{\"c\":[]}}";
	struct error err = { 0 };

	(void)state;
	for (size_t length = 0; length < sizeof(text) - 1; length++) {
		/* An exact copy, so that a sanitizer sees a read behind the end. */
		char *cleanup_free prefix = malloc(length > 0 ? length : 1);

		assert_non_null(prefix);
		memcpy(prefix, text, length);
		want_error(text, json_check(prefix, length, &err), &err, ERROR_DECODE);
	}
	err = (struct error){ 0 };
	want_success(text, json_check(text, sizeof(text) - 1, &err), &err);
}

/* `depth` containers, each in the one before. */
static char *nested(size_t depth, const char *open, const char *close)
{
	char *cleanup_free opening = repeat(open, depth);
	char *cleanup_free closing = repeat(close, depth);
	const size_t size = strlen(opening) + strlen(closing) + 2;
	char *text = malloc(size);

	assert_non_null(text);
	(void)snprintf(text, size, "%s0%s", opening, closing);
	return text;
}

static void documents_are_nested_1000_levels_at_most(void **state)
{
	static const struct {
		const char *open;
		const char *close;
	} rows[] = { { "[", "]" }, { "{\"a\":", "}" } };

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		char *cleanup_free deepest = nested(1000, rows[i].open, rows[i].close);
		char *cleanup_free deeper = nested(1001, rows[i].open, rows[i].close);
		char *cleanup_free bomb = nested(1000000, rows[i].open, rows[i].close);
		struct error err = { 0 };

		want_success("1000", json_check(deepest, strlen(deepest), &err), &err);
		want_error("1001", json_check(deeper, strlen(deeper), &err), &err, ERROR_DECODE);
		want_error("million", json_check(bomb, strlen(bomb), &err), &err, ERROR_DECODE);
	}
}

static void the_message_says_where_and_what(void **state)
{
	static const struct {
		const char *text;
		const char *part;
	} rows[] = {
		{ "{\"a\":01}", "byte 6 of 8" }, { "{} x", "byte 3 of 4" },
		{ "{} x", "behind the end" },	 { "", "empty" },
		{ "[\"\t\"]", "byte 2 of 5" },	 { "[\"\t\"]", "control character" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };

		(void)!json_check(rows[i].text, strlen(rows[i].text), &err);
		want_contains(rows[i].text, err.msg, rows[i].part);
	}
}

static void want_span(const char *row, struct json_span span, const char *expected)
{
	char text[256];

	if (!span.start) {
		want_string(row, NULL, expected);
		return;
	}
	(void)snprintf(text, sizeof(text), "%.*s", (int)span.length, span.start);
	want_string(row, text, expected);
}

static void the_whole_value_is_without_the_space_around(void **state)
{
	static const char *const rows[][2] = {
		{ " \n{\"a\" : 1 } \t", "{\"a\" : 1 }" },
		{ "1e400 ", "1e400" },
		{ "\"x\\\"y\"", "\"x\\\"y\"" },
		{ "[]", "[]" },
		{ "", NULL },
		{ "  ", NULL },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		want_span(rows[i][0], json_whole(rows[i][0], strlen(rows[i][0])), rows[i][1]);
}

static void a_value_is_found_as_it_was_written(void **state)
{
	static const char *const rows[][3] = {
		{ "{\"a\":1}", "a", "1" },
		{ " { \"a\" : 9007199254740993 , \"b\":2}", "a", "9007199254740993" },
		{ "{\"b\":2,\"a\":[ 1,{\"a\":3} ]}", "a", "[ 1,{\"a\":3} ]" },
		{ "{\"a\":1e400}", "a", "1e400" },
		{ "{\"a\":\"x,\\\"a\\\":1}\"}", "a", "\"x,\\\"a\\\":1}\"" },
		{ "{\"a\":1,\"a\":2,\"A\":3}", "a", "2" },
		{ "{\"b\":{\"a\":1}}", "a", NULL },
		{ "{\"A\":1}", "a", NULL },
		{ "{\"aa\":1}", "a", NULL },
		{ "{\"\":1}", "a", NULL },
		{ "{\"\":1}", "", "1" },
		{ "{\"\\u0061\":1}", "a", "1" },
		{ "{\"a\":1,\"\\u0061\":2}", "a", "2" },
		{ "{\"\\u0041\":1}", "a", NULL },
		{ "{\"\\/\\b\\f\\n\\r\\t\\\"\\\\\":1}", "/\b\f\n\r\t\"\\", "1" },
		{ "{\"a\\u0000\":1}", "a", NULL },
		{ "{\"\\u0161\":1}", "a", NULL },
		{ "{\"a\":null}", "a", "null" },
		{ "{}", "a", NULL },
		{ "[\"a\",1]", "a", NULL },
		{ "\"a\"", "a", NULL },
		{ "1", "a", NULL },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct json_span whole = json_whole(rows[i][0], strlen(rows[i][0]));

		want_span(rows[i][0], json_find(whole, rows[i][1]), rows[i][2]);
	}
	want_span("absent", json_find((struct json_span){ 0 }, "a"), NULL);
}

static void items_come_in_order_with_name_and_value(void **state)
{
	static const struct {
		const char *text;
		const char *items;
	} rows[] = {
		{ "{ \"a\" : 1 ,\n\"b\\u0062\":[2, 3] , \"a\":{} }",
		  "\"a\"=1;\"b\\u0062\"=[2, 3];\"a\"={};" },
		{ "[ 1 , \"x,]\" ,[ ], {\"a\":1}]", "=1;=\"x,]\";=[ ];={\"a\":1};" },
		{ "{}", "" },
		{ "[ ]", "" },
		{ "5", "" },
		{ "\"[1]\"", "" },
		{ "null", "" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct json_span whole = json_whole(rows[i].text, strlen(rows[i].text));
		struct json_item item = { 0 };
		char items[256] = "";
		size_t length = 0;

		while (json_next_item(whole, &item))
			length += (size_t)snprintf(items + length, sizeof(items) - length,
						   "%.*s=%.*s;", (int)item.name.length,
						   item.name.start ? item.name.start : "",
						   (int)item.value.length, item.value.start);
		want_string(rows[i].text, items, rows[i].items);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_json_is_accepted),
		cmocka_unit_test(what_is_no_json_is_refused),
		cmocka_unit_test(a_zero_byte_is_refused_wherever_it_is),
		cmocka_unit_test(every_prefix_of_a_document_is_refused),
		cmocka_unit_test(documents_are_nested_1000_levels_at_most),
		cmocka_unit_test(the_message_says_where_and_what),
		cmocka_unit_test(the_whole_value_is_without_the_space_around),
		cmocka_unit_test(a_value_is_found_as_it_was_written),
		cmocka_unit_test(items_come_in_order_with_name_and_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
