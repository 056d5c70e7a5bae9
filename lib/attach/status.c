/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STATUS: could ADD work on this node now?
 */
#include <rdma-cni/attach/attach.h>

#include "mode.h"

int attach_status(const struct attach_node *node, struct error *err)
{
	struct names cleanup_names entries = { 0 };
	struct error ignored;
	int r = require_exclusive_mode(err);

	if (r == 0)
		r = store_check_writable(node->store->path, err);
	if (r == 0)
		return 0;
	err->kind = ERROR_NOT_READY;
	if (store_list(node->store, &entries, &ignored) == 0 && entries.count > 0)
		err->kind = ERROR_IMPAIRED;
	return r;
}
