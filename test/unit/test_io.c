/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/io: whole reads and writes.
 */
#include "unit.h"

#include <fcntl.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/io.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void everything_up_to_the_limit_is_read(void **state)
{
	static const size_t lengths[] = { 0, 1, 4095, 4096, 4097, 100000 };

	(void)state;
	for (size_t i = 0; i < array_size(lengths); i++) {
		struct text cleanup_text text = { 0 };
		char *cleanup_free bytes = repeat("x", lengths[i]);
		const int cleanup_close fd = descriptor_of(bytes, lengths[i]);

		assert_int_equal(io_read_all(fd, lengths[i], &text), 0);
		assert_int_equal(text.length, lengths[i]);
		assert_string_equal(text.data, bytes);
	}
}

static void one_byte_more_than_the_limit_is_refused(void **state)
{
	static const size_t lengths[] = { 1, 4096, 100000 };

	(void)state;
	for (size_t i = 0; i < array_size(lengths); i++) {
		struct text cleanup_text text = { 0 };
		char *cleanup_free bytes = repeat("x", lengths[i]);
		const int cleanup_close fd = descriptor_of(bytes, lengths[i]);

		assert_int_equal(io_read_all(fd, lengths[i] - 1, &text), -EFBIG);
	}
}

static void reading_an_endless_file_ends(void **state)
{
	struct text cleanup_text text = { 0 };
	const int cleanup_close fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(io_read_all(fd, 1 << 20, &text), -EFBIG);
	assert_true(text.size <= 4 << 20);
}

static void what_is_read_is_appended(void **state)
{
	struct text cleanup_text text = { 0 };
	const int cleanup_close fd = descriptor_of("b\0c", 3);

	(void)state;
	text_add_string(&text, "a");
	assert_int_equal(io_read_all(fd, 100, &text), 0);
	assert_int_equal(text.length, 4);
	assert_memory_equal(text.data, "ab\0c", 5);
}

static void the_errno_of_a_failed_read_comes_back(void **state)
{
	struct text cleanup_text text = { 0 };
	const int cleanup_close directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(io_read_all(-1, 100, &text), -EBADF);
	assert_int_equal(io_read_all(directory, 100, &text), -EISDIR);
}

/* Writes in pieces, some of them while the parent is blocked in a system call. */
static void write_slowly(int fd)
{
	for (int i = 0; i < 5; i++) {
		(void)usleep(2000);
		(void)!write(fd, "piece ", 6);
	}
	_exit(0);
}

