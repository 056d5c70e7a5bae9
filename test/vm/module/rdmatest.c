// SPDX-License-Identifier: GPL-2.0
/*
 * rdmatest: RDMA devices without hardware, for testing what happens around them.
 *
 * A device registers with the real RDMA core below a parent of the caller's choice, so that
 * sysfs, netlink, character devices and network namespaces treat it as they treat a NIC's.
 * It moves no data. GPL because the RDMA core exports to nothing else; no part of rdma-cni
 * links it.
 *
 * Commands are written to /sys/module/rdmatest/parameters/control:
 *
 *	add NAME PARENT [ib] [fixed] [slow=MS]	register an RDMA device
 *	del NAME				unregister it
 *	sf ID | nosf ID				an auxiliary device mlx5_core.sf.ID with a driver
 *	ipoib NAME PARENT | noipoib NAME	a network device that looks like IPoIB's
 *	roce NAME PARENT on|off | noroce NAME	PARENT has devlink, and its enable_roce this value
 *
 * PARENT is pci/0000:01:10.0, auxiliary/mlx5_core.sf.4 or platform/x (made on the spot).
 * `ib`: InfiniBand ports instead of Ethernet; `fixed`: a driver that can't be moved between
 * namespaces; `slow`: each (un)registration with the core's clients takes so long.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/auxiliary_bus.h>
#include <linux/delay.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/version.h>
#include <net/devlink.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>

struct rdmatest {
	struct ib_device ib;
	struct list_head list;
	struct platform_device *platform;
	bool infiniband;
	unsigned int slow_ms;
};

struct rdmatest_ucontext {
	struct ib_ucontext ib;
};

struct rdmatest_pd {
	struct ib_pd ib;
};

struct rdmatest_cq {
	struct ib_cq ib;
};

struct scalable_function {
	struct auxiliary_device aux;
	struct list_head list;
};

struct fake_ipoib {
	struct list_head list;
	struct net_device *netdev;
};

/* In the private part of its devlink. */
struct roce_switch {
	struct list_head list;
	char name[32];
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(devices);
static LIST_HEAD(functions);
static LIST_HEAD(netdevs);
static LIST_HEAD(switches);

static struct rdmatest *to_rdmatest(struct ib_device *ib)
{
	return container_of(ib, struct rdmatest, ib);
}

static int query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata)
{
	memset(attr, 0, sizeof(*attr));
	attr->max_pd = attr->max_cq = attr->max_qp = attr->max_mr = 16;
	attr->max_cqe = 16;
	attr->sys_image_guid = ib->node_guid;
	return 0;
}

static int query_port(struct ib_device *ib, u32 port, struct ib_port_attr *attr)
{
	attr->state = IB_PORT_ACTIVE;
	attr->phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	attr->max_mtu = attr->active_mtu = IB_MTU_4096;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
	attr->gid_tbl_len = attr->pkey_tbl_len = 1;
	return 0;
}

static int get_port_immutable(struct ib_device *ib, u32 port, struct ib_port_immutable *immutable)
{
	immutable->gid_tbl_len = immutable->pkey_tbl_len = 1;
	/* Enough for umad and issm; there are no queue pairs for anything more. */
	immutable->core_cap_flags = RDMA_CORE_CAP_IB_MAD;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static enum rdma_link_layer get_link_layer(struct ib_device *ib, u32 port)
{
	return to_rdmatest(ib)->infiniband ? IB_LINK_LAYER_INFINIBAND : IB_LINK_LAYER_ETHERNET;
}

static int query_pkey(struct ib_device *ib, u32 port, u16 index, u16 *pkey)
{
	*pkey = 0xffff;
	return 0;
}

static int query_gid(struct ib_device *ib, u32 port, int index, union ib_gid *gid)
{
	gid->global.subnet_prefix = cpu_to_be64(0xfe80000000000000ULL);
	gid->global.interface_id = ib->node_guid;
	return 0;
}

static int alloc_ucontext(struct ib_ucontext *context, struct ib_udata *udata)
{
	return 0;
}

static void dealloc_ucontext(struct ib_ucontext *context)
{
	struct rdmatest *device = to_rdmatest(context->device);

	if (device->slow_ms)
		msleep(device->slow_ms);
}

static void disassociate_ucontext(struct ib_ucontext *context)
{
}

static int alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr, struct ib_udata *udata)
{
	cq->cqe = attr->cqe;
	return 0;
}

static int destroy_cq(struct ib_cq *cq, struct ib_udata *udata)
{
	return 0;
}

static int create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	return -EOPNOTSUPP;
}

static int modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	return -EOPNOTSUPP;
}

static int destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	return 0;
}

static int post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	return -EOPNOTSUPP;
}

static int post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	return -EOPNOTSUPP;
}

static int poll_cq(struct ib_cq *cq, int count, struct ib_wc *wc)
{
	return 0;
}

