/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock between processes, held by an open descriptor: the kernel releases it when
 * the process ends, however it ends. The file is never removed.
 *
 *	struct lock cleanup_lock lock = LOCK_NONE;
 *	if (lock_acquire(dir, ".lock", 60000, &lock, err) < 0) ...
 *
 * flock(2), so that an administrator can look with `lslocks` and hold it with `flock`.
 */
#ifndef RDMA_CNI_BASE_LOCK_H
#define RDMA_CNI_BASE_LOCK_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/error.h>

struct lock {
	int fd;
};

#define LOCK_NONE ((struct lock){ .fd = -1 })

/*
 * Take the lock on `name` below `dir` (created 0600), waiting at most `wait_ms`
 * milliseconds. ERROR_BUSY names the process that holds it; ERROR_STOPPED when a
 * signal ended the wait; ERROR_STATE when the file can't be opened.
 */
int lock_acquire(int dir, const char *name, int wait_ms, struct lock *ret, struct error *err)
	must_check nonnull(2, 4, 5);

void lock_release(struct lock *lock) nonnull(1);

/*
 * The same lock on what is open already, a directory for instance; `name` is what the messages call
 * it. Held until the descriptor is closed.
 */
int lock_wait(int fd, const char *name, int wait_ms, struct error *err) must_check nonnull(2, 4);

#define cleanup_lock cleanup(lock_release)

#endif
