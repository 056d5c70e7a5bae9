/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fuzz targets share. A target is the function that libFuzzer calls with bytes of its
 * choice; it asserts what must be true of any input, and ends the process where it is not.
 */
#ifndef RDMA_CNI_TEST_FUZZ_FUZZ_H
#define RDMA_CNI_TEST_FUZZ_FUZZ_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/text.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not assert(3): it must hold in every build, and say what the input was known by. */
#define require(condition)                                                                         \
	((condition) ? (void)0 : require_failed(__FILE__, __LINE__, #condition, NULL))
/* The same, with the text that was looked at. */
#define require_of(text, condition)                                                                \
	((condition) ? (void)0 : require_failed(__FILE__, __LINE__, #condition, (text)))

_Noreturn void require_failed(const char *file, int line, const char *condition, const char *text)
	nonnull(1, 3);

/*
 * A failure says what it is: a kind, words, and as an error object on standard output a code, the
 * message and a version. A success leaves the error alone.
 */
void require_answer(int result, const struct error *err) nonnull(2);

/* A descriptor that gives these bytes, until the next call. Never closed by the caller. */
int fuzz_descriptor(const void *data, size_t size);
/* Everything that was written to a descriptor of fuzz_descriptor(NULL, 0). */
void fuzz_written(int fd, struct text *ret) nonnull(2);

/* An empty directory below $TMPDIR or /tmp, removed when the process ends as it should. */
int fuzz_directory(void);

/* The input with a NUL behind it, at a place of its own; the caller frees it. */
char *fuzz_string(const uint8_t *data, size_t size);

/* True when the string comes out of text_printable() as it is. */
bool fuzz_is_printable(const char *string) nonnull(1);

#endif
