/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name template of RDMA devices in pods.
 */
#include <rdma-cni/attach/naming.h>

#include <rdma-cni/base/parse.h>
#include <rdma-cni/base/text.h>
#include <stdio.h>
#include <string.h>

#define INDEX_PLACEHOLDER "{index}"

bool naming_has_index(const struct naming *naming)
{
	return strstr(naming->template, INDEX_PLACEHOLDER);
}

/* The value of the placeholder at `at`, and how long the placeholder is; NULL: none of ours. */
static const char *placeholder(const struct naming *naming, const char *at, const char *index,
			       size_t *ret_length)
{
	const struct {
		const char *text;
		const char *value;
	} placeholders[] = {
		{ "{device}", naming->device },
		{ "{ifname}", naming->ifname },
		{ "{pci}", naming->function->name },
		{ INDEX_PLACEHOLDER, index },
	};

	for (size_t i = 0; i < array_size(placeholders); i++) {
		*ret_length = strlen(placeholders[i].text);
		if (strncmp(at, placeholders[i].text, *ret_length) == 0)
			return placeholders[i].value;
	}
	return NULL;
}

/* ':' and '.' of an address are no letters of a name that tools like. */
static void add_value(struct text *text, const char *value, bool is_address)
{
	const size_t start = text->length;

	text_add_string(text, value);
	for (size_t i = start; is_address && !text->failed && i < text->length; i++) {
		if (text->data[i] == ':' || text->data[i] == '.')
			text->data[i] = '_';
	}
}

static bool is_device_name(const char *name)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

	/* parse_is_component(): "." and ".." are made of these letters too. */
	return parse_is_component(name) && name[strspn(name, letters)] == '\0';
}

int naming_expand(const struct naming *naming, unsigned int index,
		  char ret[static LIMIT_RDMA_NAME_SIZE], struct error *err)
{
	struct text cleanup_text name = { 0 };
	char digits[16];
	const char *at = naming->template;

	(void)snprintf(digits, sizeof(digits), "%u", index);
	while (*at != '\0') {
		size_t length = 1;
		const char *value = *at == '{' ? placeholder(naming, at, digits, &length) : "";

		if (!value)
			return error_set(err, ERROR_CONFIG, 0,
					 "rdmaDeviceName '%s' has an unknown placeholder: there "
					 "are {device}, {ifname}, {pci} and {index}",
					 naming->template);
		if (*at == '{')
			add_value(&name, value, value == naming->function->name);
		else
			text_add(&name, at, 1);
		at += length;
	}
	if (name.failed)
		return error_no_memory(err);
	if (!name.data || !is_device_name(name.data) ||
	    !parse_copy(ret, LIMIT_RDMA_NAME_SIZE, name.data))
		return error_set(err, ERROR_CONFIG, 0,
				 "rdmaDeviceName '%s' gives '%s': a name is 1 to %u of "
				 "[A-Za-z0-9_.-]",
				 naming->template, name.data ? name.data : "",
				 LIMIT_RDMA_NAME_SIZE - 1);
	return 0;
}

int naming_check(const char *template, struct error *err)
{
	const struct function function = { .bus = FUNCTION_PCI, .name = "x" };
	const struct naming naming = {
		.template = template, .device = "x", .ifname = "x", .function = &function
	};
	char name[LIMIT_RDMA_NAME_SIZE];

	return naming_expand(&naming, 0, name, err);
}
