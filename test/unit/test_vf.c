/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/vf: which VF has an administrative MAC address.
 */
#include "unit.h"

#include "netlink.h"
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <rdma-cni/kernel/vf.h>
#include <string.h>

static const uint8_t wanted[VF_MAC_LENGTH] = { 0x0a, 0x1b, 0x2c, 0x3d, 0x4e, 0x5f };
static const uint8_t another[VF_MAC_LENGTH] = { 0x0a, 0x1b, 0x2c, 0x3d, 0x4e, 0x60 };

static void a_mac_has_six_bytes_in_either_case_and_is_not_zero(void **state)
{
	static const struct {
		const char *text;
		bool ok;
	} rows[] = {
		{ "0a:1b:2c:3d:4e:5f", true },
		{ "0A:1B:2C:3D:4E:5F", true },
		{ "0a:1B:2c:3D:4e:5F", true },
		{ "00:00:00:00:00:00", false },
		{ "", false },
		{ "0a:1b:2c:3d:4e", false },
		{ "0a:1b:2c:3d:4e:5f:60", false },
		{ "0a-1b-2c-3d-4e-5f", false },
		{ "0a:1b:2c:3d:4e:5g", false },
		{ "a:1b:2c:3d:4e:5ff", false },
		{ " a:1b:2c:3d:4e:5f", false },
		{ "0a:1b:2c:3d:4e:5f ", false },
		{ "0a1b2c3d4e5f00000", false },
		{ "0a:1b:2c:3d:4e:-1", false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		uint8_t mac[VF_MAC_LENGTH] = { 0 };

		want_int(rows[i].text, vf_parse_mac(rows[i].text, mac), rows[i].ok);
		if (rows[i].ok)
			assert_memory_equal(mac, wanted, VF_MAC_LENGTH);
	}
}

/* A PF in the dump: an interface with the MAC addresses of its VFs 0, 1, ... (NULL at the end). */
static void answer_pf(const char *interface, const uint8_t *const macs[])
{
	struct nlmsghdr *message = kernel_message(RTM_NEWLINK, NLM_F_MULTI);
	struct nlattr *list;

	(void)mnl_nlmsg_put_extra_header(message, sizeof(struct ifinfomsg));
	if (interface)
		mnl_attr_put_strz(message, IFLA_IFNAME, interface);
	list = mnl_attr_nest_start(message, IFLA_VFINFO_LIST);
	for (uint32_t i = 0; macs[i]; i++) {
		struct nlattr *info = mnl_attr_nest_start(message, IFLA_VF_INFO);
		struct ifla_vf_mac mac = { .vf = i };

		memcpy(mac.mac, macs[i], VF_MAC_LENGTH);
		mnl_attr_put_u32(message, IFLA_VF_VLAN, 5);
		mnl_attr_put(message, IFLA_VF_MAC, sizeof(mac), &mac);
		mnl_attr_nest_end(message, info);
	}
	mnl_attr_nest_end(message, list);
}

static void make_sysfs(int sysfs)
{
	make_link(sysfs, "class/net/ens1/device/virtfn0", "../0000:3b:02.0");
	make_link(sysfs, "class/net/ens1/device/virtfn1", "../0000:3b:02.1");
	make_link(sysfs, "class/net/ens2/device/virtfn0", "../10000:01:00.2");
	make_link(sysfs, "class/net/ens1_rep/device/virtfn1", "../0000:3b:02.1");
}

static void want_found(const struct scratch *scratch, const char *expected)
{
	struct names cleanup_names names = { 0 };
	struct error err = { 0 };
	char joined[256];

	want_success("search", vf_find_by_mac(scratch->dir, wanted, &names, &err), &err);
	want_string("found", names_join(&names, joined, sizeof(joined)), expected);
	assert_int_equal(kernel_open_sockets(), 0);
}

static void a_vf_is_found_below_its_pf(void **state)
{
	const struct scratch *scratch = *state;

	make_sysfs(scratch->dir);
	kernel_reset();
	kernel_answers();
	answer_pf("ens1", (const uint8_t *const[]){ another, wanted, NULL });
	answer_pf("ens2", (const uint8_t *const[]){ another, NULL });
	kernel_ends_dump(0);
	want_found(scratch, "0000:3b:02.1");
	assert_int_equal(kernel_request()->nlmsg_type, RTM_GETLINK);
	/* Without this the kernel tells nothing of VFs. */
	assert_int_equal(mnl_attr_get_u32(kernel_request_attribute(sizeof(struct ifinfomsg),
								   IFLA_EXT_MASK)) &
				 RTEXT_FILTER_VF,
			 RTEXT_FILTER_VF);
}

static void every_vf_with_that_mac_is_found_once(void **state)
{
	const struct scratch *scratch = *state;

	make_sysfs(scratch->dir);
	kernel_reset();
	kernel_answers();
	answer_pf("ens1", (const uint8_t *const[]){ another, wanted, NULL });
	answer_pf("ens1_rep", (const uint8_t *const[]){ another, wanted, NULL });
	kernel_answers();
	answer_pf("ens2", (const uint8_t *const[]){ wanted, NULL });
	kernel_ends_dump(0);
	want_found(scratch, "0000:3b:02.1, 10000:01:00.2");
}

static void no_vf_is_no_error(void **state)
{
	const struct scratch *scratch = *state;

	make_sysfs(scratch->dir);
	kernel_reset();
	kernel_answers();
	answer_pf("ens1", (const uint8_t *const[]){ another, another, NULL });
	answer_pf("ens1", (const uint8_t *const[]){ NULL });
	/* Links without a name, and a VF that is gone by now. */
	answer_pf(NULL, (const uint8_t *const[]){ wanted, NULL });
	answer_pf("gone", (const uint8_t *const[]){ wanted, NULL });
	kernel_ends_dump(0);
	want_found(scratch, "none");
}

static void an_interrupted_search_starts_over(void **state)
{
	const struct scratch *scratch = *state;

	make_sysfs(scratch->dir);
	kernel_reset();
	kernel_answers();
	answer_pf("ens1", (const uint8_t *const[]){ wanted, NULL });
	kernel_message(NLMSG_DONE, NLM_F_DUMP_INTR);
	kernel_answers();
	answer_pf("ens2", (const uint8_t *const[]){ wanted, NULL });
	kernel_ends_dump(0);
	want_found(scratch, "10000:01:00.2");
}

static void a_mac_cut_short_is_an_error(void **state)
{
	const struct scratch *scratch = *state;
	struct names cleanup_names names = { 0 };
	struct error err = { 0 };
	struct nlmsghdr *message;
	struct nlattr *list;
	struct nlattr *info;

	kernel_reset();
	kernel_answers();
	message = kernel_message(RTM_NEWLINK, NLM_F_MULTI);
	(void)mnl_nlmsg_put_extra_header(message, sizeof(struct ifinfomsg));
	mnl_attr_put_strz(message, IFLA_IFNAME, "ens1");
	list = mnl_attr_nest_start(message, IFLA_VFINFO_LIST);
	info = mnl_attr_nest_start(message, IFLA_VF_INFO);
	mnl_attr_put(message, IFLA_VF_MAC, 8, "\0\0\0\0\x0a\x1b\x2c\x3d");
	mnl_attr_nest_end(message, info);
	mnl_attr_nest_end(message, list);
	kernel_ends_dump(0);
	want_error("short", vf_find_by_mac(scratch->dir, wanted, &names, &err), &err,
		   ERROR_INTERNAL);
	assert_int_equal(kernel_open_sockets(), 0);
	assert_int_equal(names.count, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mac_has_six_bytes_in_either_case_and_is_not_zero),
		scratch_test(a_vf_is_found_below_its_pf),
		scratch_test(every_vf_with_that_mac_is_found_once),
		scratch_test(no_vf_is_no_error),
		scratch_test(an_interrupted_search_starts_over),
		scratch_test(a_mac_cut_short_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
