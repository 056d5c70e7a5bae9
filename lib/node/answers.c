/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attributes of devlink and rtnetlink.
 */
#include "answers.h"

#include <linux/devlink.h>
#include <linux/if_link.h>
#include <netlink/attr.h>
#include <string.h>

/*
 * The last attributes that are read: with the headers' own last ones, the executable would change
 * with the version of the headers.
 */
#define PARAM_ATTRIBUTE_MAX DEVLINK_ATTR_PARAM_VALUE_CMODE
#define VF_ATTRIBUTE_MAX IFLA_VF_IB_PORT_GUID

/* libnl does not change what it parses. */
static struct nlattr *unconst(const struct nlattr *attribute)
{
	union {
		const struct nlattr *in;
		struct nlattr *out;
	} same = { .in = attribute };

	return same.out;
}

/* A flag that is there is true, one that is not is false (devlink_nl_param_value_fill_one()). */
static struct answer_param take_value(struct nlattr *const parts[])
{
	struct answer_param answer = { .value = NODE_UNKNOWN };
	uint8_t mode;

	if (!parts[DEVLINK_ATTR_PARAM_VALUE_CMODE])
		return answer;
	mode = nla_get_u8(parts[DEVLINK_ATTR_PARAM_VALUE_CMODE]);
	if (mode != DEVLINK_PARAM_CMODE_RUNTIME && mode != DEVLINK_PARAM_CMODE_DRIVERINIT)
		return answer;
	answer.value = parts[DEVLINK_ATTR_PARAM_VALUE_DATA] ? NODE_YES : NODE_NO;
	answer.is_runtime = mode == DEVLINK_PARAM_CMODE_RUNTIME;
	return answer;
}

struct answer_param answer_param(const struct nlattr *param)
{
	struct answer_param answer = { .value = NODE_UNKNOWN };
	struct nlattr *attributes[PARAM_ATTRIBUTE_MAX + 1];
	struct nlattr *value;
	int left;

	if (nla_parse_nested(attributes, PARAM_ATTRIBUTE_MAX, unconst(param), NULL) < 0 ||
	    !attributes[DEVLINK_ATTR_PARAM_VALUES_LIST])
		return answer;
	nla_for_each_nested(value, attributes[DEVLINK_ATTR_PARAM_VALUES_LIST], left)
	{
		struct nlattr *parts[PARAM_ATTRIBUTE_MAX + 1];

		if (nla_parse_nested(parts, PARAM_ATTRIBUTE_MAX, value, NULL) < 0)
			continue;
		answer = take_value(parts);
		if (answer.value != NODE_UNKNOWN)
			break;
	}
	return answer;
}

static bool take_guid(struct nlattr *attribute, struct ifla_vf_guid *ret)
{
	return attribute && nla_memcpy(ret, attribute, sizeof(*ret)) == sizeof(*ret);
}

enum node_answer answer_vf_guids(const struct nlattr *info, unsigned int *ret_vf)
{
	struct nlattr *attributes[VF_ATTRIBUTE_MAX + 1];
	struct ifla_vf_guid node;
	struct ifla_vf_guid port;

	if (nla_parse_nested(attributes, VF_ATTRIBUTE_MAX, unconst(info), NULL) < 0 ||
	    !take_guid(attributes[IFLA_VF_IB_NODE_GUID], &node) ||
	    !take_guid(attributes[IFLA_VF_IB_PORT_GUID], &port))
		return NODE_UNKNOWN;
	*ret_vf = node.vf;
	return node.guid != 0 && port.guid != 0 ? NODE_YES : NODE_NO;
}
