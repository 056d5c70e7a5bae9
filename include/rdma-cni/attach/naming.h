/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `rdmaDeviceName`: a template for the name of the device in the pod.
 *
 * RDMA device names are unique over the whole node, namespaces included, so the template must
 * give node-unique names: {device} is the original name, {ifname} the interface, {pci} the
 * function with '_' for ':' and '.', {index} the lowest free number.
 */
#ifndef RDMA_CNI_ATTACH_NAMING_H
#define RDMA_CNI_ATTACH_NAMING_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/kernel/function.h>
#include <stdbool.h>

struct naming {
	const char *template;
	const char *device;
	const char *ifname;
	const struct function *function;
};

/*
 * Expand with this {index}. ERROR_CONFIG when the template has an unknown placeholder, or the
 * result is empty, longer than 63 bytes or not made of [A-Za-z0-9_.-].
 */
int naming_expand(const struct naming *naming, unsigned int index,
		  char ret[static LIMIT_RDMA_NAME_SIZE], struct error *err)
	must_check nonnull(1, 3, 4);

/*
 * Is the template possible at all? Checked with stand-ins for what is known only later.
 * ERROR_CONFIG.
 */
int naming_check(const char *template, struct error *err) must_check nonnull(1, 2);

/* True when another index gives another name. */
bool naming_has_index(const struct naming *naming) nonnull(1);

#endif
