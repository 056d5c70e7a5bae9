/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds network namespaces: processes, names (bind mounts), open files.
 */
#ifndef RDMA_CNI_NODE_HOLDERS_H
#define RDMA_CNI_NODE_HOLDERS_H

#include <rdma-cni/node/node.h>

/*
 * A line for each namespace other than our own and each way in which it is held: "namespace
 * 4026532567: process 712 (sleep, in containerd-abc.scope)". Mounts that only processes in mount
 * namespaces of their own see are among them. -ENOMEM.
 */
int list_holders(const struct node *node, struct names *ret) must_check nonnull(1, 2);

#endif
