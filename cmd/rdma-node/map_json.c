/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node's map as JSON.
 */
#include "map_print.h"

#include <errno.h>
#include <rdma-cni/base/json_build.h>
#include <stdio.h>

/* A value that was put together, or NULL if a part of it failed. */
static struct cJSON *unless_failed(struct cJSON *value, bool ok)
{
	if (ok)
		return value;
	json_free(value);
	return NULL;
}

static bool put_known(struct cJSON *object, const char *name, const char *value)
{
	return !value || value[0] == '\0' || json_put_string(object, name, value);
}

static struct cJSON *port_json(const struct node_port *port)
{
	struct cJSON *object = json_new_object();
	bool ok = json_put_string(object, "number", port->number);

	ok = put_known(object, "state", port->state) && ok;
	ok = put_known(object, "linkLayer", port->link_layer) && ok;
	return unless_failed(object, ok);
}

static struct cJSON *netns_json(const struct node_netns *netns)
{
	struct cJSON *object = json_new_object();
	bool ok = json_put_integer(object, "inode", (int64_t)netns->id.inode);

	ok = put_known(object, "path", netns->path) && ok;
	if (netns->pid > 0)
		ok = json_put_integer(object, "pid", netns->pid) && ok;
	return unless_failed(object, ok);
}

static struct cJSON *device_json(const struct map_device *device)
{
	static const char *const places[] = {
		[MAP_HERE] = "host",
		[MAP_NETNS] = "netns",
		[MAP_ELSEWHERE] = "unknown",
	};
	struct cJSON *object = json_new_object();
	struct cJSON *ports = json_new_array();
	bool ok = json_put_string(object, "name", device->name);

	for (size_t i = 0; device->ports && i < device->ports->count; i++)
		ok = json_push(ports, port_json(&device->ports->items[i])) && ok;
	ok = json_put(object, "ports", ports) && ok;
	if (device->verbs) {
		char name[32];

		(void)snprintf(name, sizeof(name), "uverbs%llu",
			       (unsigned long long)device->verbs->number);
		ok = json_put_string(object, "uverbs", name) && ok;
	}
	ok = json_put_string(object, "where", places[device->place]) && ok;
	if (device->netns)
		ok = json_put(object, "netns", netns_json(device->netns)) && ok;
	return unless_failed(object, ok);
}

static struct cJSON *attachment_json(const struct node_attachment *attachment)
{
	static const char *const lives[] = {
		[NODE_LIFE_UNKNOWN] = "unknown",       [NODE_LIFE_ALIVE] = "alive",
		[NODE_LIFE_OTHER_BOOT] = "other-boot", [NODE_LIFE_NETNS_GONE] = "netns-gone",
		[NODE_LIFE_UNREADABLE] = "unreadable",
	};
	const struct entry *entry = &attachment->entry;
	struct cJSON *object = json_new_object();
	bool ok = json_put_string(object, "file", attachment->file);

	ok = json_put_string(object, "state", lives[attachment->life]) && ok;
	ok = put_known(object, "network", entry->network) && ok;
	ok = put_known(object, "containerID", entry->container_id) && ok;
	ok = put_known(object, "ifname", entry->ifname) && ok;
	ok = put_known(object, "podNamespace", entry->pod_namespace) && ok;
	ok = put_known(object, "podName", entry->pod_name) && ok;
	ok = put_known(object, "podUID", entry->pod_uid) && ok;
	return unless_failed(object, ok);
}

static bool put_names(struct cJSON *object, const char *name, const struct names *names)
{
	struct cJSON *array = json_new_array();
	bool ok = true;

	for (size_t i = 0; i < names->count; i++)
		ok = json_push_string(array, names->items[i]) && ok;
	return json_put(object, name, array) && ok;
}

static bool put_function(struct cJSON *object, const struct node_function *function,
			 const struct node *node)
{
	bool ok = json_put_string(object, "function", function->id.name);

	if (function->pf != NODE_NONE) {
		ok = json_put_string(object, "pf", node->functions[function->pf].id.name) && ok;
		ok = json_put_integer(object, "vf", function->vf_number) && ok;
	}
	ok = put_known(object, "driver", function->driver) && ok;
	return put_names(object, "netdevs", &function->net) && ok;
}

static struct cJSON *row_json(const struct map_row *row, const struct node *node)
{
	struct cJSON *object = json_new_object();
	struct cJSON *devices = json_new_array();
	bool ok = !row->function || put_function(object, row->function, node);

	for (size_t i = 0; i < row->device_count; i++)
		ok = json_push(devices, device_json(&row->devices[i])) && ok;
	ok = json_put(object, "devices", devices) && ok;
	if (row->attachment)
		ok = json_put(object, "attachment", attachment_json(row->attachment)) && ok;
	ok = put_names(object, "marks", &row->marks) && ok;
	return unless_failed(object, ok);
}

int map_print_json(const struct map *map, const struct node *node, struct text *ret)
{
	static const char *const modes[] = {
		[NODE_MODE_UNKNOWN] = "none",
		[NODE_MODE_EXCLUSIVE] = "exclusive",
		[NODE_MODE_SHARED] = "shared",
		[NODE_MODE_INVALID] = "none",
	};
	struct cJSON cleanup_json *object = json_new_object();
	struct cJSON *rows = json_new_array();
	bool ok = json_put_string(object, "version", node->version);

	ok = json_put_string(object, "mode", modes[node->mode]) && ok;
	for (size_t i = 0; i < map->count; i++)
		ok = json_push(rows, row_json(&map->rows[i], node)) && ok;
	ok = json_put(object, "map", rows) && ok;
	if (!ok || json_print(object, true, ret) < 0)
		return -ENOMEM;
	text_add_string(ret, "\n");
	return 0;
}
