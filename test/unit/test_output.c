/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/output: one JSON document on standard output, or a failure that is noticed.
 */
#include "unit.h"

#include <fcntl.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/json.h>
#include <rdma-cni/cni/output.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int open_file(const struct scratch *scratch, const char *name)
{
	const int fd = openat(scratch->dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	return fd;
}

static void the_answer_to_version_is_a_constant_line(void **state)
{
	const struct scratch *scratch = *state;
	const int cleanup_close fd = open_file(scratch, "out");
	struct error err = { 0 };

	want_success("VERSION", cni_output_versions(fd, &err), &err);
	assert_string_equal(file_text(scratch->dir, "out"),
			    "{\"cniVersion\":\"1.1.0\",\"supportedVersions\":[\"0.1.0\",\"0.2.0\","
			    "\"0.3.0\",\"0.3.1\",\"0.4.0\",\"1.0.0\",\"1.1.0\"]}\n");
}

static void a_document_is_written_as_it_is(void **state)
{
	const struct scratch *scratch = *state;
	const int cleanup_close fd = open_file(scratch, "out");
	struct text cleanup_text text = { 0 };
	struct error err = { 0 };

	text_add_string(&text, "{ \"n\":1e400 }");
	want_success("document", cni_output_document(fd, &text, &err), &err);
	assert_string_equal(file_text(scratch->dir, "out"), text.data);
	/* Still open: the descriptor belongs to the caller. */
	assert_int_equal(write(fd, "x", 1), 1);
}

static void a_document_that_does_not_arrive_is_an_io_error(void **state)
{
	struct text cleanup_text text = { 0 };
	const int cleanup_close full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	const int cleanup_close reading = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int fds[] = { -1, full, reading };

	(void)state;
	text_add_string(&text, "{}");
	for (size_t i = 0; i < array_size(fds); i++) {
		struct error err = { 0 };

		want_error("document", cni_output_document(fds[i], &text, &err), &err, ERROR_IO);
		err = (struct error){ 0 };
		want_error("versions", cni_output_versions(fds[i], &err), &err, ERROR_IO);
	}
}

/* It is out by then: an error object would be a second document. */
static void a_document_arrives_without_a_spare_descriptor(void **state)
{
	const struct scratch *scratch = *state;
	const int cleanup_close fd = open_file(scratch, "out");
	struct text cleanup_text text = { 0 };
	struct rlimit before;
	struct rlimit none;
	struct error err = { 0 };
	int r;

	text_add_string(&text, "{}");
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_true(dup(fd) < 0);
	r = cni_output_document(fd, &text, &err);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	want_success("document", r, &err);
	assert_string_equal(file_text(scratch->dir, "out"), "{}");
}

/* What was written, as a document. */
static struct cJSON *written(const struct scratch *scratch)
{
	const char *text = file_text(scratch->dir, "out");
	struct cJSON *document = NULL;
	struct error err = { 0 };

	want_success(text, json_parse(text, strlen(text), &document, &err), &err);
	return document;
}

static void write_error(const struct scratch *scratch, unsigned int code, const struct error *err)
{
	const int cleanup_close fd = open_file(scratch, "out");

	cni_output_error(fd, "1.0.0", code, err);
}

static void an_error_has_version_code_and_words(void **state)
{
	const struct scratch *scratch = *state;
	struct error err = { .msg = "no \"device\"", .details = "one\ntwo" };
	int64_t code = 0;

	write_error(scratch, 104, &err);
	struct cJSON cleanup_json *document = written(scratch);
	assert_string_equal(json_string(json_member(document, "cniVersion")), "1.0.0");
	assert_string_equal(json_string(json_member(document, "msg")), "no \"device\"");
	assert_string_equal(json_string(json_member(document, "details")), "one\ntwo");
	assert_true(json_integer(json_member(document, "code"), &code));
	assert_int_equal(code, 104);
}

static void details_are_left_out_when_there_are_none(void **state)
{
	const struct scratch *scratch = *state;
	struct error err = { .msg = "x" };

	write_error(scratch, 999, &err);
	struct cJSON cleanup_json *document = written(scratch);
	assert_null(json_member(document, "details"));
}

static void foreign_bytes_do_not_break_the_document(void **state)
{
	static const char *const texts[] = {
		"\xff\xfe", "\x01\x1f", "a\xc3", "\"}{\"", "\\u0000\\", "\xed\xa0\x80", "</script>",
	};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(texts); i++) {
		struct error err = { 0 };

		(void)snprintf(err.msg, sizeof(err.msg), "%s", texts[i]);
		(void)snprintf(err.details, sizeof(err.details), "%s", texts[i]);
		write_error(scratch, 7, &err);
		struct cJSON cleanup_json *document = written(scratch);
		assert_non_null(json_string(json_member(document, "msg")));
		assert_null(strpbrk(file_text(scratch->dir, "out"), "\x01\x1f\xc3\xed\xff"));
	}
}

static void the_longest_error_is_written_whole(void **state)
{
	const struct scratch *scratch = *state;
	struct error err = { 0 };

	memset(err.msg, '"', sizeof(err.msg) - 1);
	memset(err.details, '\\', sizeof(err.details) - 1);
	write_error(scratch, 7, &err);
	struct cJSON cleanup_json *document = written(scratch);
	want_string("msg", json_string(json_member(document, "msg")), err.msg);
	want_string("details", json_string(json_member(document, "details")), err.details);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(the_answer_to_version_is_a_constant_line),
		scratch_test(a_document_is_written_as_it_is),
		cmocka_unit_test(a_document_that_does_not_arrive_is_an_io_error),
		scratch_test(a_document_arrives_without_a_spare_descriptor),
		scratch_test(an_error_has_version_code_and_words),
		scratch_test(details_are_left_out_when_there_are_none),
		scratch_test(foreign_bytes_do_not_break_the_document),
		scratch_test(the_longest_error_is_written_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
