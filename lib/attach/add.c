/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ADD: give a pod the RDMA devices of its function.
 */
#include <rdma-cni/attach/attach.h>

#include <errno.h>
#include <rdma-cni/attach/naming.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/kernel/netns.h>
#include <stdio.h>
#include <string.h>

#include "detach.h"
#include "mode.h"
#include "move.h"
#include "report.h"
#include "resolve.h"
#include "whereabouts.h"

/* How many {index} values are tried before a template is given up. */
#define INDEX_MAX 4096U

/* ADD's working set: what was asked for, in the terms of the machine. */
struct add {
	const struct attach_node *node;
	struct nl *nl; /* the host's conversation with the RDMA subsystem */
	const struct attach_request *request;
	struct function function;
	struct netns_id netns;
	struct entry *entry;
	char file[STORE_FILE_SIZE]; /* the entry's */
};

static int keep_string(char **ret, const char *value, struct error *err)
{
	*ret = strdup(value ? value : "");
	return *ret ? 0 : error_no_memory(err);
}

static int fill_entry(const struct add *add, struct error *err)
{
	const struct attach_request *request = add->request;
	struct entry *entry = add->entry;
	const struct {
		char **ret;
		const char *value;
	} strings[] = {
		{ &entry->network, request->key.network },
		{ &entry->container_id, request->key.container_id },
		{ &entry->ifname, request->key.ifname },
		{ &entry->device_id, request->device_id },
		{ &entry->netns_path, request->netns_path },
		{ &entry->pod_namespace, request->pod_namespace },
		{ &entry->pod_name, request->pod_name },
		{ &entry->pod_uid, request->pod_uid },
	};

	for (size_t i = 0; i < array_size(strings); i++) {
		const int r = keep_string(strings[i].ret, strings[i].value, err);

		if (r < 0)
			return r;
	}
	entry->netns_device = add->netns.device;
	entry->netns_inode = add->netns.inode;
	entry->netns_cookie = add->netns.cookie;
	return parse_copy(entry->boot_id, sizeof(entry->boot_id), add->node->boot_id)
		       ? 0
		       : error_set(err, ERROR_INTERNAL, 0, "the boot ID is too long");
}

static struct naming naming_of(const struct add *add, const struct entry_device *device)
{
	return (struct naming){
		.template = add->request->name_template,
		.device = device->host_name,
		.ifname = add->request->key.ifname,
		.function = &add->function,
	};
}

/* Each device as it is, and its name to be: a template is checked before anything is touched. */
static int note_devices(const struct add *add, const struct names *devices, struct error *err)
{
	for (size_t i = 0; i < devices->count; i++) {
		struct entry_device *device = &add->entry->devices[i];
		struct naming naming;
		int r = 0;

		if (!parse_copy(device->host_name, sizeof(device->host_name), devices->items[i]))
			return error_set(err, ERROR_INTERNAL, 0,
					 "RDMA device name '%s' is too long", devices->items[i]);
		memcpy(device->pod_name, device->host_name, sizeof(device->host_name));
		naming = naming_of(add, device);
		if (naming.template)
			r = naming_expand(&naming, 0, device->pod_name, err);
		if (r == 0)
			r = note_device(add->node, add->nl, &add->function, device, err);
		if (r < 0)
			return r;
	}
	add->entry->device_count = devices->count;
	return 0;
}

/* Is this, of `there`, the list of the entry's devices under their recorded names? */
static bool is_complete(const struct entry *entry, const struct names *there)
{
	for (size_t i = 0; i < entry->device_count; i++) {
		if (!names_contain(there, entry->devices[i].pod_name))
			return false;
	}
	return true;
}

static bool is_same_netns(const struct add *add, const struct entry *entry)
{
	const struct netns_id recorded = recorded_netns(entry);

	/* The Go plugin records no namespace: then the device itself tells. */
	return recorded.inode == 0 || netns_id_equal(&recorded, &add->netns);
}

/* Whose it is says the request: the Go plugin's entries do not. */
static int refuse_living_entry(const struct add *add, const struct entry *entry, struct error *err)
{
	const struct entry_key *key = &add->request->key;
	const int r = error_set(err, ERROR_CONFLICT, EEXIST,
				"container '%s' has interface '%s' of network '%s' already, with "
				"device '%s' in network namespace '%s'",
				key->container_id, key->ifname, key->network, entry->device_id,
				entry->netns_path ? entry->netns_path : "?");

	error_details(err, "DEL that attachment first");
	return r;
}

