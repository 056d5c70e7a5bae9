/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the unit tests share.
 */
#include "unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void want_int(const char *row, int64_t actual, int64_t expected)
{
	if (actual != expected)
		fail_msg("%s: %" PRId64 ", but expected %" PRId64, row, actual, expected);
}

void want_string(const char *row, const char *actual, const char *expected)
{
	if (!actual && !expected)
		return;
	if (!actual || !expected || strcmp(actual, expected) != 0)
		fail_msg("%s: '%s', but expected '%s'", row, actual ? actual : "(none)",
			 expected ? expected : "(none)");
}

void want_contains(const char *row, const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("%s: '%s' does not contain '%s'", row, text, part);
}

void want_error(const char *row, int result, const struct error *err, enum error_kind kind)
{
	if (result >= 0)
		fail_msg("%s: result %d, but expected a negative errno", row, result);
	if (err->kind != kind)
		fail_msg("%s: error kind %d, but expected %d (%s)", row, (int)err->kind, (int)kind,
			 err->msg);
	if (err->msg[0] == '\0')
		fail_msg("%s: an error without words", row);
}

void want_success(const char *row, int result, const struct error *err)
{
	if (result != 0)
		fail_msg("%s: result %d (%s; %s)", row, result, err->msg, err->details);
	if (err->kind != ERROR_NONE)
		fail_msg("%s: success that filled the error: %s", row, err->msg);
}

int scratch_setup(void **state)
{
	struct scratch *scratch = calloc(1, sizeof(*scratch));

	if (!scratch)
		return -1;
	(void)snprintf(scratch->path, sizeof(scratch->path), "/tmp/rdma-cni-unit-XXXXXX");
	if (!mkdtemp(scratch->path)) {
		free(scratch);
		return -1;
	}
	scratch->dir = open(scratch->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	*state = scratch;
	return scratch->dir < 0 ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

int scratch_teardown(void **state)
{
	struct scratch *scratch = *state;
	const int r = nftw(scratch->path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);

	(void)close(scratch->dir);
	free(scratch);
	return r;
}

static void make_parents(int dir, const char *path)
{
	char partial[512];

	assert_true(strlen(path) < sizeof(partial));
	(void)snprintf(partial, sizeof(partial), "%s", path);
	for (char *slash = strchr(partial, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdirat(dir, partial, 0755) < 0 && errno != EEXIST)
			fail_msg("cannot make the directory '%s': %s", partial, strerror(errno));
		*slash = '/';
	}
}

void make_directory(int dir, const char *path)
{
	make_parents(dir, path);
	assert_int_equal(mkdirat(dir, path, 0755), 0);
}

void make_file(int dir, const char *path, const char *text)
{
	const size_t length = strlen(text);
	int fd;

	make_parents(dir, path);
	fd = openat(dir, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, length), (ssize_t)length);
	assert_int_equal(close(fd), 0);
}

void make_link(int dir, const char *path, const char *target)
{
	make_parents(dir, path);
	assert_int_equal(symlinkat(target, dir, path), 0);
}

const char *file_text(int dir, const char *path)
{
	static char text[1 << 16];
	const int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return NULL;
	length = read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	assert_true(length >= 0);
	text[length] = '\0';
	return text;
}

bool is_there(int dir, const char *path)
{
	struct stat status;

	return fstatat(dir, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

mode_t mode_of(int dir, const char *path)
{
	struct stat status;

	assert_int_equal(fstatat(dir, path, &status, AT_SYMLINK_NOFOLLOW), 0);
	return status.st_mode;
}

int descriptor_of(const void *bytes, size_t length)
{
	const int fd = memfd_create("unit", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), (ssize_t)length);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

char *text_of(const char *literal)
{
	return (char *)(uintptr_t)literal;
}

char *repeat(const char *piece, size_t count)
{
	const size_t length = strlen(piece);
	char *text = malloc(length * count + 1);

	if (!text)
		abort();
	for (size_t i = 0; i < count; i++)
		memcpy(text + i * length, piece, length);
	text[length * count] = '\0';
	return text;
}
