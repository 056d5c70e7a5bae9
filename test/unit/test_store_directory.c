/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store/store: which directory may hold the state.
 */
#include "unit.h"

#include <rdma-cni/store/store.h>
#include <stdio.h>
#include <sys/stat.h>

static void a_directory_that_others_can_write_to_is_refused(void **state)
{
	static const struct {
		mode_t mode;
		bool refused;
	} rows[] = {
		{ 0700, false }, { 0755, false }, { 0750, false }, { 0500, false },
		{ 0770, true },	 { 0702, true },  { 0777, true },  { 01777, true },
	};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		struct store cleanup_store store = STORE_NONE;
		struct error err = { 0 };
		int r;

		assert_int_equal(fchmod(scratch->dir, rows[i].mode), 0);
		r = store_open(scratch->path, &store, &err);
		if (!rows[i].refused) {
			want_success(scratch->path, r, &err);
			continue;
		}
		want_error(scratch->path, r, &err, ERROR_STATE);
		want_contains("open", err.msg, scratch->path);
		assert_int_equal(store.dir, -1);
	}
	assert_int_equal(fchmod(scratch->dir, 0700), 0);
}

static void a_directory_is_made_private_and_no_link_however_it_is_written(void **state)
{
	static const char *const tails[] = { "", "/", "//", "/.", "/./", "/.//./" };
	const struct scratch *scratch = *state;
	const int dir = scratch->dir;
	char path[256];

	make_directory(dir, "target");
	make_link(dir, "link", "target");
	for (size_t i = 0; i < array_size(tails); i++) {
		struct store cleanup_store store = STORE_NONE;
		struct error err = { 0 };

		(void)snprintf(path, sizeof(path), "%s/new%zu/state%s", scratch->path, i, tails[i]);
		want_success(path, store_open(path, &store, &err), &err);
		want_success(path, store_create(&store, &err), &err);
		(void)snprintf(path, sizeof(path), "new%zu/state", i);
		want_int(path, mode_of(dir, path), S_IFDIR | 0700);
		store_close(&store);
		(void)snprintf(path, sizeof(path), "%s/link%s", scratch->path, tails[i]);
		want_error(path, store_open(path, &store, &err), &err, ERROR_STATE);
		store = (struct store){ .dir = -1, .path = path };
		want_error(path, store_create(&store, &err), &err, ERROR_STATE);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		scratch_test(a_directory_that_others_can_write_to_is_refused),
		scratch_test(a_directory_is_made_private_and_no_link_however_it_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
