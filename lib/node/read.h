/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small reads below a directory, by a formatted path.
 */
#ifndef RDMA_CNI_NODE_READ_H
#define RDMA_CNI_NODE_READ_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/names.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READ_PATH_SIZE 512U

/* The first line of a file; "" when there is none that fits. */
void read_line(int root, char *ret, size_t size, const char *format, ...) printf_like(4, 5)
	nonnull(2, 4);
/* The first line as a number; 0 when it is none. */
unsigned int read_number(int root, const char *format, ...) printf_like(2, 3) nonnull(2);
/* The last component of where a link leads; "" when there is none. */
void read_link(int root, char *ret, size_t size, const char *format, ...) printf_like(4, 5)
	nonnull(2, 4);
/* Does it exist? */
bool read_exists(int root, const char *format, ...) printf_like(2, 3) nonnull(2);
/* The names in a directory; none when it can't be read. -ENOMEM. */
int read_names(int root, struct names *ret, const char *format, ...) printf_like(3, 4)
	must_check nonnull(2, 3);

/*
 * Room for one more element of `size` bytes behind `count` of them, empty. NULL and `array`
 * untouched when memory is short.
 */
void *read_grow(void *array, size_t count, size_t size) must_check;

#endif
