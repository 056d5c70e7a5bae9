/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MAC addresses for VFs that have none.
 */
#include <rdma-cni/node/prepare.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/text.h>
#include <stdio.h>
#include <string.h>

#include "netlink.h"
#include "read.h"
#include "say.h"

#define MAC_LENGTH 6

/* Locally administered (bit 1), and no group's (bit 0); the rest is a hash. */
static void make_mac(const char *machine, const struct function *function, uint8_t ret[MAC_LENGTH])
{
	const uint64_t hash = text_hash(text_hash(TEXT_HASH_START, machine), function->name);

	for (unsigned int i = 0; i < MAC_LENGTH; i++)
		ret[i] = (uint8_t)(hash >> (8 * i));
	ret[0] = (uint8_t)((ret[0] & 0xfcU) | 0x02U);
}

/* In a pod the VF's network device is not here, or its RDMA device is not. */
static bool is_in_pod(const struct node_function *vf)
{
	return vf->away > 0 || vf->verbs > vf->here ||
	       (vf->driver[0] != '\0' && vf->net.count == 0);
}

static bool needs_mac(const struct node_function *vf)
{
	return vf->pf != NODE_NONE && vf->is_expected && vf->is_wanted && !vf->is_infiniband &&
	       vf->mac == NODE_NO;
}

/* IFLA_VFINFO_LIST { IFLA_VF_INFO { IFLA_VF_MAC } } of the PF's interface. */
static struct nl_msg *mac_message(const char *pf, unsigned int number,
				  const uint8_t mac[MAC_LENGTH])
{
	struct ifinfomsg header = { .ifi_family = AF_UNSPEC };
	struct ifla_vf_mac vf = { .vf = number };
	struct nl_msg *cleanup_netlink_message message = nlmsg_alloc_simple(RTM_SETLINK, NLM_F_ACK);
	struct nlattr *list;
	struct nlattr *info;

	memcpy(vf.mac, mac, MAC_LENGTH);
	if (!message || nlmsg_append(message, &header, sizeof(header), NLMSG_ALIGNTO) < 0 ||
	    nla_put_string(message, IFLA_IFNAME, pf) < 0)
		return NULL;
	list = nla_nest_start(message, IFLA_VFINFO_LIST);
	info = list ? nla_nest_start(message, IFLA_VF_INFO) : NULL;
	if (!info || nla_put(message, IFLA_VF_MAC, sizeof(vf), &vf) < 0)
		return NULL;
	(void)nla_nest_end(message, info);
	(void)nla_nest_end(message, list);
	return take_ptr(message);
}

static int set_mac(struct nl_sock *socket, const char *pf, unsigned int number,
		   const uint8_t mac[MAC_LENGTH], struct error *err)
{
	struct nl_msg *cleanup_netlink_message message = mac_message(pf, number, mac);
	int r;

	if (!message)
		return error_no_memory(err);
	r = nl_send_auto(socket, message);
	if (r >= 0)
		r = nl_wait_for_ack(socket);
	if (r >= 0)
		return 0;
	return error_set(err, ERROR_IO, 0, "cannot set the MAC address of VF %u of '%s': %s",
			 number, pf, nl_geterror(r));
}

static int write_attribute(const struct node *node, const char *path, const char *value,
			   struct error *err)
{
	const int cleanup_close fd = openat(node->sysfs, path, O_WRONLY | O_CLOEXEC);
	const int r = fd < 0 ? -errno : io_write_all(fd, value, strlen(value));

	if (r < 0)
		return error_set(err, ERROR_IO, -r, "cannot write '%s' to '/sys/%s'", value, path);
	return 0;
}

static int rebind_driver(const struct prepare *prepare, const struct node_function *vf,
			 struct error *err)
{
	struct names cleanup_names net = { 0 };
	char path[READ_PATH_SIZE];
	int r;

	if (vf->driver[0] == '\0')
		return 0;
	say(prepare, "unbind and bind %s (%s)", vf->id.name, vf->driver);
	if (prepare->dry_run)
		return 0;
	/* A pod may have got it since: then its network device has left. */
	if (function_net_devices(prepare->node->sysfs, &vf->id, &net) < 0 || net.count == 0)
		return error_set(err, ERROR_CONFLICT, 0, "'%s' went to a pod: not unbound",
				 vf->id.name);
	(void)snprintf(path, sizeof(path), "bus/pci/drivers/%s/unbind", vf->driver);
	r = write_attribute(prepare->node, path, vf->id.name, err);
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "bus/pci/drivers/%s/bind", vf->driver);
	return write_attribute(prepare->node, path, vf->id.name, err);
}

static int prepare_vf(const struct prepare *prepare, struct nl_sock *socket, const char *machine,
		      const struct node_function *vf, bool rebind, struct error *err)
{
	const struct names *net = &prepare->node->functions[vf->pf].net;
	uint8_t mac[MAC_LENGTH];
	int r;

	if (is_in_pod(vf)) {
		say(prepare, "leave %s alone: it is in a pod", vf->id.name);
		return 0;
	}
	if (net->count == 0)
		return error_set(err, ERROR_NO_DEVICE, 0, "the PF of '%s' has no network device",
				 vf->id.name);
	make_mac(machine, &vf->id, mac);
	say(prepare, "ip link set %s vf %u mac %02x:%02x:%02x:%02x:%02x:%02x (%s)", net->items[0],
	    vf->vf_number, mac[0], mac[1], mac[2], mac[3], mac[4], mac[5], vf->id.name);
	r = prepare->dry_run ? 0 : set_mac(socket, net->items[0], vf->vf_number, mac, err);
	return r == 0 && rebind ? rebind_driver(prepare, vf, err) : r;
}

int prepare_vf_macs(const struct prepare *prepare, bool rebind, struct error *err)
{
	const struct node *node = prepare->node;
	struct nl_sock *cleanup_netlink socket = NULL;
	struct error first = { 0 };
	char machine[64];
	size_t count = 0;

	read_line(node->root, machine, sizeof(machine), "etc/machine-id");
	if (machine[0] == '\0')
		return error_set(err, ERROR_ENVIRONMENT, 0,
				 "/etc/machine-id is empty: addresses are made of it "
				 "(systemd-machine-id-setup)");
	if (netlink_open(NETLINK_ROUTE, &socket) < 0)
		return error_no_memory(err);
	for (size_t i = 0; i < node->function_count; i++) {
		if (!needs_mac(&node->functions[i]))
			continue;
		count++;
		if (prepare_vf(prepare, socket, machine, &node->functions[i], rebind, err) < 0)
			error_gather(&first, err);
	}
	if (count == 0)
		say(prepare, "no VF lacks a MAC address");
	if (first.kind == ERROR_NONE)
		return 0;
	*err = first;
	return -EIO;
}
