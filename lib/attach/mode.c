/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The precondition of everything: RDMA network namespaces in mode exclusive.
 */
#include "mode.h"

#include <rdma-cni/kernel/nldev.h>

int open_exclusive(struct nl *ret, struct error *err)
{
	struct nl cleanup_nl nl = NL_CLOSED;
	enum nldev_netns_mode mode;
	int r = nldev_open(&nl, err);

	if (r == 0)
		r = nldev_get_netns_mode(&nl, &mode, err);
	if (r != 0)
		return r;
	if (mode == NLDEV_NETNS_EXCLUSIVE) {
		*ret = nl;
		nl = NL_CLOSED;
		return 0;
	}
	r = error_set(err, ERROR_NETNS_MODE, 0,
		      "the RDMA subsystem is in netns mode 'shared': a pod can't be given a device "
		      "of its own");
	error_details(err, "switch with `rdma system set netns exclusive`. The kernel refuses "
			   "(EBUSY) while any other network namespace exists, so stop all pods and "
			   "containers first, or set it for the next boot: `options ib_core "
			   "netns_mode=0` in /etc/modprobe.d");
	return r;
}
