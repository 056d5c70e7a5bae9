/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling the caller of this library what happened.
 */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

void report(const struct attach_node *node, enum log_level level, const char *format, ...)
{
	char text[1024];
	va_list values;

	va_start(values, format);
	(void)vsnprintf(text, sizeof(text), format, values);
	va_end(values);
	node->report(level, text);
}
