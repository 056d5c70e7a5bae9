/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of names.
 */
#include <rdma-cni/base/names.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int names_grow(struct names *names)
{
	const size_t size = names->size > 0 ? names->size * 2 : 8;
	char **items = realloc(names->items, size * sizeof(*items));

	if (!items)
		return -ENOMEM;
	names->items = items;
	names->size = size;
	return 0;
}

int names_add(struct names *names, const char *name)
{
	char *copy;

	if (names->count == names->size && names_grow(names) < 0)
		return -ENOMEM;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	names->items[names->count++] = copy;
	return 0;
}

int names_add_all(struct names *names, const struct names *more)
{
	for (size_t i = 0; i < more->count; i++) {
		if (names_add(names, more->items[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

bool names_contain(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->items[i], name) == 0)
			return true;
	}
	return false;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *names)
{
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(*names->items), compare_names);
}

const char *names_join(const struct names *names, char *buffer, size_t size)
{
	size_t length = 0;

	(void)snprintf(buffer, size, "none");
	for (size_t i = 0; i < names->count && length < size; i++) {
		const int more = snprintf(buffer + length, size - length, "%s%s", i > 0 ? ", " : "",
					  names->items[i]);

		length += more > 0 ? (size_t)more : 0;
	}
	return buffer;
}

void names_done(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct names){ 0 };
}
