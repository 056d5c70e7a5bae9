/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bringing an entry's devices home.
 */
#ifndef RDMA_CNI_ATTACH_DETACH_H
#define RDMA_CNI_ATTACH_DETACH_H

#include <rdma-cni/attach/attach.h>
#include <rdma-cni/kernel/function.h>

/*
 * All RDMA devices of the entry come home under their own names, from `netns` (-1: from nowhere,
 * only names are given back). What is gone or home already is no error; a device that stays in
 * a living namespace is.
 */
int detach_entry(const struct attach_node *node, const struct entry *entry, int netns,
		 struct error *err) must_check nonnull(1, 2, 4);

/* The same for a function of which there is no entry. */
int detach_function(const struct attach_node *node, const struct function *function, int netns,
		    struct error *err) must_check nonnull(1, 2, 4);

/*
 * The entry's devices come home from the namespace it recorded; a dead namespace, another boot and
 * a device that is home already are no errors. `netns` is where they should be, -1 if nobody says:
 * looked at first when it is what the entry recorded, and the place for an entry of the Go plugin,
 * which recorded none (with -1: wherever the device is).
 */
int detach_recorded(const struct attach_node *node, const struct entry *entry, int netns,
		    struct error *err) must_check nonnull(1, 2, 4);

#endif