static int req_notify_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags)
{
	return 0;
}

static struct ib_mr *get_dma_mr(struct ib_pd *pd, int access)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static struct ib_mr *reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 address, int access,
				 struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	return 0;
}

static const struct ib_device_ops operations = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.uverbs_abi_ver = 1,
	.query_device = query_device,
	.query_port = query_port,
	.get_port_immutable = get_port_immutable,
	.get_link_layer = get_link_layer,
	.query_pkey = query_pkey,
	.query_gid = query_gid,
	.alloc_ucontext = alloc_ucontext,
	.dealloc_ucontext = dealloc_ucontext,
	.alloc_pd = alloc_pd,
	.dealloc_pd = dealloc_pd,
	.create_cq = create_cq,
	.destroy_cq = destroy_cq,
	.create_qp = create_qp,
	.modify_qp = modify_qp,
	.destroy_qp = destroy_qp,
	.post_send = post_send,
	.post_recv = post_recv,
	.poll_cq = poll_cq,
	.req_notify_cq = req_notify_cq,
	.get_dma_mr = get_dma_mr,
	.reg_user_mr = reg_user_mr,
	.dereg_mr = dereg_mr,
	INIT_RDMA_OBJ_SIZE(ib_ucontext, rdmatest_ucontext, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, rdmatest_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, rdmatest_cq, ib),
};

/* Without this one the RDMA core refuses to move a device. */
static const struct ib_device_ops movable = {
	.disassociate_ucontext = disassociate_ucontext,
};

/*
 * A client of our own makes a move slow: the core calls it, as it calls uverbs and umad, each time
 * a device is taken from its clients or given to them.
 */
static int slow_add(struct ib_device *ib)
{
	if (ib->ops.alloc_pd != alloc_pd || !to_rdmatest(ib)->slow_ms)
		return -EOPNOTSUPP;
	msleep(to_rdmatest(ib)->slow_ms);
	return 0;
}

static void slow_remove(struct ib_device *ib, void *data)
{
	msleep(to_rdmatest(ib)->slow_ms);
}

static struct ib_client slow_client = {
	.name = "rdmatest",
	.add = slow_add,
	.remove = slow_remove,
	.no_kverbs_req = true,
};

static struct device *find_parent(const char *path, struct platform_device **made)
{
	const char *name = strchr(path, '/') ? strchr(path, '/') + 1 : "";
	static int id;

	if (strstarts(path, "pci/"))
		return bus_find_device_by_name(&pci_bus_type, NULL, name);
	if (strstarts(path, "auxiliary/")) {
		struct scalable_function *function;

		list_for_each_entry(function, &functions, list)
			if (!strcmp(dev_name(&function->aux.dev), name))
				return get_device(&function->aux.dev);
		return NULL;
	}
	if (!strstarts(path, "platform/"))
		return NULL;
	*made = platform_device_register_simple("rdmatest", id++, NULL, 0);
	if (IS_ERR(*made)) {
		*made = NULL;
		return NULL;
	}
	return get_device(&(*made)->dev);
}

static void remove_device(struct rdmatest *device)
{
	struct device *parent = device->ib.dev.parent;
	struct platform_device *platform = device->platform;

	list_del(&device->list);
	ib_unregister_device(&device->ib);
	ib_dealloc_device(&device->ib);
	put_device(parent);
	if (platform)
		platform_device_unregister(platform);
}

/* The GUID says which parent it is, as a NIC's would: no two are the same, none is zero. */
static __be64 make_guid(const char *parent)
{
	return cpu_to_be64(0x0200000000000000ULL | full_name_hash(NULL, parent, strlen(parent)));
}

static int add_device(const char *name, const char *path, char *options)
{
	struct platform_device *platform = NULL;
	struct device *parent = find_parent(path, &platform);
	struct rdmatest *device;
	char *option;
	bool fixed = false;
	int ret;

	if (!parent)
		return -ENODEV;
	device = ib_alloc_device(rdmatest, ib);
	if (!device) {
		put_device(parent);
		return -ENOMEM;
	}
	while ((option = strsep(&options, " ")) != NULL) {
		if (!strcmp(option, "ib"))
			device->infiniband = true;
		else if (!strcmp(option, "fixed"))
			fixed = true;
		else if (!strstarts(option, "slow=") ||
			 kstrtouint(option + 5, 10, &device->slow_ms))
			pr_warn("unknown option '%s'\n", option);
	}
	device->platform = platform;
	device->ib.node_type = RDMA_NODE_IB_CA;
	device->ib.phys_port_cnt = 1;
	device->ib.num_comp_vectors = 1;
	device->ib.node_guid = make_guid(path);
	device->ib.dev.parent = parent;
	strscpy(device->ib.node_desc, "rdmatest", sizeof(device->ib.node_desc));
	ib_set_device_ops(&device->ib, &operations);
	if (!fixed)
		ib_set_device_ops(&device->ib, &movable);
	ret = ib_register_device(&device->ib, name, NULL);
	if (ret) {
		ib_dealloc_device(&device->ib);
		put_device(parent);
		if (platform)
			platform_device_unregister(platform);
		return ret;
	}
	list_add_tail(&device->list, &devices);
	return 0;
}

