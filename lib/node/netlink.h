/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One question at a time, through libnl.
 */
#ifndef RDMA_CNI_NODE_NETLINK_H
#define RDMA_CNI_NODE_NETLINK_H

#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>

/* -ENOMEM; another negative errno when the kernel has no such protocol. */
int netlink_open(int protocol, struct nl_sock **ret) must_check nonnull(2);

/*
 * Send, and hand each answer to `callback` until the kernel acknowledges. A refusal is no error:
 * then nothing was answered. -ENOMEM.
 */
int netlink_ask(struct nl_sock *socket, struct nl_msg *message,
		int (*callback)(struct nl_msg *message, void *data), void *data)
	must_check nonnull(1, 2, 3);

static inline void cleanup_netlink_socket(struct nl_sock **socket)
{
	if (*socket)
		nl_socket_free(*socket);
}

static inline void cleanup_netlink_free(struct nl_msg **message)
{
	if (*message)
		nlmsg_free(*message);
}

#define cleanup_netlink cleanup(cleanup_netlink_socket)
#define cleanup_netlink_message cleanup(cleanup_netlink_free)

#endif
