/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store/store: one file an attachment, whatever else stands in the directory.
 */
#include "unit.h"

#include <rdma-cni/base/publish.h>
#include <rdma-cni/store/store.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const struct entry_key key = { "net", "c1", "net1" };

#define FILE_NAME "net-c1-net1"

/* A store in a directory that store_create() made, with nothing in it. */
struct fixture {
	struct scratch *scratch;
	struct store store;
	char path[128];
};

static int setup(void **state)
{
	static struct fixture fixture;
	struct error err = { 0 };
	void *scratch = NULL;

	if (scratch_setup(&scratch) < 0)
		return -1;
	fixture.scratch = scratch;
	(void)snprintf(fixture.path, sizeof(fixture.path), "%s/cni/rdma", fixture.scratch->path);
	*state = &fixture;
	if (store_open(fixture.path, &fixture.store, &err) < 0)
		return -1;
	return store_create(&fixture.store, &err);
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	void *scratch = fixture->scratch;

	store_close(&fixture->store);
	return scratch_teardown(&scratch);
}

/* An entry that owns nothing: it is not passed to entry_done(). */
static struct entry entry_of(const struct entry_key *of, const char *device_id)
{
	return (struct entry){ .network = text_of(of->network),
			       .container_id = text_of(of->container_id),
			       .ifname = text_of(of->ifname),
			       .device_id = text_of(device_id),
			       .devices = { { .host_name = "mlx5_2", .pod_name = "mlx5_2" } },
			       .device_count = 1 };
}

static void save(const struct fixture *fixture, const struct entry_key *of, const char *device_id)
{
	const struct entry entry = entry_of(of, device_id);
	struct error err = { 0 };

	want_success(device_id, store_save(&fixture->store, &entry, &err), &err);
}

static void want_stored(const struct fixture *fixture, const struct entry_key *of,
			const char *device_id)
{
	struct entry cleanup_entry entry = { 0 };
	struct error err = { 0 };

	want_success(device_id, store_load(&fixture->store, of, &entry, &err), &err);
	want_string("device", entry.device_id, device_id);
}

static void want_none(const struct fixture *fixture, const struct entry_key *of)
{
	struct entry cleanup_entry entry = { 0 };
	struct error err = { 0 };

	want_int(of->network, store_load(&fixture->store, of, &entry, &err), -ENOENT);
	want_int(of->network, err.kind, ERROR_NONE);
}

static void remove_entry(const struct fixture *fixture, const struct entry_key *of)
{
	struct error err = { 0 };

	want_success(of->network, store_remove(&fixture->store, of, &err), &err);
}

static void want_files(const struct fixture *fixture, const char *expected)
{
	struct names cleanup_names names = { 0 };
	struct error err = { 0 };
	char joined[1024];

	want_success("list", store_list(&fixture->store, &names, &err), &err);
	want_string("files", names_join(&names, joined, sizeof(joined)), expected);
}

static void a_store_that_does_not_exist_is_empty_and_stays_absent(void **state)
{
	const struct scratch *scratch = *state;
	struct fixture fixture = { 0 };
	struct error err = { 0 };

	(void)snprintf(fixture.path, sizeof(fixture.path), "%s/a/b", scratch->path);
	want_success("open", store_open(fixture.path, &fixture.store, &err), &err);
	assert_int_equal(fixture.store.dir, -1);
	want_none(&fixture, &key);
	want_files(&fixture, "none");
	remove_entry(&fixture, &key);
	want_success("file", store_remove_file(&fixture.store, "x", &err), &err);
	want_success("writable", store_check_writable(fixture.path, &err), &err);
	assert_false(is_there(scratch->dir, "a"));
	store_close(&fixture.store);
}

static void directory_and_files_are_private_under_any_umask(void **state)
{
	static const mode_t masks[] = { 0, 022, 077 };
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(masks); i++) {
		const mode_t old = umask(masks[i]);
		struct fixture fixture = { 0 };
		struct error err = { 0 };
		char name[16];
		char file[64];

		(void)snprintf(name, sizeof(name), "rdma%zu", i);
		(void)snprintf(fixture.path, sizeof(fixture.path), "%s/%s", scratch->path, name);
		want_success("open", store_open(fixture.path, &fixture.store, &err), &err);
		want_success("create", store_create(&fixture.store, &err), &err);
		want_success("again", store_create(&fixture.store, &err), &err);
		save(&fixture, &key, "d");
		(void)umask(old);
		assert_int_equal(mode_of(scratch->dir, name), S_IFDIR | 0700);
		(void)snprintf(file, sizeof(file), "%s/" FILE_NAME, name);
		assert_int_equal(mode_of(scratch->dir, file), S_IFREG | 0600);
		store_close(&fixture.store);
	}
}

