/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/lock: one holder at a time, a bounded wait, nothing left behind by the dead.
 */
#include "unit.h"

#include <fcntl.h>
#include <rdma-cni/base/lock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void the_lock_is_taken_released_and_taken_again(void **state)
{
	const struct scratch *scratch = *state;
	struct lock lock = LOCK_NONE;
	struct error err = { 0 };

	for (int i = 0; i < 3; i++) {
		want_success("take", lock_acquire(scratch->dir, ".lock", 0, &lock, &err), &err);
		assert_true(lock.fd >= 0);
		lock_release(&lock);
		assert_int_equal(lock.fd, -1);
	}
	lock_release(&lock);
	assert_int_equal(mode_of(scratch->dir, ".lock"), S_IFREG | 0600);
}

static void the_scope_releases_the_lock(void **state)
{
	const struct scratch *scratch = *state;
	struct error err = { 0 };

	for (int i = 0; i < 2; i++) {
		struct lock cleanup_lock lock = LOCK_NONE;

		want_success("take", lock_acquire(scratch->dir, ".lock", 0, &lock, &err), &err);
	}
}

static void different_locks_do_not_exclude_each_other(void **state)
{
	const struct scratch *scratch = *state;
	struct lock cleanup_lock a = LOCK_NONE;
	struct lock cleanup_lock b = LOCK_NONE;
	struct error err = { 0 };

	want_success("a", lock_acquire(scratch->dir, "a", 0, &a, &err), &err);
	want_success("b", lock_acquire(scratch->dir, "b", 0, &b, &err), &err);
}

/* Does not return: takes the lock, tells it through `ready`, holds it until it is ended. */
static void hold_lock(int dir, int ready)
{
	struct lock lock = LOCK_NONE;
	struct error err = { 0 };

	if (lock_acquire(dir, ".lock", 0, &lock, &err) < 0)
		_exit(1);
	if (write(ready, "x", 1) != 1)
		_exit(2);
	(void)pause();
	_exit(3);
}

static pid_t start_holder(int dir)
{
	int ends[2];
	char byte;
	pid_t child;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	child = fork();
	if (child == 0)
		hold_lock(dir, ends[1]);
	assert_true(child > 0);
	(void)close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	(void)close(ends[0]);
	return child;
}

static void a_held_lock_is_busy_and_its_holder_is_named(void **state)
{
	const struct scratch *scratch = *state;
	const pid_t holder = start_holder(scratch->dir);
	struct lock cleanup_lock lock = LOCK_NONE;
	struct error err = { 0 };
	char pid[32];

	assert_int_equal(lock_acquire(scratch->dir, ".lock", 30, &lock, &err), -EBUSY);
	(void)kill(holder, SIGKILL);
	assert_int_equal(waitpid(holder, NULL, 0), holder);
	assert_int_equal(err.kind, ERROR_BUSY);
	assert_int_equal(lock.fd, -1);
	(void)snprintf(pid, sizeof(pid), "process %ld (test_lock)", (long)holder);
	want_contains("holder", err.msg, pid);
	want_contains("what to do", err.details, "again");
}

static void the_lock_of_a_killed_holder_is_free(void **state)
{
	const struct scratch *scratch = *state;
	const pid_t holder = start_holder(scratch->dir);
	struct lock cleanup_lock lock = LOCK_NONE;
	struct error err = { 0 };

	(void)kill(holder, SIGKILL);
	want_success("after the end", lock_acquire(scratch->dir, ".lock", 10000, &lock, &err),
		     &err);
	assert_int_equal(waitpid(holder, NULL, 0), holder);
}

static void a_planted_file_is_locked_only_if_it_is_no_link(void **state)
{
	const struct scratch *scratch = *state;
	struct lock cleanup_lock lock = LOCK_NONE;
	struct error err = { 0 };

	make_file(scratch->dir, "elsewhere", "x");
	make_link(scratch->dir, ".lock", "elsewhere");
	want_error("link", lock_acquire(scratch->dir, ".lock", 0, &lock, &err), &err, ERROR_STATE);
	make_link(scratch->dir, "dangling", "created-by-lock");
	want_error("dangling", lock_acquire(scratch->dir, "dangling", 0, &lock, &err), &err,
		   ERROR_STATE);
	assert_false(is_there(scratch->dir, "created-by-lock"));
	assert_int_equal(mkfifoat(scratch->dir, "fifo", 0600), 0);
	/* Whatever comes of a FIFO, opening it must not hang. */
	(void)!lock_acquire(scratch->dir, "fifo", 0, &lock, &err);
}

static void a_directory_that_is_gone_is_an_error_of_the_state(void **state)
{
	struct lock cleanup_lock lock = LOCK_NONE;
	struct error err = { 0 };

	(void)state;
	want_error("no directory", lock_acquire(-1, ".lock", 0, &lock, &err), &err, ERROR_STATE);
	want_contains("name", err.msg, "'.lock'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(the_lock_is_taken_released_and_taken_again),
		scratch_test(the_scope_releases_the_lock),
		scratch_test(different_locks_do_not_exclude_each_other),
		scratch_test(a_held_lock_is_busy_and_its_holder_is_named),
		scratch_test(the_lock_of_a_killed_holder_is_free),
		scratch_test(a_planted_file_is_locked_only_if_it_is_no_link),
		cmocka_unit_test(a_directory_that_is_gone_is_an_error_of_the_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
