/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a CNI plugin says on standard output.
 */
#include <rdma-cni/cni/output.h>

#include <rdma-cni/base/io.h>
#include <rdma-cni/base/json_build.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/cni/version.h>
#include <string.h>

int cni_output_document(int fd, const struct text *document, struct error *err)
{
	const int r = io_send_all(fd, document->data, document->length, LIMIT_OUTPUT_WAIT_MS);

	if (r < 0)
		return error_set(err, ERROR_IO, -r, "cannot write the result to standard output");
	return 0;
}

int cni_output_versions(int fd, struct error *err)
{
	struct text cleanup_text text = { 0 };

	/* By hand: runtimes ask often, and no version needs an escape. */
	text_add_string(&text,
			"{\"cniVersion\":\"" CNI_VERSION_LATEST "\",\"supportedVersions\":[");
	for (size_t i = 0; cni_versions[i]; i++) {
		text_add_string(&text, i > 0 ? ",\"" : "\"");
		text_add_string(&text, cni_versions[i]);
		text_add_string(&text, "\"");
	}
	text_add_string(&text, "]}\n");
	return text.failed ? error_no_memory(err) : cni_output_document(fd, &text, err);
}

static int print_error(const char *cni_version, unsigned int code, const struct error *err,
		       struct text *ret)
{
	struct cJSON *cleanup_json object = json_new_object();
	const bool ok =
		json_put_string(object, "cniVersion", cni_version) &&
		json_put_integer(object, "code", code) &&
		json_put_string(object, "msg", err->msg) &&
		(err->details[0] == '\0' || json_put_string(object, "details", err->details));

	return ok ? json_print(object, true, ret) : -ENOMEM;
}

void cni_output_error(int fd, const char *cni_version, unsigned int code, const struct error *err)
{
	static const char no_memory[] = "{\"cniVersion\":\"" CNI_VERSION_LATEST "\",\"code\":999,"
					"\"msg\":\"cannot allocate memory for an error\"}";
	struct text cleanup_text text = { 0 };

	const bool printed = print_error(cni_version, code, err, &text) == 0;

	/* Nothing is left to tell it to when this fails; the exit code still does. */
	(void)!io_send_all(fd, printed ? text.data : no_memory,
			   printed ? text.length : sizeof(no_memory) - 1, LIMIT_OUTPUT_WAIT_MS);
}
