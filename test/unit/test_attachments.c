/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/attachments: GC's list of what is still valid.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/cni/attachments.h>
#include <stdio.h>
#include <string.h>

#define NEW "\"cni.dev/valid-attachments\":"
#define OLD "\"cni.dev/attachments\":"
#define C1 "{\"containerID\":\"c1\",\"ifname\":\"net1\"}"
#define C2 "{\"containerID\":\"c2\",\"ifname\":\"net2\",\"x\":5}"

static int read_list(const char *members, struct cni_conf *conf, struct cni_attachments *ret,
		     struct error *err)
{
	char text[512];

	(void)snprintf(text, sizeof(text), "{\"name\":\"n\"%s%s}", members[0] ? "," : "", members);
	const int cleanup_close fd = descriptor_of(text, strlen(text));
	want_success(text, cni_conf_read(fd, conf, err), err);
	return cni_attachments_read(conf, ret, err);
}

static void the_list_is_read_under_its_new_or_its_older_name(void **state)
{
	static const struct {
		const char *members;
		bool given;
		const char *items;
	} rows[] = {
		{ "", false, "" },
		{ "\"CNI.DEV/valid-attachments\":[" C1 "]", false, "" },
		{ NEW "null", true, "" },
		{ NEW "[]", true, "" },
		{ OLD "null", true, "" },
		{ OLD "[]", true, "" },
		{ NEW "[" C1 "," C2 "]", true, "c1 net1;c2 net2;" },
		{ OLD "[" C2 "]", true, "c2 net2;" },
		{ OLD "[" C2 "]," NEW "[" C1 "]", true, "c1 net1;" },
		{ NEW "null," OLD "[" C2 "]", true, "" },
		{ NEW "[]," OLD "[" C2 "]", true, "" },
		{ NEW "[" C1 "]," OLD "5", true, "c1 net1;" },
		{ NEW "[" C1 "," C1 "]", true, "c1 net1;c1 net1;" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_attachments cleanup_cni_attachments list = { 0 };
		struct cni_conf cleanup_cni_conf conf = { 0 };
		struct error err = { 0 };
		char items[256] = "";

		want_success(rows[i].members, read_list(rows[i].members, &conf, &list, &err), &err);
		want_int(rows[i].members, list.given, rows[i].given);
		for (size_t j = 0; j < list.count; j++) {
			const size_t length = strlen(items);

			(void)snprintf(items + length, sizeof(items) - length, "%s %s;",
				       list.items[j].container_id, list.items[j].ifname);
		}
		want_string(rows[i].members, items, rows[i].items);
	}
}

static void a_malformed_list_is_refused_as_a_whole(void **state)
{
	static const char *const rows[] = {
		NEW "{}",
		NEW "\"\"",
		NEW "5",
		NEW "true",
		OLD "{}",
		OLD "[5]",
		NEW "{}," OLD "[]",
		NEW "[5]",
		NEW "[null]",
		NEW "[[]]",
		NEW "[{}]",
		NEW "[" C1 ",{\"containerID\":\"c2\"}]",
		NEW "[" C1 ",{\"ifname\":\"net2\"}]",
		NEW "[{\"containerID\":\"\",\"ifname\":\"net1\"}]",
		NEW "[{\"containerID\":\"c\",\"ifname\":\"\"}]",
		NEW "[{\"containerID\":7,\"ifname\":\"net1\"}]",
		NEW "[{\"containerID\":\"c\",\"ifname\":null}]",
		NEW "[{\"ContainerID\":\"c\",\"ifname\":\"net1\"}]",
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_attachments cleanup_cni_attachments list = { 0 };
		struct cni_conf cleanup_cni_conf conf = { 0 };
		struct error err = { 0 };

		want_error(rows[i], read_list(rows[i], &conf, &list, &err), &err, ERROR_CONFIG);
		want_contains(rows[i], err.msg,
			      strncmp(rows[i], OLD, strlen(OLD)) == 0
				      ? "'cni.dev/attachments'"
				      : "'cni.dev/valid-attachments'");
		assert_false(list.given);
		assert_int_equal(list.count, 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_is_read_under_its_new_or_its_older_name),
		cmocka_unit_test(a_malformed_list_is_refused_as_a_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
