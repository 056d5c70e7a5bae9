/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni/prevresult: what the previous plugin says about the pod's interfaces.
 */
#include "unit.h"

#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/cni/prevresult.h>
#include <stdio.h>
#include <string.h>

/* A configuration with this text for `prevResult` (NULL: without). */
static void read_conf(const char *result, struct cni_conf *conf)
{
	struct error err = { 0 };
	char text[1024];

	(void)snprintf(text, sizeof(text), "{\"name\":\"n\"%s%s}", result ? ",\"prevResult\":" : "",
		       result ? result : "");
	const int cleanup_close fd = descriptor_of(text, strlen(text));
	want_success(text, cni_conf_read(fd, conf, &err), &err);
}

static void the_previous_result_must_be_an_object(void **state)
{
	static const struct {
		const char *result;
		enum error_kind kind;
	} rows[] = {
		{ NULL, ERROR_CONFIG },	     { "null", ERROR_CONFIG }, { "{}", ERROR_NONE },
		{ "{\"x\":1}", ERROR_NONE }, { "[]", ERROR_DECODE },   { "\"x\"", ERROR_DECODE },
		{ "5", ERROR_DECODE },	     { "true", ERROR_DECODE },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };
		const char *row = rows[i].result ? rows[i].result : "absent";
		struct error err = { 0 };

		read_conf(rows[i].result, &conf);
		if (rows[i].kind == ERROR_NONE) {
			want_success(row, cni_prevresult_require(&conf, &err), &err);
			continue;
		}
		want_error(row, cni_prevresult_require(&conf, &err), &err, rows[i].kind);
		want_contains(row, err.msg, "prevResult");
	}
}

/* Writes "name mac pciID;" for each, and ends at the interface called "stop". */
static int note(const struct cni_interface *interface, void *data)
{
	char *notes = data;
	const size_t length = strlen(notes);

	(void)snprintf(notes + length, 256 - length, "%s %s %s;",
		       interface->name ? interface->name : "-",
		       interface->mac ? interface->mac : "-",
		       interface->pci_id ? interface->pci_id : "-");
	return interface->name && strcmp(interface->name, "stop") == 0 ? 7 : 0;
}

static void interfaces_in_the_pod_are_visited_the_requested_one_first(void **state)
{
	static const struct {
		const char *result;
		const char *notes;
		int r;
	} rows[] = {
		{ NULL, "", 0 },
		{ "5", "", 0 },
		{ "{}", "", 0 },
		{ "{\"interfaces\":null}", "", 0 },
		{ "{\"interfaces\":{\"name\":\"net1\",\"sandbox\":\"/n\"}}", "", 0 },
		{ "{\"interfaces\":[]}", "", 0 },
		{ "{\"interfaces\":[5,null,\"net1\",[],{}]}", "", 0 },
		{ "{\"interfaces\":[{\"name\":\"veth\"},{\"name\":\"br\",\"sandbox\":\"\"},"
		  "{\"name\":\"eth0\",\"mac\":\"m\",\"sandbox\":\"/n\",\"pciID\":\"p\"}]}",
		  "eth0 m p;", 0 },
		{ "{\"interfaces\":[{\"name\":\"a\",\"sandbox\":\"/n\"},{\"name\":\"net1\","
		  "\"sandbox\":\"/n\",\"mac\":\"M\"},{\"sandbox\":\"/n\",\"pciID\":\"p\"}]}",
		  "net1 M -;a - -;- - p;", 0 },
		{ "{\"interfaces\":[{\"name\":\"net1\"},{\"name\":\"NET1\",\"sandbox\":\"/n\"}]}",
		  "NET1 - -;", 0 },
		{ "{\"interfaces\":[{\"name\":5,\"mac\":6,\"pciID\":[],\"sandbox\":\"/n\"}]}",
		  "- - -;", 0 },
		{ "{\"interfaces\":[{\"name\":\"net1\",\"sandbox\":7}]}", "", 0 },
		{ "{\"interfaces\":[{\"name\":\"a\",\"sandbox\":\"/n\"},{\"name\":\"stop\","
		  "\"sandbox\":\"/n\"},{\"name\":\"b\",\"sandbox\":\"/n\"}]}",
		  "a - -;stop - -;", 7 },
		{ "{\"ip4\":{\"ip\":\"10.0.0.1/24\"}}", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct cni_conf cleanup_cni_conf conf = { 0 };
		const char *row = rows[i].result ? rows[i].result : "absent";
		char notes[256] = "";

		read_conf(rows[i].result, &conf);
		want_int(row, cni_prevresult_each_interface(&conf, "net1", note, notes), rows[i].r);
		want_string(row, notes, rows[i].notes);
	}
}

static void the_requested_interface_can_end_the_visits(void **state)
{
	struct cni_conf cleanup_cni_conf conf = { 0 };
	char notes[256] = "";

	(void)state;
	read_conf("{\"interfaces\":[{\"name\":\"a\",\"sandbox\":\"/n\"},"
		  "{\"name\":\"stop\",\"sandbox\":\"/n\"}]}",
		  &conf);
	assert_int_equal(cni_prevresult_each_interface(&conf, "stop", note, notes), 7);
	assert_string_equal(notes, "stop - -;");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_previous_result_must_be_an_object),
		cmocka_unit_test(interfaces_in_the_pod_are_visited_the_requested_one_first),
		cmocka_unit_test(the_requested_interface_can_end_the_visits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
