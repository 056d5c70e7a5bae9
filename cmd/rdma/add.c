/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ADD.
 */
#include <rdma-cni/cni/devinfo.h>
#include <rdma-cni/cni/output.h>
#include <rdma-cni/cni/prevresult.h>
#include <rdma-cni/cni/result.h>
#include <rdma-cni/kernel/function.h>
#include <string.h>
#include <unistd.h>

#include "request.h"
#include "verbs.h"

/* All that can be known to be wrong before the machine is looked at. */
static int read_configuration(struct call *call, struct text *result, struct error *err)
{
	int r = request_read_options(call, err);

	if (r == 0)
		r = cni_prevresult_require(&call->conf, err);
	return r < 0 ? r : cni_result_build(&call->conf, result, err);
}

/* The file is there for the pod's users; without it the device works as well. */
static void update_device_info(const struct call *call, const struct attach_result *attached)
{
	const struct entry *entry = &attached->entry;
	struct cni_device_name names[LIMIT_FUNCTION_DEVICES];
	struct function function;
	struct error problem;
	const char *pci_address;

	if (!call->conf.devinfo_file)
		return;
	for (size_t i = 0; i < entry->device_count; i++)
		names[i] = (struct cni_device_name){ entry->devices[i].host_name,
						     entry->devices[i].pod_name };
	pci_address = function_parse(entry->device_id, &function, &problem) == 0 &&
				      function.bus == FUNCTION_PCI
			      ? function.name
			      : NULL;
	if (cni_devinfo_update(call->conf.devinfo_file, pci_address, names, entry->device_count,
			       &problem) < 0)
		log_warning("%s", problem.msg);
}

static void log_attached(const struct attach_result *attached)
{
	const struct entry *entry = &attached->entry;

	for (size_t i = 0; i < entry->device_count; i++)
		log_info("%s RDMA device '%s' of '%s' as '%s' (%s)",
			 attached->changed ? "gave the pod" : "the pod already has",
			 entry->devices[i].host_name, entry->device_id, entry->devices[i].pod_name,
			 entry->devices[i].char_devices[0] ? entry->devices[i].char_devices
							   : "no character devices known");
}

/* A result that nobody received is no success: what was done is undone. */
static int deliver(const struct request *request, const struct attach_result *attached,
		   const struct text *result, struct error *err)
{
	struct error undo_err;
	const int r = cni_output_document(STDOUT_FILENO, result, err);

	if (r < 0 && attach_undo(&request->node, attached, request->attach.netns, &undo_err) < 0)
		error_gather(err, &undo_err);
	return r;
}

int verb_add(struct call *call, struct error *err)
{
	struct attach_result cleanup_attach_result attached = { 0 };
	struct request cleanup_request request = REQUEST_NONE;
	struct text cleanup_text result = { 0 };
	int r = read_configuration(call, &result, err);

	if (r == 0)
		r = request_open(call, &request, err);
	if (r == 0)
		r = request_find_device(call, &request, err);
	if (r == 0)
		r = request_open_netns(call, &request, err);
	if (r == 0 && request_is_in_own_netns(call, &request))
		r = request_refuse_own_netns(call, err);
	if (r == 0)
		r = attach_add(&request.node, &request.attach, &attached, err);
	if (r != 0)
		return r;
	log_attached(&attached);
	update_device_info(call, &attached);
	return deliver(&request, &attached, &result, err);
}
