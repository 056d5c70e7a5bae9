/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel may answer. The input is a byte that says what is asked, then packets: each two
 * bytes of length, little-endian, and so many bytes as they stand in the socket. A length with
 * its highest bit set is a receive that fails, with the lower bits for errno.
 *
 * libmnl's socket functions are replaced; lengths, attributes and sequence numbers are read by the
 * real code. The first request has sequence number 1, and so on.
 */
#include "fuzz.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/kernel/nldev.h>
#include <rdma-cni/kernel/vf.h>
#include <rdma/rdma_netlink.h>
#include <sanitizer/asan_interface.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICE "mlx5_2"
#define VF0 "0000:01:10.0"
#define VF1 "0000:01:10.1"
#define FAILS 0x8000U

/* What the kernel still has to say, and the sockets it was asked on. */
static struct {
	const uint8_t *at;
	const uint8_t *end;
	unsigned int opened;
	unsigned int closed;
	unsigned int received;
} kernel;

struct mnl_socket {
	int unused;
};

static struct mnl_socket the_socket;

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	(void)bus;
	(void)flags;
	kernel.opened++;
	return &the_socket;
}

int mnl_socket_get_fd(const struct mnl_socket *socket)
{
	require(socket == &the_socket);
	return -1;
}

int mnl_socket_close(struct mnl_socket *socket)
{
	require(socket == &the_socket);
	kernel.closed++;
	return 0;
}

int mnl_socket_setsockopt(const struct mnl_socket *socket, int type, void *value, socklen_t length)
{
	(void)socket;
	(void)type;
	(void)value;
	(void)length;
	return 0;
}

/* A request of ours is well-formed, whatever was answered before. */
ssize_t mnl_socket_sendto(const struct mnl_socket *socket, const void *request, size_t length)
{
	const struct nlmsghdr *header = request;

	(void)socket;
	require(length <= sizeof(struct nl_request) && mnl_nlmsg_ok(header, (int)length));
	require(header->nlmsg_len == length && (header->nlmsg_flags & NLM_F_REQUEST));
	return (ssize_t)length;
}

static unsigned int left(void)
{
	return (unsigned int)(kernel.end - kernel.at);
}

/* The next packet's length; what says more than there is has the rest. */
static unsigned int next_length(void)
{
	unsigned int length = (unsigned int)kernel.at[0] | (unsigned int)kernel.at[1] << 8;

	kernel.at += 2;
	if (!(length & FAILS) && length > left())
		length = left();
	return length;
}

/* What lies in the buffer behind the packet is nobody's to read. */
static void give(struct mmsghdr *ret, unsigned int length)
{
	char *place = ret->msg_hdr.msg_iov[0].iov_base;
	const size_t size = ret->msg_hdr.msg_iov[0].iov_len;

	ret->msg_hdr.msg_flags = length > size ? MSG_TRUNC : 0;
	ret->msg_len = length > size ? (unsigned int)size : length;
	ASAN_UNPOISON_MEMORY_REGION(place, size);
	memcpy(place, kernel.at, ret->msg_len);
	ASAN_POISON_MEMORY_REGION(place + ret->msg_len, size - ret->msg_len);
	kernel.at += length;
}

static int fail_receive(int errnum)
{
	errno = errnum;
	return -1;
}

/* As the system call: an error behind packets is told by the next call. */
int recvmmsg(int fd, struct mmsghdr *packets, unsigned int places, int flags,
	     struct timespec *timeout)
{
	unsigned int count = 0;

	(void)fd;
	(void)timeout;
	require(flags == MSG_WAITFORONE);
	kernel.received++;
	while (count < places && left() >= 2) {
		const unsigned int length = next_length();

		if (length & FAILS) {
			if (count == 0)
				return fail_receive(length & ~FAILS ? (int)(length & 0x7fU) + 1
								    : EIO);
			kernel.at -= 2;
			break;
		}
		give(&packets[count++], length);
	}
	return count > 0 ? (int)count : fail_receive(ETIME);
}

/* Do these bytes stand somewhere in what the kernel said? */
static bool was_said(const uint8_t *data, size_t size, const void *bytes, size_t length)
{
	return memmem(data, size, bytes, length) != NULL;
}

static void ask_mode(struct nl *nl, struct error *err)
{
	enum nldev_netns_mode mode = (enum nldev_netns_mode)7;
	const int r = nldev_get_netns_mode(nl, &mode, err);

	require_answer(r, err);
	require(r == 0 || err->kind == ERROR_NO_RDMA);
	require(r == 0 ? mode <= NLDEV_NETNS_SHARED : (int)mode == 7);
}

