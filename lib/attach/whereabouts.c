/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an entry's devices are, and whether its pod's namespace still lives.
 */
#include "whereabouts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct netns_id recorded_netns(const struct entry *entry)
{
	return (struct netns_id){
		.device = entry->netns_device,
		.inode = entry->netns_inode,
		.cookie = entry->netns_cookie,
	};
}

bool is_of_another_boot(const struct attach_node *node, const struct entry *entry)
{
	return entry->boot_id[0] != '\0' && node->boot_id[0] != '\0' &&
	       strcmp(entry->boot_id, node->boot_id) != 0;
}

int find_recorded_netns(const struct entry *entry)
{
	const struct netns_id id = recorded_netns(entry);

	return id.inode == 0 ? -ENOENT
			     : netns_find(&id, entry->netns_path ? entry->netns_path : "");
}

bool is_dead(const struct attach_node *node, const struct entry *entry)
{
	if (is_of_another_boot(node, entry))
		return true;
	if (entry->netns_inode == 0)
		return false;
	const int cleanup_close netns = find_recorded_netns(entry);
	return netns == -ENOENT;
}

static int has_function(int netns, void *data)
{
	struct names cleanup_names found = { 0 };
	struct error ignored;
	const int r = list_in_netns(netns, data, &found, &ignored);

	if (r < 0)
		return error_is_shortage(r) ? r : 0;
	return found.count > 0 ? 1 : 0;
}

int find_netns_of(const struct function *function)
{
	struct function wanted = *function;

	return netns_search(has_function, &wanted);
}

int list_in_netns(int netns, const struct function *function, struct names *ret, struct error *err)
{
	int cleanup_close sysfs = -1;
	int r = netns_open_sysfs(netns, &sysfs, err);

	if (r < 0)
		return r;
	r = function_rdma_devices(sysfs, function, ret);
	if (r < 0)
		return error_set(err, ERROR_INTERNAL, -r,
				 "cannot list the RDMA devices of %s '%s' in the pod",
				 function_kind(function), function->name);
	return 0;
}

bool all_among(const struct entry *entry, const struct names *names)
{
	for (size_t i = 0; i < entry->device_count; i++) {
		if (!names_contain(names, entry->devices[i].host_name) &&
		    !names_contain(names, entry->devices[i].pod_name))
			return false;
	}
	return true;
}

static bool is_of_function(const struct entry *entry, const struct function *function)
{
	struct function other;
	struct error ignored;

	return function_parse(entry->device_id, &other, &ignored) == 0 &&
	       other.bus == function->bus && strcmp(other.name, function->name) == 0;
}

int next_entry_of(const struct attach_node *node, const struct function *function,
		  const struct entry_key *except, const struct names *files, size_t *position,
		  struct entry *ret)
{
	while (*position < files->count) {
		struct entry cleanup_entry entry = { 0 };
		struct error ignored;
		const char *file = files->items[(*position)++];
		const int r = store_load_file(node->store, file, &entry, &ignored);

		if (error_is_shortage(r))
			return r;
		if (r < 0 || !is_of_function(&entry, function))
			continue;
		if (except &&
		    (entry_is_of(&entry, except) ||
		     (!entry_has_identity(&entry) && store_file_is_named_for(file, except))))
			continue;
		*ret = entry;
		entry = (struct entry){ 0 };
		return 1;
	}
	return 0;
}

const char *describe_owner(const struct entry *entry, char *buffer, size_t size)
{
	if (!entry_has_identity(entry))
		(void)snprintf(buffer, size, "an attachment of the Go rdma-cni");
	else
		(void)snprintf(buffer, size,
			       "network '%s', container '%s', interface '%s', pod '%s/%s'",
			       entry->network, entry->container_id, entry->ifname,
			       entry->pod_namespace ? entry->pod_namespace : "?",
			       entry->pod_name ? entry->pod_name : "?");
	return buffer;
}
