/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One move of one RDMA device, alone on the node.
 */
#include "move.h"

#include <errno.h>
#include <rdma-cni/base/deadline.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/lock.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/kernel/nldev.h>
#include <string.h>

#include "report.h"
#include "whereabouts.h"

#define UVERBS "uverbs"

/* How long sysfs may be ahead of netlink. */
#define FIND_WAIT_MS 1000

/* "uverbs3, umad3, issm3", as an entry keeps them. */
typedef char char_devices[sizeof(((struct entry_device *)NULL)->char_devices)];

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

/* Are all of these there still? A question each, where a list of them takes eight. */
static bool are_there(const struct attach_node *node, const struct function *function,
		      const char *devices)
{
	while (*devices != '\0') {
		const size_t length = strcspn(devices, ",");
		char name[LIMIT_RDMA_NAME_SIZE] = "";

		if (length >= sizeof(name))
			return false;
		memcpy(name, devices, length);
		if (!function_has_char_device(node->sysfs, function, name))
			return false;
		devices += length;
		devices += strspn(devices, ", ");
	}
	return true;
}

/*
 * Those after the move; "" when they are as before, or when either is not known. Not under the
 * lock: they are the device's until it moves again.
 */
static void compare_char_devices(const struct attach_node *node, const struct function *function,
				 const char *device, const char *before, char_devices ret)
{
	ret[0] = '\0';
	if (before[0] == '\0' || are_there(node, function, before))
		return;
	read_char_devices(node, function, device, ret, sizeof(char_devices));
	if (strcmp(before, ret) == 0)
		ret[0] = '\0';
	if (ret[0] == '\0')
		return;
	report(node, LOG_LEVEL_WARNING,
	       "the character devices of RDMA device '%s' changed from %s to %s: what the device "
	       "plugin told kubelet is not true any more",
	       device, before, ret);
}

/*
 * The kernel numbers devices in the order it registers them, and each one's uverbs too: as long as
 * none was removed since boot the numbers agree, and a dump of all devices can be spared.
 */
static bool guess_index(struct nl *nl, const struct entry_device *device, struct nldev_device *ret)
{
	const char *digits = device->char_devices + strlen(UVERBS);
	char number[11] = "";
	struct error ignored;
	uint64_t guess;

	if (strncmp(device->char_devices, UVERBS, strlen(UVERBS)) != 0 ||
	    strcspn(digits, ",") >= sizeof(number))
		return false;
	memcpy(number, digits, strcspn(digits, ","));
	return parse_u64(number, &guess) && guess <= UINT32_MAX &&
	       nldev_get(nl, (uint32_t)guess, ret, &ignored) == 0 &&
	       strcmp(ret->name, device->host_name) == 0;
}

int note_device(const struct attach_node *node, struct nl *nl, const struct function *function,
		struct entry_device *device, struct error *err)
{
	struct nldev_device found;
	int r = 0;

	read_char_devices(node, function, device->host_name, device->char_devices,
			  sizeof(device->char_devices));
	if (!guess_index(nl, device, &found))
		r = find_device(nl, device->host_name, &found, err);
	if (r < 0)
		return r;
	device->index = found.index;
	device->has_index = true;
	return 0;
}

/* The kernel's EINVAL for a device that is not there any more says nothing to anybody. */
static int move_noted(struct nl *nl, const struct nldev_device *device, int netns,
		      struct error *err)
{
	struct nldev_device found;
	struct error ignored;
	const int r = nldev_move(nl, device, netns, err);

	if ((r != -EINVAL && r != -ENODEV) ||
	    nldev_get(nl, device->index, &found, &ignored) != -ENODEV)
		return r;
	return error_set(err, ERROR_NO_DEVICE, ENODEV,
			 "RDMA device '%s' left the host just before its move", device->name);
}

int move_to_pod(const struct attach_node *node, struct nl *nl, const struct function *function,
		struct entry_device *device, int netns, struct error *err)
{
	struct nldev_device noted = { .index = device->index };
	struct lock cleanup_lock lock = LOCK_NONE;
	int r = lock_acquire(node->store->dir, STORE_LOCK_NAME, LIMIT_LOCK_WAIT_MS, &lock, err);

	memcpy(noted.name, device->host_name, sizeof(noted.name));
	if (r == 0)
		r = move_noted(nl, &noted, netns, err);
	lock_release(&lock);
	if (r == 0)
		compare_char_devices(node, function, device->host_name, device->char_devices,
				     device->moved_char_devices);
	return r;
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

static int move_home_locked(const struct attach_node *node, struct nl *nl,
			    const struct nldev_device *device, int home, struct error *err)
{
	struct lock cleanup_lock lock = LOCK_NONE;
	const int r = lock_on_the_way_home(node, &lock, err);

	return r < 0 ? r : nldev_move(nl, device, home, err);
}

int move_home(const struct attach_node *node, const struct function *function, const char *name,
	      int netns, struct error *err)
{
	struct nldev_device found;
	struct netns_visit cleanup_netns visit = NETNS_AT_HOME;
	struct nl cleanup_nl nl = NL_CLOSED;
	char_devices before;
	char_devices after;
	int r = netns_enter(netns, &visit, err);

	if (r == 0)
		r = nldev_open(&nl, err);
	if (r == 0)
		r = find_device(&nl, name, &found, err);
	if (r < 0)
		return r;
	read_char_devices(node, function, name, before, sizeof(before));
	r = move_home_locked(node, &nl, &found, visit.home, err);
	if (r == 0)
		compare_char_devices(node, function, name, before, after);
	return r;
}

/* In the pod's namespace. */
static int move_one_noted_home(const struct attach_node *node, struct nl *nl,
			       const struct function *function, const struct entry_device *device,
			       int home, struct error *err)
{
	const bool has_moved = device->moved_char_devices[0] != '\0';
	struct nldev_device found;
	char_devices after;
	int r = nldev_get(nl, device->index, &found, err);

	if (r == 0)
		r = move_home_locked(node, nl, &found, home, err);
	if (r < 0)
		return r;
	compare_char_devices(node, function, found.name,
			     has_moved ? device->moved_char_devices : device->char_devices, after);
	report(node, LOG_LEVEL_INFO, "brought RDMA device '%s' of %s '%s' home", found.name,
	       function_kind(function), function->name);
	return strcmp(found.name, device->host_name) == 0 ? 0 : 1;
}

int move_noted_home(const struct attach_node *node, const struct function *function,
		    const struct entry *entry, int netns, bool *ret_renamed, struct error *err)
{
	const struct netns_id recorded = recorded_netns(entry);
	struct netns_visit cleanup_netns visit = NETNS_AT_HOME;
	struct nl cleanup_nl nl = NL_CLOSED;
	bool renamed = false;
	int r = netns_enter(netns, &visit, err);

	if (r == 0)
		r = nldev_open(&nl, err);
	if (r == 0 && !netns_cookie_agrees(&recorded, nl_descriptor(&nl)))
		r = error_set(err, ERROR_NO_DEVICE, ENODEV, "this is another network namespace");
	for (size_t i = 0; r >= 0 && i < entry->device_count; i++) {
		r = move_one_noted_home(node, &nl, function, &entry->devices[i], visit.home, err);
		renamed = renamed || r > 0;
	}
	if (r < 0)
		return r;
	*ret_renamed = renamed;
	return 0;
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
