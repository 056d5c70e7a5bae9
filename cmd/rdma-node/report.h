/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was found, as a table for people or as JSON for programs.
 */
#ifndef RDMA_NODE_REPORT_H
#define RDMA_NODE_REPORT_H

#include <rdma-cni/base/text.h>
#include <rdma-cni/node/checks.h>
#include <stdbool.h>
#include <stddef.h>

struct report {
	const struct check *check;
	struct findings findings;
};

/* A line a finding, what mends it below. In colours if `colours`. */
void report_print(const struct report *reports, size_t count, bool colours, struct text *ret)
	nonnull(1, 4);

/* One document (README, "rdma-node"). 0 or -ENOMEM. */
int report_print_json(const struct report *reports, size_t count, const char *version,
		      enum check_state state, struct text *ret) must_check nonnull(1, 3, 5);

#endif
