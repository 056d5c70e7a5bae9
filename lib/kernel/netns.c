/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network namespaces.
 */
#include <rdma-cni/kernel/netns.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/nsfs.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/log.h>
#include <rdma-cni/base/names.h>
#include <rdma-cni/base/root.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

int netns_open(const char *path, int *ret, struct error *err)
{
	/* O_NONBLOCK: whatever stands at that path, opening it must not hang. */
	int cleanup_close fd = io_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);

	if (fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, -fd,
				 "cannot open the network namespace '%s'", path);
	if (ioctl(fd, NS_GET_NSTYPE) != CLONE_NEWNET)
		return error_set(err, ERROR_ENVIRONMENT, 0, "'%s' is no network namespace", path);
	*ret = take_fd(&fd);
	return 0;
}

/* The kernel's own file: nothing else can stand there. */
#define OWN_NETNS "/proc/self/ns/net"

int netns_home(struct error *err)
{
	static int home = -1;

	if (home < 0)
		home = io_open(AT_FDCWD, OWN_NETNS, O_RDONLY, 0);
	if (home < 0)
		return error_set(err, ERROR_INTERNAL, -home,
				 "cannot open the network namespace '" OWN_NETNS "'");
	return home;
}

int netns_enter(int netns, struct netns_visit *ret, struct error *err)
{
	const int home = netns_home(err);

	if (home < 0)
		return home;
	if (setns(netns, CLONE_NEWNET) < 0)
		return error_set(err, ERROR_INTERNAL, errno,
				 "cannot enter the pod's network namespace");
	ret->home = home;
	return 0;
}

void netns_return(struct netns_visit *visit)
{
	const int saved = errno;

	if (visit->home < 0)
		return;
	/* Only memory can be short here, and only for a moment. */
	for (int i = 0; setns(visit->home, CLONE_NEWNET) < 0; i++) {
		if (i == 3) {
			log_error("cannot return from the pod's network namespace: %s",
				  strerror(errno));
			abort();
		}
	}
	visit->home = -1;
	errno = saved;
}

/* 0 where the kernel has no cookies. */
static uint64_t cookie_of(int socket)
{
	uint64_t cookie;
	socklen_t length = sizeof(cookie);

	return getsockopt(socket, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &length) < 0 ? 0 : cookie;
}

bool netns_cookie_agrees(const struct netns_id *id, int socket)
{
	uint64_t cookie;

	if (id->cookie == 0)
		return true;
	cookie = cookie_of(socket);
	return cookie == 0 || cookie == id->cookie;
}

static int read_cookie(int netns, uint64_t *ret, struct error *err)
{
	struct netns_visit cleanup_netns visit = NETNS_AT_HOME;
	const int r = netns_enter(netns, &visit, err);

	if (r < 0)
		return r;
	const int cleanup_close any = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (any < 0 && error_is_shortage(-errno))
		return error_set(err, ERROR_INTERNAL, errno, "cannot identify a network namespace");
	*ret = any < 0 ? 0 : cookie_of(any);
	return 0;
}

int netns_identify(int netns, bool cookie, struct netns_id *ret, struct error *err)
{
	struct netns_id id = { 0 };
	struct stat status;

	if (fstat(netns, &status) < 0)
		return error_set(err, ERROR_INTERNAL, errno, "cannot identify a network namespace");
	id.device = status.st_dev;
	id.inode = status.st_ino;
	if (cookie) {
		const int r = read_cookie(netns, &id.cookie, err);

		if (r < 0)
			return r;
	}
	*ret = id;
	return 0;
}

bool netns_id_equal(const struct netns_id *a, const struct netns_id *b)
{
	return a->device == b->device && a->inode == b->inode &&
	       (a->cookie == 0 || b->cookie == 0 || a->cookie == b->cookie);
}

struct search {
	netns_match match;
	void *data;
	/* Inodes of namespaces that were looked at, ours first: processes share them. */
	struct names seen;
};

/* 1, or 0 for one that was looked at. */
static int is_new(struct search *search, const struct stat *status)
{
	char inode[24];

	(void)snprintf(inode, sizeof(inode), "%ju", (uintmax_t)status->st_ino);
	if (names_contain(&search->seen, inode))
		return 0;
	return names_add(&search->seen, inode) < 0 ? -ENOMEM : 1;
}

