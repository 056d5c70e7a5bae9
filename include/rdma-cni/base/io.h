/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole reads and writes on descriptors.
 */
#ifndef RDMA_CNI_BASE_IO_H
#define RDMA_CNI_BASE_IO_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/text.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * openat(2), again as long as a signal comes in between: a descriptor, closed on exec, or a
 * negative errno.
 */
int io_open(int dir, const char *path, int flags, mode_t mode) must_check nonnull(2);

/*
 * Append everything up to the end of file to `ret`. -EFBIG when there are more than
 * `limit` bytes, -ENOMEM, or the errno of read(2).
 */
int io_read_all(int fd, size_t limit, struct text *ret) must_check nonnull(3);

/* Write all of it, or a negative errno. */
int io_write_all(int fd, const void *data, size_t length) must_check nonnull(2);

/*
 * The same two where somebody else holds the other end, who may have made it non-blocking, and may
 * stall. -ETIMEDOUT when no byte went through for `wait_ms`; reading, -EINTR when a signal asks
 * the process to end (signals.h).
 */
int io_receive_all(int fd, size_t limit, int wait_ms, struct text *ret) must_check nonnull(4);
int io_send_all(int fd, const void *data, size_t length, int wait_ms) must_check nonnull(2);

/*
 * Make sure that descriptors 0, 1 and 2 are taken, so that no file opened later can
 * become "standard output". A closed one is replaced by a descriptor on which the
 * intended direction fails with EBADF: its loss stays visible.
 */
void io_occupy_standard_fds(void);

#endif
