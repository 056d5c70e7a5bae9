/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/conf: the network configuration, key by key.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/cni/conf.h>
#include <stdio.h>
#include <string.h>

static int read_text(const char *text, struct cni_conf *conf, struct error *err)
{
	const int cleanup_close fd = descriptor_of(text, strlen(text));

	return cni_conf_read(fd, conf, err);
}

/* Only document and name are wrong here; the version's type is asked for separately. */
static void a_document_needs_a_name_before_all_else(void **state)
{
	static const struct {
		const char *text;
		enum error_kind kind;
	} rows[] = {
		{ "", ERROR_DECODE },
		{ "{", ERROR_DECODE },
		{ "{\"name\":\"n\"} x", ERROR_DECODE },
		{ "[]", ERROR_DECODE },
		{ "\"n\"", ERROR_DECODE },
		{ "5", ERROR_DECODE },
		{ "{\"name\":5}", ERROR_DECODE },
		{ "{\"name\":{}}", ERROR_DECODE },
		{ "\xef\xbb\xbf{\"name\":\"n\"}", ERROR_DECODE },
		{ "null", ERROR_CONFIG },
		{ "{}", ERROR_CONFIG },
		{ "{\"name\":null}", ERROR_CONFIG },
		{ "{\"name\":\"\"}", ERROR_CONFIG },
		{ "{\"Name\":\"n\"}", ERROR_CONFIG },
		{ "{\"name\":\"../x\"}", ERROR_CONFIG },
		{ "{\"name\":\"a b\"}", ERROR_CONFIG },
		{ "{\"name\":\"a\\u0000\"}", ERROR_CONFIG },
		{ "{\"name\":\"a\\n\"}", ERROR_CONFIG },
		{ "{\"name\":\"good\",\"name\":\"\"}", ERROR_CONFIG },
		{ "{\"name\":\"n\"}", ERROR_NONE },
		{ " {\"name\":\"n\"}\n", ERROR_NONE },
		{ "{\"name\":\"\",\"name\":\"n\"}", ERROR_NONE },
		{ "{\"\\u006eame\":\"n\"}", ERROR_NONE },
		{ "{\"name\":\"n\",\"cniVersion\":5}", ERROR_NONE },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };
		struct error err = { 0 };
		const int r = read_text(rows[i].text, &conf, &err);

		if (rows[i].kind == ERROR_NONE)
			want_success(rows[i].text, r, &err);
		else
			want_error(rows[i].text, r, &err, rows[i].kind);
		if (rows[i].kind == ERROR_NONE)
			want_string(rows[i].text, conf.name, "n");
	}
}

static void a_bad_name_is_shown(void **state)
{
	struct cni_conf cleanup_cni_conf bad = { 0 };
	struct cni_conf cleanup_cni_conf missing = { 0 };
	struct error err = { 0 };

	(void)state;
	want_error("bad", read_text("{\"name\":\"../x\"}", &bad, &err), &err, ERROR_CONFIG);
	assert_string_equal(err.details, "../x");
	want_error("missing", read_text("{}", &missing, &err), &err, ERROR_CONFIG);
	want_contains("missing", err.msg, "missing network name");
}

static void an_unreadable_input_is_an_io_error(void **state)
{
	struct cni_conf cleanup_cni_conf conf = { 0 };
	struct error err = { 0 };

	(void)state;
	want_error("closed", cni_conf_read(-1, &conf, &err), &err, ERROR_IO);
}

static void configurations_of_several_mebibytes_are_read_and_endless_ones_not(void **state)
{
	struct cni_conf cleanup_cni_conf large = { 0 };
	struct cni_conf cleanup_cni_conf endless = { 0 };
	char *cleanup_free padding = repeat("a", 4 << 20);
	char *cleanup_free spaces = repeat(" ", 9 << 20);
	char *cleanup_free text = malloc((4 << 20) + 64);
	struct error err = { 0 };

	(void)state;
	assert_non_null(text);
	(void)sprintf(text, "{\"name\":\"n\",\"pad\":\"%s\"}", padding);
	want_success("4 MiB", read_text(text, &large, &err), &err);
	want_error("9 MiB", read_text(spaces, &endless, &err), &err, ERROR_DECODE);
}

