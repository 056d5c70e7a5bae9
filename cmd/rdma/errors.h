/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From this project's kinds of errors to the codes of the CNI specification.
 */
#ifndef RDMA_CNI_CMD_RDMA_ERRORS_H
#define RDMA_CNI_CMD_RDMA_ERRORS_H

#include <rdma-cni/base/error.h>

/*
 * 1 to 99 are the specification's (SPEC.md, "Error"), 100 to 998 are ours. The table in the
 * README is this one.
 */
enum cni_code {
	CNI_CODE_VERSION = 1,
	CNI_CODE_ENVIRONMENT = 4,
	CNI_CODE_IO = 5,
	CNI_CODE_DECODE = 6,
	CNI_CODE_CONFIG = 7,
	CNI_CODE_SAME_NETNS = 8,
	CNI_CODE_TRY_AGAIN = 11,
	CNI_CODE_NOT_READY = 50,
	CNI_CODE_IMPAIRED = 51,
	CNI_CODE_NO_RDMA = 100,
	CNI_CODE_NETNS_MODE = 101,
	CNI_CODE_NO_FUNCTION = 102,
	CNI_CODE_NO_DRIVER = 103,
	CNI_CODE_NO_DEVICE = 104,
	CNI_CODE_ELSEWHERE = 105,
	CNI_CODE_IPOIB = 106,
	CNI_CODE_MOVE = 107,
	CNI_CODE_NAME = 108,
	CNI_CODE_CONFLICT = 109,
	CNI_CODE_CHECK = 110,
	CNI_CODE_CLEANUP = 111,
	CNI_CODE_INTERNAL = 999,
};

enum cni_code errors_code(enum error_kind kind);

/*
 * containerd and Multus read "not found" and "no such file" in the error of a DEL as success and
 * stop asking: say the same in other words.
 */
void errors_reword_for_del(struct error *err) nonnull(1);

#endif
