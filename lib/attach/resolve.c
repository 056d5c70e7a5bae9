/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a function to its RDMA devices in the host's namespace.
 */
#include "resolve.h"

#include <errno.h>
#include <rdma-cni/base/deadline.h>
#include <stdio.h>

#include "whereabouts.h"

static int no_function(const struct function *function, struct error *err)
{
	const int r = error_set(err, ERROR_NO_FUNCTION, ENODEV, "there is no %s '%s' on this node",
				function_kind(function), function->name);

	error_details(err,
		      "compare deviceID with what the device plugin hands out, and with "
		      "/sys/bus/%s/devices",
		      function->bus == FUNCTION_PCI ? "pci" : "auxiliary");
	return r;
}

static int no_driver(const struct function *function, struct error *err)
{
	const int r = error_set(err, ERROR_NO_DRIVER, ENODEV,
				"%s '%s' has no driver bound, so no RDMA device",
				function_kind(function), function->name);

	error_details(err,
		      "bind it to its kernel driver (echo %s > "
		      "/sys/bus/%s/drivers/<driver>/bind); a device for vfio-pci has no "
		      "RDMA device to give to a pod",
		      function->name, function->bus == FUNCTION_PCI ? "pci" : "auxiliary");
	return r;
}

static int no_device(const struct function *function, const char *driver, struct error *err)
{
	const int r = error_set(err, ERROR_NO_DEVICE, ENODEV,
				"%s '%s' is bound to driver '%s', but has no RDMA device",
				function_kind(function), function->name, driver);

	error_details(err, "either the driver has no RDMA, or its RDMA module is not loaded "
			   "(mlx5_ib, irdma, bnxt_re), or RDMA is switched off for this device "
			   "(devlink dev param show: enable_roce, enable_rdma)");
	return r;
}

/* Whose the device is, as far as the entries tell. */
static void describe_holder(const struct attach_node *node, const struct function *function,
			    char *ret, size_t size)
{
	struct names cleanup_names files = { 0 };
	struct entry cleanup_entry entry = { 0 };
	struct error ignored;
	size_t position = 0;

	(void)snprintf(ret, size, "somebody the state directory does not know");
	if (store_list(node->store, &files, &ignored) < 0)
		return;
	while (next_entry_of(node, function, NULL, &files, &position, &entry) > 0) {
		if (!is_of_another_boot(node, &entry)) {
			(void)describe_owner(&entry, ret, size);
			return;
		}
		entry_done(&entry);
	}
}

static int elsewhere(const struct attach_node *node, const struct function *function,
		     struct error *err)
{
	char holder[1024];
	const int r = error_set(err, ERROR_ELSEWHERE, ENODEV,
				"the RDMA device of %s '%s' is in another network namespace",
				function_kind(function), function->name);

	describe_holder(node, function, holder, sizeof(holder));
	error_details(err, "it belongs to: %s. It comes back when that pod is deleted", holder);
	return r;
}

static int explain_absence(const struct attach_node *node, const struct function *function,
			   struct error *err)
{
	struct names cleanup_names char_devices = { 0 };
	char driver[LIMIT_FUNCTION_NAME_SIZE];

	if (!function_exists(node->sysfs, function))
		return no_function(function, err);
	if (function_driver(node->sysfs, function, driver, sizeof(driver)) < 0)
		return no_driver(function, err);
	/* Character devices are seen from everywhere, the RDMA device they belong to is not. */
	if (function_char_devices(node->sysfs, function, NULL, &char_devices) == 0 &&
	    char_devices.count > 0)
		return elsewhere(node, function, err);
	return no_device(function, driver, err);
}

int resolve_devices(const struct attach_node *node, const struct function *function,
		    int wait_seconds, struct names *ret, struct error *err)
{
	struct deadline deadline = deadline_in_ms((int64_t)wait_seconds * 1000);

	for (;;) {
		int r = function_rdma_devices(node->sysfs, function, ret);

		if (r < 0)
			return error_set(err, ERROR_INTERNAL, -r,
					 "cannot list the RDMA devices of %s '%s'",
					 function_kind(function), function->name);
		if (ret->count > LIMIT_FUNCTION_DEVICES)
			return error_set(err, ERROR_NO_DEVICE, E2BIG,
					 "%s '%s' has %zu RDMA devices, more than are handled",
					 function_kind(function), function->name, ret->count);
		if (ret->count > 0)
			return 0;
		/* What does not exist will not come back from anywhere. */
		r = function_exists(node->sysfs, function) ? deadline_wait(&deadline) : 0;
		if (r < 0)
			return error_set(err, ERROR_STOPPED, -r,
					 "a signal ended the wait for the RDMA device of %s '%s'",
					 function_kind(function), function->name);
		if (r == 0)
			return explain_absence(node, function, err);
	}
}
