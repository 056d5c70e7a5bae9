/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log: standard error, and a file if one is asked for. One line an event, written
 * with one write(2), so that lines of parallel processes do not mix:
 *
 *	2026-12-01T16:48:29.123Z info rdma[4711] ADD net1: text (pod=ns/name ...)
 *
 * The log's settings are the only mutable global of the project. Library code logs at
 * level debug only; commands decide what is worth more.
 */
#ifndef RDMA_CNI_BASE_LOG_H
#define RDMA_CNI_BASE_LOG_H

#include <rdma-cni/base/attributes.h>
#include <stdbool.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* "error", "warning", "info" or "debug" (exactly). */
bool log_level_parse(const char *text, enum log_level *ret) must_check nonnull(1, 2);

void log_set_level(enum log_level level);

/*
 * Text that ends every line from now on, in parentheses; "" for none. Copied, made one printable
 * line, cut at 512 bytes.
 */
void log_set_context(const char *context) nonnull(1);

/* Append to this file too. Negative errno when it can't be opened; the log goes on without. */
int log_set_file(const char *path) must_check nonnull(1);

void log_write(enum log_level level, const char *format, ...) printf_like(2, 3) nonnull(2);

#define log_error(...) log_write(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_write(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...) log_write(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_write(LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
