/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/version: which versions there are, and which command needs which.
 */
#include "unit.h"

#include <rdma-cni/cni/version.h>
#include <stdio.h>
#include <string.h>

static void the_supported_versions_are_those_of_the_contract(void **state)
{
	static const char *const versions[] = { "0.1.0", "0.2.0", "0.3.0", "0.3.1",
						"0.4.0", "1.0.0", "1.1.0" };
	char list[128];

	(void)state;
	for (size_t i = 0; i < array_size(versions); i++)
		assert_string_equal(cni_versions[i], versions[i]);
	assert_null(cni_versions[array_size(versions)]);
	assert_string_equal(cni_version_list(list, sizeof(list)),
			    "0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0");
	assert_string_equal(CNI_VERSION_DEFAULT, "0.1.0");
	assert_string_equal(CNI_VERSION_LATEST, "1.1.0");
}

static void the_list_never_leaves_its_buffer(void **state)
{
	char list[20];

	(void)state;
	memset(list, '#', sizeof(list));
	(void)cni_version_list(list, 10);
	assert_string_equal(list, "0.1.0, 0.");
	assert_int_equal(list[10], '#');
}

static void a_family_is_found_for_the_exact_text_only(void **state)
{
	static const struct {
		const char *version;
		bool ok;
		enum cni_family family;
	} rows[] = {
		{ "0.1.0", true, CNI_FAMILY_IP4_IP6 },
		{ "0.2.0", true, CNI_FAMILY_IP4_IP6 },
		{ "0.3.0", true, CNI_FAMILY_0_3 },
		{ "0.3.1", true, CNI_FAMILY_0_3 },
		{ "0.4.0", true, CNI_FAMILY_0_3 },
		{ "1.0.0", true, CNI_FAMILY_1_0 },
		{ "1.1.0", true, CNI_FAMILY_1_0 },
		{ "", false, 0 },
		{ "1.0", false, 0 },
		{ "1", false, 0 },
		{ "01.0.0", false, 0 },
		{ "1.0.0 ", false, 0 },
		{ "v1.0.0", false, 0 },
		{ "1.2.0", false, 0 },
		{ "0.3.2", false, 0 },
		{ "1.1.0-rc1", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		enum cni_family family = CNI_FAMILY_IP4_IP6;

		want_int(rows[i].version, cni_version_family(rows[i].version, &family), rows[i].ok);
		want_int(rows[i].version, family, rows[i].family);
	}
}

/* Requirements, section 3, steps 6 to 8. */
static void commands_need_their_versions(void **state)
{
	static const struct {
		enum cni_command command;
		const char *version;
		enum error_kind kind; /* ERROR_NONE: allowed */
		const char *msg;
	} rows[] = {
		{ CNI_ADD, "0.1.0", ERROR_NONE, "" },
		{ CNI_ADD, "1.1.0", ERROR_NONE, "" },
		{ CNI_DEL, "0.3.1", ERROR_NONE, "" },
		{ CNI_ADD, "1.2.0", ERROR_VERSION, "incompatible CNI versions" },
		{ CNI_DEL, "1.0", ERROR_VERSION, "incompatible CNI versions" },
		{ CNI_ADD, "abc", ERROR_VERSION, "incompatible CNI versions" },
		{ CNI_CHECK, "0.4.0", ERROR_NONE, "" },
		{ CNI_CHECK, "1.0.0", ERROR_NONE, "" },
		{ CNI_CHECK, "1.1.0", ERROR_NONE, "" },
		{ CNI_CHECK, "0.1.0", ERROR_VERSION, "config version does not allow CHECK" },
		{ CNI_CHECK, "0.3.1", ERROR_VERSION, "config version does not allow CHECK" },
		{ CNI_CHECK, "0.3.999", ERROR_VERSION, "config version does not allow CHECK" },
		{ CNI_CHECK, "0.3.2024", ERROR_VERSION, "config version does not allow CHECK" },
		{ CNI_CHECK, "1.2.0", ERROR_VERSION, "plugin version does not allow CHECK" },
		{ CNI_CHECK, "1000.0.0", ERROR_VERSION, "plugin version does not allow CHECK" },
		{ CNI_CHECK, "2024.1", ERROR_VERSION, "plugin version does not allow CHECK" },
		{ CNI_CHECK, "0.5.0", ERROR_VERSION, "incompatible CNI versions" },
		{ CNI_CHECK, "1.0", ERROR_VERSION, "incompatible CNI versions" },
		{ CNI_CHECK, "1", ERROR_VERSION, "incompatible CNI versions" },
		{ CNI_CHECK, "abc", ERROR_DECODE, "abc" },
		{ CNI_CHECK, "1.0.0.0", ERROR_DECODE, "1.0.0.0" },
		{ CNI_CHECK, "1..0", ERROR_DECODE, "1..0" },
		{ CNI_CHECK, "1.0.", ERROR_DECODE, "1.0." },
		{ CNI_CHECK, ".1", ERROR_DECODE, ".1" },
		{ CNI_CHECK, "1.0.0-rc", ERROR_DECODE, "1.0.0-rc" },
		{ CNI_CHECK, "1.0 ", ERROR_DECODE, "1.0 " },
		{ CNI_GC, "1.1.0", ERROR_NONE, "" },
		{ CNI_GC, "1.0.0", ERROR_VERSION, "config version does not allow GC" },
		{ CNI_GC, "0.1.0", ERROR_VERSION, "config version does not allow GC" },
		{ CNI_GC, "1.2.0", ERROR_VERSION, "plugin version does not allow GC" },
		{ CNI_GC, "x", ERROR_DECODE, "x" },
		{ CNI_STATUS, "1.1.0", ERROR_NONE, "" },
		{ CNI_STATUS, "1.0.0", ERROR_VERSION, "config version does not allow STATUS" },
		{ CNI_STATUS, "1.1.1", ERROR_VERSION, "plugin version does not allow STATUS" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };
		char row[64];
		int r;

		(void)snprintf(row, sizeof(row), "command %d, version %s", (int)rows[i].command,
			       rows[i].version);
		r = cni_version_check(rows[i].command, rows[i].version, &err);
		if (rows[i].kind == ERROR_NONE)
			want_success(row, r, &err);
		else
			want_error(row, r, &err, rows[i].kind);
		want_contains(row, err.msg, rows[i].msg);
	}
}

static void a_refusal_names_both_sides(void **state)
{
	struct error err = { 0 };

	(void)state;
	want_error("1.2.0", cni_version_check(CNI_ADD, "1.2.0", &err), &err, ERROR_VERSION);
	want_contains("config", err.details, "1.2.0");
	want_contains("plugin", err.details, "0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_supported_versions_are_those_of_the_contract),
		cmocka_unit_test(the_list_never_leaves_its_buffer),
		cmocka_unit_test(a_family_is_found_for_the_exact_text_only),
		cmocka_unit_test(commands_need_their_versions),
		cmocka_unit_test(a_refusal_names_both_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
