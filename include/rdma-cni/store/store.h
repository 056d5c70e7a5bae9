/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state directory: one file for each attachment.
 *
 * A file is named `<network>-<containerID>-<ifname>`, as the Go rdma-cni names it. Two
 * attachments can share that name (a-b + c, a + b-c), and it can be too long for a file: then a
 * shortened name with a hash behind '~' is used. Which attachment a file belongs to is
 * decided by the identity inside. Names that start with '.' are not entries: the lock, and
 * files that are being written.
 *
 * Files are 0600 in a 0700 directory, replaced as a whole, and never followed as links. The
 * directory itself is none either, however it is written, and one that others can write to is
 * refused.
 */
#ifndef RDMA_CNI_STORE_STORE_H
#define RDMA_CNI_STORE_STORE_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/names.h>
#include <rdma-cni/store/entry.h>
#include <stdbool.h>

#define STORE_LOCK_NAME ".lock"

/* A file's name and its terminator. */
#define STORE_FILE_SIZE 256U

struct store {
	int dir; /* -1: there is no state directory, so no entries */
	const char *path;
};

#define STORE_NONE ((struct store){ .dir = -1, .path = "" })

/*
 * Open the state directory `path` (borrowed). One that does not exist is an empty store, until
 * store_create() makes it, 0700, with its parents. ERROR_STATE.
 */
int store_open(const char *path, struct store *ret, struct error *err) must_check nonnull(1, 2, 3);
int store_create(struct store *store, struct error *err) must_check nonnull(1, 2);
void store_close(struct store *store) nonnull(1);

#define cleanup_store cleanup(store_close)

/* Could a file be written there now? Looks only: changes nothing. ERROR_STATE says why not. */
int store_check_writable(const char *path, struct error *err) must_check nonnull(1, 2);

/*
 * The entry of an attachment. -ENOENT: there is none (`err` not filled). ERROR_DECODE: its
 * file is there, but can't be used; ERROR_STATE: it can't be read.
 */
int store_load(const struct store *store, const struct entry_key *key, struct entry *ret,
	       struct error *err) must_check nonnull(1, 2, 3, 4);

/*
 * The same, and the file: where the entry is, or would be written. For store_write() and
 * store_remove_file(), which need not look again.
 */
int store_locate(const struct store *store, const struct entry_key *key, struct entry *ret,
		 char ret_file[static STORE_FILE_SIZE], struct error *err)
	must_check nonnull(1, 2, 3, 4, 5);
int store_write(const struct store *store, const char *file, const struct entry *entry,
		struct error *err) must_check nonnull(1, 2, 3, 4);

/* Write the entry, which must have an identity. ERROR_STATE. */
int store_save(const struct store *store, const struct entry *entry, struct error *err)
	must_check nonnull(1, 2, 3);

/*
 * Remove the attachment's file, also one that can't be read; 0 when there is none. Another
 * attachment's file stays. ERROR_STATE.
 */
int store_remove(const struct store *store, const struct entry_key *key, struct error *err)
	must_check nonnull(1, 2, 3);

/* For going through all of them: the file names, sorted; one file's entry; its removal. */
int store_list(const struct store *store, struct names *ret, struct error *err)
	must_check nonnull(1, 2, 3);
/* Is there any entry, also where store_open() refused the directory? For words only. */
bool store_has_entries(const struct store *store) nonnull(1);
int store_load_file(const struct store *store, const char *file, struct entry *ret,
		    struct error *err) must_check nonnull(1, 2, 3, 4);
int store_remove_file(const struct store *store, const char *file, struct error *err)
	must_check nonnull(1, 2, 3);

/*
 * True when the Go plugin would give the attachment's file this name: all that is known of
 * the owner of a file without identity.
 */
bool store_file_is_named_for(const char *file, const struct entry_key *key) nonnull(1, 2);

#endif
