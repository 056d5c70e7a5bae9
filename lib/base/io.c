/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole reads and writes on descriptors.
 */
#include <rdma-cni/base/io.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Enough for a configuration in one read; more is asked for only when it was filled. */
#define READ_BYTES 4096U

int io_read_all(int fd, size_t limit, struct text *ret)
{
	for (;;) {
		ssize_t count;

		if (!text_reserve(ret, READ_BYTES))
			return -ENOMEM;
		count = read(fd, ret->data + ret->length, ret->size - ret->length - 1);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		ret->length += (size_t)count;
		ret->data[ret->length] = '\0';
		if (count == 0)
			return 0;
		if (ret->length > limit)
			return -EFBIG;
	}
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

void io_occupy_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		/* open(2) takes the lowest free number, this one: those below are taken. */
		if (fcntl(fd, F_GETFD) < 0)
			/* analyzer: kept open on purpose */
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
}
