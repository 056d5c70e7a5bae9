/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STATUS: could ADD work on this node now?
 */
#include <rdma-cni/attach/attach.h>

#include "mode.h"

void attach_status_of_failure(const struct attach_node *node, struct error *err)
{
	err->kind = store_has_entries(node->store) ? ERROR_IMPAIRED : ERROR_NOT_READY;
}

int attach_status(const struct attach_node *node, struct error *err)
{
	struct nl cleanup_nl nl = NL_CLOSED;
	int r = open_exclusive(&nl, err);

	if (r == 0)
		r = store_check_writable(node->store->path, err);
	if (r == 0)
		return 0;
	attach_status_of_failure(node, err);
	return r;
}
