/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device-info file of an attachment (Kubernetes Network Plumbing Working Group, "Device
 * Information Specification"), which tells the pod's users which device they got.
 */
#ifndef RDMA_CNI_CNI_DEVINFO_H
#define RDMA_CNI_CNI_DEVINFO_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <stddef.h>

/* A device's name on the host and in the pod. */
struct cni_device_name {
	const char *host;
	const char *pod;
};

/*
 * Make `pci.rdma-device` in the file (an absolute path) the names that are valid in the pod. A
 * missing file is made, unless `pci_address` is NULL: the device is none of PCI. Of one that is
 * there everything else stays, and one of another type than "pci" stays as it is. Replaced as a
 * whole, never followed as a link.
 */
int cni_devinfo_update(const char *path, const char *pci_address,
		       const struct cni_device_name *names, size_t count, struct error *err)
	must_check nonnull(1, 3, 5);

#endif
