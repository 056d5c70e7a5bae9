/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the unit tests share: cmocka, expectations that name the row of a table, a directory
 * that is gone after the test, files in it.
 */
#ifndef RDMA_CNI_TEST_UNIT_UNIT_H
#define RDMA_CNI_TEST_UNIT_UNIT_H

/* cmocka.h wants these four in front of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <rdma-cni/base/error.h>
#include <stdbool.h>
#include <sys/types.h>

/* `row` says which case it was: the input is the best name of a row. */
void want_int(const char *row, int64_t actual, int64_t expected) nonnull(1);
/* Either may be NULL. */
void want_string(const char *row, const char *actual, const char *expected) nonnull(1);
void want_contains(const char *row, const char *text, const char *part) nonnull(1, 2, 3);
/* A negative result with an error of this kind that says something. */
void want_error(const char *row, int result, const struct error *err, enum error_kind kind)
	nonnull(1, 3);
/* Success, and nothing was written to the error. */
void want_success(const char *row, int result, const struct error *err) nonnull(1, 3);

/* An empty directory: setup and teardown of a test, whose *state is a struct scratch. */
struct scratch {
	char path[64];
	int dir;
};

int scratch_setup(void **state) nonnull(1);
int scratch_teardown(void **state) nonnull(1);

#define scratch_test(function)                                                                     \
	cmocka_unit_test_setup_teardown(function, scratch_setup, scratch_teardown)

/* Below a directory descriptor; parents are made. */
void make_directory(int dir, const char *path) nonnull(2);
void make_file(int dir, const char *path, const char *text) nonnull(2, 3);
void make_link(int dir, const char *path, const char *target) nonnull(2, 3);

/* The file's text, in a buffer that the next call uses again; NULL when there is no file. */
const char *file_text(int dir, const char *path) nonnull(2);
bool is_there(int dir, const char *path) nonnull(2);
/* Type and permissions, not following a link. */
mode_t mode_of(int dir, const char *path) nonnull(2);

/* A descriptor from which these bytes can be read, once. */
int descriptor_of(const void *bytes, size_t length) nonnull(1);

/* What the Go rdma-cni wrote for an attachment (contract, section 8). */
#define GO_ENTRY                                                                                   \
	"{\"version\":\"1.0\",\"deviceID\":\"0000:01:10.2\","                                      \
	"\"sandboxRdmaDevName\":\"mlx5_2\",\"containerRdmaDevName\":\"mlx5_2\"}"

/* A literal in a field that would own its text: what holds it is never freed. */
char *text_of(const char *literal) nonnull(1);

/* `count` times `piece`; the caller frees it. */
char *repeat(const char *piece, size_t count) nonnull(1);

#endif
