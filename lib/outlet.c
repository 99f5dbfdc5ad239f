/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams of fopencookie() whose function waits before it writes. */
#include "lib/outlet.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Waits until FD takes PIPE_BUF bytes, unless another program that writes there is faster. Returns false when it is not waited for any more. */
static bool wait_for_room(struct outlet *o, int fd)
{
	struct pollfd p[] = { { .fd = fd, .events = POLLOUT }, { .fd = o->signals, .events = POLLIN } };

	while (!poll(p, 1, 0)) {
		if (o->given_up)
			return false;
		if (ppoll(p, 2, NULL, o->unblocked) < 0 || p[1].revents)
			o->given_up = o->gives_up(o->of);
	}
	return true;
}

/* Returns 0 or an errno. */
static int write_all_waiting(struct outlet *o, int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n;

		if (!wait_for_room(o, fd))
			return ECANCELED;
		n = write(fd, text, len < PIPE_BUF ? len : PIPE_BUF);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return errno;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* Drops all text after a failure: the output has no gaps. */
static ssize_t write_stdout(void *outlet, const char *text, size_t len)
{
	struct outlet *o = outlet;

	if (!o->failed)
		o->failed = write_all_waiting(o, STDOUT_FILENO, text, len);
	return o->failed ? 0 : (ssize_t)len;
}

/* Drops the text if it cannot be written: nothing could report that. */
static ssize_t write_stderr(void *outlet, const char *text, size_t len)
{
	write_all_waiting(outlet, STDERR_FILENO, text, len);
	return (ssize_t)len;
}

void outlet_open(struct outlet *o)
{
	FILE *out = fopencookie(o, "w", (cookie_io_functions_t){ .write = write_stdout });
	FILE *err = fopencookie(o, "w", (cookie_io_functions_t){ .write = write_stderr });

	if (!out || !err)
		return;
	fflush(stdout);
	setvbuf(out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 0);
	setvbuf(err, NULL, _IONBF, 0);
	o->replaced_stdout = stdout;
	o->replaced_stderr = stderr;
	stdout = out;
	stderr = err;
}

int outlet_flush(const struct outlet *o)
{
	return fflush(stdout) && !o->failed ? errno : o->failed;
}

int outlet_finish(const struct outlet *o)
{
	int err = outlet_flush(o), fd = dup(STDOUT_FILENO);

	/* Any close() of the file reports late errors, those of NFS and quotas. */
	if (fd >= 0 && close(fd) < 0 && !err)
		err = errno;
	return err;
}

void outlet_close(struct outlet *o)
{
	if (!o->replaced_stdout)
		return;
	fclose(stdout);
	fclose(stderr);
	stdout = o->replaced_stdout;
	stderr = o->replaced_stderr;
	o->replaced_stdout = o->replaced_stderr = NULL;
}

const char *outlet_failure(int err)
{
	return err == ECANCELED ? "nobody reads it" : strerror(err);
}
