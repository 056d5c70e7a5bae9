/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma-node status
 */
#include <getopt.h>
#include <rdma-cni/base/json_build.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/signals.h>
#include <rdma-cni/node/plugin.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"

#define PATH_SIZE 4096U
#define PAUSE_SECONDS 10
#define PAUSE_SECONDS_MAX 3600

struct request {
	const char *directory;
	const char *data_dir; /* NULL: the plugin's default */
	uint64_t pause;	      /* seconds; 0: ask once */
};

static int print_help(void)
{
	(void)printf(
		"rdma-node status [--in DIR] [--data-dir DIR] [--stay[=SECONDS]]\n"
		"\n"
		"Ask the installed plugin, by the CNI command STATUS, whether a pod could be\n"
		"given an RDMA device now.\n"
		"\n"
		"  -i, --in DIR          where the plugin is (default: /opt/cni/bin)\n"
		"  -d, --data-dir DIR    its state directory, where that is not the default: the\n"
		"                        key dataDir of network configurations\n"
		"  -s, --stay[=SECONDS]  ask again every so many seconds (default: %d) until a\n"
		"                        signal ends it, and tell each change\n"
		"  -h, --help            this text\n"
		"\n"
		"Exit status: 0 ready, 2 not ready, 3 nothing could be asked; with --stay 0.\n",
		PAUSE_SECONDS);
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNKNOWN;
}

static bool parse_pause(const char *text, uint64_t *ret)
{
	uint64_t seconds = PAUSE_SECONDS;

	if (text && (!parse_u64(text, &seconds) || seconds == 0 || seconds > PAUSE_SECONDS_MAX)) {
		tell(stderr, "rdma-node status: --stay=%s: not 1 to %d seconds", text,
		     PAUSE_SECONDS_MAX);
		return false;
	}
	*ret = seconds;
	return true;
}

/* -1: go on; else the exit status. */
static int parse_request(int argc, char *argv[], struct request *ret)
{
	static const struct option options[] = {
		{ "in", required_argument, NULL, 'i' },
		{ "data-dir", required_argument, NULL, 'd' },
		{ "stay", optional_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "i:d:s::h", options, NULL)) != -1) {
		if (option == 'h')
			return print_help();
		if (option == 'i')
			ret->directory = optarg;
		else if (option == 'd')
			ret->data_dir = optarg;
		else if (option != 's' || !parse_pause(optarg, &ret->pause))
			return EXIT_UNKNOWN;
	}
	if (optind == argc)
		return -1;
	tell(stderr, "rdma-node status: unexpected argument '%s' (see --help)", argv[optind]);
	return EXIT_UNKNOWN;
}

static int make_conf(const struct request *request, struct text *ret, struct error *err)
{
	struct cJSON *cleanup_json conf = json_new_object();
	bool ok = json_put_string(conf, "cniVersion", "1.1.0");

	ok = json_put_string(conf, "name", "rdma-node") && ok;
	ok = json_put_string(conf, "type", "rdma") && ok;
	if (request->data_dir)
		ok = json_put_string(conf, "dataDir", request->data_dir) && ok;
	if (!ok || json_print(conf, false, ret) < 0)
		return error_no_memory(err);
	return 0;
}

static int ask(const char *plugin, const char *conf, struct error *err)
{
	struct text cleanup_text answer = { 0 };

	return plugin_ask(plugin, "STATUS", conf, &answer, err);
}

/* What is the same as before is not told again. */
static int stay(const char *plugin, const char *conf, uint64_t pause)
{
	struct error before = { 0 };
	bool was_told = false;

	do {
		struct error now = { 0 };

		if (ask(plugin, conf, &now) == 0) {
			if (!was_told || before.kind != ERROR_NONE)
				tell(stdout, "ready");
		} else if (now.kind == ERROR_STOPPED) {
			break;
		} else if (strcmp(now.msg, before.msg) != 0) {
			complain("status", &now);
		}
		before = now;
		was_told = true;
	} while (!signals_wait((int64_t)pause * 1000));
	return EXIT_GOOD;
}

int command_status(int argc, char *argv[])
{
	struct request request = { .directory = "/opt/cni/bin" };
	struct text cleanup_text conf = { 0 };
	struct error err = { 0 };
	char plugin[PATH_SIZE];
	int status = parse_request(argc, argv, &request);

	if (status >= 0)
		return status;
	signals_hold();
	if (make_conf(&request, &conf, &err) < 0 || !conf.data) {
		complain("status", &err);
		return EXIT_UNKNOWN;
	}
	(void)snprintf(plugin, sizeof(plugin), "%s/rdma", request.directory);
	if (request.pause > 0)
		return stay(plugin, conf.data, request.pause);
	if (ask(plugin, conf.data, &err) < 0) {
		complain("status", &err);
		return err.kind == ERROR_NOT_READY ? EXIT_BAD : EXIT_UNKNOWN;
	}
	tell(stdout, "ready");
	return EXIT_GOOD;
}