/* A device that is found has the name asked for, and an index that the kernel sent. */
static void ask_device(struct nl *nl, const uint8_t *data, size_t size, struct error *err)
{
	struct nldev_device device = { .index = 4711 };
	const int r = nldev_find(nl, DEVICE, &device, err);

	require_answer(r, err);
	if (r < 0) {
		require(device.index == 4711 && device.name[0] == '\0');
		return;
	}
	require(strcmp(device.name, DEVICE) == 0);
	require(was_said(data, size, DEVICE, sizeof(DEVICE)));
	require(was_said(data, size, &device.index, sizeof(device.index)));
}

/* Only an ACK is a success: an error message with error 0. */
static void change_device(struct nl *nl, const uint8_t *data, size_t size, bool rename,
			  struct error *err)
{
	static const struct nldev_device device = { .index = 7, .name = DEVICE };
	static const uint8_t error_type[] = { NLMSG_ERROR, 0 };
	static const uint8_t done_type[] = { NLMSG_DONE, 0 };
	const int r = rename ? nldev_rename(nl, &device, "pod_a", err)
			     : nldev_move(nl, &device, 42, err);

	require_answer(r, err);
	require(r == 0 || err->kind == (rename ? ERROR_NAME : ERROR_MOVE));
	if (r == 0)
		require(was_said(data, size, error_type, sizeof(error_type)) ||
			was_said(data, size, done_type, sizeof(done_type)));
}

/* A sysfs with one PF of two VFs, made once. */
static int open_sysfs(void)
{
	static int root = -1;

	if (root >= 0)
		return root;
	root = fuzz_directory();
	require(mkdirat(root, "class", 0700) == 0 && mkdirat(root, "class/net", 0700) == 0);
	require(mkdirat(root, "class/net/eth0", 0700) == 0);
	require(mkdirat(root, "class/net/eth0/device", 0700) == 0);
	require(symlinkat("../" VF0, root, "class/net/eth0/device/virtfn0") == 0);
	require(symlinkat("../" VF1, root, "class/net/eth0/device/virtfn1") == 0);
	return root;
}

/* Only VFs that are there, each once, whatever MAC addresses the kernel says they have. */
static void ask_vfs(struct error *err)
{
	static const uint8_t mac[VF_MAC_LENGTH] = { 2, 0, 0, 0, 0, 1 };
	struct names cleanup_names found = { 0 };
	const int r = vf_find_by_mac(open_sysfs(), mac, &found, err);

	require_answer(r, err);
	require(r == 0 || found.count == 0);
	require(found.count <= 2);
	for (size_t i = 0; i < found.count; i++)
		require(strcmp(found.items[i], VF0) == 0 || strcmp(found.items[i], VF1) == 0);
	require(found.count < 2 || strcmp(found.items[0], found.items[1]) != 0);
}

/* A device that is got has the index asked for, and a name that the kernel sent. */
static void ask_index(struct nl *nl, const uint8_t *data, size_t size, struct error *err)
{
	struct nldev_device device = { .index = 4711 };
	const int r = nldev_get(nl, 7, &device, err);

	require_answer(r, err);
	require(device.index == (r < 0 ? 4711 : 7));
	if (r == 0)
		require(was_said(data, size, device.name, strlen(device.name) + 1));
}

enum operation { ASK_MODE, ASK_DEVICE, MOVE, RENAME, ASK_VFS, ASK_INDEX, OPERATIONS };

static void ask(enum operation operation, const uint8_t *data, size_t size, struct error *err)
{
	struct nl cleanup_nl nl = NL_CLOSED;

	if (operation == ASK_VFS) {
		ask_vfs(err);
		return;
	}
	require(nldev_open(&nl, err) == 0);
	if (operation == ASK_MODE)
		ask_mode(&nl, err);
	else if (operation == ASK_DEVICE)
		ask_device(&nl, data, size, err);
	else if (operation == ASK_INDEX)
		ask_index(&nl, data, size, err);
	else
		change_device(&nl, data, size, operation == RENAME, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { 0 };

	if (size == 0)
		return 0;
	kernel.at = data + 1;
	kernel.end = data + size;
	kernel.opened = 0;
	kernel.closed = 0;
	kernel.received = 0;
	ask((enum operation)(data[0] % OPERATIONS), data, size, &err);
	require(kernel.opened > 0 && kernel.opened == kernel.closed);
	/* Each receive took something; the one that found nothing ended it. */
	require(kernel.received <= size / 2 + 1);
	return 0;
}
