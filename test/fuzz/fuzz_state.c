/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file in the state directory: ours, the Go plugin's, anybody's.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <rdma-cni/kernel/function.h>
#include <rdma-cni/store/store.h>
#include <string.h>

static const struct entry_key key = { "net", "c1", "net1" };
static const char file_name[] = "net-c1-net1";

/* The directory of this process, made once and empty after every input. */
static struct store store = { .dir = -1, .path = "the scratch directory" };

static void write_file(const uint8_t *data, size_t size)
{
	const int cleanup_close fd =
		openat(store.dir, file_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	require(fd >= 0 && io_write_all(fd, data, size) == 0);
}

static void require_same_file(const uint8_t *data, size_t size)
{
	struct text cleanup_text now = { 0 };

	require(root_read_file(store.dir, file_name, SIZE_MAX / 2, &now) == 0);
	require_of(now.data, now.length == size && memcmp(now.data, data, size) == 0);
}

/* What a name may become: a part of a path, or of a netlink message. */
static void require_usable(const struct entry *entry)
{
	struct function function;
	struct error err = { 0 };

	require(entry->device_id && entry->device_id[0] != '\0');
	require(entry->device_count >= 1 && entry->device_count <= LIMIT_FUNCTION_DEVICES);
	for (size_t i = 0; i < entry->device_count; i++)
		require(parse_is_component(entry->devices[i].host_name) &&
			parse_is_component(entry->devices[i].pod_name));
	if (function_parse(entry->device_id, &function, &err) == 0)
		require_of(function.name, parse_is_component(function.name));
	require(entry_has_identity(entry) ||
		(!entry->network && !entry->container_id && !entry->ifname));
}

/*
 * Printed and parsed again it is the same entry. (Printing makes a foreign text readable, so it is
 * what was printed once that must stay.)
 */
static void require_round_trip(const struct entry *entry)
{
	struct entry cleanup_entry again = { 0 };
	struct text cleanup_text first = { 0 };
	struct text cleanup_text second = { 0 };
	struct error err = { 0 };

	require(entry_print(entry, &first) == 0);
	require_of(first.data, entry_parse(first.data, first.length, &again, &err) == 0);
	require(entry_print(&again, &second) == 0);
	require_of(first.data, strcmp(first.data, second.data) == 0);
	require_of(first.data, entry_has_identity(entry) == entry_has_identity(&again));
	require_of(first.data, entry->device_count == again.device_count);
	require(entry->netns_device == again.netns_device &&
		entry->netns_inode == again.netns_inode &&
		entry->netns_cookie == again.netns_cookie);
	if (fuzz_is_printable(entry->device_id))
		require_of(first.data, strcmp(entry->device_id, again.device_id) == 0);
}

static void save_own(struct error *err)
{
	char network[] = "net";
	char container_id[] = "c1";
	char ifname[] = "net1";
	char device[] = "0000:3b:02.3";
	const struct entry own = {
		.network = network,
		.container_id = container_id,
		.ifname = ifname,
		.device_id = device,
		.devices = { { .host_name = "mlx5_7", .pod_name = "mlx5_7" } },
		.device_count = 1,
	};

	require_of(err->msg, store_save(&store, &own, err) == 0);
}

/*
 * With that file in its way an attachment is written, read and removed again; the file is replaced
 * only when it is not the entry of another attachment.
 */
static void require_room_for_own(const uint8_t *data, size_t size, bool is_foreign)
{
	struct entry cleanup_entry read = { 0 };
	struct names cleanup_names left = { 0 };
	struct error err = { 0 };

	save_own(&err);
	require_of(err.msg, store_load(&store, &key, &read, &err) == 0);
	require(entry_is_of(&read, &key) && strcmp(read.devices[0].host_name, "mlx5_7") == 0);
	if (is_foreign)
		require_same_file(data, size);
	require_of(err.msg, store_remove(&store, &key, &err) == 0);
	if (is_foreign)
		require_same_file(data, size);
	require(store_list(&store, &left, &err) == 0 && left.count == (is_foreign ? 1 : 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct entry cleanup_entry entry = { 0 };
	struct entry cleanup_entry loaded = { 0 };
	struct error err = { 0 };
	struct error load_err = { 0 };
	bool is_foreign;
	int loading;
	int r;

	if (store.dir < 0)
		store.dir = fuzz_directory();
	r = entry_parse((const char *)data, size, &entry, &err);
	require_answer(r, &err);
	require(r == 0 || err.kind == ERROR_DECODE);
	write_file(data, size);
	is_foreign = r == 0 && entry_has_identity(&entry) && !entry_is_of(&entry, &key);
	loading = store_load(&store, &key, &loaded, &load_err);
	require(r == 0 ? loading == (is_foreign ? -ENOENT : 0) : load_err.kind == ERROR_DECODE);
	if (loading != -ENOENT)
		require_answer(loading, &load_err);
	if (r == 0) {
		require_usable(&entry);
		require_round_trip(&entry);
	}
	require_room_for_own(data, size, is_foreign);
	(void)unlinkat(store.dir, file_name, 0);
	return 0;
}
