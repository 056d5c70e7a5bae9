/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an entry's devices are, and whether its pod's namespace still lives.
 */
#ifndef RDMA_CNI_ATTACH_WHEREABOUTS_H
#define RDMA_CNI_ATTACH_WHEREABOUTS_H

#include <rdma-cni/attach/attach.h>
#include <rdma-cni/kernel/function.h>
#include <rdma-cni/kernel/netns.h>

/* The identity that the entry recorded; inode 0 when it recorded none. */
struct netns_id recorded_netns(const struct entry *entry) nonnull(1);

/* True when the entry was made in another boot: nothing it says is true any more. */
bool is_of_another_boot(const struct attach_node *node, const struct entry *entry) nonnull(1, 2);

/* True when it is proven that the pod is gone: another boot, or its namespace is nowhere. */
bool is_dead(const struct attach_node *node, const struct entry *entry) nonnull(1, 2);

/*
 * A descriptor of the entry's namespace; -ENOENT if it is gone or was never recorded, another
 * negative errno if that can't be told.
 */
int find_recorded_netns(const struct entry *entry) must_check nonnull(1);

/* A descriptor of whichever namespace the function's RDMA device is in; as above. */
int find_netns_of(const struct function *function) must_check nonnull(1);

/* The RDMA devices of the function in that namespace. */
int list_in_netns(int netns, const struct function *function, struct names *ret, struct error *err)
	must_check nonnull(2, 3, 4);

/* True when every device of the entry is on the list, under its host or its pod name. */
bool all_among(const struct entry *entry, const struct names *names) nonnull(1, 2);

/*
 * Load, of all entries but that of `except` (may be NULL), the next one of this function: 1. Start
 * with *position 0, which is one more than the place in `files` then; 0 at the end. Negative when
 * memory or descriptors are short.
 */
int next_entry_of(const struct attach_node *node, const struct function *function,
		  const struct entry_key *except, const struct names *files, size_t *position,
		  struct entry *ret) must_check nonnull(1, 2, 4, 5, 6);

/* "network 'n', container 'c', interface 'i', pod 'ns/name'": whose an entry is. */
const char *describe_owner(const struct entry *entry, char *buffer, size_t size) nonnull(1, 2);

#endif
