/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node's map as a table.
 */
#include "map_print.h"

#include <stdio.h>
#include <string.h>

#include "options.h"

enum { FUNCTION, DRIVER, NETDEV, RDMA, PORT, UVERBS, WHERE, COLUMNS };

static const char *const headings[COLUMNS] = {
	[FUNCTION] = "FUNCTION", [DRIVER] = "DRIVER", [NETDEV] = "NETDEV", [RDMA] = "RDMA",
	[PORT] = "PORT",	 [UVERBS] = "UVERBS", [WHERE] = "WHERE",
};

/* One line: a function and one of its devices, or without any. */
struct line {
	const struct map_row *row;
	const struct map_device *device; /* NULL: it has none */
};

static void add_function(const struct line *line, struct text *text)
{
	const struct map_row *row = line->row;

	if (!row->function)
		text_add_string(text, "-");
	else if (line->device && line->device != &row->devices[0])
		text_add_string(text, "");
	else
		text_print(text, "%s%s", row->function->pf != NODE_NONE ? "  " : "",
			   row->function->id.name);
}

static void add_driver(const struct line *line, struct text *text)
{
	const struct node_function *function = line->row->function;

	add_printable(text, function && function->driver[0] != '\0' ? function->driver : "-");
}

static void add_netdev(const struct line *line, struct text *text)
{
	const struct node_function *function = line->row->function;

	add_printable(text, function && function->net.count > 0 ? function->net.items[0] : "-");
	if (function && function->net.count > 1)
		text_print(text, "+%zu", function->net.count - 1);
}

static void add_rdma(const struct line *line, struct text *text)
{
	add_printable(text, line->device ? line->device->name : "-");
}

static void add_port(const struct line *line, struct text *text)
{
	const struct node_ports *ports = line->device ? line->device->ports : NULL;

	if (!ports || ports->count == 0)
		text_add_string(text, "-");
	for (size_t i = 0; ports && i < ports->count; i++) {
		const struct node_port *port = &ports->items[i];
		char words[128];

		(void)snprintf(words, sizeof(words), "%s%s %s %s", i > 0 ? ", " : "", port->number,
			       port->state, port->link_layer);
		add_printable(text, words);
	}
}

static void add_uverbs(const struct line *line, struct text *text)
{
	if (line->device && line->device->verbs)
		text_print(text, "uverbs%llu", (unsigned long long)line->device->verbs->number);
	else
		text_add_string(text, "-");
}

static void add_owner(const struct node_attachment *attachment, struct text *text)
{
	const struct entry *entry = &attachment->entry;

	if (!entry_has_identity(entry)) {
		text_add_string(text, "an attachment of the Go rdma-cni");
		return;
	}
	if (entry->pod_name) {
		text_add_string(text, "pod ");
		add_printable(text, entry->pod_namespace ? entry->pod_namespace : "?");
		text_add_string(text, "/");
		add_printable(text, entry->pod_name);
		text_add_string(text, ", ");
	}
	text_add_string(text, "network ");
	add_printable(text, entry->network);
	text_add_string(text, ", container ");
	add_printable(text, entry->container_id);
	text_add_string(text, ", interface ");
	add_printable(text, entry->ifname);
}

static void add_netns(const struct node_netns *netns, struct text *text)
{
	if (netns->path[0] != '\0')
		add_printable(text, netns->path);
	else
		text_print(text, "process %d", (int)netns->pid);
}

static void add_where(const struct line *line, struct text *text)
{
	const struct map_device *device = line->device;

	if (!device) {
		text_add_string(text, "-");
		if (!line->row->function && line->row->attachment) {
			text_add_string(text, ": ");
			add_owner(line->row->attachment, text);
		}
		return;
	}
	if (device->place == MAP_HERE)
		text_add_string(text, "host");
	else if (device->place == MAP_NETNS)
		add_netns(device->netns, text);
	else
		text_add_string(text, "another namespace");
	if (device->place != MAP_HERE && line->row->attachment) {
		text_add_string(text, ": ");
		add_owner(line->row->attachment, text);
	}
}

static void (*const cells[COLUMNS])(const struct line *line, struct text *text) = {
	[FUNCTION] = add_function, [DRIVER] = add_driver, [NETDEV] = add_netdev, [RDMA] = add_rdma,
	[PORT] = add_port,	   [UVERBS] = add_uverbs, [WHERE] = add_where,
};

/* Call `each` for every line of the table. */
static void each_line(const struct map *map,
		      void (*each)(const struct line *line, size_t *widths, struct text *text),
		      size_t widths[static COLUMNS], struct text *text,
		      void (*behind)(const struct map_row *row, struct text *text))
{
	for (size_t i = 0; i < map->count; i++) {
		struct line line = { .row = &map->rows[i] };

		if (line.row->device_count == 0)
			each(&line, widths, text);
		for (size_t j = 0; j < line.row->device_count; j++) {
			line.device = &line.row->devices[j];
			each(&line, widths, text);
		}
		if (behind)
			behind(line.row, text);
	}
}

static void measure(const struct line *line, size_t *widths, struct text *text)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		const size_t before = text->length;

		cells[i](line, text);
		if (text->length - before > widths[i])
			widths[i] = text->length - before;
	}
}

static void print_line(const struct line *line, size_t *widths, struct text *text)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		const size_t before = text->length;

		cells[i](line, text);
		if (i + 1 < COLUMNS)
			text_print(text, "%*s", (int)(widths[i] - (text->length - before) + 2), "");
	}
	text_add_string(text, "\n");
}

static void print_marks(const struct map_row *row, struct text *text)
{
	for (size_t i = 0; i < row->marks.count; i++) {
		text_add_string(text, "    ! ");
		add_printable(text, row->marks.items[i]);
		text_add_string(text, "\n");
	}
}

static void print_coloured_marks(const struct map_row *row, struct text *text)
{
	if (row->marks.count > 0)
		text_add_string(text, "\033[33m");
	print_marks(row, text);
	if (row->marks.count > 0)
		text_add_string(text, "\033[0m");
}

/* The mode first: without it, what is where means little. */
static void print_mode(const struct node *node, struct text *text)
{
	static const char *const words[] = {
		[NODE_MODE_UNKNOWN] = "no RDMA network namespaces",
		[NODE_MODE_EXCLUSIVE] = "netns mode exclusive",
		[NODE_MODE_SHARED] = "netns mode shared: every device is in every namespace",
		[NODE_MODE_INVALID] = "",
	};

	text_print(text, "%s\n", words[node->mode]);
}

void map_print(const struct map *map, const struct node *node, bool colours, struct text *ret)
{
	struct text cleanup_text scratch = { 0 };
	size_t widths[COLUMNS];

	print_mode(node, ret);
	if (map->count == 0) {
		text_add_string(ret, "no functions for RDMA, and no RDMA devices\n");
		return;
	}
	for (size_t i = 0; i < COLUMNS; i++)
		widths[i] = strlen(headings[i]);
	each_line(map, measure, widths, &scratch, NULL);
	for (size_t i = 0; i + 1 < COLUMNS; i++)
		text_print(ret, "%-*s", (int)widths[i] + 2, headings[i]);
	text_print(ret, "%s\n", headings[COLUMNS - 1]);
	each_line(map, print_line, widths, ret, colours ? print_coloured_marks : print_marks);
	ret->failed = ret->failed || scratch.failed;
}
