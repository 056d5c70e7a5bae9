/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store/entry: an attachment as text, ours and the Go plugin's.
 */
#include "unit.h"

#include <rdma-cni/base/json.h>
#include <rdma-cni/store/entry.h>
#include <stdio.h>
#include <string.h>

static struct entry full_entry(void)
{
	struct entry entry = {
		.network = text_of("net"),
		.container_id = text_of("c1"),
		.ifname = text_of("net1"),
		.device_id = text_of("10000:01:00.2"),
		.pod_namespace = text_of("ns"),
		.pod_name = text_of("pod \"x\""),
		.pod_uid = text_of("uid"),
		.netns_path = text_of("/var/run/netns/cni-1"),
		.netns_device = 4,
		.netns_inode = UINT64_C(18446744073709551615),
		.netns_cookie = UINT64_C(9007199254740993),
		.boot_id = "01234567-89ab-cdef-0123-456789abcdef",
		.devices = { { "mlx5_2", "pod_a", "uverbs3, umad3", "uverbs4, umad4", UINT32_MAX,
			       true },
			     { .host_name = "mlx5_3", .pod_name = "mlx5_3" } },
		.device_count = 2,
	};

	return entry;
}

static void print(const struct entry *entry, struct text *ret)
{
	assert_int_equal(entry_print(entry, ret), 0);
}

static void an_entry_comes_back_as_it_was(void **state)
{
	const struct entry entry = full_entry();
	struct entry cleanup_entry read = { 0 };
	struct text cleanup_text text = { 0 };
	struct error err = { 0 };

	(void)state;
	print(&entry, &text);
	want_success(text.data, entry_parse(text.data, text.length, &read, &err), &err);
	want_string("network", read.network, entry.network);
	want_string("container", read.container_id, entry.container_id);
	want_string("ifname", read.ifname, entry.ifname);
	want_string("device", read.device_id, entry.device_id);
	want_string("namespace", read.pod_namespace, entry.pod_namespace);
	want_string("pod", read.pod_name, entry.pod_name);
	want_string("uid", read.pod_uid, entry.pod_uid);
	want_string("netns", read.netns_path, entry.netns_path);
	want_string("boot", read.boot_id, entry.boot_id);
	assert_true(read.netns_device == entry.netns_device);
	assert_true(read.netns_inode == entry.netns_inode);
	assert_true(read.netns_cookie == entry.netns_cookie);
	assert_int_equal(read.device_count, 2);
	for (size_t i = 0; i < read.device_count; i++) {
		want_string("host", read.devices[i].host_name, entry.devices[i].host_name);
		want_string("pod", read.devices[i].pod_name, entry.devices[i].pod_name);
		want_string("char", read.devices[i].char_devices, entry.devices[i].char_devices);
		want_string("moved", read.devices[i].moved_char_devices,
			    entry.devices[i].moved_char_devices);
		want_int("index", read.devices[i].index, entry.devices[i].index);
		want_int("has index", read.devices[i].has_index, entry.devices[i].has_index);
	}
}

static void an_entry_of_little_comes_back_too(void **state)
{
	const struct entry entry = { .network = text_of("n"),
				     .container_id = text_of("c"),
				     .ifname = text_of("i"),
				     .device_id = text_of("mlx5_core.sf.4"),
				     .devices = { { .host_name = "a", .pod_name = "b" } },
				     .device_count = 1 };
	struct entry cleanup_entry read = { 0 };
	struct text cleanup_text text = { 0 };
	struct error err = { 0 };

	(void)state;
	print(&entry, &text);
	want_success(text.data, entry_parse(text.data, text.length, &read, &err), &err);
	want_string("netns", read.netns_path, NULL);
	want_string("pod", read.pod_name, NULL);
	want_string("boot", read.boot_id, "");
	assert_true(read.netns_inode == 0);
	want_string("char", read.devices[0].char_devices, "");
}

