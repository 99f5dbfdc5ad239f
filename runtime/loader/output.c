/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A buffer before a file descriptor; writes only as much as does not block. */
#include "runtime/loader/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/output-error.h"
#include "lib/paths.h"
#include "lib/vec.h"

enum { PIPE_ROOM = 1 << 20 };

void output_init(struct output *o, int fd)
{
	*o = (struct output){ .fd = fd };
	output_look(o);
	fcntl(fd, F_SETPIPE_SZ, PIPE_ROOM); /* the more fits, the less often a slow reader is felt; fails if no pipe */
}

void output_look(struct output *o)
{
	struct stat st;

	o->may_block = fstat(o->fd, &st) < 0 || !S_ISREG(st.st_mode);
	o->broken = false;
}

static void give_up(struct output *o, int err)
{
	o->broken = true;
	if (o->fd != STDERR_FILENO)
		error_output(err);
}

/* Closes FD of O, which may report errors of what was written earlier: NFS and quotas do. */
static void close_file(struct output *o, int fd)
{
	if (fd >= 0 && close(fd) < 0 && !o->broken)
		give_up(o, errno);
}

/* Files beyond the number of -S go, the oldest first. Takes PATH. */
static void keep(struct output *o, char *path)
{
	if (!o->rotation.files) {
		free(path);
		return;
	}
	if (o->n_kept == o->rotation.files) {
		remove_numbered(&o->dir, o->kept[0]);
		free(o->kept[0]);
		memmove(o->kept, o->kept + 1, --o->n_kept * sizeof(*o->kept));
	}
	*vec_add(o->kept, o->n_kept) = path;
}

bool output_open_file(struct output *o, const char *pattern, struct rotation rotation)
{
	_cleanup_free_ char *first = xasprintf(rotation.size ? "%s.0" : "%s", pattern);
	struct output_dir dir = { 0 };
	char *path = NULL;
	int fd = create_output(first, rotation.size ? &dir : NULL, &path);

	if (fd < 0) {
		output_dir_close(&dir);
		return false;
	}
	output_dir_open(&dir, path); /* for switch_file(), which tries again if this fails */
	output_init(o, fd);
	o->owned = true;
	o->dir = dir;
	o->pattern = pattern;
	o->rotation = rotation;
	keep(o, path);
	return true;
}

static void give_messages(const struct output *o)
{
	dup2(o->fd, STDOUT_FILENO);
	dup2(o->fd, STDERR_FILENO);
}

void output_take_messages(struct output *o)
{
	o->takes_messages = true;
	give_messages(o);
}

bool output_switch(struct output *o)
{
	_cleanup_free_ char *next = o->owned ? xasprintf("%s.%u", o->pattern, o->switched + 1) : NULL;
	char *path = NULL;
	int fd;

	if (!next)
		return false;
	output_flush(o);
	fd = create_output(next, &o->dir, &path);
	if (fd < 0)
		return false;
	close_file(o, o->fd);
	o->fd = fd;
	o->switched++;
	o->written = 0;
	keep(o, path);
	if (o->takes_messages)
		give_messages(o);
	return true;
}

void output_append(struct output *o, const char *text, size_t len)
{
	size_t filled = o->written + output_pending(o);

	if (o->rotation.size && filled && filled + len > o->rotation.size && !o->broken && !output_switch(o))
		o->broken = true;
	text_append(&o->text, text, len);
	if (o->readers)
		readers_append(o->readers, text, len);
}

bool output_deinit(struct output *o)
{
	close_file(o, o->owned ? o->fd : dup(o->fd)); /* any close of the file reports its errors */
	while (o->n_kept)
		free(o->kept[--o->n_kept]);
	free(o->kept);
	output_dir_close(&o->dir);
	text_deinit(&o->text);
	return !o->broken;
}

static bool writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, 0) == 1;
}

/* Returns how much of the next LEN bytes one write gives to what may block. A pipe that poll() says takes something takes PIPE_BUF bytes,
 * unless another program was faster. Whole lines if one ends there, since a program that writes to the same pipe comes in between. */
static size_t piece(const struct output *o, size_t len)
{
	const char *next = o->text.buf + o->done, *end;

	if (len <= PIPE_BUF)
		return len;
	end = memrchr(next, '\n', PIPE_BUF);
	return end ? (size_t)(end + 1 - next) : PIPE_BUF;
}

void output_flush(struct output *o)
{
	if (o->readers)
		readers_send(o->readers);
	while (!o->broken && o->done < o->text.len) {
		size_t len = o->text.len - o->done;
		ssize_t n;

		if (o->may_block) {
			if (!writable(o->fd))
				break;
			len = piece(o, len);
		}
		n = write(o->fd, o->text.buf + o->done, len);
		if (n > 0) {
			o->done += (size_t)n;
			o->written += (size_t)n;
		} else if (n < 0 && errno == EAGAIN)
			break;
		else if (n < 0 && errno != EINTR)
			give_up(o, errno);
	}
	if (o->broken || o->done == o->text.len) {
		o->done = 0;
		text_clear(&o->text);
	} else if (o->done > OUTPUT_LONG) {
		memmove(o->text.buf, o->text.buf + o->done, o->text.len - o->done);
		o->text.len -= o->done;
		o->done = 0;
	}
}

void output_wait(struct output *o)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };

	for (output_flush(o); output_pending(o); output_flush(o))
		poll(&p, 1, -1);
}
