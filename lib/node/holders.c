/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds network namespaces.
 */
#include "holders.h"

#include <errno.h>
#include <inttypes.h>
#include <rdma-cni/base/parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read.h"

/* A container runtime names a container's cgroup after it, systemd a unit's after that. */
static void describe_process(const struct node *node, pid_t pid, char *ret, size_t size)
{
	char name[32];
	char cgroup[512];
	const char *last;

	read_line(node->root, name, sizeof(name), "proc/%d/comm", (int)pid);
	read_line(node->root, cgroup, sizeof(cgroup), "proc/%d/cgroup", (int)pid);
	last = strrchr(cgroup, '/');
	(void)snprintf(ret, size, "process %d (%s%s%.200s)", (int)pid, name,
		       last && last[1] != '\0' ? ", in " : "", last ? last + 1 : "");
}

static int add_line(struct names *ret, uint64_t inode, const char *words, const char *what)
{
	char line[640];

	(void)snprintf(line, sizeof(line), "namespace %" PRIu64 ": %s%s", inode, words, what);
	return names_add(ret, line);
}

static int add_known(const struct node *node, struct names *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < node->netns_count; i++) {
		const struct node_netns *netns = &node->netns[i];
		char process[320];

		if (netns->pid > 0) {
			describe_process(node, netns->pid, process, sizeof(process));
			r = add_line(ret, netns->id.inode, "", process);
		}
		if (r == 0 && netns->path[0] != '\0')
			r = add_line(ret, netns->id.inode, "mounted on ", netns->path);
	}
	return r;
}

static bool is_known(const struct node *node, uint64_t inode)
{
	for (size_t i = 0; i < node->netns_count; i++) {
		if (node->netns[i].id.inode == inode)
			return true;
	}
	return false;
}

/* "net:[4026532567]" among a process's open files: a namespace that nothing else may hold. */
static int look_at_file(const struct node *node, pid_t pid, const char *file, uint64_t own,
			struct names *ret)
{
	static const char start[] = "net:[";
	char link[64];
	char process[320];
	uint64_t inode;

	read_link(node->root, link, sizeof(link), "proc/%d/fd/%s", (int)pid, file);
	if (strncmp(link, start, strlen(start)) != 0)
		return 0;
	inode = strtoull(link + strlen(start), NULL, 10);
	if (inode == own || is_known(node, inode))
		return 0;
	describe_process(node, pid, process, sizeof(process));
	return add_line(ret, inode, "open in ", process);
}

static int add_open(const struct node *node, struct names *ret)
{
	struct names cleanup_names processes = { 0 };
	struct stat own;
	int r = read_names(node->root, &processes, "proc");

	if (r < 0 || stat("/proc/self/ns/net", &own) < 0)
		return r;
	for (size_t i = 0; r == 0 && i < processes.count; i++) {
		struct names cleanup_names files = { 0 };
		uint64_t pid;

		if (!parse_u64(processes.items[i], &pid) || pid > INT32_MAX)
			continue;
		r = read_names(node->root, &files, "proc/%d/fd", (int)pid);
		for (size_t j = 0; r == 0 && j < files.count; j++)
			r = look_at_file(node, (pid_t)pid, files.items[j], own.st_ino, ret);
	}
	return r;
}

int list_holders(const struct node *node, struct names *ret)
{
	const int r = add_known(node, ret);

	return r < 0 ? r : add_open(node, ret);
}
