/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/nldev: the RDMA commands, asked and answered as the kernel's nldev.c does.
 */
#include "unit.h"

#include "netlink.h"
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/kernel/nldev.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <string.h>

static int setup(void **state)
{
	static struct nl nl;
	struct error err = { 0 };

	kernel_reset();
	want_success("open", nldev_open(&nl, &err), &err);
	*state = &nl;
	return 0;
}

static int teardown(void **state)
{
	nl_end(*state);
	return kernel_open_sockets() == 0 ? 0 : -1;
}

static uint16_t type_of(unsigned int command)
{
	return (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
}

/* A device in a dump; an attribute that is -1 or NULL is left out. */
static void answer_device(int64_t index, const char *name)
{
	struct nlmsghdr *message = kernel_message(type_of(RDMA_NLDEV_CMD_GET), NLM_F_MULTI);

	/* As a newer kernel: an attribute that nobody here knows. */
	mnl_attr_put_strz(message, 1000, "?");
	if (index >= 0)
		mnl_attr_put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, (uint32_t)index);
	if (name)
		mnl_attr_put_strz(message, RDMA_NLDEV_ATTR_DEV_NAME, name);
	mnl_attr_put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
}

/* A whole dump with one device in it, mlx5_3 by name. */
static void answer_others(int64_t index)
{
	kernel_answers();
	answer_device(index, "mlx5_3");
	kernel_ends_dump(0);
}

static void a_kernel_without_rdma_is_told_with_what_to_do(void **state)
{
	struct nl cleanup_nl nl = NL_CLOSED;
	struct error err = { 0 };

	(void)state;
	kernel_reset();
	kernel_fails_open(EPROTONOSUPPORT);
	want_error("open", nldev_open(&nl, &err), &err, ERROR_NO_RDMA);
	want_contains("what to do", err.details, "modprobe");
}

static void the_netns_mode_is_read(void **state)
{
	static const struct {
		uint8_t value;
		enum nldev_netns_mode mode;
	} rows[] = { { 0, NLDEV_NETNS_EXCLUSIVE }, { 1, NLDEV_NETNS_SHARED } };
	struct nl *nl = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		enum nldev_netns_mode mode = (enum nldev_netns_mode)7;
		struct error err = { 0 };

		kernel_answers();
		mnl_attr_put_u8(kernel_message(type_of(RDMA_NLDEV_CMD_SYS_GET), 0),
				RDMA_NLDEV_SYS_ATTR_NETNS_MODE, rows[i].value);
		want_success("mode", nldev_get_netns_mode(nl, &mode, &err), &err);
		assert_int_equal(mode, rows[i].mode);
		assert_int_equal(kernel_request()->nlmsg_type, type_of(RDMA_NLDEV_CMD_SYS_GET));
	}
}

static void a_kernel_without_netns_mode_has_no_rdma_namespaces(void **state)
{
	struct nl *nl = *state;
	enum nldev_netns_mode mode = (enum nldev_netns_mode)7;
	struct error err = { 0 };

	kernel_answers();
	mnl_attr_put_u8(kernel_message(type_of(RDMA_NLDEV_CMD_SYS_GET), 0), 1000, 0);
	want_error("absent", nldev_get_netns_mode(nl, &mode, &err), &err, ERROR_NO_RDMA);
	kernel_answers();
	kernel_refuses(EINVAL, NULL);
	want_error("refused", nldev_get_netns_mode(nl, &mode, &err), &err, ERROR_NO_RDMA);
	want_contains("what to do", err.details, "5.3");
	kernel_answers();
	mnl_attr_put(kernel_message(type_of(RDMA_NLDEV_CMD_SYS_GET), 0),
		     RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 0, NULL);
	want_error("empty", nldev_get_netns_mode(nl, &mode, &err), &err, ERROR_NO_RDMA);
	assert_int_equal((int)mode, 7);
}

static void a_device_is_found_by_its_whole_name(void **state)
{
	struct nl *nl = *state;
	struct nldev_device device = { 0 };
	struct error err = { 0 };

	kernel_answers();
	answer_device(3, "mlx5_22");
	answer_device(4, "mlx5_");
	answer_device(5, NULL);
	answer_device(-1, "mlx5_2");
	answer_device(7, "mlx5_2");
	answer_device(8, "mlx5_9");
	want_success("find", nldev_find(nl, "mlx5_2", &device, &err), &err);
	assert_int_equal(device.index, 7);
	assert_string_equal(device.name, "mlx5_2");
	assert_int_equal(kernel_request()->nlmsg_type, type_of(RDMA_NLDEV_CMD_GET));
	assert_int_equal(kernel_request()->nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
}

/* As the kernel does: a packet for each device. */
static void answer_devices(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "mlx5_%u", i);
		kernel_answers();
		answer_device(i, name);
	}
	kernel_answers();
	kernel_ends_dump(0);
}

