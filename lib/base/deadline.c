/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting with a monotonic deadline and a doubling pause.
 */
#include <rdma-cni/base/deadline.h>

#include <errno.h>
#include <poll.h>
#include <rdma-cni/base/signals.h>
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
	return (struct deadline){ .wait_ms = ms, .pause_ms = 1 };
}

/* 0 when the deadline has passed. */
static int64_t next_pause(struct deadline *deadline)
{
	const int64_t now = now_ms();
	int64_t left;
	int64_t pause;

	if (!deadline->started) {
		deadline->at_ms = now + deadline->wait_ms;
		deadline->started = true;
	}
	left = deadline->at_ms - now;
	pause = left < deadline->pause_ms ? left : deadline->pause_ms;
	if (left <= 0)
		return 0;
	deadline->pause_ms *= 2;
	if (deadline->pause_ms > PAUSE_MAX_MS)
		deadline->pause_ms = PAUSE_MAX_MS;
	return pause;
}

int deadline_wait(struct deadline *deadline)
{
	const int64_t pause = next_pause(deadline);

	if (pause == 0)
		return 0;
	return signals_wait(pause) ? -EINTR : 1;
}

int deadline_poll(struct deadline *deadline, int fd, short events)
{
	struct pollfd wanted = { .fd = fd, .events = events };

	for (;;) {
		const int64_t pause = next_pause(deadline);
		int r;

		if (pause == 0)
			return 0;
		r = poll(&wanted, 1, (int)pause);
		if (r > 0)
			return wanted.revents;
		if (r < 0 && errno != EINTR)
			return -errno;
		if (signals_wait(0))
			return -EINTR;
	}
}
