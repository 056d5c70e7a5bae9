/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The running kernel: its RDMA subsystem, and whose drivers it runs.
 */
#include "readers.h"

#include <rdma-cni/kernel/nldev.h>
#include <string.h>

#include "read.h"

/* The parameter is the live variable: it follows what `rdma system set netns` does. */
static void read_mode_parameter(struct node *node)
{
	char value[8];

	read_line(node->sysfs, value, sizeof(value), "module/ib_core/parameters/netns_mode");
	node->knows_netns = value[0] == '\0' ? NODE_NO : NODE_YES;
	if (value[0] != '\0')
		node->mode = value[0] == 'Y' || value[0] == '1' ? NODE_MODE_SHARED
								: NODE_MODE_EXCLUSIVE;
}

/* The kernel itself knows best: driver stacks brought RDMA namespaces to kernels before 5.3. */
static void ask_mode(struct node *node)
{
	struct nl cleanup_nl nl = NL_CLOSED;
	enum nldev_netns_mode mode;
	struct error ignored;

	if (nldev_open(&nl, &ignored) < 0 || nldev_get_netns_mode(&nl, &mode, &ignored) < 0)
		return;
	node->has_rdma = true;
	node->knows_netns = NODE_YES;
	node->mode = mode == NLDEV_NETNS_EXCLUSIVE ? NODE_MODE_EXCLUSIVE : NODE_MODE_SHARED;
}

/*
 * Modules of the kernel itself have no version, or until Linux 5.6 always this one
 * (DRIVER_VERSION in mlx5_core.h); those of MLNX_OFED and DOCA-OFED have their release's.
 */
static void read_version(const struct node *node, const char *module, char *ret, size_t size)
{
	read_line(node->sysfs, ret, size, "module/%s/version", module);
	if (strcmp(ret, "5.0-0") == 0)
		ret[0] = '\0';
}

static void read_stack(struct node *node)
{
	node->stack_core_runs = read_exists(node->sysfs, "module/mlx5_core");
	node->stack_rdma_runs = read_exists(node->sysfs, "module/mlx5_ib");
	read_version(node, "mlx5_core", node->stack_core, sizeof(node->stack_core));
	read_version(node, "mlx5_ib", node->stack_rdma, sizeof(node->stack_rdma));
}

int read_kernel(struct node *node, struct error *err)
{
	(void)err;
	read_line(node->root, node->release, sizeof(node->release), "proc/sys/kernel/osrelease");
	node->has_rdma = read_exists(node->sysfs, "class/infiniband") ||
			 read_exists(node->sysfs, "module/ib_core");
	if (node->has_rdma)
		read_mode_parameter(node);
	if (node->is_live)
		ask_mode(node);
	read_stack(node);
	return 0;
}
