/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of names: the entries of a directory, the devices of a function.
 */
#ifndef RDMA_CNI_BASE_NAMES_H
#define RDMA_CNI_BASE_NAMES_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <stdbool.h>
#include <stddef.h>

struct names {
	char **items;
	size_t count;
	size_t size;
};

/* 0 or -ENOMEM; `name` is copied. */
int names_add(struct names *names, const char *name) must_check nonnull(1, 2);

/* All of `more`, behind what is there. 0 or -ENOMEM. */
int names_add_all(struct names *names, const struct names *more) must_check nonnull(1, 2);

bool names_contain(const struct names *names, const char *name) nonnull(1, 2);

/* In the byte order of the names, so that two runs see the same order. */
void names_sort(struct names *names) nonnull(1);

/* All names in `buffer`, separated by ", "; "none" for an empty list. Returns `buffer`. */
const char *names_join(const struct names *names, char *buffer, size_t size) nonnull(1, 2);

void names_done(struct names *names) nonnull(1);

#define cleanup_names cleanup(names_done)

#endif
