/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GC.
 */
#include <rdma-cni/cni/attachments.h>

#include "request.h"
#include "verbs.h"

static int collect(const struct request *request, const struct cni_attachments *attachments,
		   struct error *err)
{
	struct entry_key *cleanup_free keys = calloc(attachments->count + 1, sizeof(*keys));

	if (!keys)
		return error_no_memory(err);
	for (size_t i = 0; i < attachments->count; i++) {
		keys[i].network = request->attach.key.network;
		keys[i].container_id = attachments->items[i].container_id;
		keys[i].ifname = attachments->items[i].ifname;
	}
	return attach_gc(&request->node, request->attach.key.network,
			 attachments->given ? keys : NULL, attachments->count, err);
}

int verb_gc(struct call *call, struct error *err)
{
	struct cni_attachments cleanup_cni_attachments attachments = { 0 };
	struct request cleanup_request request = REQUEST_NONE;
	int r = request_read_options(call, err);

	if (r == 0)
		r = cni_attachments_read(&call->conf, &attachments, err);
	if (r == 0)
		r = request_open(call, &request, err);
	return r != 0 ? r : collect(&request, &attachments, err);
}
