/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/names: a list of names.
 */
#include "unit.h"

#include <rdma-cni/base/names.h>
#include <stdio.h>
#include <string.h>

static void add_all(struct names *names, const char *const items[])
{
	for (size_t i = 0; items[i]; i++)
		assert_int_equal(names_add(names, items[i]), 0);
}

static void a_list_keeps_its_own_copies_in_order(void **state)
{
	struct names cleanup_names names = { 0 };
	char name[32];

	(void)state;
	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "mlx5_%d", i);
		assert_int_equal(names_add(&names, name), 0);
	}
	assert_int_equal(names.count, 100);
	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "mlx5_%d", i);
		assert_string_equal(names.items[i], name);
	}
}

static void all_of_a_list_go_behind_another(void **state)
{
	static const char *const first[] = { "b", NULL };
	static const char *const second[] = { "c", "a", NULL };
	struct names cleanup_names names = { 0 };
	struct names cleanup_names more = { 0 };
	char joined[16];

	(void)state;
	add_all(&names, first);
	add_all(&more, second);
	assert_int_equal(names_add_all(&names, &more), 0);
	assert_string_equal(names_join(&names, joined, sizeof(joined)), "b, c, a");
	assert_int_equal(more.count, 2);
}

static void only_the_whole_name_is_contained(void **state)
{
	static const char *const items[] = { "mlx5_1", "mlx5_12", NULL };
	struct names cleanup_names names = { 0 };

	(void)state;
	assert_false(names_contain(&names, "mlx5_1"));
	add_all(&names, items);
	assert_true(names_contain(&names, "mlx5_1"));
	assert_true(names_contain(&names, "mlx5_12"));
	assert_false(names_contain(&names, "mlx5"));
	assert_false(names_contain(&names, "mlx5_123"));
	assert_false(names_contain(&names, "MLX5_1"));
	assert_false(names_contain(&names, ""));
}

static void sorting_follows_the_bytes_and_keeps_duplicates(void **state)
{
	static const char *const items[] = { "b", "a10", "a", "B", "a2", "\xc3\xa4", "a", NULL };
	static const char *const sorted[] = { "B", "a", "a", "a10", "a2", "b", "\xc3\xa4" };
	struct names cleanup_names names = { 0 };
	struct names empty = { 0 };

	(void)state;
	names_sort(&empty);
	add_all(&names, items);
	names_sort(&names);
	assert_int_equal(names.count, array_size(sorted));
	for (size_t i = 0; i < array_size(sorted); i++)
		assert_string_equal(names.items[i], sorted[i]);
}

static void joining_separates_with_commas_and_says_none(void **state)
{
	static const char *const items[] = { "uverbs3", "umad3", "issm3", NULL };
	struct names cleanup_names names = { 0 };
	char buffer[64];

	(void)state;
	assert_ptr_equal(names_join(&names, buffer, sizeof(buffer)), buffer);
	assert_string_equal(buffer, "none");
	add_all(&names, items);
	assert_string_equal(names_join(&names, buffer, sizeof(buffer)), "uverbs3, umad3, issm3");
}

static void joining_never_writes_behind_the_buffer(void **state)
{
	static const char *const items[] = { "uverbs3", "umad3", "issm3", NULL };
	static const char whole[] = "uverbs3, umad3, issm3";
	struct names cleanup_names names = { 0 };

	(void)state;
	add_all(&names, items);
	for (size_t size = 1; size <= sizeof(whole); size++) {
		char buffer[sizeof(whole) + 1];

		memset(buffer, '#', sizeof(buffer));
		(void)names_join(&names, buffer, size);
		for (size_t i = size; i < sizeof(buffer); i++)
			assert_int_equal(buffer[i], '#');
		assert_int_equal(strlen(buffer), size - 1);
		assert_memory_equal(buffer, whole, size - 1);
	}
}

static void a_list_that_is_done_is_empty_and_can_be_used_again(void **state)
{
	struct names cleanup_names names = { 0 };

	(void)state;
	assert_int_equal(names_add(&names, "a"), 0);
	names_done(&names);
	assert_int_equal(names.count, 0);
	names_done(&names);
	assert_int_equal(names_add(&names, "b"), 0);
	assert_string_equal(names.items[0], "b");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_keeps_its_own_copies_in_order),
		cmocka_unit_test(all_of_a_list_go_behind_another),
		cmocka_unit_test(only_the_whole_name_is_contained),
		cmocka_unit_test(sorting_follows_the_bytes_and_keeps_duplicates),
		cmocka_unit_test(joining_separates_with_commas_and_says_none),
		cmocka_unit_test(joining_never_writes_behind_the_buffer),
		cmocka_unit_test(a_list_that_is_done_is_empty_and_can_be_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