static void the_go_plugins_fields_are_there_for_it_to_read(void **state)
{
	static const char *const rows[][2] = {
		{ "version", "1.0" },
		{ "deviceID", "10000:01:00.2" },
		{ "sandboxRdmaDevName", "mlx5_2" },
		{ "containerRdmaDevName", "pod_a" },
	};
	const struct entry entry = full_entry();
	struct cJSON cleanup_json *document = NULL;
	struct text cleanup_text text = { 0 };
	struct error err = { 0 };

	(void)state;
	print(&entry, &text);
	want_success("ours", json_parse(text.data, text.length, &document, &err), &err);
	for (size_t i = 0; i < array_size(rows); i++)
		want_string(rows[i][0], json_string(json_member(document, rows[i][0])), rows[i][1]);
}

static void the_go_plugins_file_is_an_entry_without_identity(void **state)
{
	static const struct entry_key key = { "n", "c", "i" };
	struct entry cleanup_entry entry = { 0 };
	struct error err = { 0 };

	(void)state;
	want_success("Go", entry_parse(GO_ENTRY, strlen(GO_ENTRY), &entry, &err), &err);
	assert_false(entry_has_identity(&entry));
	assert_false(entry_is_of(&entry, &key));
	assert_string_equal(entry.device_id, "0000:01:10.2");
	assert_int_equal(entry.device_count, 1);
	assert_string_equal(entry.devices[0].host_name, "mlx5_2");
	assert_string_equal(entry.devices[0].pod_name, "mlx5_2");
	assert_true(entry.netns_inode == 0);
	assert_string_equal(entry.boot_id, "");
}

static void truncated_at_any_length_it_is_no_entry(void **state)
{
	const struct entry entry = full_entry();
	struct text cleanup_text text = { 0 };
	const char *texts[2] = { GO_ENTRY, NULL };

	(void)state;
	print(&entry, &text);
	texts[1] = text.data;
	for (size_t i = 0; i < 2; i++) {
		for (size_t length = 0; length < strlen(texts[i]); length++) {
			char *cleanup_free prefix = malloc(length + 1);
			struct entry read = { .device_count = 4711 };
			struct error err = { 0 };

			assert_non_null(prefix);
			memcpy(prefix, texts[i], length);
			want_error(texts[i], entry_parse(prefix, length, &read, &err), &err,
				   ERROR_DECODE);
			assert_int_equal(read.device_count, 4711);
		}
	}
}

#define GO "\"version\":\"1.0\",\"deviceID\":\"d\""
#define NAMES "\"sandboxRdmaDevName\":\"a\",\"containerRdmaDevName\":\"b\""
#define DEVICE_WITH(member) "{\"hostName\":\"a\",\"podName\":\"b\"" member "}"
#define DEVICE DEVICE_WITH("")
#define ONE_WITH(member) "{" GO "," NAMES ",\"devices\":[" DEVICE_WITH(member) "]}"

static void want_no_entries(const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct entry cleanup_entry entry = { 0 };
		struct error err = { 0 };

		want_error(texts[i], entry_parse(texts[i], strlen(texts[i]), &entry, &err), &err,
			   ERROR_DECODE);
	}
}

