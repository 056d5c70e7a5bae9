/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/text: a growing buffer, and foreign text made printable.
 */
#include "unit.h"

#include <rdma-cni/base/text.h>
#include <string.h>

static void a_text_grows_and_stays_terminated(void **state)
{
	struct text cleanup_text text = { 0 };

	(void)state;
	for (int i = 0; i < 3000; i++)
		text_add(&text, "abc", 3);
	text_add_string(&text, "-");
	text_print(&text, "%d/%s", 7, "x");
	assert_false(text.failed);
	assert_int_equal(text.length, 9000 + 4);
	assert_int_equal(strlen(text.data), text.length);
	assert_memory_equal(text.data, "abcabc", 6);
	assert_string_equal(text.data + 9000, "-7/x");
}

static void bytes_are_kept_as_they_are(void **state)
{
	struct text cleanup_text text = { 0 };

	(void)state;
	text_add(&text, "a\0b", 3);
	assert_int_equal(text.length, 3);
	assert_memory_equal(text.data, "a\0b", 4);
}

static void nothing_added_is_an_empty_string(void **state)
{
	struct text cleanup_text text = { 0 };

	(void)state;
	text_add(&text, "", 0);
	assert_int_equal(text.length, 0);
	assert_string_equal(text.data, "");
}

static void exactly_full_leaves_room_for_the_terminator(void **state)
{
	(void)state;
	for (size_t length = 250; length < 260; length++) {
		struct text cleanup_text text = { 0 };
		char *cleanup_free piece = repeat("x", length);

		text_add(&text, piece, length);
		assert_true(text.size > length);
		assert_int_equal(text.data[length], '\0');
		text_print(&text, "%s", piece);
		assert_int_equal(strlen(text.data), 2 * length);
	}
}

static void a_failure_is_remembered(void **state)
{
	struct text cleanup_text text = { 0 };

	(void)state;
	text_add_string(&text, "kept");
	assert_false(text_reserve(&text, SIZE_MAX));
	assert_true(text.failed);
	text_add_string(&text, "lost");
	text_print(&text, "%s", "lost");
	assert_true(text.failed);
	assert_string_equal(text.data, "kept");
}

static void a_text_that_is_done_is_empty(void **state)
{
	struct text text = { 0 };

	(void)state;
	text_add_string(&text, "x");
	text.failed = true;
	text_done(&text);
	assert_null(text.data);
	assert_int_equal(text.length, 0);
	assert_false(text.failed);
	text_done(&text);
}

/* Well-formed sequences: Unicode, table 3-7. */
static void foreign_text_becomes_printable_utf8(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} rows[] = {
		{ "", "" },
		{ "plain ~", "plain ~" },
		{ "two\nlines", "two\nlines" },
		{ "tab\tbell\a\x1b[31m", "tab?bell??[31m" },
		{ "\x01\x1f\x7f", "???" },
		{ "\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "???\xc2\xa0" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
		{ "\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80" },
		/* A lone continuation, a sequence cut short, bytes that never occur. */
		{ "\x80", "?" },
		{ "a\xc3", "a?" },
		{ "\xc3(", "?(" },
		{ "\xe2\x82", "??" },
		{ "\xf0\x9f\x98", "???" },
		{ "\xff\xfe", "??" },
		/* Overlong forms of '/', of U+07FF and of U+FFFF. */
		{ "\xc0\xaf", "??" },
		{ "\xc1\xbf", "??" },
		{ "\xe0\x80\xaf", "???" },
		{ "\xe0\x9f\xbf", "???" },
		{ "\xf0\x8f\xbf\xbf", "????" },
		/* Surrogates, and what lies above U+10FFFF. */
		{ "\xed\xa0\x80", "???" },
		{ "\xf4\x90\x80\x80", "????" },
		{ "\xf5\x80\x80\x80", "????" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		char out[64];

		text_printable(rows[i].in, out, sizeof(out));
		want_string(rows[i].in, out, rows[i].out);
	}
}

static void printable_text_is_cut_between_characters(void **state)
{
	static const char in[] = "a\xe2\x82\xacz";
	static const char *const cut[] = { "", "a", "a", "a", "a\xe2\x82\xac", in };

	(void)state;
	for (size_t i = 0; i < array_size(cut); i++) {
		char out[8];

		memset(out, '#', sizeof(out));
		text_printable(in, out, i + 1);
		want_string("cut", out, cut[i]);
		assert_int_equal(out[i + 1], '#');
	}
}

static void no_room_at_all_is_left_alone(void **state)
{
	char out[] = "#";

	(void)state;
	text_printable("abc", out, 0);
	assert_string_equal(out, "#");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_grows_and_stays_terminated),
		cmocka_unit_test(bytes_are_kept_as_they_are),
		cmocka_unit_test(nothing_added_is_an_empty_string),
		cmocka_unit_test(exactly_full_leaves_room_for_the_terminator),
		cmocka_unit_test(a_failure_is_remembered),
		cmocka_unit_test(a_text_that_is_done_is_empty),
		cmocka_unit_test(foreign_text_becomes_printable_utf8),
		cmocka_unit_test(printable_text_is_cut_between_characters),
		cmocka_unit_test(no_room_at_all_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
