/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PCI and scalable functions: those of network cards that can have virtual functions, these, and
 * whatever has an RDMA device.
 */
#include "readers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

/* PCI classes: network controllers, and among them those that speak InfiniBand (pci_ids.h). */
#define CLASS_NETWORK "0x02"
#define CLASS_INFINIBAND "0x0207"

/* Drivers of network functions, and the module that makes RDMA devices for them. */
static const struct {
	const char *driver;
	const char *module;
} families[] = {
	{ "mlx5_core", "mlx5_ib" },   { "mlx5_core.sf", "mlx5_ib" },
	{ "mlx4_core", "mlx4_ib" },   { "bnxt_en", "bnxt_re" },
	{ "ice", "irdma" },	      { "iavf", "irdma" },
	{ "idpf", "irdma" },	      { "i40e", "irdma" },
	{ "cxgb4", "iw_cxgb4" },      { "qede", "qedr" },
	{ "hns3", "hns_roce_hw_v2" }, { "ionic", "ionic_rdma" },
	{ "mana", "mana_ib" },
};

const char *node_rdma_module(const char *driver)
{
	for (size_t i = 0; i < array_size(families); i++) {
		if (strcmp(families[i].driver, driver) == 0)
			return families[i].module;
	}
	return NULL;
}

static const char *bus_of(const struct function *id)
{
	return id->bus == FUNCTION_PCI ? "pci" : "auxiliary";
}

static bool has_rdma(int sysfs, const struct function *id)
{
	return read_exists(sysfs, "bus/%s/devices/%s/infiniband", bus_of(id), id->name) ||
	       read_exists(sysfs, "bus/%s/devices/%s/infiniband_verbs", bus_of(id), id->name);
}

static bool is_scalable_function(const struct function *id)
{
	return id->bus == FUNCTION_AUXILIARY && strstr(id->name, ".sf.");
}

/* What is none of ours costs one read. */
static bool is_ours(int sysfs, const struct function *id, const char *class)
{
	if (is_scalable_function(id))
		return true;
	if (id->bus == FUNCTION_PCI && strncmp(class, CLASS_NETWORK, strlen(CLASS_NETWORK)) == 0)
		return read_exists(sysfs, "bus/pci/devices/%s/sriov_totalvfs", id->name) ||
		       read_exists(sysfs, "bus/pci/devices/%s/physfn", id->name) ||
		       has_rdma(sysfs, id);
	return has_rdma(sysfs, id);
}

static void read_attributes(int sysfs, struct node_function *function, const char *class)
{
	const char *name = function->id.name;

	read_link(sysfs, function->driver, sizeof(function->driver), "bus/%s/devices/%s/driver",
		  bus_of(&function->id), name);
	function->is_infiniband = strncmp(class, CLASS_INFINIBAND, strlen(CLASS_INFINIBAND)) == 0;
	if (function->id.bus != FUNCTION_PCI)
		return;
	function->vf_count = read_number(sysfs, "bus/pci/devices/%s/sriov_numvfs", name);
	function->vf_max = read_number(sysfs, "bus/pci/devices/%s/sriov_totalvfs", name);
	function->is_pf = function->vf_max > 0;
}

static int add_function(struct node *node, const struct function *id, struct error *err)
{
	struct node_function *function;
	struct node_function *grown;
	char class[16] = "";

	if (id->bus == FUNCTION_PCI)
		read_line(node->sysfs, class, sizeof(class), "bus/pci/devices/%s/class", id->name);
	if (!is_ours(node->sysfs, id, class))
		return 0;
	grown = read_grow(node->functions, node->function_count, sizeof(*grown));
	if (!grown)
		return error_no_memory(err);
	node->functions = grown;
	function = &grown[node->function_count++];
	function->id = *id;
	function->pf = NODE_NONE;
	function->is_expected = is_scalable_function(id);
	read_attributes(node->sysfs, function, class);
	if (function_net_devices(node->sysfs, id, &function->net) == -ENOMEM)
		return error_no_memory(err);
	return 0;
}

static int read_bus(struct node *node, enum function_bus bus, struct error *err)
{
	const struct function any = { .bus = bus };
	struct names cleanup_names names = { 0 };
	int r = 0;

	if (read_names(node->sysfs, &names, "bus/%s/devices", bus_of(&any)) < 0)
		return error_no_memory(err);
	for (size_t i = 0; r == 0 && i < names.count; i++) {
		struct function id;
		struct error ignored;

		/* Auxiliary devices of other buses' drivers may have other names. */
		if (function_parse(names.items[i], &id, &ignored) == 0 && id.bus == bus)
			r = add_function(node, &id, err);
	}
	return r;
}

static int compare_functions(const void *a, const void *b)
{
	const struct node_function *left = a;
	const struct node_function *right = b;

	return strcmp(left->id.name, right->id.name);
}

/* virtfn0, virtfn1 ...: the VF's number is in the name of the link. PCI counts them in 16 bits. */
static void link_vfs(struct node *node, size_t pf)
{
	for (unsigned int i = 0; i < node->functions[pf].vf_count && i <= UINT16_MAX; i++) {
		char name[LIMIT_FUNCTION_NAME_SIZE];
		size_t at;

		read_link(node->sysfs, name, sizeof(name), "bus/pci/devices/%s/virtfn%u",
			  node->functions[pf].id.name, i);
		at = node_find_function(node, name);
		if (at == NODE_NONE)
			continue;
		node->functions[at].pf = pf;
		node->functions[at].family = pf;
		node->functions[at].vf_number = i;
	}
}

int read_functions(struct node *node, struct error *err)
{
	int r = read_bus(node, FUNCTION_PCI, err);

	if (r == 0)
		r = read_bus(node, FUNCTION_AUXILIARY, err);
	if (r < 0)
		return r;
	if (node->function_count > 1)
		qsort(node->functions, node->function_count, sizeof(*node->functions),
		      compare_functions);
	for (size_t i = 0; i < node->function_count; i++)
		node->functions[i].family = i;
	for (size_t i = 0; i < node->function_count; i++) {
		if (node->functions[i].is_pf)
			link_vfs(node, i);
	}
	return 0;
}
