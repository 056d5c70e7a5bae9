/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/devinfo: the device-info file names the devices as the pod sees them.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/cni/devinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct cni_device_name renamed[] = {
	{ "mlx5_2", "pod_a" },
	{ "mlx5_22", "pod_b" },
};

/* Update `name` in the scratch directory. */
static int update(const struct scratch *scratch, const char *name,
		  const struct cni_device_name *names, size_t count, struct error *err)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/%s", scratch->path, name);
	return cni_devinfo_update(path, "0000:3b:02.3", names, count, err);
}

static void a_missing_file_is_made_with_its_directories(void **state)
{
	const struct scratch *scratch = *state;
	struct error err = { 0 };

	want_success("new", update(scratch, "devinfo/cni/f", renamed, 2, &err), &err);
	assert_string_equal(file_text(scratch->dir, "devinfo/cni/f"),
			    "{\"type\":\"pci\",\"version\":\"1.1.0\",\"pci\":{"
			    "\"pci-address\":\"0000:3b:02.3\",\"rdma-device\":\"pod_a,pod_b\"}}");
	assert_int_equal(mode_of(scratch->dir, "devinfo/cni/f"), S_IFREG | 0444);
	assert_false(is_there(scratch->dir, "devinfo/cni/.f.tmp"));
}

/* The file is about PCI devices: what has no PCI address is only translated. */
static void without_a_pci_address_no_file_is_made(void **state)
{
	const struct scratch *scratch = *state;
	char path[512];
	struct error err = { 0 };

	(void)snprintf(path, sizeof(path), "%s/f", scratch->path);
	want_success("none", cni_devinfo_update(path, NULL, renamed, 2, &err), &err);
	assert_false(is_there(scratch->dir, "f"));
	assert_false(is_there(scratch->dir, ".f.tmp"));
}

static void names_are_translated_and_all_else_stays(void **state)
{
	static const char *const rows[][2] = {
		{ "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"mlx5_2\"}}",
		  "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"pod_a\"}}" },
		{ "{ \"pci\" : { \"rdma-device\" : \"mlx5_22,mlx5_2\", \"n\":9007199254740993 },\n"
		  "\"type\":\"pci\", \"x\": 1e400 }\n",
		  "{ \"pci\" : { \"rdma-device\" : \"pod_b,pod_a\", \"n\":9007199254740993 },\n"
		  "\"type\":\"pci\", \"x\": 1e400 }\n" },
		{ "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"mlx5_9,mlx5_2,\"}}",
		  "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"mlx5_9,pod_a,\"}}" },
		{ "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"mlx5_222,mlx5,\"}}",
		  "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"mlx5_222,mlx5,\"}}" },
		{ "{\"type\":\"pci\",\"pci\":{}}",
		  "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"pod_a,pod_b\"}}" },
		{ "{\"type\":\"pci\",\"pci\":{\"pci-address\":\"x\"}}",
		  "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"pod_a,pod_b\","
		  "\"pci-address\":\"x\"}}" },
		{ "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"pod_a,pod_b\"}}",
		  "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"pod_a,pod_b\"}}" },
		/* The last of duplicates is the one that is read. */
		{ "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"x\",\"rdma-device\":\"mlx5_2\"}}",
		  "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"x\",\"rdma-device\":\"pod_a\"}}" },
		/* Other types of device, or none that says so, are not ours. */
		{ "{\"type\":\"vdpa\",\"pci\":{\"rdma-device\":\"mlx5_2\"}}",
		  "{\"type\":\"vdpa\",\"pci\":{\"rdma-device\":\"mlx5_2\"}}" },
		{ "{\"pci\":{\"rdma-device\":\"mlx5_2\"}}",
		  "{\"pci\":{\"rdma-device\":\"mlx5_2\"}}" },
		{ "[]", "[]" },
	};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };

		make_file(scratch->dir, "f", rows[i][0]);
		want_success(rows[i][0], update(scratch, "f", renamed, 2, &err), &err);
		want_string(rows[i][0], file_text(scratch->dir, "f"), rows[i][1]);
		assert_int_equal(unlinkat(scratch->dir, "f", 0), 0);
	}
}

static void a_read_only_file_is_replaced(void **state)
{
	const struct scratch *scratch = *state;
	struct error err = { 0 };

	make_file(scratch->dir, "f", "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"mlx5_2\"}}");
	assert_int_equal(fchmodat(scratch->dir, "f", 0444, 0), 0);
	want_success("0444", update(scratch, "f", renamed, 1, &err), &err);
	want_contains("0444", file_text(scratch->dir, "f"), "\"pod_a\"");
	assert_int_equal(mode_of(scratch->dir, "f"), S_IFREG | 0444);
}

static void a_file_that_is_no_device_info_stays_and_is_an_error(void **state)
{
	static const char *const texts[] = {
		"",
		"{\"type\":\"pci\",",
		"{\"type\":\"pci\"}",
		"{\"type\":\"pci\",\"pci\":5}",
		"{\"type\":\"pci\",\"pci\":{\"rdma-device\":5}}",
		"{\"type\":\"pci\",\"pci\":{\"rdma-device\":null}}",
	};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(texts); i++) {
		struct error err = { 0 };

		make_file(scratch->dir, "f", texts[i]);
		want_error(texts[i], update(scratch, "f", renamed, 1, &err), &err, ERROR_IO);
		want_contains(texts[i], err.msg, "/f");
		want_string(texts[i], file_text(scratch->dir, "f"), texts[i]);
	}
}

static void a_link_in_place_of_the_file_is_not_followed(void **state)
{
	static const char text[] = "{\"type\":\"pci\",\"pci\":{\"rdma-device\":\"mlx5_2\"}}";
	const struct scratch *scratch = *state;
	struct error err = { 0 };

	make_file(scratch->dir, "victim", text);
	make_link(scratch->dir, "f", "victim");
	want_error("link", update(scratch, "f", renamed, 1, &err), &err, ERROR_IO);
	assert_string_equal(file_text(scratch->dir, "victim"), text);
	err = (struct error){ 0 };
	assert_int_equal(linkat(scratch->dir, "victim", scratch->dir, "hard", 0), 0);
	want_success("hard link", update(scratch, "hard", renamed, 1, &err), &err);
	assert_string_equal(file_text(scratch->dir, "victim"), text);
}

static void an_oversized_file_is_not_read(void **state)
{
	const struct scratch *scratch = *state;
	char *cleanup_free spaces = repeat(" ", (1 << 20) + 1);
	struct error err = { 0 };

	make_file(scratch->dir, "f", spaces);
	want_error("large", update(scratch, "f", renamed, 1, &err), &err, ERROR_IO);
}

static void the_path_must_be_absolute_and_name_a_file(void **state)
{
	static const char *const paths[] = { "", "f", "./f", "/", "/tmp/", "../f" };

	(void)state;
	for (size_t i = 0; i < array_size(paths); i++) {
		struct error err = { 0 };

		want_error(paths[i], cni_devinfo_update(paths[i], "0000:3b:02.3", renamed, 1, &err),
			   &err, ERROR_CONFIG);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(a_missing_file_is_made_with_its_directories),
		scratch_test(without_a_pci_address_no_file_is_made),
		scratch_test(names_are_translated_and_all_else_stays),
		scratch_test(a_read_only_file_is_replaced),
		scratch_test(a_file_that_is_no_device_info_stays_and_is_an_error),
		scratch_test(a_link_in_place_of_the_file_is_not_followed),
		scratch_test(an_oversized_file_is_not_read),
		cmocka_unit_test(the_path_must_be_absolute_and_name_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