static void a_state_directory_that_is_none_is_an_error(void **state)
{
	static const char *const names[] = { "file", "link", "file/below" };
	const struct scratch *scratch = *state;

	make_file(scratch->dir, "file", "");
	make_directory(scratch->dir, "directory");
	make_link(scratch->dir, "link", "directory");
	for (size_t i = 0; i < array_size(names); i++) {
		struct store cleanup_store store = STORE_NONE;
		struct error err = { 0 };
		char path[128];

		(void)snprintf(path, sizeof(path), "%s/%s", scratch->path, names[i]);
		want_error(names[i], store_open(path, &store, &err), &err, ERROR_STATE);
		want_contains(names[i], err.msg, path);
		if (strcmp(names[i], "link") == 0)
			continue;
		err = (struct error){ 0 };
		want_error(names[i], store_check_writable(path, &err), &err, ERROR_STATE);
	}
}

static void an_entry_is_saved_loaded_replaced_and_removed(void **state)
{
	const struct fixture *fixture = *state;

	want_none(fixture, &key);
	save(fixture, &key, "0000:3b:02.3");
	want_files(fixture, FILE_NAME);
	want_stored(fixture, &key, "0000:3b:02.3");
	save(fixture, &key, "d");
	want_files(fixture, FILE_NAME);
	want_stored(fixture, &key, "d");
	remove_entry(fixture, &key);
	remove_entry(fixture, &key);
	want_none(fixture, &key);
	want_files(fixture, "none");
}

static void the_go_plugins_file_is_found_replaced_and_removed(void **state)
{
	const struct fixture *fixture = *state;
	struct entry cleanup_entry entry = { 0 };
	struct error err = { 0 };

	make_file(fixture->store.dir, FILE_NAME, GO_ENTRY);
	want_success("load", store_load(&fixture->store, &key, &entry, &err), &err);
	assert_false(entry_has_identity(&entry));
	assert_string_equal(entry.device_id, "0000:01:10.2");
	assert_true(store_file_is_named_for(FILE_NAME, &key));
	save(fixture, &key, "d");
	want_files(fixture, FILE_NAME);
	want_stored(fixture, &key, "d");
	make_file(fixture->store.dir, FILE_NAME, GO_ENTRY);
	remove_entry(fixture, &key);
	want_files(fixture, "none");
}

/* a-b + c and a + b-c would have the same file. */
static void attachments_that_share_a_name_do_not_share_a_file(void **state)
{
	static const struct entry_key keys[] = {
		{ "a-b", "c", "net1" },
		{ "a", "b-c", "net1" },
		{ "a", "b", "c-net1" },
	};
	const struct fixture *fixture = *state;

	save(fixture, &keys[0], "d0");
	want_none(fixture, &keys[1]);
	remove_entry(fixture, &keys[1]);
	want_stored(fixture, &keys[0], "d0");
	save(fixture, &keys[1], "d1");
	save(fixture, &keys[2], "d2");
	for (int again = 0; again < 2; again++) {
		want_stored(fixture, &keys[0], "d0");
		want_stored(fixture, &keys[1], "d1");
		want_stored(fixture, &keys[2], "d2");
		save(fixture, &keys[1], "d1");
	}
	remove_entry(fixture, &keys[0]);
	want_none(fixture, &keys[0]);
	want_stored(fixture, &keys[1], "d1");
	save(fixture, &keys[1], "new d1");
	want_stored(fixture, &keys[1], "new d1");
	save(fixture, &keys[0], "d0");
	want_stored(fixture, &keys[1], "new d1");
	remove_entry(fixture, &keys[1]);
	want_stored(fixture, &keys[0], "d0");
	want_stored(fixture, &keys[2], "d2");
	remove_entry(fixture, &keys[2]);
	remove_entry(fixture, &keys[0]);
	want_files(fixture, "none");
}

static void names_of_any_length_have_files_of_their_own(void **state)
{
	const struct fixture *fixture = *state;
	char *cleanup_free network = repeat("n", 300);
	char *cleanup_free id = repeat("c", 5000);
	char *cleanup_free another = repeat("c", 5001);
	const struct entry_key keys[] = {
		{ network, "c", "net1" }, { network, id, "net1" }, { network, another, "net1" },
		{ network, id, "net2" },  { "n", id, "net1" },
	};
	struct names cleanup_names files = { 0 };
	struct error err = { 0 };
	char device[16];

	for (size_t i = 0; i < array_size(keys); i++) {
		(void)snprintf(device, sizeof(device), "d%zu", i);
		want_none(fixture, &keys[i]);
		save(fixture, &keys[i], device);
	}
	for (size_t i = 0; i < array_size(keys); i++) {
		(void)snprintf(device, sizeof(device), "d%zu", i);
		want_stored(fixture, &keys[i], device);
	}
	want_success("list", store_list(&fixture->store, &files, &err), &err);
	assert_int_equal(files.count, array_size(keys));
	for (size_t i = 0; i < files.count; i++)
		assert_true(strlen(files.items[i]) <= 255);
	remove_entry(fixture, &keys[1]);
	want_none(fixture, &keys[1]);
	want_stored(fixture, &keys[2], "d2");
}

