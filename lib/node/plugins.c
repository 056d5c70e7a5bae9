/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is installed: CNI plugins, and the state directory of ours.
 */
#include "readers.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/root.h>
#include <rdma-cni/store/store.h>
#include <stdio.h>
#include <string.h>

#include "read.h"

/* Go executables are some 10 MB. */
#define PLUGIN_BYTES (64U << 20)

/* Where Kubernetes looks, and where distributions put plugins. */
static const char *const directories[] = { "opt/cni/bin", "usr/libexec/cni", "usr/lib/cni" };

/* "rdma 0.1.0: CNI plugin that ...": the text `about` in cmd/rdma/main.c. */
static const char about_start[] = "rdma ";
static const char about_end[] = ": CNI plugin that moves the RDMA device";

/* Go notes the modules that an executable is made of; the project was Mellanox's once. */
static const char *const go_modules[] = {
	"github.com/k8snetworkplumbingwg/rdma-cni",
	"github.com/Mellanox/rdma-cni",
};

static bool read_version(const struct text *program, char *ret, size_t size)
{
	const char *end = memmem(program->data, program->length, about_end, strlen(about_end));
	const char *start = end;

	while (start && start > program->data && start[-1] != '\0')
		start--;
	if (!start || strncmp(start, about_start, strlen(about_start)) != 0)
		return false;
	start += strlen(about_start);
	(void)snprintf(ret, size, "%.*s", (int)(end - start), start);
	return true;
}

static bool is_go(const struct text *program)
{
	for (size_t i = 0; i < array_size(go_modules); i++) {
		if (memmem(program->data, program->length, go_modules[i], strlen(go_modules[i])))
			return true;
	}
	return false;
}

/* Nothing is started to find out: the tree may be another machine's. */
static int identify_plugin(struct node *node, struct error *err)
{
	struct text cleanup_text program = { 0 };
	char path[READ_PATH_SIZE];
	int r;

	(void)snprintf(path, sizeof(path), "%s/rdma", node->plugin_directory);
	const int cleanup_close fd = openat(node->root, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	r = fd < 0 ? -errno : io_read_all(fd, PLUGIN_BYTES, &program);
	if (r == -ENOMEM)
		return error_no_memory(err);
	if (r == -ENOENT)
		return 0;
	node->plugin = r == -EACCES ? NODE_PLUGIN_HIDDEN : NODE_PLUGIN_UNKNOWN;
	if (r != -EACCES && faccessat(node->root, path, X_OK, 0) < 0)
		node->plugin = NODE_PLUGIN_NOT_EXECUTABLE;
	else if (r == 0 && program.data &&
		 read_version(&program, node->plugin_version, sizeof(node->plugin_version)))
		node->plugin = NODE_PLUGIN_OURS;
	else if (r == 0 && program.data && is_go(&program))
		node->plugin = NODE_PLUGIN_GO;
	return 0;
}

/* The directory with the plugin; without it, the first that has any. */
int read_plugins(struct node *node, struct error *err)
{
	const char *hidden = NULL;

	for (size_t i = 0; i < array_size(directories); i++) {
		struct names cleanup_names names = { 0 };

		if (read_names(node->root, &names, "%s", directories[i]) < 0)
			return error_no_memory(err);
		if (names.count == 0 && faccessat(node->root, directories[i], R_OK, 0) < 0 &&
		    errno == EACCES)
			hidden = directories[i];
		if (names.count == 0 || (node->plugins.count > 0 && !names_contain(&names, "rdma")))
			continue;
		names_done(&node->plugins);
		node->plugins = names;
		names = (struct names){ 0 };
		(void)snprintf(node->plugin_directory, sizeof(node->plugin_directory), "%s",
			       directories[i]);
		if (names_contain(&node->plugins, "rdma"))
			break;
	}
	if (hidden && !names_contain(&node->plugins, "rdma")) {
		(void)snprintf(node->plugin_directory, sizeof(node->plugin_directory), "%s",
			       hidden);
		node->plugin = NODE_PLUGIN_HIDDEN;
		return 0;
	}
	return identify_plugin(node, err);
}

/* It may have been made after the namespaces were read, or have its name in mounts of its own. */
static bool is_at_its_path(const struct entry *entry, const struct netns_id *recorded)
{
	struct netns_id found = { 0 };
	struct error ignored;
	int cleanup_close fd = -1;

	return entry->netns_path && netns_open(entry->netns_path, &fd, &ignored) == 0 &&
	       netns_identify(fd, true, &found, &ignored) == 0 && netns_id_equal(recorded, &found);
}

/* Is the namespace that ADD saw still there? */
static void judge(const struct node *node, const char *boot_id, struct node_attachment *attachment)
{
	const struct entry *entry = &attachment->entry;
	struct netns_id recorded = {
		.device = entry->netns_device,
		.inode = entry->netns_inode,
		.cookie = entry->netns_cookie,
	};

	attachment->netns = NODE_NONE;
	if (entry->boot_id[0] != '\0' && boot_id[0] != '\0' &&
	    strcmp(entry->boot_id, boot_id) != 0) {
		attachment->life = NODE_LIFE_OTHER_BOOT;
		return;
	}
	if (!node->is_live || recorded.inode == 0)
		return;
	attachment->netns = find_netns(node, recorded.device, recorded.inode);
	if (attachment->netns != NODE_NONE &&
	    !netns_id_equal(&recorded, &node->netns[attachment->netns].id))
		attachment->netns = NODE_NONE;
	if (attachment->netns != NODE_NONE || is_at_its_path(entry, &recorded))
		attachment->life = NODE_LIFE_ALIVE;
	else if (node->processes_are_known)
		attachment->life = NODE_LIFE_NETNS_GONE;
}

static int add_attachment(struct node *node, const struct store *store, const char *file,
			  const char *boot_id, struct error *err)
{
	struct node_attachment *grown =
		read_grow(node->attachments, node->attachment_count, sizeof(*grown));
	struct node_attachment *attachment;
	struct error ignored;
	int r;

	if (!grown)
		return error_no_memory(err);
	node->attachments = grown;
	attachment = &grown[node->attachment_count];
	attachment->file = strdup(file);
	if (!attachment->file)
		return error_no_memory(err);
	node->attachment_count++;
	r = store_load_file(store, file, &attachment->entry, &ignored);
	if (r == -ENOMEM)
		return error_no_memory(err);
	if (r < 0)
		attachment->life = NODE_LIFE_UNREADABLE;
	else
		judge(node, boot_id, attachment);
	return 0;
}

int read_attachments(struct node *node, struct error *err)
{
	struct store cleanup_store store = STORE_NONE;
	struct names cleanup_names files = { 0 };
	char path[READ_PATH_SIZE];
	char boot_id[NETNS_BOOT_ID_SIZE];
	int r;

	/* The directory is root's alone. */
	if (!node->is_privileged && node->is_live)
		return 0;
	node->state_is_known = true;
	(void)snprintf(path, sizeof(path), "%s%s", node->is_live ? "" : node->path,
		       NODE_STATE_DIRECTORY);
	read_line(node->root, boot_id, sizeof(boot_id), "proc/sys/kernel/random/boot_id");
	r = store_open(path, &store, &node->state_error);
	if (r == 0)
		r = store_check_writable(path, &node->state_error);
	if (r == 0)
		r = store_list(&store, &files, &node->state_error);
	if (r < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < files.count; i++)
		r = add_attachment(node, &store, files.items[i], boot_id, err);
	return r;
}
