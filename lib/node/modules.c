/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules and their options, through libkmod, which knows the directories of modprobe.d and
 * which of them wins, and the indexes that depmod makes.
 */
#include "readers.h"

#include <errno.h>
#include <fcntl.h>
#include <libkmod.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read.h"

#define COMMAND_LINE_BYTES (64U << 10)
#define CONFIGURATION_BYTES (1U << 20)

static const char *const module_names[NODE_MODULES] = {
	[NODE_IB_CORE] = "ib_core",
	[NODE_IB_UVERBS] = "ib_uverbs",
	[NODE_RDMA_CM] = "rdma_cm",
	[NODE_RDMA_UCM] = "rdma_ucm",
};

/* Of equally named files the first one counts (modprobe.d(5)). */
static const char *const directories[] = {
	"etc/modprobe.d",     "run/modprobe.d", "usr/local/lib/modprobe.d",
	"usr/lib/modprobe.d", "lib/modprobe.d",
};

const char *node_module_name(size_t module)
{
	return module_names[module];
}

static void close_kmod(struct kmod_ctx **context)
{
	(void)kmod_unref(*context);
}

static void say_nothing(void *data, int priority, const char *file, int line, const char *function,
			const char *format, va_list values)
{
	(void)data;
	(void)priority;
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)values;
}

static const char *tree_path(const struct node *node, const char *below,
			     char ret[static READ_PATH_SIZE])
{
	(void)snprintf(ret, READ_PATH_SIZE, "%s/%s", node->is_live ? "" : node->path, below);
	return ret;
}

/* NULL when memory is short. */
static struct kmod_ctx *open_kmod(const struct node *node)
{
	char paths[array_size(directories)][READ_PATH_SIZE];
	const char *configuration[array_size(directories) + 1] = { NULL };
	char below[160];
	char modules[READ_PATH_SIZE];
	struct kmod_ctx *context;

	for (size_t i = 0; i < array_size(directories); i++)
		configuration[i] = tree_path(node, directories[i], paths[i]);
	(void)snprintf(below, sizeof(below), "lib/modules/%s", node->release);
	context = kmod_new(tree_path(node, below, modules), configuration);
	if (context)
		kmod_set_log_fn(context, say_nothing, NULL);
	return context;
}

/* What runs is seen in /sys, in whatever way it came in. */
static enum node_module_state module_state(const struct node *node, struct kmod_ctx *context,
					   const char *name)
{
	struct kmod_module *module = NULL;
	enum node_module_state state = NODE_MODULE_ABSENT;

	if (read_exists(node->sysfs, "module/%s", name))
		return NODE_MODULE_RUNS;
	if (kmod_module_new_from_name_lookup(context, name, &module) < 0 || !module)
		return NODE_MODULE_ABSENT;
	/* Without parameters a part of the kernel itself is not seen in /sys. */
	if (kmod_module_get_initstate(module) == KMOD_MODULE_BUILTIN)
		state = NODE_MODULE_RUNS;
	else if (kmod_module_get_path(module))
		state = NODE_MODULE_PRESENT;
	(void)kmod_module_unref(module);
	return state;
}

static bool is_built_in(struct kmod_ctx *context, const char *name)
{
	struct kmod_module *module = NULL;
	bool built_in;

	if (kmod_module_new_from_name_lookup(context, name, &module) < 0 || !module)
		return false;
	built_in = kmod_module_get_initstate(module) == KMOD_MODULE_BUILTIN;
	(void)kmod_module_unref(module);
	return built_in;
}

/* As the kernel reads a boolean parameter (kstrtobool() in lib/kstrtox.c). */
static enum node_mode mode_of(const char *value)
{
	if (value[0] == '\0')
		return NODE_MODE_INVALID;
	if (strchr("yYtT1", value[0]) || strncasecmp(value, "on", 2) == 0)
		return NODE_MODE_SHARED;
	if (strchr("nNfF0", value[0]) || strncasecmp(value, "of", 2) == 0)
		return NODE_MODE_EXCLUSIVE;
	return NODE_MODE_INVALID;
}

/* Go through words; the last one that says `name`, alone or with "=value", counts. */
static size_t find_option(const char *words, const char *name, struct node_boot *boot)
{
	const size_t length = strlen(name);
	size_t found = 0;

	while (*(words += strspn(words, " \t\n")) != '\0') {
		const size_t word = strcspn(words, " \t\n");

		if (word >= length && strncmp(words, name, length) == 0 &&
		    (word == length || words[length] == '=')) {
			const char *value = word == length ? "Y" : words + length + 1;
			const size_t rest = word == length ? 1 : word - length - 1;

			(void)snprintf(boot->value, sizeof(boot->value), "%.*s", (int)rest, value);
			boot->mode = mode_of(boot->value);
			found++;
		}
		words += word;
	}
	return found;
}

