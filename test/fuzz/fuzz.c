/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fuzz targets share.
 */
#include "fuzz.h"

#include "rdma/errors.h"
#include <ftw.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/json.h>
#include <rdma-cni/base/root.h>
#include <rdma-cni/cni/output.h>
#include <rdma-cni/cni/version.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

void require_failed(const char *file, int line, const char *condition, const char *text)
{
	(void)fprintf(stderr, "%s:%d: not true: %s\n%s%s", file, line, condition, text ? text : "",
		      text ? "\n" : "");
	abort();
}

/* One file in memory serves all: making one takes longer than most inputs. */
int fuzz_descriptor(const void *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	require(fd >= 0 && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	if (size > 0)
		require(io_write_all(fd, data, size) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

void fuzz_written(int fd, struct text *ret)
{
	require(lseek(fd, 0, SEEK_SET) == 0 && io_read_all(fd, SIZE_MAX / 2, ret) == 0);
}

/* The object that a runtime would read: cmd/rdma prints it with these two functions. */
static void require_error_object(const struct error *err)
{
	struct cJSON *cleanup_json object = NULL;
	struct text cleanup_text text = { 0 };
	struct error problem = { 0 };
	const int fd = fuzz_descriptor(NULL, 0);
	enum cni_family family;
	const char *version;
	const char *msg;
	int64_t code = 0;

	cni_output_error(fd, CNI_VERSION_LATEST, errors_code(err->kind), err);
	fuzz_written(fd, &text);
	require_of(text.data, json_parse(text.data, text.length, &object, &problem) == 0);
	version = json_string(json_member(object, "cniVersion"));
	msg = json_string(json_member(object, "msg"));
	require_of(text.data, version && cni_version_family(version, &family));
	require_of(text.data, msg && msg[0] != '\0');
	/* 3 would tell the runtime that nothing was done. */
	require_of(text.data, json_integer(json_member(object, "code"), &code) && code > 0 &&
				      code <= 999 && code != 3);
	require_of(text.data,
		   !json_member(object, "details") || json_string(json_member(object, "details")));
}

/* What containerd and Multus look for in the error of a DEL. */
static void require_words_for_del(const struct error *err)
{
	struct error reworded = *err;

	errors_reword_for_del(&reworded);
	require_of(reworded.msg, !strcasestr(reworded.msg, "not found") &&
					 !strcasestr(reworded.msg, "no such file"));
	require_of(reworded.details, !strcasestr(reworded.details, "not found") &&
					     !strcasestr(reworded.details, "no such file"));
}

void require_answer(int result, const struct error *err)
{
	if (result >= 0) {
		require_of(err->msg, err->kind == ERROR_NONE && err->msg[0] == '\0');
		return;
	}
	require_of(err->msg, err->kind > ERROR_NONE && err->kind < ERROR_KINDS);
	require(err->msg[0] != '\0');
	require_error_object(err);
	require_words_for_del(err);
}

static char directory[256];

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static void remove_directory(void)
{
	(void)nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

int fuzz_directory(void)
{
	const char *parent = getenv("TMPDIR");
	int fd;

	(void)snprintf(directory, sizeof(directory), "%s/rdma-cni-fuzz-XXXXXX",
		       parent ? parent : "/tmp");
	require_of(directory, mkdtemp(directory));
	require(atexit(remove_directory) == 0);
	fd = root_open(directory);
	require_of(directory, fd >= 0);
	return fd;
}

char *fuzz_string(const uint8_t *data, size_t size)
{
	char *string = malloc(size + 1);

	require(string);
	if (size > 0)
		memcpy(string, data, size);
	string[size] = '\0';
	return string;
}

bool fuzz_is_printable(const char *string)
{
	const size_t size = strlen(string) + 1;
	char *cleanup_free printable = malloc(size);

	require(printable);
	text_printable(string, printable, size);
	return strcmp(string, printable) == 0;
}