static void many_devices_are_read_at_a_time_and_no_further_than_the_match(void **state)
{
	static const struct {
		const char *name;
		size_t left;	      /* packets of 61 that nobody read */
		unsigned int sockets; /* for this and the next request */
	} rows[] = {
		{ "mlx5_0", 29, 2 },
		{ "mlx5_31", 29, 2 },
		{ "mlx5_32", 0, 1 },
		{ "mlx5_59", 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct nl cleanup_nl nl = NL_CLOSED;
		struct nldev_device device;
		struct error err = { 0 };

		kernel_reset();
		want_success("open", nldev_open(&nl, &err), &err);
		answer_devices(60);
		kernel_gives(64);
		want_success(rows[i].name, nldev_find(&nl, rows[i].name, &device, &err), &err);
		want_string("name", device.name, rows[i].name);
		want_int(rows[i].name, (int64_t)kernel_packets_left(), (int64_t)rows[i].left);
		/* Where the end of the dump came along, the socket serves for what follows. */
		kernel_forgets();
		kernel_answers();
		kernel_acks();
		want_success("next", nldev_move(&nl, &device, 42, &err), &err);
		want_int(rows[i].name, kernel_sockets(), rows[i].sockets);
	}
	kernel_reset();
}

static void a_packet_larger_than_its_place_is_asked_for_anew(void **state)
{
	struct nl *nl = *state;
	char *cleanup_free words = repeat("a", 600);
	struct nldev_device device;
	struct error err = { 0 };

	kernel_gives(2);
	for (int i = 0; i < 2; i++) {
		kernel_answers();
		answer_device(1, "mlx5_1");
		kernel_answers();
		answer_device(2, "mlx5_2");
		mnl_attr_put_strz(kernel_message(type_of(RDMA_NLDEV_CMD_GET), NLM_F_MULTI), 1000,
				  words);
		if (i == 0)
			continue;
		kernel_answers();
		kernel_ends_dump(0);
	}
	want_success("find", nldev_find(nl, "mlx5_2", &device, &err), &err);
	assert_int_equal(device.index, 2);
	assert_int_equal(kernel_requests(), 2);
}

static void a_device_is_got_by_its_index_with_its_name(void **state)
{
	struct nl *nl = *state;
	struct nldev_device device = { 0 };
	struct error err = { 0 };

	kernel_answers();
	answer_device(7, "pod_a");
	want_success("get", nldev_get(nl, 7, &device, &err), &err);
	assert_int_equal(device.index, 7);
	assert_string_equal(device.name, "pod_a");
	assert_int_equal(kernel_request()->nlmsg_type, type_of(RDMA_NLDEV_CMD_GET));
	assert_int_equal(kernel_request()->nlmsg_flags, NLM_F_REQUEST);
	assert_int_equal(mnl_attr_get_u32(kernel_request_attribute(0, RDMA_NLDEV_ATTR_DEV_INDEX)),
			 7);
	/* One that is in another namespace, or gone: nldev.c answers EINVAL. */
	kernel_answers();
	kernel_refuses(EINVAL, NULL);
	want_int("absent", nldev_get(nl, 8, &device, &err), -ENODEV);
	want_int("absent", err.kind, ERROR_NO_DEVICE);
	kernel_answers();
	answer_device(9, "mlx5_9");
	want_int("another", nldev_get(nl, 8, &device, &err), -ENODEV);
	kernel_answers();
	kernel_refuses(EPERM, NULL);
	want_int("refused", nldev_get(nl, 8, &device, &err), -EPERM);
	assert_int_equal(device.index, 7);
}

static void a_device_that_is_not_there_is_told_by_name(void **state)
{
	struct nl *nl = *state;
	struct nldev_device device = { .index = 4711 };
	struct error err = { 0 };

	for (unsigned int i = 0; i <= LIMIT_DUMP_RESTARTS; i++)
		answer_others(3);
	assert_int_equal(nldev_find(nl, "mlx5_2", &device, &err), -ENODEV);
	assert_int_equal(err.kind, ERROR_NO_DEVICE);
	want_contains("name", err.msg, "'mlx5_2'");
	assert_int_equal(device.index, 4711);
	assert_int_equal(kernel_packets_left(), 0);
}

/* device.c and nldev.c: the one behind a device that leaves between two parts is not listed. */
static void a_device_that_a_dump_passed_over_is_found_by_the_next(void **state)
{
	struct nl *nl = *state;
	struct nldev_device device = { 0 };
	struct error err = { 0 };

	answer_others(3);
	answer_others(3);
	kernel_answers();
	answer_device(7, "mlx5_2");
	want_success("find", nldev_find(nl, "mlx5_2", &device, &err), &err);
	assert_int_equal(device.index, 7);
	assert_int_equal(kernel_packets_left(), 0);
}

static void a_known_attribute_of_a_wrong_type_is_an_error(void **state)
{
	static const struct {
		uint16_t type;
		size_t length;
		const char *value;
	} rows[] = {
		{ RDMA_NLDEV_ATTR_DEV_NAME, 6, "mlx5_2" }, /* no terminator */
		{ RDMA_NLDEV_ATTR_DEV_NAME, 0, "" },
		{ RDMA_NLDEV_ATTR_DEV_INDEX, 2, "\1\0" },
		{ RDMA_NLDEV_ATTR_DEV_INDEX, 8, "\1\0\0\0\0\0\0\0" },
	};
	struct nl *nl = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		struct nldev_device device;
		struct error err = { 0 };

		kernel_answers();
		mnl_attr_put(kernel_message(type_of(RDMA_NLDEV_CMD_GET), NLM_F_MULTI), rows[i].type,
			     rows[i].length, rows[i].value);
		kernel_ends_dump(0);
		want_int("find", nldev_find(nl, "mlx5_2", &device, &err), -EBADMSG);
		want_contains("name", err.msg, "'mlx5_2'");
	}
}

