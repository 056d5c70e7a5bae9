/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA netlink: mode, lookup, move and rename.
 */
#include <rdma-cni/kernel/nldev.h>

#include <errno.h>
#include <libmnl/libmnl.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/parse.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

static struct nlmsghdr *prepare(struct nl_request *request, enum rdma_nldev_command command,
				uint16_t flags)
{
	const uint16_t type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, (unsigned int)command);

	return nl_prepare(request, type, flags);
}

int nldev_open(struct nl *ret, struct error *err)
{
	const int r = nl_open(NETLINK_RDMA, ret, err);

	if (r < 0) {
		error_context(err, "cannot talk to the kernel's RDMA subsystem");
		error_details(err, "load it (modprobe ib_core) or run a kernel that has RDMA");
	}
	return r;
}

/* The RDMA messages have no header of their own behind nlmsghdr. */
static int collect_netns_mode(const struct nlattr *attribute, void *data)
{
	int *mode = data;

	if (mnl_attr_get_type(attribute) != RDMA_NLDEV_SYS_ATTR_NETNS_MODE)
		return 0;
	if (mnl_attr_validate(attribute, MNL_TYPE_U8) < 0)
		return -EBADMSG;
	*mode = mnl_attr_get_u8(attribute);
	return 1;
}

static int read_netns_mode(const struct nlmsghdr *message, void *data)
{
	return nl_each_attribute(message, 0, collect_netns_mode, data);
}

int nldev_get_netns_mode(struct nl *nl, enum nldev_netns_mode *ret, struct error *err)
{
	struct nl_request request;
	int mode = -1;
	int r;

	(void)prepare(&request, RDMA_NLDEV_CMD_SYS_GET, 0);
	r = nl_exchange(nl, &request, read_netns_mode, &mode, err);
	if (r < 0) {
		error_context(err, "cannot read the RDMA network namespace mode");
	} else if (mode < 0) {
		r = error_set(err, ERROR_NO_RDMA, EOPNOTSUPP,
			      "cannot read the RDMA network namespace mode: the kernel's answer "
			      "has none");
	}
	if (r < 0) {
		err->kind = ERROR_NO_RDMA;
		error_details(err, "RDMA network namespaces need Linux 5.3 or a driver stack that "
				   "brings them");
		return r;
	}
	*ret = mode == 0 ? NLDEV_NETNS_EXCLUSIVE : NLDEV_NETNS_SHARED;
	return 0;
}

int nldev_set_netns_mode(struct nl *nl, enum nldev_netns_mode mode, struct error *err)
{
	struct nl_request request;
	struct nlmsghdr *header = prepare(&request, RDMA_NLDEV_CMD_SYS_SET, NLM_F_ACK);
	int r;

	mnl_attr_put_u8(header, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, mode == NLDEV_NETNS_SHARED);
	r = nl_exchange(nl, &request, NULL, NULL, err);
	if (r < 0) {
		err->kind = r == -EBUSY ? ERROR_BUSY : ERROR_NETNS_MODE;
		error_context(err, "cannot set the RDMA network namespace mode");
	}
	if (r == -EBUSY)
		error_details(err, "the kernel refuses while other network namespaces exist");
	return r;
}

/* What tells one device from another. */
struct identity {
	const struct nlattr *index;
	const struct nlattr *name;
};

/* The first two attributes of many: the walk ends with them, as there may be 1,000 devices. */
static int collect_identity(const struct nlattr *attribute, void *data)
{
	struct identity *identity = data;
	const uint16_t type = mnl_attr_get_type(attribute);

	if (type == RDMA_NLDEV_ATTR_DEV_INDEX) {
		if (mnl_attr_validate(attribute, MNL_TYPE_U32) < 0)
			return -EBADMSG;
		identity->index = attribute;
	} else if (type == RDMA_NLDEV_ATTR_DEV_NAME) {
		if (mnl_attr_validate(attribute, MNL_TYPE_NUL_STRING) < 0)
			return -EBADMSG;
		identity->name = attribute;
	}
	return identity->index && identity->name ? 1 : 0;
}

struct lookup {
	const char *name; /* NULL: of any name */
	struct nldev_device device;
	bool found;
};

static int match_device(const struct nlmsghdr *message, void *data)
{
	struct identity identity = { NULL, NULL };
	struct lookup *lookup = data;
	const char *name;
	const int r = nl_each_attribute(message, 0, collect_identity, &identity);

	if (r <= 0)
		return r;
	name = mnl_attr_get_str(identity.name);
	if (lookup->name && strcmp(name, lookup->name) != 0)
		return 0;
	lookup->device.index = mnl_attr_get_u32(identity.index);
	lookup->found = parse_copy(lookup->device.name, sizeof(lookup->device.name), name);
	return lookup->found ? 1 : -EBADMSG;
}

