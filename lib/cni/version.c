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

/* A number above it is as good as it: compared are only versions with small ones. */
#define PART_MAX 999UL

/* One to three numbers with dots between, as skel parses it; one number for all three. */
static bool parse_version(const char *version, unsigned long *ret)
{
	unsigned long parts[3] = { 0 };

	for (size_t i = 0; i < array_size(parts); i++) {
		char *end;

		if (*version < '0' || *version > '9')
			return false;
		parts[i] = strtoul(version, &end, 10);
		if (parts[i] > PART_MAX)
			parts[i] = PART_MAX;
		version = end + (*end == '.');
		if (*end == '\0') {
			*ret = (parts[0] * (PART_MAX + 1) + parts[1]) * (PART_MAX + 1) + parts[2];
			return true;
		}
		if (*end != '.')
			return false;
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
	unsigned long number = 0;
	unsigned long first = 0;
	unsigned long last = 0;
	char what[64];

	if (!parse_version(version, &number) || !parse_version(since, &first) ||
	    !parse_version(CNI_VERSION_LATEST, &last))
		return error_set(err, ERROR_DECODE, 0, "cniVersion \"%s\" is no version", version);
	if (number < first) {
		(void)snprintf(what, sizeof(what), "config version does not allow %s", command);
		return refuse(what, version, err);
	}
	if (number > last) {
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
