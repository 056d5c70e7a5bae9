/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands: each is called with its own name as argv[0], and returns the exit status.
 */
#ifndef RDMA_NODE_COMMANDS_H
#define RDMA_NODE_COMMANDS_H

/* A warning and a failure are what was found; this is that nothing could be found out. */
enum exit_status { EXIT_GOOD, EXIT_WARNING, EXIT_BAD, EXIT_UNKNOWN };

int command_check(int argc, char *argv[]);
int command_show(int argc, char *argv[]);
int command_prepare(int argc, char *argv[]);
int command_release(int argc, char *argv[]);
int command_install(int argc, char *argv[]);
int command_status(int argc, char *argv[]);

#endif
