/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One netlink conversation, over libmnl.
 */
#include <rdma-cni/kernel/nl.h>

#include <errno.h>
#include <libmnl/libmnl.h>
#include <rdma-cni/base/limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* One answer: an ACK with the kernel's reason, or what it tells of one device. */
#define ANSWER_BYTES 1000U
/* A dump's packets are as large as the kernel likes, up to what the reader's buffer takes. */
#define DUMP_BYTES (16U << 10)
/*
 * The kernel sends RDMA devices in a packet each (nldev.c): so many are received at a time, in as
 * many parts of the buffer. A node with 1,000 devices is 32 system calls then, not 1,000.
 */
#define RDMA_PLACES 32U
/* Link dumps with many VFs hold a whole PF in one message, whatever the buffer. */
#define BUFFER_BYTES_MAX (4U << 20)

/* The kernel's errors are -1 to this (its MAX_ERRNO). */
#define ERRNO_MAX 4095

/* Internal to the reading loop: the packet did not end the conversation. */
#define GO_ON 1

static int open_socket(struct nl *nl, struct error *err)
{
	int on = 1;
	struct mnl_socket *socket = mnl_socket_open2(nl->protocol, SOCK_CLOEXEC);

	if (!socket)
		return error_set(err, errno == EPROTONOSUPPORT ? ERROR_NO_RDMA : ERROR_INTERNAL,
				 errno, "cannot open a netlink socket of protocol %d",
				 nl->protocol);
	/* It only makes errors more readable: an old kernel may refuse. */
	(void)mnl_socket_setsockopt(socket, NETLINK_EXT_ACK, &on, sizeof(on));
	/* The kernel gives it an address with the first request; nobody asks for it. */
	nl->socket = socket;
	nl->unfinished = false;
	return 0;
}

int nl_open(int protocol, struct nl *ret, struct error *err)
{
	struct nl cleanup_nl nl = {
		.protocol = protocol,
		.buffer_size = ANSWER_BYTES,
		.places = 1,
	};
	int r;

	nl.buffer = malloc(nl.buffer_size);
	if (!nl.buffer)
		return error_no_memory(err);
	r = open_socket(&nl, err);
	if (r < 0)
		return r;
	*ret = nl;
	nl = NL_CLOSED;
	return 0;
}

void nl_end(struct nl *nl)
{
	const int saved = errno;

	if (nl->socket)
		(void)mnl_socket_close(nl->socket);
	free(nl->buffer);
	*nl = NL_CLOSED;
	errno = saved;
}

int nl_descriptor(const struct nl *nl)
{
	return mnl_socket_get_fd(nl->socket);
}

struct nlmsghdr *nl_prepare(struct nl_request *request, uint16_t type, uint16_t flags)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(request->bytes);

	header->nlmsg_type = type;
	header->nlmsg_flags = NLM_F_REQUEST | flags;
	return header;
}

/*
 * The rest of a dump that was left early would be produced and read before anything else:
 * a new socket is cheaper than a thousand devices.
 */
static int renew_socket(struct nl *nl, struct error *err)
{
	if (nl->socket)
		(void)mnl_socket_close(nl->socket);
	nl->socket = NULL;
	return open_socket(nl, err);
}

static int send_request(struct nl *nl, struct nl_request *request, struct error *err)
{
	struct nlmsghdr *header = (struct nlmsghdr *)request->bytes;

	header->nlmsg_seq = ++nl->sequence;
	while (mnl_socket_sendto(nl->socket, header, header->nlmsg_len) < 0) {
		if (errno != EINTR)
			return error_set(err, ERROR_INTERNAL, errno,
					 "cannot send a netlink request");
	}
	return 0;
}

/*
 * Wait for a packet, and take those that follow it at once: their number, and each one's length.
 * -ENOSPC when one did not fit its place.
 */
static int receive(struct nl *nl, size_t ret_lengths[static RDMA_PLACES])
{
	const size_t size = nl->buffer_size / nl->places;
	struct sockaddr_nl senders[RDMA_PLACES] = { { 0 } };
	struct mmsghdr packets[RDMA_PLACES];
	struct iovec places[RDMA_PLACES];
	int count;

	for (size_t i = 0; i < nl->places; i++) {
		places[i] = (struct iovec){ nl->buffer + i * size, size };
		packets[i] = (struct mmsghdr){
			.msg_hdr.msg_name = &senders[i],
			.msg_hdr.msg_namelen = sizeof(senders[i]),
			.msg_hdr.msg_iov = &places[i],
			.msg_hdr.msg_iovlen = 1,
		};
	}
	do {
		count = recvmmsg(mnl_socket_get_fd(nl->socket), packets, (unsigned int)nl->places,
				 MSG_WAITFORONE, NULL);
	} while (count < 0 && errno == EINTR);
	for (int i = 0; i < count; i++) {
		/* In a pod's namespace its processes may send to this socket too (netlink(7)). */
		const bool is_kernel = senders[i].nl_pid == 0;

		if (is_kernel && packets[i].msg_hdr.msg_flags & MSG_TRUNC)
			return -ENOSPC;
		ret_lengths[i] = is_kernel ? packets[i].msg_len : 0;
	}
	return count < 0 ? -errno : count;
}

