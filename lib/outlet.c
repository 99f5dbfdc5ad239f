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

static struct outlet outlet;
static FILE *replaced_stdout, *replaced_stderr; /* NULL: no outlet is open */
static bool given_up;
static int failed; /* errno of stdout; 0: nothing is lost yet */

/* Waits until FD takes PIPE_BUF bytes, unless another program that writes there is faster. Returns false when it is not waited for any more. */
static bool wait_for_room(int fd)
{
	struct pollfd p[] = { { .fd = fd, .events = POLLOUT }, { .fd = outlet.signals, .events = POLLIN } };

	while (!poll(p, 1, 0)) {
		if (given_up)
			return false;
		if (ppoll(p, 2, NULL, outlet.unblocked) < 0 || p[1].revents)
			given_up = outlet.gives_up(outlet.of);
	}
	return true;
}

/* Returns 0 or an errno. */
static int write_all_waiting(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n;

		if (!wait_for_room(fd))
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
static ssize_t write_stdout(void *unused, const char *text, size_t len)
{
	(void)unused;
	if (!failed)
		failed = write_all_waiting(STDOUT_FILENO, text, len);
	return failed ? 0 : (ssize_t)len;
}

/* Drops the text if it cannot be written: nothing could report that. */
static ssize_t write_stderr(void *unused, const char *text, size_t len)
{
	(void)unused;
	write_all_waiting(STDERR_FILENO, text, len);
	return (ssize_t)len;
}

void outlet_open(const struct outlet *o)
{
	FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_stdout });
	FILE *err = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_stderr });

	if (!out || !err)
		return;
	fflush(stdout);
	setvbuf(out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 0);
	setvbuf(err, NULL, _IONBF, 0);
	outlet = *o;
	given_up = false;
	failed = 0;
	replaced_stdout = stdout;
	replaced_stderr = stderr;
	stdout = out;
	stderr = err;
}

int outlet_flush(void)
{
	return fflush(stdout) && !failed ? errno : failed;
}

int outlet_finish(void)
{
	int err = outlet_flush(), fd = dup(STDOUT_FILENO);

	/* Any close() of the file reports late errors, those of NFS and quotas. */
	if (fd >= 0 && close(fd) < 0 && !err)
		err = errno;
	return err;
}

void outlet_close(void)
{
	if (!replaced_stdout)
		return;
	fclose(stdout);
	fclose(stderr);
	stdout = replaced_stdout;
	stderr = replaced_stderr;
	replaced_stdout = replaced_stderr = NULL;
}

const char *outlet_failure(int err)
{
	return err == ECANCELED ? "nobody reads it" : strerror(err);
}
