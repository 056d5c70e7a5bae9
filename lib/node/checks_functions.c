/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of functions: PFs, VFs, scalable functions.
 */
#include <string.h>

#include "findings.h"

static bool is_pf(const struct node_function *function)
{
	return function->is_pf;
}

static bool has_no_vfs(const struct node_function *function)
{
	return function->is_pf && function->vf_count == 0;
}

void look_at_vfs(const struct node *node, struct findings *ret)
{
	const size_t for_pods = count_functions(node, is_for_pods);
	const size_t pfs = count_functions(node, is_pf);
	size_t first;

	if (pfs == 0 && for_pods == 0) {
		found(ret, CHECK_SKIP, "there is no function for RDMA with virtual functions");
		return;
	}
	if (for_pods > 0)
		found(ret, CHECK_OK, "%zu, on %zu physical ones", for_pods, pfs);
	/* Scalable functions serve pods as well. */
	first = found_functions(node, has_no_vfs, ret, for_pods > 0 ? CHECK_OK : CHECK_WARN,
				"none was made on");
	if (first != NODE_NONE && for_pods == 0)
		mend(ret,
		     "echo %u >/sys/bus/pci/devices/%s/sriov_numvfs, or a policy of the SR-IOV "
		     "Network Operator",
		     node->functions[first].vf_max, node->functions[first].id.name);
}

static bool is_for_machines(const struct node_function *function)
{
	return strncmp(function->driver, "vfio", strlen("vfio")) == 0;
}

static bool has_no_driver(const struct node_function *function)
{
	return is_for_pods(function) && function->driver[0] == '\0';
}

static bool is_set_aside(const struct node_function *function)
{
	return is_for_pods(function) && is_for_machines(function);
}

void look_at_drivers(const struct node *node, struct findings *ret)
{
	const size_t all = count_functions(node, is_for_pods);
	size_t first;

	if (all == 0) {
		found(ret, CHECK_SKIP, "there are none");
		return;
	}
	first = found_functions(node, has_no_driver, ret, CHECK_FAIL, "no driver is bound to");
	if (first != NODE_NONE)
		mend(ret, "echo %s >/sys/bus/%s/drivers_probe", node->functions[first].id.name,
		     node->functions[first].id.bus == FUNCTION_PCI ? "pci" : "auxiliary");
	else
		found(ret, CHECK_OK, "all %zu have one", all);
	(void)found_functions(node, is_set_aside, ret, CHECK_SKIP,
			      "set aside for virtual machines");
}

/* PFs of other families lend their VFs' RDMA devices, without one of their own. */
static bool should_have_device(const struct node_function *function)
{
	return function->driver[0] != '\0' && !is_for_machines(function) &&
	       (is_for_pods(function) || node_rdma_module(function->driver));
}

static bool lacks_device(const struct node_function *function)
{
	return should_have_device(function) && function->here == 0 && function->away == 0 &&
	       function->verbs == 0;
}

/* A card that does iWARP as well does not do both: then RoCE may be off (ice_devlink.c). */
static const char *param_that_is_off(const struct node_function *function)
{
	if (function->param_rdma == NODE_NO)
		return "enable_rdma";
	if (function->param_roce == NODE_NO && function->param_iwarp != NODE_YES)
		return "enable_roce";
	if (function->param_iwarp == NODE_NO && function->param_roce == NODE_UNKNOWN)
		return "enable_iwarp";
	return NULL;
}

static bool is_switched_off(const struct node_function *function)
{
	return lacks_device(function) && param_that_is_off(function);
}

static bool lacks_module(const struct node_function *function)
{
	return lacks_device(function) && !is_switched_off(function) && !function->module_runs &&
	       node_rdma_module(function->driver);
}

static bool lacks_it_for_no_reason(const struct node_function *function)
{
	return lacks_device(function) && !is_switched_off(function) && !lacks_module(function);
}

/* mlx5's device is there all the same, for raw Ethernet alone (mlx5r_probe() in its main.c). */
static bool has_no_roce(const struct node_function *function)
{
	return should_have_device(function) && !lacks_device(function) &&
	       !function->is_infiniband && function->param_roce == NODE_NO &&
	       function->param_iwarp != NODE_YES;
}

static void mend_switched_off(const struct node_function *function, struct findings *ret)
{
	const char *bus = function->id.bus == FUNCTION_PCI ? "pci" : "auxiliary";
	const char *param = param_that_is_off(function);

	if (function->param_is_runtime)
		mend(ret, "devlink dev param set %s/%s name %s value true cmode runtime", bus,
		     function->id.name, param);
	else
		mend(ret,
		     "devlink dev param set %s/%s name %s value true cmode driverinit; devlink "
		     "dev reload %s/%s",
		     bus, function->id.name, param, bus, function->id.name);
}

