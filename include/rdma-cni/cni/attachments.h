/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GC's list of the attachments that are still valid (SPEC.md, "GC").
 */
#ifndef RDMA_CNI_CNI_ATTACHMENTS_H
#define RDMA_CNI_CNI_ATTACHMENTS_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/cni/conf.h>
#include <stdbool.h>
#include <stddef.h>

struct cni_attachment {
	const char *container_id; /* borrowed from the configuration */
	const char *ifname;
};

struct cni_attachments {
	bool given; /* false: the configuration has no list, which is not an empty one */
	struct cni_attachment *items;
	size_t count;
};

/*
 * `cni.dev/valid-attachments`, else `cni.dev/attachments` (the name in tag spec-v1.1.0); null is an
 * empty list. ERROR_CONFIG names what is malformed.
 */
int cni_attachments_read(const struct cni_conf *conf, struct cni_attachments *ret,
			 struct error *err) must_check nonnull(1, 2, 3);
void cni_attachments_done(struct cni_attachments *attachments) nonnull(1);

#define cleanup_cni_attachments cleanup(cni_attachments_done)

#endif
