/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what a CNI runtime says to what lib/attach understands.
 */
#include "request.h"

#include <rdma-cni/attach/naming.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <rdma-cni/cni/prevresult.h>
#include <rdma-cni/kernel/function.h>
#include <rdma-cni/kernel/vf.h>
#include <string.h>

static void report_to_log(enum log_level level, const char *text)
{
	log_write(level, "%s", text);
}

int request_read_options(struct call *call, struct error *err)
{
	struct function function;
	int r = cni_conf_options(&call->conf, false, err);

	if (r == 0 && call->conf.device_id) {
		r = function_parse(call->conf.device_id, &function, err);
		if (r < 0)
			error_context(err, "configuration key '%s'", call->conf.device_id_key);
	}
	if (r == 0 && call->conf.device_name_template)
		r = naming_check(call->conf.device_name_template, err);
	return r;
}

int request_open(const struct call *call, struct request *ret, struct error *err)
{
	const struct cni_conf *conf = &call->conf;
	const int log = conf->log_file ? log_set_file(conf->log_file) : 0;
	int boot;
	int sysfs;
	int r;

	log_set_level(conf->log_level);
	if (log < 0)
		log_warning("cannot open the log file '%s': %s", conf->log_file, strerror(-log));
	boot = netns_boot_id(ret->boot_id);
	ret->node.boot_id = ret->boot_id;
	ret->node.store = &ret->store;
	ret->node.report = report_to_log;
	ret->store.path = conf->data_dir;
	ret->attach.key = (struct entry_key){
		.network = conf->name,
		.container_id = call->env.container_id,
		.ifname = call->env.ifname,
	};
	ret->attach.device_id = conf->device_id;
	ret->attach.netns_path = call->env.netns;
	ret->attach.pod_namespace = call->pod.namespace;
	ret->attach.pod_name = call->pod.name;
	ret->attach.pod_uid = call->pod.uid;
	ret->attach.name_template = conf->device_name_template;
	ret->attach.wait_seconds = conf->wait_seconds;

	/* Both: DEL goes on with the one that it gets. */
	r = store_open(conf->data_dir, &ret->store, err);
	sysfs = root_open("/sys");
	if (sysfs < 0)
		return error_set(err, ERROR_IO, -sysfs, "cannot open '/sys'");
	ret->node.sysfs = sysfs;
	if (boot < 0)
		return error_set(err, ERROR_IO, -boot, "cannot read the boot ID");
	return r;
}

void request_close(struct request *request)
{
	store_close(&request->store);
	cleanup_close_fd(&request->node.sysfs);
	cleanup_close_fd(&request->attach.netns);
}

int request_open_netns(const struct call *call, struct request *request, struct error *err)
{
	const int r = netns_open(call->env.netns, &request->attach.netns, err);

	if (r < 0)
		error_context(err, "CNI_NETNS is unusable");
	return r;
}

bool request_is_in_own_netns(const struct call *call, const struct request *request)
{
	struct netns_id own_id;
	struct netns_id pod_id;
	struct error ignored;

	if (call->env.netns_override || request->attach.netns < 0 ||
	    netns_identify(netns_home(&ignored), false, &own_id, &ignored) < 0 ||
	    netns_identify(request->attach.netns, false, &pod_id, &ignored) < 0)
		return false;
	return netns_id_equal(&own_id, &pod_id);
}

int request_refuse_own_netns(const struct call *call, struct error *err)
{
	const int r = error_set(err, ERROR_SAME_NETNS, 0,
				"CNI_NETNS '%s' is the network namespace that the plugin runs in",
				call->env.netns);

	error_details(err, "set CNI_NETNS_OVERRIDE=1 if the pod really shares the host's network");
	return r;
}

/*
 * A previous result may list any number of interfaces: of so many the MAC is looked up, and so much
 * is said of them in the message.
 */
#define MAC_LOOKUPS_MAX 64U
#define LOOKED_AT_BYTES 1024U

/* What the previous result's interfaces tell about the device. */
struct derivation {
	const char *ifname;
	int sysfs;
	struct names found;    /* devices that the present way of looking gave */
	struct text looked_at; /* for the message */
	unsigned int lookups;  /* of MAC addresses, each a list of all links */
	struct error *err;
};

