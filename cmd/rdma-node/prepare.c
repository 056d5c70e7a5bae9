/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma-node prepare
 */
#include <errno.h>
#include <getopt.h>
#include <rdma-cni/node/prepare.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"

struct request {
	enum node_mode mode; /* NODE_MODE_UNKNOWN: leave it */
	bool persist;
	bool vf_macs;
	bool rebind;
	bool dry_run;
};

static int print_help(void)
{
	(void)printf(
		"rdma-node prepare [--dry-run] [--mode exclusive|shared [--persist]]\n"
		"                  [--vf-macs [--rebind]]\n"
		"\n"
		"Make this node ready for RDMA in pods. Each step is told before it is done;\n"
		"what is as it should be is left alone.\n"
		"\n"
		"  -m, --mode MODE  switch the RDMA network namespace mode now; where the kernel\n"
		"                   refuses, it is told who holds network namespaces\n"
		"  -p, --persist    and at the next boot: /etc/modprobe.d/ib_core.conf\n"
		"  -a, --vf-macs    give each Ethernet VF without an administrative MAC address\n"
		"                   one, the same in each boot; not to those in pods\n"
		"  -b, --rebind     and unbind and bind the driver of these VFs, which RDMA CM\n"
		"                   on mlx5 needs\n"
		"  -n, --dry-run    only tell\n"
		"  -h, --help       this text\n"
		"\n"
		"Exit status: 0 done, or nothing was to do; 2 something failed or was refused;\n"
		"3 nothing could be tried.\n");
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNKNOWN;
}

static bool parse_mode(const char *text, enum node_mode *ret)
{
	if (strcmp(text, "exclusive") == 0)
		*ret = NODE_MODE_EXCLUSIVE;
	else if (strcmp(text, "shared") == 0)
		*ret = NODE_MODE_SHARED;
	else
		tell(stderr, "rdma-node prepare: '%s' is no mode: exclusive or shared", text);
	return *ret != NODE_MODE_UNKNOWN;
}

/* Options that mean nothing alone. */
static const char *find_contradiction(const struct request *request)
{
	if (request->persist && request->mode == NODE_MODE_UNKNOWN)
		return "--persist needs --mode";
	if (request->rebind && !request->vf_macs)
		return "--rebind needs --vf-macs";
	if (request->mode == NODE_MODE_UNKNOWN && !request->vf_macs)
		return "nothing to do: --mode or --vf-macs";
	return NULL;
}

/* False: a bad one, or --help, which sets `ret_help`. */
static bool parse_words(int argc, char *argv[], struct request *ret, bool *ret_help)
{
	static const struct option options[] = {
		{ "mode", required_argument, NULL, 'm' },
		{ "persist", no_argument, NULL, 'p' },
		{ "vf-macs", no_argument, NULL, 'a' },
		{ "rebind", no_argument, NULL, 'b' },
		{ "dry-run", no_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "m:pabnh", options, NULL)) != -1) {
		ret->persist = ret->persist || option == 'p';
		ret->vf_macs = ret->vf_macs || option == 'a';
		ret->rebind = ret->rebind || option == 'b';
		ret->dry_run = ret->dry_run || option == 'n';
		*ret_help = option == 'h';
		if (option == 'h' || option == '?' ||
		    (option == 'm' && !parse_mode(optarg, &ret->mode)))
			return false;
	}
	return true;
}

/* -1: go on; else the exit status. */
static int parse_request(int argc, char *argv[], struct request *ret)
{
	const char *complaint = NULL;
	bool help = false;

	if (!parse_words(argc, argv, ret, &help))
		return help ? print_help() : EXIT_UNKNOWN;
	complaint = optind < argc ? "unexpected argument" : find_contradiction(ret);
	if (!complaint)
		return -1;
	(void)fprintf(stderr, "rdma-node prepare: %s (see --help)\n", complaint);
	return EXIT_UNKNOWN;
}

static void print_step(const char *text)
{
	tell(stdout, "%s", text);
}

static int switch_mode(const struct prepare *prepare, enum node_mode mode)
{
	struct names cleanup_names holders = { 0 };
	struct error err = { 0 };
	const int r = prepare_mode(prepare, mode, &holders, &err);

	if (r == 0)
		return EXIT_GOOD;
	complain("prepare", &err);
	for (size_t i = 0; i < holders.count; i++)
		tell(stderr, "  %s", holders.items[i]);
	return EXIT_BAD;
}

/* Each part is done, whatever became of the one before it. */
static int prepare_node(const struct prepare *prepare, const struct request *request)
{
	struct error err = { 0 };
	int status = EXIT_GOOD;

	if (request->mode != NODE_MODE_UNKNOWN)
		status = switch_mode(prepare, request->mode);
	if (request->persist && prepare_boot(prepare, request->mode, &err) < 0) {
		complain("prepare", &err);
		status = EXIT_BAD;
	}
	if (request->vf_macs && prepare_vf_macs(prepare, request->rebind, &err) < 0) {
		complain("prepare", &err);
		status = EXIT_BAD;
	}
	return status;
}

int command_prepare(int argc, char *argv[])
{
	const struct options options = OPTIONS_DEFAULT;
	struct request request = { 0 };
	struct node cleanup_node node = { .root = -1, .sysfs = -1 };
	struct error err = { 0 };
	int status = parse_request(argc, argv, &request);
	int r;

	if (status >= 0)
		return status;
	r = geteuid() == 0 ? options_read_node(&options, &node, &err)
			   : error_set(&err, ERROR_ENVIRONMENT, 0, "this takes root");
	if (r < 0) {
		complain("prepare", &err);
		return EXIT_UNKNOWN;
	}
	return prepare_node(
		&(struct prepare){ .node = &node, .dry_run = request.dry_run, .say = print_step },
		&request);
}
