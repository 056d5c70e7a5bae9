/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of a call, CNI_ARGS above all. The input looks as /proc/PID/environ does:
 * NAME=value, each with a NUL behind it.
 */
#include "fuzz.h"

#include <rdma-cni/base/parse.h>
#include <rdma-cni/cni/env.h>
#include <rdma-cni/store/entry.h>
#include <stdio.h>
#include <string.h>

#define VARIABLES_MAX 16U

static char *variables[VARIABLES_MAX + 1];

/* Cut the input into variables; more than there can be of use are left out. */
static void fill_environment(char *text, size_t size)
{
	size_t count = 0;

	for (char *at = text; at < text + size && count < VARIABLES_MAX; at += strlen(at) + 1)
		variables[count++] = at;
	variables[count] = NULL;
}

/* getenv(3) of that environment: the first one of the name counts. */
static char *find_variable(const char *name)
{
	const size_t length = strlen(name);

	for (size_t i = 0; variables[i]; i++) {
		if (strncmp(variables[i], name, length) == 0 && variables[i][length] == '=')
			return variables[i] + length + 1;
	}
	return NULL;
}

/*
 * The same rules told in another way: pairs end at ';', the last pair whose text begins with
 * the key and '=' is it, and what is too long is cut.
 */
static void require_pod_field(const char *args, const char *key, const char *actual, size_t size)
{
	const size_t key_length = strlen(key);
	const char *last = "";
	size_t length = 0;

	for (const char *at = args; at; at = strchr(at, ';')) {
		at += *at == ';' ? 1 : 0;
		if (strncmp(at, key, key_length) == 0 && at[key_length] == '=') {
			last = at + key_length + 1;
			length = strcspn(last, ";");
		}
	}
	if (length >= size)
		length = size - 1;
	require_of(args, strlen(actual) == length && strncmp(actual, last, length) == 0);
}

static void require_pod(const char *args, struct cni_pod *ret)
{
	memset(ret, 'x', sizeof(*ret));
	cni_pod_from_args(args, ret);
	require_pod_field(args, "K8S_POD_NAMESPACE", ret->namespace, sizeof(ret->namespace));
	require_pod_field(args, "K8S_POD_NAME", ret->name, sizeof(ret->name));
	require_pod_field(args, "K8S_POD_UID", ret->uid, sizeof(ret->uid));
}

/* What skel lets through becomes part of a file's name and of the kernel's. */
static void require_harmless(const struct cni_env *env)
{
	require_of(env->container_id, cni_is_identifier(env->container_id));
	require_of(env->ifname, strlen(env->ifname) < LIMIT_IFNAME_SIZE);
	require_of(env->ifname, parse_is_component(env->ifname));
	require_of(env->ifname, !strpbrk(env->ifname, " \t\r\n\v\f:"));
	require(env->command == CNI_DEL || env->netns[0] != '\0');
}

/* An entry written for this call is found by this call, and says what CNI_ARGS said. */
static void require_entry_comes_back(const struct cni_env *env, struct cni_pod *pod)
{
	char network[] = "net";
	char device[] = "0000:3b:02.3";
	char *cleanup_free container_id = strdup(env->container_id);
	char *cleanup_free ifname = strdup(env->ifname);
	const struct entry_key key = { network, env->container_id, env->ifname };
	const struct entry entry = {
		.network = network,
		.container_id = container_id,
		.ifname = ifname,
		.device_id = device,
		.pod_namespace = pod->namespace,
		.pod_name = pod->name,
		.pod_uid = pod->uid,
		.devices = { { .host_name = "mlx5_2", .pod_name = "mlx5_2" } },
		.device_count = 1,
	};
	struct entry cleanup_entry read = { 0 };
	struct text cleanup_text text = { 0 };
	struct error err = { 0 };

	require(container_id && ifname && entry_print(&entry, &text) == 0);
	require_of(text.data, entry_parse(text.data, text.length, &read, &err) == 0);
	require_of(text.data, entry_is_of(&read, &key));
	require_of(text.data, pod->name[0] != '\0' || !read.pod_name);
	if (pod->name[0] != '\0' && fuzz_is_printable(pod->name))
		require_of(text.data, strcmp(read.pod_name, pod->name) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *cleanup_free text = fuzz_string(data, size);
	struct cni_env env = { 0 };
	struct cni_pod pod;
	struct error err = { 0 };
	int r;

	fill_environment(text, size);
	r = cni_env_read(find_variable, &env, &err);
	require_answer(r, &err);
	require(r == 0 || err.kind == ERROR_ENVIRONMENT);
	require(env.command_name && env.container_id && env.netns && env.ifname && env.args);
	require_pod(env.args, &pod);
	if (r == 0 && env.command <= CNI_CHECK) {
		require_harmless(&env);
		require_entry_comes_back(&env, &pod);
	}
	return 0;
}
