/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting with a monotonic deadline and a doubling pause.
 */
#include <rdma-cni/base/deadline.h>

#include <time.h>

#define PAUSE_MAX_MS 50

static int64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct deadline deadline_in_ms(int64_t ms)
{
	return (struct deadline){ .at_ms = now_ms() + ms, .pause_ms = 1 };
}

bool deadline_wait(struct deadline *deadline)
{
	const int64_t left = deadline->at_ms - now_ms();
	const int64_t pause = left < deadline->pause_ms ? left : deadline->pause_ms;
	const struct timespec duration = { .tv_nsec = (long)pause * 1000000 };

	if (left <= 0)
		return false;
	/* A signal only makes the pause shorter; the deadline stays. */
	(void)nanosleep(&duration, NULL);
	deadline->pause_ms *= 2;
	if (deadline->pause_ms > PAUSE_MAX_MS)
		deadline->pause_ms = PAUSE_MAX_MS;
	return true;
}
