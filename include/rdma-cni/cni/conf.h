/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network configuration on standard input.
 *
 * Read in two steps, because an unsupported version is told before a wrong option:
 * cni_conf_read() for the document, the name and the version, cni_conf_options() for the rest.
 */
#ifndef RDMA_CNI_CNI_CONF_H
#define RDMA_CNI_CNI_CONF_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/json.h>
#include <rdma-cni/base/json_scan.h>
#include <rdma-cni/base/log.h>
#include <rdma-cni/base/text.h>
#include <rdma-cni/cni/env.h>
#include <stdbool.h>

#define CNI_CONF_DATA_DIR_DEFAULT "/var/lib/cni/rdma"

/* Strings are borrowed from the document; NULL for what is absent. */
struct cni_conf {
	struct text source;
	struct cJSON *document;
	const char *name;
	const char *cni_version; /* CNI_VERSION_DEFAULT if absent or empty; NULL: unknown */
	const char *device_id;	 /* the first of `deviceID`, `runtimeConfig.deviceID`, `pciBusID` */
	const char *device_id_key; /* which of them; has a meaning only with device_id */
	const char *devinfo_file;
	const char *data_dir; /* never NULL */
	const char *log_file;
	const char *device_name_template;
	enum log_level log_level;
	int wait_seconds;
};

/*
 * Read everything from `fd`: ERROR_IO when that fails, ERROR_DECODE when it is no JSON object or
 * `name` is no string, ERROR_CONFIG when the name is missing or malformed. `cni_version` is
 * set also on failure if it can be read, so that the error object can have it.
 */
int cni_conf_read(int fd, struct cni_conf *conf, struct error *err) must_check nonnull(2, 3);

/* ERROR_DECODE when `cniVersion` is there and no string. */
int cni_conf_check_version_type(const struct cni_conf *conf, struct error *err)
	must_check nonnull(1, 2);

/*
 * The options. A wrong type or an impossible value is ERROR_CONFIG with key and value; with
 * `forgive` (DEL) it counts as absent, the first one is described in `err`, and the result
 * is 1 instead.
 */
int cni_conf_options(struct cni_conf *conf, bool forgive, struct error *err)
	must_check nonnull(1, 3);

void cni_conf_done(struct cni_conf *conf) nonnull(1);

#define cleanup_cni_conf cleanup(cni_conf_done)

#endif
