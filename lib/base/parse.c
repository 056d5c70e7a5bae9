/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strict readers of small foreign text.
 */
#include <rdma-cni/base/parse.h>

#include <limits.h>
#include <string.h>

bool parse_u64(const char *text, uint64_t *ret)
{
	uint64_t value = 0;

	if (text[0] == '\0' || (text[0] == '0' && text[1] != '\0'))
		return false;
	for (; *text != '\0'; text++) {
		uint64_t digit;

		if (*text < '0' || *text > '9')
			return false;
		digit = (uint64_t)(*text - '0');
		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*ret = value;
	return true;
}

bool parse_is_hex(const char *text, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (text[i] == '\0' || !strchr("0123456789abcdefABCDEF", text[i]))
			return false;
	}
	return true;
}

bool parse_is_component(const char *text)
{
	const size_t length = strlen(text);

	if (length == 0 || length > NAME_MAX || strchr(text, '/'))
		return false;
	return strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

bool parse_copy(char *out, size_t size, const char *text)
{
	const size_t length = strlen(text);

	if (length >= size)
		return false;
	memcpy(out, text, length + 1);
	return true;
}
