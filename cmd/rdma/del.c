/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DEL.
 */
#include "request.h"
#include "verbs.h"

/* What is not there is gone; what can't be seen for want of memory or descriptors is not. */
static int forgive(int r, enum log_level level, const char *what, const struct error *err)
{
	if (r >= 0)
		return 0;
	if (error_is_shortage(r))
		return r;
	log_write(level, "%s: %s", what, err->msg);
	return 0;
}

/*
 * A DEL that fails stops the chain before the VF and its addresses are given back: whatever is
 * wrong or missing here, it goes on with what is left.
 */
static int prepare(struct call *call, struct request *request, struct error *err)
{
	int r;

	if (cni_conf_options(&call->conf, true, err) > 0)
		log_warning("going on without it: %s", err->msg);
	r = forgive(request_open(call, request, err), LOG_LEVEL_WARNING, "going on without it",
		    err);
	if (r == 0)
		r = forgive(request_find_device(call, request, err), LOG_LEVEL_DEBUG,
			    "the configuration does not tell the device", err);
	if (r == 0 && call->env.netns[0] != '\0')
		r = forgive(request_open_netns(call, request, err), LOG_LEVEL_DEBUG,
			    "going on without it", err);
	if (r == 0)
		*err = (struct error){ 0 };
	return r;
}

int verb_del(struct call *call, struct error *err)
{
	struct request cleanup_request request = REQUEST_NONE;
	int r = prepare(call, &request, err);

	if (r == 0)
		r = attach_del(&request.node, &request.attach, err);
	/* After the clean-up, as the reference plugins do. */
	if (r == 0 && request_is_in_own_netns(call, &request))
		r = request_refuse_own_netns(call, err);
	return r;
}
