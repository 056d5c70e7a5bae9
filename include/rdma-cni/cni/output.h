/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a CNI plugin says on standard output: exactly one JSON document, or nothing.
 */
#ifndef RDMA_CNI_CNI_OUTPUT_H
#define RDMA_CNI_CNI_OUTPUT_H

#include <rdma-cni/base/attributes.h>
#include <rdma-cni/base/error.h>
#include <rdma-cni/base/text.h>

/* Write the document and see that it arrived, as far as a writer can. ERROR_IO. */
int cni_output_document(int fd, const struct text *document, struct error *err)
	must_check nonnull(2, 3);

/* The answer to VERSION, a constant. */
int cni_output_versions(int fd, struct error *err) must_check nonnull(2);

/*
 * The error object: `cni_version`, code, msg, details. Never fails silently for want of memory:
 * then it is a constant object that says so.
 */
void cni_output_error(int fd, const char *cni_version, unsigned int code, const struct error *err)
	nonnull(2, 4);

#endif
