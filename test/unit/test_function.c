/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/function: a PCI or auxiliary device in a made-up sysfs.
 */
#include "unit.h"

#include <rdma-cni/kernel/function.h>
#include <stdio.h>
#include <string.h>

#define PCI "bus/pci/devices/"
#define AUX "bus/auxiliary/devices/"

static struct function parse(const char *text)
{
	struct function function = { .bus = FUNCTION_PCI };
	struct error err = { 0 };

	want_success(text, function_parse(text, &function, &err), &err);
	return function;
}

static void names_of_functions_are_pci_or_auxiliary(void **state)
{
	static const struct {
		const char *text;
		enum function_bus bus;
		const char *name;
		const char *kind;
	} rows[] = {
		{ "0000:3b:02.3", FUNCTION_PCI, "0000:3b:02.3", "PCI device" },
		{ "0000:3B:0A.7", FUNCTION_PCI, "0000:3b:0a.7", "PCI device" },
		{ "10000:01:00.2", FUNCTION_PCI, "10000:01:00.2", "PCI device" },
		{ "ABCDEF01:ff:1f.0", FUNCTION_PCI, "abcdef01:ff:1f.0", "PCI device" },
		{ "mlx5_core.sf.4", FUNCTION_AUXILIARY, "mlx5_core.sf.4", "auxiliary device" },
		{ "ice.Sf-x.0", FUNCTION_AUXILIARY, "ice.Sf-x.0", "auxiliary device" },
		{ "m.t.4294967295", FUNCTION_AUXILIARY, "m.t.4294967295", "auxiliary device" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct function function = parse(rows[i].text);

		want_int(rows[i].text, function.bus, rows[i].bus);
		want_string(rows[i].text, function.name, rows[i].name);
		want_string(rows[i].text, function_kind(&function), rows[i].kind);
	}
}

static void no_other_name_becomes_a_path(void **state)
{
	static const char *const texts[] = {
		"",
		".",
		"..",
		"/",
		"../../x",
		"0000:3b:02.3/..",
		"../0000:3b:02.3",
		"3b:02.3",
		"000:3b:02.3",
		"000000000:3b:02.3",
		"0000:3b:02.8",
		"0000:3b:02",
		"0000:3b:02.",
		"0000:3b:02.33",
		"0000:3b:2.3",
		"0000:3b:02:3",
		"0000-3b-02.3",
		"0000:3g:02.3",
		" 0000:3b:02.3",
		"0000:3b:02.3 ",
		"0000:3b:02.3\n",
		"0x00:3b:02.3",
		"g000:3b:02.3",
		"mlx5_core",
		"mlx5_core.sf",
		"mlx5_core.sf.",
		"mlx5_core.sf.x",
		"mlx5_core.sf.-1",
		"mlx5_core.sf.04",
		"mlx5_core..4",
		".sf.4",
		"a.b.c.4",
		"mlx5_core.sf.4.5",
		"...",
		"mlx5_core/.sf.4",
		"mlx5_core.sf/..4",
		"a b.sf.4",
		"mlx5_core.sf.4/",
		"\xc3\xbc.sf.4",
		"mlx5_core.sf.18446744073709551616",
		"mlx5_0",
		"eth0",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		struct function function = { .name = "old" };
		struct error err = { 0 };

		want_error(texts[i], function_parse(texts[i], &function, &err), &err, ERROR_CONFIG);
		want_contains(texts[i], err.msg, texts[i]);
		want_string(texts[i], function.name, "old");
	}
}

static void a_name_longer_than_its_place_is_refused(void **state)
{
	char *cleanup_free module = repeat("m", 59);
	struct function function = { .bus = FUNCTION_PCI };
	struct error err = { 0 };
	char text[80];

	(void)state;
	(void)snprintf(text, sizeof(text), "%s.t.4", module);
	want_success("63", function_parse(text, &function, &err), &err);
	assert_string_equal(function.name, text);
	(void)snprintf(text, sizeof(text), "%s.t.42", module);
	want_error("64", function_parse(text, &function, &err), &err, ERROR_CONFIG);
}

/* A VF as mlx5 shows it: one RDMA device, RoCE, three character devices. */
static void make_vf(int sysfs)
{
	make_link(sysfs, PCI "0000:3b:02.3", "../../../devices/vf");
	make_link(sysfs, "devices/vf/driver", "../../bus/pci/drivers/mlx5_core");
	make_file(sysfs, "devices/vf/infiniband/mlx5_2/ports/1/link_layer", "Ethernet\n");
	make_file(sysfs, "devices/vf/infiniband_verbs/uverbs3/ibdev", "mlx5_2\n");
	make_file(sysfs, "devices/vf/infiniband_mad/umad3/ibdev", "mlx5_2\n");
	make_file(sysfs, "devices/vf/infiniband_mad/issm3/ibdev", "mlx5_2\n");
	make_file(sysfs, "devices/vf/net/ens1f0v3/type", "1\n");
}

/* Two RDMA devices on one function, one of them with an InfiniBand port behind another. */
static void make_two(int sysfs)
{
	make_link(sysfs, PCI "10000:01:00.2", "../../../devices/two");
	make_file(sysfs, "devices/two/infiniband/mlx5_9/ports/1/link_layer", "Ethernet\n");
	make_file(sysfs, "devices/two/infiniband/mlx5_9/ports/2/link_layer", "InfiniBand\n");
	make_file(sysfs, "devices/two/infiniband/mlx5_10/ports/1/link_layer", "Ethernet\n");
	make_file(sysfs, "devices/two/infiniband_verbs/uverbs0/ibdev", "mlx5_9\n");
	make_file(sysfs, "devices/two/infiniband_verbs/uverbs1/ibdev", "mlx5_10\n");
	make_file(sysfs, "devices/two/infiniband_mad/umad0/ibdev", "mlx5_9\n");
	make_file(sysfs, "devices/two/infiniband_mad/umad1/ibdev", "mlx5_10\n");
	make_file(sysfs, "devices/two/net/ib0/type", "32\n");
	make_file(sysfs, "devices/two/net/ib1/type", "320\n");
}

static void make_others(int sysfs)
{
	make_link(sysfs, AUX "mlx5_core.sf.4", "../../../devices/sf");
	make_link(sysfs, "devices/sf/driver", "../../bus/auxiliary/drivers/mlx5_core.sf");
	make_file(sysfs, "devices/sf/infiniband/mlx5_7/node_type", "1: CA\n");
	make_file(sysfs, "devices/sf/infiniband_verbs/uverbs7/ibdev", "mlx5_7\n");
	/* No driver; a driver without RDMA; a device that is in a pod. */
	make_directory(sysfs, PCI "0000:3b:02.4");
	make_link(sysfs, PCI "0000:3b:02.5/driver", "../../../drivers/vfio-pci");
	make_link(sysfs, PCI "0000:3b:02.6/driver", "../../../drivers/ice");
	make_directory(sysfs, PCI "0000:3b:02.6/infiniband");
	make_file(sysfs, PCI "0000:3b:02.6/infiniband_verbs/uverbs5/ibdev", "");
}

static int sysfs_setup(void **state)
{
	const int r = scratch_setup(state);
	const struct scratch *scratch = *state;

	if (r < 0)
		return r;
	make_vf(scratch->dir);
	make_two(scratch->dir);
	make_others(scratch->dir);
	return 0;
}

static const struct row {
	const char *name;
	bool exists;
	const char *driver; /* NULL: none */
	const char *rdma;
	const char *net;
	const char *char_devices;
} rows[] = {
	{ "0000:3b:02.3", true, "mlx5_core", "mlx5_2", "ens1f0v3", "uverbs3, issm3, umad3" },
	{ "0000:3B:02.3", true, "mlx5_core", "mlx5_2", "ens1f0v3", "uverbs3, issm3, umad3" },
	{ "10000:01:00.2", true, NULL, "mlx5_10, mlx5_9", "ib0, ib1",
	  "uverbs0, uverbs1, umad0, umad1" },
	{ "mlx5_core.sf.4", true, "mlx5_core.sf", "mlx5_7", "none", "uverbs7" },
	{ "0000:3b:02.4", true, NULL, "none", "none", "none" },
	{ "0000:3b:02.5", true, "vfio-pci", "none", "none", "none" },
	{ "0000:3b:02.6", true, "ice", "none", "none", "uverbs5" },
	{ "0000:3b:02.7", false, NULL, "none", "none", "none" },
	{ "mlx5_core.sf.5", false, NULL, "none", "none", "none" },
};

static void a_function_and_its_driver_are_found(void **state)
{
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		const struct function function = parse(rows[i].name);
		char driver[64] = "old";
		const int r = function_driver(scratch->dir, &function, driver, sizeof(driver));

		want_int(rows[i].name, function_exists(scratch->dir, &function), rows[i].exists);
		want_int(rows[i].name, r, rows[i].driver ? 0 : -ENOENT);
		want_string(rows[i].name, driver, rows[i].driver ? rows[i].driver : "old");
	}
}

