/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function: the PCI device (mostly a VF) or auxiliary device (a scalable function) that a
 * pod was given, and what hangs below it in sysfs.
 *
 * `sysfs` is an open directory: /sys for the namespace it was mounted in, or the view of
 * another namespace (netns.h). An RDMA device shows up only in the view of the namespace
 * it is in; its character devices show up in every view.
 */
#ifndef RDMA_CNI_KERNEL_FUNCTION_H
#define RDMA_CNI_KERNEL_FUNCTION_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/names.h>
#include <stdbool.h>
#include <stddef.h>

enum function_bus { FUNCTION_PCI, FUNCTION_AUXILIARY };

struct function {
	enum function_bus bus;
	char name[LIMIT_FUNCTION_NAME_SIZE]; /* as sysfs spells it */
};

/*
 * "0000:3b:02.3" (a domain of 4 to 8 digits, either letter case) or an auxiliary device's
 * "<module>.<type>.<id>", such as mlx5_core.sf.4 (drivers/base/auxiliary.c). Anything else is
 * ERROR_CONFIG; nothing that passes can leave its directory.
 */
int function_parse(const char *text, struct function *ret, struct error *err)
	must_check nonnull(1, 2, 3);

/* "PCI device" or "auxiliary device", for messages. */
const char *function_kind(const struct function *function) nonnull(1);

bool function_exists(int sysfs, const struct function *function) nonnull(2);

/* The name of the bound driver; -ENOENT when there is none. */
int function_driver(int sysfs, const struct function *function, char *ret, size_t size)
	must_check nonnull(2, 3);

/* RDMA devices and network devices below it in this view; an empty list is no error. */
int function_rdma_devices(int sysfs, const struct function *function, struct names *ret)
	must_check nonnull(2, 3);
int function_net_devices(int sysfs, const struct function *function, struct names *ret)
	must_check nonnull(2, 3);

/*
 * The character devices (uverbsN, umadN, issmN) of the function's RDMA device of that name;
 * NULL: of all its RDMA devices. They are seen wherever the RDMA device is.
 */
int function_char_devices(int sysfs, const struct function *function, const char *rdma_device,
			  struct names *ret) must_check nonnull(2, 4);

/* Does the function have the character device of this name? */
bool function_has_char_device(int sysfs, const struct function *function, const char *name)
	nonnull(2, 3);

/* True when one of the RDMA device's ports is an InfiniBand port. */
bool function_has_infiniband_port(int sysfs, const struct function *function,
				  const char *rdma_device) nonnull(2, 3);

/* True when the network device is an IPoIB interface (ARPHRD_INFINIBAND). */
bool function_net_device_is_ipoib(int sysfs, const struct function *function,
				  const char *net_device) nonnull(2, 3);

#endif
