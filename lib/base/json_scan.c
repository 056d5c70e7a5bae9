/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON as text: a strict check (RFC 8259) and a walk over the places of values.
 */
#include <rdma-cni/base/json_scan.h>

#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/parse.h>
#include <string.h>

/* Position in the text, and the first thing that is wrong with it. */
struct scan {
	const char *at;
	const char *end;
	const char *wrong;
};

static bool fail(struct scan *scan, const char *wrong)
{
	if (!scan->wrong)
		scan->wrong = wrong;
	return false;
}

static char peek(const struct scan *scan)
{
	return scan->at < scan->end ? *scan->at : '\0';
}

static bool accept(struct scan *scan, char wanted)
{
	if (scan->at == scan->end || *scan->at != wanted)
		return false;
	scan->at++;
	return true;
}

static void skip_space(struct scan *scan)
{
	while (scan->at < scan->end && strchr(" \t\r\n", *scan->at) && *scan->at != '\0')
		scan->at++;
}

static bool scan_escape(struct scan *scan)
{
	const char letter = peek(scan);

	if (letter == 'u') {
		if (scan->end - scan->at < 5 || !parse_is_hex(scan->at + 1, 4))
			return fail(scan, "\\u without four hexadecimal digits");
		scan->at += 5;
		return true;
	}
	if (letter == '\0' || !strchr("\"\\/bfnrt", letter))
		return fail(scan, "unknown escape in a string");
	scan->at++;
	return true;
}

static bool scan_string(struct scan *scan)
{
	if (!accept(scan, '"'))
		return fail(scan, "expected a string");
	while (scan->at < scan->end) {
		const unsigned char byte = (unsigned char)*scan->at;

		if (byte < 0x20)
			return fail(scan, "control character in a string");
		scan->at++;
		if (byte == '"')
			return true;
		if (byte == '\\' && !scan_escape(scan))
			return false;
	}
	return fail(scan, "string without an end");
}

static bool scan_digits(struct scan *scan)
{
	const char *start = scan->at;

	while (peek(scan) >= '0' && peek(scan) <= '9')
		scan->at++;
	return scan->at > start || fail(scan, "expected a digit");
}

static bool scan_number(struct scan *scan)
{
	(void)accept(scan, '-');
	/* A number has no leading zero: after one, only a fraction or an exponent may come. */
	if (!accept(scan, '0') && !scan_digits(scan))
		return false;
	if (accept(scan, '.') && !scan_digits(scan))
		return false;
	if (accept(scan, 'e') || accept(scan, 'E')) {
		if (!accept(scan, '+'))
			(void)accept(scan, '-');
		return scan_digits(scan);
	}
	return true;
}

static bool scan_word(struct scan *scan, const char *word)
{
	const size_t length = strlen(word);

	if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
		return fail(scan, "unknown word");
	scan->at += length;
	return true;
}

static bool scan_scalar(struct scan *scan)
{
	switch (peek(scan)) {
	case '"':
		return scan_string(scan);
	case 't':
		return scan_word(scan, "true");
	case 'f':
		return scan_word(scan, "false");
	case 'n':
		return scan_word(scan, "null");
	default:
		if (scan->at == scan->end)
			return fail(scan, "unexpected end");
		if (peek(scan) != '-' && (peek(scan) < '0' || peek(scan) > '9'))
			return fail(scan, "expected a value");
		return scan_number(scan);
	}
}

/* The `"name":` in front of an object's value. */
static bool scan_name(struct scan *scan)
{
	skip_space(scan);
	if (!scan_string(scan))
		return false;
	skip_space(scan);
	return accept(scan, ':') || fail(scan, "expected ':' after a name");
}

/*
 * Behind a value: close what ends here, until a comma leads to the next value or the
 * outermost container is closed. True with *depth 0 at the end of the whole value.
 */
