/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GC: undo the attachments of a network that the runtime does not know any more.
 */
#include <rdma-cni/attach/attach.h>

#include <errno.h>
#include <rdma-cni/base/signals.h>
#include <rdma-cni/kernel/function.h>
#include <string.h>

#include "detach.h"
#include "report.h"
#include "whereabouts.h"

struct gc {
	const struct attach_node *node;
	const char *network;
	const struct entry_key *valid; /* NULL: no list was given */
	size_t count;
};

/*
 * An entry of the Go plugin does not say whose it is; its file's name does, as long as what
 * follows the network can be one container ID and one interface alone.
 */
static bool is_named_for_network(const char *file, const char *network)
{
	const size_t length = strlen(network);
	const char *rest;
	const char *dash;

	if (strncmp(file, network, length) != 0 || file[length] != '-')
		return false;
	rest = file + length + 1;
	dash = strchr(rest, '-');
	if (!dash)
		return false;
	return dash > rest && dash[1] != '\0' && !strchr(dash + 1, '-');
}

static bool is_of_network(const struct gc *gc, const struct entry *entry, const char *file)
{
	return entry_has_identity(entry) ? strcmp(entry->network, gc->network) == 0
					 : is_named_for_network(file, gc->network);
}

static bool is_valid(const struct gc *gc, const struct entry *entry, const char *file)
{
	for (size_t i = 0; i < gc->count; i++) {
		const struct entry_key key = { gc->network, gc->valid[i].container_id,
					       gc->valid[i].ifname };

		if (entry_is_of(entry, &key) ||
		    (!entry_has_identity(entry) && store_file_is_named_for(file, &key)))
			return true;
	}
	return false;
}

/* Without a list only proof counts; an entry without namespace is dead when its device is home. */
static bool is_provably_dead(const struct gc *gc, const struct entry *entry)
{
	struct function function;
	struct names cleanup_names home = { 0 };
	struct error ignored;

	if (entry->netns_inode != 0 || is_of_another_boot(gc->node, entry))
		return is_dead(gc->node, entry);
	return function_parse(entry->device_id, &function, &ignored) == 0 &&
	       function_rdma_devices(gc->node->sysfs, &function, &home) == 0 &&
	       all_among(entry, &home);
}

/*
 * An entry that recorded no namespace stands for its function's device wherever that is. When
 * another entry is about the same function, nobody can tell whose device that is: 1.
 */
static int is_shared(const struct gc *gc, const struct entry *entry, const char *file,
		     struct error *err)
{
	struct names cleanup_names files = { 0 };
	struct function function;
	struct error ignored;
	size_t position = 0;
	int r = store_list(gc->node->store, &files, err);

	if (r < 0 || function_parse(entry->device_id, &function, &ignored) < 0)
		return r;
	do {
		struct entry cleanup_entry other = { 0 };

		r = next_entry_of(gc->node, &function, NULL, &files, &position, &other);
	} while (r > 0 && strcmp(files.items[position - 1], file) == 0);
	return r < 0 ? error_set(err, ERROR_STATE, -r, "cannot read the state directory '%s'",
				 gc->node->store->path)
		     : r;
}

/* The entry's devices come home; those that may be another pod's only get their names back. */
static int detach_collected(const struct gc *gc, const struct entry *entry, const char *file,
			    struct error *err)
{
	const int shared = entry->netns_inode == 0 ? is_shared(gc, entry, file, err) : 0;

	if (shared < 0)
		return shared;
	return shared ? detach_entry(gc->node, entry, -1, err)
		      : detach_recorded(gc->node, entry, -1, err);
}

static int collect(const struct gc *gc, const char *file, struct error *err)
{
	struct entry cleanup_entry entry = { 0 };
	struct function function;
	struct error problem;
	char owner[1024];
	int r = store_load_file(gc->node->store, file, &entry, &problem);

	/* Gone by now, or not to be understood: then nobody can say that it is ours. */
	if (r == -ENOENT)
		return 0;
	if (error_is_shortage(r)) {
		*err = problem;
		return r;
	}
	if (r == 0 && !is_of_another_boot(gc->node, &entry))
		r = function_parse(entry.device_id, &function, &problem);
	if (r < 0) {
		report(gc->node, LOG_LEVEL_WARNING, "leaving a file alone: %s", problem.msg);
		return 0;
	}
	if (!is_of_network(gc, &entry, file))
		return 0;
	if (gc->valid ? is_valid(gc, &entry, file) : !is_provably_dead(gc, &entry))
		return 0;
	r = detach_collected(gc, &entry, file, err);
	if (r < 0) {
		error_context(err, "cannot undo the attachment of %s",
			      describe_owner(&entry, owner, sizeof(owner)));
		return r;
	}
	r = store_remove_file(gc->node->store, file, err);
	if (r == 0)
		report(gc->node, LOG_LEVEL_INFO, "collected the attachment of %s",
		       describe_owner(&entry, owner, sizeof(owner)));
	return r;
}

int attach_gc(const struct attach_node *node, const char *network, const struct entry_key *valid,
	      size_t count, struct error *err)
{
	const struct gc gc = { node, network, valid, count };
	struct names cleanup_names files = { 0 };
	struct error first = { 0 };
	size_t failures = 0;
	bool stopped = false;
	int r = store_list(node->store, &files, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < files.count && !stopped; i++) {
		struct error next = { 0 };

		if (signals_wait(0))
			(void)error_set(&next, ERROR_STOPPED, EINTR,
					"a signal ended the collection after %zu of %zu files", i,
					files.count);
		else if (collect(&gc, files.items[i], &next) == 0)
			continue;
		stopped = next.kind == ERROR_STOPPED;
		error_gather(&first, &next);
		failures++;
	}
	if (failures == 0)
		return 0;
	*err = first;
	error_context(err, "%zu of %zu attachments could not be collected", failures, files.count);
	err->kind = stopped ? ERROR_STOPPED : ERROR_CLEANUP;
	return -EIO;
}
