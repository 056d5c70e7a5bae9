/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHECK.
 */
#include <rdma-cni/cni/prevresult.h>

#include "request.h"
#include "verbs.h"

int verb_check(struct call *call, struct error *err)
{
	struct request cleanup_request request = REQUEST_NONE;
	int r = request_read_options(call, err);

	if (r == 0)
		r = cni_prevresult_require(&call->conf, err);
	if (r == 0)
		r = request_open(call, &request, err);
	if (r == 0)
		r = request_open_netns(call, &request, err);
	return r < 0 ? r : attach_check(&request.node, &request.attach, err);
}
