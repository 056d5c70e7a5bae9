/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DEL: take a pod's RDMA devices back.
 */
#include <rdma-cni/attach/attach.h>

#include <errno.h>
#include <rdma-cni/kernel/function.h>
#include <rdma-cni/kernel/netns.h>

#include "detach.h"
#include "report.h"
#include "whereabouts.h"

/*
 * Does another living entry say that its device, of this function, is in this namespace? One that
 * recorded no namespace, and entries that can't be listed, are taken to say so `in_doubt`.
 */
static int is_claimed(const struct attach_node *node, const struct attach_request *request,
		      const struct function *function, const struct netns_id *here, bool in_doubt,
		      struct error *err)
{
	struct names cleanup_names files = { 0 };
	struct entry cleanup_entry entry = { 0 };
	size_t position = 0;
	bool claimed = false;
	int r = store_list(node->store, &files, err);

	if (r < 0)
		return error_is_shortage(r) ? r : in_doubt;
	while (!claimed) {
		struct netns_id theirs;

		r = next_entry_of(node, function, &request->key, &files, &position, &entry);
		if (r < 0)
			return error_set(err, ERROR_STATE, -r,
					 "cannot read the state directory '%s'", node->store->path);
		if (r == 0)
			return 0;
		theirs = recorded_netns(&entry);
		claimed = !is_of_another_boot(node, &entry) &&
			  (theirs.inode == 0 ? in_doubt : netns_id_equal(&theirs, here));
		entry_done(&entry);
	}
	return 1;
}

/* The same for the namespace that the runtime gave. */
static int is_claimed_in_pod(const struct attach_node *node, const struct attach_request *request,
			     const struct function *function, struct error *err)
{
	struct netns_id here;
	const int r = netns_identify(request->netns, false, &here, err);

	if (r < 0)
		return error_is_shortage(r) ? r : 1;
	return is_claimed(node, request, function, &here, true, err);
}

/*
 * An entry that names another namespace than the runtime does may be one that somebody made up to
 * have another pod's device taken: that pod's own entry says so.
 */
static int is_of_another_pod(const struct attach_node *node, const struct attach_request *request,
			     const struct entry *entry, const struct function *function,
			     struct error *err)
{
	const struct netns_id recorded = recorded_netns(entry);
	struct netns_id here;
	struct error ignored;

	if (is_of_another_boot(node, entry) ||
	    (request->netns >= 0 && netns_identify(request->netns, false, &here, &ignored) == 0 &&
	     netns_id_equal(&here, &recorded)))
		return 0;
	return is_claimed(node, request, function, &recorded, false, err);
}

/*
 * No entry to go by: the configuration may still name the device, and the runtime the namespace. A
 * device that is in there, and that nobody else claims, can only be this attachment's.
 */
static int recover(const struct attach_node *node, const struct attach_request *request,
		   struct error *err)
{
	struct function function;
	struct error ignored;
	int r;

	if (request->netns < 0 || !request->device_id ||
	    function_parse(request->device_id, &function, &ignored) < 0)
		return 0;
	r = is_claimed_in_pod(node, request, &function, err);
	if (r < 0)
		return r;
	if (r > 0) {
		report(node, LOG_LEVEL_WARNING,
		       "there is no entry for this attachment, and another one has %s '%s'",
		       function_kind(&function), function.name);
		return 0;
	}
	return detach_function(node, &function, request->netns, err);
}

/* An entry without identity is the Go plugin's: it knows the device, the runtime the namespace. */
static int detach_loaded(const struct attach_node *node, const struct attach_request *request,
			 const struct entry *entry, struct error *err)
{
	struct function function;
	struct error ignored;
	int r;

	if (function_parse(entry->device_id, &function, &ignored) < 0)
		return recover(node, request, err);
	if (entry->netns_inode != 0 || is_of_another_boot(node, entry)) {
		r = is_of_another_pod(node, request, entry, &function, err);
		if (r == 0)
			return detach_recorded(node, entry, request->netns, err);
		if (r > 0)
			report(node, LOG_LEVEL_WARNING,
			       "the entry of this attachment is about %s '%s' in a pod that has an "
			       "entry of its own",
			       function_kind(&function), function.name);
		return r < 0 ? r : 0;
	}
	r = request->netns < 0 ? 1 : is_claimed_in_pod(node, request, &function, err);
	if (r < 0)
		return r;
	return r > 0 ? detach_entry(node, entry, -1, err)
		     : detach_recorded(node, entry, request->netns, err);
}

int attach_del(const struct attach_node *node, const struct attach_request *request,
	       struct error *err)
{
	struct entry cleanup_entry entry = { 0 };
	struct error problem;
	char file[STORE_FILE_SIZE];
	int r = store_locate(node->store, &request->key, &entry, file, &problem);
	/* Without one, or with one that can't be used, it is the file to remove all the same. */
	const bool is_ours = r == 0 || r == -ENOENT || problem.kind == ERROR_DECODE;

	if (error_is_shortage(r)) {
		*err = problem;
		return r;
	}
	if (r < 0 && r != -ENOENT)
		report(node, LOG_LEVEL_WARNING, "going by the configuration instead: %s",
		       problem.msg);
	if (r == 0)
		r = detach_loaded(node, request, &entry, err);
	else
		r = recover(node, request, err);
	if (r < 0)
		return r;
	/* The devices are home. A file that can't be removed holds nothing any more. */
	r = is_ours ? store_remove_file(node->store, file, &problem) : 0;
	if (error_is_shortage(r)) {
		*err = problem;
		return r;
	}
	if (r < 0)
		report(node, LOG_LEVEL_WARNING, "%s", problem.msg);
	return 0;
}
