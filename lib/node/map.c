/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node's map.
 */
#include <rdma-cni/node/map.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

/* The rows of the functions come first while the map is made, so that their places are known. */
static struct map_row *row_of(struct map *map, size_t function)
{
	struct map_row *grown;

	if (function != NODE_NONE)
		return &map->rows[function];
	grown = read_grow(map->rows, map->count, sizeof(*grown));
	if (!grown)
		return NULL;
	map->rows = grown;
	return &grown[map->count++];
}

static int add_device(struct map *map, size_t function, const struct map_device *device)
{
	struct map_row *row = row_of(map, function);

	if (!row)
		return -ENOMEM;
	if (row->device_count < LIMIT_FUNCTION_DEVICES)
		row->devices[row->device_count++] = *device;
	return 0;
}

static int add_functions(struct map *map, const struct node *node)
{
	for (size_t i = 0; i < node->function_count; i++) {
		struct map_row *row = row_of(map, NODE_NONE);

		if (!row)
			return -ENOMEM;
		row->function = &node->functions[i];
	}
	return 0;
}

static int add_visible(struct map *map, const struct node *node)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < node->rdma_count; i++) {
		const struct map_device device = {
			.name = node->rdma[i].name,
			.ports = &node->rdma[i].ports,
			.place = MAP_HERE,
		};

		r = add_device(map, node->rdma[i].function, &device);
	}
	for (size_t i = 0; r == 0 && i < node->away_count; i++) {
		const struct map_device device = {
			.name = node->away[i].name,
			.ports = &node->away[i].ports,
			.place = MAP_NETNS,
			.netns = &node->netns[node->away[i].netns],
		};

		r = add_device(map, node->away[i].function, &device);
	}
	return r;
}

static struct map_device *find_device(struct map_row *row, const char *name)
{
	for (size_t i = 0; i < row->device_count; i++) {
		if (strcmp(row->devices[i].name, name) == 0)
			return &row->devices[i];
	}
	return NULL;
}

/* A uverbs device of no device that was seen is the sign of one that can't be. */
static int add_verbs(struct map *map, const struct node *node)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < node->verbs_count; i++) {
		const struct node_verbs *verbs = &node->verbs[i];
		const struct map_device hidden = {
			.name = verbs->rdma,
			.verbs = verbs,
			.place = MAP_ELSEWHERE,
		};
		struct map_device *device = NULL;

		if (verbs->function == NODE_NONE || !map->rows)
			continue;
		device = find_device(&map->rows[verbs->function], verbs->rdma);
		if (device)
			device->verbs = verbs;
		else
			r = add_device(map, verbs->function, &hidden);
	}
	return r;
}

static bool is_true(const struct node_attachment *attachment)
{
	return attachment->life == NODE_LIFE_ALIVE || attachment->life == NODE_LIFE_UNKNOWN;
}

static int mark(struct map_row *row, const char *words, const char *what)
{
	char text[1024];

	(void)snprintf(text, sizeof(text), "%s%s", words, what);
	return names_add(&row->marks, text);
}

static int add_attachment(struct map_row *row, const struct node_attachment *attachment)
{
	const struct node_attachment *other = row->attachment;

	if (other && is_true(other) && is_true(attachment))
		return mark(row, "another attachment claims it too: ", attachment->file);
	if (!other || is_true(attachment))
		row->attachment = attachment;
	return 0;
}

/* Its VF was made anew under another address, or the card was pulled out. */
static int add_orphan(struct map *map, const struct node_attachment *attachment, const char *name)
{
	struct map_row *row = row_of(map, NODE_NONE);

	if (!row)
		return -ENOMEM;
	row->attachment = attachment;
	return mark(row, "its function is gone: ", name);
}

static int add_attachments(struct map *map, const struct node *node)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < node->attachment_count; i++) {
		const struct node_attachment *attachment = &node->attachments[i];
		struct function function;
		struct error ignored;
		size_t at;

		if (attachment->life == NODE_LIFE_UNREADABLE ||
		    function_parse(attachment->entry.device_id, &function, &ignored) < 0)
			continue;
		at = node_find_function(node, function.name);
		if (at != NODE_NONE && map->rows)
			r = add_attachment(&map->rows[at], attachment);
		else if (!function_exists(node->sysfs, &function))
			r = add_orphan(map, attachment, function.name);
	}
	return r;
}

