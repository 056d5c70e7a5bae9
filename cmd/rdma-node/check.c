/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma-node check
 */
#include <stdio.h>

#include "commands.h"
#include "options.h"
#include "report.h"

#define CHECKS_MAX 64U

static int print_help(void)
{
	(void)printf(
		"rdma-node check [--json] [--device DEVICE]... [--root DIR]\n"
		"\n"
		"What keeps pods on this node from having or using RDMA devices, a line each,\n"
		"and below it what mends it. Nothing is changed. As another user than root it\n"
		"says what can be seen.\n"
		"\n"
		"  -d, --device DEVICE  only this VF or other function (0000:3b:02.3,\n"
		"                       mlx5_core.sf.4); may be given more than once\n"
		"  -j, --json           one JSON document\n"
		"  -r, --root DIR       read /proc, /sys, /dev and so on in this directory; the\n"
		"                       running kernel is not asked then\n"
		"  -h, --help           this text\n"
		"\n"
		"Exit status: 0 all is well, 1 there are warnings, 2 something fails, 3 it\n"
		"can't be told. NO_COLOR in the environment: no colours on a terminal.\n"
		"\n"
		"Checks:\n");
	for (const struct check *check = checks; check->id; check++)
		(void)printf("  %-13s %s\n", check->id, check->title);
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNKNOWN;
}

static int run_checks(const struct node *node, struct report *reports, size_t *ret_count,
		      enum check_state *ret_state, struct error *err)
{
	size_t count = 0;
	int r = 0;

	*ret_state = CHECK_OK;
	for (const struct check *check = checks; r == 0 && check->id && count < CHECKS_MAX;
	     check++) {
		struct report *report = &reports[count];

		report->check = check;
		r = check_run(check, node, &report->findings, err);
		if (r < 0)
			break;
		count++;
		if (findings_state(&report->findings) > *ret_state)
			*ret_state = findings_state(&report->findings);
	}
	*ret_count = count;
	return r;
}

static int report(const struct options *options, const struct report *reports, size_t count,
		  enum check_state state, struct error *err)
{
	struct text cleanup_text text = { 0 };
	int r = 0;

	if (options->json)
		r = report_print_json(reports, count, RDMA_CNI_VERSION, state, &text);
	else
		report_print(reports, count, wants_colours(), &text);
	return r < 0 ? error_no_memory(err) : write_answer(&text, err);
}

static int check_node(const struct options *options, enum check_state *ret_state, struct error *err)
{
	struct node cleanup_node node = { .root = -1, .sysfs = -1 };
	struct report reports[CHECKS_MAX] = { 0 };
	size_t count = 0;
	int r = options_read_node(options, &node, err);

	if (r == 0)
		r = run_checks(&node, reports, &count, ret_state, err);
	if (r == 0)
		r = report(options, reports, count, *ret_state, err);
	for (size_t i = 0; i < count; i++)
		findings_done(&reports[i].findings);
	return r;
}

int command_check(int argc, char *argv[])
{
	struct options options = OPTIONS_DEFAULT;
	enum check_state state = CHECK_OK;
	struct error err = { 0 };
	int status = options_parse(argc, argv, print_help, &options);

	if (status < 0) {
		status = check_node(&options, &state, &err) < 0 ? EXIT_UNKNOWN : EXIT_GOOD;
		if (status == EXIT_UNKNOWN)
			tell(stderr, "rdma-node check: %s", err.msg);
		else if (state > CHECK_OK)
			status = state == CHECK_WARN ? EXIT_WARNING : EXIT_BAD;
	}
	options_done(&options);
	return status;
}