static bool scan_after_value(struct scan *scan, const char *closers, size_t *depth)
{
	while (*depth > 0) {
		const char closer = closers[*depth - 1];

		skip_space(scan);
		if (accept(scan, ','))
			return closer == ']' || scan_name(scan);
		if (!accept(scan, closer))
			return fail(scan,
				    closer == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
		(*depth)--;
	}
	return true;
}

/* One value, containers included, without recursion: what is still open is kept in a list. */
static bool scan_value(struct scan *scan)
{
	char closers[LIMIT_JSON_DEPTH];
	size_t depth = 0;

	do {
		bool is_object;

		skip_space(scan);
		is_object = peek(scan) == '{';
		if (is_object || peek(scan) == '[') {
			if (depth == LIMIT_JSON_DEPTH)
				return fail(scan, "nested too deeply");
			scan->at++;
			closers[depth++] = is_object ? '}' : ']';
			skip_space(scan);
			if (peek(scan) != closers[depth - 1]) {
				if (is_object && !scan_name(scan))
					return false;
				continue;
			}
		} else if (!scan_scalar(scan)) {
			return false;
		}
		/* cppcheck-suppress uninitvar ; the first `depth` are set, no other is read */
		if (!scan_after_value(scan, closers, &depth))
			return false;
	} while (depth > 0);
	return true;
}

int json_check(const char *text, size_t length, struct error *err)
{
	struct scan scan = { .at = text, .end = text + length };

	skip_space(&scan);
	if (scan.at == scan.end)
		return error_set(err, ERROR_DECODE, 0, "the document is empty");
	if (scan_value(&scan)) {
		skip_space(&scan);
		if (scan.at == scan.end)
			return 0;
		(void)fail(&scan, "text behind the end of the document");
	}
	return error_set(err, ERROR_DECODE, 0, "invalid JSON at byte %zu of %zu: %s",
			 (size_t)(scan.at - text), length, scan.wrong);
}

struct json_span json_whole(const char *text, size_t length)
{
	struct scan scan = { .at = text, .end = text + length };
	const char *start;

	skip_space(&scan);
	start = scan.at;
	if (!scan_value(&scan))
		return (struct json_span){ 0 };
	return (struct json_span){ .start = start, .length = (size_t)(scan.at - start) };
}

bool json_next_item(struct json_span container, struct json_item *item)
{
	const bool is_object = container.length > 0 && container.start[0] == '{';
	struct scan scan = { 0 };
	struct json_item next = { 0 };

	if (!is_object && (container.length == 0 || container.start[0] != '['))
		return false;
	scan.end = container.start + container.length;
	/* Behind the opening bracket, or behind the last value and its comma. */
	scan.at = item->value.start ? item->value.start + item->value.length : container.start + 1;
	skip_space(&scan);
	if (item->value.start && accept(&scan, ','))
		skip_space(&scan);
	if (peek(&scan) == '}' || peek(&scan) == ']')
		return false;
	if (is_object) {
		next.name.start = scan.at;
		if (!scan_string(&scan))
			return false;
		next.name.length = (size_t)(scan.at - next.name.start);
		skip_space(&scan);
		(void)accept(&scan, ':');
	}
	next.value = json_whole(scan.at, (size_t)(scan.end - scan.at));
	if (!next.value.start)
		return false;
	*item = next;
	return true;
}

static unsigned int hex_value(char digit)
{
	if (digit <= '9')
		return (unsigned int)(digit - '0');
	return (unsigned int)((digit | 0x20) - 'a') + 10;
}

/* One character of a checked string, `*at` moved behind it; above 0x7f for all that is no ASCII. */
static unsigned int next_character(const char **at)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	unsigned int code = 0;

	if (**at != '\\')
		return (unsigned char)*(*at)++;
	(*at)++;
	if (**at != 'u')
		return (unsigned char)meanings[strchr(escapes, *(*at)++) - escapes];
	(*at)++;
	for (int i = 0; i < 4; i++)
		code = code * 16 + hex_value(*(*at)++);
	return code;
}

bool json_item_is(const struct json_item *item, const char *name)
{
	const char *at;
	const char *end;

	if (item->name.length < 2)
		return false;
	/* Without the quotes. */
	at = item->name.start + 1;
	end = item->name.start + item->name.length - 1;
	while (at < end && *name != '\0') {
		if (next_character(&at) != (unsigned char)*name++)
			return false;
	}
	return at == end && *name == '\0';
}

struct json_span json_find(struct json_span object, const char *name)
{
	struct json_span found = { 0 };
	struct json_item item = { 0 };

	while (json_next_item(object, &item)) {
		if (json_item_is(&item, name))
			found = item.value;
	}
	return found;
}
