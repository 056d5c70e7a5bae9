/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting the plugin where a container runtime looks.
 */
#include <rdma-cni/node/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/json.h>
#include <rdma-cni/base/lock.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "read.h"

#define PLUGIN "rdma"
/* What a killed installer left under this name, the next one replaces. */
#define NEW_PLUGIN ".rdma.new"
#define PLUGIN_MODE 0755
#define PLUGIN_BYTES (64U << 20)
#define LOCK_WAIT_MS 60000

struct target {
	const char *directory;
	int dir;
};

static int read_whole(int dir, const char *name, int flags, struct text *ret)
{
	const int cleanup_close fd = io_open(dir, name, O_RDONLY | O_NONBLOCK | flags, 0);

	return fd < 0 ? fd : io_read_all(fd, PLUGIN_BYTES, ret);
}

/* Is there a file with this content? */
static bool holds(int dir, const char *name, const struct text *program)
{
	struct text cleanup_text there = { 0 };

	return read_whole(dir, name, O_NOFOLLOW, &there) == 0 && there.data &&
	       there.length == program->length &&
	       memcmp(there.data, program->data, there.length) == 0;
}

static bool is_in_place(const struct target *target, const struct text *program)
{
	struct stat status;

	return fstatat(target->dir, PLUGIN, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(status.st_mode) && (status.st_mode & 07777) == PLUGIN_MODE &&
	       holds(target->dir, PLUGIN, program);
}

/* Does what is there under this name run on this machine, and is it a CNI plugin? */
static int verify(const struct target *target, const char *name, struct error *err)
{
	struct text cleanup_text answer = { 0 };
	struct cJSON *cleanup_json versions = NULL;
	struct error unreadable;
	char path[READ_PATH_SIZE];
	int r;

	if (snprintf(path, sizeof(path), "%s/%s", target->directory, name) >= (int)sizeof(path))
		return error_set(err, ERROR_IO, ENAMETOOLONG, "cannot run '%s'", name);
	r = plugin_ask(path, "VERSION", "{\"cniVersion\":\"1.1.0\"}", &answer, err);
	if (r < 0)
		return r;
	if (answer.data && json_parse(answer.data, answer.length, &versions, &unreadable) == 0 &&
	    json_first(json_member(versions, "supportedVersions")))
		return 0;
	return error_set(err, ERROR_IO, 0, "'%s' does not say which CNI versions it supports",
			 path);
}

static int write_new(const struct target *target, const struct text *program)
{
	int cleanup_close fd = -1;
	int r = 0;

	if (unlinkat(target->dir, NEW_PLUGIN, 0) < 0 && errno != ENOENT)
		return -errno;
	fd = io_open(target->dir, NEW_PLUGIN, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	if (fd < 0)
		return fd;
	r = io_write_all(fd, program->data, program->length);
	/* Not by open(2): the umask is none of the plugin's. */
	if (r == 0 && fchmod(fd, PLUGIN_MODE) < 0)
		r = -errno;
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	/* A file that is open for writing can't be started (ETXTBSY). */
	if (close(take_fd(&fd)) < 0 && r == 0)
		r = -errno;
	return r;
}

static int replace(const struct target *target, const struct text *program, struct error *err)
{
	int r = write_new(target, program);

	if (r == 0 && !holds(target->dir, NEW_PLUGIN, program))
		r = -EIO;
	if (r < 0)
		return error_set(err, ERROR_IO, -r, "cannot write '%s/" NEW_PLUGIN "'",
				 target->directory);
	r = verify(target, NEW_PLUGIN, err);
	if (r < 0)
		return r;
	if (renameat(target->dir, NEW_PLUGIN, target->dir, PLUGIN) < 0 || fsync(target->dir) < 0)
		return error_set(err, ERROR_IO, errno, "cannot replace '%s/" PLUGIN "'",
				 target->directory);
	return 0;
}

int plugin_install(const char *from, const char *directory, bool *ret_changed, struct error *err)
{
	struct text cleanup_text program = { 0 };
	const int cleanup_close dir =
		io_open(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	const struct target target = { .directory = directory, .dir = dir };
	int r = read_whole(AT_FDCWD, from, 0, &program);

	if (r == 0 && program.length == 0)
		r = -ENODATA;
	if (r < 0)
		return error_set(err, ERROR_IO, -r, "cannot read the plugin '%s'", from);
	if (dir < 0)
		return error_set(err, ERROR_IO, -dir, "cannot open the directory '%s'", directory);
	r = lock_wait(dir, directory, LOCK_WAIT_MS, err);
	if (r < 0)
		return r;
	*ret_changed = !is_in_place(&target, &program);
	if (!*ret_changed)
		return verify(&target, PLUGIN, err);
	r = replace(&target, &program, err);
	if (r < 0)
		(void)unlinkat(dir, NEW_PLUGIN, 0);
	return r;
}
