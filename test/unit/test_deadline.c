/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/deadline: waiting with an end.
 */
#include "unit.h"

#include <rdma-cni/base/deadline.h>
#include <time.h>

static int64_t clock_ms(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void a_deadline_that_has_passed_does_not_wait(void **state)
{
	static const int64_t waits[] = { 0, -1, -100000 };

	(void)state;
	for (size_t i = 0; i < array_size(waits); i++) {
		struct deadline deadline = deadline_in_ms(waits[i]);

		assert_false(deadline_wait(&deadline));
		assert_false(deadline_wait(&deadline));
	}
}

static void waiting_ends_at_the_deadline_and_not_before(void **state)
{
	const int64_t start = clock_ms();
	struct deadline deadline = deadline_in_ms(120);

	(void)state;
	while (deadline_wait(&deadline))
		assert_true(clock_ms() <= start + 5000);
	/* A millisecond may be lost where both clocks round down. */
	assert_true(clock_ms() - start >= 119);
	assert_false(deadline_wait(&deadline));
}

static void the_pause_doubles_up_to_50_ms(void **state)
{
	static const int64_t pauses[] = { 1, 2, 4, 8, 16, 32, 50, 50 };
	struct deadline deadline = deadline_in_ms(60000);

	(void)state;
	for (size_t i = 0; i < array_size(pauses); i++) {
		const int64_t start = clock_ms();

		assert_true(deadline_wait(&deadline));
		if (clock_ms() - start < pauses[i] - 1)
			fail_msg("pause %zu is shorter than %jd ms", i, (intmax_t)pauses[i]);
	}
	assert_int_equal(deadline.pause_ms, 50);
}

static void a_pause_never_goes_past_the_deadline(void **state)
{
	struct deadline deadline = deadline_in_ms(20);
	const int64_t start = clock_ms();

	(void)state;
	deadline.pause_ms = 900;
	assert_true(deadline_wait(&deadline));
	assert_true(clock_ms() - start < 600);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deadline_that_has_passed_does_not_wait),
		cmocka_unit_test(waiting_ends_at_the_deadline_and_not_before),
		cmocka_unit_test(the_pause_doubles_up_to_50_ms),
		cmocka_unit_test(a_pause_never_goes_past_the_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
