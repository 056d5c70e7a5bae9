/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of the plugin, one file each.
 *
 * A verb gets what the runtime said and returns 0 or a negative errno with the error that
 * main() prints. On success it has printed what belongs on standard output, if anything.
 */
#ifndef RDMA_CNI_CMD_RDMA_VERBS_H
#define RDMA_CNI_CMD_RDMA_VERBS_H

#include <rdma-cni/base/error.h>
#include <rdma-cni/cni/conf.h>
#include <rdma-cni/cni/env.h>

struct call {
	struct cni_env env;
	struct cni_pod pod;
	struct cni_conf conf;
};

int verb_add(struct call *call, struct error *err) must_check nonnull(1, 2);
int verb_del(struct call *call, struct error *err) must_check nonnull(1, 2);
int verb_check(struct call *call, struct error *err) must_check nonnull(1, 2);
int verb_gc(struct call *call, struct error *err) must_check nonnull(1, 2);
int verb_status(struct call *call, struct error *err) must_check nonnull(1, 2);

#endif
