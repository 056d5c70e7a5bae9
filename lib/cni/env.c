/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of a CNI plugin.
 */
#include <rdma-cni/cni/env.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The longest interface name the kernel takes (IFNAMSIZ without the terminator). */
#define IFNAME_LENGTH_MAX 15U

static const struct {
	const char *name;
	enum cni_command command;
} commands[] = {
	{ "ADD", CNI_ADD }, { "DEL", CNI_DEL },	      { "CHECK", CNI_CHECK },
	{ "GC", CNI_GC },   { "STATUS", CNI_STATUS }, { "VERSION", CNI_VERSION },
};

static enum cni_command command_of(const char *name)
{
	for (size_t i = 0; i < array_size(commands); i++) {
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].command;
	}
	return CNI_UNKNOWN;
}

bool cni_is_identifier(const char *text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

	return text[0] != '\0' && !strchr("_.-", text[0]) && text[strspn(text, letters)] == '\0';
}

/* White space as Go's unicode.IsSpace has it, in UTF-8. */
static bool has_space(const char *text)
{
	static const char *const spaces[] = {
		"\t",		"\n",		"\v",
		"\f",		"\r",		" ",
		"\xc2\x85",	"\xc2\xa0",	"\xe1\x9a\x80",
		"\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82",
		"\xe2\x80\x83", "\xe2\x80\x84", "\xe2\x80\x85",
		"\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88",
		"\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\xa8",
		"\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f",
		"\xe3\x80\x80",
	};

	for (size_t i = 0; i < array_size(spaces); i++) {
		if (strstr(text, spaces[i]))
			return true;
	}
	return false;
}

static int check_container_id(const char *value, struct error *err)
{
	int r;

	if (cni_is_identifier(value))
		return 0;
	r = error_set(err, ERROR_ENVIRONMENT, 0, "invalid characters in CNI_CONTAINERID");
	error_details(err, "%s", value);
	return r;
}

static int check_ifname(const char *value, struct error *err)
{
	const char *wrong = NULL;
	int r;

	if (strlen(value) > IFNAME_LENGTH_MAX)
		wrong = "interface name should be less than 16 characters";
	else if (strcmp(value, ".") == 0 || strcmp(value, "..") == 0)
		wrong = "interface name is . or ..";
	else if (strpbrk(value, "/:") || has_space(value))
		wrong = "interface name contains / or : or whitespace characters";
	if (!wrong)
		return 0;
	r = error_set(err, ERROR_ENVIRONMENT, 0, "invalid interface name in CNI_IFNAME: '%s'",
		      value);
	error_details(err, "%s", wrong);
	return r;
}

#define FOR(command) (1U << (command))
#define FOR_ATTACHMENT (FOR(CNI_ADD) | FOR(CNI_DEL) | FOR(CNI_CHECK))
#define FOR_ALL_BUT_VERSION (FOR_ATTACHMENT | FOR(CNI_GC) | FOR(CNI_STATUS))

/* In skel's order; what no command requires is not checked. */
struct variable {
	const char *name;
	const char *value;
	unsigned int required;
	int (*check)(const char *value, struct error *err);
};

/*
 * The values that count are checked as they come, so an impossible one is told before
 * any missing one.
 */
static int check_variables(const struct variable *variables, size_t count, enum cni_command command,
			   struct error *err)
{
	char missing[128] = "";

	for (size_t i = 0; i < count; i++) {
		const struct variable *variable = &variables[i];
		const size_t length = strlen(missing);
		int r = 0;

		if (!(variable->required & FOR(command)))
			continue;
		if (variable->value[0] == '\0')
			(void)snprintf(missing + length, sizeof(missing) - length, "%s%s",
				       length > 0 ? "," : "", variable->name);
		else if (variable->check)
			r = variable->check(variable->value, err);
		if (r < 0)
			return r;
	}
	if (missing[0] == '\0')
		return 0;
	return error_set(err, ERROR_ENVIRONMENT, 0, "required env variables [%s] missing", missing);
}

int cni_env_read(cni_getenv getenv, struct cni_env *ret, struct error *err)
{
	struct variable variables[] = {
		{ "CNI_COMMAND", "", ~0U, NULL },
		{ "CNI_CONTAINERID", "", FOR_ATTACHMENT, check_container_id },
		{ "CNI_NETNS", "", FOR(CNI_ADD) | FOR(CNI_CHECK), NULL },
		{ "CNI_IFNAME", "", FOR_ATTACHMENT, check_ifname },
		{ "CNI_ARGS", "", 0, NULL },
		{ "CNI_PATH", "", FOR_ALL_BUT_VERSION, NULL },
		{ "CNI_NETNS_OVERRIDE", "", 0, NULL },
	};
	struct cni_env env = { 0 };

	for (size_t i = 0; i < array_size(variables); i++) {
		const char *value = getenv(variables[i].name);

		if (value)
			variables[i].value = value;
	}
	env.command_name = variables[0].value;
	env.command = command_of(env.command_name);
	env.container_id = variables[1].value;
	env.netns = variables[2].value;
	env.ifname = variables[3].value;
	env.args = variables[4].value;
	env.path = variables[5].value;
	env.netns_override = strcmp(variables[6].value, "1") == 0 ||
			     strcasecmp(variables[6].value, "true") == 0;
	*ret = env;
	return check_variables(variables, array_size(variables), env.command, err);
}

void cni_pod_from_args(const char *args, struct cni_pod *ret)
{
	const struct {
		const char *key;
		char *value;
		size_t size;
	} fields[] = {
		{ "K8S_POD_NAMESPACE=", ret->namespace, sizeof(ret->namespace) },
		{ "K8S_POD_NAME=", ret->name, sizeof(ret->name) },
		{ "K8S_POD_UID=", ret->uid, sizeof(ret->uid) },
	};

	*ret = (struct cni_pod){ 0 };
	while (*args != '\0') {
		const size_t length = strcspn(args, ";");

		for (size_t i = 0; i < array_size(fields); i++) {
			const size_t key = strlen(fields[i].key);

			if (length >= key && strncmp(args, fields[i].key, key) == 0)
				(void)snprintf(fields[i].value, fields[i].size, "%.*s",
					       (int)(length - key), args + key);
		}
		args += length;
		args += *args == ';' ? 1 : 0;
	}
}
