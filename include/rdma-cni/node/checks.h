/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a node ready for RDMA in pods? A check looks at what was read of the node and says what it
 * found: nothing is asked of the kernel here, so that each can be tried with a made-up node.
 *
 * "fail" is what keeps pods from having or using RDMA devices, "warn" what will or may.
 */
#ifndef RDMA_CNI_NODE_CHECKS_H
#define RDMA_CNI_NODE_CHECKS_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/node/node.h>
#include <stdbool.h>
#include <stddef.h>

/* From good to bad, but that nothing is said by a check that was skipped. */
enum check_state { CHECK_SKIP, CHECK_OK, CHECK_WARN, CHECK_FAIL };

struct finding {
	enum check_state state;
	char *text;
	struct names
		subjects; /* the devices, files and so on that the text is about; may be empty */
	char *remedy;	  /* what mends it, with the first subject as an example; NULL */
};

/* What one check found: at least one. */
struct findings {
	struct finding *items;
	size_t count;
	size_t size;
	bool failed; /* memory was short */
};

struct check {
	const char *id; /* stable: documented, and in the JSON */
	const char *title;
	void (*look)(const struct node *node, struct findings *ret);
};

/* All checks, in the order of the documentation; ends with an `id` of NULL. */
extern const struct check checks[];

/* "ok", "warn", "fail", "skip". */
const char *check_state_name(enum check_state state);

/* Run one check. ERROR_INTERNAL when memory is short. */
int check_run(const struct check *check, const struct node *node, struct findings *ret,
	      struct error *err) must_check nonnull(1, 2, 3, 4);

/* The worst state among them. */
enum check_state findings_state(const struct findings *findings) nonnull(1);
void findings_done(struct findings *findings) nonnull(1);

#define cleanup_findings cleanup(findings_done)

#endif
