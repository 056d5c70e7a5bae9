/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals are held back, and looked for where something waits.
 */
#include <rdma-cni/base/signals.h>

#include <signal.h>
#include <string.h>
#include <time.h>

void signals_hold(void)
{
	sigset_t all;

	/* sigfillset(3) leaves out what the C library wants for threads, of which we have none. */
	memset(&all, 0xff, sizeof(all));
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
}

/* `nohup` and the like: who started us wants this signal to do nothing. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool signals_wait(int64_t ms)
{
	static const int asking[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU };
	const struct timespec duration = {
		.tv_sec = (time_t)(ms / 1000),
		.tv_nsec = (long)(ms % 1000) * 1000000,
	};
	sigset_t set;
	int found;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < array_size(asking); i++)
		(void)sigaddset(&set, asking[i]);
	found = sigtimedwait(&set, NULL, &duration);
	return found > 0 && !is_ignored(found);
}