static void the_longest_plain_name_is_the_go_plugins(void **state)
{
	const struct fixture *fixture = *state;

	/* Two '-' and "net1" beside the network and "c". */
	for (size_t length = 245 - 6; length <= 256 - 6; length++) {
		char *cleanup_free network = repeat("n", length);
		const struct entry_key long_key = { network, "c", "net1" };
		char file[300];

		(void)snprintf(file, sizeof(file), "%s-c-net1", network);
		save(fixture, &long_key, "d");
		want_int(file, is_there(fixture->store.dir, file), strlen(file) <= 255);
		want_int(file, store_file_is_named_for(file, &long_key), strlen(file) <= 255);
		want_stored(fixture, &long_key, "d");
	}
}

static void a_name_can_not_leave_the_directory(void **state)
{
	static const struct entry_key keys[] = {
		{ "a", "b", ".." },
		{ "...", "...", "..." },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < array_size(keys); i++) {
		save(fixture, &keys[i], "d");
		want_stored(fixture, &keys[i], "d");
	}
	want_int("inside", is_there(fixture->store.dir, "a-b-.."), true);
}

/* Empty, cut short, foreign, too large: never an entry, never a crash, always removable. */
static void an_unusable_file_is_no_entry_and_can_be_replaced_and_removed(void **state)
{
	const struct fixture *fixture = *state;
	char *cleanup_free large = repeat(" ", 70000);
	const char *const texts[] = {
		"",   "\n",  "{", "hello", "{\"version\":\"1.0\",\"deviceID\":\"0000:01:10.2\"",
		"[]", large,
	};

	for (size_t i = 0; i < array_size(texts); i++) {
		struct entry cleanup_entry entry = { 0 };
		struct error err = { 0 };

		make_file(fixture->store.dir, FILE_NAME, texts[i]);
		want_error("load", store_load(&fixture->store, &key, &entry, &err), &err,
			   ERROR_DECODE);
		want_contains("load", err.msg, FILE_NAME);
		assert_null(entry.device_id);
		remove_entry(fixture, &key);
		want_files(fixture, "none");
		make_file(fixture->store.dir, FILE_NAME, texts[i]);
		save(fixture, &key, "d");
		want_stored(fixture, &key, "d");
		remove_entry(fixture, &key);
	}
}

static void a_planted_link_is_neither_read_nor_written(void **state)
{
	const struct fixture *fixture = *state;
	const int dir = fixture->scratch->dir;
	struct entry cleanup_entry entry = { 0 };
	struct error err = { 0 };

	make_file(dir, "victim", GO_ENTRY);
	for (int i = 0; i < 2; i++) {
		make_link(fixture->store.dir, FILE_NAME, i ? "/no/such/file" : "../../victim");
		err = (struct error){ 0 };
		want_error("link", store_load(&fixture->store, &key, &entry, &err), &err,
			   ERROR_DECODE);
		save(fixture, &key, "d");
		want_stored(fixture, &key, "d");
		remove_entry(fixture, &key);
		make_link(fixture->store.dir, FILE_NAME, "../../victim");
		remove_entry(fixture, &key);
	}
	assert_string_equal(file_text(dir, "victim"), GO_ENTRY);
}

static void a_hard_link_is_replaced_and_removed_alone(void **state)
{
	const struct fixture *fixture = *state;
	const int dir = fixture->scratch->dir;

	make_file(dir, "victim", "precious");
	assert_int_equal(linkat(dir, "victim", fixture->store.dir, FILE_NAME, 0), 0);
	save(fixture, &key, "d");
	want_stored(fixture, &key, "d");
	remove_entry(fixture, &key);
	assert_int_equal(linkat(dir, "victim", fixture->store.dir, FILE_NAME, 0), 0);
	remove_entry(fixture, &key);
	assert_string_equal(file_text(dir, "victim"), "precious");
}

static void plant_socket(const struct fixture *fixture)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	assert_true(fd >= 0);
	assert_true(snprintf(address.sun_path, sizeof(address.sun_path), "%s/" FILE_NAME,
			     fixture->path) < (int)sizeof(address.sun_path));
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	(void)close(fd);
}

