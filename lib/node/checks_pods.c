/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the plugin, what it did, and what starts the pods.
 */
#include <inttypes.h>
#include <string.h>

#include "findings.h"

void look_at_plugin(const struct node *node, struct findings *ret)
{
	const char *directory = node->plugin_directory;

	switch (node->plugin) {
	case NODE_PLUGIN_HIDDEN:
		found(ret, CHECK_SKIP, "only root may read /%s/rdma", directory);
		return;
	case NODE_PLUGIN_MISSING:
		found(ret, CHECK_FAIL, "not installed");
		mend(ret, "rdma-node install --to /%s",
		     directory[0] != '\0' ? directory : "opt/cni/bin, which is to be made first");
		return;
	case NODE_PLUGIN_NOT_EXECUTABLE:
		found(ret, CHECK_FAIL, "/%s/rdma is not executable", directory);
		mend(ret, "chmod 0755 /%s/rdma", directory);
		return;
	case NODE_PLUGIN_OURS:
		if (strcmp(node->plugin_version, node->version) == 0) {
			found(ret, CHECK_OK, "/%s/rdma, %s", directory, node->plugin_version);
			return;
		}
		found(ret, CHECK_WARN, "/%s/rdma is %s, and this program %s", directory,
		      node->plugin_version, node->version);
		break;
	case NODE_PLUGIN_GO:
		found(ret, CHECK_WARN,
		      "/%s/rdma is the Go rdma-cni, which mixes up the character "
		      "devices of pods that start at once",
		      directory);
		break;
	case NODE_PLUGIN_UNKNOWN:
		found(ret, CHECK_WARN, "/%s/rdma is not known here", directory);
		break;
	}
	mend(ret, "rdma-node install --to /%s", directory);
}

void look_at_state(const struct node *node, struct findings *ret)
{
	if (!node->state_is_known) {
		found(ret, CHECK_SKIP, "only root may look");
	} else if (node->state_error.kind != ERROR_NONE) {
		found(ret, CHECK_FAIL, "%s", node->state_error.msg);
		mend(ret, "%s",
		     node->state_error.details[0] != '\0'
			     ? node->state_error.details
			     : "a directory of root's, on a file system that can be written to");
	} else {
		found(ret, CHECK_OK, NODE_STATE_DIRECTORY ", with %zu attachments",
		      node->attachment_count);
	}
}

static size_t found_attachments(const struct node *node, enum node_life life, struct findings *ret,
				const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < node->attachment_count; i++) {
		const struct node_attachment *attachment = &node->attachments[i];

		if (attachment->life != life)
			continue;
		if (text && count == 0)
			found(ret, CHECK_WARN, "%s", text);
		if (text)
			about(ret, "%s", attachment->file);
		count++;
	}
	return count;
}

/* Is a device of the attachment's function here, and not where its pod is? */
static bool is_misplaced(const struct node *node, const struct node_attachment *attachment)
{
	struct function function;
	struct error ignored;
	size_t at;

	if (attachment->life != NODE_LIFE_ALIVE || node->mode != NODE_MODE_EXCLUSIVE ||
	    function_parse(attachment->entry.device_id, &function, &ignored) < 0)
		return false;
	at = node_find_function(node, function.name);
	return at != NODE_NONE && node->functions[at].here > 0;
}

/* Did the function go, because the VFs were made anew or the card was pulled out? */
static bool is_without_function(const struct node *node, const struct node_attachment *attachment)
{
	struct function function;
	struct error ignored;

	return attachment->life == NODE_LIFE_ALIVE &&
	       function_parse(attachment->entry.device_id, &function, &ignored) == 0 &&
	       node_find_function(node, function.name) == NODE_NONE &&
	       !function_exists(node->sysfs, &function);
}

typedef bool (*attachment_question)(const struct node *node,
				    const struct node_attachment *attachment);

static bool found_such(const struct node *node, attachment_question is_such, struct findings *ret,
		       enum check_state state, const char *text)
{
	bool any = false;

	for (size_t i = 0; i < node->attachment_count; i++) {
		if (!is_such(node, &node->attachments[i]))
			continue;
		if (!any)
			found(ret, state, "%s", text);
		any = true;
		about(ret, "%s (%s)", node->attachments[i].file,
		      node->attachments[i].entry.device_id);
	}
	return any;
}

void look_at_attachments(const struct node *node, struct findings *ret)
{
	static const char remedy[] = "rdma-node release --stale";
	size_t unknown;

	if (!node->state_is_known || node->state_error.kind != ERROR_NONE) {
		found(ret, CHECK_SKIP, "the state directory can't be read");
		return;
	}
	if (found_attachments(node, NODE_LIFE_OTHER_BOOT, ret, "made before the last boot") > 0)
		mend(ret, remedy);
	if (found_attachments(node, NODE_LIFE_NETNS_GONE, ret, "the pod's namespace is gone") > 0)
		mend(ret, remedy);
	if (found_attachments(node, NODE_LIFE_UNREADABLE, ret, "no attachment can be read from") >
	    0)
		mend(ret, "look at it, then rm it from " NODE_STATE_DIRECTORY);
	if (found_such(node, is_misplaced, ret, CHECK_WARN,
		       "the pod lives, but its RDMA device is here"))
		mend(ret, "start the pod anew: somebody took the device away from it");
	if (found_such(node, is_without_function, ret, CHECK_WARN,
		       "the pod lives, but its function is gone"))
		mend(ret, "restart the SR-IOV device plugin, and start the pod anew: the VFs were "
			  "made anew, or the card is gone");
	unknown = found_attachments(node, NODE_LIFE_UNKNOWN, ret, NULL);
	if (ret->failed || ret->count > 0)
		return;
	if (unknown > 0)
		found(ret, CHECK_SKIP, "whether the pods of %zu attachments live is not known",
		      unknown);
	else
		found(ret, CHECK_OK, "none of %zu", node->attachment_count);
}