int nldev_get(struct nl *nl, uint32_t index, struct nldev_device *ret, struct error *err)
{
	struct lookup lookup = { .name = NULL };
	struct nl_request request;
	struct nlmsghdr *header = prepare(&request, RDMA_NLDEV_CMD_GET, 0);
	int r;

	mnl_attr_put_u32(header, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	r = nl_exchange(nl, &request, match_device, &lookup, err);
	/* EINVAL is what the kernel has for an index that is not in this namespace. */
	if (r == -EINVAL || (r == 0 && (!lookup.found || lookup.device.index != index)))
		return error_set(err, ERROR_NO_DEVICE, ENODEV,
				 "there is no RDMA device of index %u in this network namespace",
				 (unsigned int)index);
	if (r < 0) {
		error_context(err, "cannot look up the RDMA device of index %u",
			      (unsigned int)index);
		return r;
	}
	*ret = lookup.device;
	return 0;
}

/*
 * The kernel dumps one device at a time and finds the next one by counting those before it
 * (_nldev_get_dumpit() in nldev.c, ib_enum_all_devs() in device.c). When one that was listed
 * leaves the namespace meanwhile, the next is passed over, and no NLM_F_DUMP_INTR tells. So a
 * single dump proves that a device is there, not that it is absent.
 */
int nldev_find(struct nl *nl, const char *name, struct nldev_device *ret, struct error *err)
{
	struct lookup lookup = { .name = name };
	int r = 0;

	for (unsigned int i = 0; r == 0 && !lookup.found && i <= LIMIT_DUMP_RESTARTS; i++) {
		struct nl_request request;

		(void)prepare(&request, RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
		r = nl_exchange_dump(nl, &request, match_device, NULL, &lookup, err);
	}
	if (r < 0) {
		error_context(err, "cannot look up RDMA device '%s'", name);
		return r;
	}
	if (!lookup.found)
		return error_set(err, ERROR_NO_DEVICE, ENODEV,
				 "cannot look up RDMA device '%s' in this network namespace", name);
	*ret = lookup.device;
	return 0;
}

static const char *move_advice(int errnum)
{
	switch (errnum) {
	case EOPNOTSUPP:
		return "the driver of this device can't be moved between network namespaces (it "
		       "lacks disassociate_ucontext), or the RDMA subsystem is not in netns mode "
		       "exclusive";
	case EPERM:
		return "moving needs CAP_NET_ADMIN in both network namespaces: run as root";
	case EINVAL:
	case ENODEV:
		return "the device left this network namespace at the same moment: try again";
	default:
		return "see the kernel log";
	}
}

int nldev_move(struct nl *nl, const struct nldev_device *device, int netns, struct error *err)
{
	struct nl_request request;
	struct nlmsghdr *header = prepare(&request, RDMA_NLDEV_CMD_SET, NLM_F_ACK);
	int r;

	mnl_attr_put_u32(header, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
	mnl_attr_put_u32(header, RDMA_NLDEV_NET_NS_FD, (uint32_t)netns);
	r = nl_exchange(nl, &request, NULL, NULL, err);
	if (r < 0) {
		err->kind = ERROR_MOVE;
		error_context(err, "cannot move RDMA device '%s' to another network namespace",
			      device->name);
		error_details(err, "%s", move_advice(-r));
	}
	return r;
}

int nldev_rename(struct nl *nl, const struct nldev_device *device, const char *name,
		 struct error *err)
{
	struct nl_request request;
	struct nlmsghdr *header = prepare(&request, RDMA_NLDEV_CMD_SET, NLM_F_ACK);
	int r;

	if (strlen(name) >= LIMIT_RDMA_NAME_SIZE)
		return error_set(err, ERROR_NAME, ENAMETOOLONG,
				 "cannot rename RDMA device '%s' to '%s'", device->name, name);
	mnl_attr_put_u32(header, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
	mnl_attr_put_strz(header, RDMA_NLDEV_ATTR_DEV_NAME, name);
	r = nl_exchange(nl, &request, NULL, NULL, err);
	if (r < 0) {
		err->kind = ERROR_NAME;
		error_context(err, "cannot rename RDMA device '%s' to '%s'", device->name, name);
		if (r == -EEXIST)
			error_details(err, "RDMA device names are unique over the whole node, "
					   "pods included");
	}
	return r;
}
