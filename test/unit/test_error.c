/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/error: set, details, context, gather, at any length.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <string.h>

static void an_error_says_what_came_back(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(error_set(&err, ERROR_IO, EACCES, "cannot read '%s'", "x"), -EACCES);
	assert_int_equal(err.kind, ERROR_IO);
	assert_string_equal(err.msg, "cannot read 'x': Permission denied");
	assert_string_equal(err.details, "");
}

static void an_error_without_errno_is_einval(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(error_set(&err, ERROR_CONFIG, 0, "no %d", 7), -EINVAL);
	assert_string_equal(err.msg, "no 7");
}

static void a_new_error_drops_old_details(void **state)
{
	struct error err = { 0 };

	(void)state;
	(void)error_set(&err, ERROR_IO, 0, "first");
	error_details(&err, "do %s", "this");
	assert_string_equal(err.details, "do this");
	(void)error_set(&err, ERROR_STATE, 0, "second");
	assert_string_equal(err.details, "");
	assert_int_equal(err.kind, ERROR_STATE);
}

static void context_goes_in_front(void **state)
{
	struct error err = { 0 };

	(void)state;
	(void)error_set(&err, ERROR_MOVE, EPERM, "the kernel refused");
	error_details(&err, "run as root");
	error_context(&err, "cannot move '%s'", "mlx5_2");
	error_context(&err, "ADD");
	assert_string_equal(
		err.msg, "ADD: cannot move 'mlx5_2': the kernel refused: Operation not permitted");
	assert_string_equal(err.details, "run as root");
	assert_int_equal(err.kind, ERROR_MOVE);
}

static void context_may_quote_the_message_itself(void **state)
{
	struct error err = { 0 };

	(void)state;
	(void)error_set(&err, ERROR_IO, 0, "100%% of %%s");
	assert_string_equal(err.msg, "100% of %s");
	error_context(&err, "x");
	assert_string_equal(err.msg, "x: 100% of %s");
}

static void gathering_keeps_the_first_and_lists_the_rest(void **state)
{
	struct error all = { 0 };
	struct error next = { 0 };

	(void)state;
	(void)error_set(&next, ERROR_MOVE, 0, "one");
	error_details(&next, "hint");
	error_gather(&all, &next);
	assert_int_equal(all.kind, ERROR_MOVE);
	assert_string_equal(all.msg, "one");
	assert_string_equal(all.details, "hint");
	(void)error_set(&next, ERROR_STATE, 0, "two");
	error_gather(&all, &next);
	(void)error_set(&next, ERROR_IO, 0, "three");
	error_gather(&all, &next);
	assert_int_equal(all.kind, ERROR_MOVE);
	assert_string_equal(all.msg, "one");
	assert_string_equal(all.details, "hint\nalso: two\nalso: three");
}

static void gathering_without_details_starts_on_the_first_line(void **state)
{
	struct error all = { 0 };
	struct error next = { 0 };

	(void)state;
	(void)error_set(&all, ERROR_MOVE, 0, "one");
	(void)error_set(&next, ERROR_MOVE, 0, "two");
	error_gather(&all, &next);
	assert_string_equal(all.details, "also: two");
}

static void too_long_text_is_cut_and_terminated(void **state)
{
	char *cleanup_free text = repeat("abcdefgh", 1000);
	struct error err = { 0 };
	struct error next = { 0 };

	(void)state;
	assert_int_equal(error_set(&err, ERROR_IO, EIO, "%s", text), -EIO);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_memory_equal(err.msg, text, sizeof(err.msg) - 1);
	error_details(&err, "%s", text);
	assert_int_equal(strlen(err.details), sizeof(err.details) - 1);
	error_context(&err, "in front");
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_memory_equal(err.msg, "in front: abcdefgh", 18);
	error_context(&err, "%s", text);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	(void)error_set(&next, ERROR_IO, 0, "next");
	error_gather(&err, &next);
	assert_int_equal(strlen(err.details), sizeof(err.details) - 1);
}

static void no_memory_has_words_too(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(error_no_memory(&err), -ENOMEM);
	assert_int_equal(err.kind, ERROR_INTERNAL);
	want_contains("no memory", err.msg, "memory");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_says_what_came_back),
		cmocka_unit_test(an_error_without_errno_is_einval),
		cmocka_unit_test(a_new_error_drops_old_details),
		cmocka_unit_test(context_goes_in_front),
		cmocka_unit_test(context_may_quote_the_message_itself),
		cmocka_unit_test(gathering_keeps_the_first_and_lists_the_rest),
		cmocka_unit_test(gathering_without_details_starts_on_the_first_line),
		cmocka_unit_test(too_long_text_is_cut_and_terminated),
		cmocka_unit_test(no_memory_has_words_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
