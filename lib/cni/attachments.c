/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GC's list of the attachments that are still valid.
 */
#include <rdma-cni/cni/attachments.h>

#define KEY "cni.dev/valid-attachments"
#define OLD_KEY "cni.dev/attachments"

static int read_attachment(const struct cJSON *item, size_t position, struct cni_attachment *ret,
			   struct error *err)
{
	ret->container_id = json_string(json_member(item, "containerID"));
	ret->ifname = json_string(json_member(item, "ifname"));
	if (ret->container_id && ret->container_id[0] && ret->ifname && ret->ifname[0])
		return 0;
	return error_set(err, ERROR_CONFIG, 0,
			 "element %zu of '" KEY "' is no object with the strings 'containerID' "
			 "and 'ifname'",
			 position);
}

static int read_list(const struct cJSON *list, struct cni_attachments *ret, struct error *err)
{
	size_t size = 0;

	for (const struct cJSON *item = json_first(list); item; item = json_next(item))
		size++;
	/* One more, so that an empty list is not mistaken for a failed allocation. */
	ret->items = calloc(size + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_no_memory(err);
	for (const struct cJSON *item = json_first(list); item; item = json_next(item)) {
		const int r = read_attachment(item, ret->count, &ret->items[ret->count], err);

		if (r < 0)
			return r;
		ret->count++;
	}
	return 0;
}

int cni_attachments_read(const struct cni_conf *conf, struct cni_attachments *ret,
			 struct error *err)
{
	struct cni_attachments cleanup_cni_attachments attachments = { 0 };
	const struct cJSON *list = json_member(conf->document, KEY);
	int r;

	if (!list)
		list = json_member(conf->document, OLD_KEY);
	if (json_type(list) != JSON_ABSENT && json_type(list) != JSON_NULL &&
	    json_type(list) != JSON_ARRAY)
		return error_set(err, ERROR_CONFIG, 0, "'" KEY "' is %s, but must be an array",
				 json_type_name(json_type(list)));
	attachments.given = json_type(list) != JSON_ABSENT;
	r = read_list(list, &attachments, err);
	if (r < 0)
		return r;
	*ret = attachments;
	attachments = (struct cni_attachments){ 0 };
	return 0;
}

void cni_attachments_done(struct cni_attachments *attachments)
{
	free(attachments->items);
	*attachments = (struct cni_attachments){ 0 };
}
