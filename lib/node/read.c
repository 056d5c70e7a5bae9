/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small reads below a directory, by a formatted path.
 */
#include "read.h"

#include <errno.h>
#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/root.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A path that does not fit is one that does not exist. */
#define FORMAT_PATH(path, format)                                                                  \
	do {                                                                                       \
		va_list values_;                                                                   \
                                                                                                   \
		va_start(values_, format);                                                         \
		if (vsnprintf(path, sizeof(path), format, values_) >= (int)sizeof(path))           \
			(path)[0] = '\0';                                                          \
		va_end(values_);                                                                   \
	} while (0)

void read_line(int root, char *ret, size_t size, const char *format, ...)
{
	char path[READ_PATH_SIZE];

	FORMAT_PATH(path, format);
	if (root_read_line(root, path, ret, size) < 0)
		ret[0] = '\0';
}

unsigned int read_number(int root, const char *format, ...)
{
	char path[READ_PATH_SIZE];
	char line[24];
	uint64_t number;

	FORMAT_PATH(path, format);
	if (root_read_line(root, path, line, sizeof(line)) < 0 || !parse_u64(line, &number) ||
	    number > UINT32_MAX)
		return 0;
	return (unsigned int)number;
}

void read_link(int root, char *ret, size_t size, const char *format, ...)
{
	char path[READ_PATH_SIZE];

	FORMAT_PATH(path, format);
	if (root_link_name(root, path, ret, size) < 0)
		ret[0] = '\0';
}

bool read_exists(int root, const char *format, ...)
{
	char path[READ_PATH_SIZE];

	FORMAT_PATH(path, format);
	return path[0] != '\0' && root_exists(root, path);
}

int read_names(int root, struct names *ret, const char *format, ...)
{
	char path[READ_PATH_SIZE];

	FORMAT_PATH(path, format);
	return root_list(root, path, ret) == -ENOMEM ? -ENOMEM : 0;
}

void *read_grow(void *array, size_t count, size_t size)
{
	char *grown = array;

	/* Twice the room whenever a power of two is full. */
	if ((count & (count - 1)) == 0)
		grown = realloc(array, (count > 0 ? count * 2 : 1) * size);
	if (grown)
		memset(grown + count * size, 0, size);
	return grown;
}