static void a_pipe_is_read_to_its_end_piece_by_piece(void **state)
{
	struct text cleanup_text text = { 0 };
	int ends[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	child = fork();
	if (child == 0)
		write_slowly(ends[1]);
	(void)close(ends[1]);
	assert_int_equal(io_read_all(ends[0], 100, &text), 0);
	assert_string_equal(text.data, "piece piece piece piece piece ");
	(void)close(ends[0]);
	(void)waitpid(child, NULL, 0);
}

static void read_and_count(int fd, size_t expected)
{
	struct text cleanup_text text = { 0 };

	(void)usleep(5000);
	_exit(io_read_all(fd, 1 << 24, &text) == 0 && text.length == expected ? 0 : 1);
}

/* More than a pipe holds, to a reader who counts, through an end with these flags. */
static void assert_all_arrives(int (*put)(int fd, const char *bytes, size_t length), int flags)
{
	const size_t length = 1 << 20;
	char *cleanup_free bytes = repeat("x", length);
	int ends[2];
	int status;
	pid_t child;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(fcntl(ends[1], F_SETFL, flags), 0);
	child = fork();
	if (child == 0) {
		(void)close(ends[1]);
		read_and_count(ends[0], length);
	}
	(void)close(ends[0]);
	assert_int_equal(put(ends[1], bytes, length), 0);
	(void)close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static int write_all(int fd, const char *bytes, size_t length)
{
	return io_write_all(fd, bytes, length);
}

static int send_all(int fd, const char *bytes, size_t length)
{
	return io_send_all(fd, bytes, length, 5000);
}

static void everything_is_written_although_a_pipe_is_smaller(void **state)
{
	(void)state;
	assert_all_arrives(write_all, 0);
}

static void the_errno_of_a_failed_write_comes_back(void **state)
{
	const int cleanup_close full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(io_write_all(-1, "x", 1), -EBADF);
	assert_int_equal(io_write_all(full, "x", 1), -ENOSPC);
	assert_int_equal(io_write_all(full, "x", 0), 0);
}

static void set_nonblocking(const int ends[2])
{
	for (int i = 0; i < 2; i++)
		assert_int_equal(fcntl(ends[i], F_SETFL, O_NONBLOCK), 0);
}

static void a_nonblocking_pipe_is_read_to_its_end_piece_by_piece(void **state)
{
	struct text cleanup_text text = { 0 };
	int ends[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	set_nonblocking(ends);
	child = fork();
	if (child == 0)
		write_slowly(ends[1]);
	(void)close(ends[1]);
	assert_int_equal(io_receive_all(ends[0], 100, 5000, &text), 0);
	assert_string_equal(text.data, "piece piece piece piece piece ");
	(void)close(ends[0]);
	(void)waitpid(child, NULL, 0);
}

static void everything_is_sent_although_a_pipe_is_smaller(void **state)
{
	(void)state;
	assert_all_arrives(send_all, 0);
	assert_all_arrives(send_all, O_NONBLOCK);
}

static void another_end_that_stalls_is_given_up(void **state)
{
	struct text cleanup_text text = { 0 };
	char *cleanup_free bytes = repeat("x", 1 << 20);
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(io_receive_all(ends[0], 100, 20, &text), -ETIMEDOUT);
		assert_int_equal(io_send_all(ends[1], bytes, 1 << 20, 20), -ETIMEDOUT);
		assert_int_equal(io_receive_all(ends[0], 10, 20, &text), -EFBIG);
		text_done(&text);
		assert_int_equal(io_receive_all(ends[0], 1 << 20, 20, &text), -ETIMEDOUT);
		assert_true(text.length > 0);
		text_done(&text);
		set_nonblocking(ends);
	}
	assert_int_equal(io_receive_all(9999, 100, 20, &text), -EBADF);
	assert_int_equal(io_send_all(9999, "x", 1, 20), -EBADF);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* In a child, whose standard descriptors can be closed. */
static void open_without_standard_fds(void)
{
	int next;

	(void)close(STDIN_FILENO);
	(void)close(STDOUT_FILENO);
	io_occupy_standard_fds();
	next = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (next <= STDERR_FILENO)
		_exit(1);
	if (write(STDOUT_FILENO, "x", 1) != -1 || errno != EBADF)
		_exit(2);
	if (read(STDIN_FILENO, &next, 1) != -1 || errno != EBADF)
		_exit(3);
	_exit(0);
}

static void no_file_becomes_standard_output(void **state)
{
	const pid_t child = fork();
	int status;

	(void)state;
	if (child == 0)
		open_without_standard_fds();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int reading_end = -1;
static struct scratch *interrupted;

/* The first one only interrupts, the second one brings what was waited for. */
static void interrupt(int signal)
{
	static int count;

	(void)signal;
	if (++count == 2)
		reading_end = openat(interrupted->dir, "fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static void a_signal_does_not_end_an_open(void **state)
{
	static const struct timeval often = { .tv_usec = 20000 };
	const struct itimerval start = { .it_interval = often, .it_value = often };
	const struct itimerval stop = { 0 };
	const struct sigaction action = { .sa_handler = interrupt };
	struct sigaction before;

	interrupted = *state;
	assert_int_equal(mkfifoat(interrupted->dir, "fifo", 0600), 0);
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &start, NULL), 0);
	const int cleanup_close fd = io_open(interrupted->dir, "fifo", O_WRONLY, 0);
	assert_int_equal(setitimer(ITIMER_REAL, &stop, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(close(reading_end), 0);
}

static void the_errno_of_a_failed_open_comes_back(void **state)
{
	const struct scratch *scratch = *state;

	assert_int_equal(io_open(scratch->dir, "nothing", O_RDONLY, 0), -ENOENT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(a_signal_does_not_end_an_open),
		scratch_test(the_errno_of_a_failed_open_comes_back),
		cmocka_unit_test(everything_up_to_the_limit_is_read),
		cmocka_unit_test(one_byte_more_than_the_limit_is_refused),
		cmocka_unit_test(reading_an_endless_file_ends),
		cmocka_unit_test(what_is_read_is_appended),
		cmocka_unit_test(the_errno_of_a_failed_read_comes_back),
		cmocka_unit_test(a_pipe_is_read_to_its_end_piece_by_piece),
		cmocka_unit_test(everything_is_written_although_a_pipe_is_smaller),
		cmocka_unit_test(the_errno_of_a_failed_write_comes_back),
		cmocka_unit_test(a_nonblocking_pipe_is_read_to_its_end_piece_by_piece),
		cmocka_unit_test(everything_is_sent_although_a_pipe_is_smaller),
		cmocka_unit_test(another_end_that_stalls_is_given_up),
		cmocka_unit_test(no_file_becomes_standard_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