void look_at_rdma_devices(const struct node *node, struct findings *ret)
{
	const size_t all = count_functions(node, should_have_device);
	size_t first;

	if (all == 0) {
		found(ret, CHECK_SKIP, "there is no function with a driver that should have one");
		return;
	}
	if (count_functions(node, lacks_device) == 0 && count_functions(node, has_no_roce) == 0) {
		found(ret, CHECK_OK, "all %zu functions have one", all);
		return;
	}
	first = found_functions(node, is_switched_off, ret, CHECK_FAIL,
				"RDMA is switched off (devlink) for");
	if (first != NODE_NONE)
		mend_switched_off(&node->functions[first], ret);
	first = found_functions(node, has_no_roce, ret, CHECK_FAIL,
				"a device, but RoCE is off (devlink) for");
	if (first != NODE_NONE)
		mend_switched_off(&node->functions[first], ret);
	first = found_functions(node, lacks_module, ret, CHECK_FAIL,
				"the RDMA module of the driver is not loaded, for");
	if (first != NODE_NONE)
		mend(ret, "modprobe %s", node_rdma_module(node->functions[first].driver));
	first = found_functions(node, lacks_it_for_no_reason, ret, CHECK_FAIL,
				"a driver, but no RDMA device");
	if (first != NODE_NONE)
		mend(ret, "does %s do RDMA for such functions? dmesg | grep %s",
		     node->functions[first].driver, node->functions[first].id.name);
}

static bool is_ethernet_vf(const struct node_function *function)
{
	return function->pf != NODE_NONE && !function->is_infiniband;
}

static bool has_mac(const struct node_function *function)
{
	return is_ethernet_vf(function) && function->mac == NODE_YES;
}

static bool has_no_mac(const struct node_function *function)
{
	return is_ethernet_vf(function) && function->mac == NODE_NO;
}

static void mend_mac(const struct node *node, const struct node_function *vf, struct findings *ret)
{
	const struct names *net = &node->functions[vf->pf].net;

	mend(ret,
	     "ip link set %s vf %u mac 02:00:00:00:00:01 (another for each); RDMA CM on mlx5 "
	     "sees it after the driver was unbound and bound",
	     net->count > 0 ? net->items[0] : "PF", vf->vf_number);
}

void look_at_macs(const struct node *node, struct findings *ret)
{
	const size_t all = count_functions(node, is_ethernet_vf);
	const size_t good = count_functions(node, has_mac);
	const size_t first = found_functions(node, has_no_mac, ret, CHECK_WARN, "none is set for");

	if (first != NODE_NONE)
		mend_mac(node, &node->functions[first], ret);
	else if (all == 0)
		found(ret, CHECK_SKIP, "there are no Ethernet VFs");
	else if (good == 0)
		found(ret, CHECK_SKIP, "%s",
		      node->is_live ? "the interfaces of the PFs do not tell"
				    : "only the running kernel knows them");
	else
		found(ret, CHECK_OK, "set for %zu VFs", good);
}

static bool is_infiniband_vf(const struct node_function *function)
{
	return function->pf != NODE_NONE && function->is_infiniband;
}

static bool has_guids(const struct node_function *function)
{
	return is_infiniband_vf(function) && function->guids == NODE_YES;
}

static bool has_no_guids(const struct node_function *function)
{
	return is_infiniband_vf(function) && function->guids == NODE_NO;
}

/* Where the PF has no IPoIB interface, MLNX_OFED and DOCA-OFED have files for it. */
static void mend_guids(const struct node *node, const struct node_function *vf,
		       struct findings *ret)
{
	const struct node_function *pf = &node->functions[vf->pf];

	if (pf->net.count > 0)
		mend(ret,
		     "ip link set %s vf %u node_guid GUID; the same with port_guid; then unbind "
		     "and bind the driver",
		     pf->net.items[0], vf->vf_number);
	else
		mend(ret,
		     "echo GUID >/sys/bus/pci/devices/%s/sriov/%u/node, and into port beside "
		     "it; then unbind and bind the driver",
		     pf->id.name, vf->vf_number);
}

void look_at_guids(const struct node *node, struct findings *ret)
{
	const size_t all = count_functions(node, is_infiniband_vf);
	const size_t good = count_functions(node, has_guids);
	const size_t first = found_functions(node, has_no_guids, ret, CHECK_WARN,
					     "the ports stay down without, for");

	if (first != NODE_NONE) {
		mend_guids(node, &node->functions[first], ret);
	} else if (all == 0) {
		found(ret, CHECK_SKIP, "there are no InfiniBand VFs");
	} else if (good == 0) {
		found(ret, CHECK_SKIP, "%s",
		      node->is_live ? "the interfaces of the PFs do not tell"
				    : "the driver has no files of them, and only the running "
				      "kernel knows else");
	} else {
		found(ret, CHECK_OK, "set for %zu VFs", good);
	}
}
