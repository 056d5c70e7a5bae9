/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One call of a CNI runtime, in the order of checks of the reference `skel`.
 */
#include "dispatch.h"

#include <rdma-cni/cni/output.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "errors.h"
#include "verbs.h"

static int (*const verbs[])(struct call *call, struct error *err) = {
	[CNI_ADD] = verb_add, [CNI_DEL] = verb_del,	  [CNI_CHECK] = verb_check,
	[CNI_GC] = verb_gc,   [CNI_STATUS] = verb_status,
};

/* What every line of the log says of the call. */
static void describe_call(const struct call *call)
{
	const struct cni_env *env = &call->env;
	char text[512];
	char readable[512];
	int length = snprintf(text, sizeof(text), "%s network=%.64s", env->command_name,
			      call->conf.name);

	if (env->container_id[0] != '\0' && length > 0 && (size_t)length < sizeof(text))
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   " container=%.72s ifname=%.15s", env->container_id, env->ifname);
	if (call->pod.name[0] != '\0' && length > 0 && (size_t)length < sizeof(text))
		(void)snprintf(text + length, sizeof(text) - (size_t)length,
			       " pod=%.64s/%.64s uid=%s", call->pod.namespace, call->pod.name,
			       call->pod.uid);
	text_printable(text, readable, sizeof(readable));
	log_set_context(readable);
}

static int read_call(struct call *call, struct error *err)
{
	int r = cni_conf_read(STDIN_FILENO, &call->conf, err);

	if (r < 0)
		return r;
	if (call->env.command == CNI_UNKNOWN)
		return error_set(err, ERROR_ENVIRONMENT, 0, "unknown CNI_COMMAND: %s",
				 call->env.command_name);
	cni_pod_from_args(call->env.args, &call->pod);
	describe_call(call);
	r = cni_conf_check_version_type(&call->conf, err);
	return r < 0 ? r : cni_version_check(call->env.command, call->conf.cni_version, err);
}

static int run(struct call *call, struct error *err)
{
	int r = cni_env_read(getenv, &call->env, err);

	if (r < 0)
		return r;
	if (call->env.command == CNI_VERSION)
		return cni_output_versions(STDOUT_FILENO, err);
	r = read_call(call, err);
	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): r < 0 for an unknown command */
	return r < 0 ? r : verbs[call->env.command](call, err);
}

/* The configuration's version, as long as it is one. */
static const char *error_version(const struct call *call)
{
	enum cni_family family;
	const char *version = call->conf.cni_version;

	return version && cni_version_family(version, &family) ? version : CNI_VERSION_LATEST;
}

int dispatch(void)
{
	struct call call = { 0 };
	struct error err = { 0 };
	const int r = run(&call, &err);

	if (r < 0) {
		if (call.env.command == CNI_DEL)
			errors_reword_for_del(&err);
		log_error("%s", err.msg);
		cni_output_error(STDOUT_FILENO, error_version(&call), errors_code(err.kind), &err);
	}
	cni_conf_done(&call.conf);
	return r;
}
