/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual functions and their administrative MAC addresses.
 */
#include <rdma-cni/kernel/vf.h>

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <rdma-cni/kernel/nl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Leave out the statistics of each VF: hundreds of bytes nobody reads here (Linux 5.9). */
#ifndef RTEXT_FILTER_SKIP_STATS
#define RTEXT_FILTER_SKIP_STATS (1 << 3)
#endif

bool vf_parse_mac(const char *text, uint8_t ret[static VF_MAC_LENGTH])
{
	uint8_t mac[VF_MAC_LENGTH];
	uint8_t any = 0;

	if (strlen(text) != VF_MAC_LENGTH * 3 - 1)
		return false;
	for (size_t i = 0; i < VF_MAC_LENGTH; i++) {
		const char *part = text + i * 3;

		if (!parse_is_hex(part, 2) || (part[2] != ':' && part[2] != '\0'))
			return false;
		mac[i] = (uint8_t)strtoul(part, NULL, 16);
		any |= mac[i];
	}
	if (any == 0)
		return false;
	memcpy(ret, mac, sizeof(mac));
	return true;
}

struct search {
	int sysfs;
	const uint8_t *mac;
	struct names *found;
	/* Of the link that is being read: valid as long as its message. */
	const char *interface;
	const struct nlattr *vf_list;
};

static void restart_search(void *data)
{
	struct search *search = data;

	names_done(search->found);
}

/* PF interface and VF number -> the VF's PCI address, each once. */
static int add_vf(const struct search *search, uint32_t vf)
{
	char path[128];
	char address[LIMIT_FUNCTION_NAME_SIZE];

	(void)snprintf(path, sizeof(path), "class/net/%s/device/virtfn%u", search->interface, vf);
	/* It may be gone by now: then it is no candidate. */
	if (root_link_name(search->sysfs, path, address, sizeof(address)) < 0 ||
	    names_contain(search->found, address))
		return 0;
	return names_add(search->found, address);
}

/* Of one VF's attributes: IFLA_VF_MAC. */
static int match_vf_attribute(const struct nlattr *attribute, void *data)
{
	const struct search *search = data;
	struct ifla_vf_mac vf;

	if (mnl_attr_get_type(attribute) != IFLA_VF_MAC)
		return 0;
	if (mnl_attr_get_payload_len(attribute) < sizeof(vf))
		return -EBADMSG;
	memcpy(&vf, mnl_attr_get_payload(attribute), sizeof(vf));
	return memcmp(vf.mac, search->mac, VF_MAC_LENGTH) == 0 ? add_vf(search, vf.vf) : 0;
}

/* Of IFLA_VFINFO_LIST: one IFLA_VF_INFO for each VF. */
static int match_vf(const struct nlattr *attribute, void *data)
{
	return nl_each_nested(attribute, match_vf_attribute, data);
}

static int collect_link_attribute(const struct nlattr *attribute, void *data)
{
	struct search *search = data;
	const uint16_t type = mnl_attr_get_type(attribute);

	if (type == IFLA_IFNAME) {
		if (mnl_attr_validate(attribute, MNL_TYPE_NUL_STRING) < 0)
			return -EBADMSG;
		search->interface = mnl_attr_get_str(attribute);
	} else if (type == IFLA_VFINFO_LIST) {
		search->vf_list = attribute;
	}
	return 0;
}

static int match_link(const struct nlmsghdr *message, void *data)
{
	struct search *search = data;
	int r;

	search->interface = NULL;
	search->vf_list = NULL;
	r = nl_each_attribute(message, sizeof(struct ifinfomsg), collect_link_attribute, search);
	if (r < 0 || !search->interface || !search->vf_list)
		return r;
	return nl_each_nested(search->vf_list, match_vf, search);
}

int vf_find_by_mac(int sysfs, const uint8_t mac[static VF_MAC_LENGTH], struct names *ret,
		   struct error *err)
{
	struct names cleanup_names found = { 0 };
	struct search search = { .sysfs = sysfs, .mac = mac, .found = &found };
	struct nl cleanup_nl nl = NL_CLOSED;
	struct nl_request request;
	struct nlmsghdr *header = nl_prepare(&request, RTM_GETLINK, NLM_F_DUMP);
	int r = nl_open(NETLINK_ROUTE, &nl, err);

	if (r < 0)
		return r;
	(void)mnl_nlmsg_put_extra_header(header, sizeof(struct ifinfomsg));
	mnl_attr_put_u32(header, IFLA_EXT_MASK, RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS);
	r = nl_exchange_dump(&nl, &request, match_link, restart_search, &search, err);
	if (r < 0) {
		error_context(err, "cannot list the administrative MAC addresses of VFs");
		return r;
	}
	*ret = found;
	found = (struct names){ 0 };
	return 0;
}
