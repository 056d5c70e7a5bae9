/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results from one family of CNI versions to another, as the reference library converts them.
 */
#ifndef RDMA_CNI_CNI_CONVERT_H
#define RDMA_CNI_CNI_CONVERT_H

#include <rdma-cni/base/error.h>
#include <rdma-cni/base/json_scan.h>
#include <rdma-cni/base/text.h>
#include <rdma-cni/cni/version.h>

struct conversion {
	struct json_span source;
	enum cni_family from;
	enum cni_family to;
	const char *version; /* the result's cniVersion */
};

/* Append the converted result; ERROR_DECODE when the source can't be expressed. */
int cni_convert(const struct conversion *conversion, struct text *ret, struct error *err)
	must_check nonnull(1, 2, 3);

#endif
