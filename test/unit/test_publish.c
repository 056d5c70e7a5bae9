/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/publish: a file is replaced as a whole, whatever stands in the way.
 */
#include "unit.h"

#include <fcntl.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/names.h>
#include <rdma-cni/base/publish.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int publish(int dir, const char *name, const char *text)
{
	return publish_file(dir, name, text, strlen(text), 0600);
}

/* All that is in the directory, ", " between. */
static void want_files(int dir, const char *expected)
{
	struct names cleanup_names names = { 0 };
	char joined[1024];

	assert_int_equal(root_list(dir, ".", &names), 0);
	want_string("files", names_join(&names, joined, sizeof(joined)), expected);
}

static void a_file_is_made_with_its_mode_and_nothing_else(void **state)
{
	const struct scratch *scratch = *state;
	const mode_t old = umask(0);

	assert_int_equal(publish(scratch->dir, "entry", "text"), 0);
	(void)umask(old);
	assert_string_equal(file_text(scratch->dir, "entry"), "text");
	assert_int_equal(mode_of(scratch->dir, "entry"), S_IFREG | 0600);
	want_files(scratch->dir, "entry");
}

static void a_file_is_replaced_by_a_shorter_one(void **state)
{
	const struct scratch *scratch = *state;

	assert_int_equal(publish(scratch->dir, "entry", "a long text"), 0);
	assert_int_equal(publish(scratch->dir, "entry", "short"), 0);
	assert_string_equal(file_text(scratch->dir, "entry"), "short");
	assert_int_equal(publish_file(scratch->dir, "entry", "", 0, 0600), 0);
	assert_string_equal(file_text(scratch->dir, "entry"), "");
	want_files(scratch->dir, "entry");
}

static void a_reader_keeps_the_old_file(void **state)
{
	const struct scratch *scratch = *state;

	assert_int_equal(publish(scratch->dir, "entry", "old"), 0);
	assert_int_equal(linkat(scratch->dir, "entry", scratch->dir, "other name", 0), 0);
	assert_int_equal(publish(scratch->dir, "entry", "new"), 0);
	assert_string_equal(file_text(scratch->dir, "other name"), "old");
	assert_string_equal(file_text(scratch->dir, "entry"), "new");
}

static void a_link_at_the_target_is_replaced_not_followed(void **state)
{
	const struct scratch *scratch = *state;

	make_file(scratch->dir, "victim", "precious");
	make_link(scratch->dir, "entry", "victim");
	assert_int_equal(publish(scratch->dir, "entry", "text"), 0);
	assert_string_equal(file_text(scratch->dir, "victim"), "precious");
	assert_int_equal(mode_of(scratch->dir, "entry") & S_IFMT, S_IFREG);
}

static void what_a_killed_writer_left_is_replaced(void **state)
{
	const struct scratch *scratch = *state;

	make_file(scratch->dir, ".entry.tmp", "a very long tail of a killed writer");
	assert_int_equal(publish(scratch->dir, "entry", "text"), 0);
	assert_string_equal(file_text(scratch->dir, "entry"), "text");
	want_files(scratch->dir, "entry");
}

static void a_link_planted_at_the_temporary_name_is_not_followed(void **state)
{
	const struct scratch *scratch = *state;

	make_file(scratch->dir, "victim", "precious");
	make_link(scratch->dir, ".entry.tmp", "victim");
	assert_int_equal(publish(scratch->dir, "entry", "text"), 0);
	assert_int_equal(linkat(scratch->dir, "victim", scratch->dir, ".entry.tmp", 0), 0);
	assert_int_equal(publish(scratch->dir, "entry", "text"), 0);
	assert_int_equal(mkfifoat(scratch->dir, ".entry.tmp", 0600), 0);
	assert_int_equal(publish(scratch->dir, "entry", "text"), 0);
	assert_string_equal(file_text(scratch->dir, "victim"), "precious");
	assert_string_equal(file_text(scratch->dir, "entry"), "text");
	want_files(scratch->dir, "entry, victim");
}

