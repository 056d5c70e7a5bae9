/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saying what a check found:
 *
 *	found(ret, CHECK_WARN, "VFs without a MAC address");
 *	about(ret, vf);
 *	mend(ret, "ip link set %s vf %u mac 02:...", pf, number);
 *
 * about() and mend() belong to the finding before. A failed allocation is remembered, and the
 * check fails as a whole.
 */
#ifndef RDMA_CNI_NODE_FINDINGS_H
#define RDMA_CNI_NODE_FINDINGS_H

#include <rdma-cni/node/checks.h>

void found(struct findings *ret, enum check_state state, const char *format, ...) printf_like(3, 4)
	nonnull(1, 3);
void about(struct findings *ret, const char *format, ...) printf_like(2, 3) nonnull(1, 2);
void mend(struct findings *ret, const char *format, ...) printf_like(2, 3) nonnull(1, 2);

/* Did the caller of node_read() ask about this function, or about all? */
bool is_wanted(const struct node *node, size_t function) nonnull(1);
/* A virtual or a scalable function: what pods are given. */
bool is_for_pods(const struct node_function *function) nonnull(1);

/*
 * One finding about all functions for which `is_such`, if there are any: the first of them, or
 * NODE_NONE. Only functions that are wanted and should have RDMA are asked about.
 */
typedef bool (*function_question)(const struct node_function *function);

size_t found_functions(const struct node *node, function_question is_such, struct findings *ret,
		       enum check_state state, const char *text) nonnull(1, 2, 3, 5);
/* How many there are. */
size_t count_functions(const struct node *node, function_question is_such) nonnull(1, 2);

/* The checks; their table in checks.c says what each is about. */
void look_at_netns_support(const struct node *node, struct findings *ret);
void look_at_modules(const struct node *node, struct findings *ret);
void look_at_mode(const struct node *node, struct findings *ret);
void look_at_boot(const struct node *node, struct findings *ret);
void look_at_shared_plugin(const struct node *node, struct findings *ret);
void look_at_stack(const struct node *node, struct findings *ret);

void look_at_vfs(const struct node *node, struct findings *ret);
void look_at_drivers(const struct node *node, struct findings *ret);
void look_at_rdma_devices(const struct node *node, struct findings *ret);
void look_at_macs(const struct node *node, struct findings *ret);
void look_at_guids(const struct node *node, struct findings *ret);

void look_at_node_guids(const struct node *node, struct findings *ret);
void look_at_names(const struct node *node, struct findings *ret);
void look_at_ports(const struct node *node, struct findings *ret);
void look_at_rdma_cm(const struct node *node, struct findings *ret);
void look_at_uverbs(const struct node *node, struct findings *ret);
void look_at_holes(const struct node *node, struct findings *ret);

void look_at_plugin(const struct node *node, struct findings *ret);
void look_at_state(const struct node *node, struct findings *ret);
void look_at_attachments(const struct node *node, struct findings *ret);
void look_at_lost_devices(const struct node *node, struct findings *ret);
void look_at_cni_plugins(const struct node *node, struct findings *ret);
void look_at_memlock(const struct node *node, struct findings *ret);

#endif
