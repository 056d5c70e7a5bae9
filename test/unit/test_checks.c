/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node/checks: outcomes that neither a tree of files nor the virtual machine has.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/node/checks.h>
#include <stdio.h>
#include <string.h>

/* A PF with a VF, both with drivers; everything else is as the test says. */
struct made {
	struct node_function functions[2];
	struct node_netns netns;
	struct node_away away;
	struct node_attachment attachment;
	struct node node;
};

static void make_node(struct made *ret)
{
	*ret = (struct made){
		.functions = {
			{ .id = { .name = "0000:3b:00.0" },
			  .driver = "mlx5_core", .pf = NODE_NONE, .is_pf = true, .vf_count = 1,
			  .is_expected = true, .is_wanted = true, .here = 1, .module_runs = true },
			{ .id = { .name = "0000:3b:00.2" },
			  .driver = "mlx5_core", .pf = 0, .is_expected = true, .is_wanted = true,
			  .here = 1, .module_runs = true },
		},
		.away = { .function = 1 },
	};
	ret->node = (struct node){
		.path = "/",
		.root = -1,
		.sysfs = -1,
		.version = "1.0",
		.is_live = true,
		.is_privileged = true,
		.has_rdma = true,
		.mode = NODE_MODE_EXCLUSIVE,
		.wants_all = true,
		.processes_are_known = true,
		.functions = ret->functions,
		.function_count = array_size(ret->functions),
		.netns = &ret->netns,
		.netns_count = 1,
		.away = &ret->away,
		.attachments = &ret->attachment,
		.state_is_known = true,
	};
}

/* The first finding of the check: its state and a part of its text or remedy. */
static void want_finding(const struct made *made, const char *id, enum check_state state,
			 const char *part)
{
	struct findings cleanup_findings findings = { 0 };
	struct error err = { 0 };
	const struct check *check = checks;
	char all[1024];

	while (strcmp(check->id, id) != 0)
		check++;
	want_success(id, check_run(check, &made->node, &findings, &err), &err);
	want_int(id, findings_state(&findings), state);
	(void)snprintf(all, sizeof(all), "%s; %s", findings.items[0].text,
		       findings.items[0].remedy ? findings.items[0].remedy : "");
	want_contains(id, all, part);
}

static void switched_off_by_devlink(void **state)
{
	struct made made;

	(void)state;
	make_node(&made);
	made.functions[1].here = 0;
	made.functions[1].param_rdma = NODE_NO;
	want_finding(&made, "rdma-device", CHECK_FAIL,
		     "devlink dev param set pci/0000:3b:00.2 name enable_rdma value true");
	made.functions[1].id.bus = FUNCTION_AUXILIARY;
	made.functions[1].param_rdma = NODE_UNKNOWN;
	made.functions[1].param_roce = NODE_NO;
	want_finding(&made, "rdma-device", CHECK_FAIL,
		     "devlink dev param set auxiliary/0000:3b:00.2 name enable_roce value true");
	made.functions[1].param_rdma = NODE_YES;
	made.functions[1].param_is_runtime = true;
	want_finding(&made, "rdma-device", CHECK_FAIL, "name enable_roce value true cmode runtime");
	made.functions[1].param_iwarp = NODE_YES;
	want_finding(&made, "rdma-device", CHECK_FAIL, "a driver, but no RDMA device");
	made.functions[1].param_iwarp = NODE_NO;
	made.functions[1].param_roce = NODE_YES;
	want_finding(&made, "rdma-device", CHECK_FAIL, "a driver, but no RDMA device");
	made.functions[1].param_roce = NODE_UNKNOWN;
	want_finding(&made, "rdma-device", CHECK_FAIL, "name enable_iwarp value true");
	made.functions[1].param_iwarp = NODE_UNKNOWN;
	want_finding(&made, "rdma-device", CHECK_FAIL, "a driver, but no RDMA device");
	made.functions[1].away = 1;
	want_finding(&made, "rdma-device", CHECK_OK, "all 2");
}

static void a_device_without_roce(void **state)
{
	struct made made;

	(void)state;
	make_node(&made);
	made.functions[1].param_roce = NODE_NO;
	want_finding(&made, "rdma-device", CHECK_FAIL, "a device, but RoCE is off");
	want_finding(&made, "rdma-device", CHECK_FAIL,
		     "pci/0000:3b:00.2 name enable_roce value true cmode driverinit");
	made.functions[1].param_iwarp = NODE_YES;
	want_finding(&made, "rdma-device", CHECK_OK, "all 2");
	made.functions[1].param_iwarp = NODE_NO;
	made.functions[1].is_infiniband = true;
	want_finding(&made, "rdma-device", CHECK_OK, "all 2");
}

static void a_pf_that_does_not_tell_its_vfs_addresses(void **state)
{
	struct made made;

	(void)state;
	make_node(&made);
	want_finding(&made, "vf-mac", CHECK_SKIP, "the interfaces of the PFs do not tell");
	made.functions[1].mac = NODE_NO;
	want_finding(&made, "vf-mac", CHECK_WARN, "ip link set PF vf 0 mac");
	made.functions[1].mac = NODE_YES;
	want_finding(&made, "vf-mac", CHECK_OK, "1 VFs");
}