/* libmnl's callbacks answer with values of its own. */
struct walk {
	nl_attribute_callback callback;
	void *data;
	int result;
};

static int walk_attribute(const struct nlattr *attribute, void *data)
{
	struct walk *walk = data;

	walk->result = walk->callback(attribute, walk->data);
	if (walk->result < 0)
		return MNL_CB_ERROR;
	return walk->result > 0 ? MNL_CB_STOP : MNL_CB_OK;
}

int nl_each_attribute(const struct nlmsghdr *message, size_t fixed, nl_attribute_callback callback,
		      void *data)
{
	struct walk walk = { .callback = callback, .data = data };

	if (mnl_nlmsg_get_payload_len(message) < fixed)
		return -EBADMSG;
	(void)mnl_attr_parse(message, (unsigned int)fixed, walk_attribute, &walk);
	return walk.result;
}

int nl_each_nested(const struct nlattr *outer, nl_attribute_callback callback, void *data)
{
	struct walk walk = { .callback = callback, .data = data };

	(void)mnl_attr_parse_nested(outer, walk_attribute, &walk);
	return walk.result;
}

static int find_reason(const struct nlattr *attribute, void *data)
{
	const char **reason = data;

	if (mnl_attr_get_type(attribute) == NLMSGERR_ATTR_MSG &&
	    mnl_attr_validate(attribute, MNL_TYPE_NUL_STRING) >= 0)
		*reason = mnl_attr_get_str(attribute);
	return 0;
}

/* The readable reason that the kernel may send along (NLMSGERR_ATTR_MSG), or NULL. */
static const char *extended_ack(const struct nlmsghdr *message, size_t fixed)
{
	const char *reason = NULL;

	if (!(message->nlmsg_flags & NLM_F_ACK_TLVS) ||
	    nl_each_attribute(message, fixed, find_reason, &reason) < 0)
		return NULL;
	return reason;
}

/* `error` is negative, as the kernel sends it. */
static int refusal(int32_t error, const char *reason, struct error *err)
{
	int r;

	if (error < -ERRNO_MAX)
		return error_set(err, ERROR_INTERNAL, EBADMSG, "cannot read a netlink error");
	r = error_set(err, ERROR_INTERNAL, -error, "the kernel refused");
	if (reason) {
		const size_t length = strlen(err->msg);

		(void)snprintf(err->msg + length, sizeof(err->msg) - length, " (%s)", reason);
	}
	return r;
}

/* NLMSG_ERROR: an ACK if its error is 0. */
static int read_error(const struct nlmsghdr *message, struct error *err)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(message);
	size_t fixed = sizeof(*error);

	/* Taken for a result, an error above 0 would count as success. */
	if (mnl_nlmsg_get_payload_len(message) < sizeof(*error) || error->error > 0)
		return error_set(err, ERROR_INTERNAL, EBADMSG, "cannot read a netlink error");
	if (error->error == 0)
		return 0;
	if (!(message->nlmsg_flags & NLM_F_CAPPED) && error->msg.nlmsg_len > sizeof(error->msg))
		fixed += error->msg.nlmsg_len - sizeof(error->msg);
	return refusal(error->error, extended_ack(message, fixed), err);
}

/* NLMSG_DONE: carries the error that ended a dump early, which libmnl's own loop ignores. */
static int read_done(const struct nlmsghdr *message, struct error *err)
{
	int32_t error = 0;

	if (mnl_nlmsg_get_payload_len(message) >= sizeof(error))
		memcpy(&error, mnl_nlmsg_get_payload(message), sizeof(error));
	if (error >= 0)
		return 0;
	return refusal(error, extended_ack(message, sizeof(error)), err);
}

struct answer {
	nl_callback callback;
	void *data;
	uint32_t sequence;
	uint16_t request_flags;
	bool interrupted;
	bool unfinished; /* the callback has seen enough: only the dump's end is still looked for */
};

static bool is_end(const struct nlmsghdr *message)
{
	return message->nlmsg_type == NLMSG_ERROR || message->nlmsg_type == NLMSG_DONE;
}

/* GO_ON, 0 at the end of the conversation, or a negative errno. */
static int read_message(const struct nlmsghdr *message, struct answer *answer, struct error *err)
{
	int r = 0;

	if (message->nlmsg_seq != answer->sequence)
		return GO_ON;
	if (answer->unfinished) {
		answer->unfinished = !is_end(message);
		return answer->unfinished ? GO_ON : 0;
	}
	if (message->nlmsg_flags & NLM_F_DUMP_INTR)
		answer->interrupted = true;
	if (message->nlmsg_type == NLMSG_ERROR)
		return read_error(message, err);
	if (message->nlmsg_type == NLMSG_DONE)
		return read_done(message, err);
	if (message->nlmsg_type < NLMSG_MIN_TYPE)
		return GO_ON;

	if (answer->callback)
		r = answer->callback(message, answer->data);
	if (r < 0)
		return error_set(err, ERROR_INTERNAL, -r, "cannot read a netlink answer");
	if (r > 0 && (answer->request_flags & NLM_F_DUMP)) {
		/* What it was interrupted by is none of our device. */
		answer->interrupted = false;
		answer->unfinished = true;
		return GO_ON;
	}
	return answer->request_flags & (NLM_F_DUMP | NLM_F_ACK) ? GO_ON : 0;
}

