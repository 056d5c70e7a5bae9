/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log: one line an event, to standard error and a file.
 */
#include <rdma-cni/base/log.h>

#include <errno.h>
#include <fcntl.h>
#include <rdma-cni/base/io.h>
#include <rdma-cni/base/limits.h>
#include <rdma-cni/base/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = {
	[LOG_LEVEL_ERROR] = "error",
	[LOG_LEVEL_WARNING] = "warning",
	[LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_DEBUG] = "debug",
};

static struct {
	enum log_level level;
	int error_stream;
	int file;
	char context[512];
} settings = { .level = LOG_LEVEL_INFO, .error_stream = STDERR_FILENO, .file = -1 };

bool log_level_parse(const char *text, enum log_level *ret)
{
	for (size_t i = 0; i < array_size(level_names); i++) {
		if (strcmp(text, level_names[i]) == 0) {
			*ret = (enum log_level)i;
			return true;
		}
	}
	return false;
}

void log_set_level(enum log_level level)
{
	settings.level = level;
}

/* One event is one line, whatever foreign text it quotes. */
static void make_one_line(char *text)
{
	for (; (text = strchr(text, '\n')); text++)
		*text = ' ';
}

void log_set_context(const char *context)
{
	text_printable(context, settings.context, sizeof(settings.context));
	make_one_line(settings.context);
}

int log_set_file(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
	const int fd = io_open(AT_FDCWD, path, flags, 0600);

	if (fd < 0)
		return fd;
	if (settings.file >= 0)
		(void)close(settings.file);
	settings.file = fd;
	return 0;
}

static void format_time(char *ret, size_t size)
{
	char seconds[sizeof("2026-12-01T16:48:29")];
	struct timespec now = { 0 };
	struct tm utc = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &utc);
	(void)strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &utc);
	(void)snprintf(ret, size, "%s.%03ldZ", seconds, now.tv_nsec / 1000000);
}

/*
 * A log that can't be written is no reason to leave a pod without its device; one that stalls is
 * waited for once.
 */
static void write_line(int *fd, const char *line, size_t length)
{
	if (*fd >= 0 && io_send_all(*fd, line, length, LIMIT_LOG_WAIT_MS) == -ETIMEDOUT)
		*fd = -1;
}

void log_write(enum log_level level, const char *format, ...)
{
	char event[2048];
	char readable[2048];
	char when[40];
	char line[3072];
	va_list values;
	int length;

	if (level > settings.level)
		return;
	va_start(values, format);
	(void)vsnprintf(event, sizeof(event), format, values);
	va_end(values);
	text_printable(event, readable, sizeof(readable));
	make_one_line(readable);
	format_time(when, sizeof(when));

	length = snprintf(line, sizeof(line), "%s %s rdma[%ld] %s%s%s%s\n", when,
			  level_names[level], (long)getpid(), readable,
			  settings.context[0] ? " (" : "", settings.context,
			  settings.context[0] ? ")" : "");
	if (length < 0)
		return;
	if ((size_t)length >= sizeof(line))
		length = sizeof(line) - 1;
	write_line(&settings.error_stream, line, (size_t)length);
	write_line(&settings.file, line, (size_t)length);
}
