/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma: a CNI plugin that gives a pod the RDMA device of its VF.
 */
#include <getopt.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/signals.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"

/* rdma-node finds the version in the executable by this text (lib/node/plugins.c). */
static const char about[] = "rdma " RDMA_CNI_VERSION
			    ": CNI plugin that moves the RDMA device of a pod's VF into the pod\n";

static void print_about(FILE *stream)
{
	char versions[128];

	(void)fprintf(stream, "%sCNI versions supported: %s\n", about,
		      cni_version_list(versions, sizeof(versions)));
}

static int print_help(void)
{
	print_about(stdout);
	(void)printf(
		"\n"
		"A container runtime starts it with CNI_COMMAND and friends in the environment\n"
		"and a network configuration on standard input. By hand:\n"
		"\n"
		"  rdma -h, --help      this text\n"
		"  rdma -v, --version   the version\n"
		"\n"
		"Commands: ADD, DEL, CHECK, GC, STATUS, VERSION. Exit 0, or 1 with an error\n"
		"object on standard output. Configuration keys and error codes: see\n"
		"rdma-cni's README.\n");
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run_by_hand(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};

	switch (getopt_long(argc, argv, "hv", options, NULL)) {
	case 'h':
		return print_help();
	case 'v':
		return printf("rdma %s\n", RDMA_CNI_VERSION) > 0 && fflush(stdout) == 0
			       ? EXIT_SUCCESS
			       : EXIT_FAILURE;
	case -1:
		print_about(stderr);
		return optind == argc ? EXIT_SUCCESS : EXIT_FAILURE;
	default:
		return EXIT_FAILURE;
	}
}

/* Does it start with an option that there is? */
static bool asks_for_words(int argc, char *argv[])
{
	static const char *const options[] = { "-h", "--help", "-v", "--version" };

	for (size_t i = 0; argc > 1 && i < array_size(options); i++) {
		if (strcmp(argv[1], options[i]) == 0)
			return true;
	}
	return false;
}

int main(int argc, char *argv[])
{
	const char *command = getenv("CNI_COMMAND");
	const bool is_call = command && command[0] != '\0';

	/* From the first system call on. */
	signals_hold();
	io_occupy_standard_fds();
	/* What a runtime starts has its answer on standard output, whatever the arguments are. */
	if (is_call && !asks_for_words(argc, argv))
		return dispatch() < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	return run_by_hand(argc, argv);
}
