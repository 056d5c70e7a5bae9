/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target without a fuzzer: each file named on the command line is one input. A corpus is so a
 * test of every build, and its findings stay fixed where there is no clang.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/io.h>
#include <stdio.h>
#include <string.h>

#define INPUT_BYTES (1U << 20)

static int replay(const char *path)
{
	const int cleanup_close fd = open(path, O_RDONLY | O_CLOEXEC);
	struct text cleanup_text input = { 0 };
	const int r = fd < 0 ? -errno : io_read_all(fd, INPUT_BYTES, &input);
	uint8_t *cleanup_free exact = NULL;

	if (r < 0) {
		(void)fprintf(stderr, "cannot read '%s': %s\n", path, strerror(-r));
		return r;
	}
	/* Of exactly its size, so that a sanitizer sees what is read behind it. */
	exact = malloc(input.length > 0 ? input.length : 1);
	require(exact);
	if (input.length > 0)
		memcpy(exact, input.data, input.length);
	(void)fprintf(stderr, "%s\n", path);
	return LLVMFuzzerTestOneInput(exact, input.length);
}

int main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++) {
		if (replay(argv[i]) < 0)
			return EXIT_FAILURE;
	}
	return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
