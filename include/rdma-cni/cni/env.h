/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of a CNI plugin (SPEC.md, "Parameters"), checked as the reference `skel`
 * checks it: all that is missing in one message, what is malformed before what is missing, and
 * only what the command requires.
 */
#ifndef RDMA_CNI_CNI_ENV_H
#define RDMA_CNI_CNI_ENV_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <stdbool.h>

enum cni_command {
	CNI_ADD,
	CNI_DEL,
	CNI_CHECK,
	CNI_GC,
	CNI_STATUS,
	CNI_VERSION,
	CNI_UNKNOWN,
};

/* Borrowed from the environment; "" for what is absent. */
struct cni_env {
	enum cni_command command;
	const char *command_name;
	const char *container_id;
	const char *netns;
	const char *ifname;
	const char *args;
	const char *path;
	bool netns_override; /* the pod may be in the plugin's own namespace */
};

typedef char *(*cni_getenv)(const char *name);

/*
 * ERROR_ENVIRONMENT names the variable; `ret` is filled then too, so that the caller knows which
 * command failed. An unknown command is no error here.
 */
int cni_env_read(cni_getenv getenv, struct cni_env *ret, struct error *err)
	must_check nonnull(1, 2, 3);

/* What a container ID and a network name look like. */
bool cni_is_identifier(const char *text) nonnull(1);

/* Whose pod it is, from CNI_ARGS. For messages and the state: "" for what is absent. */
struct cni_pod {
	char namespace[256];
	char name[256];
	char uid[64];
};

/*
 * Never fails: pairs are split at the first '=', empty ones are skipped, the last of duplicates
 * wins, what is too long is cut.
 */
void cni_pod_from_args(const char *args, struct cni_pod *ret) nonnull(1, 2);

#endif
