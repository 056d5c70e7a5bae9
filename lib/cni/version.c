/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The versions of the CNI specification.
 */
#include <rdma-cni/cni/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cni_versions[] = { "0.1.0", "0.2.0", "0.3.0", "0.3.1",
				     "0.4.0", "1.0.0", "1.1.0", NULL };

bool cni_version_family(const char *version, enum cni_family *ret)
{
	static const enum cni_family families[] = {
		CNI_FAMILY_IP4_IP6, CNI_FAMILY_IP4_IP6, CNI_FAMILY_0_3, CNI_FAMILY_0_3,
		CNI_FAMILY_0_3,	    CNI_FAMILY_1_0,	CNI_FAMILY_1_0,
	};

	for (size_t i = 0; cni_versions[i]; i++) {
		if (strcmp(cni_versions[i], version) == 0) {
			*ret = families[i];
			return true;
		}
	}
	return false;
}

const char *cni_version_list(char *buffer, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; cni_versions[i] && length < size; i++)
		length += (size_t)snprintf(buffer + length, size - length, "%s%s",
					   i > 0 ? ", " : "", cni_versions[i]);
	return buffer;
}

#define VERSION_PARTS 3U
/* As many digits as a part may have and still fit into 64 bits. */
#define PART_DIGITS_MAX 18

struct version {
	unsigned long long parts[VERSION_PARTS];
};

/* One to three numbers with dots between, as skel parses it. */
static bool parse_version(const char *text, struct version *ret)
{
	*ret = (struct version){ 0 };
	for (size_t i = 0; i < VERSION_PARTS; i++) {
		char *end;

		if (*text < '0' || *text > '9')
			return false;
		ret->parts[i] = strtoull(text, &end, 10);
		if (end - text > PART_DIGITS_MAX)
			return false;
		if (*end == '\0')
			return true;
		if (*end != '.')
			return false;
		text = end + 1;
	}
	return false;
}

static bool is_older(const struct version *version, const struct version *other)
{
	for (size_t i = 0; i < VERSION_PARTS; i++) {
		if (version->parts[i] != other->parts[i])
			return version->parts[i] < other->parts[i];
	}
	return false;
}

static int refuse(const char *what, const char *version, struct error *err)
{
	char list[128];
	const int r = error_set(err, ERROR_VERSION, 0, "%s", what);

	error_details(err, "config is \"%s\", plugin supports %s", version,
		      cni_version_list(list, sizeof(list)));
	return r;
}

/* CHECK came with 0.4.0, GC and STATUS with 1.1.0. */
static int check_command(const char *command, const char *since, const char *version,
			 struct error *err)
{
	struct version given;
	struct version first;
	struct version last;
	char what[64];

	if (!parse_version(version, &given) || !parse_version(since, &first) ||
	    !parse_version(CNI_VERSION_LATEST, &last))
		return error_set(err, ERROR_DECODE, 0, "cniVersion \"%s\" is no version", version);
	if (is_older(&given, &first)) {
		(void)snprintf(what, sizeof(what), "config version does not allow %s", command);
		return refuse(what, version, err);
	}
	if (is_older(&last, &given)) {
		(void)snprintf(what, sizeof(what), "plugin version does not allow %s", command);
		return refuse(what, version, err);
	}
	return 0;
}

int cni_version_check(enum cni_command command, const char *version, struct error *err)
{
	enum cni_family family;
	int r = 0;

	if (command == CNI_CHECK)
		r = check_command("CHECK", "0.4.0", version, err);
	else if (command == CNI_GC)
		r = check_command("GC", "1.1.0", version, err);
	else if (command == CNI_STATUS)
		r = check_command("STATUS", "1.1.0", version, err);
	if (r < 0 || cni_version_family(version, &family))
		return r;
	return refuse("incompatible CNI versions", version, err);
}
