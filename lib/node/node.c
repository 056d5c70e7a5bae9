/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a node, part by part.
 */
#include <rdma-cni/node/node.h>

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/root.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "readers.h"

/* The order matters: each part completes what those before it found. */
static int (*const readers[])(struct node *node, struct error *err) = {
	read_kernel, read_modules,   read_functions,  read_rdma,    read_vfs,
	read_params, read_processes, read_namespaces, read_plugins, read_attachments,
};

static int open_tree(struct node *node, struct error *err)
{
	node->root = root_open(node->path);
	if (node->root < 0)
		return error_set(err, ERROR_IO, -node->root, "cannot open '%s'", node->path);
	node->sysfs = openat(node->root, "sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (node->sysfs < 0)
		return error_set(err, ERROR_IO, errno, "cannot open 'sys' in '%s'", node->path);
	return 0;
}

/* Every device that was asked for must be there, and the others are not. */
static int mark_wanted(struct node *node, const struct names *devices, struct error *err)
{
	node->wants_all = devices->count == 0;
	for (size_t i = 0; i < node->function_count; i++)
		node->functions[i].is_wanted = node->wants_all;
	for (size_t i = 0; i < devices->count; i++) {
		struct function function;
		size_t at;
		int r = function_parse(devices->items[i], &function, err);

		if (r < 0)
			return r;
		at = node_find_function(node, function.name);
		if (at == NODE_NONE && !function_exists(node->sysfs, &function))
			return error_set(err, ERROR_NO_FUNCTION, 0, "there is no %s '%s'",
					 function_kind(&function), function.name);
		if (at == NODE_NONE)
			return error_set(err, ERROR_NO_FUNCTION, 0,
					 "%s '%s' is neither a network function with virtual "
					 "functions, nor one of them, nor has it to do with RDMA",
					 function_kind(&function), function.name);
		node->functions[at].is_wanted = true;
	}
	return 0;
}

int node_read(const struct node_options *options, struct node *ret, struct error *err)
{
	struct node cleanup_node node = {
		.path = options->root,
		.version = options->version,
		.is_live = strcmp(options->root, "/") == 0,
		.root = -1,
		.sysfs = -1,
		.is_privileged = geteuid() == 0,
	};
	int r = open_tree(&node, err);

	for (size_t i = 0; r == 0 && i < array_size(readers); i++) {
		r = readers[i](&node, err);
		if (r == 0 && readers[i] == read_rdma)
			r = mark_wanted(&node, options->devices, err);
	}
	if (r < 0)
		return r;
	*ret = node;
	node = (struct node){ .root = -1, .sysfs = -1 };
	return 0;
}

void node_done(struct node *node)
{
	for (size_t i = 0; i < node->function_count; i++)
		names_done(&node->functions[i].net);
	for (size_t i = 0; i < node->attachment_count; i++) {
		free(node->attachments[i].file);
		entry_done(&node->attachments[i].entry);
	}
	free(node->functions);
	free(node->rdma);
	free(node->verbs);
	free(node->runtimes);
	free(node->netns);
	free(node->away);
	free(node->attachments);
	names_done(&node->plugins);
	cleanup_close_fd(&node->root);
	cleanup_close_fd(&node->sysfs);
	*node = (struct node){ .root = -1, .sysfs = -1 };
}

static int compare_name(const void *key, const void *element)
{
	const struct node_function *function = element;

	return strcmp(key, function->id.name);
}

size_t node_find_function(const struct node *node, const char *name)
{
	const struct node_function *found =
		node->function_count == 0 ? NULL
					  : bsearch(name, node->functions, node->function_count,
						    sizeof(*node->functions), compare_name);

	return found ? (size_t)(found - node->functions) : NODE_NONE;
}
