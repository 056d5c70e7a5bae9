/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the kernel, its modules and the network namespace mode.
 */
#include <string.h>

#include "findings.h"
#include "say.h"

#define MODE_FILE "/etc/modprobe.d/ib_core.conf"

void look_at_netns_support(const struct node *node, struct findings *ret)
{
	if (!node->has_rdma) {
		found(ret, CHECK_FAIL, "the kernel has no RDMA subsystem: ib_core is not loaded");
		mend(ret, "modprobe ib_core");
	} else if (node->knows_netns != NODE_YES) {
		found(ret, CHECK_FAIL, "Linux %s knows no RDMA network namespaces", node->release);
		mend(ret, "Linux 5.3 or later, or a driver stack that brings them");
	} else {
		found(ret, CHECK_OK, "Linux %s knows them", node->release);
	}
}

/* Without the first two there are no RDMA devices for pods; not every application needs the CM. */
static bool is_essential(size_t module)
{
	return module == NODE_IB_CORE || module == NODE_IB_UVERBS;
}

/* One finding about the modules of this importance that are in this state. */
static bool found_modules(const struct node *node, struct findings *ret, bool essential,
			  enum node_module_state state, const char *text)
{
	bool any = false;

	for (size_t i = 0; i < NODE_MODULES; i++) {
		if (node->modules[i] != state || is_essential(i) != essential)
			continue;
		if (!any)
			found(ret, essential ? CHECK_FAIL : CHECK_WARN, "%s", text);
		any = true;
		about(ret, "%s", node_module_name(i));
	}
	return any;
}

static bool found_missing(const struct node *node, struct findings *ret, bool essential)
{
	bool any = found_modules(node, ret, essential, NODE_MODULE_PRESENT, "not loaded");

	if (any)
		mend(ret, "modprobe %s; and its name in /etc/modules-load.d/rdma.conf",
		     ret->failed ? "" : ret->items[ret->count - 1].subjects.items[0]);
	if (found_modules(node, ret, essential, NODE_MODULE_ABSENT,
			  "neither loaded nor among this kernel's modules")) {
		mend(ret,
		     "install the rest of the modules of Linux %s (linux-modules-extra, "
		     "kernel-modules-extra) or a driver stack",
		     node->release);
		any = true;
	}
	return any;
}

void look_at_modules(const struct node *node, struct findings *ret)
{
	bool any = found_missing(node, ret, true);

	any = found_missing(node, ret, false) || any;
	if (!any)
		found(ret, CHECK_OK, "ib_core, ib_uverbs, rdma_cm and rdma_ucm are there");
}

void look_at_mode(const struct node *node, struct findings *ret)
{
	if (node->mode == NODE_MODE_UNKNOWN) {
		found(ret, CHECK_SKIP, "there is none");
	} else if (node->mode == NODE_MODE_EXCLUSIVE) {
		found(ret, CHECK_OK, "exclusive");
	} else {
		found(ret, CHECK_FAIL, "shared: a pod can't be given a device of its own");
		mend(ret, "rdma-node prepare --mode exclusive; the kernel refuses while any "
			  "network namespace but the host's exists: drain the node, or reboot "
			  "(mode-boot)");
	}
}

/* How the mode is set for ever, on this kernel. */
static void mend_boot(const struct node *node, struct findings *ret)
{
	if (node->boot.is_built_in)
		mend(ret, "ib_core.netns_mode=0 on the kernel command line");
	else
		mend(ret,
		     "echo 'options ib_core netns_mode=0' >" MODE_FILE "; then rebuild the "
		     "initramfs if ib_core is loaded from it (update-initramfs -u, dracut -f)");
}

