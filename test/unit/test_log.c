/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/log: one line an event, in the file that is asked for.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/log.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test logs to a file of its own, at the default level and without context. */
static void log_to_scratch(const struct scratch *scratch)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/log", scratch->path);
	assert_int_equal(log_set_file(path), 0);
	log_set_level(LOG_LEVEL_INFO);
	log_set_context("");
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; (text = strchr(text, '\n')); text++)
		count++;
	return count;
}

static void levels_have_exact_names(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		enum log_level level;
	} rows[] = {
		{ "error", true, LOG_LEVEL_ERROR }, { "warning", true, LOG_LEVEL_WARNING },
		{ "info", true, LOG_LEVEL_INFO },   { "debug", true, LOG_LEVEL_DEBUG },
		{ "", false, LOG_LEVEL_ERROR },	    { "Info", false, LOG_LEVEL_ERROR },
		{ "warn", false, LOG_LEVEL_ERROR }, { "debug ", false, LOG_LEVEL_ERROR },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		enum log_level level = LOG_LEVEL_ERROR;

		want_int(rows[i].text, log_level_parse(rows[i].text, &level), rows[i].ok);
		want_int(rows[i].text, level, rows[i].level);
	}
}

static void a_line_has_time_level_process_text_and_context(void **state)
{
	const struct scratch *scratch = *state;
	int year;
	int month;
	int day;
	int hour;
	int minute;
	int second;
	int millisecond;
	char rest[128];
	char expected[128];

	log_to_scratch(scratch);
	log_set_context("pod=ns/name");
	log_warning("moved '%s'", "mlx5_2");
	assert_int_equal(sscanf(file_text(scratch->dir, "log"),
				"%4d-%2d-%2dT%2d:%2d:%2d.%3dZ %127[^\n]", &year, &month, &day,
				&hour, &minute, &second, &millisecond, rest),
			 8);
	assert_true(year >= 2024 && month <= 12 && day <= 31 && hour <= 23);
	(void)snprintf(expected, sizeof(expected), "warning rdma[%ld] moved 'mlx5_2' (pod=ns/name)",
		       (long)getpid());
	assert_string_equal(rest, expected);
}

static void lines_are_appended_to_a_private_file(void **state)
{
	const struct scratch *scratch = *state;
	const mode_t old = umask(0);

	log_to_scratch(scratch);
	(void)umask(old);
	log_info("one");
	log_to_scratch(scratch);
	log_info("two");
	assert_int_equal(count_lines(file_text(scratch->dir, "log")), 2);
	assert_int_equal(mode_of(scratch->dir, "log"), S_IFREG | 0600);
}

static void what_is_less_urgent_than_the_level_is_left_out(void **state)
{
	const struct scratch *scratch = *state;

	log_to_scratch(scratch);
	for (int level = LOG_LEVEL_ERROR; level <= LOG_LEVEL_DEBUG; level++) {
		log_set_level((enum log_level)level);
		make_file(scratch->dir, "log", "");
		log_error("x");
		log_warning("x");
		log_info("x");
		log_debug("x");
		assert_int_equal(count_lines(file_text(scratch->dir, "log")), level + 1);
	}
}

static void foreign_text_can_not_forge_a_line(void **state)
{
	static const char *const texts[] = {
		"one\ntwo", "one\r\ntwo", "\n\n\n", "\x1b[2J\x07", "\xff\xfe", "100%s%n",
	};
	const struct scratch *scratch = *state;

	log_to_scratch(scratch);
	for (size_t i = 0; i < array_size(texts); i++) {
		make_file(scratch->dir, "log", "");
		log_info("%s", texts[i]);
		want_int(texts[i], (int64_t)count_lines(file_text(scratch->dir, "log")), 1);
		make_file(scratch->dir, "log", "");
		log_set_context(texts[i]);
		log_info("text");
		want_int(texts[i], (int64_t)count_lines(file_text(scratch->dir, "log")), 1);
		assert_null(strpbrk(file_text(scratch->dir, "log"), "\x1b\x07\r\xff"));
		log_set_context("");
	}
}

static void a_long_event_is_cut_and_still_a_line(void **state)
{
	const struct scratch *scratch = *state;
	char *cleanup_free text = repeat("long text ", 1000);
	const char *written;

	log_to_scratch(scratch);
	log_set_context(text);
	log_info("%s", text);
	written = file_text(scratch->dir, "log");
	assert_int_equal(count_lines(written), 1);
	assert_int_equal(written[strlen(written) - 1], '\n');
	assert_true(strlen(written) < 4096);
}

static void a_link_in_place_of_the_log_is_not_followed(void **state)
{
	const struct scratch *scratch = *state;
	char path[128];

	make_file(scratch->dir, "victim", "precious");
	make_link(scratch->dir, "log", "victim");
	(void)snprintf(path, sizeof(path), "%s/log", scratch->path);
	assert_int_equal(log_set_file(path), -ELOOP);
	assert_int_equal(mkfifoat(scratch->dir, "fifo", 0600), 0);
	(void)snprintf(path, sizeof(path), "%s/fifo", scratch->path);
	assert_int_equal(log_set_file(path), -ENXIO);
	(void)snprintf(path, sizeof(path), "%s/none/log", scratch->path);
	assert_int_equal(log_set_file(path), -ENOENT);
	log_info("not here");
	assert_string_equal(file_text(scratch->dir, "victim"), "precious");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_have_exact_names),
		scratch_test(a_line_has_time_level_process_text_and_context),
		scratch_test(lines_are_appended_to_a_private_file),
		scratch_test(what_is_less_urgent_than_the_level_is_left_out),
		scratch_test(foreign_text_can_not_forge_a_line),
		scratch_test(a_long_event_is_cut_and_still_a_line),
		scratch_test(a_link_in_place_of_the_log_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
