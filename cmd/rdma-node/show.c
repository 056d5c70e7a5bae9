/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma-node show
 */
#include <stdio.h>

#include "commands.h"
#include "map_print.h"
#include "options.h"

static int print_help(void)
{
	(void)printf(
		"rdma-node show [--json] [--device DEVICE]... [--root DIR]\n"
		"\n"
		"The node's map: each function, its driver and network device, its RDMA devices\n"
		"with their ports and uverbs devices, the network namespace each is in, and\n"
		"whose attachment it is there. A line with '!' tells what is stale or\n"
		"contradictory. As another user than root it can't look into namespaces.\n"
		"\n" OPTIONS_HELP "\n"
		"Exit status: 0, or 3 when the node can't be read.\n");
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNKNOWN;
}

static int show_node(const struct options *options, struct error *err)
{
	struct node cleanup_node node = { .root = -1, .sysfs = -1 };
	struct map cleanup_map map = { 0 };
	struct text cleanup_text text = { 0 };
	int r = options_read_node(options, &node, err);

	if (r == 0)
		r = map_make(&node, &map, err);
	if (r < 0)
		return r;
	if (!options->json)
		map_print(&map, &node, wants_colours(), &text);
	else if (map_print_json(&map, &node, &text) < 0)
		return error_no_memory(err);
	return write_answer(&text, err);
}

int command_show(int argc, char *argv[])
{
	struct options options = OPTIONS_DEFAULT;
	struct error err = { 0 };
	int status = options_parse(argc, argv, print_help, &options);

	if (status < 0) {
		status = show_node(&options, &err) < 0 ? EXIT_UNKNOWN : EXIT_GOOD;
		if (status == EXIT_UNKNOWN)
			tell(stderr, "rdma-node show: %s", err.msg);
	}
	options_done(&options);
	return status;
}
