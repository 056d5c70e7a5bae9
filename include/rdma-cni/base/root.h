/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small reads below a directory handle: sysfs, procfs, the state directory.
 *
 * The handle is an open directory descriptor; every path is relative to it. A test
 * hands in another tree, a pod's view of sysfs is another handle.
 */
#ifndef RDMA_CNI_BASE_ROOT_H
#define RDMA_CNI_BASE_ROOT_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/names.h>
#include <rdma-cni/base/text.h>
#include <stdbool.h>
#include <stddef.h>

/* A directory descriptor for `path`, or a negative errno. */
int root_open(const char *path) must_check nonnull(1);

/*
 * A copy of `path`, which the caller frees, without empty components, "." and a slash at the end,
 * so that its last component is the one that is meant. ".." stays: what it leads to is the kernel's
 * to say. NULL: no memory.
 */
char *root_clean_path(const char *path) must_check nonnull(1);

/*
 * Make the directories on the way to `path`, 0755, without its last component. 0 when
 * they are there already.
 */
int root_make_parents(const char *path) must_check nonnull(1);

bool root_exists(int root, const char *path) nonnull(2);

/*
 * The first line of an attribute file, without its newline. Negative errno; -EFBIG
 * when it does not fit in `size` bytes, or has more than 4094.
 */
int root_read_line(int root, const char *path, char *ret, size_t size) must_check nonnull(2, 3);

/* The last component of the symbolic link's target: which driver, which bus device. */
int root_link_name(int root, const char *path, char *ret, size_t size) must_check nonnull(2, 3);

/*
 * The names in a directory, sorted, without "." and ".."; hidden files included.
 * A directory that does not exist is -ENOENT.
 */
int root_list(int root, const char *path, struct names *ret) must_check nonnull(2, 3);

/* A whole file of at most `limit` bytes; its last component is never followed as a link. */
int root_read_file(int root, const char *path, size_t limit, struct text *ret)
	must_check nonnull(2, 4);

#endif
