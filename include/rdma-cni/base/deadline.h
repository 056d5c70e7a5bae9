/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for something that sends no event: look, wait, look again, until an absolute
 * point of the monotonic clock. The pause doubles from 1 ms to 50 ms. A signal that asks the
 * process to end (signals.h) ends the wait.
 *
 *	struct deadline deadline = deadline_in_ms(3000);
 *	while (!there()) {
 *		r = deadline_wait(&deadline);
 *		if (r <= 0)
 *			return r < 0 ? r : -ETIMEDOUT;
 *	}
 */
#ifndef RDMA_CNI_BASE_DEADLINE_H
#define RDMA_CNI_BASE_DEADLINE_H

#include <rdma-cni/base/attributes.h>
#include <stdbool.h>
#include <stdint.h>

struct deadline {
	int64_t wait_ms;
	int64_t at_ms;
	int64_t pause_ms;
	bool started;
};

/* So long from the first wait on: what is there at once does not even look at the clock. */
struct deadline deadline_in_ms(int64_t ms) must_check;

/*
 * Sleep for the next pause, never past the deadline: 1. At once 0 when it has passed, and -EINTR
 * when a signal asks the process to end.
 */
int deadline_wait(struct deadline *deadline) must_check nonnull(1);

/*
 * Until poll(2) finds one of `events` on the descriptor: what it found. 0 when the deadline passed,
 * -EINTR when a signal asks the process to end, or another errno of poll(2).
 */
int deadline_poll(struct deadline *deadline, int fd, short events) must_check nonnull(1);

#endif