static void look_at_exclusive_boot(const struct node *node, struct findings *ret)
{
	const struct node_boot *boot = &node->boot;

	if (boot->from_file && boot->is_built_in) {
		found(ret, CHECK_WARN, "shared: ib_core is built in, and what %s says is not read",
		      boot->source);
		mend_boot(node, ret);
	} else if (node->mode == NODE_MODE_SHARED) {
		found(ret, CHECK_WARN, "exclusive (%s), but it is shared now", boot->source);
		mend(ret, "reboot; if it was so at this boot already, ib_core comes from an "
			  "initramfs without that file: update-initramfs -u or dracut -f");
	} else if (boot->initramfs[0] != '\0' && boot->from_initramfs) {
		found(ret, CHECK_WARN,
		      "exclusive (%s); but ib_core comes from the initramfs, and %s is older than "
		      "that file: shared",
		      boot->source, boot->initramfs);
		mend(ret, "update-initramfs -u or dracut -f");
	} else if (boot->initramfs[0] != '\0') {
		found(ret, CHECK_WARN,
		      "exclusive (%s); but if ib_core is loaded from the initramfs, shared: %s is "
		      "older than that file",
		      boot->source, boot->initramfs);
		mend(ret, "update-initramfs -u or dracut -f");
	} else {
		found(ret, CHECK_OK, "exclusive (%s)", boot->source);
	}
}

void look_at_boot(const struct node *node, struct findings *ret)
{
	const struct node_boot *boot = &node->boot;

	if (node->mode == NODE_MODE_UNKNOWN) {
		found(ret, CHECK_SKIP, "there is none");
	} else if (boot->mode == NODE_MODE_EXCLUSIVE) {
		look_at_exclusive_boot(node, ret);
	} else if (boot->mode == NODE_MODE_UNKNOWN && boot->hidden[0] != '\0') {
		found(ret, CHECK_SKIP, "only root may read %s", boot->hidden);
	} else if (boot->mode == NODE_MODE_INVALID) {
		found(ret, CHECK_FAIL,
		      "%s sets netns_mode to '%s', with which ib_core can't be loaded",
		      boot->source, boot->value);
		mend_boot(node, ret);
	} else {
		found(ret, CHECK_WARN, "shared (%s), and it is %s now",
		      boot->mode == NODE_MODE_SHARED ? boot->source : "the kernel's default",
		      mode_name(node->mode));
		mend_boot(node, ret);
	}
}

void look_at_shared_plugin(const struct node *node, struct findings *ret)
{
	if (node->shared_plugin > 0) {
		found(ret, CHECK_FAIL,
		      "a shared RDMA device plugin runs (process %d): it needs mode shared",
		      (int)node->shared_plugin);
		mend(ret, "one of the two on a node: keep its DaemonSet off this one");
	} else if (node->shared_pod[0] != '\0') {
		found(ret, CHECK_WARN,
		      "a pod of a shared RDMA device plugin is on this node, and can't run but in "
		      "mode shared: %s",
		      node->shared_pod);
		mend(ret, "one of the two on a node: keep its DaemonSet off this one");
	} else if (node->process_count == 0) {
		found(ret, CHECK_SKIP, "no processes can be seen");
	} else {
		found(ret, CHECK_OK, "none runs");
	}
}

void look_at_stack(const struct node *node, struct findings *ret)
{
	if (!node->stack_core_runs) {
		found(ret, CHECK_SKIP, "mlx5_core is not loaded");
	} else if (node->stack_rdma_runs && strcmp(node->stack_core, node->stack_rdma) != 0) {
		found(ret, CHECK_WARN, "mlx5_core is %s and mlx5_ib is %s",
		      node->stack_core[0] != '\0' ? node->stack_core : "the kernel's own",
		      node->stack_rdma[0] != '\0' ? node->stack_rdma : "the kernel's own");
		mend(ret, "rebuild the initramfs, which has other modules than the disk "
			  "(update-initramfs -u, dracut -f), then reboot");
	} else if (node->stack_core[0] != '\0') {
		found(ret, CHECK_OK, "MLNX_OFED or DOCA-OFED, mlx5_core %s", node->stack_core);
	} else {
		found(ret, CHECK_OK, "the kernel's own drivers");
	}
}
