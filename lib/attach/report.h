/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling the caller of this library what happened.
 */
#ifndef RDMA_CNI_ATTACH_REPORT_H
#define RDMA_CNI_ATTACH_REPORT_H

#include <rdma-cni/attach/attach.h>

void report(const struct attach_node *node, enum log_level level, const char *format, ...)
	printf_like(3, 4) nonnull(1, 3);

#endif
