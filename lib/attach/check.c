/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHECK: is an attachment as ADD left it?
 */
#include <rdma-cni/attach/attach.h>

#include <errno.h>
#include <rdma-cni/kernel/function.h>
#include <rdma-cni/kernel/netns.h>
#include <string.h>

#include "mode.h"
#include "move.h"
#include "report.h"
#include "whereabouts.h"

static int load_entry(const struct attach_node *node, const struct attach_request *request,
		      struct entry *ret, struct error *err)
{
	const struct entry_key *key = &request->key;
	int r = store_load(node->store, key, ret, err);

	if (r == -ENOENT)
		r = error_set(err, ERROR_CHECK, ENOENT,
			      "there is no entry for network '%s', container '%s', interface "
			      "'%s' in '%s'",
			      key->network, key->container_id, key->ifname, node->store->path);
	else if (r < 0)
		err->kind = ERROR_CHECK;
	return r;
}

static int check_netns(const struct attach_node *node, const struct attach_request *request,
		       const struct entry *entry, struct error *err)
{
	const struct netns_id recorded = recorded_netns(entry);
	struct netns_id given;
	int r;

	if (is_of_another_boot(node, entry))
		return error_set(err, ERROR_CHECK, 0,
				 "the attachment was made before this boot (boot ID '%s')",
				 entry->boot_id);
	if (recorded.inode == 0)
		return 0;
	r = netns_identify(request->netns, recorded.cookie != 0, &given, err);
	if (r < 0 || netns_id_equal(&recorded, &given))
		return r;
	return error_set(err, ERROR_CHECK, 0,
			 "the attachment was made in another network namespace: CNI_NETNS '%s' is "
			 "inode %ju, ADD saw '%s' with inode %ju",
			 request->netns_path, (uintmax_t)given.inode,
			 entry->netns_path ? entry->netns_path : "?", (uintmax_t)recorded.inode);
}

static int check_function(const struct attach_request *request, const struct entry *entry,
			  struct function *ret, struct error *err)
{
	struct function recorded;
	int r = function_parse(entry->device_id, &recorded, err);

	if (r < 0) {
		err->kind = ERROR_CHECK;
		return r;
	}
	*ret = recorded;
	if (!request->device_id)
		return 0;
	r = function_parse(request->device_id, ret, err);
	if (r < 0 || strcmp(ret->name, recorded.name) == 0)
		return r;
	return error_set(err, ERROR_CHECK, 0, "the attachment is of device '%s', not of '%s'",
			 recorded.name, ret->name);
}

static int check_devices(const struct attach_node *node, const struct attach_request *request,
			 const struct entry *entry, const struct function *function,
			 struct error *err)
{
	struct names cleanup_names there = { 0 };
	char found[512];
	int r;

	if (!function_exists(node->sysfs, function))
		return error_set(err, ERROR_CHECK, ENODEV, "%s '%s' is gone",
				 function_kind(function), function->name);
	r = list_in_netns(request->netns, function, &there, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < entry->device_count; i++) {
		if (names_contain(&there, entry->devices[i].pod_name))
			continue;
		return error_set(err, ERROR_CHECK, ENODEV,
				 "RDMA device '%s' of %s '%s' is not in network namespace "
				 "'%s' (its RDMA devices there: %s)",
				 entry->devices[i].pod_name, function_kind(function),
				 function->name, request->netns_path,
				 names_join(&there, found, sizeof(found)));
	}
	return 0;
}

/*
 * No error: ADD succeeded with a renumbered device, and a CHECK right after it has to (CRI-O makes
 * one). What the device plugin told kubelet are the names from before the move.
 */
static void tell_renumbering(const struct attach_node *node, const struct function *function,
			     const struct entry_device *device)
{
	char now[sizeof(device->char_devices)];

	read_char_devices(node, function, device->pod_name, now, sizeof(now));
	if (device->char_devices[0] == '\0' || now[0] == '\0' ||
	    strcmp(device->char_devices, now) == 0)
		return;
	report(node, LOG_LEVEL_WARNING,
	       "the character devices of RDMA device '%s' are %s, and were %s before ADD: the "
	       "pod may have been given those of another device",
	       device->pod_name, now, device->char_devices);
}

int attach_check(const struct attach_node *node, const struct attach_request *request,
		 struct error *err)
{
	struct entry cleanup_entry entry = { 0 };
	struct function function;
	struct nl cleanup_nl nl = NL_CLOSED;
	int r = open_exclusive(&nl, err);

	if (r == 0)
		r = load_entry(node, request, &entry, err);
	if (r == 0)
		r = check_netns(node, request, &entry, err);
	if (r == 0)
		r = check_function(request, &entry, &function, err);
	if (r == 0)
		r = check_devices(node, request, &entry, &function, err);
	for (size_t i = 0; r == 0 && i < entry.device_count; i++)
		tell_renumbering(node, &function, &entry.devices[i]);
	return r;
}
