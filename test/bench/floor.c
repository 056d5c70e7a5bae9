/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a plugin has to do, to compare ours with: of the environment and the configuration
 * only what names the device and the pod is read, nothing is checked, locked, noted or logged, and
 * the devices are read one by one until ours comes. Not a plugin: scripts/bench alone runs it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_BYTES 1024U
#define INPUT_BYTES 8192U

struct device {
	const char *name; /* NULL: any */
	uint32_t index;
	bool found;
};

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

static struct mnl_socket *open_rdma(void)
{
	struct mnl_socket *socket = mnl_socket_open(NETLINK_RDMA);

	if (!socket)
		die("NETLINK_RDMA");
	return socket;
}

static struct nlmsghdr *prepare(char *buffer, int command, int flags)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);

	header->nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
	header->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
	return header;
}

static int read_attribute(const struct nlattr *attribute, void *data)
{
	struct device *device = data;

	if (mnl_attr_get_type(attribute) == RDMA_NLDEV_ATTR_DEV_INDEX)
		device->index = mnl_attr_get_u32(attribute);
	if (mnl_attr_get_type(attribute) == RDMA_NLDEV_ATTR_DEV_NAME)
		device->found = !device->name ||
				strcmp(mnl_attr_get_str(attribute), device->name) == 0;
	return MNL_CB_OK;
}

static void ask_for_all(struct mnl_socket *socket, const struct nlmsghdr *message)
{
	if (mnl_socket_sendto(socket, message, message->nlmsg_len) < 0)
		die("cannot ask for devices");
}

/* Of this network namespace, by its name or the first one. */
static uint32_t find(const char *name)
{
	struct mnl_socket *socket = open_rdma();
	struct device device = { .name = name };
	char buffer[MESSAGE_BYTES];
	struct nlmsghdr *message = prepare(buffer, RDMA_NLDEV_CMD_GET, NLM_F_DUMP);

	ask_for_all(socket, message);
	while (!device.found) {
		if (mnl_socket_recvfrom(socket, buffer, sizeof(buffer)) < 0)
			die("cannot read the devices");
		if (message->nlmsg_type == NLMSG_ERROR)
			die("there is no list of devices");
		/* The list passes over a device when one before it leaves meanwhile. */
		if (message->nlmsg_type == NLMSG_DONE)
			ask_for_all(socket, prepare(buffer, RDMA_NLDEV_CMD_GET, NLM_F_DUMP));
		else
			(void)mnl_attr_parse(message, 0, read_attribute, &device);
	}
	(void)mnl_socket_close(socket);
	return device.index;
}

static void move(uint32_t index, int netns)
{
	struct mnl_socket *socket = open_rdma();
	char buffer[MESSAGE_BYTES];
	struct nlmsghdr *message = prepare(buffer, RDMA_NLDEV_CMD_SET, NLM_F_ACK);
	ssize_t length;

	mnl_attr_put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	mnl_attr_put_u32(message, RDMA_NLDEV_NET_NS_FD, (uint32_t)netns);
	if (mnl_socket_sendto(socket, message, message->nlmsg_len) < 0)
		die("cannot ask for the move");
	length = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
	if (length < 0 || mnl_cb_run(buffer, (size_t)length, 0, 0, NULL, NULL) < 0)
		die("cannot move the device");
	(void)mnl_socket_close(socket);
}

static int open_netns(const char *path)
{
	const int netns = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (netns < 0)
		die("CNI_NETNS");
	return netns;
}

/* The RDMA device of the "deviceID" in standard input. */
static void read_name(char *ret, size_t size)
{
	static char input[INPUT_BYTES];
	char path[128];
	const char *address;
	const struct dirent *entry;
	DIR *devices;

	if (read(STDIN_FILENO, input, sizeof(input) - 1) < 0)
		die("standard input");
	address = strstr(input, "\"deviceID\":\"");
	if (!address)
		die("deviceID");
	address += strlen("\"deviceID\":\"");
	(void)snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.*s/infiniband",
		       (int)strcspn(address, "\""), address);
	devices = opendir(path);
	if (!devices)
		die(path);
	ret[0] = '\0';
	while ((entry = readdir(devices))) {
		if (entry->d_name[0] != '.')
			(void)snprintf(ret, size, "%s", entry->d_name);
	}
	(void)closedir(devices);
}

int main(void)
{
	const char *command = getenv("CNI_COMMAND");
	const char *netns = getenv("CNI_NETNS");
	char name[256];

	if (!command)
		die("CNI_COMMAND");
	if (strcmp(command, "VERSION") == 0) {
		(void)puts("{\"cniVersion\":\"1.1.0\",\"supportedVersions\":[\"1.1.0\"]}");
	} else if (strcmp(command, "ADD") == 0) {
		read_name(name, sizeof(name));
		move(find(name), open_netns(netns));
		(void)puts("{\"cniVersion\":\"1.1.0\"}");
	} else {
		const int home = open_netns("/proc/self/ns/net");
		const bool is_del = strcmp(command, "DEL") == 0;
		uint32_t index;

		if (setns(open_netns(netns), CLONE_NEWNET) < 0)
			die("setns");
		index = find(NULL);
		if (is_del)
			move(index, home);
	}
	return 0;
}
