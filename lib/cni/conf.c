/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network configuration on standard input.
 */
#include <rdma-cni/cni/conf.h>

#include <errno.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/json_build.h>
#include <rdma-cni/base/json_scan.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/cni/version.h>
#include <stdio.h>
#include <string.h>

static int read_source(int fd, struct text *ret, struct error *err)
{
	const int r = io_receive_all(fd, LIMIT_CONF_BYTES, LIMIT_INPUT_WAIT_MS, ret);

	if (r == -EFBIG)
		return error_set(err, ERROR_DECODE, 0,
				 "the network configuration on standard input is larger than %u "
				 "bytes",
				 LIMIT_CONF_BYTES);
	if (r == -ENOMEM)
		return error_no_memory(err);
	if (r == -EINTR)
		return error_set(err, ERROR_STOPPED, -r,
				 "a signal ended the wait for the network configuration on "
				 "standard input");
	if (r < 0)
		return error_set(err, ERROR_IO, -r,
				 "cannot read the network configuration from standard input");
	return 0;
}

static int check_name(const struct cni_conf *conf, struct error *err)
{
	int r;

	if (!conf->name || conf->name[0] == '\0')
		return error_set(err, ERROR_CONFIG, 0, "missing network name");
	if (cni_is_identifier(conf->name))
		return 0;
	r = error_set(err, ERROR_CONFIG, 0, "invalid characters found in network name");
	error_details(err, "%s", conf->name);
	return r;
}

static int check_type(const struct cJSON *value, enum json_type type, const char *key,
		      struct error *err)
{
	const enum json_type actual = json_type(value);

	if (actual == JSON_ABSENT || actual == JSON_NULL || actual == type)
		return 0;
	return error_set(err, ERROR_DECODE, 0, "%s is %s, but must be %s", key,
			 json_type_name(actual), json_type_name(type));
}

/* NULL for another type than a string: cni_conf_check_version_type() has the words for it. */
static const char *version_of(const struct cJSON *document)
{
	const struct cJSON *member = json_member(document, "cniVersion");
	const enum json_type type = json_type(member);
	const char *version = json_string(member);

	if (type == JSON_ABSENT || type == JSON_NULL || (version && version[0] == '\0'))
		return CNI_VERSION_DEFAULT;
	return version;
}

int cni_conf_read(int fd, struct cni_conf *conf, struct error *err)
{
	int r;

	conf->data_dir = CNI_CONF_DATA_DIR_DEFAULT;
	conf->log_level = LOG_LEVEL_INFO;
	conf->wait_seconds = LIMIT_WAIT_SECONDS_DEFAULT;
	r = read_source(fd, &conf->source, err);
	if (r < 0)
		return r;
	r = json_parse(conf->source.data, conf->source.length, &conf->document, err);
	if (r < 0) {
		error_context(err, "cannot decode the network configuration");
		return r;
	}
	r = check_type(conf->document, JSON_OBJECT, "the network configuration", err);
	if (r < 0)
		return r;
	conf->cni_version = version_of(conf->document);
	conf->name = json_string(json_member(conf->document, "name"));
	r = check_type(json_member(conf->document, "name"), JSON_STRING, "'name'", err);
	return r < 0 ? r : check_name(conf, err);
}

int cni_conf_check_version_type(const struct cni_conf *conf, struct error *err)
{
	return check_type(json_member(conf->document, "cniVersion"), JSON_STRING, "'cniVersion'",
			  err);
}

void cni_conf_done(struct cni_conf *conf)
{
	json_free(conf->document);
	text_done(&conf->source);
	*conf = (struct cni_conf){ 0 };
}

/* Reading options: the first one that is wrong is kept, the rest go on. */
struct options {
	struct cni_conf *conf;
	struct error *err;
	bool failed;
};

/*
 * The place of a value by its path ("args.cni.debug"); none when a name of it has another letter
 * case there.
 */
static struct json_span find_path(const struct text *source, const char *path)
{
	struct json_span found = json_whole(source->data, source->length);

	while (found.start && *path != '\0') {
		char name[32];
		const size_t length = strcspn(path, ".");

		(void)snprintf(name, sizeof(name), "%.*s", (int)length, path);
		found = json_find(found, name);
		path += length + (path[length] == '.');
	}
	return found;
}

/* As it was written: a number that no double holds would be printed as null. */
static int print_value(const struct options *options, const char *key, const struct cJSON *value,
		       struct text *ret)
{
	const struct json_span written = find_path(&options->conf->source, key);

	if (json_type(value) != JSON_NUMBER || !written.start)
		return json_print(value, false, ret);
	text_add(ret, written.start, written.length);
	return ret->failed ? -ENOMEM : 0;
}

