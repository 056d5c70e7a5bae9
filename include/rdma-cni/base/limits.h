/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every limit on what somebody else can make us read, keep or wait for.
 */
#ifndef RDMA_CNI_BASE_LIMITS_H
#define RDMA_CNI_BASE_LIMITS_H

/*
 * A network configuration on standard input. Runtimes may pass a pod's annotations as a
 * capability (Kubernetes allows 256 KiB of them), so some MiB are real.
 */
#define LIMIT_CONF_BYTES (8U << 20)

/* Nesting of a JSON document: cJSON's own limit (CJSON_NESTING_LIMIT). */
#define LIMIT_JSON_DEPTH 1000U

/* One state file, one device-info file, one sysfs attribute. */
#define LIMIT_STATE_BYTES (64U << 10)
#define LIMIT_DEVINFO_BYTES (1U << 20)
/* A table of /proc (locks). */
#define LIMIT_PROC_BYTES (1U << 20)

/* A network device name, with its terminator (kernel: IFNAMSIZ). */
#define LIMIT_IFNAME_SIZE 16U
/* An RDMA device name, with its terminator (kernel: IB_DEVICE_NAME_MAX). */
#define LIMIT_RDMA_NAME_SIZE 64U
/* The name of a PCI or auxiliary device on its bus, with the terminator. */
#define LIMIT_FUNCTION_NAME_SIZE 64U
/* RDMA devices of one function: one is normal, mlx5 multi-port and the like have two or so. */
#define LIMIT_FUNCTION_DEVICES 16U

/*
 * How long the configuration may fail to come, the result or error to be taken, and a line of the
 * log: other ends of standard descriptors may stall.
 */
#define LIMIT_INPUT_WAIT_MS 60000
#define LIMIT_OUTPUT_WAIT_MS 10000
#define LIMIT_LOG_WAIT_MS 1000
/* How long a move may wait for the moves of other pods on this node. */
#define LIMIT_LOCK_WAIT_MS 60000
/* `waitSeconds`: how long ADD may wait for a device that a dead pod still holds. */
#define LIMIT_WAIT_SECONDS_MAX 60
#define LIMIT_WAIT_SECONDS_DEFAULT 3

/* Restarts of a netlink dump that other changes interrupted, or may have. */
#define LIMIT_DUMP_RESTARTS 16U

#endif
