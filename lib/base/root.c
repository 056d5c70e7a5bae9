/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small reads below a directory handle.
 */
#include <rdma-cni/base/root.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/parse.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int root_open(const char *path)
{
	return io_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
}

char *root_clean_path(const char *path)
{
	char *clean = malloc(strlen(path) + 2);
	char *end = clean;

	if (!clean)
		return NULL;
	if (*path == '/')
		*end++ = '/';
	while (*path != '\0') {
		const size_t length = strcspn(path, "/");

		if (length > 0 && !(length == 1 && path[0] == '.')) {
			if (end > clean && end[-1] != '/')
				*end++ = '/';
			memcpy(end, path, length);
			end += length;
		}
		path += length;
		path += *path == '/' ? 1 : 0;
	}
	*end = '\0';
	return clean;
}

int root_make_parents(const char *path)
{
	char *cleanup_free partial = strdup(path);

	if (!partial)
		return -ENOMEM;
	for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(partial, 0755) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

bool root_exists(int root, const char *path)
{
	return faccessat(root, path, F_OK, 0) == 0;
}

int root_read_line(int root, const char *path, char *ret, size_t size)
{
	const int cleanup_close fd = io_open(root, path, O_RDONLY, 0);
	char line[PATH_MAX];
	ssize_t count;

	if (fd < 0)
		return fd;
	do {
		count = read(fd, line, sizeof(line) - 1);
	} while (count < 0 && errno == EINTR);
	if (count < 0)
		return -errno;
	line[count] = '\0';
	/* More may follow than was read of it. */
	if ((size_t)count == sizeof(line) - 1 && !strchr(line, '\n'))
		return -EFBIG;
	line[strcspn(line, "\n")] = '\0';
	return parse_copy(ret, size, line) ? 0 : -EFBIG;
}

int root_link_name(int root, const char *path, char *ret, size_t size)
{
	char target[PATH_MAX];
	const char *slash;
	const ssize_t length = readlinkat(root, path, target, sizeof(target) - 1);

	if (length < 0)
		return -errno;
	target[length] = '\0';
	slash = strrchr(target, '/');
	return parse_copy(ret, size, slash ? slash + 1 : target) ? 0 : -EFBIG;
}

/* What getdents64(2) fills in. */
struct directory_entry {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

static int add_entries(const char *entries, size_t length, struct names *ret)
{
	size_t at = 0;

	while (at < length) {
		const struct directory_entry *entry = (const void *)(entries + at);

		if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0 &&
		    names_add(ret, entry->name) < 0)
			return -ENOMEM;
		at += entry->length;
	}
	return 0;
}

/* The system call itself: readdir(3) makes five more and a buffer around it for a short list. */
int root_list(int root, const char *path, struct names *ret)
{
	const int cleanup_close fd = io_open(root, path, O_RDONLY | O_DIRECTORY, 0);
	_Alignas(struct directory_entry) char entries[4096];
	long length;

	if (fd < 0)
		return fd;
	while ((length = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0) {
		const int r = add_entries(entries, (size_t)length, ret);

		if (r < 0)
			return r;
	}
	if (length < 0)
		return -errno;
	names_sort(ret);
	return 0;
}

int root_read_file(int root, const char *path, size_t limit, struct text *ret)
{
	/* O_NONBLOCK: a FIFO planted under that name must not hang us. */
	const int cleanup_close fd =
		io_open(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);

	return fd < 0 ? fd : io_read_all(fd, limit, ret);
}
