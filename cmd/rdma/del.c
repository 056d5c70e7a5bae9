/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DEL.
 */
#include "request.h"
#include "verbs.h"

/*
 * A DEL that fails stops the chain before the VF and its addresses are given back: whatever is
 * wrong or missing here, it goes on with what is left.
 */
static void prepare(struct call *call, struct request *request)
{
	struct error problem;

	if (cni_conf_options(&call->conf, true, &problem) > 0)
		log_warning("going on without it: %s", problem.msg);
	if (request_open(call, request, &problem) < 0)
		log_warning("going on without it: %s", problem.msg);
	if (request_find_device(call, request, &problem) < 0)
		log_debug("the configuration does not tell the device: %s", problem.msg);
	if (call->env.netns[0] != '\0' && request_open_netns(call, request, &problem) < 0)
		log_debug("%s", problem.msg);
}

int verb_del(struct call *call, struct error *err)
{
	struct request cleanup_request request = REQUEST_NONE;
	int r;

	prepare(call, &request);
	r = attach_del(&request.node, &request.attach, err);
	/* After the clean-up, as the reference plugins do. */
	if (r == 0 && request_is_in_own_netns(call, &request))
		r = request_refuse_own_netns(call, err);
	return r;
}
