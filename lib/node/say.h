/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling a step of struct prepare.
 */
#ifndef RDMA_CNI_NODE_SAY_H
#define RDMA_CNI_NODE_SAY_H

#include <rdma-cni/node/prepare.h>

void say(const struct prepare *prepare, const char *format, ...) printf_like(2, 3) nonnull(1, 2);

/* "exclusive" or "shared" */
const char *mode_name(enum node_mode mode);

#endif
