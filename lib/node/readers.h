/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of node_read(), in the order in which they are called. Each returns 0, or a negative
 * errno with `err` filled: mostly that memory is short, for what can't be read is unknown.
 */
#ifndef RDMA_CNI_NODE_READERS_H
#define RDMA_CNI_NODE_READERS_H

#include <rdma-cni/node/node.h>
#include <sys/stat.h>

/* Release, mode, modules of the running kernel and its driver stack. */
int read_kernel(struct node *node, struct error *err) must_check nonnull(1, 2);
/* What modprobe.d, the command line and the module indexes say (libkmod). */
int read_modules(struct node *node, struct error *err) must_check nonnull(1, 2);
/* PCI and scalable functions. */
int read_functions(struct node *node, struct error *err) must_check nonnull(1, 2);
/* RDMA devices and character devices; completes the functions. */
int read_rdma(struct node *node, struct error *err) must_check nonnull(1, 2);
/* Administrative MACs of the VFs (rtnetlink, libnl-route) and GUIDs (there, and in sysfs). */
int read_vfs(struct node *node, struct error *err) must_check nonnull(1, 2);
/* What devlink says of functions that should have an RDMA device, and RoCE (libnl-genl). */
int read_params(struct node *node, struct error *err) must_check nonnull(1, 2);
/* Runtimes, shared device plugin, namespaces that processes are in. */
int read_processes(struct node *node, struct error *err) must_check nonnull(1, 2);
/* Namespaces that have a name, and the RDMA devices in all of them. */
int read_namespaces(struct node *node, struct error *err) must_check nonnull(1, 2);
/* The plugin, those beside it, its state directory. */
int read_plugins(struct node *node, struct error *err) must_check nonnull(1, 2);
int read_attachments(struct node *node, struct error *err) must_check nonnull(1, 2);

/* The ports of an RDMA device in this view of sysfs. */
int read_ports(int sysfs, const char *device, struct node_ports *ret, struct error *err)
	must_check nonnull(2, 3, 4);

/*
 * The control group of a process: a container runtime names a container's after it, systemd a
 * unit's. Of several hierarchies the longest path. "" when it can't be read. -ENOMEM.
 */
int read_cgroup(int root, pid_t pid, char *ret, size_t size) must_check nonnull(3);

/* Was the module loaded from the initramfs? False also when that can't be told. -ENOMEM. */
int find_initramfs_module(const struct node *node, const char *name, bool *ret)
	must_check nonnull(1, 2, 3);
/* The running kernel's, if it is older than the file: it can't have that inside. */
void find_older_initramfs(struct node *node, const struct stat *file) nonnull(1, 2);

/*
 * Call `each` for every mount of a network namespace, not our own, that is in a table such as
 * "proc/1/mountinfo". Negative errno of the reading, or the callback's.
 */
typedef int (*netns_callback)(const struct node_netns *netns, void *data);

int read_mounts(const struct node *node, const char *table, netns_callback each, void *data)
	must_check nonnull(1, 2, 3);

/* Add a namespace; those in which a process is, first. */
int add_netns(struct node *node, const struct node_netns *netns, struct error *err)
	must_check nonnull(1, 2, 3);
/* In the order of their identities, each once. */
void sort_netns(struct node *node) nonnull(1);
/* Of that identity; NODE_NONE. */
size_t find_netns(const struct node *node, uint64_t device, uint64_t inode) nonnull(1);

#endif
