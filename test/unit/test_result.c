/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/result: the previous result passes through byte for byte, but for its version.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/cni/result.h>
#include <stdio.h>
#include <string.h>

/* The result for a configuration of this version (NULL: none) and `prevResult`. */
static int build(const char *version, const char *result, struct text *ret, struct error *err)
{
	struct cni_conf cleanup_cni_conf conf = { 0 };
	char text[2048];

	(void)snprintf(text, sizeof(text), "{\"name\":\"n\",%s%s%s\"prevResult\":%s ,\"x\":1}",
		       version ? "\"cniVersion\":\"" : "", version ? version : "",
		       version ? "\"," : "", result);
	const int cleanup_close fd = descriptor_of(text, strlen(text));
	want_success(text, cni_conf_read(fd, &conf, err), err);
	return cni_result_build(&conf, ret, err);
}

static void want_result(const char *version, const char *result, const char *expected)
{
	struct text cleanup_text text = { 0 };
	struct error err = { 0 };

	want_success(result, build(version, result, &text, &err), &err);
	want_string(result, text.data, expected);
}

static void the_same_version_passes_byte_for_byte(void **state)
{
	static const char *const results[] = {
		"{\"cniVersion\":\"1.1.0\"}",
		"{ \"cniVersion\" : \"1.1.0\" , \"ips\" : [ ] }",
		"{\n\t\"cniVersion\": \"1.1.0\",\n\t\"dns\": {}\n}",
		"{\"interfaces\":[],\"cniVersion\":\"1.1.0\"}",
		/* What a number of a double, or a decoder into known fields, would lose. */
		"{\"cniVersion\":\"1.1.0\",\"n\":9007199254740993,\"m\":18446744073709551615}",
		"{\"cniVersion\":\"1.1.0\",\"n\":[1e400,1.0,-0,4294967295,0.10,1E+2]}",
		"{\"cniVersion\":\"1.1.0\",\"s\":\"a\\u0000b\\ud800<>&\\/\\u00e9\"}",
		"{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"::FFFF:10.0.0.1/120\"}]}",
		"{\"cniVersion\":\"1.1.0\",\"ips\":[{\"interface\":0}],\"routes\":[{\"table\":0}]}",
		"{\"cniVersion\":\"1.1.0\",\"routes\":[{\"priority\":0,\"scope\":0,\"mtu\":1}]}",
		"{\"cniVersion\":\"1.1.0\",\"interfaces\":[{\"mac\":\"AA:bb\",\"mtu\":9000}]}",
		"{\"cniVersion\":\"1.1.0\",\"interfaces\":[{\"socketPath\":\"\",\"pciID\":\"P\"}]}",
		"{\"cniVersion\":\"1.1.0\",\"unknown\":{\"a\":1,\"a\":2},\"z\":1,\"a\":[[],{}]}",
		"{\"cniVersion\":\"1.1.0\",\"s\":\"\xff\"}",
	};

	(void)state;
	for (size_t i = 0; i < array_size(results); i++)
		want_result("1.1.0", results[i], results[i]);
}

