/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of ADD: the previous result, passed through.
 */
#include <rdma-cni/cni/result.h>

#include <rdma-cni/base/json_scan.h>
#include <rdma-cni/cni/version.h>
#include <string.h>

#include "convert.h"

/* Sets the version of the previous result if it says one: before 1.0.0 it need not. */
static int result_version(const struct cni_conf *conf, const char **ret, struct error *err)
{
	const struct cJSON *result = json_member(conf->document, "prevResult");
	const struct cJSON *version = json_member(result, "cniVersion");
	const char *text = json_string(version);

	if (json_type(version) != JSON_ABSENT && json_type(version) != JSON_NULL && !text)
		return error_set(err, ERROR_DECODE, 0,
				 "'cniVersion' of 'prevResult' is %s, but must be a string",
				 json_type_name(json_type(version)));
	if (text && text[0] != '\0')
		*ret = text;
	return 0;
}

/* Every byte of the source, but the value of `cniVersion`. */
static void splice_version(struct json_span source, const char *version, struct text *ret)
{
	struct json_item item = { 0 };
	const char *copied = source.start;
	const char *end = source.start + source.length;
	bool found = false;

	while (json_next_item(source, &item)) {
		if (!json_item_is(&item, "cniVersion"))
			continue;
		text_add(ret, copied, (size_t)(item.value.start - copied));
		text_print(ret, "\"%s\"", version);
		copied = item.value.start + item.value.length;
		found = true;
	}
	if (!found) {
		/* Behind the opening brace. */
		item = (struct json_item){ 0 };
		text_print(ret, "{\"cniVersion\":\"%s\"%s", version,
			   json_next_item(source, &item) ? "," : "");
		copied++;
	}
	text_add(ret, copied, (size_t)(end - copied));
}

int cni_result_build(const struct cni_conf *conf, struct text *ret, struct error *err)
{
	struct conversion conversion = { .version = conf->cni_version };
	const char *from = conf->cni_version;
	char list[128];
	int r = result_version(conf, &from, err);

	if (r < 0)
		return r;
	if (!cni_version_family(from, &conversion.from) ||
	    !cni_version_family(conf->cni_version, &conversion.to)) {
		r = error_set(err, ERROR_DECODE, 0, "'prevResult' has the unknown version '%s'",
			      from);
		error_details(err, "supported are %s", cni_version_list(list, sizeof(list)));
		return r;
	}
	conversion.source =
		json_find(json_whole(conf->source.data, conf->source.length), "prevResult");
	if (conversion.from != conversion.to)
		return cni_convert(&conversion, ret, err);
	splice_version(conversion.source, conf->cni_version, ret);
	return ret->failed ? error_no_memory(err) : 0;
}
