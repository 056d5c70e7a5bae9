/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state directory.
 */
#include <rdma-cni/store/store.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/publish.h>
#include <rdma-cni/base/root.h>
#include <rdma-cni/base/text.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

/* The longest name with a hash. */
#define HASHED_NAME_MAX 250U
/* '~' and a 64-bit hash. */
#define HASH_SUFFIX_LENGTH 17U

/*
 * Whoever can write to the directory can have us move devices of others: it must be ours alone to
 * change. That others can read what is in it is for the administrator to say; the files are 0600.
 */
static int check_owner(int dir, const char *path, struct error *err)
{
	struct stat status;
	int r;

	if (fstat(dir, &status) < 0)
		return error_set(err, ERROR_STATE, errno, "cannot look at the state directory '%s'",
				 path);
	if (status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	r = error_set(err, ERROR_STATE, EPERM,
		      "cannot trust the state directory '%s' (owner %ju, mode %03o)", path,
		      (uintmax_t)status.st_uid, (unsigned int)status.st_mode & 07777U);
	error_details(err,
		      "others than root can write to it: look at what is in it, then chown root "
		      "and chmod 0700");
	return r;
}

/* `clean` is `path` without a slash at its end, which would make open(2) follow a link. */
static int open_directory(const char *clean, const char *path, struct store *ret, struct error *err)
{
	int cleanup_close dir = io_open(AT_FDCWD, clean, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	int r;

	if (dir < 0 && dir != -ENOENT)
		return error_set(err, ERROR_STATE, -dir, "cannot open the state directory '%s'",
				 path);
	r = dir < 0 ? 0 : check_owner(dir, path, err);
	if (r == 0)
		*ret = (struct store){ .dir = dir < 0 ? -1 : take_fd(&dir), .path = path };
	return r;
}

int store_open(const char *path, struct store *ret, struct error *err)
{
	char *cleanup_free clean = root_clean_path(path);

	return clean ? open_directory(clean, path, ret, err) : error_no_memory(err);
}

/* 0 when it is there already. */
static int make_directory(const char *path)
{
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

int store_create(struct store *store, struct error *err)
{
	char *cleanup_free clean = NULL;
	int r;

	if (store->dir >= 0)
		return 0;
	clean = root_clean_path(store->path);
	if (!clean)
		return error_no_memory(err);
	r = make_directory(clean);
	/* Parents that are missing are the exception. */
	if (r == -ENOENT) {
		r = root_make_parents(clean);
		if (r == 0)
			r = make_directory(clean);
	}
	if (r < 0)
		return error_set(err, ERROR_STATE, -r, "cannot create the state directory '%s'",
				 store->path);
	r = open_directory(clean, store->path, store, err);
	if (r == 0 && store->dir < 0)
		r = error_set(err, ERROR_STATE, ENOENT, "cannot open the state directory '%s'",
			      store->path);
	return r;
}

void store_close(struct store *store)
{
	cleanup_close_fd(&store->dir);
	store->dir = -1;
}

/* A file system that has run out of blocks or inodes (one without such limits says 0 of 0). */
static bool is_full(const char *path)
{
	struct statfs status;

	if (statfs(path, &status) < 0)
		return false;
	return (status.f_blocks > 0 && status.f_bavail == 0) ||
	       (status.f_files > 0 && status.f_ffree == 0);
}

int store_check_writable(const char *path, struct error *err)
{
	char *cleanup_free nearest = root_clean_path(path);
	struct stat status;

	if (!nearest)
		return error_no_memory(err);
	/* What is not there yet would be made below its nearest ancestor. */
	while (stat(nearest, &status) < 0 && errno == ENOENT) {
		char *slash = strrchr(nearest, '/');

		if (!slash || slash == nearest)
			(void)snprintf(nearest, 2, "/");
		else
			*slash = '\0';
	}
	if (faccessat(AT_FDCWD, nearest, W_OK | X_OK, AT_EACCESS) < 0)
		return error_set(err, ERROR_STATE, errno,
				 "cannot write to the state directory '%s'", path);
	if (!S_ISDIR(status.st_mode))
		return error_set(err, ERROR_STATE, ENOTDIR,
				 "cannot use the state directory '%s' ('%s')", path, nearest);
	if (is_full(nearest))
		return error_set(err, ERROR_STATE, ENOSPC,
				 "cannot write to the state directory '%s'", path);
	return 0;
}

/* False when the Go plugin's name is too long for a file. */
static bool plain_name(const struct entry_key *key, char ret[static STORE_FILE_SIZE])
{
	const int length = snprintf(ret, STORE_FILE_SIZE, "%s-%s-%s", key->network,
				    key->container_id, key->ifname);

	return length > 0 && (size_t)length < STORE_FILE_SIZE;
}

static void hashed_name(const struct entry_key *key, char ret[static STORE_FILE_SIZE])
{
	uint64_t hash = TEXT_HASH_START;

	/* The hash has the terminators in it, which keep "ab"+"c" and "a"+"bc" apart. */
	hash = text_hash(hash, key->network);
	hash = text_hash(hash, key->container_id);
	hash = text_hash(hash, key->ifname);
	/* Cut where it must be, for people who look for a file. */
	(void)plain_name(key, ret);
	ret[HASHED_NAME_MAX - HASH_SUFFIX_LENGTH] = '\0';
	(void)snprintf(ret + strlen(ret), HASH_SUFFIX_LENGTH + 1, "~%016" PRIx64, hash);
}

bool store_file_is_named_for(const char *file, const struct entry_key *key)
{
	char name[STORE_FILE_SIZE];

	return plain_name(key, name) && strcmp(name, file) == 0;
}

int store_load_file(const struct store *store, const char *file, struct entry *ret,
		    struct error *err)
{
	struct text cleanup_text text = { 0 };
	int r;

	if (store->dir < 0)
		return -ENOENT;
	r = root_read_file(store->dir, file, LIMIT_STATE_BYTES, &text);
	if (r == -ENOENT)
		return r;
	/* A link, a directory, a socket, a FIFO or a file of any size is not ours. */
	if (r == -ELOOP || r == -EISDIR || r == -ENXIO || r == -EAGAIN || r == -EFBIG)
		return error_set(err, ERROR_DECODE, -r, "cannot use the state file '%s/%s'",
				 store->path, file);
	if (r < 0)
		return error_set(err, ERROR_STATE, -r, "cannot read the state file '%s/%s'",
				 store->path, file);
	r = entry_parse(text.data, text.length, ret, err);
	if (r < 0)
		error_context(err, "cannot use the state file '%s/%s'", store->path, file);
	return r;
}

/*
 * Find the attachment's file. `ret_file` is where it is, or where it would be written; the
 * result is that of store_load_file(). The plain name serves unless it is too long or taken by
 * another attachment.
 */
int store_locate(const struct store *store, const struct entry_key *key, struct entry *ret,
		 char ret_file[static STORE_FILE_SIZE], struct error *err)
{
	char hashed[STORE_FILE_SIZE];
	struct entry cleanup_entry entry = { 0 };
	struct error plain_err;
	const bool fits = plain_name(key, ret_file);
	int plain = fits ? store_load_file(store, ret_file, &entry, &plain_err) : -ENAMETOOLONG;
	int r;

	if (plain == 0 && entry_has_identity(&entry) && !entry_is_of(&entry, key))
		plain = -EEXIST;
	hashed_name(key, hashed);
	r = plain == 0 ? -ENOENT : store_load_file(store, hashed, ret, err);
	if (r == 0 && !entry_is_of(ret, key)) {
		entry_done(ret);
		return error_set(err, ERROR_STATE, EEXIST,
				 "cannot use the state file '%s/%s': it belongs to another "
				 "attachment",
				 store->path, hashed);
	}
	/* The hashed file is there, or it is the one to use because the plain one is not ours. */
	if (r != -ENOENT || plain == -EEXIST || plain == -ENAMETOOLONG) {
		memcpy(ret_file, hashed, sizeof(hashed));
		return r;
	}
	if (plain == 0) {
		*ret = entry;
		entry = (struct entry){ 0 };
	} else if (plain != -ENOENT) {
		*err = plain_err;
	}
	return plain;
}

int store_load(const struct store *store, const struct entry_key *key, struct entry *ret,
	       struct error *err)
{
	char file[STORE_FILE_SIZE];

	return store_locate(store, key, ret, file, err);
}

int store_write(const struct store *store, const char *file, const struct entry *entry,
		struct error *err)
{
	struct text cleanup_text text = { 0 };
	int r = entry_print(entry, &text);

	if (r == 0)
		r = publish_file(store->dir, file, text.data, text.length, 0600);
	if (r < 0)
		return error_set(err, ERROR_STATE, -r, "cannot write the state file '%s/%s'",
				 store->path, file);
	return 0;
}

int store_save(const struct store *store, const struct entry *entry, struct error *err)
{
	const struct entry_key key = { entry->network, entry->container_id, entry->ifname };
	struct entry cleanup_entry old = { 0 };
	struct error unusable;
	char file[STORE_FILE_SIZE];
	int r = store_locate(store, &key, &old, file, &unusable);

	/* A file of ours that can't be used is replaced; one of another attachment is not. */
	if (r < 0 && r != -ENOENT && unusable.kind != ERROR_DECODE) {
		*err = unusable;
		return r;
	}
	return store_write(store, file, entry, err);
}

int store_remove_file(const struct store *store, const char *file, struct error *err)
{
	const int r = store->dir < 0 ? 0 : publish_remove(store->dir, file);

	if (r < 0)
		return error_set(err, ERROR_STATE, -r, "cannot remove the state file '%s/%s'",
				 store->path, file);
	return 0;
}

int store_remove(const struct store *store, const struct entry_key *key, struct error *err)
{
	struct entry cleanup_entry old = { 0 };
	struct error unreadable;
	char file[STORE_FILE_SIZE];
	const int r = store_locate(store, key, &old, file, &unreadable);

	/* A file that can't be used is ours to remove: it has our name, and belongs to nobody. */
	if (r < 0 && r != -ENOENT && unreadable.kind != ERROR_DECODE) {
		*err = unreadable;
		return r;
	}
	return store_remove_file(store, file, err);
}

int store_list(const struct store *store, struct names *ret, struct error *err)
{
	struct names cleanup_names all = { 0 };
	int r = store->dir < 0 ? 0 : root_list(store->dir, ".", &all);

	for (size_t i = 0; r == 0 && i < all.count; i++) {
		if (all.items[i][0] != '.')
			r = names_add(ret, all.items[i]);
	}
	if (r < 0)
		return error_set(err, ERROR_STATE, -r, "cannot list the state directory '%s'",
				 store->path);
	return 0;
}

bool store_has_entries(const struct store *store)
{
	bool found = false;
	char *cleanup_free clean = root_clean_path(store->path);
	struct names cleanup_names entries = { 0 };
	struct store cleanup_store seen = STORE_NONE;
	struct error ignored;

	if (!clean)
		return false;
	seen.dir = io_open(AT_FDCWD, clean, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	seen.path = store->path;
	if (store_list(&seen, &entries, &ignored) < 0)
		return false;
	for (size_t i = 0; !found && i < entries.count; i++) {
		struct entry cleanup_entry entry = { 0 };

		found = store_load_file(&seen, entries.items[i], &entry, &ignored) == 0;
	}
	return found;
}
