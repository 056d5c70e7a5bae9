/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma-node release: what DEL would have done, for devices whose DEL never came.
 */
#include <errno.h>
#include <getopt.h>
#include <rdma-cni/attach/attach.h>
#include <rdma-cni/base/signals.h>
#include <rdma-cni/node/map.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"

struct request {
	const char *device; /* NULL: all that is stale */
	bool stale;
	bool force;
};

/* What is read, and what acts on it. */
struct machine {
	struct node node;
	struct map map;
	struct store store;
	char boot_id[NETNS_BOOT_ID_SIZE];
};

static int print_help(void)
{
	(void)printf(
		"rdma-node release [--force] DEVICE\n"
		"rdma-node release --stale\n"
		"\n"
		"Bring the RDMA devices of a function (0000:3b:02.3, mlx5_core.sf.4), or the\n"
		"one of that name (mlx5_5), back from the network namespace they are in, under\n"
		"their own names, and forget the attachment. Or all attachments that are dead:\n"
		"made before the last boot, or their namespace is gone.\n"
		"\n"
		"  -f, --force  also from a namespace in which processes are: a living pod's\n"
		"  -s, --stale  everything that is dead\n"
		"  -h, --help   this text\n"
		"\n"
		"Exit status: 0 done, or nothing was to do; 2 it was refused or failed; 3 it\n"
		"could not be tried.\n");
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNKNOWN;
}

/* -1: go on; else the exit status. */
static int parse_request(int argc, char *argv[], struct request *ret)
{
	static const struct option options[] = {
		{ "force", no_argument, NULL, 'f' },
		{ "stale", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "fsh", options, NULL)) != -1) {
		if (option == 'h')
			return print_help();
		if (option == 'f')
			ret->force = true;
		else if (option == 's')
			ret->stale = true;
		else
			return EXIT_UNKNOWN;
	}
	ret->device = argv[optind];
	if ((ret->device != NULL) != ret->stale && argc - optind <= 1)
		return -1;
	(void)fprintf(stderr, "rdma-node release: either one DEVICE or --stale (see --help)\n");
	return EXIT_UNKNOWN;
}

static void report(enum log_level level, const char *text)
{
	if (level == LOG_LEVEL_WARNING)
		tell(stdout, "warning: %s", text);
	else if (level == LOG_LEVEL_INFO)
		tell(stdout, "%s", text);
}

static int open_machine(struct machine *ret, struct error *err)
{
	const struct options options = OPTIONS_DEFAULT;
	int r;

	if (geteuid() != 0)
		return error_set(err, ERROR_ENVIRONMENT, 0, "this takes root");
	r = options_read_node(&options, &ret->node, err);
	if (r == 0)
		r = map_make(&ret->node, &ret->map, err);
	if (r == 0)
		r = store_open(NODE_STATE_DIRECTORY, &ret->store, err);
	if (r == 0 && netns_boot_id(ret->boot_id) < 0)
		r = error_no_memory(err);
	return r;
}

static void close_machine(struct machine *machine)
{
	store_close(&machine->store);
	map_done(&machine->map);
	node_done(&machine->node);
}

static int detach(struct machine *machine, const struct attach_request *request, struct error *err)
{
	const struct attach_node node = {
		.sysfs = machine->node.sysfs,
		.store = &machine->store,
		.boot_id = machine->boot_id,
		.report = report,
	};

	return attach_del(&node, request, err);
}

/* As DEL does it: from the namespace that is written down. */
static int release_attachment(struct machine *machine, const struct node_attachment *attachment,
			      struct error *err)
{
	const struct entry *entry = &attachment->entry;
	const struct attach_request request = {
		.key = { entry->network, entry->container_id, entry->ifname },
		.device_id = entry->device_id,
		.netns_path = "",
		.netns = -1,
		.pod_namespace = "",
		.pod_name = "",
		.pod_uid = "",
	};
	int r;

	if (!entry_has_identity(entry))
		return error_set(
			err, ERROR_CONFLICT, 0,
			"'%s' is an attachment of the Go rdma-cni: delete its pod, or that "
			"file in %s",
			attachment->file, NODE_STATE_DIRECTORY);
	r = detach(machine, &request, err);
	if (r == 0)
		tell(stdout, "forgot the attachment '%s'", attachment->file);
	return r;
}

/* As a DEL does it that has no entry to go by. */
static int release_from(struct machine *machine, const struct node_function *function,
			const struct node_netns *netns, struct error *err)
{
	struct attach_request request = {
		.key = { "rdma-node", "release", "none" },
		.device_id = function->id.name,
		.netns_path = netns->path,
		.netns = -1,
		.pod_namespace = "",
		.pod_name = "",
		.pod_uid = "",
	};
	struct error ignored;
	int cleanup_close fd = -1;

	/* One that ended meanwhile has given its devices back. */
	if (node_open_netns(netns, &fd, &ignored) < 0)
		return 0;
	request.netns = fd;
	return detach(machine, &request, err);
}

