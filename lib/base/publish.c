/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replace a file as a whole.
 */
#include <rdma-cni/base/publish.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/text.h>
#include <stdio.h>
#include <string.h>

#define TEMPORARY_SIZE (NAME_MAX + 1)
/* What is left of a long name: the rest is '.', '~', a hash of 16 digits and ".tmp". */
#define CUT_LENGTH ((int)(NAME_MAX - sizeof(".~0123456789abcdef.tmp") + 1))

static int temporary_name(const char *name, char ret[static TEMPORARY_SIZE])
{
	if (strlen(name) > NAME_MAX)
		return -ENAMETOOLONG;
	if (strlen(name) + strlen("..tmp") <= NAME_MAX)
		(void)snprintf(ret, TEMPORARY_SIZE, ".%s.tmp", name);
	else
		(void)snprintf(ret, TEMPORARY_SIZE, ".%.*s~%016" PRIx64 ".tmp", CUT_LENGTH, name,
			       text_hash(TEXT_HASH_START, name));
	return 0;
}

/* What a killed writer left under this name is not ours to append to: it goes first. */
static int create_temporary(int dir, const char *name, mode_t mode)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
	int fd = io_open(dir, name, flags, mode);

	if (fd == -EEXIST && unlinkat(dir, name, 0) == 0)
		fd = io_open(dir, name, flags, mode);
	return fd;
}

int publish_file(int dir, const char *name, const char *data, size_t length, mode_t mode)
{
	char temporary[TEMPORARY_SIZE];
	int r = temporary_name(name, temporary);
	int cleanup_close fd = r < 0 ? r : create_temporary(dir, temporary, mode);

	if (fd < 0)
		return fd;
	r = io_write_all(fd, data, length);
	/* A network file system may report a failed write as late as here. */
	if (close(take_fd(&fd)) < 0 && r == 0)
		r = -errno;
	if (r == 0 && renameat(dir, temporary, dir, name) < 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(dir, temporary, 0);
	return r;
}

int publish_remove(int dir, const char *name)
{
	char temporary[TEMPORARY_SIZE];
	int r = temporary_name(name, temporary);

	if (r < 0)
		return r;
	if (unlinkat(dir, name, 0) < 0 && errno != ENOENT)
		r = -errno;
	if (unlinkat(dir, temporary, 0) < 0 && errno != ENOENT && r == 0)
		r = -errno;
	return r;
}
