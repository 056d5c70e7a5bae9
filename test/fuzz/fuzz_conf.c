/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A network configuration on standard input, through all that reads it: options, previous result,
 * GC's list, and the result that goes out.
 */
#include "fuzz.h"

#include "rdma/request.h"
#include <rdma-cni/base/json_build.h>
#include <rdma-cni/base/json_scan.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/cni/attachments.h>
#include <rdma-cni/cni/prevresult.h>
#include <rdma-cni/cni/result.h>
#include <rdma-cni/cni/version.h>
#include <rdma-cni/kernel/function.h>
#include <string.h>

static bool spans_equal(struct json_span a, struct json_span b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

static void print_span(struct json_span span, struct text *ret)
{
	struct cJSON *cleanup_json document = NULL;
	struct error err = { 0 };

	require(json_parse(span.start, span.length, &document, &err) == 0);
	require(json_print(document, false, ret) == 0);
}

/* The value that is read and the one that is passed through are the same one. */
static void require_one_reading(const struct cni_conf *conf, const char *name)
{
	const struct json_span whole = json_whole(conf->source.data, conf->source.length);
	const struct json_span span = json_find(whole, name);
	const struct cJSON *member = json_member(conf->document, name);
	struct text cleanup_text seen = { 0 };
	struct text cleanup_text passed = { 0 };

	require_of(conf->source.data, !span.start == !member);
	if (!member)
		return;
	require(json_print(member, false, &seen) == 0);
	print_span(span, &passed);
	require_of(passed.data, strcmp(seen.data, passed.data) == 0);
}

/* The next member that is not `cniVersion`. */
static bool next_other(struct json_span object, struct json_item *item)
{
	while (json_next_item(object, item)) {
		if (!json_item_is(item, "cniVersion"))
			return true;
	}
	return false;
}

/* All members but the version, byte for byte and in the same order. */
static void require_same_members(struct json_span before, struct json_span after)
{
	struct json_item a = { 0 };
	struct json_item b = { 0 };

	while (next_other(before, &a)) {
		require_of(after.start, next_other(after, &b));
		require_of(after.start, spans_equal(a.name, b.name));
		require_of(after.start, spans_equal(a.value, b.value));
	}
	require_of(after.start, !next_other(after, &b));
}

/* One document, an object, of exactly this version. */
static void require_result(const struct text *result, const char *version)
{
	struct cJSON *cleanup_json document = NULL;
	struct error err = { 0 };
	const char *said;

	require_of(result->data, json_parse(result->data, result->length, &document, &err) == 0);
	require_of(result->data, json_type(document) == JSON_OBJECT);
	said = json_string(json_member(document, "cniVersion"));
	require_of(result->data, said && strcmp(said, version) == 0);
}

/* The result of a configuration of this version whose previous result is this text. */
static int rebuild(const char *version, const struct text *result, struct text *ret)
{
	struct text cleanup_text source = { 0 };
	struct cni_conf cleanup_cni_conf conf = { 0 };
	struct error err = { 0 };
	int r;

	text_print(&source, "{\"cniVersion\":\"%s\",\"name\":\"n\",\"prevResult\":", version);
	text_add(&source, result->data, result->length);
	text_add_string(&source, "}");
	require(!source.failed);
	r = cni_conf_read(fuzz_descriptor(source.data, source.length), &conf, &err);
	/* Our own document is one level less deep than this one may be. */
	if (r < 0 && strstr(err.msg, "nested"))
		return r;
	require_of(err.msg, r == 0);
	r = cni_result_build(&conf, ret, &err);
	require_answer(r, &err);
	return r;
}

/*
 * The next plugin of the chain gets our result: to us it would pass through as it is. Every other
 * version can be made of it, or is refused because the result does not have what that wants.
 */
static void require_result_goes_on(const struct text *result, const char *version)
{
	for (size_t i = 0; cni_versions[i]; i++) {
		struct text cleanup_text converted = { 0 };
		struct text cleanup_text again = { 0 };
		const bool is_same = strcmp(cni_versions[i], version) == 0;
		const int r = rebuild(cni_versions[i], result, &converted);

		if (r < 0)
			continue;
		require_result(&converted, cni_versions[i]);
		if (is_same)
			require_of(converted.data, strcmp(converted.data, result->data) == 0);
		else if (rebuild(cni_versions[i], &converted, &again) == 0)
			require_of(again.data, strcmp(again.data, converted.data) == 0);
	}
}

static void try_result(const struct cni_conf *conf)
{
	const struct json_span whole = json_whole(conf->source.data, conf->source.length);
	const struct json_span previous = json_find(whole, "prevResult");
	const char *said =
		json_string(json_member(json_member(conf->document, "prevResult"), "cniVersion"));
	struct text cleanup_text result = { 0 };
	struct error err = { 0 };
	enum cni_family from;
	enum cni_family to;
	const int r = cni_result_build(conf, &result, &err);

	require_answer(r, &err);
	require(r == 0 || err.kind == ERROR_DECODE);
	if (r < 0)
		return;
	require_result(&result, conf->cni_version);
	require(cni_version_family(conf->cni_version, &to));
	from = to;
	if (said && said[0] != '\0')
		require_of(said, cni_version_family(said, &from));
	if (from == to)
		require_same_members(previous, json_whole(result.data, result.length));
	require_result_goes_on(&result, conf->cni_version);
}

static int visit_interface(const struct cni_interface *interface, void *data)
{
	size_t *count = data;

	(void)interface;
	++*count;
	return 0;
}

/* As many as there are with a sandbox, each once. */
static void try_interfaces(const struct cni_conf *conf)
{
	const struct cJSON *result = json_member(conf->document, "prevResult");
	const struct cJSON *interfaces = json_member(result, "interfaces");
	size_t visited = 0;
	size_t expected = 0;

	for (const struct cJSON *item = json_type(interfaces) == JSON_ARRAY ? json_first(interfaces)
									    : NULL;
	     item; item = json_next(item)) {
		const char *sandbox = json_string(json_member(item, "sandbox"));

		expected += sandbox && sandbox[0] != '\0' ? 1 : 0;
	}
	require(cni_prevresult_each_interface(conf, "net1", visit_interface, &visited) == 0);
	require_of(conf->source.data, visited == expected);
}

static void try_attachments(const struct cni_conf *conf)
{
	struct cni_attachments cleanup_cni_attachments attachments = { 0 };
	struct error err = { 0 };
	const int r = cni_attachments_read(conf, &attachments, &err);

	require_answer(r, &err);
	require(r == 0 || err.kind == ERROR_CONFIG);
	for (size_t i = 0; i < attachments.count; i++)
		require(attachments.items[i].container_id[0] != '\0' &&
			attachments.items[i].ifname[0] != '\0');
}

/* What is accepted can be used; what is not costs every command but DEL its success. */
static void try_options(struct call *call)
{
	struct error err = { 0 };
	struct error forgiven = { 0 };
	struct function function;
	const int r = request_read_options(call, &err);
	int forgiving;

	require_answer(r, &err);
	require(r == 0 || err.kind == ERROR_CONFIG);
	require(call->conf.data_dir[0] == '/');
	require(!call->conf.log_file || call->conf.log_file[0] == '/');
	require(call->conf.wait_seconds >= 0 && call->conf.wait_seconds <= LIMIT_WAIT_SECONDS_MAX);
	require(call->conf.log_level <= LOG_LEVEL_DEBUG);
	if (r == 0 && call->conf.device_id) {
		require(function_parse(call->conf.device_id, &function, &err) == 0);
		require_of(function.name, parse_is_component(function.name));
	}
	forgiving = cni_conf_options(&call->conf, true, &forgiven);
	require(forgiving == 0 || (forgiving == 1 && forgiven.msg[0] != '\0'));
	require(forgiving == 0 || r < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct call call = { 0 };
	struct error err = { 0 };
	int r = cni_conf_read(fuzz_descriptor(data, size), &call.conf, &err);

	require_answer(r, &err);
	require(r == 0 || err.kind == ERROR_DECODE || err.kind == ERROR_CONFIG);
	if (r == 0) {
		require(cni_is_identifier(call.conf.name));
		require_one_reading(&call.conf, "prevResult");
		require_one_reading(&call.conf, "runtimeConfig");
		r = cni_conf_check_version_type(&call.conf, &err);
		require_answer(r, &err);
		try_options(&call);
		try_attachments(&call.conf);
	}
	if (r == 0) {
		r = cni_version_check(CNI_ADD, call.conf.cni_version, &err);
		require_answer(r, &err);
	}
	if (r == 0) {
		r = cni_prevresult_require(&call.conf, &err);
		require_answer(r, &err);
	}
	if (r == 0) {
		try_interfaces(&call.conf);
		try_result(&call.conf);
	}
	cni_conf_done(&call.conf);
	return 0;
}
