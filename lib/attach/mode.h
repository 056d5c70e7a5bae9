/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The precondition of everything: RDMA network namespaces in mode exclusive.
 */
#ifndef RDMA_CNI_ATTACH_MODE_H
#define RDMA_CNI_ATTACH_MODE_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/kernel/nl.h>

/*
 * Open the conversation with the RDMA subsystem on the host, where the mode is right.
 * ERROR_NO_RDMA, or ERROR_NETNS_MODE with what to do about it.
 */
int open_exclusive(struct nl *ret, struct error *err) must_check nonnull(1, 2);

#endif
