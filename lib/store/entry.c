/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entry of the state directory and its JSON text.
 */
#include <rdma-cni/store/entry.h>

#include <errno.h>
#include <inttypes.h>
#include <rdma-cni/base/json.h>
#include <rdma-cni/base/json_build.h>
#include <rdma-cni/base/parse.h>
#include <stdio.h>
#include <string.h>

/* The only version there is; the Go plugin writes it too (and never looks at it). */
#define ENTRY_VERSION "1.0"

bool entry_has_identity(const struct entry *entry)
{
	return entry->network && entry->container_id && entry->ifname;
}

/* An interface name may hold bytes that the text does not keep as they are. */
static bool same_ifname(const char *stored, const char *ifname)
{
	char readable[64];

	text_printable(ifname, readable, sizeof(readable));
	return strcmp(stored, readable) == 0 || strcmp(stored, ifname) == 0;
}

bool entry_is_of(const struct entry *entry, const struct entry_key *key)
{
	return entry_has_identity(entry) && strcmp(entry->network, key->network) == 0 &&
	       strcmp(entry->container_id, key->container_id) == 0 &&
	       same_ifname(entry->ifname, key->ifname);
}

static bool put_optional(struct cJSON *object, const char *name, const char *value)
{
	return !value || value[0] == '\0' || json_put_string(object, name, value);
}

/* As text: a JSON number holds only 53 bits in most readers. */
static bool put_u64(struct cJSON *object, const char *name, uint64_t value)
{
	char digits[24];

	(void)snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return value == 0 || json_put_string(object, name, digits);
}

static bool push_device(struct cJSON *array, const struct entry_device *device)
{
	struct cJSON *object = json_new_object();
	const bool ok = json_put_string(object, "hostName", device->host_name) &&
			json_put_string(object, "podName", device->pod_name) &&
			(!device->has_index || json_put_integer(object, "index", device->index)) &&
			put_optional(object, "charDevices", device->char_devices) &&
			put_optional(object, "movedCharDevices", device->moved_char_devices);

	return json_push(array, object) && ok;
}

static bool put_devices(struct cJSON *object, const struct entry *entry)
{
	struct cJSON *array = json_new_array();
	bool ok = json_put(object, "devices", array);

	for (size_t i = 0; ok && i < entry->device_count; i++)
		ok = push_device(array, &entry->devices[i]);
	return ok;
}

static bool put_legacy_fields(struct cJSON *object, const struct entry *entry)
{
	return json_put_string(object, "version", ENTRY_VERSION) &&
	       json_put_string(object, "deviceID", entry->device_id) &&
	       json_put_string(object, "sandboxRdmaDevName", entry->devices[0].host_name) &&
	       json_put_string(object, "containerRdmaDevName", entry->devices[0].pod_name);
}

int entry_print(const struct entry *entry, struct text *ret)
{
	struct cJSON *cleanup_json object = json_new_object();
	const bool ok = put_legacy_fields(object, entry) &&
			put_optional(object, "network", entry->network) &&
			put_optional(object, "containerID", entry->container_id) &&
			put_optional(object, "ifname", entry->ifname) &&
			put_optional(object, "podNamespace", entry->pod_namespace) &&
			put_optional(object, "podName", entry->pod_name) &&
			put_optional(object, "podUID", entry->pod_uid) &&
			put_optional(object, "netns", entry->netns_path) &&
			put_u64(object, "netnsDevice", entry->netns_device) &&
			put_u64(object, "netnsInode", entry->netns_inode) &&
			put_u64(object, "netnsCookie", entry->netns_cookie) &&
			put_optional(object, "bootID", entry->boot_id) &&
			put_devices(object, entry);

	return ok ? json_print(object, false, ret) : -ENOMEM;
}

static int wrong(struct error *err, const char *name)
{
	return error_set(err, ERROR_DECODE, 0, "'%s' is missing or impossible", name);
}

/* Absent leaves `ret` NULL; another type than a string is an error. */
static int read_string(const struct cJSON *object, const char *name, char **ret, struct error *err)
{
	const struct cJSON *member = json_member(object, name);
	const char *value = json_string(member);

	if (!member)
		return 0;
	if (!value)
		return wrong(err, name);
	*ret = strdup(value);
	return *ret ? 0 : error_no_memory(err);
}

static int read_u64(const struct cJSON *object, const char *name, uint64_t *ret, struct error *err)
{
	const struct cJSON *member = json_member(object, name);
	const char *value = json_string(member);

	if (!member || (value && parse_u64(value, ret)))
		return 0;
	return wrong(err, name);
}

/* Into an array of `size` bytes; absent is the empty string unless it is `required`. */
static int read_short(const struct cJSON *object, const char *name, bool required, char *ret,
		      size_t size, struct error *err)
{
	const struct cJSON *member = json_member(object, name);
	const char *value = member ? json_string(member) : "";

	if (!value || (required && !parse_is_component(value)) || !parse_copy(ret, size, value))
		return wrong(err, name);
	return 0;
}

