/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a function to its RDMA devices in the host's namespace.
 */
#ifndef RDMA_CNI_ATTACH_RESOLVE_H
#define RDMA_CNI_ATTACH_RESOLVE_H

#include <rdma-cni/attach/attach.h>
#include <rdma-cni/kernel/function.h>

/*
 * Wait until the function has RDMA devices on the host, at most `wait_seconds`: those of a dead
 * pod come back from a work queue of the kernel. When there are none, the error says why:
 * ERROR_NO_FUNCTION, ERROR_NO_DRIVER, ERROR_ELSEWHERE (and whose) or ERROR_NO_DEVICE.
 */
int resolve_devices(const struct attach_node *node, const struct function *function,
		    int wait_seconds, struct names *ret, struct error *err)
	must_check nonnull(1, 2, 4, 5);

#endif
