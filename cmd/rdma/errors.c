/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From this project's kinds of errors to the codes of the CNI specification.
 */
#include "errors.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const enum cni_code codes[ERROR_KINDS] = {
	[ERROR_NONE] = CNI_CODE_INTERNAL,
	[ERROR_VERSION] = CNI_CODE_VERSION,
	[ERROR_ENVIRONMENT] = CNI_CODE_ENVIRONMENT,
	[ERROR_IO] = CNI_CODE_IO,
	[ERROR_DECODE] = CNI_CODE_DECODE,
	[ERROR_CONFIG] = CNI_CODE_CONFIG,
	[ERROR_SAME_NETNS] = CNI_CODE_SAME_NETNS,
	[ERROR_BUSY] = CNI_CODE_TRY_AGAIN,
	[ERROR_STOPPED] = CNI_CODE_TRY_AGAIN,
	[ERROR_NO_RDMA] = CNI_CODE_NO_RDMA,
	[ERROR_NETNS_MODE] = CNI_CODE_NETNS_MODE,
	[ERROR_NO_FUNCTION] = CNI_CODE_NO_FUNCTION,
	[ERROR_NO_DRIVER] = CNI_CODE_NO_DRIVER,
	[ERROR_NO_DEVICE] = CNI_CODE_NO_DEVICE,
	[ERROR_ELSEWHERE] = CNI_CODE_ELSEWHERE,
	[ERROR_IPOIB] = CNI_CODE_IPOIB,
	[ERROR_MOVE] = CNI_CODE_MOVE,
	[ERROR_NAME] = CNI_CODE_NAME,
	[ERROR_CONFLICT] = CNI_CODE_CONFLICT,
	[ERROR_STATE] = CNI_CODE_IO,
	[ERROR_CHECK] = CNI_CODE_CHECK,
	[ERROR_CLEANUP] = CNI_CODE_CLEANUP,
	[ERROR_NOT_READY] = CNI_CODE_NOT_READY,
	[ERROR_IMPAIRED] = CNI_CODE_IMPAIRED,
	[ERROR_INTERNAL] = CNI_CODE_INTERNAL,
};

enum cni_code errors_code(enum error_kind kind)
{
	return codes[kind];
}

/* The other words are not longer, so they fit in the same place. */
static void replace_all(char *text, const char *from, const char *to)
{
	const size_t length = strlen(from);
	char *at = text;

	while (strlen(at) >= length) {
		if (strncasecmp(at, from, length) != 0) {
			at++;
			continue;
		}
		memcpy(at, to, strlen(to));
		memmove(at + strlen(to), at + length, strlen(at + length) + 1);
		at += strlen(to);
	}
}

void errors_reword_for_del(struct error *err)
{
	replace_all(err->msg, "not found", "missing");
	replace_all(err->msg, "no such file", "missing file");
	replace_all(err->details, "not found", "missing");
	replace_all(err->details, "no such file", "missing file");
}
