/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds network namespaces.
 */
#include "holders.h"

#include <errno.h>
#include <inttypes.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/kernel/netns.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read.h"
#include "readers.h"

/* With the container or unit that it is in. */
static void describe_process(const struct node *node, pid_t pid, char *ret, size_t size)
{
	char name[32];
	char cgroup[512];
	const char *last;

	read_line(node->root, name, sizeof(name), "proc/%d/comm", (int)pid);
	if (read_cgroup(node->root, pid, cgroup, sizeof(cgroup)) < 0)
		cgroup[0] = '\0';
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

/*
 * An open file of the same file system as our namespace, nsfs: one that was opened where it was
 * mounted has that path for a name, and not "net:[4026532567]", so the name does not tell.
 */
static int look_at_file(const struct node *node, pid_t pid, const char *file,
			const struct stat *own, struct names *ret)
{
	char path[READ_PATH_SIZE];
	char process[320];
	struct error ignored;
	struct stat status;
	int cleanup_close netns = -1;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd/%s", (int)pid, file);
	if (stat(path, &status) < 0 || status.st_dev != own->st_dev ||
	    status.st_ino == own->st_ino || is_known(node, status.st_ino) ||
	    netns_open(path, &netns, &ignored) < 0)
		return 0;
	describe_process(node, pid, process, sizeof(process));
	return add_line(ret, status.st_ino, "open in ", process);
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

		/* What we have open ourselves, somebody else left open for us. */
		if (!parse_u64(processes.items[i], &pid) || pid > INT32_MAX ||
		    (pid_t)pid == getpid())
			continue;
		r = read_names(node->root, &files, "proc/%d/fd", (int)pid);
		for (size_t j = 0; r == 0 && j < files.count; j++)
			r = look_at_file(node, (pid_t)pid, files.items[j], &own, ret);
	}
	return r;
}

/* Mount namespaces that were looked into, and the process by which the present one was found. */
struct elsewhere {
	const struct node *node;
	struct names *lines;
	struct names seen;
	pid_t pid;
};

static int tell_mount(const struct node_netns *netns, void *data)
{
	const struct elsewhere *elsewhere = data;
	char process[320];
	char what[640];

	if (is_known(elsewhere->node, netns->id.inode))
		return 0;
	describe_process(elsewhere->node, elsewhere->pid, process, sizeof(process));
	(void)snprintf(what, sizeof(what), "%s, as seen by %s", netns->path, process);
	return add_line(elsewhere->lines, netns->id.inode, "mounted on ", what);
}

/* What can't be read is another's to tell, or has ended. */
static int look_at_mounts(struct elsewhere *elsewhere)
{
	char path[READ_PATH_SIZE];
	char id[32];
	int r;

	read_link(elsewhere->node->root, id, sizeof(id), "proc/%d/ns/mnt", (int)elsewhere->pid);
	if (id[0] == '\0' || names_contain(&elsewhere->seen, id))
		return 0;
	r = names_add(&elsewhere->seen, id);
	if (r < 0 || elsewhere->pid == 1)
		return r;
	(void)snprintf(path, sizeof(path), "proc/%d/mountinfo", (int)elsewhere->pid);
	return read_mounts(elsewhere->node, path, tell_mount, elsewhere) == -ENOMEM ? -ENOMEM : 0;
}

/* In mount namespaces other than the first process's, which comes first here too. */
static int add_mounts(const struct node *node, struct names *ret)
{
	struct elsewhere elsewhere = { .node = node, .lines = ret, .pid = 1 };
	struct names cleanup_names processes = { 0 };
	int r = read_names(node->root, &processes, "proc");

	if (r == 0)
		r = look_at_mounts(&elsewhere);
	for (size_t i = 0; r == 0 && i < processes.count; i++) {
		uint64_t pid;

		if (!parse_u64(processes.items[i], &pid) || pid > INT32_MAX)
			continue;
		elsewhere.pid = (pid_t)pid;
		r = look_at_mounts(&elsewhere);
	}
	names_done(&elsewhere.seen);
	return r;
}

int list_holders(const struct node *node, struct names *ret)
{
	int r = add_known(node, ret);

	if (r == 0)
		r = add_mounts(node, ret);
	return r < 0 ? r : add_open(node, ret);
}