/* libmnl compares lengths as signed numbers: to it, one above 2^31 is shorter than any packet. */
static bool is_whole(const struct nlmsghdr *message, int left)
{
	return mnl_nlmsg_ok(message, left) && message->nlmsg_len <= (uint32_t)left;
}

static int read_packet(const void *packet, size_t length, struct answer *answer, struct error *err)
{
	const struct nlmsghdr *message = packet;
	int left = (int)length;

	while (is_whole(message, left)) {
		const int r = read_message(message, answer, err);

		if (r != GO_ON)
			return r;
		message = mnl_nlmsg_next(message, &left);
	}
	return GO_ON;
}

static int read_packets(const struct nl *nl, const size_t *lengths, size_t count,
			struct answer *answer, struct error *err)
{
	const size_t size = nl->buffer_size / nl->places;
	int r = GO_ON;

	for (size_t i = 0; i < count && r == GO_ON; i++)
		r = read_packet(nl->buffer + i * size, lengths[i], answer, err);
	return r;
}

static int resize_buffer(struct nl *nl, size_t size, struct error *err)
{
	char *buffer = size > BUFFER_BYTES_MAX ? NULL : realloc(nl->buffer, size);

	if (!buffer)
		return error_set(err, ERROR_INTERNAL, ENOSPC,
				 "cannot hold a netlink answer of more than %zu bytes",
				 nl->buffer_size / nl->places);
	nl->buffer = buffer;
	nl->buffer_size = size;
	return 0;
}

/* A packet that did not fit is lost, and a dump with it: have room when it is asked for anew. */
static int grow_buffer(struct nl *nl, struct error *err)
{
	const int r = resize_buffer(nl, nl->buffer_size * 8, err);

	return r < 0 ? r : -EINTR;
}

static int make_room_for_dump(struct nl *nl, struct error *err)
{
	const int r = nl->buffer_size < DUMP_BYTES ? resize_buffer(nl, DUMP_BYTES, err) : 0;

	/* Not of a buffer that stayed small: no answer would fit a part of it. */
	if (r == 0 && nl->protocol == NETLINK_RDMA)
		nl->places = RDMA_PLACES;
	return r;
}

/* -EINTR: a dump that has to be asked for anew. */
static int exchange_once(struct nl *nl, struct nl_request *request, struct answer *answer,
			 struct error *err)
{
	int r = nl->unfinished || !nl->socket ? renew_socket(nl, err) : 0;

	if (r < 0)
		return r;
	r = send_request(nl, request, err);
	if (r < 0)
		return r;
	answer->sequence = nl->sequence;
	do {
		size_t lengths[RDMA_PLACES] = { 0 };
		const int count = receive(nl, lengths);

		/* Whatever ends the loop early leaves answers behind. */
		nl->unfinished = true;
		if (count == -ENOSPC)
			return grow_buffer(nl, err);
		if (count < 0)
			return error_set(err, ERROR_INTERNAL, -count,
					 "cannot receive a netlink answer");
		r = read_packets(nl, lengths, (size_t)count, answer, err);
	} while (r == GO_ON && !answer->unfinished);
	nl->unfinished = answer->unfinished;
	if (r == GO_ON)
		return 0;
	return answer->interrupted && r == 0 ? -EINTR : r;
}

int nl_exchange(struct nl *nl, struct nl_request *request, nl_callback callback, void *data,
		struct error *err)
{
	const struct nlmsghdr *header = (const struct nlmsghdr *)request->bytes;
	struct answer answer = {
		.callback = callback,
		.data = data,
		.request_flags = header->nlmsg_flags,
	};
	const int r = exchange_once(nl, request, &answer, err);

	if (r != -EINTR)
		return r;
	return error_set(err, ERROR_INTERNAL, EINTR, "cannot read a netlink answer to its end");
}

int nl_exchange_dump(struct nl *nl, struct nl_request *request, nl_callback callback,
		     void (*restart)(void *data), void *data, struct error *err)
{
	int r = make_room_for_dump(nl, err);

	if (r < 0)
		return r;
	for (unsigned int i = 0; i <= LIMIT_DUMP_RESTARTS; i++) {
		struct answer answer = {
			.callback = callback,
			.data = data,
			.request_flags = NLM_F_DUMP,
		};

		r = exchange_once(nl, request, &answer, err);
		if (r != -EINTR)
			return r;
		if (restart)
			restart(data);
	}
	return error_set(err, ERROR_BUSY, EBUSY,
			 "cannot read a netlink dump: other changes interrupted it %u times",
			 LIMIT_DUMP_RESTARTS);
}
