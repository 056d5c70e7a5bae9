/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node/answers: attributes as the kernel makes them, laid out here by its own definitions.
 */
#include "unit.h"

#include <linux/devlink.h>
#include <linux/if_link.h>
#include <string.h>

#include "node/answers.h"

/* Attributes that are being written, one in the other. */
struct writer {
	_Alignas(NLA_ALIGNTO) unsigned char bytes[256];
	size_t used;
};

#define HEADER sizeof(struct nlattr)

static size_t align(size_t length)
{
	return (length + NLA_ALIGNTO - 1) / NLA_ALIGNTO * NLA_ALIGNTO;
}

static size_t put(struct writer *writer, uint16_t type, const void *data, size_t length)
{
	const size_t at = writer->used;
	const struct nlattr header = { .nla_len = (uint16_t)(HEADER + length), .nla_type = type };

	assert_true(at + HEADER + align(length) <= sizeof(writer->bytes));
	memcpy(&writer->bytes[at], &header, sizeof(header));
	if (length > 0)
		memcpy(&writer->bytes[at + HEADER], data, length);
	writer->used += HEADER + align(length);
	return at;
}

static void end(struct writer *writer, size_t start)
{
	const uint16_t length = (uint16_t)(writer->used - start);

	memcpy(&writer->bytes[start + offsetof(struct nlattr, nla_len)], &length, sizeof(length));
}

static const struct nlattr *written(const struct writer *writer)
{
	return (const struct nlattr *)(const void *)writer->bytes;
}

static void put_value(struct writer *writer, uint8_t mode, bool on)
{
	const size_t value = put(writer, DEVLINK_ATTR_PARAM_VALUE, NULL, 0);

	(void)put(writer, DEVLINK_ATTR_PARAM_VALUE_CMODE, &mode, sizeof(mode));
	if (on)
		(void)put(writer, DEVLINK_ATTR_PARAM_VALUE_DATA, NULL, 0);
	end(writer, value);
}

/* DEVLINK_ATTR_PARAM with the values of these modes; the one of `on` is on. */
static struct answer_param parse_param(const uint8_t *modes, size_t count, uint8_t on)
{
	struct writer writer = { .used = 0 };
	const size_t param = put(&writer, DEVLINK_ATTR_PARAM, NULL, 0);
	size_t list;

	(void)put(&writer, DEVLINK_ATTR_PARAM_NAME, "enable_roce", sizeof("enable_roce"));
	(void)put(&writer, DEVLINK_ATTR_PARAM_GENERIC, NULL, 0);
	list = put(&writer, DEVLINK_ATTR_PARAM_VALUES_LIST, NULL, 0);
	for (size_t i = 0; i < count; i++)
		put_value(&writer, modes[i], modes[i] == on);
	end(&writer, list);
	end(&writer, param);
	return answer_param(written(&writer));
}

static void a_parameter_that_is_on_or_off(void **state)
{
	static const uint8_t init[] = { DEVLINK_PARAM_CMODE_DRIVERINIT };
	static const uint8_t runtime[] = { DEVLINK_PARAM_CMODE_RUNTIME };

	(void)state;
	want_int("init on", parse_param(init, 1, init[0]).value, NODE_YES);
	want_int("init on", parse_param(init, 1, init[0]).is_runtime, false);
	want_int("init off", parse_param(init, 1, UINT8_MAX).value, NODE_NO);
	want_int("runtime on", parse_param(runtime, 1, runtime[0]).value, NODE_YES);
	want_int("runtime off", parse_param(runtime, 1, UINT8_MAX).value, NODE_NO);
	want_int("runtime off", parse_param(runtime, 1, UINT8_MAX).is_runtime, true);
}

static void a_parameter_without_such_a_value(void **state)
{
	static const uint8_t modes[] = { DEVLINK_PARAM_CMODE_PERMANENT,
					 DEVLINK_PARAM_CMODE_RUNTIME };
	struct writer writer = { .used = 0 };

	(void)state;
	want_int("permanent", parse_param(modes, 1, modes[0]).value, NODE_UNKNOWN);
	want_int("both", parse_param(modes, 2, modes[1]).value, NODE_YES);
	want_int("none", parse_param(NULL, 0, 0).value, NODE_UNKNOWN);
	(void)put(&writer, DEVLINK_ATTR_PARAM, "xyz", 3);
	want_int("no attributes", answer_param(written(&writer)).value, NODE_UNKNOWN);
}

/* IFLA_VF_INFO as rtnl_fill_vfinfo() has it, with as many bytes of the port's GUID. */
static enum node_answer parse_guids(uint64_t node, uint64_t port, size_t length, unsigned int *ret)
{
	const struct ifla_vf_mac mac = { .vf = 7 };
	const struct ifla_vf_guid node_guid = { .vf = 7, .guid = node };
	const struct ifla_vf_guid port_guid = { .vf = 7, .guid = port };
	struct writer writer = { .used = 0 };
	const size_t info = put(&writer, IFLA_VF_INFO, NULL, 0);

	(void)put(&writer, IFLA_VF_MAC, &mac, sizeof(mac));
	if (node != UINT64_MAX)
		(void)put(&writer, IFLA_VF_IB_NODE_GUID, &node_guid, sizeof(node_guid));
	(void)put(&writer, IFLA_VF_IB_PORT_GUID, &port_guid, length);
	end(&writer, info);
	return answer_vf_guids(written(&writer), ret);
}

static void guids_of_a_vf(void **state)
{
	const size_t whole = sizeof(struct ifla_vf_guid);
	unsigned int number = 99;

	(void)state;
	want_int("short", parse_guids(1, 2, whole - 1, &number), NODE_UNKNOWN);
	want_int("Ethernet", parse_guids(UINT64_MAX, 2, whole, &number), NODE_UNKNOWN);
	want_int("no number", number, 99);
	want_int("both", parse_guids(1, UINT64_C(1) << 63, whole, &number), NODE_YES);
	want_int("the VF", number, 7);
	want_int("no port", parse_guids(1, 0, whole, &number), NODE_NO);
	want_int("no node", parse_guids(0, 2, whole, &number), NODE_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_parameter_that_is_on_or_off),
		cmocka_unit_test(a_parameter_without_such_a_value),
		cmocka_unit_test(guids_of_a_vf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
