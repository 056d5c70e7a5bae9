/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what a CNI runtime says to what lib/attach understands: the only translator.
 */
#ifndef RDMA_CNI_CMD_RDMA_REQUEST_H
#define RDMA_CNI_CMD_RDMA_REQUEST_H

#include <rdma-cni/attach/attach.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/kernel/netns.h>
#include <stdbool.h>

#include "verbs.h"

struct request {
	struct attach_node node;
	struct attach_request attach;
	struct store store;
	char boot_id[NETNS_BOOT_ID_SIZE];
	char derived_device[LIMIT_FUNCTION_NAME_SIZE];
};

#define REQUEST_NONE ((struct request){ .store = STORE_NONE, .node.sysfs = -1, .attach.netns = -1 })

/* The configuration's options, for every command but DEL. ERROR_CONFIG names key and value. */
int request_read_options(struct call *call, struct error *err) must_check nonnull(1, 2);

/* The machine and the state directory: for every command. Failures are those of ADD. */
int request_open(const struct call *call, struct request *ret, struct error *err)
	must_check nonnull(1, 2, 3);

/* The pod's namespace. ERROR_ENVIRONMENT names CNI_NETNS. */
int request_open_netns(const struct call *call, struct request *request, struct error *err)
	must_check nonnull(1, 2, 3);

/*
 * The device: the configured one, else the one that the previous result's interfaces tell
 * (contract, section 3). ERROR_CONFIG says what was looked at.
 */
int request_find_device(const struct call *call, struct request *request, struct error *err)
	must_check nonnull(1, 2, 3);

/* True when the pod's namespace is the plugin's own, and the runtime did not allow that. */
bool request_is_in_own_netns(const struct call *call, const struct request *request) nonnull(1, 2);
int request_refuse_own_netns(const struct call *call, struct error *err) must_check nonnull(1, 2);

void request_close(struct request *request) nonnull(1);

#define cleanup_request cleanup(request_close)

#endif