static int mark_attachment(struct map_row *row, const struct node *node)
{
	const struct node_attachment *attachment = row->attachment;
	int r = 0;

	if (attachment->life == NODE_LIFE_OTHER_BOOT)
		return mark(row, "stale attachment, made before the last boot: ", attachment->file);
	if (attachment->life == NODE_LIFE_NETNS_GONE)
		return mark(row,
			    "stale attachment, the pod's namespace is gone: ", attachment->file);
	if (attachment->life != NODE_LIFE_ALIVE || node->mode != NODE_MODE_EXCLUSIVE)
		return 0;
	for (size_t i = 0; r == 0 && i < row->device_count; i++) {
		const struct map_device *device = &row->devices[i];

		if (device->place == MAP_HERE)
			r = mark(row, "its pod lives, but it is here: ", attachment->file);
		else if (device->place == MAP_NETNS &&
			 (attachment->netns == NODE_NONE ||
			  device->netns != &node->netns[attachment->netns]))
			r = mark(row, "in another namespace than its pod's: ", attachment->file);
	}
	return r;
}

static int mark_devices(struct map_row *row, const struct node *node)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < row->device_count; i++) {
		const struct map_device *device = &row->devices[i];

		if (device->place == MAP_NETNS && device->netns->pid == 0)
			r = mark(row, "no process is in its namespace: ", device->netns->path);
		if (r == 0 && device->place == MAP_NETNS && !row->attachment &&
		    node->state_is_known)
			r = mark(row, "in a namespace, and no attachment says why: ", device->name);
	}
	return r;
}

static int add_marks(struct map *map, const struct node *node)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < map->count; i++) {
		struct map_row *row = &map->rows[i];

		if (row->attachment)
			r = mark_attachment(row, node);
		if (r == 0)
			r = mark_devices(row, node);
	}
	return r;
}

/* An attachment without a function has no device either. */
static const char *row_name(const struct map_row *row)
{
	return row->device_count > 0 ? row->devices[0].name : row->attachment->file;
}

/* A VF stands behind its PF; what is no function, at the end, by name. */
static int compare_rows(const void *a, const void *b)
{
	const struct map_row *left = a;
	const struct map_row *right = b;
	const struct node_function *one = left->function;
	const struct node_function *other = right->function;

	if (!one || !other)
		return one ? -1 : other ? 1 : strcmp(row_name(left), row_name(right));
	if (one->family != other->family)
		return one->family < other->family ? -1 : 1;
	if ((one->pf == NODE_NONE) != (other->pf == NODE_NONE))
		return one->pf == NODE_NONE ? -1 : 1;
	return one->vf_number < other->vf_number ? -1 : one->vf_number > other->vf_number;
}

/* Only what was asked about stays. */
static void drop_unwanted(struct map *map, const struct node *node)
{
	size_t kept = 0;

	for (size_t i = 0; i < map->count; i++) {
		struct map_row *row = &map->rows[i];

		if (row->function ? row->function->is_wanted : node->wants_all)
			map->rows[kept++] = *row;
		else
			names_done(&row->marks);
	}
	map->count = kept;
}

int map_make(const struct node *node, struct map *ret, struct error *err)
{
	static int (*const steps[])(struct map * map, const struct node *node) = {
		add_functions, add_visible, add_verbs, add_attachments, add_marks,
	};
	struct map cleanup_map map = { 0 };

	for (size_t i = 0; i < array_size(steps); i++) {
		if (steps[i](&map, node) < 0)
			return error_no_memory(err);
	}
	drop_unwanted(&map, node);
	if (map.count > 1)
		qsort(map.rows, map.count, sizeof(*map.rows), compare_rows);
	*ret = map;
	map = (struct map){ 0 };
	return 0;
}

void map_done(struct map *map)
{
	for (size_t i = 0; i < map->count; i++)
		names_done(&map->rows[i].marks);
	free(map->rows);
	*map = (struct map){ 0 };
}

const struct map_row *map_find(const struct map *map, const char *name)
{
	struct function function = { 0 };
	struct error ignored;
	const bool is_function = function_parse(name, &function, &ignored) == 0;

	for (size_t i = 0; i < map->count; i++) {
		struct map_row *row = &map->rows[i];

		if (is_function
			    ? row->function && strcmp(row->function->id.name, function.name) == 0
			    : find_device(row, name) != NULL)
			return row;
	}
	return NULL;
}
