/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One move of one RDMA device, alone on the node.
 *
 * The kernel gives a moved device the lowest free character device numbers: two moves
 * at a time can swap those of two pods. So each one happens under the node's lock, which is
 * held for the move alone, and the numbers before and after are compared.
 */
#ifndef RDMA_CNI_ATTACH_MOVE_H
#define RDMA_CNI_ATTACH_MOVE_H

#include <rdma-cni/attach/attach.h>
#include <rdma-cni/kernel/function.h>
#include <rdma-cni/kernel/netns.h>
#include <rdma-cni/kernel/nl.h>

/*
 * Note what a device is now, on the host, where it is `device->host_name`: its character devices
 * and its index. `nl` is the host's.
 */
int note_device(const struct attach_node *node, struct nl *nl, const struct function *function,
		struct entry_device *device, struct error *err) must_check nonnull(1, 2, 3, 4, 5);

/*
 * Move a noted device from the host to `netns`. Sets `device->moved_char_devices` if they are other
 * ones then.
 */
int move_to_pod(const struct attach_node *node, struct nl *nl, const struct function *function,
		struct entry_device *device, int netns, struct error *err)
	must_check nonnull(1, 2, 3, 4, 6);

/* From `netns`, where it is `name`, to the host. */
int move_home(const struct attach_node *node, const struct function *function, const char *name,
	      int netns, struct error *err) must_check nonnull(1, 2, 3, 5);

/*
 * The same for all devices of an entry of this boot, which are known by their indices: whatever
 * they are called in `netns`. -ENODEV when one is not there, or the namespace is not the entry's.
 */
int move_noted_home(const struct attach_node *node, const struct function *function,
		    const struct entry *entry, int netns, bool *ret_renamed, struct error *err)
	must_check nonnull(1, 2, 3, 5, 6);

/* "issm3, uverbs3, umad3" of the RDMA device of this name, wherever it is; "" when unknown. */
void read_char_devices(const struct attach_node *node, const struct function *function,
		       const char *name, char *ret, size_t size) nonnull(1, 2, 3, 4);

/* Give a device another name, in `netns` or, with -1, on the host. */
int rename_device(int netns, const char *from, const char *to, struct error *err)
	must_check nonnull(2, 3, 4);

#endif