/* A namespace in which processes are is somebody's. */
static int refuse_living(const struct map_row *row, struct error *err)
{
	for (size_t i = 0; i < row->device_count; i++) {
		const struct map_device *device = &row->devices[i];

		if (device->place == MAP_NETNS && device->netns->pid > 0)
			return error_set(
				err, ERROR_CONFLICT, 0,
				"'%s' is in a living pod: process %d is in its namespace%s%s "
				"(--force takes it all the same)",
				device->name, (int)device->netns->pid,
				device->netns->path[0] != '\0' ? " " : "", device->netns->path);
		if (device->place == MAP_ELSEWHERE)
			return error_set(err, ERROR_ELSEWHERE, 0,
					 "'%s' is in a namespace to which neither a process nor a "
					 "name leads (lsns -t net): it can't be fetched from there",
					 device->name);
	}
	return 0;
}

/* Did all arrive? What another entry claims in the same namespace stays there. */
static int expect_home(const struct machine *machine, const struct map_row *row, struct error *err)
{
	struct names cleanup_names home = { 0 };
	const int r = function_rdma_devices(machine->node.sysfs, &row->function->id, &home);

	if (r < 0)
		return error_set(err, ERROR_INTERNAL, -r, "cannot list the RDMA devices of '%s'",
				 row->function->id.name);
	if (home.count >= row->device_count)
		return 0;
	return error_set(err, ERROR_ELSEWHERE, 0, "the RDMA device of '%s' is still away",
			 row->function->id.name);
}

static int release_row(struct machine *machine, const struct map_row *row, bool force,
		       struct error *err)
{
	int r = force ? 0 : refuse_living(row, err);

	if (r == 0 && row->attachment)
		r = release_attachment(machine, row->attachment, err);
	for (size_t i = 0; r == 0 && i < row->device_count; i++) {
		if (row->devices[i].place == MAP_NETNS)
			r = release_from(machine, row->function, row->devices[i].netns, err);
	}
	return r < 0 ? r : expect_home(machine, row, err);
}

static int release_device(struct machine *machine, const struct request *request, struct error *err)
{
	const struct map_row *row = map_find(&machine->map, request->device);

	if (!row)
		return error_set(
			err, ERROR_NO_FUNCTION, 0,
			"there is no function and no RDMA device '%s' (see rdma-node show)",
			request->device);
	if (!row->function || row->device_count == 0)
		return error_set(err, ERROR_NO_DEVICE, 0, "'%s' %s", request->device,
				 row->function ? "has no RDMA device" : "belongs to no function");
	if (!row->attachment && row->devices[0].place == MAP_HERE) {
		tell(stdout, "'%s' is here already", request->device);
		return 0;
	}
	return release_row(machine, row, request->force, err);
}

/*
 * What was read of the node is older than an attachment that was made meanwhile, and not every name
 * of a namespace is in the mounts that were read: look again, as DEL would look for it.
 */
static bool is_dead(const struct node_attachment *attachment)
{
	const struct entry *entry = &attachment->entry;
	const struct netns_id recorded = {
		.device = entry->netns_device,
		.inode = entry->netns_inode,
		.cookie = entry->netns_cookie,
	};

	if (attachment->life == NODE_LIFE_OTHER_BOOT)
		return true;
	if (attachment->life != NODE_LIFE_NETNS_GONE)
		return false;
	const int cleanup_close netns =
		netns_find(&recorded, entry->netns_path ? entry->netns_path : "");
	return netns == -ENOENT;
}

/* Goes on after a failure. */
static int release_stale(struct machine *machine, struct error *err)
{
	struct error first = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < machine->node.attachment_count; i++) {
		const struct node_attachment *attachment = &machine->node.attachments[i];

		if (!is_dead(attachment))
			continue;
		count++;
		if (release_attachment(machine, attachment, err) < 0)
			error_gather(&first, err);
	}
	if (count == 0)
		(void)printf("nothing is stale\n");
	if (first.kind == ERROR_NONE)
		return 0;
	*err = first;
	return -EIO;
}

int command_release(int argc, char *argv[])
{
	struct request request = { 0 };
	struct machine machine = { .node = { .root = -1, .sysfs = -1 }, .store = STORE_NONE };
	struct error err = { 0 };
	int status = parse_request(argc, argv, &request);
	int r;

	if (status >= 0)
		return status;
	signals_hold();
	r = open_machine(&machine, &err);
	status = r < 0 ? EXIT_UNKNOWN : EXIT_GOOD;
	if (r == 0)
		r = request.device ? release_device(&machine, &request, &err)
				   : release_stale(&machine, &err);
	if (r < 0 && status == EXIT_GOOD)
		status = EXIT_BAD;
	if (r < 0)
		complain("release", &err);
	close_machine(&machine);
	return fflush(stdout) == 0 && !ferror(stdout) ? status : EXIT_UNKNOWN;
}
