/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node's map, as a table for people or as JSON for programs.
 */
#ifndef RDMA_NODE_MAP_PRINT_H
#define RDMA_NODE_MAP_PRINT_H

#include <rdma-cni/base/text.h>
#include <rdma-cni/node/map.h>
#include <stdbool.h>

void map_print(const struct map *map, const struct node *node, bool colours, struct text *ret)
	nonnull(1, 2, 4);

/* One document (README, "rdma-node show"). 0 or -ENOMEM. */
int map_print_json(const struct map *map, const struct node *node, struct text *ret)
	must_check nonnull(1, 2, 3);

#endif
