/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking a plugin as a container runtime does.
 */
#include <rdma-cni/node/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <rdma-cni/base/cleanup.h>
#include <rdma-cni/base/deadline.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/json.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* What a pipe takes without a reader. */
#define CONF_BYTES 4096U
#define ANSWER_BYTES (1U << 20)
#define WAIT_MS 20000

static int open_pipe(int *ret_read, int *ret_write)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	*ret_read = ends[0];
	*ret_write = ends[1];
	return 0;
}

/* A descriptor from which the configuration can be read up to its end, or a negative errno. */
static int open_conf(const char *conf)
{
	int cleanup_close from = -1;
	int cleanup_close to = -1;
	int r = strlen(conf) <= CONF_BYTES ? open_pipe(&from, &to) : -EFBIG;

	if (r == 0)
		r = io_write_all(to, conf, strlen(conf));
	return r < 0 ? r : take_fd(&from);
}

/* With no signal held, and nothing of our environment. */
static int spawn(const char *path, const char *command, int input, int output, pid_t *ret)
{
	char name[] = "rdma";
	char variable[64];
	char directories[PATH_MAX];
	char *const arguments[] = { name, NULL };
	char *const environment[] = { variable, directories, NULL };
	const char *slash = strrchr(path, '/');
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;
	int r;

	(void)snprintf(variable, sizeof(variable), "CNI_COMMAND=%s", command);
	(void)snprintf(directories, sizeof(directories), "CNI_PATH=%.*s/",
		       slash ? (int)(slash - path) : 0, path);
	(void)sigemptyset(&none);
	if (posix_spawn_file_actions_init(&files) != 0)
		return -ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		(void)posix_spawn_file_actions_destroy(&files);
		return -ENOMEM;
	}
	r = posix_spawnattr_setsigmask(&attributes, &none);
	if (r == 0)
		r = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	/* Its log: what an operator needs to know is in the error object too. */
	if (r == 0)
		r = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY,
						     0);
	if (r == 0)
		r = posix_spawn(ret, path, &files, &attributes, arguments, environment);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&files);
	return -r;
}

/* Its standard output up to the end, and how it ended (waitpid(2)). It has ended, in any case. */
static int collect(pid_t pid, int output, struct text *ret, int *ret_status)
{
	struct deadline deadline = deadline_in_ms(WAIT_MS);
	int r = io_receive_all(output, ANSWER_BYTES, WAIT_MS, ret);
	pid_t ended = 0;

	while (r == 0 && (ended = waitpid(pid, ret_status, WNOHANG)) == 0) {
		const int waited = deadline_wait(&deadline);

		if (waited <= 0)
			r = waited < 0 ? waited : -ETIMEDOUT;
	}
	if (ended == pid)
		return r;
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
		;
	return r;
}

/* {"cniVersion": "1.1.0", "code": 50, "msg": "...", "details": "..."} (specification, section 5) */
static int set_answered_error(const char *path, const char *command, const struct text *answer,
			      int status, struct error *err)
{
	struct cJSON *cleanup_json object = NULL;
	const char *msg;
	const char *details;
	struct error ignored;
	int64_t code = 0;

	if (!answer->data || json_parse(answer->data, answer->length, &object, &ignored) < 0 ||
	    !json_integer(json_member(object, "code"), &code))
		return error_set(err, ERROR_IO, 0, "'%s' ended %s%d at %s, without an error object",
				 path, WIFSIGNALED(status) ? "by signal " : "with status ",
				 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
				 command);
	msg = json_string(json_member(object, "msg"));
	(void)error_set(err, ERROR_NOT_READY, 0, "'%s' answers %s with error %lld: %s", path,
			command, (long long)code, msg ? msg : "no message");
	details = json_string(json_member(object, "details"));
	if (details)
		error_details(err, "%s", details);
	return -EINVAL;
}

static int run(const char *path, const char *command, const char *conf, struct text *ret,
	       int *ret_status)
{
	int cleanup_close input = open_conf(conf);
	int cleanup_close output = -1;
	int cleanup_close its_output = -1;
	int r = input < 0 ? input : open_pipe(&output, &its_output);
	pid_t pid = -1;

	if (r == 0)
		r = spawn(path, command, input, its_output, &pid);
	if (r < 0)
		return r;
	/* With ours open its end would never be seen. */
	(void)close(take_fd(&its_output));
	return collect(pid, output, ret, ret_status);
}

int plugin_ask(const char *path, const char *command, const char *conf, struct text *ret,
	       struct error *err)
{
	struct text cleanup_text answer = { 0 };
	int status = 0;
	int r = run(path, command, conf, &answer, &status);

	if (r < 0)
		return error_set(err, r == -EINTR ? ERROR_STOPPED : ERROR_IO, -r, "cannot run '%s'",
				 path);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return set_answered_error(path, command, &answer, status, err);
	*ret = answer;
	answer = (struct text){ 0 };
	return 0;
}