static void what_hangs_below_a_function_is_listed(void **state)
{
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		const struct function function = parse(rows[i].name);
		struct names cleanup_names rdma = { 0 };
		struct names cleanup_names net = { 0 };
		struct names cleanup_names all = { 0 };
		char joined[256];

		assert_int_equal(function_rdma_devices(scratch->dir, &function, &rdma), 0);
		want_string(rows[i].name, names_join(&rdma, joined, sizeof(joined)), rows[i].rdma);
		assert_int_equal(function_net_devices(scratch->dir, &function, &net), 0);
		want_string(rows[i].name, names_join(&net, joined, sizeof(joined)), rows[i].net);
		assert_int_equal(function_char_devices(scratch->dir, &function, NULL, &all), 0);
		want_string(rows[i].name, names_join(&all, joined, sizeof(joined)),
			    rows[i].char_devices);
	}
}

static void character_devices_belong_to_one_rdma_device(void **state)
{
	static const char *const wanted[][3] = {
		{ "10000:01:00.2", "mlx5_9", "uverbs0, umad0" },
		{ "10000:01:00.2", "mlx5_10", "uverbs1, umad1" },
		{ "10000:01:00.2", "mlx5_1", "none" },
		{ "0000:3b:02.3", "mlx5_2", "uverbs3, issm3, umad3" },
	};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(wanted); i++) {
		const struct function function = parse(wanted[i][0]);
		struct names cleanup_names names = { 0 };
		char joined[256];

		assert_int_equal(
			function_char_devices(scratch->dir, &function, wanted[i][1], &names), 0);
		want_string(wanted[i][1], names_join(&names, joined, sizeof(joined)), wanted[i][2]);
	}
}

