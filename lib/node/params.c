/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is RDMA switched off for a function? devlink's parameters, through libnl-genl.
 */
#include "readers.h"

#include <errno.h>
#include <linux/devlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <string.h>

#include "netlink.h"

struct devlink {
	struct nl_sock *socket;
	int family;
};

/* Of DEVLINK_ATTR_PARAM_VALUES_LIST: a flag that is there is true. */
static enum node_answer driver_value(struct nlattr *values)
{
	struct nlattr *value;
	int left;

	nla_for_each_nested(value, values, left)
	{
		struct nlattr *parts[DEVLINK_ATTR_MAX + 1];

		if (nla_parse_nested(parts, DEVLINK_ATTR_MAX, value, NULL) < 0 ||
		    !parts[DEVLINK_ATTR_PARAM_VALUE_CMODE] ||
		    nla_get_u8(parts[DEVLINK_ATTR_PARAM_VALUE_CMODE]) !=
			    DEVLINK_PARAM_CMODE_DRIVERINIT)
			continue;
		return parts[DEVLINK_ATTR_PARAM_VALUE_DATA] ? NODE_YES : NODE_NO;
	}
	return NODE_UNKNOWN;
}

static int take_param(struct nl_msg *message, void *data)
{
	enum node_answer *answer = data;
	struct nlattr *attributes[DEVLINK_ATTR_MAX + 1];
	struct nlattr *param[DEVLINK_ATTR_MAX + 1];

	if (genlmsg_parse(nlmsg_hdr(message), 0, attributes, DEVLINK_ATTR_MAX, NULL) < 0 ||
	    !attributes[DEVLINK_ATTR_PARAM] ||
	    nla_parse_nested(param, DEVLINK_ATTR_MAX, attributes[DEVLINK_ATTR_PARAM], NULL) < 0 ||
	    !param[DEVLINK_ATTR_PARAM_VALUES_LIST])
		return NL_OK;
	*answer = driver_value(param[DEVLINK_ATTR_PARAM_VALUES_LIST]);
	return NL_OK;
}

/* What the driver does not know stays unknown. */
static int ask_param(const struct devlink *devlink, const struct function *function,
		     const char *name, enum node_answer *ret)
{
	const char *bus = function->bus == FUNCTION_PCI ? "pci" : "auxiliary";
	struct nl_msg *cleanup_netlink_message message = nlmsg_alloc();

	if (!message ||
	    !genlmsg_put(message, NL_AUTO_PORT, NL_AUTO_SEQ, devlink->family, 0, NLM_F_ACK,
			 DEVLINK_CMD_PARAM_GET, DEVLINK_GENL_VERSION) ||
	    nla_put_string(message, DEVLINK_ATTR_BUS_NAME, bus) < 0 ||
	    nla_put_string(message, DEVLINK_ATTR_DEV_NAME, function->name) < 0 ||
	    nla_put_string(message, DEVLINK_ATTR_PARAM_NAME, name) < 0)
		return -ENOMEM;
	return netlink_ask(devlink->socket, message, take_param, ret);
}

static int ask_params(const struct devlink *devlink, struct node_function *function)
{
	int r = ask_param(devlink, &function->id, "enable_roce", &function->param_roce);

	if (r == 0)
		r = ask_param(devlink, &function->id, "enable_rdma", &function->param_rdma);
	if (r == 0 && function->param_rdma == NODE_UNKNOWN)
		r = ask_param(devlink, &function->id, "enable_iwarp", &function->param_rdma);
	return r;
}

static bool lacks_rdma(const struct node_function *function)
{
	return function->is_expected && function->driver[0] != '\0' && function->here == 0 &&
	       function->verbs == 0;
}

int read_params(struct node *node, struct error *err)
{
	struct nl_sock *cleanup_netlink socket = NULL;
	struct devlink devlink;
	int r = node->is_live ? netlink_open(NETLINK_GENERIC, &socket) : 0;

	if (r == -ENOMEM)
		return error_no_memory(err);
	if (!socket)
		return 0;
	devlink = (struct devlink){ .socket = socket,
				    .family = genl_ctrl_resolve(socket, DEVLINK_GENL_NAME) };
	if (devlink.family < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < node->function_count; i++) {
		if (lacks_rdma(&node->functions[i]))
			r = ask_params(&devlink, &node->functions[i]);
	}
	return r < 0 ? error_no_memory(err) : 0;
}
