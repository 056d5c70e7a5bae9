/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What there is on a node, read once: functions and their RDMA devices, what the kernel says of
 * them, processes, namespaces, attachments. Nothing here judges (checks.h does) or changes
 * anything.
 *
 * Everything is read below one directory, "/" or a tree that looks like it: a recorded machine, a
 * mounted image. Below another directory than "/" the running kernel is not asked, and what only
 * it knows stays unknown. What may not be read for want of privileges stays unknown too.
 */
#ifndef RDMA_CNI_NODE_NODE_H
#define RDMA_CNI_NODE_NODE_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/names.h>
#include <rdma-cni/kernel/function.h>
#include <rdma-cni/kernel/netns.h>
#include <rdma-cni/store/entry.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The default of the plugin's `dataDir`. */
#define NODE_STATE_DIRECTORY "/var/lib/cni/rdma"

#define NODE_NONE SIZE_MAX

enum node_answer { NODE_UNKNOWN, NODE_NO, NODE_YES };

enum node_mode { NODE_MODE_UNKNOWN, NODE_MODE_EXCLUSIVE, NODE_MODE_SHARED, NODE_MODE_INVALID };

/* A file in /dev, and how well it serves pods. */
enum node_file {
	NODE_FILE_MISSING,
	NODE_FILE_FOREIGN, /* no character device, or another one than the kernel's */
	NODE_FILE_PRIVATE, /* not everyone may read and write */
	NODE_FILE_USABLE,
};

/* A PCI function or a scalable function that has to do with RDMA. */
struct node_function {
	struct function id;
	char driver[64]; /* "": none is bound */
	size_t pf;	 /* of a VF: its PF; NODE_NONE otherwise */
	size_t family;	 /* that PF, or itself: the same of all functions of a port */
	unsigned int vf_number;
	bool is_pf;
	unsigned int vf_count;
	unsigned int vf_max;
	bool is_infiniband;	      /* by its PCI class, or by what its ports say */
	bool is_expected;	      /* one of those that should have an RDMA device */
	bool is_wanted;		      /* the caller asked about it, or about all */
	size_t here;		      /* how many RDMA devices it has in this namespace */
	size_t away;		      /* and in others that could be looked into */
	size_t verbs;		      /* how many uverbs devices, in whatever namespace */
	bool module_runs;	      /* the module that would make its RDMA devices */
	struct names net;	      /* its network devices in this namespace */
	enum node_answer mac;	      /* has a VF an administrative MAC? */
	enum node_answer guids;	      /* has an InfiniBand VF both GUIDs? */
	enum node_answer param_roce;  /* devlink's enable_roce */
	enum node_answer param_rdma;  /* and enable_rdma */
	enum node_answer param_iwarp; /* and enable_iwarp */
	bool param_is_runtime;	      /* they act at once, and not when the driver starts anew */
};

struct node_port {
	char number[8];
	char state[32]; /* "ACTIVE" */
	char link_layer[32];
};

#define NODE_PORTS 4U

struct node_ports {
	struct node_port items[NODE_PORTS];
	size_t count;
};

/* An RDMA device in this namespace. */
struct node_rdma {
	char name[LIMIT_RDMA_NAME_SIZE];
	char parent[LIMIT_FUNCTION_NAME_SIZE]; /* "" when it has none */
	size_t function;		       /* NODE_NONE: of nothing that is listed */
	char guid[24];
	struct node_ports ports;
};

/* A uverbs device: the kernel shows those of all namespaces. */
struct node_verbs {
	uint64_t number;
	char rdma[LIMIT_RDMA_NAME_SIZE];
	char parent[LIMIT_FUNCTION_NAME_SIZE];
	size_t function;
	enum node_file file;
};

enum node_module_state { NODE_MODULE_ABSENT, NODE_MODULE_PRESENT, NODE_MODULE_RUNS };

/* The modules of the RDMA core, in the order of their names below. */
enum { NODE_IB_CORE, NODE_IB_UVERBS, NODE_RDMA_CM, NODE_RDMA_UCM, NODE_MODULES };

/* What ib_core will be told when it is loaded the next time. */
struct node_boot {
	enum node_mode mode; /* NODE_MODE_UNKNOWN: nothing says */
	char value[32];	     /* as it is written */
	char source[256];    /* the file, or "the kernel command line" */
	bool is_built_in;    /* so that files in modprobe.d don't count */
	bool from_file;
	bool from_initramfs; /* ib_core was loaded from there; false: that is not known */
	char hidden[256];    /* a file or directory of modprobe.d that may not be read; "" */
	char initramfs[256]; /* the running kernel's, if it is older than that file; "" */
};

