/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma-node: is this node ready for RDMA in pods?
 */
#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/io.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"

static const struct {
	const char *name;
	int (*run)(int argc, char *argv[]);
	const char *summary;
} commands[] = {
	{ "check", command_check, "what keeps pods on this node from having RDMA devices" },
	{ "show", command_show, "which function has which RDMA device, where it is, and whose" },
	{ "prepare", command_prepare, "set the netns mode, give VFs MAC addresses" },
	{ "release", command_release, "bring an RDMA device back from a namespace" },
	{ "install", command_install, "put the plugin where container runtimes look" },
	{ "status", command_status, "ask the installed plugin whether it could work now" },
};

static int print_help(FILE *stream)
{
	(void)fprintf(stream, "rdma-node %s: is this node ready for RDMA in pods?\n\n",
		      RDMA_CNI_VERSION);
	for (size_t i = 0; i < array_size(commands); i++)
		(void)fprintf(stream, "  rdma-node %-8s  %s\n", commands[i].name,
			      commands[i].summary);
	(void)fprintf(stream, "  rdma-node -h, --help      this text\n"
			      "  rdma-node -v, --version   the version\n"
			      "\n"
			      "\"rdma-node COMMAND --help\" tells a command's options.\n");
	return fflush(stream) == 0 ? EXIT_GOOD : EXIT_UNKNOWN;
}

int main(int argc, char *argv[])
{
	const char *word = argc > 1 ? argv[1] : "";

	io_occupy_standard_fds();
	for (size_t i = 0; i < array_size(commands); i++) {
		if (strcmp(word, commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	}
	if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
		return print_help(stdout);
	if (strcmp(word, "-v") == 0 || strcmp(word, "--version") == 0) {
		return printf("rdma-node %s\n", RDMA_CNI_VERSION) > 0 && fflush(stdout) == 0
			       ? EXIT_GOOD
			       : EXIT_UNKNOWN;
	}
	if (argc > 1)
		tell(stderr, "rdma-node: there is no command '%s' (see --help)", word);
	else
		(void)print_help(stderr);
	return EXIT_UNKNOWN;
}
