/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA devices of this namespace, and character devices, which are seen in all.
 */
#include "readers.h"

#include <errno.h>
#include <rdma-cni/base/parse.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "read.h"

#define UVERBS "uverbs"

/* "4: ACTIVE" -> "ACTIVE" */
static void read_port_state(int sysfs, const char *device, struct node_port *port)
{
	char line[sizeof(port->state)];
	const char *colon;

	read_line(sysfs, line, sizeof(line), "class/infiniband/%s/ports/%s/state", device,
		  port->number);
	colon = strchr(line, ':');
	(void)snprintf(port->state, sizeof(port->state), "%s",
		       colon ? colon + 1 + strspn(colon + 1, " ") : line);
}

int read_ports(int sysfs, const char *device, struct node_ports *ret, struct error *err)
{
	struct names cleanup_names names = { 0 };

	if (read_names(sysfs, &names, "class/infiniband/%s/ports", device) < 0)
		return error_no_memory(err);
	for (size_t i = 0; i < names.count && ret->count < NODE_PORTS; i++) {
		struct node_port *port = &ret->items[ret->count];

		if (!parse_copy(port->number, sizeof(port->number), names.items[i]))
			continue;
		read_port_state(sysfs, device, port);
		read_line(sysfs, port->link_layer, sizeof(port->link_layer),
			  "class/infiniband/%s/ports/%s/link_layer", device, port->number);
		ret->count++;
	}
	return 0;
}

static bool has_infiniband_port(const struct node_ports *ports)
{
	for (size_t i = 0; i < ports->count; i++) {
		if (strcmp(ports->items[i].link_layer, "InfiniBand") == 0)
			return true;
	}
	return false;
}

static int add_device(struct node *node, const char *name, struct error *err)
{
	struct node_rdma *grown = read_grow(node->rdma, node->rdma_count, sizeof(*grown));
	struct node_rdma *device;
	int r;

	if (!grown)
		return error_no_memory(err);
	node->rdma = grown;
	device = &grown[node->rdma_count];
	if (!parse_copy(device->name, sizeof(device->name), name))
		return 0;
	node->rdma_count++;
	read_link(node->sysfs, device->parent, sizeof(device->parent), "class/infiniband/%s/device",
		  name);
	read_line(node->sysfs, device->guid, sizeof(device->guid), "class/infiniband/%s/node_guid",
		  name);
	r = read_ports(node->sysfs, name, &device->ports, err);
	device->function = node_find_function(node, device->parent);
	if (device->function == NODE_NONE)
		return r;
	node->functions[device->function].here++;
	if (has_infiniband_port(&device->ports))
		node->functions[device->function].is_infiniband = true;
	return r;
}

/* `number` is "231:192", as the kernel has it; pods get the file's mode with it. */
static enum node_file look_at_file(const struct node *node, const char *path, const char *number)
{
	struct stat file;
	char found[32];

	if (fstatat(node->root, path, &file, 0) < 0)
		return NODE_FILE_MISSING;
	(void)snprintf(found, sizeof(found), "%u:%u", major(file.st_rdev), minor(file.st_rdev));
	if (!S_ISCHR(file.st_mode) || (number[0] != '\0' && strcmp(found, number) != 0))
		return NODE_FILE_FOREIGN;
	return (file.st_mode & 0666U) == 0666U ? NODE_FILE_USABLE : NODE_FILE_PRIVATE;
}

static int add_verbs(struct node *node, const char *name, struct error *err)
{
	struct node_verbs *grown = read_grow(node->verbs, node->verbs_count, sizeof(*grown));
	struct node_verbs *device;
	char path[READ_PATH_SIZE];
	char number[32];

	if (!grown)
		return error_no_memory(err);
	node->verbs = grown;
	device = &grown[node->verbs_count];
	if (strncmp(name, UVERBS, strlen(UVERBS)) != 0 ||
	    !parse_u64(name + strlen(UVERBS), &device->number))
		return 0;
	node->verbs_count++;
	read_line(node->sysfs, device->rdma, sizeof(device->rdma),
		  "class/infiniband_verbs/%s/ibdev", name);
	read_link(node->sysfs, device->parent, sizeof(device->parent),
		  "class/infiniband_verbs/%s/device", name);
	read_line(node->sysfs, number, sizeof(number), "class/infiniband_verbs/%s/dev", name);
	(void)snprintf(path, sizeof(path), "dev/infiniband/%s", name);
	device->file = look_at_file(node, path, number);
	device->function = node_find_function(node, device->parent);
	if (device->function != NODE_NONE)
		node->functions[device->function].verbs++;
	return 0;
}

static int read_class(struct node *node, const char *class,
		      int (*add)(struct node *node, const char *name, struct error *err),
		      struct error *err)
{
	struct names cleanup_names names = { 0 };
	int r = 0;

	if (read_names(node->sysfs, &names, "class/%s", class) < 0)
		return error_no_memory(err);
	for (size_t i = 0; r == 0 && i < names.count; i++)
		r = add(node, names.items[i], err);
	return r;
}

static bool has_device(const struct node_function *function)
{
	return function->here > 0 || function->verbs > 0;
}

/*
 * A PF whose driver belongs to a family that does RDMA, or of which any function has an RDMA
 * device, is one for RDMA, and its VFs are with it.
 */
static void mark_expected(struct node *node)
{
	for (size_t i = 0; i < node->function_count; i++) {
		struct node_function *function = &node->functions[i];

		const char *module = node_rdma_module(function->driver);

		function->module_runs = module && read_exists(node->sysfs, "module/%s", module);
		if (module || has_device(function))
			function->is_expected = true;
		if (function->pf != NODE_NONE && function->is_expected)
			node->functions[function->pf].is_expected = true;
	}
	for (size_t i = 0; i < node->function_count; i++) {
		struct node_function *function = &node->functions[i];

		if (function->pf != NODE_NONE && node->functions[function->pf].is_expected)
			function->is_expected = true;
	}
}

int read_rdma(struct node *node, struct error *err)
{
	char number[32];
	int r = read_class(node, "infiniband", add_device, err);

	if (r == 0)
		r = read_class(node, "infiniband_verbs", add_verbs, err);
	if (r < 0)
		return r;
	mark_expected(node);
	read_line(node->sysfs, number, sizeof(number), "class/misc/rdma_cm/dev");
	node->rdma_cm = look_at_file(node, "dev/infiniband/rdma_cm", number);
	return 0;
}