/* A process that starts containers, and what its children inherit. */
struct node_runtime {
	pid_t pid;
	char name[32];
	char unit[64];	     /* systemd's */
	char unit_limit[32]; /* LimitMEMLOCK of its unit; "": not set */
	bool has_limit;	     /* the next field could be read */
	uint64_t memlock;    /* bytes; UINT64_MAX: unlimited */
};

/* A network namespace other than the one of this process. */
struct node_netns {
	struct netns_id id;
	pid_t pid;	/* a process in it; 0: there is none */
	char path[256]; /* a name that holds it; "" */
};

/* An RDMA device in one of those. */
struct node_away {
	size_t netns;
	char name[LIMIT_RDMA_NAME_SIZE];
	char parent[LIMIT_FUNCTION_NAME_SIZE];
	size_t function;
	struct node_ports ports;
};

enum node_life {
	NODE_LIFE_UNKNOWN,
	NODE_LIFE_ALIVE,
	NODE_LIFE_OTHER_BOOT,
	NODE_LIFE_NETNS_GONE,
	NODE_LIFE_UNREADABLE, /* the file is no entry, and `entry` is empty */
};

/* A file of the plugin's state directory. */
struct node_attachment {
	char *file;
	struct entry entry;
	enum node_life life;
	size_t netns; /* NODE_NONE: not among those that were found, though it may live */
};

/* Whose `rdma` is in the directory of the CNI plugins. */
enum node_plugin {
	NODE_PLUGIN_MISSING,
	NODE_PLUGIN_NOT_EXECUTABLE,
	NODE_PLUGIN_OURS,
	NODE_PLUGIN_GO,
	NODE_PLUGIN_UNKNOWN,
	NODE_PLUGIN_HIDDEN, /* it, or that directory, may not be read */
};

struct node {
	/* How it was read. */
	const char *path;    /* "/", or the other tree */
	const char *version; /* of this program */
	bool wants_all;	     /* not only certain functions */
	bool is_live;
	int root;
	int sysfs;
	bool is_privileged;

	/* The kernel. */
	char release[128];
	bool has_rdma;
	enum node_answer knows_netns;
	enum node_mode mode;
	struct node_boot boot;
	enum node_module_state modules[NODE_MODULES];
	char stack_core[64]; /* versions of out-of-tree mlx5_core and mlx5_ib; "" otherwise */
	char stack_rdma[64];
	bool stack_core_runs;
	bool stack_rdma_runs;
	enum node_file rdma_cm;

	/* Devices; functions by name. */
	struct node_function *functions;
	size_t function_count;
	struct node_rdma *rdma;
	size_t rdma_count;
	struct node_verbs *verbs;
	size_t verbs_count;

	/* Processes and namespaces. */
	bool processes_are_known; /* false: some of them may not be looked at */
	size_t process_count;
	struct node_runtime *runtimes;
	size_t runtime_count;
	pid_t shared_plugin;  /* the process of a shared RDMA device plugin; 0: there is none */
	char shared_pod[256]; /* what the kubelet calls its pod's logs; "" */
	struct node_netns *netns;
	size_t netns_count;
	struct node_away *away;
	size_t away_count;

	/* The plugin. */
	char plugin_directory[128]; /* where CNI plugins are; "": nowhere */
	struct names plugins;
	enum node_plugin plugin;
	char plugin_version[64];
	bool state_is_known;
	struct error state_error; /* ERROR_NONE: the state directory is, or will be, usable */
	struct node_attachment *attachments;
	size_t attachment_count;
};

struct node_options {
	const char *root;
	const char *version;
	/* PCI addresses or auxiliary devices to look at alone; empty: all. */
	const struct names *devices;
};

/*
 * Read all of it. Fails when the tree can't be read at all, a device of the options is none or
 * does not exist (ERROR_CONFIG, ERROR_NO_FUNCTION), or memory is short.
 */
int node_read(const struct node_options *options, struct node *ret, struct error *err)
	must_check nonnull(1, 2, 3);
void node_done(struct node *node) nonnull(1);

#define cleanup_node cleanup(node_done)

/* A descriptor of that namespace, wherever it is held. ERROR_ENVIRONMENT when it is gone. */
int node_open_netns(const struct node_netns *netns, int *ret, struct error *err)
	must_check nonnull(1, 2, 3);

/* The name of one of the modules above. */
const char *node_module_name(size_t module);

/* The module that makes RDMA devices for functions of this driver; NULL: none that is known. */
const char *node_rdma_module(const char *driver) must_check nonnull(1);

/* The function of that name; NODE_NONE. */
size_t node_find_function(const struct node *node, const char *name) nonnull(1, 2);

#endif
