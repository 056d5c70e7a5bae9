/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making a node ready: the network namespace mode now and at the next boot, MAC addresses of VFs.
 *
 * Each step is told before it is done. What is as it should be is told too, and left alone, so
 * that a second run changes nothing.
 */
#ifndef RDMA_CNI_NODE_PREPARE_H
#define RDMA_CNI_NODE_PREPARE_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/node/node.h>
#include <stdbool.h>

struct prepare {
	const struct node *node; /* a live one */
	bool dry_run;		 /* tell, and do nothing */
	void (*say)(const char *text);
};

/*
 * Switch the mode (NODE_MODE_EXCLUSIVE or _SHARED). -EBUSY and ERROR_BUSY while other network
 * namespaces exist; then `holders` gets a line for each, saying who holds it.
 */
int prepare_mode(const struct prepare *prepare, enum node_mode mode, struct names *holders,
		 struct error *err) must_check nonnull(1, 3, 4);

/*
 * Have it so at the next boot: write a file to /etc/modprobe.d. ERROR_CONFLICT where that would
 * not count: another file or the kernel command line says otherwise, or ib_core is built in.
 */
int prepare_boot(const struct prepare *prepare, enum node_mode mode, struct error *err)
	must_check nonnull(1, 3);

/*
 * Give each VF that is not in a pod and has no administrative MAC address one that is made of the
 * machine's ID and the VF's place: the same in each boot. With `rebind` their drivers are unbound
 * and bound, for RDMA CM on mlx5. Goes on after a failure.
 */
int prepare_vf_macs(const struct prepare *prepare, bool rebind, struct error *err)
	must_check nonnull(1, 3);

#endif
