/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How every function in this project fails.
 *
 *	int thing_do(..., struct error *err);
 *
 * returns 0 (or a count) on success and a negative errno on failure. `err` is
 * filled if and only if it failed, by the function nearest to the cause; callers
 * add context in front of the message or pass the error on. Outputs are untouched
 * on failure.
 *
 * An error has a fixed size and needs no allocation: even "out of memory" becomes
 * a readable object. A message says what was tried, on 'what', and what came back;
 * `details` says what to do about it. Kinds are this project's words, not those of
 * any protocol: cmd/rdma/errors.c maps them to CNI codes.
 */
#ifndef RDMA_CNI_BASE_ERROR_H
#define RDMA_CNI_BASE_ERROR_H

#include <rdma-cni/base/attributes.h>
#include <stdbool.h>

enum error_kind {
	ERROR_NONE = 0,
	ERROR_VERSION,	   /* a protocol version that is not spoken here */
	ERROR_ENVIRONMENT, /* an environment variable is missing or unusable */
	ERROR_IO,	   /* reading input or writing output failed */
	ERROR_DECODE,	   /* a document is not what it claims to be */
	ERROR_CONFIG,	   /* the configuration is impossible */
	ERROR_SAME_NETNS,  /* the pod's namespace is our own */
	ERROR_BUSY,	   /* somebody else is at it: try again later */
	ERROR_STOPPED,	   /* a signal asked for the end while something was waited for */
	ERROR_NO_RDMA,	   /* kernel without RDMA, or without RDMA namespaces */
	ERROR_NETNS_MODE,  /* RDMA subsystem not in netns mode exclusive */
	ERROR_NO_FUNCTION, /* no such PCI or auxiliary device */
	ERROR_NO_DRIVER,   /* no driver bound to it */
	ERROR_NO_DEVICE,   /* a driver, but no RDMA device */
	ERROR_ELSEWHERE,   /* the RDMA device sits in another network namespace */
	ERROR_IPOIB,	   /* moving would destroy the pod's IPoIB interface */
	ERROR_MOVE,	   /* the kernel refused to move a device */
	ERROR_NAME,	   /* the kernel refused a device name */
	ERROR_CONFLICT,	   /* an attachment of that identity lives elsewhere */
	ERROR_STATE,	   /* the state directory or an entry is unusable */
	ERROR_CHECK,	   /* an attachment is not as ADD left it */
	ERROR_CLEANUP,	   /* some attachments could not be undone */
	ERROR_NOT_READY,   /* ADD could not work on this node now */
	ERROR_IMPAIRED,	   /* the same, and there are attachments already */
	ERROR_INTERNAL,	   /* our own mistake, or no memory */
	ERROR_KINDS	   /* how many kinds there are */
};

struct error {
	enum error_kind kind;
	char msg[1024];
	char details[4096];
};

/*
 * Fill `err`: the formatted text, followed by ": <errno text>" unless `errnum` is 0.
 * Returns -errnum, or -EINVAL for 0, so that `return error_set(...)` reads well.
 * Details from before are dropped.
 */
int error_set(struct error *err, enum error_kind kind, int errnum, const char *format, ...)
	printf_like(4, 5) nonnull(1, 4);

/* Set the details: what was looked at, what to do. */
void error_details(struct error *err, const char *format, ...) printf_like(2, 3) nonnull(1, 2);

/* Put "<text>: " in front of the message. */
void error_context(struct error *err, const char *format, ...) printf_like(2, 3) nonnull(1, 2);

/*
 * Keep going after a failure: the first error stays as it is, the message of each
 * further one goes to its details, one a line.
 */
void error_gather(struct error *first, const struct error *next) nonnull(1, 2);

/*
 * Is this negative errno one of a process or machine that ran out of memory or descriptors? Then it
 * says nothing of what was looked for: "not seen" is not "gone".
 */
bool error_is_shortage(int r);

/* -ENOMEM with the words for it. */
int error_no_memory(struct error *err) nonnull(1);

#endif