static void the_version_is_known_also_on_failure(void **state)
{
	static const struct {
		const char *text;
		const char *version; /* NULL: it has none that could be told */
		bool type_ok;
	} rows[] = {
		{ "{\"name\":\"n\",\"cniVersion\":\"1.0.0\"}", "1.0.0", true },
		{ "{\"name\":\"n\",\"cniVersion\":\"9.9\"}", "9.9", true },
		{ "{\"name\":\"n\"}", "0.1.0", true },
		{ "{\"name\":\"n\",\"cniVersion\":\"\"}", "0.1.0", true },
		{ "{\"name\":\"n\",\"cniVersion\":null}", "0.1.0", true },
		{ "{\"name\":\"n\",\"CNIVersion\":\"1.0.0\"}", "0.1.0", true },
		{ "{\"name\":\"n\",\"cniVersion\":1}", NULL, false },
		{ "{\"name\":\"n\",\"cniVersion\":[\"1.0.0\"]}", NULL, false },
		{ "{\"name\":\"/\",\"cniVersion\":\"1.0.0\"}", "1.0.0", true },
		{ "{\"cniVersion\":\"0.4.0\",\"cniVersion\":\"1.0.0\"}", "1.0.0", true },
		{ "[]", NULL, true },
		{ "{", NULL, true },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };
		struct error err = { 0 };

		(void)!read_text(rows[i].text, &conf, &err);
		if (rows[i].version)
			want_string(rows[i].text, conf.cni_version, rows[i].version);
		err = (struct error){ 0 };
		if (rows[i].type_ok)
			want_success(rows[i].text, cni_conf_check_version_type(&conf, &err), &err);
		else
			want_error(rows[i].text, cni_conf_check_version_type(&conf, &err), &err,
				   ERROR_DECODE);
	}
}

/* The configuration of these members, all of them valid. */
static void read_options(const char *members, struct cni_conf *conf)
{
	struct error err = { 0 };
	char text[1024];

	(void)snprintf(text, sizeof(text), "{\"name\":\"n\"%s%s}", members[0] ? "," : "", members);
	want_success(members, read_text(text, conf, &err), &err);
	want_success(members, cni_conf_options(conf, false, &err), &err);
}

static void every_option_has_its_default(void **state)
{
	static const char *const rows[] = {
		"",
		"\"deviceID\":null,\"pciBusID\":null,\"runtimeConfig\":null,\"args\":null,"
		"\"logLevel\":null,\"logFile\":null,\"dataDir\":null,\"rdmaDeviceName\":null,"
		"\"waitSeconds\":null",
		"\"deviceID\":\"\",\"pciBusID\":\"\",\"runtimeConfig\":{},\"args\":{\"cni\":null},"
		"\"logLevel\":\"\",\"logFile\":\"\",\"dataDir\":\"\",\"rdmaDeviceName\":\"\"",
		"\"type\":\"rdma\",\"capabilities\":{\"mac\":true},\"ipam\":5,\"dns\":[],"
		"\"cni.dev/x\":1,\"prevResult\":7,\"args\":{\"cni\":{\"debug\":false,\"x\":[]}}",
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };

		read_options(rows[i], &conf);
		want_string(rows[i], conf.device_id, NULL);
		want_string(rows[i], conf.devinfo_file, NULL);
		want_string(rows[i], conf.data_dir, "/var/lib/cni/rdma");
		want_string(rows[i], conf.log_file, NULL);
		want_string(rows[i], conf.device_name_template, NULL);
		want_int(rows[i], conf.log_level, LOG_LEVEL_INFO);
		want_int(rows[i], conf.wait_seconds, 3);
	}
}

static void every_option_can_be_set(void **state)
{
	struct cni_conf cleanup_cni_conf conf = { 0 };

	(void)state;
	read_options("\"deviceID\":\"0000:3b:02.3\",\"logLevel\":\"warning\",\"logFile\":\"/l\","
		     "\"dataDir\":\"/d\",\"rdmaDeviceName\":\"pod_{pci}\",\"waitSeconds\":60,"
		     "\"runtimeConfig\":{\"CNIDeviceInfoFile\":\"/i\",\"mac\":5}",
		     &conf);
	assert_string_equal(conf.device_id, "0000:3b:02.3");
	assert_int_equal(conf.log_level, LOG_LEVEL_WARNING);
	assert_string_equal(conf.log_file, "/l");
	assert_string_equal(conf.data_dir, "/d");
	assert_string_equal(conf.device_name_template, "pod_{pci}");
	assert_int_equal(conf.wait_seconds, 60);
	assert_string_equal(conf.devinfo_file, "/i");
}

