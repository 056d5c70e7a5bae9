/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program costs:
 *
 *	measure time|calls [KEY=VALUE...] [<FILE] PROGRAM [ARGUMENT...] [+ ...]
 *
 * runs the program with this environment and no other, standard input from FILE, its output on our
 * standard error, and prints
 *
 *	time		nanoseconds from before fork to its end, and the peak of its resident
 *			memory in KiB; of several programs ("+" between them) at once until the
 *			last one's end, and the largest peak
 *	calls		its system calls, from execve to exit_group, as strace lists them
 *
 * Exit status 1 when a program did not succeed. The program's threads and children are counted too.
 * A shell would take longer than what is measured; so would a large process to fork.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS_MAX 64U
#define VARIABLES_MAX 32U

#define NANOSECONDS 1000000000LL

struct command {
	char *environment[VARIABLES_MAX + 1];
	const char *input;
	char **arguments;
};

struct cost {
	int64_t nanoseconds;
	long peak_kib;
	uint64_t calls;
};

static _Noreturn void die(const char *what)
{
	(void)fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(2);
}

static _Noreturn void usage(void)
{
	(void)fprintf(stderr, "usage: measure time|calls [KEY=VALUE...] [<FILE] "
			      "PROGRAM [ARGUMENT...] [+ ...]\n");
	exit(2);
}

/* From `arguments` on, up to NULL, which is put where a "+" is; returns what is behind that. */
static char **read_command(char **arguments, struct command *ret)
{
	size_t variables = 0;

	*ret = (struct command){ .input = "/dev/null" };
	for (; *arguments && strchr(*arguments, '='); arguments++) {
		if (variables == VARIABLES_MAX)
			usage();
		ret->environment[variables++] = *arguments;
	}
	if (*arguments && **arguments == '<')
		ret->input = *arguments++ + 1;
	ret->arguments = arguments;
	while (*arguments && strcmp(*arguments, "+") != 0)
		arguments++;
	if (arguments == ret->arguments)
		usage();
	if (!*arguments)
		return arguments;
	*arguments = NULL;
	return arguments + 1;
}

static _Noreturn void become(const struct command *command, bool traced)
{
	const int input = open(command->input, O_RDONLY | O_CLOEXEC);

	if (input < 0 || dup2(input, STDIN_FILENO) < 0)
		die(command->input);
	if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		die("standard output");
	if (traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		die("PTRACE_TRACEME");
	(void)execve(command->arguments[0], command->arguments, command->environment);
	die(command->arguments[0]);
}

static pid_t start(const struct command *command, bool traced)
{
	const pid_t process = fork();

	if (process < 0)
		die("fork");
	if (process == 0)
		become(command, traced);
	return process;
}

static bool has_succeeded(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFEXITED(status))
		(void)fprintf(stderr, "measure: it ended with status %d\n", WEXITSTATUS(status));
	else
		(void)fprintf(stderr, "measure: signal %d ended it\n", WTERMSIG(status));
	return false;
}

static int64_t now(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * NANOSECONDS + time.tv_nsec;
}

static bool run_all(const struct command *commands, size_t count, struct cost *cost)
{
	const int64_t begin = now();
	bool succeeded = true;

	for (size_t i = 0; i < count; i++)
		(void)start(&commands[i], false);
	for (size_t i = 0; i < count; i++) {
		struct rusage usage;
		int status;

		if (wait4(-1, &status, 0, &usage) < 0)
			die("wait4");
		cost->nanoseconds = now() - begin;
		succeeded = has_succeeded(status) && succeeded;
		if (usage.ru_maxrss > cost->peak_kib)
			cost->peak_kib = usage.ru_maxrss;
	}
	return succeeded;
}

/* What a stopped task stopped for; returns the signal that it is to get. */
static int count_stop(pid_t task, int status, struct cost *cost)
{
	const int signal = WSTOPSIG(status);
	struct __ptrace_syscall_info info = { 0 };

	if (status >> 16 != 0 || signal == SIGSTOP)
		return 0;
	if (signal != (SIGTRAP | 0x80))
		return signal;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, task, (void *)sizeof(info), &info) < 0)
		die("PTRACE_GET_SYSCALL_INFO");
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		cost->calls++;
	return 0;
}

/* Until the next system call. */
static void resume(pid_t task, int signal)
{
	/* A task may be killed by another one while it is stopped. */
	if (ptrace(PTRACE_SYSCALL, task, NULL, (void *)(intptr_t)signal) < 0 && errno != ESRCH)
		die("PTRACE_SYSCALL");
}

static bool trace(const struct command *command, struct cost *cost)
{
	const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE |
			     PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	const pid_t process = start(command, true);
	bool succeeded = true;
	pid_t task;
	int status;

	if (waitpid(process, &status, 0) < 0)
		die("waitpid");
	if (!WIFSTOPPED(status))
		return has_succeeded(status);
	if (ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)options) < 0)
		die("PTRACE_SETOPTIONS");
	/* It stopped behind its execve. */
	cost->calls = 1;
	resume(process, 0);
	while ((task = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status))
			resume(task, count_stop(task, status, cost));
		else if (task == process)
			succeeded = has_succeeded(status);
	}
	return succeeded;
}

int main(int argc, char **argv)
{
	static struct command commands[COMMANDS_MAX];
	const char *what = argc > 1 ? argv[1] : "";
	char **rest = argv + (argc > 1 ? 2 : 1);
	struct cost cost = { 0 };
	size_t count = 0;
	bool succeeded = false;

	do {
		if (count == COMMANDS_MAX)
			usage();
		rest = read_command(rest, &commands[count++]);
	} while (*rest);
	if (strcmp(what, "time") == 0)
		succeeded = run_all(commands, count, &cost);
	else if (strcmp(what, "calls") == 0 && count == 1)
		succeeded = trace(commands, &cost);
	else
		usage();
	if (*what == 't')
		(void)printf("%lld %ld\n", (long long)cost.nanoseconds, cost.peak_kib);
	else
		(void)printf("%llu\n", (unsigned long long)cost.calls);
	return succeeded ? 0 : 1;
}