static int del_device(const char *name)
{
	struct rdmatest *device;

	list_for_each_entry(device, &devices, list) {
		if (!strcmp(dev_name(&device->ib.dev), name)) {
			remove_device(device);
			return 0;
		}
	}
	return -ENODEV;
}

static void remove_devices_of(struct device *parent)
{
	struct rdmatest *device, *next;

	list_for_each_entry_safe(device, next, &devices, list)
		if (device->ib.dev.parent == parent)
			remove_device(device);
}

/* A NIC's RDMA device goes with its driver: so does ours. */
static int on_pci_event(struct notifier_block *block, unsigned long event, void *data)
{
	if (event == BUS_NOTIFY_UNBIND_DRIVER) {
		mutex_lock(&lock);
		remove_devices_of(data);
		mutex_unlock(&lock);
	}
	return NOTIFY_DONE;
}

static struct notifier_block pci_notifier = { .notifier_call = on_pci_event };

static void release_function(struct device *dev)
{
	kfree(container_of(dev, struct scalable_function, aux.dev));
}

static struct platform_device *function_parent;

static int add_function(unsigned int id)
{
	struct scalable_function *function = kzalloc(sizeof(*function), GFP_KERNEL);
	int ret;

	if (!function)
		return -ENOMEM;
	function->aux.name = "sf";
	function->aux.id = id;
	function->aux.dev.parent = &function_parent->dev;
	function->aux.dev.release = release_function;
	ret = auxiliary_device_init(&function->aux);
	if (ret) {
		kfree(function);
		return ret;
	}
	/* The name's first part is that of the module that makes it: mlx5's, for this purpose. */
	ret = __auxiliary_device_add(&function->aux, "mlx5_core");
	if (ret) {
		auxiliary_device_uninit(&function->aux);
		return ret;
	}
	list_add_tail(&function->list, &functions);
	return 0;
}

static void remove_function(struct scalable_function *function)
{
	list_del(&function->list);
	remove_devices_of(&function->aux.dev);
	auxiliary_device_delete(&function->aux);
	auxiliary_device_uninit(&function->aux);
}

static int del_function(unsigned int id)
{
	struct scalable_function *function;

	list_for_each_entry(function, &functions, list) {
		if (function->aux.id == id) {
			remove_function(function);
			return 0;
		}
	}
	return -ENODEV;
}

static int probe_function(struct auxiliary_device *aux, const struct auxiliary_device_id *id)
{
	return 0;
}

static const struct auxiliary_device_id function_ids[] = { { .name = "mlx5_core.sf" }, {} };

static struct auxiliary_driver function_driver = {
	.name = "sf",
	.probe = probe_function,
	.id_table = function_ids,
};

