/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd/rdma/errors: kinds of errors to codes, and words that runtimes misread.
 */
#include "unit.h"

#include "rdma/errors.h"
#include <stdio.h>
#include <string.h>

/* Contract, section 2, and SPEC.md, "Error": what each kind is to a runtime. */
static void kinds_with_a_code_of_the_specification_have_it(void **state)
{
	static const struct {
		enum error_kind kind;
		int code;
	} rows[] = {
		{ ERROR_VERSION, 1 },	 { ERROR_ENVIRONMENT, 4 }, { ERROR_IO, 5 },
		{ ERROR_STATE, 5 },	 { ERROR_DECODE, 6 },	   { ERROR_CONFIG, 7 },
		{ ERROR_STOPPED, 11 },	 { ERROR_SAME_NETNS, 8 },  { ERROR_BUSY, 11 },
		{ ERROR_NOT_READY, 50 }, { ERROR_IMPAIRED, 51 },   { ERROR_INTERNAL, 999 },
		{ ERROR_NONE, 999 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		char row[32];

		(void)snprintf(row, sizeof(row), "kind %d", (int)rows[i].kind);
		want_int(row, errors_code(rows[i].kind), rows[i].code);
	}
}

static void the_plugins_own_kinds_have_different_codes_of_their_own(void **state)
{
	static const enum error_kind kinds[] = {
		ERROR_NO_RDMA,	 ERROR_NETNS_MODE, ERROR_NO_FUNCTION, ERROR_NO_DRIVER,
		ERROR_NO_DEVICE, ERROR_ELSEWHERE,  ERROR_IPOIB,	      ERROR_MOVE,
		ERROR_NAME,	 ERROR_CONFLICT,   ERROR_CHECK,	      ERROR_CLEANUP,
	};

	(void)state;
	for (size_t i = 0; i < array_size(kinds); i++) {
		const int code = (int)errors_code(kinds[i]);

		if (code < 100 || code > 998)
			fail_msg("kind %d has code %d", (int)kinds[i], code);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(code, errors_code(kinds[j]));
	}
}

/* Code 3 would tell the runtime that no DEL is needed; 0 would be no error. */
static void no_kind_is_without_a_code_or_has_code_3(void **state)
{
	(void)state;
	for (int kind = ERROR_NONE; kind < ERROR_KINDS; kind++) {
		assert_int_not_equal(errors_code((enum error_kind)kind), 0);
		assert_int_not_equal(errors_code((enum error_kind)kind), 3);
	}
}

static bool is_misread(const char *text)
{
	return strcasestr(text, "not found") || strcasestr(text, "no such file");
}

static void an_error_of_del_is_never_read_as_success(void **state)
{
	static const char *const texts[] = {
		"device not found",
		"Not Found",
		"NOT FOUNDnot found",
		"not not foundfound",
		"cannot open 'x': No such file or directory",
		"no such file",
		"no such filenot found",
		"notnot found found",
		"no such no such filefile",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		struct error err = { 0 };

		(void)error_set(&err, ERROR_MOVE, 0, "%s", texts[i]);
		error_details(&err, "1 %s 2", texts[i]);
		errors_reword_for_del(&err);
		if (is_misread(err.msg) || is_misread(err.details))
			fail_msg("'%s' became '%s'", texts[i], err.msg);
		assert_int_equal(err.kind, ERROR_MOVE);
		assert_int_equal(err.details[strlen(err.details) - 1], '2');
	}
}

static void an_error_of_del_says_the_same_in_other_words(void **state)
{
	static const char *const rows[][2] = {
		{ "device 'x' is stuck", "device 'x' is stuck" },
		{ "", "" },
		{ "it was not  found", "it was not  found" },
		{ "cannot open 'x': No such file or directory",
		  "cannot open 'x': missing file or directory" },
		{ "device not found; not found again", "device missing; missing again" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };

		(void)error_set(&err, ERROR_MOVE, 0, "%s", rows[i][0]);
		errors_reword_for_del(&err);
		want_string(rows[i][0], err.msg, rows[i][1]);
		want_string(rows[i][0], err.details, "");
	}
}

static void the_longest_error_is_reworded_in_its_place(void **state)
{
	struct error err = { 0 };

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(err.details); i++)
		err.details[i] = "no such file "[i % 13];
	for (size_t i = 0; i + 1 < sizeof(err.msg); i++)
		err.msg[i] = "not found "[i % 10];
	errors_reword_for_del(&err);
	assert_false(is_misread(err.msg));
	assert_false(is_misread(err.details));
	assert_true(strlen(err.details) < sizeof(err.details));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_with_a_code_of_the_specification_have_it),
		cmocka_unit_test(the_plugins_own_kinds_have_different_codes_of_their_own),
		cmocka_unit_test(no_kind_is_without_a_code_or_has_code_3),
		cmocka_unit_test(an_error_of_del_is_never_read_as_success),
		cmocka_unit_test(an_error_of_del_says_the_same_in_other_words),
		cmocka_unit_test(the_longest_error_is_reworded_in_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