static void foreign_text_is_no_entry(void **state)
{
	static const char *const texts[] = {
		"",
		" ",
		"\n",
		"null",
		"[]",
		"5",
		"\"x\"",
		"{}",
		"not JSON",
		"{" GO "," NAMES "}x",
		"{\"deviceID\":\"d\"," NAMES "}",
		"{\"version\":\"2.0\",\"deviceID\":\"d\"," NAMES "}",
		"{\"version\":1.0,\"deviceID\":\"d\"," NAMES "}",
		"{\"Version\":\"1.0\",\"deviceID\":\"d\"," NAMES "}",
		"{\"version\":\"1.0\"," NAMES "}",
		"{\"version\":\"1.0\",\"deviceID\":\"\"," NAMES "}",
		"{\"version\":\"1.0\",\"deviceID\":null," NAMES "}",
		"{\"version\":\"1.0\",\"deviceID\":[]," NAMES "}",
		"{" GO "}",
		"{" GO ",\"sandboxRdmaDevName\":\"a\"}",
		"{" GO ",\"containerRdmaDevName\":\"a\"}",
		"{" GO ",\"sandboxRdmaDevName\":5,\"containerRdmaDevName\":\"a\"}",
		"{" GO "," NAMES ",\"devices\":[]}",
		"{" GO "," NAMES ",\"devices\":null}",
		"{" GO "," NAMES ",\"devices\":{}}",
		"{" GO "," NAMES ",\"devices\":[5]}",
		"{" GO "," NAMES ",\"devices\":[{}]}",
		"{" GO "," NAMES ",\"devices\":[" DEVICE ",{\"hostName\":\"a\"}]}",
		ONE_WITH(",\"charDevices\":5"),
		ONE_WITH(",\"index\":-1"),
		ONE_WITH(",\"index\":4294967296"),
		ONE_WITH(",\"index\":\"1\""),
	};

	(void)state;
	want_no_entries(texts, array_size(texts));
}

static void half_an_identity_is_no_entry(void **state)
{
	static const char *const texts[] = {
		"{" GO "," NAMES ",\"network\":\"n\"}",
		"{" GO "," NAMES ",\"network\":\"n\",\"containerID\":\"c\"}",
		"{" GO "," NAMES ",\"ifname\":\"i\"}",
		"{" GO "," NAMES ",\"network\":5,\"containerID\":\"c\",\"ifname\":\"i\"}",
		/* Nor can a part of it be empty. */
		"{" GO "," NAMES ",\"network\":\"\",\"containerID\":\"c\",\"ifname\":\"i\"}",
		"{" GO "," NAMES ",\"network\":\"n\",\"containerID\":\"\",\"ifname\":\"i\"}",
		"{" GO "," NAMES ",\"network\":\"n\",\"containerID\":\"c\",\"ifname\":\"\"}",
	};

	(void)state;
	want_no_entries(texts, array_size(texts));
}

static void a_member_of_another_type_is_no_entry(void **state)
{
	static const char *const texts[] = {
		/* Numbers are text, so that 64 bits survive; and nothing but numbers. */
		"{" GO "," NAMES ",\"netnsInode\":5}",
		"{" GO "," NAMES ",\"netnsInode\":\"-5\"}",
		"{" GO "," NAMES ",\"netnsDevice\":\"0x5\"}",
		"{" GO "," NAMES ",\"netnsCookie\":\"18446744073709551616\"}",
		"{" GO "," NAMES ",\"bootID\":5}",
		"{" GO "," NAMES ",\"netns\":[]}",
		"{" GO "," NAMES ",\"podName\":{}}",
	};

	(void)state;
	want_no_entries(texts, array_size(texts));
}

static void a_hostile_name_is_no_device(void **state)
{
	static const char *const names[] = {
		"",
		".",
		"..",
		"../x",
		"a/b",
		"/",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", /* 64 bytes */
	};
	static const char *const formats[] = {
		"{" GO ",\"sandboxRdmaDevName\":\"%s\",\"containerRdmaDevName\":\"b\"}",
		"{" GO ",\"sandboxRdmaDevName\":\"a\",\"containerRdmaDevName\":\"%s\"}",
		"{" GO "," NAMES ",\"devices\":[{\"hostName\":\"%s\",\"podName\":\"b\"}]}",
		"{" GO "," NAMES ",\"devices\":[" DEVICE
		",{\"hostName\":\"a\",\"podName\":\"%s\"}]}",
	};

	(void)state;
	for (size_t i = 0; i < array_size(names) * array_size(formats); i++) {
		const char *format = formats[i % array_size(formats)];
		const char *place = strstr(format, "%s");
		struct entry cleanup_entry entry = { 0 };
		struct error err = { 0 };
		char text[512];

		(void)snprintf(text, sizeof(text), "%.*s%s%s", (int)(place - format), format,
			       names[i / array_size(formats)], place + 2);
		want_error(text, entry_parse(text, strlen(text), &entry, &err), &err, ERROR_DECODE);
	}
}