static netdev_tx_t drop(struct sk_buff *skb, struct net_device *netdev)
{
	dev_kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops netdev_operations = { .ndo_start_xmit = drop };

static void setup_netdev(struct net_device *netdev)
{
	netdev->netdev_ops = &netdev_operations;
	netdev->type = ARPHRD_INFINIBAND;
	netdev->addr_len = 20;
	netdev->mtu = 2044;
	netdev->needs_free_netdev = true;
}

static int add_netdev(const char *name, const char *path)
{
	struct platform_device *platform = NULL;
	struct device *parent = find_parent(path, &platform);
	struct net_device *netdev;
	struct fake_ipoib *fake;
	int ret;

	if (!parent)
		return -ENODEV;
	netdev = alloc_netdev(sizeof(*fake), name, NET_NAME_USER, setup_netdev);
	if (!netdev) {
		put_device(parent);
		return -ENOMEM;
	}
	SET_NETDEV_DEV(netdev, parent);
	ret = register_netdev(netdev);
	put_device(parent);
	if (ret) {
		free_netdev(netdev);
		return ret;
	}
	fake = netdev_priv(netdev);
	fake->netdev = netdev;
	list_add_tail(&fake->list, &netdevs);
	return 0;
}

static void remove_netdevs(const char *name)
{
	struct fake_ipoib *fake, *next;

	list_for_each_entry_safe(fake, next, &netdevs, list) {
		struct net_device *netdev = fake->netdev;

		if (name && strcmp(netdev->name, name))
			continue;
		list_del(&fake->list);
		unregister_netdev(netdev);
	}
}

static const struct devlink_ops devlink_operations = {};

static const struct devlink_param roce_params[] = {
	DEVLINK_PARAM_GENERIC(ENABLE_ROCE, BIT(DEVLINK_PARAM_CMODE_DRIVERINIT), NULL, NULL, NULL),
};

static void set_roce(struct devlink *devlink, bool on)
{
	const union devlink_param_value value = { .vbool = on };

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	devlink_param_driverinit_value_set(devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, value);
#else
	devl_lock(devlink);
	devl_param_driverinit_value_set(devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, value);
	devl_unlock(devlink);
#endif
}

static int add_switch(const char *name, const char *path, const char *value)
{
	struct platform_device *platform = NULL;
	struct device *parent = find_parent(path, &platform);
	struct roce_switch *added;
	struct devlink *devlink;
	int ret;

	if (!parent)
		return -ENODEV;
	devlink = devlink_alloc(&devlink_operations, sizeof(*added), parent);
	put_device(parent);
	if (!devlink)
		return -ENOMEM;
	ret = devlink_params_register(devlink, roce_params, ARRAY_SIZE(roce_params));
	if (ret) {
		devlink_free(devlink);
		return ret;
	}
	set_roce(devlink, value && !strcmp(value, "on"));
	devlink_register(devlink);
	added = devlink_priv(devlink);
	strscpy(added->name, name, sizeof(added->name));
	list_add_tail(&added->list, &switches);
	return 0;
}

static void remove_switches(const char *name)
{
	struct roce_switch *each, *next;

	list_for_each_entry_safe(each, next, &switches, list) {
		struct devlink *devlink = priv_to_devlink(each);

		if (name && strcmp(each->name, name))
			continue;
		list_del(&each->list);
		devlink_unregister(devlink);
		devlink_params_unregister(devlink, roce_params, ARRAY_SIZE(roce_params));
		devlink_free(devlink);
	}
}

static int run_command(char *text)
{
	char *verb = strsep(&text, " ");
	char *name = strsep(&text, " ");
	char *parent = strsep(&text, " ");
	unsigned int id;

	if (!name)
		return -EINVAL;
	if (!strcmp(verb, "add") && parent)
		return add_device(name, parent, text);
	if (!strcmp(verb, "del"))
		return del_device(name);
	if (!strcmp(verb, "sf") && !kstrtouint(name, 10, &id))
		return add_function(id);
	if (!strcmp(verb, "nosf") && !kstrtouint(name, 10, &id))
		return del_function(id);
	if (!strcmp(verb, "ipoib") && parent)
		return add_netdev(name, parent);
	if (!strcmp(verb, "noipoib")) {
		remove_netdevs(name);
		return 0;
	}
	if (!strcmp(verb, "roce") && parent)
		return add_switch(name, parent, text);
	if (!strcmp(verb, "noroce")) {
		remove_switches(name);
		return 0;
	}
	return -EINVAL;
}

static int set_control(const char *value, const struct kernel_param *param)
{
	char *text = kstrdup(value, GFP_KERNEL);
	int ret;

	if (!text)
		return -ENOMEM;
	mutex_lock(&lock);
	ret = run_command(strim(text));
	mutex_unlock(&lock);
	kfree(text);
	return ret;
}

static const struct kernel_param_ops control_operations = { .set = set_control };

module_param_cb(control, &control_operations, NULL, 0200);
MODULE_PARM_DESC(control, "write a command here (see the source)");

static int __init rdmatest_init(void)
{
	int ret;

	function_parent =
		platform_device_register_simple("rdmatest-sf", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(function_parent))
		return PTR_ERR(function_parent);
	ret = auxiliary_driver_register(&function_driver);
	if (ret)
		goto unregister_parent;
	ret = ib_register_client(&slow_client);
	if (ret)
		goto unregister_driver;
	ret = bus_register_notifier(&pci_bus_type, &pci_notifier);
	if (ret)
		goto unregister_client;
	return 0;

unregister_client:
	ib_unregister_client(&slow_client);
unregister_driver:
	auxiliary_driver_unregister(&function_driver);
unregister_parent:
	platform_device_unregister(function_parent);
	return ret;
}

static void __exit rdmatest_exit(void)
{
	bus_unregister_notifier(&pci_bus_type, &pci_notifier);
	mutex_lock(&lock);
	while (!list_empty(&devices))
		remove_device(list_first_entry(&devices, struct rdmatest, list));
	remove_netdevs(NULL);
	remove_switches(NULL);
	while (!list_empty(&functions))
		remove_function(list_first_entry(&functions, struct scalable_function, list));
	mutex_unlock(&lock);
	ib_unregister_client(&slow_client);
	auxiliary_driver_unregister(&function_driver);
	platform_device_unregister(function_parent);
}

module_init(rdmatest_init);
module_exit(rdmatest_exit);

MODULE_DESCRIPTION("RDMA devices without hardware, for tests");
MODULE_LICENSE("GPL");