/* 1 when all devices of the entry, of the function it names, are in the pod; 0 otherwise. */
static int find_complete(const struct add *add, const struct entry *entry,
			 const struct function *function, struct error *err)
{
	struct names cleanup_names there = { 0 };
	const int r = list_in_netns(add->request->netns, function, &there, err);

	return r < 0 ? r : is_complete(entry, &there);
}

/*
 * What an earlier ADD of this attachment left: 1 when it is complete (`add->entry` is it then),
 * 0 when nothing of it is in the way any more.
 */
static int settle_old_entry(struct add *add, struct error *err)
{
	struct entry cleanup_entry old = { 0 };
	const struct attach_node *node = add->node;
	struct function function;
	int r = store_locate(node->store, &add->request->key, &old, add->file, err);

	/* An unusable file is acted upon by nobody; it will be replaced. */
	if (r == 0 && function_parse(old.device_id, &function, err) < 0)
		return 0;
	if (r == -ENOENT || (r < 0 && err->kind == ERROR_DECODE))
		return 0;
	if (r < 0)
		return r;
	if (!is_of_another_boot(node, &old) && is_same_netns(add, &old)) {
		r = find_complete(add, &old, &function, err);
		if (r < 0)
			return r;
		if (r > 0 && strcmp(function.name, add->function.name) != 0)
			return refuse_living_entry(add, &old, err);
		if (r > 0) {
			*add->entry = old;
			old = (struct entry){ 0 };
			return 1;
		}
	} else if (entry_has_identity(&old) && !is_dead(node, &old)) {
		return refuse_living_entry(add, &old, err);
	}
	report(node, LOG_LEVEL_INFO, "undoing what an unfinished ADD of this attachment left");
	r = detach_recorded(node, &old, add->request->netns, err);
	return r < 0 ? r : store_remove_file(node->store, add->file, err);
}

/* What a dead pod's entry still says is the device's own name: the kernel returns it without. */
static int clear_dead_entry(const struct attach_node *node, const struct entry *entry,
			    const char *file, struct error *err)
{
	/* One without a recorded namespace is the Go plugin's, which renames nothing. */
	const bool has_names = entry->netns_inode != 0 && !is_of_another_boot(node, entry);
	int r = has_names ? detach_entry(node, entry, -1, err) : 0;

	if (r == 0)
		r = store_remove_file(node->store, file, err);
	if (r < 0)
		report(node, LOG_LEVEL_WARNING, "%s", err->msg);
	else
		report(node, LOG_LEVEL_INFO, "removed the entry '%s' of a pod that is gone", file);
	return r;
}

/*
 * Entries of dead pods that had this device: a plugin called through Multus never sees CHECK or GC,
 * and a failed DEL is not always repeated. The device is home, so they hold nothing but its name;
 * `devices` are listed anew when it got that back.
 */
static int clear_dead_entries(const struct add *add, struct names *devices, struct error *err)
{
	struct names cleanup_names files = { 0 };
	struct entry cleanup_entry entry = { 0 };
	struct error problem;
	size_t position = 0;
	bool is_cleared = false;

	if (store_list(add->node->store, &files, &problem) < 0)
		return 0;
	while (next_entry_of(add->node, &add->function, &add->request->key, &files, &position,
			     &entry) > 0) {
		/* The Go plugin writes its entries after its move. */
		if ((is_dead(add->node, &entry) || entry.netns_inode == 0) &&
		    clear_dead_entry(add->node, &entry, files.items[position - 1], &problem) == 0)
			is_cleared = true;
		entry_done(&entry);
	}
	if (!is_cleared)
		return 0;
	names_done(devices);
	return resolve_devices(add->node, &add->function, 0, devices, err);
}

/* Is one of the function's interfaces in the pod an IPoIB one? */
static int has_ipoib_in_pod(const struct add *add, struct error *err)
{
	struct names cleanup_names interfaces = { 0 };
	int cleanup_close sysfs = -1;
	int r = netns_open_sysfs(add->request->netns, &sysfs, err);

	if (r < 0)
		return r;
	r = function_net_devices(sysfs, &add->function, &interfaces);
	if (r < 0)
		return error_set(err, ERROR_INTERNAL, -r, "cannot list the pod's interfaces");
	for (size_t i = 0; i < interfaces.count; i++) {
		if (function_net_device_is_ipoib(sysfs, &add->function, interfaces.items[i]))
			return 1;
	}
	return 0;
}

/*
 * A moved RDMA device is taken from its clients and given to them anew: ipoib, one of them,
 * destroys its interface (drivers/infiniband/ulp/ipoib), also one that is in the pod already.
 */
