/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes: container runtimes, a shared RDMA device plugin, and who is in which namespace.
 */
#include "readers.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read.h"

#define LIMITS_BYTES (64U << 10)
#define CGROUP_BYTES (64U << 10)
#define UNIT_BYTES (256U << 10)

/* The kernel cuts a process's name behind 15 bytes. */
#define SHARED_PLUGIN "k8s-rdma-shared"

/* <namespace>_<pod>_<uid>: its DaemonSet is rdma-shared-dp-ds everywhere. */
#define POD_LOGS "var/log/pods"
#define SHARED_POD "_rdma-shared-dp"

/* The unit is for when the control group does not tell. */
static const struct {
	const char *process;
	const char *unit;
} runtimes[] = {
	{ "containerd", "containerd.service" }, { "crio", "crio.service" },
	{ "dockerd", "docker.service" },	{ "k3s-server", "k3s.service" },
	{ "k3s-agent", "k3s-agent.service" },
};

/* From the one that counts least (systemd.unit(5)). */
static const char *const unit_directories[] = {
	"lib/systemd/system",
	"usr/lib/systemd/system",
	"run/systemd/system",
	"etc/systemd/system",
};

/* "Max locked memory  8388608  8388608  bytes": the first one is what a process starts with. */
static void read_memlock(const struct node *node, struct node_runtime *runtime)
{
	static const char label[] = "Max locked memory";
	struct text cleanup_text limits = { 0 };
	char path[READ_PATH_SIZE];
	const char *line;
	char value[24];

	(void)snprintf(path, sizeof(path), "proc/%d/limits", (int)runtime->pid);
	if (root_read_file(node->root, path, LIMITS_BYTES, &limits) < 0 || !limits.data)
		return;
	line = strstr(limits.data, label);
	if (!line || sscanf(line + strlen(label), "%23s", value) != 1)
		return;
	runtime->memlock = UINT64_MAX;
	runtime->has_limit = strcmp(value, "unlimited") == 0 || parse_u64(value, &runtime->memlock);
}

