/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/convert: results from one family of versions to another.
 *
 * The expected documents follow the table of conversions that the reference library makes; members
 * are compared, not their order in an object.
 */
#include "unit.h"

#include "cni/convert.h"
#include <rdma-cni/base/json.h>
#include <stdio.h>
#include <string.h>

static int convert(const char *from, const char *to, const char *source, struct text *ret,
		   struct error *err)
{
	struct conversion conversion = { .version = to };

	conversion.source = json_whole(source, strlen(source));
	assert_true(cni_version_family(from, &conversion.from));
	assert_true(cni_version_family(to, &conversion.to));
	return cni_convert(&conversion, ret, err);
}

static bool spans_equal(struct json_span a, struct json_span b);

/* The same members, in whatever order, and as many of them. */
static bool objects_equal(struct json_span a, struct json_span b)
{
	struct json_item item = { 0 };
	struct json_item other = { 0 };
	int difference = 0;

	while (json_next_item(a, &item)) {
		char name[64];
		struct json_span found;

		(void)snprintf(name, sizeof(name), "%.*s", (int)item.name.length - 2,
			       item.name.start + 1);
		found = json_find(b, name);
		if (!found.start || !spans_equal(item.value, found))
			return false;
		difference++;
	}
	while (json_next_item(b, &other))
		difference--;
	return difference == 0;
}

static bool arrays_equal(struct json_span a, struct json_span b)
{
	struct json_item item = { 0 };
	struct json_item other = { 0 };

	while (json_next_item(a, &item)) {
		if (!json_next_item(b, &other) || !spans_equal(item.value, other.value))
			return false;
	}
	return !json_next_item(b, &other);
}

/* Scalars byte for byte: a conversion prints no number anew. */
static bool spans_equal(struct json_span a, struct json_span b)
{
	if (a.start[0] != b.start[0])
		return false;
	if (a.start[0] == '{')
		return objects_equal(a, b);
	if (a.start[0] == '[')
		return arrays_equal(a, b);
	return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

struct row {
	const char *from;
	const char *to;
	const char *source;
	const char *expected;
};

static void want_converted(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text cleanup_text text = { 0 };
		struct error err = { 0 };

		want_success(rows[i].source,
			     convert(rows[i].from, rows[i].to, rows[i].source, &text, &err), &err);
		want_success(text.data, json_check(text.data, text.length, &err), &err);
		if (!spans_equal(json_whole(text.data, text.length),
				 json_whole(rows[i].expected, strlen(rows[i].expected))))
			fail_msg("%s from %s to %s:\n%s, but expected\n%s", rows[i].source,
				 rows[i].from, rows[i].to, text.data, rows[i].expected);
	}
}

#define ROUTE_FIELDS                                                                               \
	"\"mtu\":1400,\"advmss\":1360,\"priority\":0,\"table\":4294967295,\"scope\":0,\"x\":1e400"

/* A -> B and A -> C. */
static void the_oldest_results_become_lists(void **state)
{
	static const char both[] =
		"{\"ip4\":{\"ip\":\"10.0.0.2/24\",\"gateway\":\"10.0.0.1\",\"routes\":"
		"[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.0.0.9\"," ROUTE_FIELDS "}]},"
		"\"ip6\":{\"ip\":\"fd00::2/64\",\"routes\":[{\"dst\":\"::/0\"}]},"
		"\"dns\":{\"nameservers\":[\"10.0.0.1\"]}}";
	static const struct row rows[] = {
		{ "0.2.0", "0.4.0", both,
		  "{\"cniVersion\":\"0.4.0\",\"ips\":[{\"version\":\"4\","
		  "\"address\":\"10.0.0.2/24\","
		  "\"gateway\":\"10.0.0.1\"},{\"version\":\"6\",\"address\":\"fd00::2/64\"}],"
		  "\"routes\":[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.0.0.9\"," ROUTE_FIELDS "},"
		  "{\"dst\":\"::/0\"}],\"dns\":{\"nameservers\":[\"10.0.0.1\"]}}" },
		{ "0.1.0", "1.0.0", both,
		  "{\"cniVersion\":\"1.0.0\",\"ips\":[{\"address\":\"10.0.0.2/24\","
		  "\"gateway\":\"10.0.0.1\"},{\"address\":\"fd00::2/64\"}],"
		  "\"routes\":[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.0.0.9\"," ROUTE_FIELDS "},"
		  "{\"dst\":\"::/0\"}],\"dns\":{\"nameservers\":[\"10.0.0.1\"]}}" },
		{ "0.2.0", "0.3.0", "{\"ip6\":{\"ip\":\"fd00::2/64\"},\"dns\":{}}",
		  "{\"cniVersion\":\"0.3.0\",\"ips\":[{\"version\":\"6\","
		  "\"address\":\"fd00::2/64\"}],\"dns\":{}}" },
		{ "0.2.0", "1.1.0", "{\"ip4\":{\"ip\":\"10.0.0.2/24\",\"routes\":[]},\"dns\":{}}",
		  "{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"10.0.0.2/24\"}]}" },
		/* Nothing in it: an empty list is left out. */
		{ "0.2.0", "0.4.0", "{}", "{\"cniVersion\":\"0.4.0\",\"dns\":{}}" },
		{ "0.2.0", "1.1.0", "{\"cniVersion\":\"0.2.0\"}", "{\"cniVersion\":\"1.1.0\"}" },
	};

	(void)state;
	want_converted(rows, array_size(rows));
}

