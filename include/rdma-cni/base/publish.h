/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replace a file as a whole: readers see the old one or the new one, never half of it.
 *
 * The temporary file has a name made of the target's ("." + name + ".tmp", and with a hash in place
 * of the rest where that would be too long), so that a killed writer leaves at most one behind,
 * which the next publish of that name replaces and publish_remove() removes. Nothing is synced to
 * disk: what we publish does not outlive a power loss anyway.
 */
#ifndef RDMA_CNI_BASE_PUBLISH_H
#define RDMA_CNI_BASE_PUBLISH_H

#include <rdma-cni/base/attributes.h>
#include <stddef.h>
#include <sys/types.h>

/* Negative errno; on failure the target is as it was and no temporary file is left. */
int publish_file(int dir, const char *name, const char *data, size_t length, mode_t mode)
	must_check nonnull(2, 3);

/* Remove the target and a temporary file that a killed writer left. 0 if neither is there. */
int publish_remove(int dir, const char *name) must_check nonnull(2);

#endif
