/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach/naming: the template of a device's name in the pod (contract, section 6).
 */
#include "unit.h"

#include <rdma-cni/attach/naming.h>
#include <rdma-cni/base/cleanup.h>
#include <stdio.h>
#include <string.h>

static const struct function vf = { .bus = FUNCTION_PCI, .name = "10000:3b:02.3" };

static struct naming naming_of(const char *template)
{
	return (struct naming){
		.template = template, .device = "mlx5_2", .ifname = "net1", .function = &vf
	};
}

static void placeholders_are_expanded(void **state)
{
	static const char *const rows[][2] = {
		{ "pod_{pci}", "pod_10000_3b_02_3" },
		{ "{device}", "mlx5_2" },
		{ "{ifname}-{device}", "net1-mlx5_2" },
		{ "rdma{index}", "rdma7" },
		{ "{index}{index}", "77" },
		{ "a.b_c-D9", "a.b_c-D9" },
		{ "{device}.{pci}.x", "mlx5_2.10000_3b_02_3.x" },
		{ "...", "..." },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct naming naming = naming_of(rows[i][0]);
		char name[LIMIT_RDMA_NAME_SIZE];
		struct error err = { 0 };

		want_success(rows[i][0], naming_expand(&naming, 7, name, &err), &err);
		want_string(rows[i][0], name, rows[i][1]);
	}
}

static void an_auxiliary_device_gives_a_name_too(void **state)
{
	static const struct function sf = { .bus = FUNCTION_AUXILIARY, .name = "mlx5_core.sf.4" };
	struct naming naming = naming_of("{pci}");
	char name[LIMIT_RDMA_NAME_SIZE];
	struct error err = { 0 };

	(void)state;
	naming.function = &sf;
	want_success("sf", naming_expand(&naming, 0, name, &err), &err);
	assert_string_equal(name, "mlx5_core_sf_4");
}

/* Not one of [A-Za-z0-9_.-], or no name at all. */
static const char *const impossible[] = {
	"",	     ".",   "..",	"a/b",	     "../{device}", "a b",    "a:b",
	"{",	     "}",   "{}",	"{PCI}",     "{pci",	    "{ pci}", "{{pci}}",
	"{unknown}", "a\n", "\xc3\xbc", "a@{index}", "{index",	    "name%d", "{pci}}",
};

static void an_impossible_template_is_refused_and_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(impossible); i++) {
		const struct naming naming = naming_of(impossible[i]);
		char name[LIMIT_RDMA_NAME_SIZE] = "old";
		struct error err = { 0 };

		want_error(impossible[i], naming_expand(&naming, 0, name, &err), &err,
			   ERROR_CONFIG);
		want_contains(impossible[i], err.msg, "rdmaDeviceName");
		want_contains(impossible[i], err.msg, impossible[i]);
		want_string(impossible[i], name, "old");
		err = (struct error){ 0 };
		want_error(impossible[i], naming_check(impossible[i], &err), &err, ERROR_CONFIG);
	}
}

static void a_possible_template_is_known_before_the_device_is(void **state)
{
	static const char *const rows[] = { "pod_{pci}", "{device}", "{ifname}", "{index}", "x" };

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };

		want_success(rows[i], naming_check(rows[i], &err), &err);
	}
}

static void a_name_has_63_bytes_at_most(void **state)
{
	char *cleanup_free longest = repeat("a", 63);
	char *cleanup_free longer = repeat("a", 64);
	char *cleanup_free many = repeat("{pci}", 1000);
	char name[LIMIT_RDMA_NAME_SIZE];
	struct error err = { 0 };
	struct naming naming = naming_of(longest);

	(void)state;
	want_success("63", naming_expand(&naming, 0, name, &err), &err);
	assert_string_equal(name, longest);
	naming.template = longer;
	want_error("64", naming_expand(&naming, 0, name, &err), &err, ERROR_CONFIG);
	naming.template = many;
	want_error("many", naming_expand(&naming, 0, name, &err), &err, ERROR_CONFIG);
}

static void what_an_interface_may_be_called_a_device_may_not(void **state)
{
	struct naming naming = naming_of("{ifname}");
	char name[LIMIT_RDMA_NAME_SIZE];
	struct error err = { 0 };

	(void)state;
	naming.ifname = "net@1";
	want_error("net@1", naming_expand(&naming, 0, name, &err), &err, ERROR_CONFIG);
	/* A value is no template: what it holds is not expanded again. */
	naming.ifname = "{device}";
	err = (struct error){ 0 };
	want_error("{device}", naming_expand(&naming, 0, name, &err), &err, ERROR_CONFIG);
}

static void only_the_index_makes_another_name(void **state)
{
	static const struct {
		const char *template;
		bool has;
	} rows[] = {
		{ "rdma{index}", true }, { "{index}", true },  { "{pci}", false },
		{ "index", false },	 { "{Index}", false }, { "", false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct naming naming = naming_of(rows[i].template);

		want_int(rows[i].template, naming_has_index(&naming), rows[i].has);
	}
}

static void the_highest_index_fits(void **state)
{
	const struct naming naming = naming_of("r{index}");
	char name[LIMIT_RDMA_NAME_SIZE];
	struct error err = { 0 };

	(void)state;
	want_success("index", naming_expand(&naming, 4294967295U, name, &err), &err);
	assert_string_equal(name, "r4294967295");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(placeholders_are_expanded),
		cmocka_unit_test(an_auxiliary_device_gives_a_name_too),
		cmocka_unit_test(an_impossible_template_is_refused_and_shown),
		cmocka_unit_test(a_possible_template_is_known_before_the_device_is),
		cmocka_unit_test(a_name_has_63_bytes_at_most),
		cmocka_unit_test(what_an_interface_may_be_called_a_device_may_not),
		cmocka_unit_test(only_the_index_makes_another_name),
		cmocka_unit_test(the_highest_index_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
