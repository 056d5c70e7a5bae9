/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The previous plugin's result: what it says about the pod's interfaces.
 */
#include <rdma-cni/cni/prevresult.h>

#include <string.h>

int cni_prevresult_require(const struct cni_conf *conf, struct error *err)
{
	const enum json_type type = json_type(json_member(conf->document, "prevResult"));
	int r;

	if (type == JSON_OBJECT)
		return 0;
	if (type != JSON_ABSENT && type != JSON_NULL)
		return error_set(err, ERROR_DECODE, 0, "'prevResult' is %s, but must be an object",
				 json_type_name(type));
	r = error_set(err, ERROR_CONFIG, 0,
		      "'prevResult' is missing from the network configuration");
	error_details(err, "this plugin must be chained: name it behind the plugin that puts the "
			   "device's network interface into the pod (sriov, host-device) in the "
			   "same list of plugins");
	return r;
}

/* Sandbox "" is the host: a veth's other end, a bridge. */
static bool read_interface(const struct cJSON *item, struct cni_interface *ret)
{
	const char *sandbox = json_string(json_member(item, "sandbox"));

	ret->name = json_string(json_member(item, "name"));
	ret->mac = json_string(json_member(item, "mac"));
	ret->pci_id = json_string(json_member(item, "pciID"));
	return sandbox && sandbox[0] != '\0';
}

static int visit_matching(const struct cJSON *interfaces, const char *ifname, bool wanted,
			  cni_interface_visit visit, void *data)
{
	int r = 0;

	for (const struct cJSON *item = json_first(interfaces); item && r == 0;
	     item = json_next(item)) {
		struct cni_interface interface;

		if (!read_interface(item, &interface))
			continue;
		if ((interface.name && strcmp(interface.name, ifname) == 0) == wanted)
			r = visit(&interface, data);
	}
	return r;
}

int cni_prevresult_each_interface(const struct cni_conf *conf, const char *ifname,
				  cni_interface_visit visit, void *data)
{
	const struct cJSON *result = json_member(conf->document, "prevResult");
	const struct cJSON *interfaces = json_member(result, "interfaces");
	int r;

	if (json_type(interfaces) != JSON_ARRAY)
		return 0;
	r = visit_matching(interfaces, ifname, true, visit, data);
	return r != 0 ? r : visit_matching(interfaces, ifname, false, visit, data);
}