/* Two say already that the device can't be told; more are for the message, which has an end. */
static int add_found(struct derivation *derivation, const char *device)
{
	if (derivation->found.count >= LIMIT_FUNCTION_DEVICES ||
	    names_contain(&derivation->found, device))
		return 0;
	return names_add(&derivation->found, device) < 0 ? error_no_memory(derivation->err) : 0;
}

/* The requested interface has the answer, whatever others gave before: 1, which ends the search. */
static int settle_found(struct derivation *derivation, const char *device)
{
	int r;

	names_done(&derivation->found);
	r = add_found(derivation, device);
	return r < 0 ? r : 1;
}

static bool is_requested(const struct derivation *derivation, const struct cni_interface *interface)
{
	return interface->name && strcmp(interface->name, derivation->ifname) == 0;
}

static void note_looked_at(struct derivation *derivation, const struct cni_interface *interface)
{
	if (derivation->looked_at.length > LOOKED_AT_BYTES)
		return;
	text_print(&derivation->looked_at, "%sinterface '%s' (pciID %s, MAC %s)",
		   derivation->looked_at.length > 0 ? ", " : "",
		   interface->name ? interface->name : "?",
		   interface->pci_id ? interface->pci_id : "none",
		   interface->mac ? interface->mac : "none");
}

static int take_pci_id(const struct cni_interface *interface, void *data)
{
	struct derivation *derivation = data;

	note_looked_at(derivation, interface);
	if (!interface->pci_id || interface->pci_id[0] == '\0')
		return 0;
	return is_requested(derivation, interface) ? settle_found(derivation, interface->pci_id)
						   : add_found(derivation, interface->pci_id);
}

static int take_mac(const struct cni_interface *interface, void *data)
{
	struct derivation *derivation = data;
	struct names cleanup_names vfs = { 0 };
	uint8_t mac[VF_MAC_LENGTH];
	int r;

	if (!interface->mac || !vf_parse_mac(interface->mac, mac) ||
	    derivation->lookups++ >= MAC_LOOKUPS_MAX)
		return 0;
	r = vf_find_by_mac(derivation->sysfs, mac, &vfs, derivation->err);
	if (r == 0 && vfs.count == 1 && is_requested(derivation, interface))
		return settle_found(derivation, vfs.items[0]);
	for (size_t i = 0; r == 0 && i < vfs.count; i++)
		r = add_found(derivation, vfs.items[i]);
	return r;
}

static int refuse_derivation(const struct derivation *derivation, struct error *err)
{
	char found[512];
	const int r = error_set(err, ERROR_CONFIG, 0,
				"the configuration has no deviceID, and the previous result does "
				"not tell which device it is");

	error_details(err,
		      "looked at: %s; devices that this gives: %s. Let the runtime set "
		      "deviceID (Multus does for a network with a "
		      "k8s.v1.cni.cncf.io/resourceName annotation)",
		      derivation->looked_at.length > 0 ? derivation->looked_at.data
						       : "no interface in the pod",
		      names_join(&derivation->found, found, sizeof(found)));
	return r;
}

static int derive(const struct call *call, struct derivation *derivation)
{
	int r = cni_prevresult_each_interface(&call->conf, derivation->ifname, take_pci_id,
					      derivation);

	if (r == 0 && derivation->found.count == 0)
		r = cni_prevresult_each_interface(&call->conf, derivation->ifname, take_mac,
						  derivation);
	if (r < 0)
		return r;
	/* The requested interface's own answer counts, whatever the others gave before it. */
	if (r == 1 || derivation->found.count == 1)
		return 0;
	return refuse_derivation(derivation, derivation->err);
}

int request_find_device(const struct call *call, struct request *request, struct error *err)
{
	struct derivation derivation = {
		.ifname = call->env.ifname,
		.sysfs = request->node.sysfs,
		.err = err,
	};
	struct function function;
	int r = 0;

	if (!request->attach.device_id) {
		r = derive(call, &derivation);
		if (r == 0 && !parse_copy(request->derived_device, sizeof(request->derived_device),
					  derivation.found.items[derivation.found.count - 1]))
			r = error_set(err, ERROR_CONFIG, 0, "'%s' is too long for a device",
				      derivation.found.items[0]);
		if (r == 0)
			request->attach.device_id = request->derived_device;
	}
	names_done(&derivation.found);
	text_done(&derivation.looked_at);
	if (r == 0)
		r = function_parse(request->attach.device_id, &function, err);
	return r;
}
