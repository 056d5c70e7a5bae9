/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One move of one RDMA device, alone on the node. The lookup belongs to it: what the kernel lists
 * is not steady while other devices move.
 */
#include "move.h"

#include <errno.h>
#include <rdma-cni/base/deadline.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/lock.h>
#include <rdma-cni/kernel/netns.h>
#include <rdma-cni/kernel/nldev.h>
#include <string.h>

#include "report.h"

/* How long sysfs may be ahead of netlink. */
#define FIND_WAIT_MS 1000

struct move {
	const struct function *function;
	const struct nldev_device *device;
	int target;
	char before[128];
	char after[128];
};

/*
 * While the kernel returns the device of a dead namespace, sysfs shows it on the host a moment
 * before netlink lists it (rdma_dev_change_netns() in device.c renames it, then enables it):
 * whoever found it in sysfs looks again.
 */
static int find_device(struct nl *nl, const char *name, struct nldev_device *ret, struct error *err)
{
	struct deadline deadline = deadline_in_ms(FIND_WAIT_MS);
	struct error problem = { 0 };
	int r = nldev_find(nl, name, ret, &problem);

	while (r == -ENODEV && deadline_wait(&deadline) > 0)
		r = nldev_find(nl, name, ret, &problem);
	if (r < 0)
		*err = problem;
	return r;
}

/* Only told, never decided upon: a list that can't be read is empty. */
void read_char_devices(const struct attach_node *node, const struct function *function,
		       const char *name, char *ret, size_t size)
{
	struct names cleanup_names devices = { 0 };

	ret[0] = '\0';
	if (function_char_devices(node->sysfs, function, name, &devices) == 0 && devices.count > 0)
		(void)names_join(&devices, ret, size);
}

static int move_locked(const struct attach_node *node, struct move *move, struct nl *nl,
		       struct error *err)
{
	int r;

	read_char_devices(node, move->function, move->device->name, move->before,
			  sizeof(move->before));
	r = nldev_move(nl, move->device, move->target, err);
	if (r < 0)
		return r;
	read_char_devices(node, move->function, move->device->name, move->after,
			  sizeof(move->after));
	if (strcmp(move->before, move->after) != 0)
		report(node, LOG_LEVEL_WARNING,
		       "the character devices of RDMA device '%s' changed from %s to %s: what the "
		       "device plugin told kubelet is not true any more",
		       move->device->name, move->before, move->after);
	return 0;
}

int move_to_pod(const struct attach_node *node, const struct function *function,
		struct entry_device *device, int netns, struct error *err)
{
	struct nldev_device found;
	struct move move = { .function = function, .device = &found, .target = netns };
	struct lock cleanup_lock lock = LOCK_NONE;
	struct nl cleanup_nl nl = NL_CLOSED;
	int r = nldev_open(&nl, err);

	if (r == 0)
		r = lock_acquire(node->store->dir, STORE_LOCK_NAME, LIMIT_LOCK_WAIT_MS, &lock, err);
	if (r == 0)
		r = find_device(&nl, device->host_name, &found, err);
	if (r == 0)
		r = move_locked(node, &move, &nl, err);
	if (r < 0)
		return r;
	memcpy(device->char_devices, move.before, sizeof(move.before));
	if (strcmp(move.before, move.after) != 0)
		memcpy(device->moved_char_devices, move.after, sizeof(move.after));
	return 0;
}

/*
 * On the way home a lock that can't be opened (a state directory that is gone or read-only) is
 * no reason to leave the device in the pod; one that is held is.
 */
static int lock_on_the_way_home(const struct attach_node *node, struct lock *lock,
				struct error *err)
{
	const int r = node->store->dir < 0 ? 0
					   : lock_acquire(node->store->dir, STORE_LOCK_NAME,
							  LIMIT_LOCK_WAIT_MS, lock, err);

	if (r == 0 || err->kind == ERROR_BUSY || err->kind == ERROR_STOPPED)
		return r;
	report(node, LOG_LEVEL_WARNING, "moving without the node's lock: %s", err->msg);
	return 0;
}

int move_home(const struct attach_node *node, const struct function *function, const char *name,
	      int netns, struct error *err)
{
	struct nldev_device found;
	struct move move = { .function = function, .device = &found };
	struct lock cleanup_lock lock = LOCK_NONE;
	struct netns_visit cleanup_netns visit = NETNS_AT_HOME;
	struct nl cleanup_nl nl = NL_CLOSED;
	int r = netns_enter(netns, &visit, err);

	move.target = visit.home;
	if (r == 0)
		r = nldev_open(&nl, err);
	if (r == 0)
		r = lock_on_the_way_home(node, &lock, err);
	if (r == 0)
		r = find_device(&nl, name, &found, err);
	if (r == 0)
		r = move_locked(node, &move, &nl, err);
	return r;
}

int rename_device(int netns, const char *from, const char *to, struct error *err)
{
	struct nldev_device found;
	struct netns_visit cleanup_netns visit = NETNS_AT_HOME;
	struct nl cleanup_nl nl = NL_CLOSED;
	int r = netns < 0 ? 0 : netns_enter(netns, &visit, err);

	if (r == 0)
		r = nldev_open(&nl, err);
	if (r == 0)
		r = find_device(&nl, from, &found, err);
	if (r == 0)
		r = nldev_rename(&nl, &found, to, err);
	return r;
}
