/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/deadline: waiting with an end.
 */
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <rdma-cni/base/deadline.h>
#include <rdma-cni/base/signals.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

		assert_int_equal(deadline_wait(&deadline), 0);
		assert_int_equal(deadline_wait(&deadline), 0);
	}
}

static void waiting_ends_at_the_deadline_and_not_before(void **state)
{
	const int64_t start = clock_ms();
	struct deadline deadline = deadline_in_ms(120);

	(void)state;
	while (deadline_wait(&deadline) > 0)
		assert_true(clock_ms() <= start + 5000);
	/* A millisecond may be lost where both clocks round down. */
	assert_true(clock_ms() - start >= 119);
	assert_int_equal(deadline_wait(&deadline), 0);
}

static void the_pause_doubles_up_to_50_ms(void **state)
{
	static const int64_t pauses[] = { 1, 2, 4, 8, 16, 32, 50, 50 };
	struct deadline deadline = deadline_in_ms(60000);

	(void)state;
	for (size_t i = 0; i < array_size(pauses); i++) {
		const int64_t start = clock_ms();

		assert_int_equal(deadline_wait(&deadline), 1);
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
	assert_int_equal(deadline_wait(&deadline), 1);
	assert_true(clock_ms() - start < 600);
}

static void polling_ends_when_something_comes_or_the_deadline_does(void **state)
{
	struct deadline deadline = deadline_in_ms(30);
	const int64_t start = clock_ms();
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(deadline_poll(&deadline, ends[0], POLLIN), 0);
	assert_true(clock_ms() - start >= 29);
	deadline = deadline_in_ms(60000);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(deadline_poll(&deadline, ends[0], POLLIN), POLLIN);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* In a child, whose signals are its own: the number of the step that went wrong. */
static int wait_with_signals(void)
{
	static const int asking[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU };
	static const int others[] = { SIGPIPE, SIGXFSZ, SIGUSR1, SIGCHLD, SIGTSTP, 64 };
	struct deadline deadline;

	signals_hold();
	for (size_t i = 0; i < array_size(asking); i++) {
		/* Who started the test may have them ignored, as a shell does in the background. */
		(void)signal(asking[i], SIG_DFL);
		deadline = deadline_in_ms(60000);
		(void)kill(getpid(), asking[i]);
		if (deadline_wait(&deadline) != -EINTR)
			return 1;
		/* Taken, it is gone. */
		if (deadline_wait(&deadline) != 1)
			return 1;
		(void)kill(getpid(), asking[i]);
		if (deadline_poll(&deadline, -1, POLLIN) != -EINTR)
			return 2;
		(void)signal(asking[i], SIG_IGN);
		(void)kill(getpid(), asking[i]);
		if (deadline_wait(&deadline) != 1)
			return 3;
	}
	for (size_t i = 0; i < array_size(others); i++) {
		(void)kill(getpid(), others[i]);
		deadline = deadline_in_ms(5);
		if (deadline_wait(&deadline) != 1)
			return 4;
	}
	return 0;
}

static void a_signal_that_asks_for_the_end_ends_one_wait(void **state)
{
	const pid_t child = fork();
	int status;

	(void)state;
	if (child == 0)
		_exit(wait_with_signals());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deadline_that_has_passed_does_not_wait),
		cmocka_unit_test(waiting_ends_at_the_deadline_and_not_before),
		cmocka_unit_test(the_pause_doubles_up_to_50_ms),
		cmocka_unit_test(a_pause_never_goes_past_the_deadline),
		cmocka_unit_test(polling_ends_when_something_comes_or_the_deadline_does),
		cmocka_unit_test(a_signal_that_asks_for_the_end_ends_one_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
