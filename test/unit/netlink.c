/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel made of paper, in place of libmnl's socket functions.
 */
#include "netlink.h"

#include "unit.h"

#include <string.h>

#define PACKETS_MAX 64
#define PACKET_BYTES 40960

/* The socket's, which nothing is open on. */
#define THE_DESCRIPTOR 4711

/* A sequence number that is not replaced by the request's. */
#define STRAY UINT32_C(0xdead)

struct packet {
	_Alignas(struct nlmsghdr) char bytes[PACKET_BYTES];
	struct nlmsghdr *last;
	uint32_t sender;
	uint32_t lie; /* in place of the last one's length, as long as it is not 0 */
	int errnum;
};

static struct {
	struct packet packets[PACKETS_MAX];
	size_t written;
	size_t received;
	_Alignas(struct nlmsghdr) char request[4096];
	unsigned int requests;
	unsigned int opened;
	unsigned int closed;
	int send_errnum;
	int send_failures;
	int open_errnum;
	unsigned int gives;
} kernel;

void kernel_reset(void)
{
	memset(&kernel, 0, sizeof(kernel));
}

void kernel_answers(void)
{
	assert_true(kernel.written < PACKETS_MAX);
	kernel.written++;
}

void kernel_fails_receive(int errnum)
{
	kernel_answers();
	kernel.packets[kernel.written - 1].errnum = errnum;
}

void kernel_forgets(void)
{
	memset(kernel.packets, 0, sizeof(kernel.packets));
	kernel.written = 0;
	kernel.received = 0;
}

void kernel_fails_send(int errnum, int times)
{
	kernel.send_errnum = errnum;
	kernel.send_failures = times;
}

void kernel_fails_open(int errnum)
{
	kernel.open_errnum = errnum;
}

void kernel_gives(unsigned int packets)
{
	kernel.gives = packets;
}

/* MNL_ALIGN() mixes signed and unsigned. */
static size_t aligned_length(const struct nlmsghdr *message)
{
	return (message->nlmsg_len + 3U) & ~3U;
}

/* Where the next message of the packet stands: the last one may have grown meanwhile. */
static char *end_of(struct packet *packet)
{
	return packet->last ? (char *)packet->last + aligned_length(packet->last) : packet->bytes;
}

struct nlmsghdr *kernel_message(uint16_t type, uint16_t flags)
{
	struct packet *packet = &kernel.packets[kernel.written - 1];

	assert_true(kernel.written > 0);
	packet->last = mnl_nlmsg_put_header(end_of(packet));
	packet->last->nlmsg_type = type;
	packet->last->nlmsg_flags = flags;
	return packet->last;
}

void kernel_stray(struct nlmsghdr *message)
{
	message->nlmsg_seq = STRAY;
}

void kernel_lies(uint32_t length)
{
	kernel.packets[kernel.written - 1].lie = length;
}

void kernel_is(uint32_t sender)
{
	assert_true(kernel.written > 0);
	kernel.packets[kernel.written - 1].sender = sender;
}

void kernel_acks(void)
{
	kernel_refuses(0, NULL);
}

void kernel_refuses(int errnum, const char *words)
{
	struct nlmsghdr *message =
		kernel_message(NLMSG_ERROR, words ? NLM_F_CAPPED | NLM_F_ACK_TLVS : NLM_F_CAPPED);
	struct nlmsgerr *error = mnl_nlmsg_put_extra_header(message, sizeof(*error));

	error->error = -errnum;
	if (words)
		mnl_attr_put_strz(message, NLMSGERR_ATTR_MSG, words);
}

void kernel_ends_dump(int errnum)
{
	struct nlmsghdr *message = kernel_message(NLMSG_DONE, NLM_F_MULTI);
	int *error = mnl_nlmsg_put_extra_header(message, sizeof(*error));

	*error = -errnum;
}

unsigned int kernel_requests(void)
{
	return kernel.requests;
}

const struct nlmsghdr *kernel_request(void)
{
	return (const struct nlmsghdr *)(const void *)kernel.request;
}

unsigned int kernel_sockets(void)
{
	return kernel.opened;
}

unsigned int kernel_open_sockets(void)
{
	return kernel.opened - kernel.closed;
}

size_t kernel_packets_left(void)
{
	return kernel.written - kernel.received;
}

struct wanted {
	uint16_t type;
	const struct nlattr *found;
};