static void a_failure_leaves_the_target_and_no_temporary_file(void **state)
{
	const struct scratch *scratch = *state;

	make_directory(scratch->dir, "entry");
	assert_int_equal(publish(scratch->dir, "entry", "text"), -EISDIR);
	want_files(scratch->dir, "entry");
	assert_int_equal(publish(scratch->dir, "no/such", "text"), -ENOENT);
	assert_int_equal(publish(-1, "entry", "text"), -EBADF);
	make_directory(scratch->dir, ".blocked.tmp");
	assert_true(publish(scratch->dir, "blocked", "text") < 0);
	want_files(scratch->dir, ".blocked.tmp, entry");
}

static void every_name_that_a_file_can_have_is_served(void **state)
{
	const struct scratch *scratch = *state;
	char *cleanup_free longer = repeat("a", 256);

	for (size_t length = 245; length <= 255; length++) {
		char *cleanup_free name = repeat("a", length);

		want_int(name, publish(scratch->dir, name, "text"), 0);
		want_int(name, publish(scratch->dir, name, "other text"), 0);
		want_string(name, file_text(scratch->dir, name), "other text");
		want_files(scratch->dir, name);
		want_int(name, publish_remove(scratch->dir, name), 0);
	}
	assert_int_equal(publish(scratch->dir, longer, "text"), -ENAMETOOLONG);
	assert_int_equal(publish_remove(scratch->dir, longer), -ENAMETOOLONG);
	want_files(scratch->dir, "none");
}

static void long_names_that_start_alike_have_their_own_temporary_file(void **state)
{
	const struct scratch *scratch = *state;
	char *cleanup_free name = repeat("a", 255);
	char *cleanup_free other = repeat("a", 255);
	char temporary[512];

	other[254] = 'b';
	make_directory(scratch->dir, name);
	assert_int_equal(publish(scratch->dir, other, "text"), 0);
	assert_int_equal(publish(scratch->dir, name, "text"), -EISDIR);
	assert_int_equal(unlinkat(scratch->dir, name, AT_REMOVEDIR), 0);
	want_files(scratch->dir, other);
	/* FNV-1a 64 of 255 "a" and the terminator, computed apart from this program. */
	(void)snprintf(temporary, sizeof(temporary), ".%.233s~fd28f5200943a012.tmp", name);
	make_file(scratch->dir, temporary, "half a te");
	assert_int_equal(publish_remove(scratch->dir, name), 0);
	want_files(scratch->dir, other);
}

static void removing_takes_the_temporary_file_too_and_accepts_none(void **state)
{
	const struct scratch *scratch = *state;

	assert_int_equal(publish_remove(scratch->dir, "entry"), 0);
	make_file(scratch->dir, "entry", "text");
	make_file(scratch->dir, ".entry.tmp", "half a te");
	make_file(scratch->dir, "entry2", "another");
	assert_int_equal(publish_remove(scratch->dir, "entry"), 0);
	want_files(scratch->dir, "entry2");
	make_file(scratch->dir, ".entry.tmp", "half a te");
	assert_int_equal(publish_remove(scratch->dir, "entry"), 0);
	want_files(scratch->dir, "entry2");
}

static void removing_a_link_leaves_what_it_points_to(void **state)
{
	const struct scratch *scratch = *state;

	make_file(scratch->dir, "victim", "precious");
	make_link(scratch->dir, "entry", "victim");
	assert_int_equal(publish_remove(scratch->dir, "entry"), 0);
	want_files(scratch->dir, "victim");
}

static void what_can_not_be_removed_is_an_error(void **state)
{
	const struct scratch *scratch = *state;

	make_directory(scratch->dir, "entry");
	assert_int_equal(publish_remove(scratch->dir, "entry"), -EISDIR);
	assert_int_equal(publish_remove(-1, "entry"), -EBADF);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(a_file_is_made_with_its_mode_and_nothing_else),
		scratch_test(a_file_is_replaced_by_a_shorter_one),
		scratch_test(a_reader_keeps_the_old_file),
		scratch_test(a_link_at_the_target_is_replaced_not_followed),
		scratch_test(what_a_killed_writer_left_is_replaced),
		scratch_test(a_link_planted_at_the_temporary_name_is_not_followed),
		scratch_test(a_failure_leaves_the_target_and_no_temporary_file),
		scratch_test(every_name_that_a_file_can_have_is_served),
		scratch_test(long_names_that_start_alike_have_their_own_temporary_file),
		scratch_test(removing_takes_the_temporary_file_too_and_accepts_none),
		scratch_test(removing_a_link_leaves_what_it_points_to),
		scratch_test(what_can_not_be_removed_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
