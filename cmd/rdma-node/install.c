/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma-node install
 */
#include <errno.h>
#include <getopt.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/signals.h>
#include <rdma-cni/node/plugin.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"

#define PATH_SIZE 4096U

struct request {
	const char *directory;
	const char *from; /* NULL: the plugin beside this executable */
};

static int print_help(void)
{
	(void)printf(
		"rdma-node install --to DIR [--from FILE]\n"
		"\n"
		"Put the plugin into the directory where container runtimes look for plugins,\n"
		"as \"rdma\". One that is there is replaced as a whole, after the new one has\n"
		"answered VERSION from there: a runtime finds a plugin that works at any moment.\n"
		"\n"
		"  -t, --to DIR     the directory; it has to be there\n"
		"  -f, --from FILE  the plugin (default: \"rdma\" beside this executable)\n"
		"  -h, --help       this text\n"
		"\n"
		"Exit status: 0 it is there and answers, 2 it failed and what was there still is,\n"
		"3 nothing could be tried.\n");
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNKNOWN;
}

/* -1: go on; else the exit status. */
static int parse_request(int argc, char *argv[], struct request *ret)
{
	static const struct option options[] = {
		{ "to", required_argument, NULL, 't' },
		{ "from", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "t:f:h", options, NULL)) != -1) {
		if (option == 'h')
			return print_help();
		if (option == 't')
			ret->directory = optarg;
		else if (option == 'f')
			ret->from = optarg;
		else
			return EXIT_UNKNOWN;
	}
	if (optind == argc && ret->directory)
		return -1;
	tell(stderr, "rdma-node install: %s (see --help)",
	     optind < argc ? "unexpected argument" : "--to DIR is missing");
	return EXIT_UNKNOWN;
}

static int find_beside(char ret[static PATH_SIZE], struct error *err)
{
	static const char plugin[] = "/rdma";
	const ssize_t length = readlink("/proc/self/exe", ret, PATH_SIZE - sizeof(plugin));
	char *slash;

	if (length < 0)
		return error_set(err, ERROR_IO, errno, "cannot read '/proc/self/exe'");
	ret[length] = '\0';
	slash = strrchr(ret, '/');
	memcpy(slash ? slash : ret, plugin, sizeof(plugin));
	return 0;
}

int command_install(int argc, char *argv[])
{
	struct request request = { 0 };
	struct error err = { 0 };
	char beside[PATH_SIZE];
	bool changed = false;
	int status = parse_request(argc, argv, &request);
	int r = 0;

	if (status >= 0)
		return status;
	signals_hold();
	if (!request.from) {
		r = find_beside(beside, &err);
		request.from = beside;
	}
	if (r == 0)
		r = plugin_install(request.from, request.directory, &changed, &err);
	if (r < 0) {
		complain("install", &err);
		return EXIT_BAD;
	}
	tell(stdout, "%s/rdma: %s, and answers", request.directory,
	     changed ? "installed" : "there already");
	return EXIT_GOOD;
}
