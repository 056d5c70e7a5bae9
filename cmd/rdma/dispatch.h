/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One call of a CNI runtime, from the environment to the last byte of output.
 */
#ifndef RDMA_CNI_CMD_RDMA_DISPATCH_H
#define RDMA_CNI_CMD_RDMA_DISPATCH_H

#include <rdma-cni/cni/version.h>

/* 0, or a negative errno after the error object was printed. */
int dispatch(void);

#endif
