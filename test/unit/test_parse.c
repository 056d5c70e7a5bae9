/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/parse: strict readers of small foreign text.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/parse.h>
#include <string.h>

static void numbers_are_plain_decimal_digits_within_64_bits(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t value;
	} rows[] = {
		{ "0", true, 0 },
		{ "7", true, 7 },
		{ "4294967296", true, UINT64_C(4294967296) },
		{ "18446744073709551615", true, UINT64_MAX },
		{ "18446744073709551616", false, 0 },
		{ "18446744073709551620", false, 0 },
		{ "99999999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "00", false, 0 },
		{ "01", false, 0 },
		{ "-1", false, 0 },
		{ "+1", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "1\n", false, 0 },
		{ "1x", false, 0 },
		{ "0x10", false, 0 },
		{ "1.0", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		uint64_t value = 4711;

		want_int(rows[i].text, parse_u64(rows[i].text, &value), rows[i].ok);
		if (value != (rows[i].ok ? rows[i].value : 4711))
			fail_msg("'%s' gave the value %ju", rows[i].text, (uintmax_t)value);
	}
}

static void hexadecimal_digits_are_counted_from_the_start(void **state)
{
	static const struct {
		const char *text;
		size_t count;
		bool ok;
	} rows[] = {
		{ "3b", 2, true },  { "3B:02", 2, true }, { "0123456789abcdefABCDEF", 22, true },
		{ "3g", 2, false }, { "3", 2, false },	  { "", 1, false },
		{ "", 0, true },    { "x", 0, true },	  { "-1", 2, false },
		{ " 1", 2, false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		want_int(rows[i].text, parse_is_hex(rows[i].text, rows[i].count), rows[i].ok);
}

static void a_component_can_not_leave_its_directory(void **state)
{
	static const struct {
		const char *text;
		bool ok;
	} rows[] = {
		{ "mlx5_2", true }, { "...", true },   { ".hidden", true }, { "a b", true },
		{ "", false },	    { ".", false },    { "..", false },	    { "/", false },
		{ "a/b", false },   { "../x", false }, { "a/", false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		want_int(rows[i].text, parse_is_component(rows[i].text), rows[i].ok);
}

static void a_component_has_at_most_255_bytes(void **state)
{
	char *cleanup_free longest = repeat("a", 255);
	char *cleanup_free longer = repeat("a", 256);

	(void)state;
	assert_true(parse_is_component(longest));
	assert_false(parse_is_component(longer));
}

static void a_string_is_copied_whole_or_not_at_all(void **state)
{
	char out[4] = "old";

	(void)state;
	assert_false(parse_copy(out, sizeof(out), "1234"));
	assert_string_equal(out, "old");
	assert_true(parse_copy(out, sizeof(out), "123"));
	assert_string_equal(out, "123");
	assert_true(parse_copy(out, sizeof(out), ""));
	assert_string_equal(out, "");
	assert_false(parse_copy(out, 0, ""));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_plain_decimal_digits_within_64_bits),
		cmocka_unit_test(hexadecimal_digits_are_counted_from_the_start),
		cmocka_unit_test(a_component_can_not_leave_its_directory),
		cmocka_unit_test(a_component_has_at_most_255_bytes),
		cmocka_unit_test(a_string_is_copied_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
