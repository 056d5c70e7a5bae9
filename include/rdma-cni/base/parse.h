/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strict readers of small foreign text.
 */
#ifndef RDMA_CNI_BASE_PARSE_H
#define RDMA_CNI_BASE_PARSE_H

#include <rdma-cni/base/attributes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal digits only, no sign, no space, nothing behind, no leading zero but "0" itself. */
bool parse_u64(const char *text, uint64_t *ret) must_check nonnull(1, 2);

/* `count` hexadecimal digits at `text`, in either case; nothing behind them is read. */
bool parse_is_hex(const char *text, size_t count) must_check nonnull(1);

/* A name that is one path component: not empty, ".", "..", no '/', at most 255 bytes. */
bool parse_is_component(const char *text) must_check nonnull(1);

/* Copy a string that fits with its terminator; false (and nothing written) if it does not. */
bool parse_copy(char *out, size_t size, const char *text) must_check nonnull(1, 3);

#endif
