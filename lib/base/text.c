/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing buffer that remembers a failed allocation; foreign text made printable.
 */
#include <rdma-cni/base/text.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool text_reserve(struct text *text, size_t more)
{
	size_t size = text->size > 0 ? text->size : 256;
	char *data;

	if (text->failed || more >= SIZE_MAX / 4 - text->length) {
		text->failed = true;
		return false;
	}
	while (size <= text->length + more)
		size *= 2;
	if (size == text->size)
		return true;
	data = realloc(text->data, size);
	if (!data) {
		text->failed = true;
		return false;
	}
	data[text->length] = '\0';
	text->data = data;
	text->size = size;
	return true;
}

void text_add(struct text *text, const char *data, size_t length)
{
	if (!text_reserve(text, length))
		return;
	if (length > 0)
		memcpy(text->data + text->length, data, length);
	text->length += length;
	text->data[text->length] = '\0';
}

void text_add_string(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

void text_print(struct text *text, const char *format, ...)
{
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(NULL, 0, format, values);
	va_end(values);
	if (length < 0 || !text_reserve(text, (size_t)length)) {
		text->failed = true;
		return;
	}
	va_start(values, format);
	(void)vsnprintf(text->data + text->length, (size_t)length + 1, format, values);
	va_end(values);
	text->length += (size_t)length;
}

void text_done(struct text *text)
{
	free(text->data);
	*text = (struct text){ 0 };
}

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xc0U) == 0x80U;
}

/*
 * The length of the well-formed UTF-8 sequence at `in`, 0 if there is none: no overlong
 * form, no surrogate, nothing above U+10FFFF (Unicode, table 3-7).
 */
static size_t utf8_length(const unsigned char *in)
{
	if (in[0] < 0x80)
		return 1;
	if (in[0] >= 0xc2 && in[0] <= 0xdf)
		return is_continuation(in[1]) ? 2 : 0;
	if (in[0] >= 0xe0 && in[0] <= 0xef) {
		if ((in[0] == 0xe0 && in[1] < 0xa0) || (in[0] == 0xed && in[1] > 0x9f))
			return 0;
		return is_continuation(in[1]) && is_continuation(in[2]) ? 3 : 0;
	}
	if (in[0] >= 0xf0 && in[0] <= 0xf4) {
		if ((in[0] == 0xf0 && in[1] < 0x90) || (in[0] == 0xf4 && in[1] > 0x8f))
			return 0;
		return is_continuation(in[1]) && is_continuation(in[2]) && is_continuation(in[3])
			       ? 4
			       : 0;
	}
	return 0;
}

/* U+0080 to U+009F too: U+009B starts what ESC [ starts. */
static bool is_control(const unsigned char *in)
{
	return (in[0] < 0x20 && in[0] != '\n') || in[0] == 0x7f || (in[0] == 0xc2 && in[1] < 0xa0);
}

void text_printable(const char *in, char *out, size_t size)
{
	size_t length = 0;

	while (*in != '\0') {
		size_t bytes = utf8_length((const unsigned char *)in);
		const bool readable = bytes > 0 && !is_control((const unsigned char *)in);

		if (bytes == 0)
			bytes = 1;
		if (length + bytes >= size)
			break;
		if (readable)
			memcpy(out + length, in, bytes);
		else
			out[length] = '?';
		length += readable ? bytes : 1;
		in += bytes;
	}
	if (size > 0)
		out[length] = '\0';
}

uint64_t text_hash(uint64_t hash, const char *string)
{
	do {
		hash = (hash ^ (unsigned char)*string) * UINT64_C(0x100000001b3);
	} while (*string++ != '\0');
	return hash;
}
