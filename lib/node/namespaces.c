/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network namespaces, and the RDMA devices in them.
 */
#include "readers.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "read.h"

#define MOUNTS_BYTES (16U << 20)

int add_netns(struct node *node, const struct node_netns *netns, struct error *err)
{
	struct node_netns *grown = read_grow(node->netns, node->netns_count, sizeof(*grown));

	if (!grown)
		return error_no_memory(err);
	node->netns = grown;
	grown[node->netns_count++] = *netns;
	return 0;
}

static int compare_identity(const struct node_netns *a, const struct node_netns *b)
{
	if (a->id.inode != b->id.inode)
		return a->id.inode < b->id.inode ? -1 : 1;
	if (a->id.device != b->id.device)
		return a->id.device < b->id.device ? -1 : 1;
	return 0;
}

/* Of one namespace the oldest process comes first, and names behind all processes. */
static int compare_netns(const void *a, const void *b)
{
	const struct node_netns *left = a;
	const struct node_netns *right = b;
	const int r = compare_identity(left, right);

	if (r != 0 || left->pid == right->pid)
		return r;
	if (left->pid == 0 || right->pid == 0)
		return left->pid == 0 ? 1 : -1;
	return left->pid < right->pid ? -1 : 1;
}

void sort_netns(struct node *node)
{
	size_t kept = 0;

	if (node->netns_count == 0)
		return;
	qsort(node->netns, node->netns_count, sizeof(*node->netns), compare_netns);
	for (size_t i = 1; i < node->netns_count; i++) {
		struct node_netns *last = &node->netns[kept];

		if (compare_identity(last, &node->netns[i]) != 0)
			node->netns[++kept] = node->netns[i];
		else if (last->path[0] == '\0')
			memcpy(last->path, node->netns[i].path, sizeof(last->path));
	}
	node->netns_count = kept + 1;
}

size_t find_netns(const struct node *node, uint64_t device, uint64_t inode)
{
	const struct node_netns wanted = { .id = { .device = device, .inode = inode } };
	size_t low = 0;
	size_t high = node->netns_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int r = compare_identity(&wanted, &node->netns[middle]);

		if (r == 0)
			return middle;
		if (r < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NODE_NONE;
}

/* "0:4" */
static bool parse_device(const char *text, uint64_t *ret)
{
	char *end;
	const unsigned long number = strtoul(text, &end, 10);

	if (end == text || *end != ':')
		return false;
	*ret = makedev((unsigned int)number, (unsigned int)strtoul(end + 1, NULL, 10));
	return true;
}

/* "net:[4026532567]" */
static bool parse_inode(const char *text, uint64_t *ret)
{
	static const char start[] = "net:[";

	if (strncmp(text, start, strlen(start)) != 0)
		return false;
	*ret = strtoull(text + strlen(start), NULL, 10);
	return true;
}

/* "415 26 0:4 net:[4026532567] /run/netns/a rw shared:5 - nsfs nsfs rw" (proc_pid_mountinfo(5)) */
static bool parse_mount(char *line, uint64_t own, struct node_netns *ret)
{
	const char *fields[5] = { NULL };
	char *rest = line;

	*ret = (struct node_netns){ 0 };
	if (!strstr(line, " - nsfs "))
		return false;
	for (size_t i = 0; i < array_size(fields); i++) {
		fields[i] = strsep(&rest, " ");
		if (!fields[i])
			return false;
	}
	return parse_device(fields[2], &ret->id.device) && parse_inode(fields[3], &ret->id.inode) &&
	       ret->id.inode != own && parse_copy(ret->path, sizeof(ret->path), fields[4]);
}

int read_mounts(const struct node *node, const char *table, netns_callback each, void *data)
{
	struct text cleanup_text mounts = { 0 };
	struct node_netns netns;
	struct stat own;
	char *rest;
	int r = root_read_file(node->root, table, MOUNTS_BYTES, &mounts);

	if (r == 0 && stat("/proc/self/ns/net", &own) < 0)
		r = -errno;
	if (r < 0 || !mounts.data)
		return r;
	for (char *line = strtok_r(mounts.data, "\n", &rest); r == 0 && line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (parse_mount(line, own.st_ino, &netns))
			r = each(&netns, data);
	}
	return r;
}

static int add_mounted(const struct node_netns *netns, void *data)
{
	struct error ignored;

	return add_netns(data, netns, &ignored);
}

/* In the mount namespace of the first process: there container runtimes keep theirs. */
static int add_names(struct node *node, struct error *err)
{
	const char *table = node->is_privileged ? "proc/1/mountinfo" : "proc/self/mountinfo";
	const int r = read_mounts(node, table, add_mounted, node);

	if (r == -ENOMEM)
		return error_no_memory(err);
	if (r < 0)
		node->processes_are_known = false;
	sort_netns(node);
	return 0;
}

int node_open_netns(const struct node_netns *netns, int *ret, struct error *err)
{
	char path[READ_PATH_SIZE];

	if (netns->pid > 0)
		(void)snprintf(path, sizeof(path), "/proc/%d/ns/net", (int)netns->pid);
	else
		(void)snprintf(path, sizeof(path), "/proc/1/root%s", netns->path);
	return netns_open(path, ret, err);
}

static int add_away(struct node *node, size_t netns, int sysfs, const char *name, struct error *err)
{
	struct node_away *grown = read_grow(node->away, node->away_count, sizeof(*grown));
	struct node_away *device;

	if (!grown)
		return error_no_memory(err);
	node->away = grown;
	device = &grown[node->away_count];
	if (!parse_copy(device->name, sizeof(device->name), name))
		return 0;
	node->away_count++;
	device->netns = netns;
	read_link(sysfs, device->parent, sizeof(device->parent), "class/infiniband/%s/device",
		  name);
	device->function = node_find_function(node, device->parent);
	if (device->function != NODE_NONE)
		node->functions[device->function].away++;
	return read_ports(sysfs, name, &device->ports, err);
}

/* One that ended meanwhile, or that may not be entered, has nothing that could be told. */
static int look_into(struct node *node, size_t at, struct error *err)
{
	struct names cleanup_names devices = { 0 };
	struct netns_id id = { 0 };
	int cleanup_close sysfs = -1;
	int cleanup_close fd = -1;
	int r = node_open_netns(&node->netns[at], &fd, err);

	if (r == 0)
		r = netns_identify(fd, true, &id, err);
	if (r == 0)
		r = netns_open_sysfs(fd, &sysfs, err);
	if (r < 0)
		return error_is_shortage(r) ? r : 0;
	node->netns[at].id.cookie = id.cookie;
	if (read_names(sysfs, &devices, "class/infiniband") < 0)
		return error_no_memory(err);
	for (size_t i = 0; r == 0 && i < devices.count; i++)
		r = add_away(node, at, sysfs, devices.items[i], err);
	return r;
}

int read_namespaces(struct node *node, struct error *err)
{
	int r = node->is_live ? add_names(node, err) : 0;

	/* In mode shared every device is in every namespace: nothing is away. */
	if (r < 0 || !node->is_live || !node->is_privileged || node->mode != NODE_MODE_EXCLUSIVE)
		return r;
	for (size_t i = 0; r == 0 && i < node->netns_count; i++)
		r = look_into(node, i, err);
	return r;
}