static bool is_held_by_name_alone(const struct node *node, const struct node_away *device)
{
	return node->netns[device->netns].pid == 0 && is_wanted(node, device->function);
}

static bool found_without_process(const struct node *node, struct findings *ret)
{
	const struct node_away *first = NULL;

	for (size_t i = 0; i < node->away_count; i++) {
		const struct node_away *device = &node->away[i];

		if (!is_held_by_name_alone(node, device))
			continue;
		if (!first) {
			first = device;
			found(ret, CHECK_WARN, "in a namespace in which no process is");
		}
		about(ret, "%s (%s)", device->name, node->netns[device->netns].path);
	}
	if (first)
		mend(ret, "rdma-node release %s, if that is no pod's that is starting",
		     first->name);
	return first;
}

/* Its uverbs device is there, and no namespace that a process or name leads to has it. */
static bool is_nowhere(const struct node_function *function)
{
	return function->verbs > 0 && function->here == 0 && function->away == 0;
}

void look_at_lost_devices(const struct node *node, struct findings *ret)
{
	bool any;

	if (!node->is_live || !node->is_privileged || !node->processes_are_known) {
		found(ret, CHECK_SKIP, "%s",
		      node->is_live ? "not all namespaces can be looked into: that takes root"
				    : "only the running kernel knows");
		return;
	}
	if (node->mode != NODE_MODE_EXCLUSIVE) {
		found(ret, CHECK_SKIP, "devices are in one namespace only in mode exclusive");
		return;
	}
	any = found_without_process(node, ret);
	if (found_functions(node, is_nowhere, ret, CHECK_WARN,
			    "in a namespace that no process is in and no name leads to") !=
	    NODE_NONE) {
		mend(ret,
		     "a process has it open: lsns -t net; else the kernel is about to return it");
		any = true;
	}
	if (!any)
		found(ret, CHECK_OK, "none; %zu in namespaces of processes", node->away_count);
}

static bool has_any(const struct names *names, const char *const *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (names_contain(names, wanted[i]))
			return true;
	}
	return false;
}

void look_at_cni_plugins(const struct node *node, struct findings *ret)
{
	static const char *const multus[] = { "multus", "multus-shim" };
	static const char *const movers[] = { "sriov", "ib-sriov" };
	const bool has_multus = has_any(&node->plugins, multus, array_size(multus));
	const bool has_mover = has_any(&node->plugins, movers, array_size(movers));

	if (node->plugin == NODE_PLUGIN_HIDDEN && node->plugins.count == 0) {
		found(ret, CHECK_SKIP, "only root may look into /%s", node->plugin_directory);
		return;
	}
	if (has_multus && has_mover) {
		found(ret, CHECK_OK, "Multus and sriov are in /%s", node->plugin_directory);
		return;
	}
	found(ret, CHECK_WARN, "not in %s%s",
	      node->plugin_directory[0] != '\0' ? "/" : "a directory for CNI plugins",
	      node->plugin_directory);
	if (!has_multus)
		about(ret, "multus");
	if (!has_mover)
		about(ret, "sriov");
	mend(ret, "install them, unless pods are made by hand or with host-device");
}

/* One finding a runtime: they are few, and each has its own limit. */
static void look_at_runtime(const struct node_runtime *runtime, struct findings *ret)
{
	if (!runtime->has_limit) {
		found(ret, CHECK_SKIP, "the limits of %s (process %d) can't be read", runtime->name,
		      (int)runtime->pid);
		return;
	}
	if (runtime->memlock == UINT64_MAX) {
		found(ret, CHECK_OK, "%s (process %d) has no limit", runtime->name,
		      (int)runtime->pid);
		return;
	}
	found(ret, CHECK_WARN, "%s (process %d) and its pods may lock %" PRIu64 " KiB of memory",
	      runtime->name, (int)runtime->pid, runtime->memlock / 1024);
	if (strcmp(runtime->unit_limit, "infinity") == 0)
		mend(ret, "systemctl restart %s: its unit has LimitMEMLOCK=infinity by now",
		     runtime->unit);
	else
		mend(ret,
		     "LimitMEMLOCK=infinity below [Service] in /etc/systemd/system/%s.d/"
		     "memlock.conf, then systemctl daemon-reload and restart %s",
		     runtime->unit, runtime->unit);
}

void look_at_memlock(const struct node *node, struct findings *ret)
{
	for (size_t i = 0; i < node->runtime_count; i++)
		look_at_runtime(&node->runtimes[i], ret);
	if (node->runtime_count == 0)
		found(ret, CHECK_SKIP,
		      "no container runtime runs (containerd, crio, dockerd, k3s)");
}
