/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bringing an entry's devices home.
 */
#include "detach.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/deadline.h>
#include <stdio.h>
#include <string.h>

#include "move.h"
#include "report.h"
#include "whereabouts.h"

/*
 * How long the kernel may take to return the devices of a namespace that ended: it ends one
 * after the other, and a node that is drained has many.
 */
#define RETURN_WAIT_MS 10000

/* The kernel and a person may move or remove a device at the same moment: look again. */
static bool is_still_there(const struct function *function, const char *name, int netns)
{
	struct names cleanup_names there = { 0 };
	struct error ignored;

	return list_in_netns(netns, function, &there, &ignored) < 0 || names_contain(&there, name);
}

int detach_function(const struct attach_node *node, const struct function *function, int netns,
		    struct error *err)
{
	struct names cleanup_names home = { 0 };
	struct names cleanup_names there = { 0 };
	int r = list_in_netns(netns, function, &there, err);

	if (r < 0 || there.count == 0)
		return r;
	r = function_rdma_devices(node->sysfs, function, &home);
	if (r < 0)
		return error_set(err, ERROR_INTERNAL, -r,
				 "cannot list the RDMA devices of %s '%s' on the host",
				 function_kind(function), function->name);
	for (size_t i = 0; i < there.count; i++) {
		const char *name = there.items[i];

		/* In netns mode shared every device is seen everywhere. */
		if (names_contain(&home, name))
			continue;
		r = move_home(node, function, name, netns, err);
		if (r < 0 && is_still_there(function, name, netns))
			return r;
		report(node, LOG_LEVEL_INFO, "brought RDMA device '%s' of %s '%s' home", name,
		       function_kind(function), function->name);
	}
	return 0;
}

static const char *host_name_of(const struct entry *entry, const char *name)
{
	for (size_t i = 0; i < entry->device_count; i++) {
		if (strcmp(entry->devices[i].host_name, name) == 0 ||
		    strcmp(entry->devices[i].pod_name, name) == 0)
			return entry->devices[i].host_name;
	}
	/* Renamed inside the pod: with one device there is no doubt which it is. */
	return entry->device_count == 1 ? entry->devices[0].host_name : name;
}

static bool has_pod_names(const struct entry *entry)
{
	for (size_t i = 0; i < entry->device_count; i++) {
		if (strcmp(entry->devices[i].host_name, entry->devices[i].pod_name) != 0)
			return true;
	}
	return false;
}

/* The kernel's answer: the name is another device's, the device is gone, names can't be given. */
static bool is_verdict(int r)
{
	return r == -EEXIST || r == -ENODEV || r == -EINVAL || r == -EPERM || r == -EOPNOTSUPP;
}

/*
 * A device that keeps its pod's name is a nuisance, not a loss: told, and an error only where
 * trying again will help. Without an error the entry goes, and with it what knows the name.
 */
static int restore_names(const struct attach_node *node, const struct function *function,
			 const struct entry *entry, struct error *err)
{
	struct names cleanup_names home = { 0 };
	int r = function_rdma_devices(node->sysfs, function, &home);

	if (error_is_shortage(r) || (r < 0 && has_pod_names(entry)))
		return error_set(err, ERROR_INTERNAL, -r,
				 "cannot list the RDMA devices of %s '%s' on the host",
				 function_kind(function), function->name);
	if (r < 0)
		return 0;
	for (size_t i = 0; i < home.count; i++) {
		const char *name = home.items[i];
		const char *own = host_name_of(entry, name);

		if (strcmp(own, name) == 0 || names_contain(&home, own))
			continue;
		r = rename_device(-1, name, own, err);
		if (r < 0 && !is_verdict(r))
			return r;
		if (r < 0)
			report(node, LOG_LEVEL_WARNING, "%s", err->msg);
		else
			report(node, LOG_LEVEL_INFO, "gave RDMA device '%s' its name '%s' back",
			       name, own);
	}
	err->kind = ERROR_NONE;
	return 0;
}

static bool is_home(const struct attach_node *node, const struct function *function,
		    const struct entry *entry)
{
	struct names cleanup_names home = { 0 };

	return function_rdma_devices(node->sysfs, function, &home) == 0 && all_among(entry, &home);
}

/*
 * Worth waiting for is a device that has to get its name back, and one of several: the kernel
 * returns them one by one, and an ADD that comes in between would take the first for all there
 * are. One that does not come is no error; a signal that asks for the end is.
 */
