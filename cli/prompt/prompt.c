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
#include <termios.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/paths.h"

static bool on_terminal, edits;
static struct termios modes; /* of the terminal, before the first line */
static int history_fd = -1;
static volatile sig_atomic_t cancelled;

/* ---- history ---- */
/* Opens the file; a symbolic link, or what is no file, is not the history. */
static void history_open(void)
{
	const char *dir = state_path();
	struct stat st;

	if (!dir)
		return;
	history_fd = open(arena_printf(&program_arena, "%s/history", dir), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
	if (history_fd >= 0 && (fstat(history_fd, &st) || !S_ISREG(st.st_mode) || fchmod(history_fd, 0600))) {
		close(history_fd);
		history_fd = -1;
	}
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

void history_load(void (*fn)(const char *line))
{
	struct text t = { 0 };
	size_t from;

	history_open();
	if (history_fd < 0)
		return;
	if (text_read_fd(&t, history_fd) || memchr(text_str(&t), 0, t.len))
		text_clear(&t); /* damaged */
	from = last_lines(&t);
	if (from && !ftruncate(history_fd, 0))
		write_all(history_fd, t.buf + from, t.len - from);
	for (char *line = t.buf ? t.buf + from : NULL, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		fn(line);
	}
	text_deinit(&t);
}

void history_add(const char *line)
{
	struct text t = { 0 };

	if (history_fd < 0)
		return;
	text_printf(&t, "%s\n", line);
	write_all(history_fd, t.buf, t.len);
	text_deinit(&t);
}

/* ---- plain lines ---- */
static void on_interrupt(int number)
{
	cancelled = 1;
}

/* A terminal ends getline() by a signal only when the handler does not restart it. */
static enum prompt_result read_plain(const char *prompt, struct text *ret)
{
	struct sigaction sa = { .sa_handler = on_interrupt }, before;
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	cancelled = 0;
	if (on_terminal) {
		fputs(prompt, stdout);
		fflush(stdout);
		sigaction(SIGINT, &sa, &before);
	}
	n = getline(&line, &size, stdin);
	if (on_terminal)
		sigaction(SIGINT, &before, NULL);
	if (n > 0)
		text_append(ret, line, (size_t)(n - (line[n - 1] == '\n')));
	free(line);
	if (n < 0 && on_terminal)
		putchar('\n');
	if (n < 0 && cancelled)
		clearerr(stdin);
	return n >= 0 ? PROMPT_LINE : cancelled ? PROMPT_CANCELLED : PROMPT_END;
}

/* ---- both ---- */
bool prompt_open(prompt_complete_fn *complete, void *of)
{
	on_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !tcgetattr(STDIN_FILENO, &modes);
	edits = on_terminal && editline_open(complete, of);
	return on_terminal;
}

enum prompt_result prompt_read(const char *prompt, struct text *ret)
{
	text_clear(ret);
	return edits ? editline_read(prompt, ret) : read_plain(prompt, ret);
}

/* As many blanks as the terminal has columns end in the next line, unless the cursor was at the beginning of one. */
void prompt_restore(void)
{
	struct winsize size;

	if (!on_terminal)
		return;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
	if (edits && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		printf("%*s\r", size.ws_col, "");
}

void prompt_close(void)
{
	if (edits)
		editline_close();
	if (history_fd >= 0)
		close(history_fd);
}