static void a_name_longer_than_the_kernels_is_not_cut(void **state)
{
	struct nl *nl = *state;
	char *cleanup_free name = repeat("a", 64);
	struct nldev_device device;
	struct error err = { 0 };

	kernel_answers();
	answer_device(3, name);
	kernel_ends_dump(0);
	assert_true(nldev_find(nl, name, &device, &err) < 0);
}

static void the_netns_mode_is_set(void **state)
{
	static const enum nldev_netns_mode modes[] = { NLDEV_NETNS_EXCLUSIVE, NLDEV_NETNS_SHARED };
	struct nl *nl = *state;

	for (size_t i = 0; i < array_size(modes); i++) {
		struct error err = { 0 };
		const struct nlattr *mode;

		kernel_answers();
		kernel_acks();
		want_success("set", nldev_set_netns_mode(nl, modes[i], &err), &err);
		assert_int_equal(kernel_request()->nlmsg_type, type_of(RDMA_NLDEV_CMD_SYS_SET));
		mode = kernel_request_attribute(0, RDMA_NLDEV_SYS_ATTR_NETNS_MODE);
		assert_non_null(mode);
		assert_int_equal(mnl_attr_get_payload_len(mode), 1);
		/* As it is read: 0 is exclusive. */
		assert_int_equal(mnl_attr_get_u8(mode), (int)i);
	}
}

static void a_mode_that_is_refused_says_why(void **state)
{
	struct nl *nl = *state;
	struct error err = { 0 };

	kernel_answers();
	kernel_refuses(EBUSY, NULL);
	assert_int_equal(nldev_set_netns_mode(nl, NLDEV_NETNS_SHARED, &err), -EBUSY);
	assert_int_equal(err.kind, ERROR_BUSY);
	want_contains("why", err.details, "other network namespaces");
	kernel_answers();
	kernel_refuses(EPERM, NULL);
	assert_int_equal(nldev_set_netns_mode(nl, NLDEV_NETNS_SHARED, &err), -EPERM);
	assert_int_equal(err.kind, ERROR_NETNS_MODE);
}