static int wait_for_return(const struct attach_node *node, const struct function *function,
			   const struct entry *entry, struct error *err)
{
	struct deadline deadline = deadline_in_ms(RETURN_WAIT_MS);
	const bool is_worth_it = has_pod_names(entry) || entry->device_count > 1;

	while (is_worth_it && function_exists(node->sysfs, function) &&
	       !is_home(node, function, entry)) {
		const int r = deadline_wait(&deadline);

		if (r < 0)
			return error_set(err, ERROR_STOPPED, -r,
					 "a signal ended the wait for the RDMA device of %s '%s'",
					 function_kind(function), function->name);
		if (r > 0)
			continue;
		report(node, LOG_LEVEL_WARNING,
		       "the RDMA devices of %s '%s' did not come home within %d ms",
		       function_kind(function), function->name, RETURN_WAIT_MS);
		return 0;
	}
	return 0;
}

int detach_entry(const struct attach_node *node, const struct entry *entry, int netns,
		 struct error *err)
{
	struct function function;
	int r = function_parse(entry->device_id, &function, err);

	if (r < 0)
		return r;
	r = netns >= 0 ? detach_function(node, &function, netns, err)
		       : wait_for_return(node, &function, entry, err);
	if (r < 0)
		return r;
	return restore_names(node, &function, entry, err);
}

static bool is_recorded(const struct entry *entry, int netns)
{
	const struct netns_id recorded = recorded_netns(entry);
	struct netns_id given;
	struct error ignored;

	return netns >= 0 && netns_identify(netns, false, &given, &ignored) == 0 &&
	       netns_id_equal(&recorded, &given);
}

/*
 * A descriptor of the namespace that has the entry's devices: `netns` if it can be that, which
 * nothing else may keep alive. As find_recorded_netns().
 */
static int find_netns(const struct entry *entry, const struct function *function, int netns)
{
	int copy;

	if (netns < 0 || (entry->netns_inode != 0 && !is_recorded(entry, netns)))
		return entry->netns_inode != 0 ? find_recorded_netns(entry)
					       : find_netns_of(function);
	copy = fcntl(netns, F_DUPFD_CLOEXEC, 0);
	return copy < 0 ? -errno : copy;
}

/* Are the entry's devices known by indices of this boot, and is this the namespace it recorded? */
static bool is_noted_in(const struct attach_node *node, const struct entry *entry, int netns)
{
	if (node->boot_id[0] == '\0' || strcmp(entry->boot_id, node->boot_id) != 0)
		return false;
	for (size_t i = 0; i < entry->device_count; i++) {
		if (!entry->devices[i].has_index)
			return false;
	}
	return is_recorded(entry, netns);
}

/* What the long way would not do better: it waits for the same lock, and needs more memory. */
static bool is_final(int r, const struct error *err)
{
	return err->kind == ERROR_BUSY || err->kind == ERROR_STOPPED || error_is_shortage(r);
}

/*
 * The usual case, in a third of the system calls: the devices are where they were put. 1 when they
 * are home, 0 when they have to be looked for.
 */
static int detach_noted(const struct attach_node *node, const struct function *function,
			const struct entry *entry, int netns, struct error *err)
{
	struct error problem;
	bool renamed;
	int r;

	if (!is_noted_in(node, entry, netns))
		return 0;
	r = move_noted_home(node, function, entry, netns, &renamed, &problem);
	if (r < 0 && !is_final(r, &problem))
		return 0;
	if (r < 0) {
		*err = problem;
		return r;
	}
	r = renamed ? restore_names(node, function, entry, err) : 0;
	return r < 0 ? r : 1;
}

int detach_recorded(const struct attach_node *node, const struct entry *entry, int netns,
		    struct error *err)
{
	struct function function;
	int cleanup_close found = -1;
	int r;

	if (is_of_another_boot(node, entry))
		return 0;
	r = function_parse(entry->device_id, &function, err);
	if (r < 0)
		return r;
	r = detach_noted(node, &function, entry, netns, err);
	if (r != 0)
		return r < 0 ? r : 0;
	if (!is_home(node, &function, entry)) {
		found = find_netns(entry, &function, netns);
		if (found < 0 && found != -ENOENT)
			return error_set(err, ERROR_INTERNAL, -found,
					 "cannot tell whether the pod's network namespace lives");
	}
	return detach_entry(node, entry, found, err);
}
