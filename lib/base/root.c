/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small reads below a directory handle.
 */
#include <rdma-cni/base/root.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/parse.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int root_open(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
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
	const int cleanup_close fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	char line[PATH_MAX];
	ssize_t count;

	if (fd < 0)
		return -errno;
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

static void close_directory(DIR **directory)
{
	if (*directory)
		(void)closedir(*directory);
}

int root_list(int root, const char *path, struct names *ret)
{
	int cleanup_close fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *cleanup(close_directory) directory = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!directory)
		return -errno;
	(void)take_fd(&fd);
	errno = 0;
	while ((entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    names_add(ret, entry->d_name) < 0)
			return -ENOMEM;
		errno = 0;
	}
	if (errno != 0)
		return -errno;
	names_sort(ret);
	return 0;
}

int root_read_file(int root, const char *path, size_t limit, struct text *ret)
{
	/* O_NONBLOCK: a FIFO planted under that name must not hang us. */
	const int cleanup_close fd =
		openat(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd < 0 ? -errno : io_read_all(fd, limit, ret);
}
