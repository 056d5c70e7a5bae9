/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STATUS.
 */
#include "request.h"
#include "verbs.h"

int verb_status(struct call *call, struct error *err)
{
	struct request cleanup_request request = REQUEST_NONE;
	int r = request_read_options(call, err);

	if (r < 0)
		return r;
	r = request_open(call, &request, err);
	if (r == 0)
		return attach_status(&request.node, err);
	attach_status_of_failure(&request.node, err);
	return r;
}
