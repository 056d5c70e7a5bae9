/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The previous plugin's result: what it says about the pod's interfaces.
 */
#ifndef RDMA_CNI_CNI_PREVRESULT_H
#define RDMA_CNI_CNI_PREVRESULT_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/cni/conf.h>
#include <stddef.h>

/*
 * `prevResult` must be an object: ERROR_CONFIG when it is missing or null, ERROR_DECODE when it is
 * something else.
 */
int cni_prevresult_require(const struct cni_conf *conf, struct error *err) must_check nonnull(1, 2);

/* An interface in the pod, with what tells which device it is; strings borrowed, may be NULL. */
struct cni_interface {
	const char *name;
	const char *mac;
	const char *pci_id;
};

/*
 * Call `visit` for each interface in the pod (those with a sandbox), that of `ifname` first.
 * Ends when it returns other than 0, and returns that. Results without interfaces, of
 * versions before 0.3.0 or malformed, have none.
 */
typedef int (*cni_interface_visit)(const struct cni_interface *interface, void *data);

int cni_prevresult_each_interface(const struct cni_conf *conf, const char *ifname,
				  cni_interface_visit visit, void *data) nonnull(1, 2, 3);

#endif