static int find_attribute(const struct nlattr *attribute, void *data)
{
	struct wanted *wanted = data;

	if (mnl_attr_get_type(attribute) == wanted->type)
		wanted->found = attribute;
	return MNL_CB_OK;
}

const struct nlattr *kernel_request_attribute(size_t fixed, uint16_t type)
{
	struct wanted wanted = { .type = type };

	assert_int_equal(mnl_attr_parse(kernel_request(), (unsigned int)fixed, find_attribute,
					&wanted),
			 MNL_CB_OK);
	return wanted.found;
}

/* The functions of libmnl that talk to a socket; opaque there, nothing behind it here. */
struct mnl_socket {
	int unused;
};

static struct mnl_socket the_socket;

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	(void)bus;
	assert_int_equal(flags & SOCK_CLOEXEC, SOCK_CLOEXEC);
	if (kernel.open_errnum) {
		errno = kernel.open_errnum;
		return NULL;
	}
	kernel.opened++;
	return &the_socket;
}

int mnl_socket_get_fd(const struct mnl_socket *socket)
{
	assert_ptr_equal(socket, &the_socket);
	return THE_DESCRIPTOR;
}

int mnl_socket_close(struct mnl_socket *socket)
{
	assert_ptr_equal(socket, &the_socket);
	kernel.closed++;
	return 0;
}

int mnl_socket_setsockopt(const struct mnl_socket *socket, int type, void *value, socklen_t length)
{
	(void)socket;
	(void)type;
	(void)value;
	(void)length;
	/* As a kernel that knows none of the options. */
	errno = ENOPROTOOPT;
	return -1;
}

ssize_t mnl_socket_sendto(const struct mnl_socket *socket, const void *request, size_t length)
{
	(void)socket;
	if (kernel.send_failures > 0) {
		kernel.send_failures--;
		errno = kernel.send_errnum;
		return -1;
	}
	assert_true(length <= sizeof(kernel.request));
	memset(kernel.request, 0, sizeof(kernel.request));
	memcpy(kernel.request, request, length);
	kernel.requests++;
	return (ssize_t)length;
}

/* From now on the messages answer the latest request. */
static void set_sequence(struct packet *packet)
{
	char *at = packet->bytes;

	while (at < end_of(packet)) {
		struct nlmsghdr *message = (struct nlmsghdr *)(void *)at;

		if (message->nlmsg_seq != STRAY)
			message->nlmsg_seq = kernel_request()->nlmsg_seq;
		at += aligned_length(message);
	}
}

/* One packet to its place; cut off where that is too small, as the socket does. */
static void give(struct packet *packet, struct mmsghdr *ret)
{
	const struct iovec *place = &ret->msg_hdr.msg_iov[0];
	const size_t length = (size_t)(end_of(packet) - packet->bytes);

	assert_int_equal(ret->msg_hdr.msg_iovlen, 1);
	assert_int_equal(ret->msg_hdr.msg_namelen, sizeof(struct sockaddr_nl));
	set_sequence(packet);
	if (packet->lie)
		packet->last->nlmsg_len = packet->lie;
	((struct sockaddr_nl *)ret->msg_hdr.msg_name)->nl_pid = packet->sender;
	ret->msg_len = (unsigned int)(length < place->iov_len ? length : place->iov_len);
	ret->msg_hdr.msg_flags = length > place->iov_len ? MSG_TRUNC : 0;
	memcpy(place->iov_base, packet->bytes, ret->msg_len);
}

/* In place of the system call, which is all that libmnl has no function for. */
int recvmmsg(int fd, struct mmsghdr *packets, unsigned int places, int flags,
	     struct timespec *timeout)
{
	const unsigned int wanted = kernel.gives > 0 ? kernel.gives : 1;
	const unsigned int most = wanted < places ? wanted : places;
	unsigned int count = 0;

	assert_int_equal(fd, THE_DESCRIPTOR);
	assert_int_equal(flags, MSG_WAITFORONE);
	assert_null(timeout);
	while (count < most && kernel.received < kernel.written &&
	       !kernel.packets[kernel.received].errnum)
		give(&kernel.packets[kernel.received++], &packets[count++]);
	if (count > 0)
		return (int)count;
	errno = kernel.received < kernel.written ? kernel.packets[kernel.received++].errnum : ETIME;
	return -1;
}
