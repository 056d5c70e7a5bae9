/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PCI or auxiliary device and what hangs below it in sysfs.
 */
#include <rdma-cni/kernel/function.h>

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "bus/auxiliary/devices/" + name + "/infiniband_verbs/uverbs999/ibdev" and the like. */
#define FUNCTION_PATH_SIZE 512U

/* if_arp.h's ARPHRD_INFINIBAND, as the `type` attribute prints it. */
#define TYPE_INFINIBAND "32"

static bool is_pci_address(const char *text)
{
	const size_t domain = strspn(text, "0123456789abcdefABCDEF");
	const char *rest = text + domain;

	return domain >= 4 && domain <= 8 && strlen(rest) == strlen(":bb:dd.f") && rest[0] == ':' &&
	       parse_is_hex(rest + 1, 2) && rest[3] == ':' && parse_is_hex(rest + 4, 2) &&
	       rest[6] == '.' && rest[7] >= '0' && rest[7] <= '7';
}

/* <module>.<type>.<id>: neither part has a dot or a slash in it. */
static bool is_auxiliary_name(const char *text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
	const size_t module = strspn(text, letters);
	const char *type = text + module + 1;
	const char *id;
	uint64_t number;

	if (module == 0 || text[module] != '.')
		return false;
	id = type + strspn(type, letters);
	return id > type && *id == '.' && parse_u64(id + 1, &number);
}

int function_parse(const char *text, struct function *ret, struct error *err)
{
	struct function function = { .bus = FUNCTION_PCI };
	const bool is_pci = is_pci_address(text);

	if (!is_pci && !is_auxiliary_name(text))
		return error_set(err, ERROR_CONFIG, 0,
				 "'%s' is neither a PCI address (0000:3b:02.3) nor an auxiliary "
				 "device (mlx5_core.sf.4)",
				 text);
	if (!parse_copy(function.name, sizeof(function.name), text))
		return error_set(err, ERROR_CONFIG, 0, "the device name '%s' is too long", text);
	if (!is_pci)
		function.bus = FUNCTION_AUXILIARY;
	for (char *at = function.name; is_pci && *at != '\0'; at++)
		*at = (char)tolower((unsigned char)*at);
	*ret = function;
	return 0;
}

const char *function_kind(const struct function *function)
{
	return function->bus == FUNCTION_PCI ? "PCI device" : "auxiliary device";
}

static const char *function_path(const struct function *function, const char *below,
				 char ret[static FUNCTION_PATH_SIZE])
{
	(void)snprintf(ret, FUNCTION_PATH_SIZE, "bus/%s/devices/%s%s",
		       function->bus == FUNCTION_PCI ? "pci" : "auxiliary", function->name, below);
	return ret;
}

bool function_exists(int sysfs, const struct function *function)
{
	char path[FUNCTION_PATH_SIZE];

	return root_exists(sysfs, function_path(function, "", path));
}

int function_driver(int sysfs, const struct function *function, char *ret, size_t size)
{
	char path[FUNCTION_PATH_SIZE];

	return root_link_name(sysfs, function_path(function, "/driver", path), ret, size);
}

static int list_below(int sysfs, const struct function *function, const char *below,
		      struct names *ret)
{
	char path[FUNCTION_PATH_SIZE];
	const int r = root_list(sysfs, function_path(function, below, path), ret);

	return r == -ENOENT ? 0 : r;
}

int function_rdma_devices(int sysfs, const struct function *function, struct names *ret)
{
	return list_below(sysfs, function, "/infiniband", ret);
}

int function_net_devices(int sysfs, const struct function *function, struct names *ret)
{
	return list_below(sysfs, function, "/net", ret);
}

/* True when attribute `name` (a path below the function) says exactly `value`. */
static bool attribute_is(int sysfs, const struct function *function, const char *name,
			 const char *value)
{
	char path[FUNCTION_PATH_SIZE];
	char line[LIMIT_RDMA_NAME_SIZE];

	return root_read_line(sysfs, function_path(function, name, path), line, sizeof(line)) ==
		       0 &&
	       strcmp(line, value) == 0;
}

/* Of the entries of one class directory those of `rdma_device`. */
static int add_devices_of(int sysfs, const struct function *function, const char *class,
			  const struct names *all, const char *rdma_device, struct names *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < all->count; i++) {
		char attribute[FUNCTION_PATH_SIZE];

		(void)snprintf(attribute, sizeof(attribute), "%s/%s/ibdev", class, all->items[i]);
		if (attribute_is(sysfs, function, attribute, rdma_device))
			r = names_add(ret, all->items[i]);
	}
	return r;
}

int function_char_devices(int sysfs, const struct function *function, const char *rdma_device,
			  struct names *ret)
{
	struct names cleanup_names verbs = { 0 };
	struct names cleanup_names mads = { 0 };
	int r = list_below(sysfs, function, "/infiniband_verbs", &verbs);

	if (r == 0)
		r = list_below(sysfs, function, "/infiniband_mad", &mads);
	if (r < 0)
		return r;
	/* Asking each one whose it is costs three system calls: not where there is one device. */
	if (!rdma_device || verbs.count <= 1) {
		r = names_add_all(ret, &verbs);
		return r < 0 ? r : names_add_all(ret, &mads);
	}
	r = add_devices_of(sysfs, function, "/infiniband_verbs", &verbs, rdma_device, ret);
	return r < 0 ? r
		     : add_devices_of(sysfs, function, "/infiniband_mad", &mads, rdma_device, ret);
}

bool function_has_char_device(int sysfs, const struct function *function, const char *name)
{
	char path[FUNCTION_PATH_SIZE];
	char below[FUNCTION_PATH_SIZE];

	(void)snprintf(below, sizeof(below), "/%s/%s",
		       strncmp(name, "uverbs", strlen("uverbs")) == 0 ? "infiniband_verbs"
								      : "infiniband_mad",
		       name);
	return root_exists(sysfs, function_path(function, below, path));
}

bool function_has_infiniband_port(int sysfs, const struct function *function,
				  const char *rdma_device)
{
	/* Ports are numbered from 1 without a hole (rdma_start_port(), but for switches). */
	for (unsigned int port = 1;; port++) {
		char path[FUNCTION_PATH_SIZE];
		char below[FUNCTION_PATH_SIZE];
		char layer[LIMIT_RDMA_NAME_SIZE];

		(void)snprintf(below, sizeof(below), "/infiniband/%s/ports/%u/link_layer",
			       rdma_device, port);
		if (root_read_line(sysfs, function_path(function, below, path), layer,
				   sizeof(layer)) < 0)
			return false;
		if (strcmp(layer, "InfiniBand") == 0)
			return true;
	}
}

bool function_net_device_is_ipoib(int sysfs, const struct function *function,
				  const char *net_device)
{
	char below[FUNCTION_PATH_SIZE];

	(void)snprintf(below, sizeof(below), "/net/%s/type", net_device);
	return attribute_is(sysfs, function, below, TYPE_INFINIBAND);
}