static void a_planted_fifo_or_socket_hangs_nobody_and_is_replaced(void **state)
{
	const struct fixture *fixture = *state;

	for (int i = 0; i < 4; i++) {
		struct entry cleanup_entry entry = { 0 };
		struct error err = { 0 };

		if (i % 2 == 0)
			assert_int_equal(mkfifoat(fixture->store.dir, FILE_NAME, 0600), 0);
		else
			plant_socket(fixture);
		want_error("load", store_load(&fixture->store, &key, &entry, &err), &err,
			   ERROR_DECODE);
		if (i < 2)
			save(fixture, &key, "d");
		remove_entry(fixture, &key);
		want_files(fixture, "none");
	}
}

static void hidden_files_are_no_entries(void **state)
{
	const struct fixture *fixture = *state;

	make_file(fixture->store.dir, STORE_LOCK_NAME, "");
	make_file(fixture->store.dir, "." FILE_NAME ".tmp", GO_ENTRY);
	want_none(fixture, &key);
	want_files(fixture, "none");
	save(fixture, &key, "d");
	want_files(fixture, FILE_NAME);
	/* What a killed writer left goes with its entry. */
	make_file(fixture->store.dir, "." FILE_NAME ".tmp", "{");
	remove_entry(fixture, &key);
	assert_false(is_there(fixture->store.dir, "." FILE_NAME ".tmp"));
	assert_true(is_there(fixture->store.dir, STORE_LOCK_NAME));
}

static void files_are_listed_loaded_and_removed_by_name(void **state)
{
	static const struct entry_key keys[] = { { "b", "c", "i" }, { "a", "c", "i" } };
	const struct fixture *fixture = *state;
	struct entry cleanup_entry entry = { 0 };
	struct error err = { 0 };

	save(fixture, &keys[0], "d0");
	save(fixture, &keys[1], "d1");
	make_file(fixture->store.dir, "foreign", "x");
	want_files(fixture, "a-c-i, b-c-i, foreign");
	want_success("load", store_load_file(&fixture->store, "a-c-i", &entry, &err), &err);
	assert_true(entry_is_of(&entry, &keys[1]));
	want_int("none", store_load_file(&fixture->store, "none", &entry, &err), -ENOENT);
	want_error("foreign", store_load_file(&fixture->store, "foreign", &entry, &err), &err,
		   ERROR_DECODE);
	err = (struct error){ 0 };
	for (int again = 0; again < 2; again++)
		want_success("remove", store_remove_file(&fixture->store, "a-c-i", &err), &err);
	want_files(fixture, "b-c-i, foreign");
}

static void a_directory_under_an_entrys_name_is_told(void **state)
{
	const struct fixture *fixture = *state;
	const struct entry entry = entry_of(&key, "d");
	struct error err = { 0 };

	make_directory(fixture->store.dir, FILE_NAME);
	want_error("save", store_save(&fixture->store, &entry, &err), &err, ERROR_STATE);
	want_contains("save", err.msg, FILE_NAME);
	err = (struct error){ 0 };
	want_error("remove", store_remove(&fixture->store, &key, &err), &err, ERROR_STATE);
	want_files(fixture, FILE_NAME);
}

static void a_writable_directory_is_recognised_without_a_change(void **state)
{
	const struct fixture *fixture = *state;
	struct error err = { 0 };

	want_success("own", store_check_writable(fixture->path, &err), &err);
	want_success("deep", store_check_writable("/tmp/no/such/directory/at/all", &err), &err);
	want_error("device", store_check_writable("/dev/null/x", &err), &err, ERROR_STATE);
	want_contains("device", err.msg, "/dev/null/x");
	assert_false(is_there(fixture->scratch->dir, "no"));
}

#define store_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(a_store_that_does_not_exist_is_empty_and_stays_absent),
		scratch_test(directory_and_files_are_private_under_any_umask),
		scratch_test(a_state_directory_that_is_none_is_an_error),
		store_test(an_entry_is_saved_loaded_replaced_and_removed),
		store_test(the_go_plugins_file_is_found_replaced_and_removed),
		store_test(attachments_that_share_a_name_do_not_share_a_file),
		store_test(names_of_any_length_have_files_of_their_own),
		store_test(the_longest_plain_name_is_the_go_plugins),
		store_test(a_name_can_not_leave_the_directory),
		store_test(an_unusable_file_is_no_entry_and_can_be_replaced_and_removed),
		store_test(a_planted_link_is_neither_read_nor_written),
		store_test(a_hard_link_is_replaced_and_removed_alone),
		store_test(a_planted_fifo_or_socket_hangs_nobody_and_is_replaced),
		store_test(hidden_files_are_no_entries),
		store_test(files_are_listed_loaded_and_removed_by_name),
		store_test(a_directory_under_an_entrys_name_is_told),
		store_test(a_writable_directory_is_recognised_without_a_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
