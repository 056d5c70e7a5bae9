/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node/prepare: what needs no kernel: the file for the next boot, and refusals.
 */
#include "unit.h"

#include <fcntl.h>
#include <rdma-cni/base/text.h>
#include <rdma-cni/node/prepare.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_PATH "etc/modprobe.d/ib_core.conf"

/* All that was told since the last look. */
static struct text told;

static void note(const char *text)
{
	text_print(&told, "%s\n", text);
}

static void want_told(const char *part)
{
	want_contains(part, told.data ? told.data : "", part);
	text_done(&told);
}

static struct node node_in(const struct scratch *scratch)
{
	return (struct node){
		.root = scratch->dir,
		.is_live = true,
		.mode = NODE_MODE_EXCLUSIVE,
	};
}

static void set_boot(struct node *node, enum node_mode mode, const char *source)
{
	node->boot.mode = mode;
	(void)snprintf(node->boot.source, sizeof(node->boot.source), "%s", source);
	(void)snprintf(node->boot.value, sizeof(node->boot.value), "%s",
		       mode == NODE_MODE_SHARED ? "Y" : "0");
}

static void the_file_for_the_next_boot(void **state)
{
	const struct scratch *scratch = *state;
	struct node node = node_in(scratch);
	struct prepare prepare = { .node = &node, .dry_run = true, .say = note };
	struct error err = { 0 };

	want_success("dry", prepare_boot(&prepare, NODE_MODE_EXCLUSIVE, &err), &err);
	want_told("write 'options ib_core netns_mode=0' to /" FILE_PATH);
	assert_false(is_there(scratch->dir, "etc"));
	make_directory(scratch->dir, "etc");
	prepare.dry_run = false;
	want_success("new", prepare_boot(&prepare, NODE_MODE_EXCLUSIVE, &err), &err);
	want_told("if ib_core is loaded from the initramfs");
	want_string("new", file_text(scratch->dir, FILE_PATH), "options ib_core netns_mode=0\n");
	node.boot.from_initramfs = true;
	want_success("initramfs", prepare_boot(&prepare, NODE_MODE_EXCLUSIVE, &err), &err);
	want_told("ib_core was loaded from the initramfs");
	assert_int_equal(mode_of(scratch->dir, FILE_PATH) & 07777U, 0644);
	set_boot(&node, NODE_MODE_EXCLUSIVE, "/" FILE_PATH);
	want_success("shared", prepare_boot(&prepare, NODE_MODE_SHARED, &err), &err);
	want_told("netns_mode=1");
	want_string("shared", file_text(scratch->dir, FILE_PATH), "options ib_core netns_mode=1\n");
}

static void a_file_that_would_not_be_heard(void **state)
{
	const struct scratch *scratch = *state;
	struct node node = node_in(scratch);
	const struct prepare prepare = { .node = &node, .say = note };
	struct error err = { 0 };

	make_directory(scratch->dir, "etc");
	set_boot(&node, NODE_MODE_SHARED, "the kernel command line");
	want_error("command line", prepare_boot(&prepare, NODE_MODE_EXCLUSIVE, &err), &err,
		   ERROR_CONFLICT);
	want_contains("where", err.msg, "the kernel command line says netns_mode=Y");
	set_boot(&node, NODE_MODE_EXCLUSIVE, "/" FILE_PATH);
	node.boot.from_file = true;
	node.boot.is_built_in = true;
	want_error("built in", prepare_boot(&prepare, NODE_MODE_EXCLUSIVE, &err), &err,
		   ERROR_CONFLICT);
	want_contains("what to do", err.msg, "ib_core.netns_mode=0");
	assert_false(is_there(scratch->dir, "etc/modprobe.d"));
	text_done(&told);
}

static void nothing_to_do(void **state)
{
	const struct scratch *scratch = *state;
	struct node node = node_in(scratch);
	const struct prepare prepare = { .node = &node, .say = note };
	struct names holders = { 0 };
	struct error err = { 0 };

	set_boot(&node, NODE_MODE_EXCLUSIVE, "the kernel command line");
	want_success("boot", prepare_boot(&prepare, NODE_MODE_EXCLUSIVE, &err), &err);
	want_told("exclusive already (the kernel command line)");
	want_success("mode", prepare_mode(&prepare, NODE_MODE_EXCLUSIVE, &holders, &err), &err);
	want_told("exclusive already");
	make_file(scratch->dir, "etc/machine-id", "0123456789abcdef0123456789abcdef\n");
	want_success("macs", prepare_vf_macs(&prepare, true, &err), &err);
	want_told("no VF lacks");
}

static void a_kernel_without_rdma(void **state)
{
	struct node node = { .mode = NODE_MODE_UNKNOWN };
	const struct prepare prepare = { .node = &node, .say = note };
	struct names holders = { 0 };
	struct error err = { 0 };

	(void)state;
	want_error("mode", prepare_mode(&prepare, NODE_MODE_EXCLUSIVE, &holders, &err), &err,
		   ERROR_NO_RDMA);
}

/* A dry run for a VF of a PF with this network device, "" for none. */
static int try_vf(const struct scratch *scratch, const struct node_function *vf, const char *net,
		  struct error *err)
{
	struct node_function functions[2] = { { .id = { .name = "0000:3b:00.0" }, .pf = NODE_NONE },
					      *vf };
	struct node node = node_in(scratch);
	const struct prepare prepare = { .node = &node, .dry_run = true, .say = note };
	char *nets[] = { text_of(net) };

	if (net[0] != '\0')
		functions[0].net = (struct names){ .items = nets, .count = 1 };
	node.functions = functions;
	node.function_count = array_size(functions);
	return prepare_vf_macs(&prepare, true, err);
}

static void addresses_of_vfs(void **state)
{
	const struct scratch *scratch = *state;
	char *own[] = { text_of("eth1") };
	struct node_function vf = {
		.id = { .name = "0000:3b:00.2" },
		.driver = "mlx5_core",
		.pf = 0,
		.vf_number = 3,
		.is_expected = true,
		.is_wanted = true,
		.mac = NODE_NO,
		.here = 1,
		.verbs = 1,
		.net = { .items = own, .count = 1 },
	};
	struct error err = { 0 };

	want_error("no ID", try_vf(scratch, &vf, "ens1f0", &err), &err, ERROR_ENVIRONMENT);
	make_file(scratch->dir, "etc/machine-id", "0123456789abcdef0123456789abcdef\n");
	err = (struct error){ 0 };
	want_success("free", try_vf(scratch, &vf, "ens1f0", &err), &err);
	want_told("ip link set ens1f0 vf 3 mac ");
	want_error("PF without", try_vf(scratch, &vf, "", &err), &err, ERROR_NO_DEVICE);
	err = (struct error){ 0 };
	vf.here = 0;
	want_success("RDMA in a pod", try_vf(scratch, &vf, "ens1f0", &err), &err);
	want_told("leave 0000:3b:00.2 alone");
	vf.here = 1;
	vf.net.count = 0;
	want_success("network in a pod", try_vf(scratch, &vf, "ens1f0", &err), &err);
	want_told("leave 0000:3b:00.2 alone");
	vf.is_infiniband = true;
	want_success("InfiniBand", try_vf(scratch, &vf, "ens1f0", &err), &err);
	want_told("no VF lacks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(the_file_for_the_next_boot),
		scratch_test(a_file_that_would_not_be_heard),
		scratch_test(nothing_to_do),
		cmocka_unit_test(a_kernel_without_rdma),
		scratch_test(addresses_of_vfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