/* B -> C. */
static void the_version_of_an_address_is_dropped(void **state)
{
	static const struct row rows[] = {
		{ "0.3.1", "1.1.0",
		  "{\"cniVersion\":\"0.3.1\",\"interfaces\":[{\"name\":\"net1\",\"mac\":\"AA:bb\","
		  "\"sandbox\":\"/n\"}],\"ips\":[{\"version\":\"4\",\"address\":\"10.0.0.2/24\","
		  "\"gateway\":\"10.0.0.1\",\"interface\":0}],"
		  "\"routes\":[{\"dst\":\"0.0.0.0/0\"," ROUTE_FIELDS
		  "}],\"dns\":{\"search\":[\"x\"]}}",
		  "{\"cniVersion\":\"1.1.0\",\"interfaces\":[{\"name\":\"net1\",\"mac\":\"AA:bb\","
		  "\"sandbox\":\"/n\"}],\"ips\":[{\"address\":\"10.0.0.2/24\","
		  "\"gateway\":\"10.0.0.1\",\"interface\":0}],"
		  "\"routes\":[{\"dst\":\"0.0.0.0/0\"," ROUTE_FIELDS
		  "}],\"dns\":{\"search\":[\"x\"]}}" },
		{ "0.4.0", "1.0.0", "{\"interfaces\":[],\"ips\":[],\"routes\":[],\"dns\":{}}",
		  "{\"cniVersion\":\"1.0.0\"}" },
	};

	(void)state;
	want_converted(rows, array_size(rows));
}

/* C -> B. */
static void an_address_gets_its_version_and_an_interface_loses_what_is_newer(void **state)
{
	static const struct row rows[] = {
		{ "1.1.0", "0.4.0",
		  "{\"cniVersion\":\"1.1.0\",\"interfaces\":[{\"name\":\"net1\",\"mtu\":9000,"
		  "\"mac\":\"m\",\"socketPath\":\"/s\",\"pciID\":\"p\",\"sandbox\":\"/n\"}],"
		  "\"ips\":[{\"address\":\"10.0.0.2/24\",\"interface\":0},"
		  "{\"address\":\"FD00::2/64\",\"gateway\":\"fd00::1\"}],"
		  "\"routes\":[{\"dst\":\"::/0\"," ROUTE_FIELDS "}],\"dns\":{\"domain\":\"d\"}}",
		  "{\"cniVersion\":\"0.4.0\",\"interfaces\":[{\"name\":\"net1\",\"mac\":\"m\","
		  "\"sandbox\":\"/n\"}],\"ips\":[{\"version\":\"4\",\"address\":\"10.0.0.2/24\","
		  "\"interface\":0},{\"version\":\"6\",\"address\":\"FD00::2/64\","
		  "\"gateway\":\"fd00::1\"}],\"routes\":[{\"dst\":\"::/0\"," ROUTE_FIELDS "}],"
		  "\"dns\":{\"domain\":\"d\"}}" },
		{ "1.0.0", "0.3.0", "{\"ips\":[{\"address\":\"::ffff:10.0.0.1/120\"}]}",
		  "{\"cniVersion\":\"0.3.0\",\"ips\":[{\"version\":\"4\","
		  "\"address\":\"::ffff:10.0.0.1/120\"}],\"dns\":{}}" },
		/* JSON may escape any character. */
		{ "1.0.0", "0.3.0", "{\"ips\":[{\"address\":\"\\u00310.0.0.1/24\"}]}",
		  "{\"cniVersion\":\"0.3.0\",\"ips\":[{\"version\":\"4\","
		  "\"address\":\"\\u00310.0.0.1/24\"}],\"dns\":{}}" },
		{ "1.0.0", "0.3.0", "{\"ips\":[{\"address\":\"10.0.0.1\\/24\"}]}",
		  "{\"cniVersion\":\"0.3.0\",\"ips\":[{\"version\":\"4\","
		  "\"address\":\"10.0.0.1\\/24\"}],\"dns\":{}}" },
		{ "1.0.0", "0.3.0", "{}", "{\"cniVersion\":\"0.3.0\",\"dns\":{}}" },
	};

	(void)state;
	want_converted(rows, array_size(rows));
}

