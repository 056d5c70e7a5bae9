/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One move of one RDMA device, alone on the node.
 *
 * The kernel gives a moved device the lowest free character device numbers: two moves
 * at a time can swap those of two pods. So each one happens under the node's lock, and
 * the numbers before and after are compared.
 */
#ifndef RDMA_CNI_ATTACH_MOVE_H
#define RDMA_CNI_ATTACH_MOVE_H

#include <rdma-cni/attach/attach.h>
#include <rdma-cni/kernel/function.h>

/* From the host, where it is `device->host_name`, to `netns`. Fills the character devices. */
int move_to_pod(const struct attach_node *node, const struct function *function,
		struct entry_device *device, int netns, struct error *err)
	must_check nonnull(1, 2, 3, 5);

/* From `netns`, where it is `name`, to the host. */
int move_home(const struct attach_node *node, const struct function *function, const char *name,
	      int netns, struct error *err) must_check nonnull(1, 2, 3, 5);

/* "issm3, uverbs3, umad3" of the RDMA device of this name, wherever it is; "" when unknown. */
void read_char_devices(const struct attach_node *node, const struct function *function,
		       const char *name, char *ret, size_t size) nonnull(1, 2, 3, 4);

/* Give a device another name, in `netns` or, with -1, on the host. */
int rename_device(int netns, const char *from, const char *to, struct error *err)
	must_check nonnull(2, 3, 4);

#endif
