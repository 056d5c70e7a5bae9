/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of RDMA devices and their character devices.
 */
#include <ctype.h>
#include <rdma-cni/base/cleanup.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"

#define ZERO_GUID "0000:0000:0000:0000"

void look_at_node_guids(const struct node *node, struct findings *ret)
{
	size_t good = 0;
	bool any = false;

	for (size_t i = 0; i < node->rdma_count; i++) {
		const struct node_rdma *device = &node->rdma[i];

		if (!is_wanted(node, device->function) || device->guid[0] == '\0')
			continue;
		if (strcmp(device->guid, ZERO_GUID) != 0) {
			good++;
			continue;
		}
		if (!any)
			found(ret, CHECK_FAIL, "zero, so that connections can't be made with");
		any = true;
		about(ret, "%s", device->name);
	}
	if (any)
		mend(ret, "give the VF a MAC address (vf-mac) or GUIDs (vf-guid), then unbind and "
			  "bind its driver");
	else if (good == 0)
		found(ret, CHECK_SKIP, "there is no RDMA device in this namespace");
	else
		found(ret, CHECK_OK, "set for %zu RDMA devices", good);
}

/* What udev makes of the place: a kind, then (p)ci, (o)nboard, (s)lot or (x) GUID, and a number. */
static bool is_predictable(const char *name)
{
	static const char *const kinds[] = { "roce", "ib", "iw", "opa", "usnic" };

	for (size_t i = 0; i < array_size(kinds); i++) {
		const char *rest = name + strlen(kinds[i]);

		if (strncmp(name, kinds[i], strlen(kinds[i])) == 0 && rest[0] != '\0' &&
		    strchr("posx", rest[0]) && isxdigit((unsigned char)rest[1]))
			return true;
	}
	return false;
}

static int compare_verbs(const void *a, const void *b)
{
	const struct node_verbs *left = a;
	const struct node_verbs *right = b;

	return strcmp(left->rdma, right->rdma);
}

/* One finding about names that two devices have. */
static bool found_twice(const struct node_verbs *sorted, size_t count, struct findings *ret)
{
	const char *twice = NULL;

	for (size_t i = 1; i < count; i++) {
		if (strcmp(sorted[i].rdma, sorted[i - 1].rdma) != 0)
			continue;
		if (!twice)
			found(ret, CHECK_FAIL, "not unique on this node");
		twice = sorted[i].rdma;
		about(ret, "%s (%s and %s)", sorted[i].rdma, sorted[i - 1].parent,
		      sorted[i].parent);
	}
	if (twice)
		mend(ret, "rdma dev set %s name ANOTHER", twice);
	return twice;
}

void look_at_names(const struct node *node, struct findings *ret)
{
	struct node_verbs *cleanup_free sorted = calloc(node->verbs_count + 1, sizeof(*sorted));
	size_t count = 0;
	size_t numbered = 0;

	if (!sorted) {
		ret->failed = true;
		return;
	}
	for (size_t i = 0; i < node->verbs_count; i++) {
		if (!is_wanted(node, node->verbs[i].function) || node->verbs[i].rdma[0] == '\0')
			continue;
		numbered += is_predictable(node->verbs[i].rdma) ? 0 : 1;
		sorted[count++] = node->verbs[i];
	}
	qsort(sorted, count, sizeof(*sorted), compare_verbs);
	if (count == 0)
		found(ret, CHECK_SKIP, "there are no RDMA devices");
	else if (!found_twice(sorted, count, ret) && numbered == 0)
		found(ret, CHECK_OK, "unique, and predictable as %s", sorted[0].rdma);
	else if (!ret->failed && ret->count == 0)
		found(ret, CHECK_OK,
		      "unique; %zu of %zu are numbered (%s), and may differ after a boot", numbered,
		      count, sorted[0].rdma);
}

/* An Ethernet VF's port is down until its network device is up, which it is in the pod. */
static bool is_judged(const struct node *node, const struct node_rdma *device,
		      const struct node_port *port)
{
	return is_wanted(node, device->function) &&
	       (device->function == NODE_NONE || !is_for_pods(&node->functions[device->function]) ||
		strcmp(port->link_layer, "Ethernet") != 0);
}

typedef bool (*port_question)(const struct node_port *port);

static bool is_active(const struct node_port *port)
{
	return strcmp(port->state, "ACTIVE") == 0;
}

static bool has_no_layer(const struct node_port *port)
{
	return strcmp(port->link_layer, "Ethernet") != 0 &&
	       strcmp(port->link_layer, "InfiniBand") != 0;
}

static bool waits_for_manager(const struct node_port *port)
{
	return !has_no_layer(port) &&
	       (strcmp(port->state, "INIT") == 0 || strcmp(port->state, "ARMED") == 0);
}

static bool is_down(const struct node_port *port)
{
	return !has_no_layer(port) && !is_active(port) && !waits_for_manager(port);
}

static bool is_good(const struct node_port *port)
{
	return !has_no_layer(port) && is_active(port);
}

