/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PFs know of their VFs: administrative MACs, through libnl-route, and InfiniBand GUIDs, which
 * it does not know.
 */
#include "readers.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/sriov.h>
#include <string.h>

#include "answers.h"
#include "netlink.h"
#include "read.h"

/* Leave out the statistics of each VF: hundreds of bytes nobody reads here (Linux 5.9). */
#ifndef RTEXT_FILTER_SKIP_STATS
#define RTEXT_FILTER_SKIP_STATS (1 << 3)
#endif

#define ZERO_GUID "00:00:00:00:00:00:00:00"

struct answer {
	struct node *node;
	size_t pf;
	bool has_vfs;
};

/* libnl walks its list of VFs each time: some 30,000 steps for 250 of them, less than a ms. */
static enum node_answer mac_of(struct rtnl_link *link, unsigned int number)
{
	struct rtnl_link_vf *vf = rtnl_link_vf_get(link, number);
	enum node_answer answer = NODE_UNKNOWN;
	struct nl_addr *address;

	if (!vf)
		return NODE_UNKNOWN;
	if (rtnl_link_vf_get_addr(vf, &address) == 0)
		answer = nl_addr_iszero(address) ? NODE_NO : NODE_YES;
	rtnl_link_vf_put(vf);
	return answer;
}

static void take_link(struct nl_object *object, void *data)
{
	struct rtnl_link *link = (struct rtnl_link *)object;
	struct answer *answer = data;
	uint32_t count;

	if (rtnl_link_get_num_vf(link, &count) < 0 || count == 0)
		return;
	answer->has_vfs = true;
	for (size_t i = 0; i < answer->node->function_count; i++) {
		struct node_function *function = &answer->node->functions[i];

		if (function->pf == answer->pf)
			function->mac = mac_of(link, function->vf_number);
	}
}

static void set_guids(const struct answer *answer, unsigned int number, enum node_answer guids)
{
	for (size_t i = 0; i < answer->node->function_count; i++) {
		struct node_function *function = &answer->node->functions[i];

		if (function->pf == answer->pf && function->vf_number == number)
			function->guids = guids;
	}
}

static void take_guids(struct nl_msg *message, const struct answer *answer)
{
	struct nlattr *list =
		nlmsg_find_attr(nlmsg_hdr(message), sizeof(struct ifinfomsg), IFLA_VFINFO_LIST);
	struct nlattr *info;
	int left;

	if (!list)
		return;
	nla_for_each_nested(info, list, left)
	{
		unsigned int number;
		const enum node_answer guids = answer_vf_guids(info, &number);

		if (guids != NODE_UNKNOWN)
			set_guids(answer, number, guids);
	}
}

static int parse_link(struct nl_msg *message, void *data)
{
	(void)nl_msg_parse(message, take_link, data);
	take_guids(message, data);
	return NL_OK;
}

/* Ask for one link by its name, with its VFs. What the kernel does not answer stays unknown. */
static int ask_link(struct nl_sock *socket, const char *name, struct answer *answer)
{
	struct ifinfomsg header = { .ifi_family = AF_UNSPEC };
	struct nl_msg *cleanup_netlink_message message = nlmsg_alloc_simple(RTM_GETLINK, 0);

	if (!message || nlmsg_append(message, &header, sizeof(header), NLMSG_ALIGNTO) < 0 ||
	    nla_put_string(message, IFLA_IFNAME, name) < 0 ||
	    nla_put_u32(message, IFLA_EXT_MASK, RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS) < 0)
		return -ENOMEM;
	return netlink_ask(socket, message, parse_link, answer);
}

static int ask_pf(struct node *node, struct nl_sock *socket, size_t pf)
{
	const struct names *net = &node->functions[pf].net;
	struct answer answer = { .node = node, .pf = pf };
	int r = 0;

	/* In switchdev mode the representors of the VFs are there too, and one uplink. */
	for (size_t i = 0; r == 0 && !answer.has_vfs && i < net->count; i++)
		r = ask_link(socket, net->items[i], &answer);
	return r;
}

/* MLNX_OFED's mlx5 shows them below the PF too: sriov/<VF>/node and port. */
static void read_guids(const struct node *node, struct node_function *vf)
{
	const char *pf = node->functions[vf->pf].id.name;
	char guid[32];
	char port[32];

	read_line(node->sysfs, guid, sizeof(guid), "bus/pci/devices/%s/sriov/%u/node", pf,
		  vf->vf_number);
	read_line(node->sysfs, port, sizeof(port), "bus/pci/devices/%s/sriov/%u/port", pf,
		  vf->vf_number);
	if (guid[0] == '\0' || port[0] == '\0')
		return;
	vf->guids = strcmp(guid, ZERO_GUID) == 0 || strcmp(port, ZERO_GUID) == 0 ? NODE_NO
										 : NODE_YES;
}

int read_vfs(struct node *node, struct error *err)
{
	struct nl_sock *cleanup_netlink socket = NULL;
	int r = node->is_live ? netlink_open(NETLINK_ROUTE, &socket) : 0;

	for (size_t i = 0; r == 0 && i < node->function_count; i++) {
		struct node_function *function = &node->functions[i];

		if (function->pf != NODE_NONE && function->is_infiniband)
			read_guids(node, function);
		if (socket && function->is_pf && function->is_expected && function->vf_count > 0)
			r = ask_pf(node, socket, i);
	}
	return r == -ENOMEM ? error_no_memory(err) : 0;
}
