/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks, and what they have in common.
 */
#include <rdma-cni/node/checks.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"
#include "read.h"

const struct check checks[] = {
	{ "rdma-netns", "the kernel knows RDMA network namespaces", look_at_netns_support },
	{ "modules", "the modules of the RDMA core", look_at_modules },
	{ "mode", "RDMA network namespace mode now", look_at_mode },
	{ "mode-boot", "the mode at the next boot", look_at_boot },
	{ "shared-plugin", "no shared RDMA device plugin", look_at_shared_plugin },
	{ "driver-stack", "one driver stack", look_at_stack },
	{ "vfs", "virtual functions", look_at_vfs },
	{ "driver", "drivers of the virtual functions", look_at_drivers },
	{ "rdma-device", "their RDMA devices", look_at_rdma_devices },
	{ "vf-mac", "administrative MAC addresses (Ethernet)", look_at_macs },
	{ "vf-guid", "GUIDs of the virtual functions (InfiniBand)", look_at_guids },
	{ "node-guid", "node GUIDs", look_at_node_guids },
	{ "names", "names of RDMA devices", look_at_names },
	{ "ports", "port state and link layer", look_at_ports },
	{ "rdma-cm", "/dev/infiniband/rdma_cm", look_at_rdma_cm },
	{ "uverbs", "/dev/infiniband/uverbsN", look_at_uverbs },
	{ "uverbs-holes", "numbers of the uverbs devices", look_at_holes },
	{ "plugin", "the plugin", look_at_plugin },
	{ "state-dir", "its state directory", look_at_state },
	{ "attachments", "stale attachments", look_at_attachments },
	{ "lost-devices", "devices in namespaces without processes", look_at_lost_devices },
	{ "cni-plugins", "the plugins before it in the chain", look_at_cni_plugins },
	{ "memlock", "locked memory of container runtimes", look_at_memlock },
	{ NULL, NULL, NULL },
};

const char *check_state_name(enum check_state state)
{
	static const char *const names[] = {
		[CHECK_SKIP] = "skip",
		[CHECK_OK] = "ok",
		[CHECK_WARN] = "warn",
		[CHECK_FAIL] = "fail",
	};

	return names[state];
}

int check_run(const struct check *check, const struct node *node, struct findings *ret,
	      struct error *err)
{
	struct findings cleanup_findings findings = { 0 };

	check->look(node, &findings);
	if (findings.failed)
		return error_no_memory(err);
	*ret = findings;
	findings = (struct findings){ 0 };
	return 0;
}

enum check_state findings_state(const struct findings *findings)
{
	enum check_state worst = CHECK_SKIP;

	for (size_t i = 0; i < findings->count; i++) {
		if (findings->items[i].state > worst)
			worst = findings->items[i].state;
	}
	return worst;
}

void findings_done(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		free(findings->items[i].text);
		free(findings->items[i].remedy);
		names_done(&findings->items[i].subjects);
	}
	free(findings->items);
	*findings = (struct findings){ 0 };
}

/* The finding that is being described; NULL when memory was short. */
static struct finding *last_of(struct findings *findings)
{
	return findings->failed ? NULL : &findings->items[findings->count - 1];
}

void found(struct findings *ret, enum check_state state, const char *format, ...)
{
	struct finding *grown = ret->failed ? NULL
					    : read_grow(ret->items, ret->count, sizeof(*grown));
	va_list values;

	if (!grown) {
		ret->failed = true;
		return;
	}
	ret->items = grown;
	grown = &grown[ret->count++];
	grown->state = state;
	va_start(values, format);
	if (vasprintf(&grown->text, format, values) < 0) {
		grown->text = NULL;
		ret->failed = true;
	}
	va_end(values);
}

void about(struct findings *ret, const char *format, ...)
{
	struct finding *finding = last_of(ret);
	char subject[512];
	va_list values;

	va_start(values, format);
	(void)vsnprintf(subject, sizeof(subject), format, values);
	va_end(values);
	if (finding && names_add(&finding->subjects, subject) < 0)
		ret->failed = true;
}

void mend(struct findings *ret, const char *format, ...)
{
	struct finding *finding = last_of(ret);
	va_list values;

	if (!finding)
		return;
	va_start(values, format);
	if (vasprintf(&finding->remedy, format, values) < 0) {
		finding->remedy = NULL;
		ret->failed = true;
	}
	va_end(values);
}

bool is_wanted(const struct node *node, size_t function)
{
	return function == NODE_NONE ? node->wants_all : node->functions[function].is_wanted;
}

bool is_for_pods(const struct node_function *function)
{
	return function->pf != NODE_NONE || function->id.bus == FUNCTION_AUXILIARY;
}

static bool concerns(const struct node_function *function, function_question is_such)
{
	return function->is_wanted && function->is_expected && is_such(function);
}

size_t found_functions(const struct node *node, function_question is_such, struct findings *ret,
		       enum check_state state, const char *text)
{
	size_t first = NODE_NONE;

	for (size_t i = 0; i < node->function_count; i++) {
		if (!concerns(&node->functions[i], is_such))
			continue;
		if (first == NODE_NONE) {
			found(ret, state, "%s", text);
			first = i;
		}
		about(ret, "%s", node->functions[i].id.name);
	}
	return first;
}

size_t count_functions(const struct node *node, function_question is_such)
{
	size_t count = 0;

	for (size_t i = 0; i < node->function_count; i++)
		count += concerns(&node->functions[i], is_such) ? 1 : 0;
	return count;
}