/* Contract, section 3: in which order, and the letter case of the Go plugin's keys. */
static void the_device_comes_from_the_first_key_that_has_one(void **state)
{
	static const char *const rows[][2] = {
		{ "\"deviceID\":\"a\",\"runtimeConfig\":{\"deviceID\":\"b\"},\"pciBusID\":\"c\"",
		  "a" },
		{ "\"runtimeConfig\":{\"deviceID\":\"b\"},\"pciBusID\":\"c\"", "b" },
		{ "\"pciBusID\":\"c\"", "c" },
		{ "\"deviceID\":\"\",\"runtimeConfig\":{\"deviceID\":\"b\"}", "b" },
		{ "\"deviceID\":null,\"runtimeConfig\":{\"deviceID\":\"\"},\"pciBusID\":\"c\"",
		  "c" },
		{ "\"deviceId\":\"a\"", "a" },
		{ "\"DEVICEID\":\"a\"", "a" },
		{ "\"deviceid\":\"x\",\"deviceID\":\"a\",\"DeviceID\":\"y\"", "a" },
		{ "\"deviceID\":\"x\",\"deviceID\":\"a\"", "a" },
		{ "\"runtimeConfig\":{\"deviceid\":\"b\"}", NULL },
		{ "\"runtimeconfig\":{\"deviceID\":\"b\"}", NULL },
		{ "\"pcibusid\":\"c\"", NULL },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };

		read_options(rows[i][0], &conf);
		want_string(rows[i][0], conf.device_id, rows[i][1]);
	}
}

static void debug_is_switched_on_either_way(void **state)
{
	static const struct {
		const char *members;
		enum log_level level;
	} rows[] = {
		{ "\"logLevel\":\"error\"", LOG_LEVEL_ERROR },
		{ "\"logLevel\":\"warning\"", LOG_LEVEL_WARNING },
		{ "\"logLevel\":\"info\"", LOG_LEVEL_INFO },
		{ "\"logLevel\":\"debug\"", LOG_LEVEL_DEBUG },
		{ "\"args\":{\"cni\":{\"debug\":true}}", LOG_LEVEL_DEBUG },
		{ "\"Args\":{\"CNI\":{\"Debug\":true}}", LOG_LEVEL_DEBUG },
		{ "\"args\":{\"cni\":{\"debug\":true}},\"logLevel\":\"error\"", LOG_LEVEL_DEBUG },
		{ "\"args\":{\"cni\":{\"debug\":false}},\"logLevel\":\"error\"", LOG_LEVEL_ERROR },
		{ "\"args\":{\"cni\":{\"debug\":null}}", LOG_LEVEL_INFO },
		{ "\"args\":{\"debug\":true}", LOG_LEVEL_INFO },
		{ "\"args\":{\"cni\":{\"DEBUG\":true,\"debug\":false}}", LOG_LEVEL_INFO },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };

		read_options(rows[i].members, &conf);
		want_int(rows[i].members, conf.log_level, rows[i].level);
	}
}

/* What can not be: the member, and what the message names of it. */
static const struct impossible {
	const char *member;
	const char *key;
	const char *value;
} impossible[] = {
	{ "\"deviceID\":5", "'deviceID'", "5" },
	{ "\"DEVICEID\":[\"a\"]", "deviceID", "[\"a\"]" },
	{ "\"pciBusID\":{}", "'pciBusID'", "{}" },
	{ "\"deviceID\":\"a\",\"pciBusID\":true", "'pciBusID'", "true" },
	{ "\"runtimeConfig\":\"x\"", "'runtimeConfig'", "\"x\"" },
	{ "\"runtimeConfig\":[]", "'runtimeConfig'", "[]" },
	{ "\"runtimeConfig\":{\"deviceID\":false}", "'runtimeConfig.deviceID'", "false" },
	{ "\"runtimeConfig\":{\"CNIDeviceInfoFile\":\"rel/path\"}",
	  "'runtimeConfig.CNIDeviceInfoFile'", "rel/path" },
	{ "\"runtimeConfig\":{\"CNIDeviceInfoFile\":1}", "'runtimeConfig.CNIDeviceInfoFile'", "1" },
	{ "\"args\":1", "'args'", "1" },
	{ "\"args\":{\"cni\":\"x\"}", "'args.cni'", "\"x\"" },
	{ "\"args\":{\"cni\":{\"debug\":\"true\"}}", "'args.cni.debug'", "\"true\"" },
	{ "\"args\":{\"cni\":{\"debug\":1}}", "'args.cni.debug'", "1" },
	{ "\"logLevel\":\"verbose\"", "'logLevel'", "\"verbose\"" },
	{ "\"logLevel\":\"DEBUG\"", "'logLevel'", "\"DEBUG\"" },
	{ "\"logLevel\":3", "'logLevel'", "3" },
	{ "\"logFile\":\"relative\"", "'logFile'", "\"relative\"" },
	{ "\"logFile\":{}", "'logFile'", "{}" },
	{ "\"dataDir\":\"var/lib\"", "'dataDir'", "\"var/lib\"" },
	{ "\"dataDir\":7", "'dataDir'", "7" },
	{ "\"rdmaDeviceName\":7", "'rdmaDeviceName'", "7" },
	{ "\"waitSeconds\":61", "'waitSeconds'", "61" },
	{ "\"waitSeconds\":-1", "'waitSeconds'", "-1" },
	{ "\"waitSeconds\":1.5", "'waitSeconds'", "1.5" },
	{ "\"waitSeconds\":1e400", "'waitSeconds'", "" },
	{ "\"waitSeconds\":\"3\"", "'waitSeconds'", "\"3\"" },
	{ "\"waitSeconds\":true", "'waitSeconds'", "true" },
};

