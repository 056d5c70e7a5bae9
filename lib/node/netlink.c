/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One question at a time, through libnl.
 */
#include "netlink.h"

#include <errno.h>
#include <netlink/errno.h>

int netlink_open(int protocol, struct nl_sock **ret)
{
	struct nl_sock *cleanup_netlink socket = nl_socket_alloc();

	if (!socket)
		return -ENOMEM;
	if (nl_connect(socket, protocol) < 0)
		return -EPROTONOSUPPORT;
	/* The VFs of one PF are many KiB: have libnl ask first how much room an answer needs. */
	nl_socket_enable_msg_peek(socket);
	*ret = take_ptr(socket);
	return 0;
}

int netlink_ask(struct nl_sock *socket, struct nl_msg *message,
		int (*callback)(struct nl_msg *message, void *data), void *data)
{
	int r = nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, callback, data);

	if (r == 0)
		r = nl_send_auto(socket, message);
	if (r >= 0)
		r = nl_wait_for_ack(socket);
	return r == -NLE_NOMEM ? -ENOMEM : 0;
}
