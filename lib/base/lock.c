/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock between processes, with a bounded wait.
 */
#include <rdma-cni/base/lock.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <rdma-cni/base/deadline.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

/* One line of /proc/locks: "4: FLOCK  ADVISORY  WRITE 1234 00:1b:42 0 EOF". */
static bool line_names_holder(const char *line, ino_t inode, uint64_t *ret_pid)
{
	char pid[21];
	char line_inode[21];
	uint64_t number;

	return sscanf(line, "%*s FLOCK %*s %*s %20s %*x:%*x:%20s", pid, line_inode) == 2 &&
	       parse_u64(line_inode, &number) && number == inode && parse_u64(pid, ret_pid);
}

/* For the message alone: who holds the lock, as far as /proc tells. */
static void describe_holder(int fd, char *ret, size_t size)
{
	const int cleanup_close proc = root_open("/proc");
	struct text cleanup_text locks = { 0 };
	struct stat status;
	char *rest = NULL;

	(void)snprintf(ret, size, "an unknown process");
	if (fstat(fd, &status) < 0 || root_read_file(proc, "locks", LIMIT_PROC_BYTES, &locks) < 0)
		return;
	for (char *line = strtok_r(locks.data, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char path[64];
		char command[64];
		uint64_t pid;

		if (!line_names_holder(line, status.st_ino, &pid))
			continue;
		(void)snprintf(path, sizeof(path), "%" PRIu64 "/comm", pid);
		if (root_read_line(proc, path, command, sizeof(command)) < 0)
			(void)snprintf(command, sizeof(command), "already gone");
		(void)snprintf(ret, size, "process %" PRIu64 " (%s)", pid, command);
		return;
	}
}

int lock_wait(int fd, const char *name, int wait_ms, struct error *err)
{
	struct deadline deadline = deadline_in_ms(wait_ms);

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		char holder[128];
		int r;

		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK)
			return error_set(err, ERROR_STATE, errno, "cannot lock '%s'", name);
		r = deadline_wait(&deadline);
		if (r > 0)
			continue;
		if (r < 0)
			return error_set(err, ERROR_STOPPED, -r,
					 "a signal ended the wait for the lock '%s'", name);
		describe_holder(fd, holder, sizeof(holder));
		(void)error_set(err, ERROR_BUSY, EBUSY,
				"cannot get the lock '%s' within %d ms: %s holds it", name, wait_ms,
				holder);
		error_details(err, "wait for that process to finish or end it, then try again");
		return -EBUSY;
	}
	return 0;
}

int lock_acquire(int dir, const char *name, int wait_ms, struct lock *ret, struct error *err)
{
	/* Reading is all that flock(2) needs, also where the file system became read-only. */
	int cleanup_close fd =
		io_open(dir, name, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
	int r;

	if (fd < 0)
		return error_set(err, ERROR_STATE, -fd, "cannot open the lock file '%s'", name);
	r = lock_wait(fd, name, wait_ms, err);
	if (r == 0)
		ret->fd = take_fd(&fd);
	return r;
}

void lock_release(struct lock *lock)
{
	cleanup_close_fd(&lock->fd);
	lock->fd = -1;
}
