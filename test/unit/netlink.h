/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel made of paper: what it will answer is written down first, what it was asked is looked
 * at afterwards. It stands in for libmnl's socket functions; all else of libmnl is the real one.
 *
 *	kernel_reset();
 *	kernel_answers();
 *	mnl_attr_put_u32(kernel_message(type, 0), ATTRIBUTE, 7);
 *	(void)kernel_message(NLMSG_DONE, 0);
 */
#ifndef RDMA_CNI_TEST_UNIT_NETLINK_H
#define RDMA_CNI_TEST_UNIT_NETLINK_H

#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <rdma-cni/base/attributes.h>
#include <stddef.h>
#include <stdint.h>

void kernel_reset(void);

/* Start the next packet. Every receive takes one; without one it fails with ETIME. */
void kernel_answers(void);
/* From now on a receive takes as many packets as it has places for, up to this number. */
void kernel_gives(unsigned int packets);
/* A receive fails with this errno in place of a packet. */
void kernel_fails_receive(int errnum);
/* What was not received yet is gone. */
void kernel_forgets(void);
/* The next sends fail so. */
void kernel_fails_send(int errnum, int times);
/* The next socket can't be opened. */
void kernel_fails_open(int errnum);

/*
 * Put a message into the packet; attributes go behind the returned header. It answers the
 * latest request when it is received, unless kernel_stray() said otherwise.
 */
struct nlmsghdr *kernel_message(uint16_t type, uint16_t flags);
void kernel_stray(struct nlmsghdr *message) nonnull(1);

/* The packet's last message says that it is so long. */
void kernel_lies(uint32_t length);

/* The packet comes from the socket of this port: from a process, not from the kernel. */
void kernel_is(uint32_t sender);

/* Whole messages: an ACK, or a refusal with the kernel's words (may be NULL). */
void kernel_acks(void);
void kernel_refuses(int errnum, const char *words);
void kernel_ends_dump(int errnum);

/* How often it was asked; the latest request. */
unsigned int kernel_requests(void);
const struct nlmsghdr *kernel_request(void);
/* Sockets opened so far, and open now. */
unsigned int kernel_sockets(void);
unsigned int kernel_open_sockets(void);
/* Packets that nobody received. */
size_t kernel_packets_left(void);

/* The attribute of the latest request, NULL without. */
const struct nlattr *kernel_request_attribute(size_t fixed, uint16_t type);

#endif
