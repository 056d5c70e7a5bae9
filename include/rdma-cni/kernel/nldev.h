/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA netlink: the commands of the kernel's nldev client
 * (include/uapi/rdma/rdma_netlink.h, drivers/infiniband/core/nldev.c).
 *
 * Every function opens the conversation in the network namespace of the calling thread, and
 * sees the devices of that namespace alone.
 */
#ifndef RDMA_CNI_KERNEL_NLDEV_H
#define RDMA_CNI_KERNEL_NLDEV_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/kernel/nl.h>
#include <stdint.h>

enum nldev_netns_mode {
	NLDEV_NETNS_EXCLUSIVE, /* a device is in one namespace, and can be moved */
	NLDEV_NETNS_SHARED,    /* every device is in every namespace */
};

struct nldev_device {
	uint32_t index; /* kept when it moves or is renamed; never reused while the machine runs */
	char name[LIMIT_RDMA_NAME_SIZE];
};

int nldev_open(struct nl *ret, struct error *err) must_check nonnull(1, 2);

/* ERROR_NO_RDMA when the kernel knows no RDMA namespaces (before 5.3). */
int nldev_get_netns_mode(struct nl *nl, enum nldev_netns_mode *ret, struct error *err)
	must_check nonnull(1, 2, 3);

/* The device of this index, with its present name. -ENODEV and ERROR_NO_DEVICE if absent. */
int nldev_get(struct nl *nl, uint32_t index, struct nldev_device *ret, struct error *err)
	must_check nonnull(1, 3, 4);

/*
 * ERROR_NETNS_MODE; -EBUSY, and ERROR_BUSY, while any network namespace but the initial one
 * exists, -EPERM without CAP_NET_ADMIN.
 */
int nldev_set_netns_mode(struct nl *nl, enum nldev_netns_mode mode, struct error *err)
	must_check nonnull(1, 3);

/*
 * Look a device up by its name; reading stops there. -ENODEV and ERROR_NO_DEVICE if absent from
 * 1 + LIMIT_DUMP_RESTARTS dumps: one alone may pass over a device while others move.
 */
int nldev_find(struct nl *nl, const char *name, struct nldev_device *ret, struct error *err)
	must_check nonnull(1, 2, 3, 4);

/*
 * Move a device to the namespace of descriptor `netns`. Synchronous: when it returns, the
 * device is registered there, with new character devices. The kernel wants the thread, the
 * socket and the device in one namespace. ERROR_MOVE:
 * -EINVAL or -ENODEV the device is not (any more) in this namespace, -EOPNOTSUPP its driver
 * can't be moved or the mode is shared, -EPERM no CAP_NET_ADMIN.
 */
int nldev_move(struct nl *nl, const struct nldev_device *device, int netns, struct error *err)
	must_check nonnull(1, 2, 4);

/* ERROR_NAME; -EEXIST when any device of the node, in whatever namespace, has that name. */
int nldev_rename(struct nl *nl, const struct nldev_device *device, const char *name,
		 struct error *err) must_check nonnull(1, 2, 3, 4);

#endif
