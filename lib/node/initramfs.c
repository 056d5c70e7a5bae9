/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The initramfs, from which ib_core is loaded when a network card's driver is in it: then what
 * modprobe.d said when it was made counts.
 */
#include <fcntl.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "read.h"
#include "readers.h"

#define TABLE_BYTES (16U << 20)

/* Each is its module's name too. Containers' roots (overlay) come long after all modules. */
static const char *const file_systems[] = { "ext4", "xfs", "btrfs", "f2fs" };

/* "25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw": the file system of the last root. */
static const char *root_file_system(char *mounts)
{
	const char *found = NULL;
	char *rest;

	for (char *line = strtok_r(mounts, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *type = strstr(line, " - ");
		char point[3];

		if (!type || sscanf(line, "%*s %*s %*s %*s %2s", point) != 1 ||
		    strcmp(point, "/") != 0)
			continue;
		for (size_t i = 0; i < array_size(file_systems); i++) {
			const size_t length = strlen(file_systems[i]);

			if (strncmp(type + 3, file_systems[i], length) == 0 &&
			    type[3 + length] == ' ')
				found = file_systems[i];
		}
	}
	return found;
}

/* "ib_core 434176 8 rdma_cm,ib_uverbs, Live 0x0000000000000000"; SIZE_MAX: it is none. */
static size_t line_of(const char *modules, const char *name)
{
	const size_t length = strlen(name);
	size_t count = 0;

	for (const char *line = modules; line[0] != '\0'; count++) {
		if (strncmp(line, name, length) == 0 && line[length] == ' ')
			return count;
		line += strcspn(line, "\n");
		line += line[0] != '\0' ? 1 : 0;
	}
	return SIZE_MAX;
}

/*
 * The kernel lists the module that was loaded last first (add_unformed_module()). One that is older
 * than the root's file system can have come from nowhere else.
 */
int find_initramfs_module(const struct node *node, const char *name, bool *ret)
{
	struct text cleanup_text mounts = { 0 };
	struct text cleanup_text modules = { 0 };
	const char *file_system;
	size_t module;
	int r = root_read_file(node->root, "proc/1/mountinfo", TABLE_BYTES, &mounts);

	*ret = false;
	if (r == 0)
		r = root_read_file(node->root, "proc/modules", TABLE_BYTES, &modules);
	if (r < 0 || !mounts.data || !modules.data)
		return r == -ENOMEM ? r : 0;
	file_system = root_file_system(mounts.data);
	module = line_of(modules.data, name);
	*ret = file_system && module != SIZE_MAX && line_of(modules.data, file_system) < module;
	return 0;
}

void find_older_initramfs(struct node *node, const struct stat *file)
{
	static const char *const names[] = {
		"boot/initrd.img-%s",
		"boot/initramfs-%s.img",
		"boot/initrd-%s",
	};

	for (size_t i = 0; i < array_size(names); i++) {
		const char *placeholder = strchr(names[i], '%');
		char path[READ_PATH_SIZE];
		struct stat image;

		(void)snprintf(path, sizeof(path), "%.*s%s%s", (int)(placeholder - names[i]),
			       names[i], node->release, placeholder + 2);
		if (fstatat(node->root, path, &image, 0) == 0 && image.st_mtime < file->st_mtime)
			(void)snprintf(node->boot.initramfs, sizeof(node->boot.initramfs),
				       "/%.250s", path);
	}
}
