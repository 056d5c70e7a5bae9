/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What netlink's answers hold, apart from asking: attributes as the kernel writes them.
 */
#ifndef RDMA_CNI_NODE_ANSWERS_H
#define RDMA_CNI_NODE_ANSWERS_H

#include <linux/netlink.h>
#include <rdma-cni/node/node.h>

/* A devlink parameter that is on or off. */
struct answer_param {
	enum node_answer value; /* NODE_UNKNOWN: it has none that can be set */
	bool is_runtime;	/* it takes effect at once; else when the driver starts anew */
};

/* DEVLINK_ATTR_PARAM. */
struct answer_param answer_param(const struct nlattr *param) must_check nonnull(1);

/*
 * IFLA_VF_INFO: has the VF that it is about both GUIDs of InfiniBand? NODE_UNKNOWN, and no number,
 * when it does not tell (Ethernet; before Linux 5.5).
 */
enum node_answer answer_vf_guids(const struct nlattr *info, unsigned int *ret_vf)
	must_check nonnull(1, 2);

#endif
