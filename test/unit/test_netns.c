/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/netns: what can be said of namespaces without making one.
 */
#include "unit.h"

#include <fcntl.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/kernel/netns.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define COOKIE 71 /* SO_NETNS_COOKIE, which musl's headers lack */

static void only_a_network_namespace_is_opened(void **state)
{
	static const char *const paths[] = {
		"/proc/self/ns/mnt", "/proc/self/ns/uts",
		"/dev/null",	     "/",
		"/proc/self/status", "",
		"/no/such/path",     "/proc/self/ns/net/",
	};
	struct error err = { 0 };
	int cleanup_close good = -1;

	(void)state;
	want_success("own", netns_open("/proc/self/ns/net", &good, &err), &err);
	assert_true(good >= 0);
	assert_int_equal(fcntl(good, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	for (size_t i = 0; i < array_size(paths); i++) {
		int fd = 4711;

		err = (struct error){ 0 };
		want_error(paths[i], netns_open(paths[i], &fd, &err), &err, ERROR_ENVIRONMENT);
		want_contains(paths[i], err.msg, paths[i]);
		assert_int_equal(fd, 4711);
	}
}

static void a_fifo_in_place_of_a_namespace_does_not_hang(void **state)
{
	const struct scratch *scratch = *state;
	struct error err = { 0 };
	char path[128];
	int fd;

	assert_int_equal(mkfifoat(scratch->dir, "fifo", 0600), 0);
	(void)snprintf(path, sizeof(path), "%s/fifo", scratch->path);
	want_error("fifo", netns_open(path, &fd, &err), &err, ERROR_ENVIRONMENT);
}

static void our_own_namespace_has_the_identity_of_its_file(void **state)
{
	struct error err = { 0 };
	struct netns_id id = { .cookie = 7 };
	struct stat status;
	int cleanup_close fd = -1;

	(void)state;
	want_success("open", netns_open("/proc/self/ns/net", &fd, &err), &err);
	want_success("identify", netns_identify(fd, false, &id, &err), &err);
	assert_int_equal(stat("/proc/self/ns/net", &status), 0);
	assert_int_equal(id.device, status.st_dev);
	assert_int_equal(id.inode, status.st_ino);
	assert_int_equal(id.cookie, 0);
	want_error("closed", netns_identify(-1, false, &id, &err), &err, ERROR_INTERNAL);
	err = (struct error){ 0 };
	id = (struct netns_id){ .cookie = 7 };
	want_success("home", netns_identify(netns_home(&err), false, &id, &err), &err);
	assert_int_equal(netns_home(&err), netns_home(&err));
	assert_int_equal(id.device, status.st_dev);
	assert_int_equal(id.inode, status.st_ino);
	assert_int_equal(id.cookie, 0);
}

/* socket(7), SO_NETNS_COOKIE: any socket has its namespace's. */
static void a_socket_tells_whether_it_is_in_the_namespace_of_a_cookie(void **state)
{
	const int cleanup_close any = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct netns_id id = { 0 };
	uint64_t cookie = 0;
	socklen_t length = sizeof(cookie);

	(void)state;
	assert_true(any >= 0);
	assert_true(netns_cookie_agrees(&id, any));
	assert_int_equal(getsockopt(any, SOL_SOCKET, COOKIE, &cookie, &length), 0);
	id.cookie = cookie;
	assert_true(netns_cookie_agrees(&id, any));
	id.cookie = cookie + 1;
	assert_false(netns_cookie_agrees(&id, any));
	/* What can't be known contradicts nothing. */
	assert_true(netns_cookie_agrees(&id, -1));
}

static void identities_are_equal_unless_something_says_otherwise(void **state)
{
	static const struct {
		const char *row;
		struct netns_id a;
		struct netns_id b;
		bool equal;
	} rows[] = {
		{ "same", { 4, 100, 9 }, { 4, 100, 9 }, true },
		{ "another inode", { 4, 100, 9 }, { 4, 101, 9 }, false },
		{ "another device", { 4, 100, 9 }, { 5, 100, 9 }, false },
		{ "another cookie", { 4, 100, 9 }, { 4, 100, 10 }, false },
		{ "no cookie here", { 4, 100, 0 }, { 4, 100, 10 }, true },
		{ "no cookie there", { 4, 100, 9 }, { 4, 100, 0 }, true },
		{ "no cookies", { 4, 100, 0 }, { 4, 100, 0 }, true },
		{ "no cookies, another inode", { 4, 100, 0 }, { 4, 101, 0 }, false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		want_int(rows[i].row, netns_id_equal(&rows[i].a, &rows[i].b), rows[i].equal);
}

static void a_living_namespace_is_found_with_and_without_its_path(void **state)
{
	struct error err = { 0 };
	struct netns_id own;
	int cleanup_close fd = -1;

	(void)state;
	want_success("open", netns_open("/proc/self/ns/net", &fd, &err), &err);
	want_success("identify", netns_identify(fd, false, &own, &err), &err);
	const int cleanup_close by_path = netns_find(&own, "/proc/self/ns/net");
	assert_true(by_path >= 0);
	/* Another namespace, or none, at the path that was noted down. */
	own.inode ^= 1;
	assert_int_equal(netns_find(&own, "/proc/self/ns/net"), -ENOENT);
	assert_int_equal(netns_find(&own, "/no/such/path"), -ENOENT);
	assert_int_equal(netns_find(&own, ""), -ENOENT);
}

static void what_can_not_be_looked_at_is_not_gone(void **state)
{
	struct rlimit old;
	struct rlimit none;
	struct error err = { 0 };
	struct netns_id id = { 0 };
	char boot[NETNS_BOOT_ID_SIZE];
	int cleanup_close fd = -1;
	int found[4];

	(void)state;
	want_success("open", netns_open("/proc/self/ns/net", &fd, &err), &err);
	want_success("identify", netns_identify(fd, false, &id, &err), &err);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	found[0] = netns_find(&id, "/proc/self/ns/net");
	found[1] = netns_find(&id, "");
	found[2] = netns_boot_id(boot);
	found[3] = netns_identify(fd, true, &id, &err);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	for (size_t i = 0; i < array_size(found); i++)
		assert_int_equal(found[i], -EMFILE);
}

static void a_visit_that_did_not_begin_has_no_end(void **state)
{
	struct netns_visit visit = NETNS_AT_HOME;
	struct error err = { 0 };

	(void)state;
	netns_return(&visit);
	assert_true(netns_enter(-1, &visit, &err) < 0);
	assert_int_equal(err.kind, ERROR_INTERNAL);
	assert_int_equal(visit.home, -1);
	netns_return(&visit);
}

static void a_boot_has_an_identifier_of_hexadecimal_groups(void **state)
{
	char id[NETNS_BOOT_ID_SIZE] = "";
	char again[NETNS_BOOT_ID_SIZE] = "";

	(void)state;
	assert_int_equal(netns_boot_id(id), 0);
	assert_int_equal(netns_boot_id(again), 0);
	assert_int_equal(strlen(id), 36);
	for (size_t i = 0; i < 36; i++)
		assert_true((i == 8 || i == 13 || i == 18 || i == 23)
				    ? id[i] == '-'
				    : strchr("0123456789abcdef", id[i]) != NULL);
	assert_string_equal(id, again);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_network_namespace_is_opened),
		scratch_test(a_fifo_in_place_of_a_namespace_does_not_hang),
		cmocka_unit_test(our_own_namespace_has_the_identity_of_its_file),
		cmocka_unit_test(a_socket_tells_whether_it_is_in_the_namespace_of_a_cookie),
		cmocka_unit_test(identities_are_equal_unless_something_says_otherwise),
		cmocka_unit_test(a_living_namespace_is_found_with_and_without_its_path),
		cmocka_unit_test(what_can_not_be_looked_at_is_not_gone),
		cmocka_unit_test(a_visit_that_did_not_begin_has_no_end),
		cmocka_unit_test(a_boot_has_an_identifier_of_hexadecimal_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
