/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the commands that read a node have in common.
 */
#include "options.h"

#include <getopt.h>
#include <rdma-cni/base/io.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"

int options_parse(int argc, char *argv[], int (*print_help)(void), struct options *ret)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "json", no_argument, NULL, 'j' },
		{ "root", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "d:jr:h", options, NULL)) != -1) {
		if (option == 'h')
			return print_help();
		if (option == 'j')
			ret->json = true;
		else if (option == 'r')
			ret->root = optarg;
		else if (option != 'd' || names_add(&ret->devices, optarg) < 0)
			return EXIT_UNKNOWN;
	}
	if (optind == argc)
		return -1;
	tell(stderr, "rdma-node %s: unexpected argument '%s' (see --help)", argv[0], argv[optind]);
	return EXIT_UNKNOWN;
}

void options_done(struct options *options)
{
	names_done(&options->devices);
}

int options_read_node(const struct options *options, struct node *ret, struct error *err)
{
	const struct node_options wanted = {
		.root = options->root,
		.version = RDMA_CNI_VERSION,
		.devices = &options->devices,
	};

	return node_read(&wanted, ret, err);
}

int write_answer(const struct text *text, struct error *err)
{
	int r;

	if (text->failed)
		return error_no_memory(err);
	r = io_write_all(STDOUT_FILENO, text->data ? text->data : "", text->length);
	if (r < 0)
		return error_set(err, ERROR_IO, -r, "cannot write to standard output");
	return 0;
}

bool wants_colours(void)
{
	const char *no_colour = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && (!no_colour || no_colour[0] == '\0');
}

void tell(FILE *stream, const char *format, ...)
{
	char foreign[4096];
	char readable[sizeof(foreign)];
	va_list values;

	va_start(values, format);
	(void)vsnprintf(foreign, sizeof(foreign), format, values);
	va_end(values);
	text_printable(foreign, readable, sizeof(readable));
	for (char *line = readable; (line = strchr(line, '\n'));)
		*line = ' ';
	(void)fprintf(stream, "%s\n", readable);
	(void)fflush(stream);
}

void complain(const char *command, const struct error *err)
{
	tell(stderr, "rdma-node %s: %s", command, err->msg);
	if (err->details[0] != '\0')
		tell(stderr, "%s", err->details);
}

void add_printable(struct text *text, const char *foreign)
{
	const size_t size = strlen(foreign) + 1;
	char *cleanup_free readable = malloc(size);

	if (!readable) {
		text->failed = true;
		return;
	}
	text_printable(foreign, readable, size);
	for (char *line = readable; (line = strchr(line, '\n'));)
		*line = ' ';
	text_add_string(text, readable);
}