/* B -> A. */
static void the_first_address_of_each_family_is_kept(void **state)
{
	static const struct row rows[] = {
		{ "0.4.0", "0.2.0",
		  "{\"interfaces\":[{\"name\":\"net1\"}],\"ips\":["
		  "{\"address\":\"192.0.2.1/24\"},"
		  "{\"version\":\"6\",\"address\":\"fd00::2/64\",\"interface\":0},"
		  "{\"version\":\"4\",\"address\":\"10.0.0.2/24\",\"gateway\":\"10.0.0.1\"},"
		  "{\"version\":\"4\",\"address\":\"10.0.0.3/24\"}],"
		  "\"routes\":[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.0.0.9\"," ROUTE_FIELDS "},"
		  "{\"dst\":\"::/0\",\"mtu\":1},{\"dst\":\"10.1.0.0/16\"}],"
		  "\"dns\":{\"nameservers\":[\"n\"]}}",
		  "{\"cniVersion\":\"0.2.0\",\"ip4\":{\"ip\":\"10.0.0.2/24\","
		  "\"gateway\":\"10.0.0.1\",\"routes\":[{\"dst\":\"0.0.0.0/0\","
		  "\"gw\":\"10.0.0.9\"},{\"dst\":\"10.1.0.0/16\"}]},"
		  "\"ip6\":{\"ip\":\"fd00::2/64\",\"routes\":[{\"dst\":\"::/0\"}]},"
		  "\"dns\":{\"nameservers\":[\"n\"]}}" },
		{ "0.3.0", "0.1.0", "{\"ips\":[{\"version\":\"6\",\"address\":\"fd00::2/64\"}]}",
		  "{\"cniVersion\":\"0.1.0\",\"ip6\":{\"ip\":\"fd00::2/64\"},\"dns\":{}}" },
	};

	(void)state;
	want_converted(rows, array_size(rows));
}

/* C -> B -> A. */
static void the_newest_results_become_the_oldest(void **state)
{
	static const struct row rows[] = {
		{ "1.1.0", "0.1.0",
		  "{\"interfaces\":[{\"name\":\"net1\"}],\"ips\":["
		  "{\"address\":\"fd00::2/64\"},{\"address\":\"10.0.0.2/24\"}],"
		  "\"routes\":[{\"dst\":\"0.0.0.0/0\"," ROUTE_FIELDS "}]}",
		  "{\"cniVersion\":\"0.1.0\",\"ip4\":{\"ip\":\"10.0.0.2/24\","
		  "\"routes\":[{\"dst\":\"0.0.0.0/0\"}]},\"ip6\":{\"ip\":\"fd00::2/64\"},"
		  "\"dns\":{}}" },
	};

	(void)state;
	want_converted(rows, array_size(rows));
}

