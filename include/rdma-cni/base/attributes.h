/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contracts that the compiler can check, written on prototypes.
 */
#ifndef RDMA_CNI_BASE_ATTRIBUTES_H
#define RDMA_CNI_BASE_ATTRIBUTES_H

/*
 * The result must be looked at; `(void)` in front is not enough for gcc, so ignore by design
 * only.
 */
#define must_check __attribute__((warn_unused_result))
/* These arguments (counted from 1) are never NULL. */
#define nonnull(...) __attribute__((nonnull(__VA_ARGS__)))
/* printf-like: the format is argument `template`, the values start at `first` (0: a va_list). */
#define printf_like(template, first) __attribute__((format(printf, template, first)))

#define array_size(array) (sizeof(array) / sizeof((array)[0]))

#endif
