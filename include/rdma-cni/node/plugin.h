/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin's executable: put it where a container runtime looks, ask it as a runtime does.
 *
 * Signals are to be held (signals.h): one that asks for the end then ends the waiting here.
 */
#ifndef RDMA_CNI_NODE_PLUGIN_H
#define RDMA_CNI_NODE_PLUGIN_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/text.h>
#include <stdbool.h>

/*
 * Start the plugin at `path` with CNI_COMMAND=`command` and `conf` on its standard input (at most
 * 4096 bytes), as the CNI specification 1.1, section 2, says. `ret` gets what it wrote to standard
 * output; its log is dropped. An error object becomes ERROR_NOT_READY with its message and
 * details; ERROR_IO: it did not start, wrote none, or took longer than 20 s and was killed;
 * ERROR_STOPPED: a signal ended the waiting.
 */
int plugin_ask(const char *path, const char *command, const char *conf, struct text *ret,
	       struct error *err) must_check nonnull(1, 2, 3, 4, 5);

/*
 * Put the executable `from` into `directory` as "rdma". What stands there is replaced as a whole,
 * on disk, and only after the new one has answered VERSION from that directory: a plugin that a
 * runtime starts meanwhile is the old one or the new one, and those that run go on. The same file
 * stays as it is (`ret_changed` false). One at a time in a directory: ERROR_BUSY after a minute.
 */
int plugin_install(const char *from, const char *directory, bool *ret_changed, struct error *err)
	must_check nonnull(1, 2, 3, 4);

#endif