/* How often the command line of `root` sets the mode. */
static int find_on_command_line(int root, struct node_boot *boot, size_t *ret)
{
	struct text cleanup_text line = { 0 };
	const int r = root_read_file(root, "proc/cmdline", COMMAND_LINE_BYTES, &line);

	*ret = r == 0 && line.data ? find_option(line.data, "ib_core.netns_mode", boot) : 0;
	return r == -ENOMEM ? r : 0;
}

/* The last of the first `limit` options; how many there are among these. */
static size_t find_in_configuration(struct kmod_ctx *context, size_t limit, struct node_boot *boot)
{
	struct kmod_config_iter *option = kmod_config_get_options(context);
	size_t count = 0;

	if (!option)
		return 0;
	while (count < limit && kmod_config_iter_next(option)) {
		if (strcmp(kmod_config_iter_get_key(option), "ib_core") == 0)
			count +=
				find_option(kmod_config_iter_get_value(option), "netns_mode", boot);
	}
	kmod_config_iter_free_iter(option);
	return count;
}

/*
 * libkmod appends what the command line of the running kernel says to what it found in files:
 * the last `running` options are from there, whatever tree the files are in.
 */
static void find_in_files(struct kmod_ctx *context, size_t running, struct node_boot *boot)
{
	struct node_boot ignored = { 0 };
	const size_t count = find_in_configuration(context, SIZE_MAX, &ignored);

	boot->from_file = count > running;
	if (boot->from_file)
		(void)find_in_configuration(context, count - running, boot);
}

/* Whatever of modprobe.d may not be read could speak of the mode. */
static int find_hidden(struct node *node)
{
	for (size_t i = 0; i < array_size(directories); i++) {
		struct names cleanup_names files = { 0 };
		char path[READ_PATH_SIZE];

		if (faccessat(node->root, directories[i], R_OK | X_OK, AT_EACCESS) < 0 &&
		    errno == EACCES)
			(void)snprintf(node->boot.hidden, sizeof(node->boot.hidden), "/%s",
				       directories[i]);
		if (read_names(node->root, &files, "%s", directories[i]) < 0)
			return -ENOMEM;
		for (size_t j = 0; j < files.count; j++) {
			(void)snprintf(path, sizeof(path), "%s/%s", directories[i], files.items[j]);
			if (faccessat(node->root, path, R_OK, AT_EACCESS) < 0 && errno == EACCES)
				(void)snprintf(node->boot.hidden, sizeof(node->boot.hidden),
					       "/%.250s", path);
		}
	}
	return 0;
}

/* The file of modprobe.d that speaks of the mode: libkmod does not tell where an option is from. */
static int find_file(struct node *node, struct stat *ret)
{
	for (size_t i = 0; i < array_size(directories); i++) {
		struct names cleanup_names files = { 0 };

		if (read_names(node->root, &files, "%s", directories[i]) < 0)
			return -ENOMEM;
		for (size_t j = 0; j < files.count; j++) {
			struct text cleanup_text text = { 0 };
			char path[READ_PATH_SIZE];

			(void)snprintf(path, sizeof(path), "%s/%s", directories[i], files.items[j]);
			if (root_read_file(node->root, path, CONFIGURATION_BYTES, &text) < 0 ||
			    !text.data || !strstr(text.data, "netns_mode") ||
			    fstatat(node->root, path, ret, 0) < 0)
				continue;
			(void)snprintf(node->boot.source, sizeof(node->boot.source), "/%.250s",
				       path);
			return 1;
		}
	}
	return 0;
}

static int read_boot(struct node *node, struct kmod_ctx *context)
{
	struct node_boot ignored = { 0 };
	struct stat file;
	size_t running = 0;
	size_t on_line = 0;
	const int cleanup_close machine = root_open("/");
	int r = machine < 0 ? 0 : find_on_command_line(machine, &ignored, &running);

	node->boot.is_built_in = is_built_in(context, "ib_core");
	if (!node->is_privileged && find_hidden(node) < 0)
		return -ENOMEM;
	find_in_files(context, running, &node->boot);
	if (r == 0)
		r = find_initramfs_module(node, "ib_core", &node->boot.from_initramfs);
	if (r == 0)
		r = find_on_command_line(node->root, &node->boot, &on_line);
	if (r < 0)
		return r;
	if (on_line > 0) {
		node->boot.from_file = false;
		(void)snprintf(node->boot.source, sizeof(node->boot.source), "%s",
			       "the kernel command line");
	} else if (node->boot.from_file) {
		r = find_file(node, &file);
		if (r > 0)
			find_older_initramfs(node, &file);
	}
	return r < 0 ? r : 0;
}

int read_modules(struct node *node, struct error *err)
{
	struct kmod_ctx *cleanup(close_kmod) context = open_kmod(node);

	if (!context || kmod_load_resources(context) == -ENOMEM)
		return error_no_memory(err);
	for (size_t i = 0; i < NODE_MODULES; i++)
		node->modules[i] = module_state(node, context, module_names[i]);
	return read_boot(node, context) < 0 ? error_no_memory(err) : 0;
}
