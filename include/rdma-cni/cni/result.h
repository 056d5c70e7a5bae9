/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of ADD: the previous result, passed through.
 */
#ifndef RDMA_CNI_CNI_RESULT_H
#define RDMA_CNI_CNI_RESULT_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/text.h>
#include <rdma-cni/cni/conf.h>

/*
 * Append the configuration's previous result to `ret`, with `cniVersion` set to the
 * configuration's. Within a family of versions every other byte stays as it came; across families
 * it is converted, the values still verbatim. ERROR_DECODE for a previous result of an unknown
 * version, or one without an address where the older form needs one.
 */
int cni_result_build(const struct cni_conf *conf, struct text *ret, struct error *err)
	must_check nonnull(1, 2, 3);

#endif
