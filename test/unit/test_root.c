/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/root: small reads below a directory handle.
 */
#include "unit.h"

#include <fcntl.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void only_directories_are_opened(void **state)
{
	const struct scratch *scratch = *state;
	const int cleanup_close good = root_open(scratch->path);
	char path[128];

	assert_true(good >= 0);
	assert_int_equal(fcntl(good, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	make_file(scratch->dir, "file", "");
	(void)snprintf(path, sizeof(path), "%s/file", scratch->path);
	assert_int_equal(root_open(path), -ENOTDIR);
	(void)snprintf(path, sizeof(path), "%s/none", scratch->path);
	assert_int_equal(root_open(path), -ENOENT);
}

static void parents_are_made_without_the_last_component(void **state)
{
	const struct scratch *scratch = *state;
	const mode_t old = umask(022);
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/a/b/c", scratch->path);
	assert_int_equal(root_make_parents(path), 0);
	assert_int_equal(root_make_parents(path), 0);
	(void)umask(old);
	assert_int_equal(mode_of(scratch->dir, "a"), S_IFDIR | 0755);
	assert_int_equal(mode_of(scratch->dir, "a/b"), S_IFDIR | 0755);
	assert_false(is_there(scratch->dir, "a/b/c"));
	assert_int_equal(root_make_parents("/file-of-the-root"), 0);
}

static void a_file_on_the_way_stops_making_parents(void **state)
{
	const struct scratch *scratch = *state;
	char path[128];

	make_file(scratch->dir, "a", "");
	(void)snprintf(path, sizeof(path), "%s/a/b/c", scratch->path);
	assert_int_equal(root_make_parents(path), -ENOTDIR);
}

static void existence_follows_links(void **state)
{
	const struct scratch *scratch = *state;

	make_file(scratch->dir, "dir/file", "");
	make_link(scratch->dir, "link", "dir/file");
	make_link(scratch->dir, "dangling", "nowhere");
	assert_true(root_exists(scratch->dir, "dir"));
	assert_true(root_exists(scratch->dir, "dir/file"));
	assert_true(root_exists(scratch->dir, "link"));
	assert_false(root_exists(scratch->dir, "dangling"));
	assert_false(root_exists(scratch->dir, "dir/none"));
	assert_false(root_exists(-1, "dir"));
}

static void the_first_line_is_read_without_its_end(void **state)
{
	static const char *const rows[][2] = {
		{ "mlx5_2\n", "mlx5_2" },
		{ "mlx5_2", "mlx5_2" },
		{ "a\nb\n", "a" },
		{ "", "" },
		{ "\n", "" },
		{ "two words \n", "two words " },
	};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		char line[16] = "old";

		make_file(scratch->dir, "attribute", rows[i][0]);
		assert_int_equal(root_read_line(scratch->dir, "attribute", line, sizeof(line)), 0);
		want_string(rows[i][0], line, rows[i][1]);
	}
}

static void a_line_fits_whole_or_is_refused(void **state)
{
	const struct scratch *scratch = *state;
	char *cleanup_free endless = repeat("x", 10000);
	char line[4] = "old";

	make_file(scratch->dir, "attribute", "1234\n");
	assert_int_equal(root_read_line(scratch->dir, "attribute", line, sizeof(line)), -EFBIG);
	make_file(scratch->dir, "endless", endless);
	assert_int_equal(root_read_line(scratch->dir, "endless", line, sizeof(line)), -EFBIG);
	assert_string_equal(line, "old");
	make_file(scratch->dir, "attribute", "123\n");
	assert_int_equal(root_read_line(scratch->dir, "attribute", line, sizeof(line)), 0);
	assert_string_equal(line, "123");
}

static void a_line_of_thousands_of_bytes_is_never_cut(void **state)
{
	const struct scratch *scratch = *state;
	static const size_t lengths[] = { 4094, 4095, 4096, 10000 };
	char line[12000];

	for (size_t i = 0; i < array_size(lengths); i++) {
		char *cleanup_free text = repeat("x", lengths[i] + 1);
		const int expected = lengths[i] < 4095 ? 0 : -EFBIG;

		text[lengths[i]] = '\n';
		make_file(scratch->dir, "attribute", text);
		(void)snprintf(line, sizeof(line), "old");
		want_int(text, root_read_line(scratch->dir, "attribute", line, sizeof(line)),
			 expected);
		want_int("length", (int64_t)strlen(line),
			 expected == 0 ? (int64_t)lengths[i] : (int64_t)strlen("old"));
	}
}

static void an_unreadable_line_is_its_errno(void **state)
{
	const struct scratch *scratch = *state;
	char line[16] = "old";

	assert_int_equal(root_read_line(scratch->dir, "none", line, sizeof(line)), -ENOENT);
	assert_int_equal(root_read_line(scratch->dir, ".", line, sizeof(line)), -EISDIR);
	assert_int_equal(root_read_line(-1, "none", line, sizeof(line)), -EBADF);
	assert_string_equal(line, "old");
}

static void a_links_target_is_known_by_its_last_component(void **state)
{
	static const char *const rows[][2] = {
		{ "../../../bus/pci/drivers/mlx5_core", "mlx5_core" },
		{ "mlx5_core", "mlx5_core" },
		{ "/sys/bus/pci/drivers/ice", "ice" },
	};
	const struct scratch *scratch = *state;
	char name[16] = "old";
	char small[4] = "old";

	for (size_t i = 0; i < array_size(rows); i++) {
		char path[16];

		(void)snprintf(path, sizeof(path), "link%zu", i);
		make_link(scratch->dir, path, rows[i][0]);
		assert_int_equal(root_link_name(scratch->dir, path, name, sizeof(name)), 0);
		want_string(rows[i][0], name, rows[i][1]);
	}
	make_file(scratch->dir, "file", "");
	assert_int_equal(root_link_name(scratch->dir, "file", name, sizeof(name)), -EINVAL);
	assert_int_equal(root_link_name(scratch->dir, "none", name, sizeof(name)), -ENOENT);
	assert_int_equal(root_link_name(scratch->dir, "link0", small, sizeof(small)), -EFBIG);
	assert_string_equal(small, "old");
}

static void a_directory_is_listed_sorted_hidden_files_included(void **state)
{
	const struct scratch *scratch = *state;
	struct names cleanup_names names = { 0 };
	struct names cleanup_names none = { 0 };
	char joined[128];

	make_file(scratch->dir, "d/uverbs3", "");
	make_file(scratch->dir, "d/.lock", "");
	make_directory(scratch->dir, "d/b");
	make_link(scratch->dir, "d/a", "nowhere");
	assert_int_equal(root_list(scratch->dir, "d", &names), 0);
	assert_string_equal(names_join(&names, joined, sizeof(joined)), ".lock, a, b, uverbs3");
	assert_int_equal(root_list(scratch->dir, "d/b", &none), 0);
	assert_int_equal(none.count, 0);
	assert_int_equal(root_list(scratch->dir, "none", &none), -ENOENT);
	assert_int_equal(root_list(scratch->dir, "d/uverbs3", &none), -ENOTDIR);
}

static void a_file_is_read_up_to_the_limit(void **state)
{
	const struct scratch *scratch = *state;
	struct text cleanup_text text = { 0 };
	struct text cleanup_text more = { 0 };

	make_file(scratch->dir, "d/entry", "12345");
	assert_int_equal(root_read_file(scratch->dir, "d/entry", 5, &text), 0);
	assert_string_equal(text.data, "12345");
	assert_int_equal(root_read_file(scratch->dir, "d/entry", 4, &more), -EFBIG);
	assert_int_equal(root_read_file(scratch->dir, "none", 4, &more), -ENOENT);
	assert_int_equal(root_read_file(scratch->dir, "d", 4, &more), -EISDIR);
}

static void a_link_in_place_of_a_file_is_not_followed(void **state)
{
	const struct scratch *scratch = *state;
	struct text cleanup_text text = { 0 };

	make_file(scratch->dir, "secret", "x");
	make_link(scratch->dir, "entry", "secret");
	make_link(scratch->dir, "outside", "/etc/passwd");
	assert_int_equal(root_read_file(scratch->dir, "entry", 100, &text), -ELOOP);
	assert_int_equal(root_read_file(scratch->dir, "outside", 1 << 20, &text), -ELOOP);
	assert_int_equal(text.length, 0);
}

static void a_fifo_in_place_of_a_file_does_not_hang(void **state)
{
	const struct scratch *scratch = *state;
	struct text cleanup_text text = { 0 };

	assert_int_equal(mkfifoat(scratch->dir, "entry", 0600), 0);
	assert_int_equal(root_read_file(scratch->dir, "entry", 100, &text), 0);
	assert_int_equal(text.length, 0);
}

static void a_path_is_cleaned_to_its_last_component(void **state)
{
	static const char *const rows[][2] = {
		{ "/", "/" },
		{ "//", "/" },
		{ "/.", "/" },
		{ "/./.", "/" },
		{ "/a", "/a" },
		{ "/a/", "/a" },
		{ "/a//", "/a" },
		{ "/a/.", "/a" },
		{ "/a/./", "/a" },
		{ "//a///b", "/a/b" },
		{ "/a/./b/", "/a/b" },
		{ "/.a/..b/c.", "/.a/..b/c." },
		{ "/a/...", "/a/..." },
		/* Through a link this is another place than "/b". */
		{ "/a/../b", "/a/../b" },
		{ "/a/..", "/a/.." },
		{ "a/b/", "a/b" },
		{ "./a", "a" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		char *cleanup_free clean = root_clean_path(rows[i][0]);

		want_string(rows[i][0], clean, rows[i][1]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(only_directories_are_opened),
		scratch_test(parents_are_made_without_the_last_component),
		scratch_test(a_file_on_the_way_stops_making_parents),
		scratch_test(existence_follows_links),
		scratch_test(the_first_line_is_read_without_its_end),
		scratch_test(a_line_fits_whole_or_is_refused),
		scratch_test(a_line_of_thousands_of_bytes_is_never_cut),
		scratch_test(an_unreadable_line_is_its_errno),
		scratch_test(a_links_target_is_known_by_its_last_component),
		scratch_test(a_directory_is_listed_sorted_hidden_files_included),
		scratch_test(a_file_is_read_up_to_the_limit),
		scratch_test(a_link_in_place_of_a_file_is_not_followed),
		scratch_test(a_fifo_in_place_of_a_file_does_not_hang),
		cmocka_unit_test(a_path_is_cleaned_to_its_last_component),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