static void a_move_names_index_and_namespace(void **state)
{
	static const struct nldev_device device = { .index = 7, .name = "mlx5_2" };
	struct nl *nl = *state;
	struct error err = { 0 };

	kernel_answers();
	kernel_acks();
	want_success("move", nldev_move(nl, &device, 42, &err), &err);
	assert_int_equal(kernel_request()->nlmsg_type, type_of(RDMA_NLDEV_CMD_SET));
	assert_int_equal(kernel_request()->nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK);
	assert_int_equal(mnl_attr_get_u32(kernel_request_attribute(0, RDMA_NLDEV_ATTR_DEV_INDEX)),
			 7);
	assert_int_equal(mnl_attr_get_u32(kernel_request_attribute(0, RDMA_NLDEV_NET_NS_FD)), 42);
	assert_null(kernel_request_attribute(0, RDMA_NLDEV_ATTR_DEV_NAME));
}

static void a_refused_move_keeps_errno_and_gives_advice(void **state)
{
	static const struct {
		int errnum;
		const char *advice;
	} rows[] = {
		{ EOPNOTSUPP, "disassociate_ucontext" },
		{ EPERM, "CAP_NET_ADMIN" },
		{ EINVAL, "try again" },
		{ ENODEV, "try again" },
		{ EBUSY, "kernel log" },
	};
	static const struct nldev_device device = { .index = 7, .name = "mlx5_2" };
	struct nl *nl = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };

		kernel_answers();
		kernel_refuses(rows[i].errnum, "the kernel's reason");
		want_int(rows[i].advice, nldev_move(nl, &device, 42, &err), -rows[i].errnum);
		want_int(rows[i].advice, err.kind, ERROR_MOVE);
		want_contains(rows[i].advice, err.msg, "'mlx5_2'");
		want_contains(rows[i].advice, err.msg, "the kernel's reason");
		want_contains(rows[i].advice, err.details, rows[i].advice);
	}
}

static void a_rename_names_index_and_name(void **state)
{
	static const struct nldev_device device = { .index = 7, .name = "mlx5_2" };
	struct nl *nl = *state;
	char *cleanup_free longest = repeat("a", 63);
	struct error err = { 0 };

	kernel_answers();
	kernel_acks();
	want_success("rename", nldev_rename(nl, &device, longest, &err), &err);
	assert_int_equal(kernel_request()->nlmsg_type, type_of(RDMA_NLDEV_CMD_SET));
	assert_int_equal(mnl_attr_get_u32(kernel_request_attribute(0, RDMA_NLDEV_ATTR_DEV_INDEX)),
			 7);
	assert_string_equal(mnl_attr_get_str(kernel_request_attribute(0, RDMA_NLDEV_ATTR_DEV_NAME)),
			    longest);
	assert_null(kernel_request_attribute(0, RDMA_NLDEV_NET_NS_FD));
}

static void a_refused_rename_says_why(void **state)
{
	static const struct nldev_device device = { .index = 7, .name = "mlx5_2" };
	struct nl *nl = *state;
	char *cleanup_free longer = repeat("a", 64);
	struct error err = { 0 };

	kernel_answers();
	kernel_refuses(EEXIST, NULL);
	assert_int_equal(nldev_rename(nl, &device, "taken", &err), -EEXIST);
	assert_int_equal(err.kind, ERROR_NAME);
	want_contains("both names", err.msg, "'mlx5_2' to 'taken'");
	want_contains("why", err.details, "unique");
	/* A longer name is not even asked for. */
	assert_int_equal(nldev_rename(nl, &device, longer, &err), -ENAMETOOLONG);
	assert_int_equal(err.kind, ERROR_NAME);
	assert_int_equal(kernel_requests(), 1);
}

#define nldev_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_without_rdma_is_told_with_what_to_do),
		nldev_test(the_netns_mode_is_read),
		nldev_test(a_kernel_without_netns_mode_has_no_rdma_namespaces),
		nldev_test(a_device_is_found_by_its_whole_name),
		cmocka_unit_test(many_devices_are_read_at_a_time_and_no_further_than_the_match),
		nldev_test(a_packet_larger_than_its_place_is_asked_for_anew),
		nldev_test(a_device_is_got_by_its_index_with_its_name),
		nldev_test(a_device_that_is_not_there_is_told_by_name),
		nldev_test(a_device_that_a_dump_passed_over_is_found_by_the_next),
		nldev_test(a_known_attribute_of_a_wrong_type_is_an_error),
		nldev_test(a_name_longer_than_the_kernels_is_not_cut),
		nldev_test(the_netns_mode_is_set),
		nldev_test(a_mode_that_is_refused_says_why),
		nldev_test(a_move_names_index_and_namespace),
		nldev_test(a_refused_move_keeps_errno_and_gives_advice),
		nldev_test(a_rename_names_index_and_name),
		nldev_test(a_refused_rename_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
