/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals: none ends the process in the middle of something.
 *
 * All are held back (blocked), for the whole life of the process: a move is never torn from the
 * entry that tells of it, and a pipe without a reader or a limit on file sizes is the errno of
 * a system call. What waits for somebody else looks for those signals that ask a process to end:
 * SIGHUP, SIGINT, SIGQUIT, SIGTERM, and SIGALRM and SIGXCPU, with which limits do. It then ends
 * with an error. Each such signal ends one wait, so that undoing what was begun can wait as well.
 */
#ifndef RDMA_CNI_BASE_SIGNALS_H
#define RDMA_CNI_BASE_SIGNALS_H

#include <rdma-cni/base/attributes.h>
#include <stdbool.h>
#include <stdint.h>

/* From now on. A fault of our own (SIGSEGV and the like) ends the process all the same. */
void signals_hold(void);

/* Sleep for so long. True, at once, when a signal asks the process to end; it is then used up. */
bool signals_wait(int64_t ms) must_check;

#endif