static int refuse_ipoib(const struct add *add, const struct names *devices, struct error *err)
{
	bool has_infiniband = false;
	int r;

	for (size_t i = 0; i < devices->count; i++)
		has_infiniband = has_infiniband ||
				 function_has_infiniband_port(add->node->sysfs, &add->function,
							      devices->items[i]);
	if (!has_infiniband)
		return 0;
	r = has_ipoib_in_pod(add, err);
	if (r <= 0)
		return r;
	r = error_set(err, ERROR_IPOIB, EOPNOTSUPP,
		      "the IPoIB interface of %s '%s' is in the pod: moving the RDMA device would "
		      "destroy it",
		      function_kind(&add->function), add->function.name);
	error_details(err, "remove the rdma plugin from this chain and set \"rdmaIsolation\": true "
			   "in the ib-sriov plugin, which moves both in the right order");
	return r;
}

/* Rename in the pod; a template with {index} goes on to the next number that is free. */
static int rename_in_pod(const struct add *add, struct entry_device *device, struct error *err)
{
	const struct naming naming = naming_of(add, device);
	const int netns = add->request->netns;
	unsigned int index = 0;
	int r;

	if (strcmp(device->pod_name, device->host_name) == 0)
		return 0;
	r = rename_device(netns, device->host_name, device->pod_name, err);
	while (r == -EEXIST && naming_has_index(&naming) && ++index < INDEX_MAX) {
		r = naming_expand(&naming, index, device->pod_name, err);
		if (r == 0)
			r = rename_device(netns, device->host_name, device->pod_name, err);
	}
	return r;
}

static int move_all(const struct add *add, struct error *err)
{
	struct entry *entry = add->entry;
	bool is_news = false;
	int r = 0;

	for (size_t i = 0; r == 0 && i < entry->device_count; i++) {
		struct entry_device *device = &entry->devices[i];
		char planned[LIMIT_RDMA_NAME_SIZE];

		memcpy(planned, device->pod_name, sizeof(planned));
		r = move_to_pod(add->node, add->nl, &add->function, device, add->request->netns,
				err);
		if (r == 0)
			r = rename_in_pod(add, device, err);
		is_news = is_news || device->moved_char_devices[0] != '\0' ||
			  strcmp(planned, device->pod_name) != 0;
	}
	/* What only the move could tell. */
	return r == 0 && is_news ? store_write(add->node->store, add->file, entry, err) : r;
}

/* Write it down, then do it; what fails is undone from what was written. */
static int commit(const struct add *add, struct error *err)
{
	const struct attach_result made = { .entry = *add->entry, .changed = true };
	struct error undo_err = { 0 };
	int r = store_create(add->node->store, err);

	if (r == 0)
		r = store_write(add->node->store, add->file, add->entry, err);
	if (r < 0)
		return r;
	r = move_all(add, err);
	if (r < 0 && attach_undo(add->node, &made, add->request->netns, &undo_err) < 0)
		error_gather(err, &undo_err);
	return r;
}

int attach_add(const struct attach_node *node, const struct attach_request *request,
	       struct attach_result *ret, struct error *err)
{
	struct attach_result cleanup_attach_result result = { 0 };
	struct names cleanup_names devices = { 0 };
	struct nl cleanup_nl nl = NL_CLOSED;
	struct add add = { .node = node, .nl = &nl, .request = request, .entry = &result.entry };
	int r = function_parse(request->device_id, &add.function, err);

	if (r == 0)
		r = open_exclusive(&nl, err);
	if (r == 0)
		r = netns_identify(request->netns, true, &add.netns, err);
	if (r == 0)
		r = settle_old_entry(&add, err);
	if (r == 0) {
		result.changed = true;
		r = resolve_devices(node, &add.function, request->wait_seconds, &devices, err);
		if (r == 0)
			r = clear_dead_entries(&add, &devices, err);
		if (r == 0)
			r = refuse_ipoib(&add, &devices, err);
		if (r == 0)
			r = fill_entry(&add, err);
		if (r == 0)
			r = note_devices(&add, &devices, err);
		if (r == 0)
			r = commit(&add, err);
	}
	if (r < 0)
		return r;
	*ret = result;
	/* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): read by its cleanup */
	result = (struct attach_result){ 0 };
	return 0;
}

int attach_undo(const struct attach_node *node, const struct attach_result *result, int netns,
		struct error *err)
{
	const struct entry *entry = &result->entry;
	const struct entry_key key = { entry->network, entry->container_id, entry->ifname };
	int r;

	if (!result->changed)
		return 0;
	r = detach_recorded(node, entry, netns, err);
	return r < 0 ? r : store_remove(node->store, &key, err);
}

void attach_result_done(struct attach_result *result)
{
	entry_done(&result->entry);
}