/* How many there are; one finding about them if a text is given. */
static size_t found_ports(const struct node *node, port_question is_such, struct findings *ret,
			  const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < node->rdma_count; i++) {
		const struct node_rdma *device = &node->rdma[i];

		for (size_t j = 0; j < device->ports.count; j++) {
			const struct node_port *port = &device->ports.items[j];

			if (!is_judged(node, device, port) || !is_such(port))
				continue;
			if (text && count == 0)
				found(ret, CHECK_WARN, "%s", text);
			if (text)
				about(ret, "%s/%s (%s, %s)", device->name, port->number,
				      port->state, port->link_layer);
			count++;
		}
	}
	return count;
}

void look_at_ports(const struct node *node, struct findings *ret)
{
	const size_t good = found_ports(node, is_good, ret, NULL);

	if (found_ports(node, has_no_layer, ret, "neither Ethernet nor InfiniBand") > 0)
		mend(ret, "set the port's link type (mlxconfig, LINK_TYPE_P1)");
	if (found_ports(node, waits_for_manager, ret, "wait for a subnet manager") > 0)
		mend(ret, "is there one in the fabric (sminfo, opensm)?");
	if (found_ports(node, is_down, ret, "not active") > 0)
		mend(ret, "ip link set the network device up; look at cable and switch");
	if (ret->failed || ret->count > 0)
		return;
	if (good == 0)
		found(ret, CHECK_SKIP,
		      "there are none but those of Ethernet VFs, which come up in pods");
	else
		found(ret, CHECK_OK, "%zu active", good);
}

void look_at_rdma_cm(const struct node *node, struct findings *ret)
{
	if (node->rdma_cm == NODE_FILE_USABLE) {
		found(ret, CHECK_OK, "there, for everyone to read and write");
	} else if (node->rdma_cm == NODE_FILE_MISSING) {
		found(ret, CHECK_WARN, "missing");
		mend(ret, "modprobe rdma_ucm");
	} else if (node->rdma_cm == NODE_FILE_FOREIGN) {
		found(ret, CHECK_WARN, "not the kernel's device");
		mend(ret, "rm /dev/infiniband/rdma_cm; udevadm trigger --subsystem-match=misc");
	} else {
		found(ret, CHECK_WARN, "only for root, also in pods");
		mend(ret, "chmod 0666 /dev/infiniband/rdma_cm, or install rdma-core's udev rules");
	}
}

static bool found_files(const struct node *node, struct findings *ret, enum node_file file,
			enum check_state state, const char *text)
{
	bool any = false;

	for (size_t i = 0; i < node->verbs_count; i++) {
		const struct node_verbs *device = &node->verbs[i];

		if (!is_wanted(node, device->function) || device->file != file)
			continue;
		if (!any)
			found(ret, state, "%s", text);
		any = true;
		about(ret, "uverbs%llu (%s)", (unsigned long long)device->number, device->rdma);
	}
	return any;
}

void look_at_uverbs(const struct node *node, struct findings *ret)
{
	size_t good = 0;

	if (found_files(node, ret, NODE_FILE_MISSING, CHECK_FAIL, "no file in /dev for"))
		mend(ret, "udevadm trigger --subsystem-match=infiniband_verbs");
	if (found_files(node, ret, NODE_FILE_FOREIGN, CHECK_FAIL,
			"the file in /dev is not the kernel's device, for"))
		mend(ret, "rm it; udevadm trigger --subsystem-match=infiniband_verbs");
	if (found_files(node, ret, NODE_FILE_PRIVATE, CHECK_WARN, "only for root, also in pods"))
		mend(ret, "chmod 0666 it, or install rdma-core's udev rules");
	if (ret->failed || ret->count > 0)
		return;
	for (size_t i = 0; i < node->verbs_count; i++)
		good += is_wanted(node, node->verbs[i].function) ? 1 : 0;
	if (good == 0)
		found(ret, CHECK_SKIP, "there are no uverbs devices");
	else
		found(ret, CHECK_OK, "all %zu, for everyone to read and write", good);
}

/*
 * N devices without a hole have the numbers below N. A device that is moved is made anew with the
 * lowest free number (ib_uverbs_add_one() in the kernel's uverbs_main.c): one below a hole keeps
 * its own, one above gets the hole's.
 */
void look_at_holes(const struct node *node, struct findings *ret)
{
	bool *cleanup_free taken = calloc(node->verbs_count + 1, sizeof(*taken));
	bool any = false;

	if (!taken) {
		ret->failed = true;
		return;
	}
	for (size_t i = 0; i < node->verbs_count; i++) {
		if (node->verbs[i].number < node->verbs_count)
			taken[node->verbs[i].number] = true;
	}
	for (size_t i = 0; i < node->verbs_count; i++) {
		if (taken[i])
			continue;
		if (!any)
			found(ret, CHECK_WARN,
			      "free, for a device that moves next to be renumbered");
		any = true;
		about(ret, "uverbs%zu", i);
	}
	if (any)
		mend(ret, "restart the SR-IOV device plugin after the next attachment, or reboot");
	else if (node->verbs_count == 0)
		found(ret, CHECK_SKIP, "there are no uverbs devices");
	else
		found(ret, CHECK_OK, "0 to %zu, without a hole", node->verbs_count - 1);
}
