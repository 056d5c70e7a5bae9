/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the plugin is for: give a pod the RDMA devices of its function, and take them back.
 *
 * An attachment is written down before a device moves, so that whatever is interrupted can be
 * undone from what is on disk. Inside a namespace a device is known by its parent, the function;
 * a namespace by its identity and the boot it was seen in, never by its path alone.
 */
#ifndef RDMA_CNI_ATTACH_ATTACH_H
#define RDMA_CNI_ATTACH_ATTACH_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/log.h>
#include <rdma-cni/store/store.h>
#include <stdbool.h>
#include <stddef.h>

/* The machine that all this happens on. */
struct attach_node {
	int sysfs;	     /* the host's /sys */
	struct store *store; /* made by attach_add() if it does not exist */
	const char *boot_id;
	/* Told what happened and is worth a line in the log. */
	void (*report)(enum log_level level, const char *text);
};

struct attach_request {
	struct entry_key key;
	const char *device_id; /* PCI address or auxiliary device; NULL: not known (DEL, GC) */
	const char *netns_path;
	int netns; /* -1: there is none */
	/* Noted down for people; "" when unknown. */
	const char *pod_namespace;
	const char *pod_name;
	const char *pod_uid;
	/* ADD alone. */
	const char *name_template; /* contract section 6; NULL: the device keeps its name */
	int wait_seconds;
};

/* What attach_add() made, or found to be there already. */
struct attach_result {
	struct entry entry;
	bool changed;
};

/*
 * Attach. All or nothing: on failure everything is where it was. Again for an attachment that is
 * complete: 0, and nothing `changed`; for one that was left half done: it is completed.
 */
int attach_add(const struct attach_node *node, const struct attach_request *request,
	       struct attach_result *ret, struct error *err) must_check nonnull(1, 2, 3, 4);

/*
 * Take back what attach_add() just did, because a later step of the caller's failed. `netns` is
 * that of the request, which nothing but its descriptor may keep alive by now.
 */
int attach_undo(const struct attach_node *node, const struct attach_result *result, int netns,
		struct error *err) must_check nonnull(1, 2, 4);
void attach_result_done(struct attach_result *result) nonnull(1);

/*
 * Detach, as often as anyone likes. Fails only while a device is stuck in a living
 * namespace; the entry stays then.
 */
int attach_del(const struct attach_node *node, const struct attach_request *request,
	       struct error *err) must_check nonnull(1, 2, 3);

/* Is everything as ADD left it? Reads only. ERROR_CHECK names what is wrong. */
int attach_check(const struct attach_node *node, const struct attach_request *request,
		 struct error *err) must_check nonnull(1, 2, 3);

/*
 * Undo every attachment of `network` that is not among `valid` (whose network is not looked at).
 * `valid` NULL: only those that are provably dead. Goes on after a failure; ERROR_CLEANUP.
 */
int attach_gc(const struct attach_node *node, const char *network, const struct entry_key *valid,
	      size_t count, struct error *err) must_check nonnull(1, 2, 5);

/*
 * Could attach_add() work now? Reads only. ERROR_NOT_READY says why not, ERROR_IMPAIRED when there
 * are attachments that suffer too.
 */
int attach_status(const struct attach_node *node, struct error *err) must_check nonnull(1, 2);

/* The same for an `err` that the caller met before: it becomes one of the two kinds. */
void attach_status_of_failure(const struct attach_node *node, struct error *err) nonnull(1, 2);

#define cleanup_attach_result cleanup(attach_result_done)

#endif
