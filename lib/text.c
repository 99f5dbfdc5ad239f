/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing text. The buffer doubles, and is always NUL-terminated once it exists. */
#include "lib/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/interrupt.h"

void text_deinit(struct text *t)
{
	free(t->buf);
	*t = (struct text){ 0 };
}

char *text_keep(struct text *t)
{
	char *kept = arena_strndup(&program_arena, text_str(t), t->len);

	text_deinit(t);
	return kept;
}

void text_clear(struct text *t)
{
	t->len = 0;
	if (t->buf)
		t->buf[0] = 0;
}

static void text_room(struct text *t, size_t more)
{
	size_t cap = t->cap ? t->cap : 256;

	if (t->len + more + 1 <= t->cap)
		return;
	while (cap < t->len + more + 1)
		cap *= 2;
	t->buf = xrealloc(t->buf, cap);
	t->cap = cap;
}

void text_append(struct text *t, const char *s, size_t len)
{
	text_room(t, len);
	memcpy(t->buf + t->len, s, len);
	t->len += len;
	t->buf[t->len] = 0;
}

void text_puts(struct text *t, const char *s)
{
	text_append(t, s, strlen(s));
}

void text_vprintf(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	text_room(t, (size_t)n);
	vsnprintf(t->buf + t->len, (size_t)n + 1, fmt, ap);
	t->len += (size_t)n;
}

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vprintf(t, fmt, ap);
	va_end(ap);
}

/* Returns the bytes of the control character that S begins with; 0: it begins with another one. */
static size_t control_length(const char *s, size_t len)
{
	unsigned char c = (unsigned char)s[0], next = len > 1 ? (unsigned char)s[1] : 0;

	if (c == 0xc2 && next >= 0x80 && next < 0xa0) /* U+0080 to U+009F in UTF-8 */
		return 2;
	return c < ' ' || c == 0x7f;
}

void text_put_clean(struct text *t, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t n = s[i] == '\n' || s[i] == '\t' ? 0 : control_length(s + i, len - i);

		if (n)
			text_puts(t, ".");
		else
			text_append(t, s + i, 1);
		i += n == 2;
	}
}

void text_clean(struct text *t)
{
	struct text clean = { .indent = t->indent };

	text_put_clean(&clean, text_str(t), t->len);
	text_deinit(t);
	*t = clean;
}

bool text_has_control(const char *s)
{
	for (size_t len = strlen(s); len; s++, len--)
		if (control_length(s, len))
			return true;
	return false;
}

void text_quote(struct text *t, const char *s, size_t len)
{
	text_append(t, "\"", 1);
	for (size_t i = 0; i < len; i++) {
		unsigned char ch = (unsigned char)s[i];

		if (ch == '"' || ch == '\\')
			text_printf(t, "\\%c", ch);
		else if (ch == '\n')
			text_puts(t, "\\n");
		else if (ch == '\t')
			text_puts(t, "\\t");
		else if (ch < 32 || ch >= 127)
			text_printf(t, "\\%03o", ch);
		else
			text_append(t, &s[i], 1);
	}
	text_append(t, "\"", 1);
}

const char *text_str(const struct text *t)
{
	return t->buf ? t->buf : "";
}

static void emit_start(struct text *t)
{
	for (int i = 0; i < t->indent; i++)
		text_append(t, "\t", 1);
}

void emit_vline(struct text *t, const char *fmt, va_list ap)
{
	emit_start(t);
	text_vprintf(t, fmt, ap);
	text_append(t, "\n", 1);
}

void text_take_lines(struct text *t, bool all, void (*fn)(void *of, char *line, size_t len), void *of)
{
	char *at = t->buf, *end = at + t->len, *newline;
	struct text rest = { 0 };

	if (!t->len)
		return;
	for (; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1)
		fn(of, at, (size_t)(newline - at));
	if (at < end && all)
		fn(of, at, (size_t)(end - at));
	else
		text_append(&rest, at, (size_t)(end - at));
	text_deinit(t);
	*t = rest;
}

void emit_line(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_vline(t, fmt, ap);
	va_end(ap);
}

void emit_open(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_vline(t, fmt, ap);
	va_end(ap);
	t->indent++;
}

void emit_close(struct text *t, const char *s)
{
	t->indent--;
	emit_start(t);
	text_puts(t, s);
	text_append(t, "\n", 1);
}

int text_read_fd(struct text *t, int fd)
{
	char chunk[65536];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n > 0)
			text_append(t, chunk, (size_t)n);
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

bool text_read_file(struct text *t, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd >= 0 && !text_read_fd(t, fd);
}

int write_all(int fd, const char *buf, size_t len)
{
	while (len) {
		ssize_t n = write(fd, buf, len);

		if (n < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		else if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			buf += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

int memory_file(const char *name, const void *p, size_t len)
{
	int fd = memfd_create(name, MFD_CLOEXEC), err = fd < 0 ? -errno : write_all(fd, p, len);

	if (!err)
		return fd;
	if (fd >= 0)
		close(fd);
	return err;
}

int text_write_file(const struct text *t, const char *path)
{
	_cleanup_free_ char *tmp = xasprintf("%s.tmp-%d", path, (int)getpid());
	int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int rc;

	if (fd < 0)
		return -errno;
	interrupt_guard(tmp);
	rc = write_all(fd, text_str(t), t->len);
	if (close(fd) < 0 && !rc)
		rc = -errno;
	if (!rc && rename(tmp, path) < 0)
		rc = -errno;
	if (rc)
		unlink(tmp);
	interrupt_unguard();
	return rc;
}
