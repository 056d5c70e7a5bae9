/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the commands that read a node have in common.
 */
#ifndef RDMA_NODE_OPTIONS_H
#define RDMA_NODE_OPTIONS_H

#include <rdma-cni/base/error.h>
#include <rdma-cni/base/text.h>
#include <rdma-cni/node/node.h>
#include <stdbool.h>
#include <stdio.h>

struct options {
	const char *root;
	struct names devices;
	bool json;
};

#define OPTIONS_DEFAULT ((struct options){ .root = "/" })

/* The lines of --help about these options. */
#define OPTIONS_HELP                                                                               \
	"  -d, --device DEVICE  only this VF or other function (0000:3b:02.3,\n"                   \
	"                       mlx5_core.sf.4); may be given more than once\n"                    \
	"  -j, --json           one JSON document\n"                                               \
	"  -r, --root DIR       read /proc, /sys, /dev and so on in this directory; the\n"         \
	"                       running kernel is not asked then\n"                                \
	"  -h, --help           this text\n"

/* -1: go on; else the exit status, after --help or a complaint. */
int options_parse(int argc, char *argv[], int (*print_help)(void), struct options *ret)
	must_check nonnull(2, 3, 4);
void options_done(struct options *options) nonnull(1);

/* Read the node that the options mean. */
int options_read_node(const struct options *options, struct node *ret, struct error *err)
	must_check nonnull(1, 2, 3);

/* Write a whole answer to standard output. */
int write_answer(const struct text *text, struct error *err) must_check nonnull(1, 2);
/* On a terminal whose user did not say otherwise (no-color.org). */
bool wants_colours(void);
/* A line, of which any part may be foreign text: made printable. At once: before what it tells. */
void tell(FILE *stream, const char *format, ...) printf_like(2, 3) nonnull(1, 2);
/* What went wrong, in a line, and what there is to say about it in another. */
void complain(const char *command, const struct error *err) nonnull(1, 2);
/* Foreign text: printable, and on one line. */
void add_printable(struct text *text, const char *foreign) nonnull(1, 2);

#endif
