/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node's map: which function has which RDMA devices, where they are, and whose they are there.
 * Everything points into the node that was read (node.h), which must stay.
 */
#ifndef RDMA_CNI_NODE_MAP_H
#define RDMA_CNI_NODE_MAP_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/node/node.h>

enum map_place {
	MAP_HERE,      /* in this network namespace */
	MAP_NETNS,     /* in the one that is named */
	MAP_ELSEWHERE, /* in one that was not found, or that may not be looked into */
};

struct map_device {
	const char *name;
	const struct node_ports *ports; /* NULL: they can't be seen from here */
	const struct node_verbs *verbs; /* NULL: it has no uverbs device */
	enum map_place place;
	const struct node_netns *netns; /* of MAP_NETNS */
};

/* A function; or an RDMA device that belongs to none; or an attachment whose function is gone. */
struct map_row {
	const struct node_function *function; /* NULL: there is at most one device */
	struct map_device devices[LIMIT_FUNCTION_DEVICES];
	size_t device_count;
	/* The attachment that says it has the function; of several, the one that is true. */
	const struct node_attachment *attachment;
	struct names marks; /* what is stale or contradictory, in words */
};

struct map {
	struct map_row *rows; /* each PF with its VFs behind it, in their order */
	size_t count;
};

/* Functions and devices that the caller of node_read() asked about. -ENOMEM. */
int map_make(const struct node *node, struct map *ret, struct error *err)
	must_check nonnull(1, 2, 3);
void map_done(struct map *map) nonnull(1);

/* The row of a function, or of an RDMA device by its name; NULL. */
const struct map_row *map_find(const struct map *map, const char *name) must_check nonnull(1, 2);

#define cleanup_map cleanup(map_done)

#endif