static void reject(struct options *options, const char *key, const struct cJSON *value,
		   const char *expected)
{
	struct text cleanup_text printed = { 0 };

	if (options->failed)
		return;
	options->failed = true;
	if (print_value(options, key, value, &printed) < 0) {
		(void)error_no_memory(options->err);
		return;
	}
	(void)error_set(options->err, ERROR_CONFIG, 0,
			"configuration key '%s' is %.128s, but must be %s", key, printed.data,
			expected);
}

static bool is_given(const struct cJSON *value)
{
	return json_type(value) != JSON_ABSENT && json_type(value) != JSON_NULL;
}

static const struct cJSON *read_object(struct options *options, const char *key,
				       const struct cJSON *value)
{
	if (is_given(value) && json_type(value) != JSON_OBJECT) {
		reject(options, key, value, "an object");
		return NULL;
	}
	return value;
}

/* NULL for what is absent, empty or impossible. */
static const char *read_string(struct options *options, const char *key, const struct cJSON *value)
{
	const char *string = json_string(value);

	if (is_given(value) && !string)
		reject(options, key, value, "a string");
	return string && string[0] != '\0' ? string : NULL;
}

static const char *read_path(struct options *options, const char *key, const struct cJSON *value)
{
	const char *path = read_string(options, key, value);

	if (path && path[0] != '/') {
		reject(options, key, value, "an absolute path");
		return NULL;
	}
	return path;
}

static void read_device_id(struct options *options, const struct cJSON *document,
			   const struct cJSON *runtime)
{
	/* All three are looked at: a wrong type is told also where it would not be used. */
	const struct {
		const char *key;
		const char *value;
	} ids[] = {
		{ "deviceID",
		  read_string(options, "deviceID", json_member_any_case(document, "deviceID")) },
		{ "runtimeConfig.deviceID", read_string(options, "runtimeConfig.deviceID",
							json_member(runtime, "deviceID")) },
		{ "pciBusID", read_string(options, "pciBusID", json_member(document, "pciBusID")) },
	};

	for (size_t i = 0; i < array_size(ids) && !options->conf->device_id; i++) {
		options->conf->device_id = ids[i].value;
		options->conf->device_id_key = ids[i].key;
	}
}

static void read_log(struct options *options, const struct cJSON *document)
{
	const struct cJSON *args =
		read_object(options, "args", json_member_any_case(document, "args"));
	const struct cJSON *cni =
		read_object(options, "args.cni", json_member_any_case(args, "cni"));
	const struct cJSON *debug = json_member_any_case(cni, "debug");
	const struct cJSON *level = json_member(document, "logLevel");
	const char *name = read_string(options, "logLevel", level);

	if (name && !log_level_parse(name, &options->conf->log_level))
		reject(options, "logLevel", level, "error, warning, info or debug");
	if (is_given(debug) && json_type(debug) != JSON_BOOL)
		reject(options, "args.cni.debug", debug, "true or false");
	if (json_is_true(debug))
		options->conf->log_level = LOG_LEVEL_DEBUG;
	options->conf->log_file = read_path(options, "logFile", json_member(document, "logFile"));
}

static void read_wait_seconds(struct options *options, const struct cJSON *document)
{
	const struct cJSON *value = json_member(document, "waitSeconds");
	int64_t seconds;

	if (!is_given(value))
		return;
	if (!json_integer(value, &seconds) || seconds < 0 || seconds > LIMIT_WAIT_SECONDS_MAX)
		reject(options, "waitSeconds", value, "an integer from 0 to 60");
	else
		options->conf->wait_seconds = (int)seconds;
}

int cni_conf_options(struct cni_conf *conf, bool forgive, struct error *err)
{
	struct options options = { .conf = conf, .err = err };
	const struct cJSON *document = conf->document;
	const struct cJSON *runtime =
		read_object(&options, "runtimeConfig", json_member(document, "runtimeConfig"));
	const char *data_dir = read_path(&options, "dataDir", json_member(document, "dataDir"));

	if (data_dir)
		conf->data_dir = data_dir;
	read_device_id(&options, document, runtime);
	read_log(&options, document);
	read_wait_seconds(&options, document);
	conf->devinfo_file = read_path(&options, "runtimeConfig.CNIDeviceInfoFile",
				       json_member(runtime, "CNIDeviceInfoFile"));
	conf->device_name_template =
		read_string(&options, "rdmaDeviceName", json_member(document, "rdmaDeviceName"));
	if (!options.failed)
		return 0;
	return forgive ? 1 : -EINVAL;
}
