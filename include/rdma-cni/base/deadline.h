/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for something that sends no event: look, wait, look again, until an absolute
 * point of the monotonic clock. The pause doubles from 1 ms to 50 ms.
 *
 *	struct deadline deadline = deadline_in_ms(3000);
 *	while (!there()) {
 *		if (!deadline_wait(&deadline))
 *			return -ETIMEDOUT;
 *	}
 */
#ifndef RDMA_CNI_BASE_DEADLINE_H
#define RDMA_CNI_BASE_DEADLINE_H

#include <rdma-cni/base/attributes.h>
#include <stdbool.h>
#include <stdint.h>

struct deadline {
	int64_t at_ms;
	int64_t pause_ms;
};

struct deadline deadline_in_ms(int64_t ms) must_check;

/* Sleep for the next pause, never past the deadline. False, at once, when it has passed. */
bool deadline_wait(struct deadline *deadline) must_check nonnull(1);

#endif
