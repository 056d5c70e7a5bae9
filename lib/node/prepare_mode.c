/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switching the network namespace mode, now and for the next boot.
 */
#include <rdma-cni/node/prepare.h>

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/publish.h>
#include <rdma-cni/kernel/nldev.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "holders.h"
#include "read.h"
#include "say.h"

#define MODPROBE_DIRECTORY "etc/modprobe.d"
#define MODPROBE_FILE "ib_core.conf"

void say(const struct prepare *prepare, const char *format, ...)
{
	char text[1024];
	va_list values;

	va_start(values, format);
	(void)vsnprintf(text, sizeof(text), format, values);
	va_end(values);
	prepare->say(text);
}

const char *mode_name(enum node_mode mode)
{
	return mode == NODE_MODE_EXCLUSIVE ? "exclusive" : "shared";
}

static int set_mode(enum node_mode mode, struct error *err)
{
	struct nl cleanup_nl nl = NL_CLOSED;
	const int r = nldev_open(&nl, err);

	return r < 0 ? r
		     : nldev_set_netns_mode(&nl,
					    mode == NODE_MODE_EXCLUSIVE ? NLDEV_NETNS_EXCLUSIVE
									: NLDEV_NETNS_SHARED,
					    err);
}

int prepare_mode(const struct prepare *prepare, enum node_mode mode, struct names *holders,
		 struct error *err)
{
	int r;

	if (prepare->node->mode == NODE_MODE_UNKNOWN)
		return error_set(err, ERROR_NO_RDMA, 0,
				 "the kernel has no RDMA, or knows no RDMA network namespaces");
	if (prepare->node->mode == mode) {
		say(prepare, "the netns mode is %s already", mode_name(mode));
		return 0;
	}
	say(prepare, "set the netns mode from %s to %s", mode_name(prepare->node->mode),
	    mode_name(mode));
	if (prepare->dry_run)
		return 0;
	r = set_mode(mode, err);
	if (r == -EBUSY && list_holders(prepare->node, holders) < 0)
		return error_no_memory(err);
	return r;
}

/* Where the file would not be heard. */
static int find_objection(const struct node *node, enum node_mode mode, struct error *err)
{
	const struct node_boot *boot = &node->boot;
	const char value = mode == NODE_MODE_EXCLUSIVE ? '0' : '1';

	if (boot->is_built_in)
		return error_set(err, ERROR_CONFLICT, 0,
				 "ib_core is built in and reads no file: put ib_core.netns_mode=%c "
				 "on the kernel command line",
				 value);
	if (boot->mode != NODE_MODE_UNKNOWN &&
	    strcmp(boot->source, "/" MODPROBE_DIRECTORY "/" MODPROBE_FILE) != 0)
		return error_set(err, ERROR_CONFLICT, 0,
				 "%s says netns_mode=%s already: change it there to %c",
				 boot->source, boot->value, value);
	return 0;
}

static int write_file(const struct node *node, enum node_mode mode, struct error *err)
{
	char line[64];
	const int length = snprintf(line, sizeof(line), "options ib_core netns_mode=%c\n",
				    mode == NODE_MODE_EXCLUSIVE ? '0' : '1');
	int r = mkdirat(node->root, MODPROBE_DIRECTORY, 0755) < 0 && errno != EEXIST ? -errno : 0;
	const int cleanup_close directory =
		openat(node->root, MODPROBE_DIRECTORY, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (r == 0)
		r = directory < 0
			    ? -errno
			    : publish_file(directory, MODPROBE_FILE, line, (size_t)length, 0644);
	/* It has to be there after a loss of power as well. */
	if (r == 0 && syncfs(directory) < 0)
		r = -errno;
	if (r < 0)
		return error_set(err, ERROR_IO, -r, "cannot write '/%s/%s'", MODPROBE_DIRECTORY,
				 MODPROBE_FILE);
	return 0;
}

int prepare_boot(const struct prepare *prepare, enum node_mode mode, struct error *err)
{
	const struct node_boot *boot = &prepare->node->boot;
	int r;

	if (boot->mode == mode && !(boot->from_file && boot->is_built_in)) {
		say(prepare, "the netns mode at the next boot is %s already (%s)", mode_name(mode),
		    boot->source);
		return 0;
	}
	r = find_objection(prepare->node, mode, err);
	if (r < 0)
		return r;
	say(prepare, "write 'options ib_core netns_mode=%c' to /%s/%s",
	    mode == NODE_MODE_EXCLUSIVE ? '0' : '1', MODPROBE_DIRECTORY, MODPROBE_FILE);
	say(prepare, "%s, rebuild that: update-initramfs -u, dracut -f",
	    boot->from_initramfs ? "ib_core was loaded from the initramfs, where that has to be too"
				 : "if ib_core is loaded from the initramfs (a network card's "
				   "driver in it loads it)");
	return prepare->dry_run ? 0 : write_file(prepare->node, mode, err);
}