/* What can't be opened or identified is gone by now, unless it was we who lacked something. */
static int unless_shortage(int r)
{
	return error_is_shortage(r) ? r : 0;
}

/* A descriptor when it matches, -ENOENT when not. */
static int look_at(struct search *search, const char *path)
{
	struct error ignored;
	struct stat status;
	int cleanup_close fd = -1;
	int r = stat(path, &status) < 0 ? unless_shortage(-errno) : is_new(search, &status);

	if (r > 0)
		r = unless_shortage(netns_open(path, &fd, &ignored));
	if (r == 0 && fd >= 0)
		r = search->match(fd, search->data);
	if (r > 0)
		return take_fd(&fd);
	return r < 0 ? r : -ENOENT;
}

/* Look at <directory>/<any name><suffix>. */
static int search_in(struct search *search, const char *directory, const char *suffix)
{
	const int cleanup_close root = root_open(directory);
	struct names cleanup_names names = { 0 };
	int found = root < 0 ? root : root_list(root, ".", &names);

	if (found < 0)
		return error_is_shortage(found) ? found : -ENOENT;
	found = -ENOENT;
	for (size_t i = 0; found == -ENOENT && i < names.count; i++) {
		char path[512];

		(void)snprintf(path, sizeof(path), "%s/%s%s", directory, names.items[i], suffix);
		found = look_at(search, path);
	}
	return found;
}

int netns_search(netns_match match, void *data)
{
	struct search search = { .match = match, .data = data };
	struct stat own;
	int fd = -ENOENT;

	if (stat("/proc/self/ns/net", &own) == 0 && is_new(&search, &own) > 0)
		fd = search_in(&search, "/run/netns", "");
	if (fd == -ENOENT)
		fd = search_in(&search, "/proc", "/ns/net");
	names_done(&search.seen);
	return fd;
}

static int is_wanted(int netns, void *data)
{
	const struct netns_id *wanted = data;
	struct netns_id id = { 0 };
	struct error ignored;
	int r = netns_identify(netns, false, &id, &ignored);

	/* The cookie needs a visit: only where the rest agrees. */
	if (r == 0 && wanted->cookie != 0 && netns_id_equal(wanted, &id))
		r = netns_identify(netns, true, &id, &ignored);
	if (r < 0)
		return unless_shortage(r);
	return netns_id_equal(wanted, &id) ? 1 : 0;
}

int netns_find(const struct netns_id *id, const char *path)
{
	struct netns_id wanted = *id;
	struct error ignored;
	int cleanup_close fd = -1;
	int r = path[0] == '\0' ? 0 : unless_shortage(netns_open(path, &fd, &ignored));

	if (r == 0 && fd >= 0)
		r = is_wanted(fd, &wanted);
	if (r > 0)
		return take_fd(&fd);
	return r < 0 ? r : netns_search(is_wanted, &wanted);
}

int netns_open_sysfs(int netns, int *ret, struct error *err)
{
	struct netns_visit cleanup_netns visit = NETNS_AT_HOME;
	const int r = netns_enter(netns, &visit, err);
	int mount;

	if (r < 0)
		return r;
	/* By number: musl has no wrappers, and glibc none before 2.36. */
	const int cleanup_close context = (int)syscall(SYS_fsopen, "sysfs", FSOPEN_CLOEXEC);
	if (context < 0 || syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return error_set(err, ERROR_INTERNAL, errno,
				 "cannot look at the pod's devices (fsopen sysfs)");
	mount = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC,
			     MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
				     MOUNT_ATTR_NOEXEC);
	if (mount < 0)
		return error_set(err, ERROR_INTERNAL, errno,
				 "cannot look at the pod's devices (fsmount sysfs)");
	*ret = mount;
	return 0;
}

int netns_boot_id(char ret[static NETNS_BOOT_ID_SIZE])
{
	const int r = root_read_line(AT_FDCWD, "/proc/sys/kernel/random/boot_id", ret,
				     NETNS_BOOT_ID_SIZE);

	if (r < 0)
		ret[0] = '\0';
	return r == -ENOENT ? 0 : r;
}