static void an_impossible_value_is_told_with_key_and_value(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(impossible); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };
		struct error err = { 0 };
		char text[256];

		(void)snprintf(text, sizeof(text), "{\"name\":\"n\",%s}", impossible[i].member);
		want_success(text, read_text(text, &conf, &err), &err);
		want_error(text, cni_conf_options(&conf, false, &err), &err, ERROR_CONFIG);
		want_contains(text, err.msg, impossible[i].key);
		want_contains(text, err.msg, impossible[i].value);
	}
}

static void del_takes_the_default_for_what_is_impossible(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(impossible); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };
		struct error err = { 0 };
		char text[256];

		(void)snprintf(text, sizeof(text), "{\"name\":\"n\",\"rdmaDeviceName\":\"t\",%s}",
			       impossible[i].member);
		want_success(text, read_text(text, &conf, &err), &err);
		want_int(text, cni_conf_options(&conf, true, &err), 1);
		want_contains(text, err.msg, impossible[i].key);
		want_string(text, conf.data_dir, "/var/lib/cni/rdma");
		want_string(text, conf.log_file, NULL);
		want_string(text, conf.devinfo_file, NULL);
		want_int(text, conf.log_level, LOG_LEVEL_INFO);
		want_int(text, conf.wait_seconds, 3);
	}
}

static void del_uses_all_that_is_possible_beside(void **state)
{
	static const char text[] = "{\"name\":\"n\",\"waitSeconds\":\"x\",\"logLevel\":7,"
				   "\"deviceID\":[],\"pciBusID\":\"c\",\"dataDir\":\"/d\"}";
	struct cni_conf cleanup_cni_conf conf = { 0 };
	struct error err = { 0 };

	(void)state;
	want_success(text, read_text(text, &conf, &err), &err);
	assert_int_equal(cni_conf_options(&conf, true, &err), 1);
	assert_string_equal(conf.device_id, "c");
	assert_string_equal(conf.data_dir, "/d");
}

static void a_huge_value_is_cut_in_the_message(void **state)
{
	struct cni_conf cleanup_cni_conf conf = { 0 };
	char *cleanup_free value = repeat("v", 5000);
	struct error err = { 0 };
	char text[5100];

	(void)state;
	(void)snprintf(text, sizeof(text), "{\"name\":\"n\",\"logLevel\":\"%s\"}", value);
	want_success("read", read_text(text, &conf, &err), &err);
	want_error("huge", cni_conf_options(&conf, false, &err), &err, ERROR_CONFIG);
	want_contains("expected", err.msg, "must be error, warning, info or debug");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_needs_a_name_before_all_else),
		cmocka_unit_test(a_bad_name_is_shown),
		cmocka_unit_test(an_unreadable_input_is_an_io_error),
		cmocka_unit_test(configurations_of_several_mebibytes_are_read_and_endless_ones_not),
		cmocka_unit_test(the_version_is_known_also_on_failure),
		cmocka_unit_test(every_option_has_its_default),
		cmocka_unit_test(every_option_can_be_set),
		cmocka_unit_test(the_device_comes_from_the_first_key_that_has_one),
		cmocka_unit_test(debug_is_switched_on_either_way),
		cmocka_unit_test(an_impossible_value_is_told_with_key_and_value),
		cmocka_unit_test(del_takes_the_default_for_what_is_impossible),
		cmocka_unit_test(del_uses_all_that_is_possible_beside),
		cmocka_unit_test(a_huge_value_is_cut_in_the_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