static void the_oldest_form_needs_an_address(void **state)
{
	static const char *const rows[][2] = {
		{ "1.1.0", "{}" },
		{ "1.1.0", "{\"ips\":[]}" },
		{ "1.1.0", "{\"ips\":[{}]}" },
		{ "0.4.0", "{\"ips\":[{\"address\":\"10.0.0.2/24\"}]}" },
		{ "0.4.0", "{\"ips\":[{\"version\":\"5\",\"address\":\"10.0.0.2/24\"}]}" },
		{ "0.4.0", "{\"ips\":[{\"version\":\"4\"}]}" },
		{ "0.4.0", "{\"ips\":[{\"version\":\"4\",\"address\":null}]}" },
		{ "1.0.0", "{\"ips\":[{\"address\":5}]}" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct text cleanup_text text = { 0 };
		struct error err = { 0 };

		want_error(rows[i][1], convert(rows[i][0], "0.2.0", rows[i][1], &text, &err), &err,
			   ERROR_DECODE);
		want_contains(rows[i][1], err.msg, "0.2.0");
		assert_int_equal(text.length, 0);
	}
}

static void what_is_taken_apart_has_to_have_parts(void **state)
{
	static const char *const rows[] = {
		"{\"ips\":5}",	   "{\"ips\":[[]]}",   "{\"ips\":[null]}",
		"{\"routes\":{}}", "{\"routes\":[1]}", "{\"interfaces\":\"x\"}",
		"{\"dns\":[]}",	   "{\"ip4\":5}",      "{\"ip6\":{\"routes\":5}}",
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct text cleanup_text text = { 0 };
		struct error err = { 0 };

		want_error(rows[i], convert("0.4.0", "1.1.0", rows[i], &text, &err), &err,
			   ERROR_DECODE);
		want_contains(rows[i], err.msg, "prevResult");
		assert_int_equal(text.length, 0);
	}
}

static void unknown_members_come_along(void **state)
{
	static const struct row rows[] = {
		{ "0.4.0", "1.1.0", "{\"vendor\":{\"n\":9007199254740993},\"z\":[1e400]}",
		  "{\"cniVersion\":\"1.1.0\",\"vendor\":{\"n\":9007199254740993},\"z\":[1e400]}" },
		{ "1.1.0", "0.4.0", "{\"ips\":[{\"address\":\"fd00::1/64\",\"v\":-0}]}",
		  "{\"cniVersion\":\"0.4.0\",\"ips\":[{\"version\":\"6\","
		  "\"address\":\"fd00::1/64\",\"v\":-0}],\"dns\":{}}" },
		{ "0.4.0", "1.1.0", "{\"\\ud800\":1}",
		  "{\"cniVersion\":\"1.1.0\",\"\xef\xbf\xbd\":1}" },
	};

	(void)state;
	want_converted(rows, array_size(rows));
}

static void odd_results_do_no_harm(void **state)
{
	static const char *const sources[] = {
		"{\"ips\":5,\"routes\":\"x\",\"interfaces\":{},\"dns\":null}",
		"{\"ips\":[5,null,[],{\"address\":7}],\"interfaces\":[1],\"routes\":[null]}",
		"{\"ip4\":5,\"ip6\":[]}",
		"{\"ips\":[{\"address\":\"\"},{\"address\":\"x/y/z\"}]}",
		"{\"ips\":[{\"address\":\"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000/1\"}]}",
	};
	static const char *const versions[] = { "0.2.0", "0.4.0", "1.1.0" };

	(void)state;
	for (size_t i = 0; i < array_size(sources) * 9; i++) {
		struct text cleanup_text text = { 0 };
		struct error err = { 0 };
		const char *source = sources[i / 9];
		const int r = convert(versions[i % 3], versions[i / 3 % 3], source, &text, &err);

		if (r < 0)
			want_error(source, r, &err, ERROR_DECODE);
		else
			want_success(text.data, json_check(text.data, text.length, &err), &err);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_results_become_lists),
		cmocka_unit_test(the_version_of_an_address_is_dropped),
		cmocka_unit_test(an_address_gets_its_version_and_an_interface_loses_what_is_newer),
		cmocka_unit_test(the_first_address_of_each_family_is_kept),
		cmocka_unit_test(the_newest_results_become_the_oldest),
		cmocka_unit_test(the_oldest_form_needs_an_address),
		cmocka_unit_test(what_is_taken_apart_has_to_have_parts),
		cmocka_unit_test(unknown_members_come_along),
		cmocka_unit_test(odd_results_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