static void within_a_family_only_the_version_changes(void **state)
{
	static const struct {
		const char *version;
		const char *result;
		const char *expected;
	} rows[] = {
		{ "1.0.0", "{\"cniVersion\":\"1.1.0\",\"interfaces\":[{\"mtu\":9000}]}",
		  "{\"cniVersion\":\"1.0.0\",\"interfaces\":[{\"mtu\":9000}]}" },
		{ "1.1.0", "{\"a\" : 1, \"cniVersion\" : \"1.0.0\" }",
		  "{\"a\" : 1, \"cniVersion\" : \"1.1.0\" }" },
		{ "0.4.0", "{\"cniVersion\":\"0.3.0\",\"interfaces\":[{\"mtu\":1}],\"dns\":{}}",
		  "{\"cniVersion\":\"0.4.0\",\"interfaces\":[{\"mtu\":1}],\"dns\":{}}" },
		{ "0.3.1", "{\"cniVersion\":\"0.4.0\"}", "{\"cniVersion\":\"0.3.1\"}" },
		{ "0.2.0", "{\"cniVersion\":\"0.1.0\",\"ip4\":{\"ip\":\"10.0.0.1/8\"}}",
		  "{\"cniVersion\":\"0.2.0\",\"ip4\":{\"ip\":\"10.0.0.1/8\"}}" },
		/* Neither ip4 nor ip6: passes as it is. */
		{ "0.1.0", "{\"cniVersion\":\"0.2.0\"}", "{\"cniVersion\":\"0.1.0\"}" },
		{ NULL, "{\"cniVersion\":\"0.2.0\",\"dns\":{}}",
		  "{\"cniVersion\":\"0.1.0\",\"dns\":{}}" },
		/* Escaped, twice, or in a nested object. */
		{ "1.1.0", "{\"cni\\u0056ersion\":\"1.0.0\"}", "{\"cni\\u0056ersion\":\"1.1.0\"}" },
		{ "1.1.0", "{\"cniVersion\":\"0.1.0\",\"cniVersion\":\"1.0.0\"}",
		  "{\"cniVersion\":\"1.1.0\",\"cniVersion\":\"1.1.0\"}" },
		{ "1.1.0", "{\"cniVersion\":\"1.0.0\",\"x\":{\"cniVersion\":\"1.0.0\"}}",
		  "{\"cniVersion\":\"1.1.0\",\"x\":{\"cniVersion\":\"1.0.0\"}}" },
		{ "1.1.0", "{\"cniVersion\":\"1.0.0\",\"CNIVersion\":\"1.0.0\"}",
		  "{\"cniVersion\":\"1.1.0\",\"CNIVersion\":\"1.0.0\"}" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		want_result(rows[i].version, rows[i].result, rows[i].expected);
}

static void a_result_without_version_has_that_of_the_configuration(void **state)
{
	static const struct {
		const char *version;
		const char *result;
		const char *expected;
	} rows[] = {
		{ "1.1.0", "{}", "{\"cniVersion\":\"1.1.0\"}" },
		{ "1.1.0", "{ }", "{\"cniVersion\":\"1.1.0\" }" },
		{ "0.4.0", "{\"ips\":[]}", "{\"cniVersion\":\"0.4.0\",\"ips\":[]}" },
		{ "0.4.0", "{ \"ips\" : [] }", "{\"cniVersion\":\"0.4.0\", \"ips\" : [] }" },
		{ NULL, "{\"ip4\":{}}", "{\"cniVersion\":\"0.1.0\",\"ip4\":{}}" },
		{ "1.1.0", "{\"cniVersion\":\"\"}", "{\"cniVersion\":\"1.1.0\"}" },
		{ "1.1.0", "{\"cniVersion\":null,\"a\":1}", "{\"cniVersion\":\"1.1.0\",\"a\":1}" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		want_result(rows[i].version, rows[i].result, rows[i].expected);
}

static void a_result_of_an_unknown_version_is_undecodable(void **state)
{
	static const char *const results[] = {
		"{\"cniVersion\":\"1.2.0\"}", "{\"cniVersion\":\"1.0\"}", "{\"cniVersion\":\"x\"}",
		"{\"cniVersion\":1}",	      "{\"cniVersion\":[]}",	  "{\"cniVersion\":{}}",
	};

	(void)state;
	for (size_t i = 0; i < array_size(results); i++) {
		struct text cleanup_text text = { 0 };
		struct error err = { 0 };

		want_error(results[i], build("1.1.0", results[i], &text, &err), &err, ERROR_DECODE);
		assert_int_equal(text.length, 0);
	}
}

static void the_last_previous_result_counts(void **state)
{
	want_result("1.1.0", "{\"a\":1},\"prevResult\":{\"cniVersion\":\"1.0.0\",\"b\":2}",
		    "{\"cniVersion\":\"1.1.0\",\"b\":2}");
	(void)state;
}

static void another_family_is_converted(void **state)
{
	(void)state;
	want_result("1.1.0",
		    "{\"cniVersion\":\"0.4.0\",\"ips\":[{\"version\":\"4\","
		    "\"address\":\"10.0.0.1/24\"}]}",
		    "{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"10.0.0.1/24\"}]}");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_version_passes_byte_for_byte),
		cmocka_unit_test(within_a_family_only_the_version_changes),
		cmocka_unit_test(a_result_without_version_has_that_of_the_configuration),
		cmocka_unit_test(a_result_of_an_unknown_version_is_undecodable),
		cmocka_unit_test(the_last_previous_result_counts),
		cmocka_unit_test(another_family_is_converted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
