/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The versions of the CNI specification.
 */
#ifndef RDMA_CNI_CNI_VERSION_H
#define RDMA_CNI_CNI_VERSION_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/cni/env.h>
#include <stdbool.h>
#include <stddef.h>

/* The version of a configuration that names none. */
#define CNI_VERSION_DEFAULT "0.1.0"
/* The newest one: that of our own documents. */
#define CNI_VERSION_LATEST "1.1.0"

/* Versions whose results have the same shape. */
enum cni_family {
	CNI_FAMILY_IP4_IP6, /* 0.1.0, 0.2.0: `ip4` and `ip6` */
	CNI_FAMILY_0_3,	    /* 0.3.0 to 0.4.0: `interfaces`, `ips` with `version` */
	CNI_FAMILY_1_0,	    /* 1.0.0, 1.1.0: `ips` without `version` */
};

/* All supported versions, oldest first; NULL at the end. */
extern const char *const cni_versions[];

/* False for a version that is not supported; matched as exact text. */
bool cni_version_family(const char *version, enum cni_family *ret) must_check nonnull(1, 2);

/* "0.1.0, 0.2.0, ...", for messages. */
const char *cni_version_list(char *buffer, size_t size) nonnull(1);

/*
 * May this command be used with this configuration version? ERROR_VERSION names both sides;
 * ERROR_DECODE for CHECK, GC and STATUS with a version that is no version.
 */
int cni_version_check(enum cni_command command, const char *version, struct error *err)
	must_check nonnull(2, 3);

#endif