/* Absent in what was written before it was known. */
static int read_index(const struct cJSON *object, struct entry_device *ret, struct error *err)
{
	const struct cJSON *member = json_member(object, "index");
	int64_t index;

	if (!member)
		return 0;
	if (!json_integer(member, &index) || index < 0 || index > UINT32_MAX)
		return wrong(err, "index");
	ret->index = (uint32_t)index;
	ret->has_index = true;
	return 0;
}

static int read_device(const struct cJSON *object, struct entry_device *ret, struct error *err)
{
	int r = read_short(object, "hostName", true, ret->host_name, sizeof(ret->host_name), err);

	if (r == 0)
		r = read_short(object, "podName", true, ret->pod_name, sizeof(ret->pod_name), err);
	if (r == 0)
		r = read_short(object, "charDevices", false, ret->char_devices,
			       sizeof(ret->char_devices), err);
	if (r == 0)
		r = read_short(object, "movedCharDevices", false, ret->moved_char_devices,
			       sizeof(ret->moved_char_devices), err);
	return r == 0 ? read_index(object, ret, err) : r;
}

/* What the Go plugin knows of its one device. */
static int read_legacy_device(const struct cJSON *object, struct entry *entry, struct error *err)
{
	struct entry_device *device = &entry->devices[0];
	int r = read_short(object, "sandboxRdmaDevName", true, device->host_name,
			   sizeof(device->host_name), err);

	if (r == 0)
		r = read_short(object, "containerRdmaDevName", true, device->pod_name,
			       sizeof(device->pod_name), err);
	entry->device_count = 1;
	return r;
}

static int read_devices(const struct cJSON *object, struct entry *entry, struct error *err)
{
	const struct cJSON *array = json_member(object, "devices");
	int r = 0;

	if (!array)
		return read_legacy_device(object, entry, err);
	if (json_type(array) != JSON_ARRAY)
		return wrong(err, "devices");
	for (const struct cJSON *item = json_first(array); item && r == 0; item = json_next(item)) {
		if (entry->device_count == array_size(entry->devices))
			return wrong(err, "devices");
		r = read_device(item, &entry->devices[entry->device_count++], err);
	}
	return entry->device_count == 0 && r == 0 ? wrong(err, "devices") : r;
}

static int read_strings(const struct cJSON *object, struct entry *entry, struct error *err)
{
	const struct {
		const char *name;
		char **ret;
	} strings[] = {
		{ "deviceID", &entry->device_id },
		{ "network", &entry->network },
		{ "containerID", &entry->container_id },
		{ "ifname", &entry->ifname },
		{ "podNamespace", &entry->pod_namespace },
		{ "podName", &entry->pod_name },
		{ "podUID", &entry->pod_uid },
		{ "netns", &entry->netns_path },
	};

	for (size_t i = 0; i < array_size(strings); i++) {
		const int r = read_string(object, strings[i].name, strings[i].ret, err);

		if (r < 0)
			return r;
	}
	/* An identity is whole or absent, and no part of one is ever empty. */
	if ((entry->network || entry->container_id || entry->ifname) &&
	    (!entry_has_identity(entry) || entry->network[0] == '\0' ||
	     entry->container_id[0] == '\0' || entry->ifname[0] == '\0'))
		return wrong(err, "network, containerID, ifname");
	return entry->device_id && entry->device_id[0] != '\0' ? 0 : wrong(err, "deviceID");
}

static int read_netns(const struct cJSON *object, struct entry *entry, struct error *err)
{
	int r = read_u64(object, "netnsDevice", &entry->netns_device, err);

	if (r == 0)
		r = read_u64(object, "netnsInode", &entry->netns_inode, err);
	if (r == 0)
		r = read_u64(object, "netnsCookie", &entry->netns_cookie, err);
	return r;
}

int entry_parse(const char *text, size_t length, struct entry *ret, struct error *err)
{
	struct cJSON *cleanup_json document = NULL;
	struct entry cleanup_entry entry = { 0 };
	const char *version;
	int r = json_parse(text, length, &document, err);

	if (r < 0)
		return r;
	version = json_string(json_member(document, "version"));
	if (!version || strcmp(version, ENTRY_VERSION) != 0)
		return wrong(err, "version");
	r = read_strings(document, &entry, err);
	if (r == 0)
		r = read_netns(document, &entry, err);
	if (r == 0)
		r = read_short(document, "bootID", false, entry.boot_id, sizeof(entry.boot_id),
			       err);
	if (r == 0)
		r = read_devices(document, &entry, err);
	if (r < 0)
		return r;
	*ret = entry;
	entry = (struct entry){ 0 };
	return 0;
}

void entry_done(struct entry *entry)
{
	free(entry->network);
	free(entry->container_id);
	free(entry->ifname);
	free(entry->device_id);
	free(entry->pod_namespace);
	free(entry->pod_name);
	free(entry->pod_uid);
	free(entry->netns_path);
	*entry = (struct entry){ 0 };
}