static void one_character_device_is_asked_for_by_its_name(void **state)
{
	static const struct {
		const char *function;
		const char *name;
		bool there;
	} asked[] = {
		{ "0000:3b:02.3", "uverbs3", true },   { "0000:3b:02.3", "umad3", true },
		{ "0000:3b:02.3", "issm3", true },     { "0000:3b:02.3", "uverbs0", false },
		{ "0000:3b:02.3", "umad", false },     { "10000:01:00.2", "uverbs0", true },
		{ "10000:01:00.2", "uverbs3", false },
	};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(asked); i++) {
		const struct function function = parse(asked[i].function);

		want_int(asked[i].name,
			 function_has_char_device(scratch->dir, &function, asked[i].name),
			 asked[i].there);
	}
}

static void infiniband_ports_and_interfaces_are_told_from_ethernet(void **state)
{
	const struct scratch *scratch = *state;
	const struct function two = parse("10000:01:00.2");
	const struct function vf = parse("0000:3b:02.3");
	const int sysfs = scratch->dir;

	assert_true(function_has_infiniband_port(sysfs, &two, "mlx5_9"));
	assert_false(function_has_infiniband_port(sysfs, &two, "mlx5_10"));
	assert_false(function_has_infiniband_port(sysfs, &two, "mlx5_11"));
	assert_false(function_has_infiniband_port(sysfs, &vf, "mlx5_2"));
	assert_true(function_net_device_is_ipoib(sysfs, &two, "ib0"));
	assert_false(function_net_device_is_ipoib(sysfs, &two, "ib1"));
	assert_false(function_net_device_is_ipoib(sysfs, &two, "ib2"));
	assert_false(function_net_device_is_ipoib(sysfs, &vf, "ens1f0v3"));
}

static void a_sysfs_that_can_not_be_read_is_an_error(void **state)
{
	const struct function function = parse("0000:3b:02.3");
	struct names cleanup_names names = { 0 };

	(void)state;
	assert_false(function_exists(-1, &function));
	assert_int_equal(function_rdma_devices(-1, &function, &names), -EBADF);
	assert_int_equal(function_char_devices(-1, &function, NULL, &names), -EBADF);
}

#define sysfs_test(function)                                                                       \
	cmocka_unit_test_setup_teardown(function, sysfs_setup, scratch_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_functions_are_pci_or_auxiliary),
		cmocka_unit_test(no_other_name_becomes_a_path),
		cmocka_unit_test(a_name_longer_than_its_place_is_refused),
		sysfs_test(a_function_and_its_driver_are_found),
		sysfs_test(what_hangs_below_a_function_is_listed),
		sysfs_test(character_devices_belong_to_one_rdma_device),
		sysfs_test(one_character_device_is_asked_for_by_its_name),
		sysfs_test(infiniband_ports_and_interfaces_are_told_from_ethernet),
		cmocka_unit_test(a_sysfs_that_can_not_be_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
