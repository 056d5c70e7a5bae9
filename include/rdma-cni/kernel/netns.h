/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network namespaces: open one, tell it from others, look into it, go there and come back.
 */
#ifndef RDMA_CNI_KERNEL_NETNS_H
#define RDMA_CNI_KERNEL_NETNS_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which namespace it is. Device and inode identify a living one, but are used again after
 * its end; the cookie (SO_NETNS_COOKIE, Linux 5.14) never is. 0: unknown.
 */
struct netns_id {
	uint64_t device;
	uint64_t inode;
	uint64_t cookie;
};

/* "01234567-89ab-cdef-0123-456789abcdef" and its terminator. */
#define NETNS_BOOT_ID_SIZE 37U

/*
 * A descriptor of the network namespace at `path`. ERROR_ENVIRONMENT when there is
 * nothing, or something that is no network namespace.
 */
int netns_open(const char *path, int *ret, struct error *err) must_check nonnull(1, 2, 3);

/*
 * The namespace that the process was in at the first call: a descriptor that stays open for all
 * the visits to come, and is not the caller's to close. ERROR_INTERNAL.
 */
int netns_home(struct error *err) must_check nonnull(1);

/* Device and inode; with `cookie` also that, which needs a visit. ERROR_INTERNAL. */
int netns_identify(int netns, bool cookie, struct netns_id *ret, struct error *err)
	must_check nonnull(3, 4);

/* Is this socket in a namespace of the recorded cookie, as far as both are known? */
bool netns_cookie_agrees(const struct netns_id *id, int socket) nonnull(1);

/* The same device and inode, and no cookie that says otherwise. */
bool netns_id_equal(const struct netns_id *a, const struct netns_id *b) nonnull(1, 2);

/*
 * A descriptor of the living namespace `id`: at `path` if it is still there, else wherever a
 * process or a name in /run/netns holds it. -ENOENT when it is gone, another negative errno when
 * that can't be told.
 */
int netns_find(const struct netns_id *id, const char *path) must_check nonnull(1, 2);

/*
 * A descriptor of the first namespace other than our own for which `match` is 1, among those that
 * a process or a name in /run/netns holds. -ENOENT when there is none, another negative errno,
 * which `match` too may give instead of 0, when that can't be told.
 */
typedef int (*netns_match)(int netns, void *data);

int netns_search(netns_match match, void *data) must_check nonnull(1);

/*
 * A descriptor of the sysfs that a process in `netns` would mount, without mounting it
 * anywhere (fsopen(2), Linux 5.2).
 */
int netns_open_sysfs(int netns, int *ret, struct error *err) must_check nonnull(2, 3);

/*
 * Go there until the end of the scope. Coming back is not allowed to fail: a process that
 * can't leave a pod's namespace must not go on.
 *
 *	struct netns_visit cleanup_netns visit = NETNS_AT_HOME;
 *	r = netns_enter(fd, &visit, err);
 */
struct netns_visit {
	int home;
};

#define NETNS_AT_HOME ((struct netns_visit){ .home = -1 })

int netns_enter(int netns, struct netns_visit *ret, struct error *err) must_check nonnull(2, 3);
void netns_return(struct netns_visit *visit) nonnull(1);

#define cleanup_netns cleanup(netns_return)

/*
 * This boot's ID; empty where /proc has none. Namespace identities are worth nothing after. A
 * negative errno when it can't be read.
 */
int netns_boot_id(char ret[static NETNS_BOOT_ID_SIZE]) must_check nonnull(1);

#endif
