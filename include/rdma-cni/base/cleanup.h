/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resources that release themselves at the end of their scope.
 *
 * Declare and acquire in one statement; the order of declarations is then the
 * reverse order of release. Ownership leaves a scope only through take_fd() and
 * take_ptr(), so that every hand-over can be seen. A cleanup accepts the empty
 * value and keeps errno.
 */
#ifndef RDMA_CNI_BASE_CLEANUP_H
#define RDMA_CNI_BASE_CLEANUP_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define cleanup(function) __attribute__((cleanup(function)))

static inline void cleanup_free_pointer(void *pointer)
{
	free(*(void **)pointer);
}

/* -1 is "no descriptor": 0 is a valid one. */
static inline void cleanup_close_fd(const int *fd)
{
	const int saved = errno;

	if (*fd >= 0)
		(void)close(*fd);
	errno = saved;
}

#define cleanup_free cleanup(cleanup_free_pointer)
#define cleanup_close cleanup(cleanup_close_fd)

static inline int take_fd(int *fd)
{
	const int taken = *fd;

	*fd = -1;
	return taken;
}

#define take_ptr(pointer)                                                                          \
	__extension__({                                                                            \
		__typeof__(pointer) taken_ = (pointer);                                            \
		(pointer) = NULL;                                                                  \
		taken_;                                                                            \
	})

#endif