static void as_many_devices_as_the_limit_are_read_and_not_one_more(void **state)
{
	(void)state;
	for (size_t count = LIMIT_FUNCTION_DEVICES; count <= LIMIT_FUNCTION_DEVICES + 1; count++) {
		char *cleanup_free devices = repeat("," DEVICE, count);
		struct entry cleanup_entry entry = { 0 };
		struct error err = { 0 };
		char text[2048];

		(void)snprintf(text, sizeof(text), "{" GO ",\"devices\":[%s]}", devices + 1);
		if (count == LIMIT_FUNCTION_DEVICES)
			want_success(text, entry_parse(text, strlen(text), &entry, &err), &err);
		else
			want_error(text, entry_parse(text, strlen(text), &entry, &err), &err,
				   ERROR_DECODE);
	}
}

static void unknown_members_are_a_newer_writers(void **state)
{
	static const char text[] = "{" GO "," NAMES ",\"future\":{\"a\":[1e400]},\"VERSION\":5}";
	struct entry cleanup_entry entry = { 0 };
	struct error err = { 0 };

	(void)state;
	want_success(text, entry_parse(text, sizeof(text) - 1, &entry, &err), &err);
}

static void an_entry_is_of_the_attachment_with_all_three_names(void **state)
{
	static const struct {
		struct entry_key key;
		bool same;
	} rows[] = {
		{ { "net", "c1", "net1" }, true },  { { "net", "c1", "net2" }, false },
		{ { "net", "c2", "net1" }, false }, { { "ne", "tc1", "net1" }, false },
		{ { "NET", "c1", "net1" }, false }, { { "", "", "" }, false },
	};
	const struct entry entry = full_entry();

	(void)state;
	assert_true(entry_has_identity(&entry));
	for (size_t i = 0; i < array_size(rows); i++)
		want_int(rows[i].key.ifname, entry_is_of(&entry, &rows[i].key), rows[i].same);
}

/* An interface name is bytes, the text is UTF-8: the attachment is recognised all the same. */
static void an_interface_name_of_any_bytes_is_recognised(void **state)
{
	static const char *const ifnames[] = { "net\xff", "a\"b\\c", "\xc3\xbc", "\x01\x7f" };

	(void)state;
	for (size_t i = 0; i < array_size(ifnames); i++) {
		const struct entry_key key = { "net", "c1", ifnames[i] };
		struct entry entry = full_entry();
		struct entry cleanup_entry read = { 0 };
		struct text cleanup_text text = { 0 };
		struct error err = { 0 };

		entry.ifname = text_of(ifnames[i]);
		print(&entry, &text);
		want_success(text.data, entry_parse(text.data, text.length, &read, &err), &err);
		want_int(ifnames[i], entry_is_of(&read, &key), true);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_comes_back_as_it_was),
		cmocka_unit_test(an_entry_of_little_comes_back_too),
		cmocka_unit_test(the_go_plugins_fields_are_there_for_it_to_read),
		cmocka_unit_test(the_go_plugins_file_is_an_entry_without_identity),
		cmocka_unit_test(truncated_at_any_length_it_is_no_entry),
		cmocka_unit_test(foreign_text_is_no_entry),
		cmocka_unit_test(half_an_identity_is_no_entry),
		cmocka_unit_test(a_member_of_another_type_is_no_entry),
		cmocka_unit_test(a_hostile_name_is_no_device),
		cmocka_unit_test(as_many_devices_as_the_limit_are_read_and_not_one_more),
		cmocka_unit_test(unknown_members_are_a_newer_writers),
		cmocka_unit_test(an_entry_is_of_the_attachment_with_all_three_names),
		cmocka_unit_test(an_interface_name_of_any_bytes_is_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
