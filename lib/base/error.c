/* SPDX-License-Identifier: Apache-2.0 */
/*
 * struct error: set, add context, gather; no allocation anywhere.
 */
#include <rdma-cni/base/error.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *err, enum error_kind kind, int errnum, const char *format, ...)
{
	va_list values;
	size_t length;

	err->kind = kind;
	err->details[0] = '\0';

	va_start(values, format);
	(void)vsnprintf(err->msg, sizeof(err->msg), format, values);
	va_end(values);

	if (errnum == 0)
		return -EINVAL;
	length = strlen(err->msg);
	(void)snprintf(err->msg + length, sizeof(err->msg) - length, ": %s", strerror(errnum));
	return -errnum;
}

void error_details(struct error *err, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	(void)vsnprintf(err->details, sizeof(err->details), format, values);
	va_end(values);
}

void error_context(struct error *err, const char *format, ...)
{
	char old[sizeof(err->msg)];
	va_list values;
	size_t length;

	memcpy(old, err->msg, sizeof(old));
	va_start(values, format);
	(void)vsnprintf(err->msg, sizeof(err->msg), format, values);
	va_end(values);

	length = strlen(err->msg);
	(void)snprintf(err->msg + length, sizeof(err->msg) - length, ": %s", old);
}

void error_gather(struct error *first, const struct error *next)
{
	size_t length;

	if (first->kind == ERROR_NONE) {
		*first = *next;
		return;
	}
	length = strlen(first->details);
	(void)snprintf(first->details + length, sizeof(first->details) - length, "%salso: %s",
		       length > 0 ? "\n" : "", next->msg);
}

bool error_is_shortage(int r)
{
	return r == -EMFILE || r == -ENFILE || r == -ENOMEM || r == -ENOBUFS;
}

int error_no_memory(struct error *err)
{
	return error_set(err, ERROR_INTERNAL, ENOMEM, "cannot allocate memory");
}