/* A line of its own; the last one counts, and an empty value takes earlier ones back. */
static int read_unit_file(int root, const char *path, char ret[static 32])
{
	static const char key[] = "\nLimitMEMLOCK=";
	const int cleanup_close fd = openat(root, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct text cleanup_text text = { 0 };
	const char *at;

	text_add_string(&text, "\n");
	if (fd < 0 || io_read_all(fd, UNIT_BYTES, &text) < 0 || text.failed)
		return text.failed ? -ENOMEM : 0;
	for (at = text.data; at && (at = strstr(at, key)); at++)
		(void)snprintf(ret, 32, "%.*s", (int)strcspn(at + strlen(key), "\n"),
			       at + strlen(key));
	return 0;
}

static int read_unit(const struct node *node, const char *unit, struct node_runtime *runtime)
{
	char path[READ_PATH_SIZE];
	int r = 0;

	for (size_t i = 0; r == 0 && i < array_size(unit_directories); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", unit_directories[i], unit);
		r = read_unit_file(node->root, path, runtime->unit_limit);
	}
	for (size_t i = 0; r == 0 && i < array_size(unit_directories); i++) {
		struct names cleanup_names files = { 0 };

		r = read_names(node->root, &files, "%s/%s.d", unit_directories[i], unit);
		for (size_t j = 0; r == 0 && j < files.count; j++) {
			(void)snprintf(path, sizeof(path), "%s/%s.d/%s", unit_directories[i], unit,
				       files.items[j]);
			r = read_unit_file(node->root, path, runtime->unit_limit);
		}
	}
	return r;
}

/* "12:pids:/system.slice/containerd.service": the path is behind the second colon. */
int read_cgroup(int root, pid_t pid, char *ret, size_t size)
{
	struct text cleanup_text text = { 0 };
	char path[READ_PATH_SIZE];
	size_t longest = 0;
	char *rest;
	int r;

	ret[0] = '\0';
	(void)snprintf(path, sizeof(path), "proc/%d/cgroup", (int)pid);
	r = root_read_file(root, path, CGROUP_BYTES, &text);
	if (r < 0 || !text.data)
		return r == -ENOMEM ? r : 0;
	for (char *line = strtok_r(text.data, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *controllers = strchr(line, ':');
		const char *group = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!group || strlen(group + 1) <= longest)
			continue;
		longest = strlen(group + 1);
		(void)snprintf(ret, size, "%s", group + 1);
	}
	return 0;
}

/* The first of its control groups that is a service: k3s has containerd in its own. */
static bool find_unit(char *cgroup, char *ret, size_t size)
{
	static const char suffix[] = ".service";
	char *rest;

	for (const char *part = strtok_r(cgroup, "/", &rest); part;
	     part = strtok_r(NULL, "/", &rest)) {
		const size_t length = strlen(part);

		if (length > strlen(suffix) && length < size &&
		    strcmp(part + length - strlen(suffix), suffix) == 0) {
			memcpy(ret, part, length + 1);
			return true;
		}
	}
	return false;
}

static int add_runtime(struct node *node, pid_t pid, const char *name, const char *unit)
{
	char cgroup[512];
	struct node_runtime *grown = read_grow(node->runtimes, node->runtime_count, sizeof(*grown));
	struct node_runtime *runtime;

	if (!grown)
		return -ENOMEM;
	node->runtimes = grown;
	if (read_cgroup(node->root, pid, cgroup, sizeof(cgroup)) < 0)
		return -ENOMEM;
	runtime = &grown[node->runtime_count++];
	runtime->pid = pid;
	if (!find_unit(cgroup, runtime->unit, sizeof(runtime->unit)))
		(void)snprintf(runtime->unit, sizeof(runtime->unit), "%s", unit);
	(void)snprintf(runtime->name, sizeof(runtime->name), "%s", name);
	read_memlock(node, runtime);
	return read_unit(node, runtime->unit, runtime);
}

static int look_at_name(struct node *node, pid_t pid)
{
	char name[32];

	read_line(node->root, name, sizeof(name), "proc/%d/comm", (int)pid);
	if (strcmp(name, SHARED_PLUGIN) == 0)
		node->shared_plugin = pid;
	for (size_t i = 0; i < array_size(runtimes); i++) {
		if (strcmp(name, runtimes[i].process) == 0)
			return add_runtime(node, pid, name, runtimes[i].unit);
	}
	return 0;
}

/* Each process's namespace: they are sorted out afterwards. */
static int look_at_netns(struct node *node, pid_t pid, const struct stat *own, struct error *err)
{
	struct node_netns netns = { .pid = pid };
	struct stat status;
	char path[64];

	(void)snprintf(path, sizeof(path), "proc/%d/ns/net", (int)pid);
	if (fstatat(node->root, path, &status, 0) < 0) {
		/* A process that ended meanwhile, or has ended but for its parent, is in none. */
		if (errno == EACCES || errno == EPERM)
			node->processes_are_known = false;
		return 0;
	}
	if (status.st_ino == own->st_ino)
		return 0;
	netns.id.device = status.st_dev;
	netns.id.inode = status.st_ino;
	return add_netns(node, &netns, err);
}

/*
 * It ends as soon as it has seen mode exclusive, so that its process is hardly ever met where it
 * does harm. The kubelet keeps the logs as long as the pod is on the node.
 */
static int look_for_shared_pod(struct node *node)
{
	struct names cleanup_names pods = { 0 };

	if (read_names(node->root, &pods, "%s", POD_LOGS) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < pods.count; i++) {
		if (strstr(pods.items[i], SHARED_POD))
			(void)snprintf(node->shared_pod, sizeof(node->shared_pod), "%s",
				       pods.items[i]);
	}
	return 0;
}

int read_processes(struct node *node, struct error *err)
{
	struct names cleanup_names names = { 0 };
	struct stat own = { 0 };
	int r = 0;

	node->processes_are_known = node->is_live;
	if (node->is_live && stat("/proc/self/ns/net", &own) < 0)
		node->processes_are_known = false;
	if (read_names(node->root, &names, "proc") < 0 || look_for_shared_pod(node) < 0)
		return error_no_memory(err);
	for (size_t i = 0; r == 0 && i < names.count; i++) {
		uint64_t pid;

		if (!parse_u64(names.items[i], &pid) || pid > INT32_MAX)
			continue;
		node->process_count++;
		if (look_at_name(node, (pid_t)pid) < 0)
			return error_no_memory(err);
		if (node->is_live)
			r = look_at_netns(node, (pid_t)pid, &own, err);
	}
	sort_netns(node);
	return r;
}
