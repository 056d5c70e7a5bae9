/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual functions and their administrative MAC addresses (rtnetlink, IFLA_VFINFO_LIST).
 */
#ifndef RDMA_CNI_KERNEL_VF_H
#define RDMA_CNI_KERNEL_VF_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/names.h>
#include <stdbool.h>
#include <stdint.h>

#define VF_MAC_LENGTH 6

/* "0a:1b:2c:3d:4e:5f" in either letter case; false for anything else and for all zero. */
bool vf_parse_mac(const char *text, uint8_t ret[static VF_MAC_LENGTH]) must_check nonnull(1, 2);

/*
 * The PCI addresses of all VFs on this host whose administrative MAC is this one. An empty
 * list is no error. `sysfs` is the host's view, the links are those of the calling
 * thread's namespace.
 */
int vf_find_by_mac(int sysfs, const uint8_t mac[static VF_MAC_LENGTH], struct names *ret,
		   struct error *err) must_check nonnull(2, 3, 4);

#endif
