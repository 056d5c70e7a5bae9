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

#include "answers.h"
#include "netlink.h"

struct devlink {
	struct nl_sock *socket;
	int family;
};

static int take_param(struct nl_msg *message, void *data)
{
	struct answer_param *answer = data;
	struct nlattr *attributes[DEVLINK_ATTR_PARAM + 1];

	if (genlmsg_parse(nlmsg_hdr(message), 0, attributes, DEVLINK_ATTR_PARAM, NULL) == 0 &&
	    attributes[DEVLINK_ATTR_PARAM])
		*answer = answer_param(attributes[DEVLINK_ATTR_PARAM]);
	return NL_OK;
}

/* What the driver does not know stays unknown. */
static int ask_param(const struct devlink *devlink, const struct function *function,
		     const char *name, struct answer_param *ret)
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

static bool lacks_rdma(const struct node_function *function)
{
	return function->here == 0 && function->verbs == 0;
}

/* mlx5 has the first two, for when it starts; ice the first and the last, of which one is on. */
static int ask_params(const struct devlink *devlink, struct node_function *function)
{
	struct answer_param roce = { .value = NODE_UNKNOWN };
	struct answer_param rdma = { .value = NODE_UNKNOWN };
	struct answer_param iwarp = { .value = NODE_UNKNOWN };
	int r = ask_param(devlink, &function->id, "enable_roce", &roce);
	const bool is_well = roce.value == NODE_YES && !lacks_rdma(function);

	if (r == 0 && !is_well)
		r = ask_param(devlink, &function->id, "enable_rdma", &rdma);
	if (r == 0 && !is_well)
		r = ask_param(devlink, &function->id, "enable_iwarp", &iwarp);
	function->param_roce = roce.value;
	function->param_rdma = rdma.value;
	function->param_iwarp = iwarp.value;
	function->param_is_runtime = roce.is_runtime || rdma.is_runtime || iwarp.is_runtime;
	return r;
}

/* On InfiniBand there is no RoCE. */
static bool is_asked_about(const struct node_function *function)
{
	return function->is_expected && function->is_wanted && function->driver[0] != '\0' &&
	       (!function->is_infiniband || lacks_rdma(function));
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
		if (is_asked_about(&node->functions[i]))
			r = ask_params(&devlink, &node->functions[i]);
	}
	return r < 0 ? error_no_memory(err) : 0;
}
