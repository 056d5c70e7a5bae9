/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GC's list of the attachments that are still valid.
 */
#include <rdma-cni/cni/attachments.h>

/* The list, and under which of its two names it was given. */
struct list {
	const char *key;
	const struct cJSON *value;
};

static struct list find_list(const struct cni_conf *conf)
{
	static const char *const keys[] = { "cni.dev/valid-attachments", "cni.dev/attachments" };

	for (size_t i = 0; i < array_size(keys); i++) {
		const struct cJSON *value = json_member(conf->document, keys[i]);

		if (value)
			return (struct list){ .key = keys[i], .value = value };
	}
	return (struct list){ .key = keys[0] };
}

static int read_attachment(const struct list *list, const struct cJSON *item, size_t position,
			   struct cni_attachment *ret, struct error *err)
{
	ret->container_id = json_string(json_member(item, "containerID"));
	ret->ifname = json_string(json_member(item, "ifname"));
	if (ret->container_id && ret->container_id[0] && ret->ifname && ret->ifname[0])
		return 0;
	return error_set(err, ERROR_CONFIG, 0,
			 "element %zu of '%s' is no object with the strings 'containerID' and "
			 "'ifname'",
			 position, list->key);
}

static int read_list(const struct list *list, struct cni_attachments *ret, struct error *err)
{
	size_t size = 0;

	for (const struct cJSON *item = json_first(list->value); item; item = json_next(item))
		size++;
	/* One more, so that an empty list is not mistaken for a failed allocation. */
	ret->items = calloc(size + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_no_memory(err);
	for (const struct cJSON *item = json_first(list->value); item; item = json_next(item)) {
		const int r = read_attachment(list, item, ret->count, &ret->items[ret->count], err);

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
	const struct list list = find_list(conf);
	const enum json_type type = json_type(list.value);
	int r;

	if (type != JSON_ABSENT && type != JSON_NULL && type != JSON_ARRAY)
		return error_set(err, ERROR_CONFIG, 0, "'%s' is %s, but must be an array", list.key,
				 json_type_name(type));
	attachments.given = type != JSON_ABSENT;
	r = read_list(&list, &attachments, err);
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
