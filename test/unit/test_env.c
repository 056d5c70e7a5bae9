/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/env: the environment, in the order in which the reference skel checks it.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/cni/env.h>
#include <stdio.h>
#include <string.h>

/* The environment of the current case, which a cni_getenv can only find here. */
struct variables {
	const char *command;
	const char *container_id;
	const char *netns;
	const char *ifname;
	const char *args;
	const char *path;
	const char *netns_override;
};

static struct variables environment;

static char *get(const char *name)
{
	const struct {
		const char *name;
		const char *value;
	} all[] = {
		{ "CNI_COMMAND", environment.command },
		{ "CNI_CONTAINERID", environment.container_id },
		{ "CNI_NETNS", environment.netns },
		{ "CNI_IFNAME", environment.ifname },
		{ "CNI_ARGS", environment.args },
		{ "CNI_PATH", environment.path },
		{ "CNI_NETNS_OVERRIDE", environment.netns_override },
	};

	for (size_t i = 0; i < array_size(all); i++) {
		if (strcmp(all[i].name, name) == 0)
			return (char *)(uintptr_t)all[i].value;
	}
	return NULL;
}

static void commands_are_known_in_capital_letters(void **state)
{
	static const struct {
		const char *text;
		enum cni_command command;
	} rows[] = {
		{ "ADD", CNI_ADD },	   { "DEL", CNI_DEL },	     { "CHECK", CNI_CHECK },
		{ "GC", CNI_GC },	   { "STATUS", CNI_STATUS }, { "VERSION", CNI_VERSION },
		{ "add", CNI_UNKNOWN },	   { "Add", CNI_UNKNOWN },   { "ADDX", CNI_UNKNOWN },
		{ "UPDATE", CNI_UNKNOWN }, { " ADD", CNI_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_env env = { 0 };
		struct error err = { 0 };

		environment =
			(struct variables){ rows[i].text, "c1", "/n", "net1", "a=b", "/x", "" };
		want_success(rows[i].text, cni_env_read(get, &env, &err), &err);
		want_int(rows[i].text, env.command, rows[i].command);
		want_string(rows[i].text, env.command_name, rows[i].text);
	}
}

static void values_come_as_they_are_and_absent_ones_are_empty(void **state)
{
	struct cni_env env = { 0 };
	struct error err = { 0 };

	(void)state;
	environment = (struct variables){ "ADD", "c1", "/n", "net1", "K=v", "/x", "1" };
	want_success("all", cni_env_read(get, &env, &err), &err);
	assert_string_equal(env.container_id, "c1");
	assert_string_equal(env.netns, "/n");
	assert_string_equal(env.ifname, "net1");
	assert_string_equal(env.args, "K=v");
	assert_string_equal(env.path, "/x");
	assert_true(env.netns_override);
	environment = (struct variables){ .command = "VERSION" };
	want_success("none", cni_env_read(get, &env, &err), &err);
	assert_string_equal(env.container_id, "");
	assert_string_equal(env.netns, "");
	assert_string_equal(env.ifname, "");
	assert_string_equal(env.args, "");
	assert_string_equal(env.path, "");
	assert_false(env.netns_override);
}

/* Requirements, section 3: which command requires what; an empty string is missing. */
static void all_that_is_missing_is_told_at_once_in_order(void **state)
{
	static const struct {
		const char *row;
		struct variables variables;
		const char *missing; /* NULL: nothing */
	} rows[] = {
		{ "nothing", { 0 }, "[CNI_COMMAND]" },
		{ "empty command", { .command = "", .path = "/x" }, "[CNI_COMMAND]" },
		{ "ADD", { .command = "ADD" }, "[CNI_CONTAINERID,CNI_NETNS,CNI_IFNAME,CNI_PATH]" },
		{ "CHECK",
		  { .command = "CHECK" },
		  "[CNI_CONTAINERID,CNI_NETNS,CNI_IFNAME,CNI_PATH]" },
		{ "DEL", { .command = "DEL" }, "[CNI_CONTAINERID,CNI_IFNAME,CNI_PATH]" },
		{ "GC", { .command = "GC" }, "[CNI_PATH]" },
		{ "STATUS", { .command = "STATUS" }, "[CNI_PATH]" },
		{ "VERSION", { .command = "VERSION" }, NULL },
		{ "unknown", { .command = "NOPE" }, NULL },
		{ "ADD without netns", { "ADD", "c", "", "e", "", "/x", "" }, "[CNI_NETNS]" },
		{ "CHECK without netns", { "CHECK", "c", NULL, "e", "", "/x", "" }, "[CNI_NETNS]" },
		{ "DEL without netns", { "DEL", "c", "", "e", "", "/x", "" }, NULL },
		{ "DEL without path", { "DEL", "c", "", "e", "", "", "" }, "[CNI_PATH]" },
		{ "ADD with empty id",
		  { "ADD", "", "/n", "e", "", "/x", "" },
		  "[CNI_CONTAINERID]" },
		{ "ADD without two",
		  { "ADD", "c", "/n", "", "", "", "" },
		  "[CNI_IFNAME,CNI_PATH]" },
		{ "GC ignores the rest", { "GC", "../x", "", "a/b", "", "/x", "" }, NULL },
		{ "STATUS ignores the rest", { "STATUS", "/", "", ":", "", "/x", "" }, NULL },
		{ "VERSION ignores the rest", { "VERSION", "/", "dummy", ":", "", "", "" }, NULL },
		{ "unknown ignores the rest", { "NOPE", "/", "", ":", "", "", "" }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_env env = { 0 };
		struct error err = { 0 };
		int r;

		environment = rows[i].variables;
		r = cni_env_read(get, &env, &err);
		if (!rows[i].missing) {
			want_success(rows[i].row, r, &err);
			continue;
		}
		want_error(rows[i].row, r, &err, ERROR_ENVIRONMENT);
		want_contains(rows[i].row, err.msg, rows[i].missing);
	}
}

static void what_is_invalid_is_told_before_what_is_missing(void **state)
{
	static const struct {
		const char *row;
		struct variables variables;
		const char *named;
		const char *details;
	} rows[] = {
		{ "id before ifname",
		  { "ADD", "../x", "/n", "", "", "", "" },
		  "CNI_CONTAINERID",
		  "../x" },
		{ "id before netns",
		  { "CHECK", "-x", "", "e", "", "", "" },
		  "CNI_CONTAINERID",
		  "-x" },
		{ "ifname before path",
		  { "DEL", "", "", "a/b", "", "", "" },
		  "CNI_IFNAME",
		  "interface name contains / or : or whitespace characters" },
		{ "id before ifname, both invalid",
		  { "DEL", "a b", "", "a/b", "", "/x", "" },
		  "CNI_CONTAINERID",
		  "a b" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_env env = { 0 };
		struct error err = { 0 };

		environment = rows[i].variables;
		want_error(rows[i].row, cni_env_read(get, &env, &err), &err, ERROR_ENVIRONMENT);
		want_contains(rows[i].row, err.msg, rows[i].named);
		want_string(rows[i].row, err.details, rows[i].details);
		/* The caller must know which command failed. */
		want_string(rows[i].row, env.command_name, rows[i].variables.command);
	}
}

/* ^[a-zA-Z0-9][a-zA-Z0-9_.\-]*$ of any length. */
static void identifiers_are_those_of_the_specification(void **state)
{
	static const struct {
		const char *text;
		bool ok;
	} rows[] = {
		{ "a", true },	       { "0", true },	   { "Z9_.-", true }, { "a..b", true },
		{ "c1-", true },       { "", false },	   { "-a", false },   { ".a", false },
		{ "..", false },       { "_a", false },	   { "a/b", false },  { "../x", false },
		{ "a b", false },      { "a\n", false },   { "a\t", false },  { "a:b", false },
		{ "\xc3\xbc", false }, { "a\xff", false }, { "a~", false },   { "a@b", false },
	};
	char *cleanup_free longest = repeat("c", 100000);

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		want_int(rows[i].text, cni_is_identifier(rows[i].text), rows[i].ok);
	assert_true(cni_is_identifier(longest));
}

static void interface_names_have_1_to_15_bytes_without_separators(void **state)
{
	static const char length[] = "interface name should be less than 16 characters";
	static const char dots[] = "interface name is . or ..";
	static const char letters[] = "interface name contains / or : or whitespace characters";
	static const struct {
		const char *ifname;
		const char *details; /* NULL: a good name */
	} rows[] = {
		{ "net1", NULL },
		{ "123456789012345", NULL },
		{ "1234567890123456", length },
		{ ".", dots },
		{ "..", dots },
		{ "...", NULL },
		{ "a/b", letters },
		{ "eth0:1", letters },
		{ "a b", letters },
		{ "a\n", letters },
		{ "a\tb", letters },
		{ "\va", letters },
		{ "a\xc2\x85", letters },
		{ "a\xc2\xa0", letters },
		{ "a\xe2\x80\xa8", letters },
		{ "\xe3\x80\x80", letters },
		{ "\xe1\x9a\x80", letters },
		{ "\xe2\x80\x8a", letters },
		/* U+200B is no white space; bytes are counted, not characters. */
		{ "a\xe2\x80\x8b", NULL },
		{ "\xc3\xbc@-_", NULL },
		{ "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", length },
		{ "\xff\xfe", NULL },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_env env = { 0 };
		struct error err = { 0 };
		int r;

		environment = (struct variables){ "DEL", "c", "", rows[i].ifname, "", "/x", "" };
		r = cni_env_read(get, &env, &err);
		if (!rows[i].details) {
			want_success(rows[i].ifname, r, &err);
			continue;
		}
		want_error(rows[i].ifname, r, &err, ERROR_ENVIRONMENT);
		want_contains(rows[i].ifname, err.msg, "CNI_IFNAME");
		want_string(rows[i].ifname, err.details, rows[i].details);
	}
}

static void the_netns_check_is_overridden_by_1_or_true(void **state)
{
	static const struct {
		const char *text;
		bool on;
	} rows[] = {
		{ "1", true },	 { "true", true },   { "TRUE", true }, { "True", true },
		{ "", false },	 { "0", false },     { "yes", false }, { "true ", false },
		{ "11", false }, { "false", false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_env env = { 0 };
		struct error err = { 0 };

		environment = (struct variables){ "ADD", "c", "/n", "e", "", "/x", rows[i].text };
		want_success(rows[i].text, cni_env_read(get, &env, &err), &err);
		want_int(rows[i].text, env.netns_override, rows[i].on);
	}
}

static void the_pod_is_known_from_the_arguments(void **state)
{
	static const struct {
		const char *args;
		const char *pod; /* namespace/name/uid */
	} rows[] = {
		{ "", "//" },
		{ "IgnoreUnknown=1;K8S_POD_NAMESPACE=ns;K8S_POD_NAME=n;K8S_POD_UID=u", "ns/n/u" },
		{ "K8S_POD_UID=u;K8S_POD_NAME=n;;K8S_POD_NAMESPACE=ns;", "ns/n/u" },
		{ "K8S_POD_NAME=a;K8S_POD_NAME=b", "/b/" },
		{ "K8S_POD_NAME=a;K8S_POD_NAME=", "//" },
		{ "K8S_POD_NAME=a=b=c", "/a=b=c/" },
		{ "K8S_POD_NAME", "//" },
		{ "k8s_pod_name=n", "//" },
		{ "XK8S_POD_NAME=n;K8S_POD_NAMEX=n", "//" },
		{ ";;;=;=x;K8S_POD_NAME=n;=", "/n/" },
		{ "K8S_POD_NAME= n ", "/ n /" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_pod pod = { .name = "old" };
		char text[600];

		cni_pod_from_args(rows[i].args, &pod);
		(void)snprintf(text, sizeof(text), "%s/%s/%s", pod.namespace, pod.name, pod.uid);
		want_string(rows[i].args, text, rows[i].pod);
	}
}

static void a_pod_name_of_any_length_is_cut(void **state)
{
	char *cleanup_free name = repeat("n", 100000);
	struct cni_pod pod;
	char args[100100];

	(void)state;
	(void)snprintf(args, sizeof(args), "K8S_POD_NAME=%s;K8S_POD_UID=%s;K8S_POD_NAMESPACE=ns",
		       name, name);
	cni_pod_from_args(args, &pod);
	assert_int_equal(strlen(pod.name), sizeof(pod.name) - 1);
	assert_true(strspn(pod.name, "n") == strlen(pod.name));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_are_known_in_capital_letters),
		cmocka_unit_test(values_come_as_they_are_and_absent_ones_are_empty),
		cmocka_unit_test(all_that_is_missing_is_told_at_once_in_order),
		cmocka_unit_test(what_is_invalid_is_told_before_what_is_missing),
		cmocka_unit_test(identifiers_are_those_of_the_specification),
		cmocka_unit_test(interface_names_have_1_to_15_bytes_without_separators),
		cmocka_unit_test(the_netns_check_is_overridden_by_1_or_true),
		cmocka_unit_test(the_pod_is_known_from_the_arguments),
		cmocka_unit_test(a_pod_name_of_any_length_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
