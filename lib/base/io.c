/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole reads and writes on descriptors.
 */
#include <rdma-cni/base/io.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <rdma-cni/base/deadline.h>
#include <unistd.h>

/* Enough for a configuration in one read; more is asked for only when it was filled. */
#define READ_BYTES 4096U

int io_open(int dir, const char *path, int flags, mode_t mode)
{
	int fd;

	/* Not open(2): musl's asks twice for O_CLOEXEC, for kernels that do not know it. */
	do {
		fd = openat(dir, path, flags | O_CLOEXEC, mode);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

/* The number of bytes that came, or a negative errno. */
static ssize_t read_more(int fd, size_t limit, struct text *ret)
{
	ssize_t count;

	if (!text_reserve(ret, READ_BYTES))
		return -ENOMEM;
	do {
		count = read(fd, ret->data + ret->length, ret->size - ret->length - 1);
	} while (count < 0 && errno == EINTR);
	if (count < 0)
		return -errno;
	ret->length += (size_t)count;
	ret->data[ret->length] = '\0';
	return ret->length > limit ? -EFBIG : count;
}

int io_read_all(int fd, size_t limit, struct text *ret)
{
	ssize_t count;

	do {
		count = read_more(fd, limit, ret);
	} while (count > 0);
	return (int)count;
}

/* What poll(2) found, -ETIMEDOUT, or its errno. */
static int wait_for_bytes(int fd, int wait_ms)
{
	struct pollfd wanted = { .fd = fd, .events = POLLIN };
	struct deadline deadline;
	int r = poll(&wanted, 1, 0);

	if (r < 0 && errno != EINTR)
		return -errno;
	if (r > 0)
		return wanted.revents;
	deadline = deadline_in_ms(wait_ms);
	r = deadline_poll(&deadline, fd, POLLIN);
	return r == 0 ? -ETIMEDOUT : r;
}

int io_receive_all(int fd, size_t limit, int wait_ms, struct text *ret)
{
	int found = 0;
	ssize_t count;

	do {
		/* With the other end closed nothing blocks any more. */
		if (!(found & POLLHUP))
			found = wait_for_bytes(fd, wait_ms);
		if (found < 0)
			return found;
		count = read_more(fd, limit, ret);
	} while (count > 0 || count == -EAGAIN);
	return (int)count;
}

int io_write_all(int fd, const void *data, size_t length)
{
	const char *rest = data;

	while (length > 0) {
		const ssize_t count = write(fd, rest, length);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		rest += count;
		length -= (size_t)count;
	}
	return 0;
}

int io_send_all(int fd, const void *data, size_t length, int wait_ms)
{
	const char *rest = data;

	while (length > 0) {
		struct pollfd wanted = { .fd = fd, .events = POLLOUT };
		/* So much fits whenever poll(2) says that something does: a pipe does not block. */
		const size_t piece = length < PIPE_BUF ? length : PIPE_BUF;
		const int found = poll(&wanted, 1, wait_ms);
		ssize_t count;

		if (found == 0)
			return -ETIMEDOUT;
		count = write(fd, rest, piece);
		if (count < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (count > 0) {
			rest += count;
			length -= (size_t)count;
		}
	}
	return 0;
}

void io_occupy_standard_fds(void)
{
	struct pollfd standard[] = { { STDIN_FILENO, 0, 0 },
				     { STDOUT_FILENO, 0, 0 },
				     { STDERR_FILENO, 0, 0 } };

	/* Nothing is waited for: it tells of all three at once which are no open descriptors. */
	(void)poll(standard, array_size(standard), 0);
	for (size_t i = 0; i < array_size(standard); i++) {
		/* open(2) takes the lowest free number, this one: those below are taken. */
		if (standard[i].revents & POLLNVAL)
			/* analyzer: kept open on purpose */
			(void)open("/dev/null",
				   standard[i].fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
}
