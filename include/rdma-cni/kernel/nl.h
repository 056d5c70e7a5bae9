/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One netlink conversation, over libmnl.
 *
 * The socket belongs to the network namespace that the thread is in when nl_open() is
 * called. Requests carry a sequence number of the socket's own; answers to anything else are
 * skipped. The kernel's extended ACK becomes part of the error message.
 *
 *	struct nl cleanup_nl nl = NL_CLOSED;
 *	struct nl_request request;
 *	if (nl_open(NETLINK_RDMA, &nl, err) < 0) ...
 *	mnl_attr_put_u32(nl_prepare(&request, type, NLM_F_ACK), ATTR, 1);
 *	r = nl_exchange(&nl, &request, NULL, NULL, err);
 */
#ifndef RDMA_CNI_KERNEL_NL_H
#define RDMA_CNI_KERNEL_NL_H

#include <linux/netlink.h>
#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mnl_socket;

struct nl {
	struct mnl_socket *socket;
	int protocol;
	uint32_t sequence;
	bool unfinished; /* a dump was left before its end: its rest is still queued */
	char *buffer;
	size_t buffer_size;
	size_t places; /* into how many the buffer is divided, for a packet each */
};

#define NL_CLOSED ((struct nl){ 0 })

/* Room for a header and the few small attributes of any request made here. */
struct nl_request {
	_Alignas(struct nlmsghdr) char bytes[512];
};

/*
 * Called for every answer. 0: go on, 1: seen enough, negative errno: malformed, stop with
 * that error.
 */
typedef int (*nl_callback)(const struct nlmsghdr *message, void *data);

/* ERROR_NO_RDMA when the kernel has no such protocol; ERROR_INTERNAL otherwise. */
int nl_open(int protocol, struct nl *ret, struct error *err) must_check nonnull(2, 3);
void nl_end(struct nl *nl) nonnull(1);

/* The open socket's descriptor, for what can be asked of any socket. */
int nl_descriptor(const struct nl *nl) nonnull(1);

/* Start a request; attributes are put behind the returned header. NLM_F_REQUEST is implied. */
struct nlmsghdr *nl_prepare(struct nl_request *request, uint16_t type, uint16_t flags) nonnull(1);

/*
 * Send, then read until the ACK (NLM_F_ACK), the end of the dump (NLM_F_DUMP) or, with
 * neither flag, the first answer. The kernel's refusal is returned as its negative errno,
 * with ERROR_INTERNAL: the caller sets the kind that fits. An interrupted dump is started
 * anew, after `restart(data)` if given, at most LIMIT_DUMP_RESTARTS times.
 */
int nl_exchange(struct nl *nl, struct nl_request *request, nl_callback callback, void *data,
		struct error *err) must_check nonnull(1, 2, 5);
int nl_exchange_dump(struct nl *nl, struct nl_request *request, nl_callback callback,
		     void (*restart)(void *data), void *data, struct error *err)
	must_check nonnull(1, 2, 3, 6);

#define cleanup_nl cleanup(nl_end)

/*
 * Go through the attributes behind a message's fixed part (`fixed` bytes), or inside
 * another attribute. The callback returns 0; 1 or a negative errno ends the walk and is returned.
 */
typedef int (*nl_attribute_callback)(const struct nlattr *attribute, void *data);

int nl_each_attribute(const struct nlmsghdr *message, size_t fixed, nl_attribute_callback callback,
		      void *data) must_check nonnull(1, 3);
int nl_each_nested(const struct nlattr *outer, nl_attribute_callback callback, void *data)
	must_check nonnull(1, 2);

#endif
