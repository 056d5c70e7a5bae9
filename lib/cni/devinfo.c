/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device-info file of an attachment.
 */
#include <rdma-cni/cni/devinfo.h>

#include <errno.h>
#include <rdma-cni/base/json.h>
#include <rdma-cni/base/json_build.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/publish.h>
#include <rdma-cni/base/root.h>
#include <string.h>

/* Multus writes it so too: everybody may read it, nobody changes it in place. */
#define DEVINFO_MODE 0444
#define DEVINFO_VERSION "1.1.0"

struct devinfo {
	const char *pci_address;
	const struct cni_device_name *names;
	size_t count;
};

static const char *pod_name_of(const struct devinfo *devinfo, const char *name, size_t length)
{
	for (size_t i = 0; i < devinfo->count; i++) {
		if (strlen(devinfo->names[i].host) == length &&
		    strncmp(devinfo->names[i].host, name, length) == 0)
			return devinfo->names[i].pod;
	}
	return NULL;
}

/* The device plugin's list, comma-joined, with every name as it is in the pod. */
static void translate_list(const struct devinfo *devinfo, const char *list, struct text *ret)
{
	while (*list != '\0') {
		const size_t length = strcspn(list, ",");
		const char *pod = pod_name_of(devinfo, list, length);

		if (pod)
			text_add_string(ret, pod);
		else
			text_add(ret, list, length);
		list += length;
		if (*list == ',')
			text_add(ret, list++, 1);
	}
}

static void list_all(const struct devinfo *devinfo, struct text *ret)
{
	for (size_t i = 0; i < devinfo->count; i++)
		text_print(ret, "%s%s", i > 0 ? "," : "", devinfo->names[i].pod);
}

static int print_new(const struct devinfo *devinfo, struct text *ret)
{
	struct text cleanup_text list = { 0 };
	struct cJSON *cleanup_json object = json_new_object();
	struct cJSON *pci = json_new_object();
	bool ok = json_put_string(object, "type", "pci") &&
		  json_put_string(object, "version", DEVINFO_VERSION);

	list_all(devinfo, &list);
	ok = json_put(object, "pci", pci) && ok && !list.failed;
	ok = ok && json_put_string(pci, "pci-address", devinfo->pci_address) &&
	     json_put_string(pci, "rdma-device", list.data ? list.data : "");
	return ok ? json_print(object, false, ret) : -ENOMEM;
}

/* `source` with `value` in place of `old`, which is a part of it. */
static void splice(const struct text *source, struct json_span old, const char *value,
		   struct text *ret)
{
	const char *rest = old.start + old.length;

	text_add(ret, source->data, (size_t)(old.start - source->data));
	text_add_string(ret, value);
	text_add_string(ret, rest);
}

/* Leaves `ret` empty when nothing has to change. */
static int print_updated(const struct devinfo *devinfo, const struct text *source,
			 const struct cJSON *document, struct text *ret)
{
	const char *type = json_string(json_member(document, "type"));
	const char *old = json_string(json_member(json_member(document, "pci"), "rdma-device"));
	const struct json_span pci = json_find(json_whole(source->data, source->length), "pci");
	struct json_span place = json_find(pci, "rdma-device");
	struct text cleanup_text list = { 0 };
	struct text cleanup_text quoted = { 0 };
	struct json_item first = { 0 };

	if (!type || strcmp(type, "pci") != 0)
		return 0;
	if (!pci.start || pci.start[0] != '{' || (place.start && !old))
		return -EBADMSG;
	if (old)
		translate_list(devinfo, old, &list);
	else
		list_all(devinfo, &list);
	if (list.failed)
		return -ENOMEM;
	if (old && strcmp(old, list.data ? list.data : "") == 0)
		return 0;
	if (!place.start) {
		place = (struct json_span){ .start = pci.start + 1 };
		text_add_string(&quoted, "\"rdma-device\":");
	}
	if (json_quote(list.data ? list.data : "", &quoted) < 0)
		return -ENOMEM;
	if (place.length == 0 && json_next_item(pci, &first))
		text_add_string(&quoted, ",");
	if (quoted.failed)
		return -ENOMEM;
	splice(source, place, quoted.data, ret);
	return ret->failed ? -ENOMEM : 0;
}

/* The directory part of `path`, made if it is missing. */
static int open_directory(const char *path)
{
	char *cleanup_free directory = strdup(path);
	int r;

	if (!directory)
		return -ENOMEM;
	r = root_make_parents(path);
	if (r < 0)
		return r;
	*strrchr(directory, '/') = '\0';
	return root_open(directory[0] == '\0' ? "/" : directory);
}

static int print_file(const struct devinfo *devinfo, int directory, const char *name,
		      struct text *ret, struct error *err)
{
	struct text cleanup_text source = { 0 };
	struct cJSON *cleanup_json document = NULL;
	int r = root_read_file(directory, name, LIMIT_DEVINFO_BYTES, &source);

	if (r == -ENOENT)
		return devinfo->pci_address ? print_new(devinfo, ret) : 0;
	if (r < 0)
		return r;
	r = json_parse(source.data, source.length, &document, err);
	return r < 0 ? r : print_updated(devinfo, &source, document, ret);
}

int cni_devinfo_update(const char *path, const char *pci_address,
		       const struct cni_device_name *names, size_t count, struct error *err)
{
	const struct devinfo devinfo = { pci_address, names, count };
	struct text cleanup_text text = { 0 };
	struct error parse_err = { 0 };
	const char *name = strrchr(path, '/');
	int r;

	if (path[0] != '/' || !name || name[1] == '\0')
		return error_set(err, ERROR_CONFIG, 0,
				 "the device-info file '%s' is no absolute path of a file", path);
	const int cleanup_close directory = open_directory(path);
	r = directory < 0 ? directory
			  : print_file(&devinfo, directory, name + 1, &text, &parse_err);
	if (r == 0 && text.length > 0)
		r = publish_file(directory, name + 1, text.data, text.length, DEVINFO_MODE);
	if (r == 0)
		return 0;
	r = error_set(err, ERROR_IO, -r, "cannot update the device-info file '%s'", path);
	error_details(err, "%s", parse_err.msg);
	return r;
}
