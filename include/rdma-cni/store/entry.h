/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entry: what is remembered of one attachment, and its text in the state directory.
 *
 * The text is JSON. `version`, `deviceID`, `sandboxRdmaDevName` (the name on the host) and
 * `containerRdmaDevName` (the name in the pod) are those of the Go rdma-cni, which can read
 * our files; a file with only these is accepted and gives an entry without identity.
 * Everything an entry holds is its own copy.
 */
#ifndef RDMA_CNI_STORE_ENTRY_H
#define RDMA_CNI_STORE_ENTRY_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/text.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which attachment: the specification's triple. Borrowed or owned, as the holder says. */
struct entry_key {
	const char *network;
	const char *container_id;
	const char *ifname;
};

/* One RDMA device that was moved. */
struct entry_device {
	char host_name[LIMIT_RDMA_NAME_SIZE];
	char pod_name[LIMIT_RDMA_NAME_SIZE];
	/* "uverbs3, umad3, issm3": before the move, and after it when they differ; "" unknown. */
	char char_devices[128];
	char moved_char_devices[128];
	/* The kernel's number of it in this boot, wherever it is and whatever its name. */
	uint32_t index;
	bool has_index;
};

struct entry {
	/* NULL in an entry of the Go plugin, all three. */
	char *network;
	char *container_id;
	char *ifname;
	char *device_id;
	/* For people who read the file, and for messages; NULL when unknown. */
	char *pod_namespace;
	char *pod_name;
	char *pod_uid;
	/* The pod's network namespace; inode 0 when unknown. */
	char *netns_path;
	uint64_t netns_device;
	uint64_t netns_inode;
	uint64_t netns_cookie;
	/* Which boot all this was true in; "" unknown. */
	char boot_id[64];
	struct entry_device devices[LIMIT_FUNCTION_DEVICES];
	size_t device_count;
};

bool entry_has_identity(const struct entry *entry) nonnull(1);
/* True when the entry says that it is of this attachment. */
bool entry_is_of(const struct entry *entry, const struct entry_key *key) nonnull(1, 2);

/* 0 or -ENOMEM. */
int entry_print(const struct entry *entry, struct text *ret) must_check nonnull(1, 2);

/*
 * ERROR_DECODE when the text is no entry: empty, truncated, of another version, or with names
 * that can't be names. Nothing of it may be acted on then.
 */
int entry_parse(const char *text, size_t length, struct entry *ret, struct error *err)
	must_check nonnull(3, 4);

void entry_done(struct entry *entry) nonnull(1);

#define cleanup_entry cleanup(entry_done)

#endif