static void guids_that_only_the_kernel_tells(void **state)
{
	struct made made;
	char *net[] = { text_of("ibs3") };

	(void)state;
	make_node(&made);
	made.functions[1].is_infiniband = true;
	want_finding(&made, "vf-guid", CHECK_SKIP, "the interfaces of the PFs do not tell");
	made.functions[1].guids = NODE_NO;
	want_finding(&made, "vf-guid", CHECK_WARN,
		     "/sys/bus/pci/devices/0000:3b:00.0/sriov/0/node");
	made.functions[0].net = (struct names){ .items = net, .count = 1 };
	want_finding(&made, "vf-guid", CHECK_WARN, "ip link set ibs3 vf 0 node_guid");
	made.functions[1].guids = NODE_YES;
	want_finding(&made, "vf-guid", CHECK_OK, "1 VFs");
}

static void what_only_root_may_see(void **state)
{
	struct made made;

	(void)state;
	make_node(&made);
	made.node.is_privileged = false;
	made.node.state_is_known = false;
	want_finding(&made, "state-dir", CHECK_SKIP, "root");
	want_finding(&made, "attachments", CHECK_SKIP, "can't be read");
	want_finding(&made, "lost-devices", CHECK_SKIP, "root");
}

static void a_pod_whose_life_is_not_known(void **state)
{
	struct made made;

	(void)state;
	make_node(&made);
	made.node.attachment_count = 1;
	made.attachment.file = text_of("net-c1-net1");
	made.attachment.life = NODE_LIFE_UNKNOWN;
	want_finding(&made, "attachments", CHECK_SKIP, "1 attachments");
	made.attachment.life = NODE_LIFE_NETNS_GONE;
	want_finding(&made, "attachments", CHECK_WARN, "the pod's namespace is gone");
	want_finding(&made, "attachments", CHECK_WARN, "rdma-node release --stale");
	made.attachment.life = NODE_LIFE_ALIVE;
	made.attachment.entry.device_id = text_of("0000:3B:00.2");
	want_finding(&made, "attachments", CHECK_WARN, "the pod lives");
	made.functions[1].here = 0;
	want_finding(&made, "attachments", CHECK_OK, "none of 1");
	made.attachment.entry.device_id = text_of("0000:3b:00.7");
	want_finding(&made, "attachments", CHECK_WARN, "its function is gone");
	made.attachment.entry.device_id = text_of("0000:3b:00.2");
	made.functions[1].here = 1;
	made.node.mode = NODE_MODE_SHARED;
	want_finding(&made, "attachments", CHECK_OK, "none of 1");
}

static void devices_in_other_namespaces(void **state)
{
	struct made made;

	(void)state;
	make_node(&made);
	made.functions[1].here = 0;
	made.functions[1].verbs = 1;
	want_finding(&made, "lost-devices", CHECK_WARN, "no name leads to");
	made.functions[1].away = 1;
	made.node.away_count = 1;
	(void)snprintf(made.away.name, sizeof(made.away.name), "mlx5_2");
	made.netns.pid = 712;
	want_finding(&made, "lost-devices", CHECK_OK, "1 in namespaces of processes");
	made.netns.pid = 0;
	(void)snprintf(made.netns.path, sizeof(made.netns.path), "/run/netns/a");
	want_finding(&made, "lost-devices", CHECK_WARN, "in a namespace in which no process is");
	want_finding(&made, "lost-devices", CHECK_WARN, "rdma-node release mlx5_2");
	made.node.processes_are_known = false;
	want_finding(&made, "lost-devices", CHECK_SKIP, "not all");
	made.node.mode = NODE_MODE_SHARED;
	made.node.processes_are_known = true;
	want_finding(&made, "lost-devices", CHECK_SKIP, "mode exclusive");
}

static void every_check_says_something_of_an_empty_node(void **state)
{
	struct node node = { .path = "/", .version = "1.0" };

	(void)state;
	for (const struct check *check = checks; check->id; check++) {
		struct findings cleanup_findings findings = { 0 };
		struct error err = { 0 };

		want_success(check->id, check_run(check, &node, &findings, &err), &err);
		want_int(check->id, findings.count > 0, true);
		for (size_t i = 0; i < findings.count; i++)
			want_int(check->id, findings.items[i].remedy != NULL,
				 findings.items[i].state > CHECK_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switched_off_by_devlink),
		cmocka_unit_test(a_device_without_roce),
		cmocka_unit_test(a_pf_that_does_not_tell_its_vfs_addresses),
		cmocka_unit_test(guids_that_only_the_kernel_tells),
		cmocka_unit_test(what_only_root_may_see),
		cmocka_unit_test(a_pod_whose_life_is_not_known),
		cmocka_unit_test(devices_in_other_namespaces),
		cmocka_unit_test(every_check_says_something_of_an_empty_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
