/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lines from a pipe or a terminal, and keeps the history. */
#include "cli/prompt/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/paths.h"

/* ---- history ---- */
/* Opens the file; a symbolic link, or what is no file, is not the history. */
static int history_open(void)
{
	const char *dir = state_path();
	struct stat st;
	int fd;

	if (!dir)
		return -1;
	fd = open(arena_printf(&program_arena, "%s/history", dir), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || fchmod(fd, 0600))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Offset of the last HISTORY_MAX lines of T. */
static size_t last_lines(const struct text *t)
{
	int lines = 0;

	for (size_t i = t->len; i; i--)
		if (t->buf[i - 1] == '\n' && ++lines > HISTORY_MAX)
			return i;
	return 0;
}

int history_load(void (*fn)(const char *line, void *of), void *of)
{
	struct text t = { 0 };
	int fd = history_open();
	size_t from;

	if (fd < 0)
		return fd;
	if (text_read_fd(&t, fd) || memchr(text_str(&t), 0, t.len))
		text_clear(&t); /* damaged */
	from = last_lines(&t);
	if (from && !ftruncate(fd, 0))
		write_all(fd, t.buf + from, t.len - from);
	for (char *line = t.buf ? t.buf + from : NULL, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		fn(line, of);
	}
	text_deinit(&t);
	return fd;
}

void history_add(int fd, const char *line)
{
	_cleanup_text_ struct text t = { 0 };

	if (fd < 0)
		return;
	text_printf(&t, "%s\n", line);
	write_all(fd, t.buf, t.len);
}

/* ---- plain lines ---- */
static void on_interrupt(int number)
{
}

/* A terminal ends getline() by a signal, with EINTR, only when the handler does not restart it. */
static enum prompt_result read_plain(bool on_terminal, const char *prompt, struct text *ret)
{
	struct sigaction sa = { .sa_handler = on_interrupt }, before;
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	bool cancelled;
	ssize_t n;

	if (on_terminal) {
		fputs(prompt, stdout);
		fflush(stdout);
		sigaction(SIGINT, &sa, &before);
	}
	errno = 0; /* the end of the input leaves it as it is */
	n = getline(&line, &size, stdin);
	cancelled = n < 0 && errno == EINTR;
	if (on_terminal)
		sigaction(SIGINT, &before, NULL);
	if (n > 0)
		text_append(ret, line, (size_t)(n - (line[n - 1] == '\n')));
	if (n < 0 && on_terminal)
		putchar('\n');
	if (cancelled)
		clearerr(stdin);
	return n >= 0 ? PROMPT_LINE : cancelled ? PROMPT_CANCELLED : PROMPT_END;
}

/* ---- both ---- */
void prompt_open(struct prompt *p, prompt_complete_fn *complete, void *of)
{
	p->on_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !tcgetattr(STDIN_FILENO, &p->modes);
	p->editor = p->on_terminal ? editline_open(complete, of) : NULL;
}

enum prompt_result prompt_read(const struct prompt *p, const char *text, struct text *ret)
{
	text_clear(ret);
	return p->editor ? editline_read(p->editor, text, ret) : read_plain(p->on_terminal, text, ret);
}

/* As many blanks as the terminal has columns end in the next line, unless the cursor was at the beginning of one. */
void prompt_restore(const struct prompt *p)
{
	struct winsize size;

	if (!p->on_terminal)
		return;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &p->modes);
	if (p->editor && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		printf("%*s\r", size.ws_col, "");
}

void prompt_close(struct prompt *p)
{
	if (p->editor)
		editline_close(p->editor);
	p->editor = NULL;
}
