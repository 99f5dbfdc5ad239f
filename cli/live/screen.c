/* SPDX-License-Identifier: GPL-2.0-or-later */
#define NCURSES_WIDECHAR 1
#include "cli/live/screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"
#include "lib/text.h"

static const struct loc nowhere;

enum { KEY_DELAY_MS = 25, END_SECONDS = 2, SIZE_MIN = 1, SIZE_MAX_CELLS = 1000 };

struct screen {
	int tty;              /* our own open file: its O_NONBLOCK is nobody else's */
	struct termios before;
	int memory;           /* what ncurses writes */
	FILE *out, *in;
	SCREEN *curses;
	struct text waiting;  /* bytes for the terminal, of which the first `sent` are written */
	size_t sent;
	bool broken;          /* the terminal is gone */
	bool color;
	char restore[256];    /* what a signal handler writes */
};

/* ---- the terminal ---- */

static bool cannot_draw(const char *option, const char *term)
{
	error(nowhere, DIAG_USAGE, "%s: a terminal of type '%s' cannot show a screen", option, term);
	note(nowhere, "set TERM to the type of your terminal (xterm, linux, screen); for files and pipes there is -f json --snapshots=1");
	return false;
}

bool screen_check(const char *option)
{
	const char *term = getenv("TERM");
	const char *cup;
	int found;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		error(nowhere, DIAG_USAGE, "%s needs a terminal: standard %s is not one", option, isatty(STDIN_FILENO) ? "output" : "input");
		note(nowhere, "-o FILE writes the output of the script to a file; -f json --snapshots=1 is for programs");
		return false;
	}
	if (!term || !*term || setupterm(term, STDOUT_FILENO, &found) != OK)
		return cannot_draw(option, term && *term ? term : "unknown");
	cup = tigetstr("cup");
	if (!cup || cup == (char *)-1 || tigetflag("gn") > 0)
		return cannot_draw(option, term);
	return true;
}

static void write_waiting(struct screen *s)
{
	while (s->sent < s->waiting.len && !s->broken) {
		ssize_t n = write(s->tty, s->waiting.buf + s->sent, s->waiting.len - s->sent);

		if (n > 0)
			s->sent += (size_t)n;
		else if (errno == EAGAIN)
			return;
		else if (errno != EINTR)
			s->broken = true;
	}
	s->waiting.len = s->sent = 0;
}

/* Takes what ncurses has written. */
static void collect(struct screen *s)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;

	fflush(s->out);
	while ((n = pread(s->memory, buf, sizeof(buf), at)) > 0) {
		text_append(&s->waiting, buf, (size_t)n);
		at += n;
	}
	if (ftruncate(s->memory, 0) < 0 || lseek(s->memory, 0, SEEK_SET) < 0)
		s->broken = true;
}

/* Waits a moment for a terminal that is slow; one that takes nothing is left. */
static void write_rest(struct screen *s)
{
	double until = clock_seconds() + END_SECONDS;
	struct pollfd p = { .fd = s->tty, .events = POLLOUT };

	collect(s);
	for (write_waiting(s); s->waiting.len && !s->broken && clock_seconds() < until; write_waiting(s))
		poll(&p, 1, 100);
	s->waiting.len = s->sent = 0;
}

/* Single characters, no echo, signals as ever. ncurses cannot set this: it writes to no terminal. */
static void set_terminal(const struct screen *s)
{
	struct termios t = s->before;

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tcsetattr(s->tty, TCSANOW, &t);
}

/* ---- fatal signals ---- */

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT };

/* The screen whose terminal on_fatal() restores: a handler takes no argument. NULL: none is open. */
static struct screen *caught;

static void on_fatal(int number)
{
	if (write(caught->tty, caught->restore, strlen(caught->restore)) < 0)
		caught->broken = true;
	tcsetattr(caught->tty, TCSANOW, &caught->before);
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_fatal(void (*handler)(int number))
{
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], handler);
}

static void add_restore(struct screen *s, const char *capability)
{
	const char *text = tigetstr(capability);

	if (text && text != (char *)-1 && strlen(s->restore) + strlen(text) < sizeof(s->restore))
		strcat(s->restore, text);
}

/* ---- opening ---- */

static bool open_terminal(struct screen *s)
{
	int flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	s->tty = open("/dev/tty", flags);
	if (s->tty < 0)
		s->tty = open("/proc/self/fd/0", flags);
	if (s->tty < 0 || tcgetattr(s->tty, &s->before) < 0)
		return error(nowhere, DIAG_RUN, "--monitor: cannot open the terminal: %s", strerror(errno));
	s->memory = memfd_create("ktap-screen", MFD_CLOEXEC);
	s->out = s->memory < 0 ? NULL : fdopen(s->memory, "w");
	s->in = fdopen(s->tty, "r");
	if (!s->out || !s->in)
		return error(nowhere, DIAG_RUN, "--monitor: cannot make a screen: %s", strerror(errno));
	return true;
}

struct screen *screen_open(bool color)
{
	struct screen *s = arena_new(&program_arena, struct screen);
	int height, width;

	setlocale(LC_CTYPE, "");
	if (!open_terminal(s))
		return NULL;
	/* ncurses draws for the size that these name, unless resizeterm() names another. */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	s->curses = newterm(NULL, s->out, s->in);
	if (!s->curses) {
		cannot_draw("--monitor", getenv("TERM"));
		return NULL;
	}
	for (const char *const *c = (const char *const[]){ "sgr0", "cnorm", "rmkx", "rmcup", NULL }; *c; c++)
		add_restore(s, *c);
	set_terminal(s);
	caught = s;
	catch_fatal(on_fatal);
	set_escdelay(KEY_DELAY_MS);
	typeahead(-1);
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	s->color = color && has_colors() && start_color() == OK && use_default_colors() == OK;
	if (s->color) {
		init_pair(1, COLOR_RED, -1);
		init_pair(2, COLOR_CYAN, -1);
	}
	screen_resize(s, &height, &width);
	return s;
}

static void leave(struct screen *s)
{
	endwin();
	write_rest(s);
	tcsetattr(s->tty, TCSANOW, &s->before);
}

void screen_close(struct screen *s)
{
	catch_fatal(SIG_DFL);
	caught = NULL;
	leave(s);
	delscreen(s->curses);
	fclose(s->out);
	fclose(s->in);
	text_deinit(&s->waiting);
}

void screen_stop(struct screen *s)
{
	leave(s);
	raise(SIGSTOP);
	set_terminal(s);
	clearok(curscr, TRUE);
	refresh();
	collect(s);
	write_waiting(s);
}

/* ---- writing and keys ---- */

int screen_fd(const struct screen *s)
{
	return s->tty;
}

bool screen_ready(const struct screen *s)
{
	return !s->waiting.len;
}

void screen_push(struct screen *s)
{
	write_waiting(s);
}

static const struct {
	int curses, ours;
} keys[] = {
	{ KEY_UP, KEY_LINE_UP }, { KEY_DOWN, KEY_LINE_DOWN }, { KEY_PPAGE, KEY_PAGE_UP }, { KEY_NPAGE, KEY_PAGE_DOWN },
	{ KEY_HOME, KEY_FIRST }, { KEY_END, KEY_LAST }, { KEY_BACKSPACE, KEY_ERASE }, { KEY_ENTER, KEY_RETURN },
};

int screen_key(void)
{
	wint_t key;
	int got = get_wch(&key);

	if (got == ERR)
		return KEY_NOTHING;
	for (size_t i = 0; got == KEY_CODE_YES && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].curses == (int)key)
			return keys[i].ours;
	if (got == KEY_CODE_YES)
		return KEY_OTHER;
	switch (key) {
	case '\r':
	case '\n':
		return KEY_RETURN;
	case 0x7f:
	case '\b':
		return KEY_ERASE;
	case 0x1b:
		return KEY_ESCAPE;
	}
	return key < 0x80 ? (int)key : KEY_OTHER;
}

/* ---- drawing ---- */

void screen_resize(const struct screen *s, int *ret_height, int *ret_width)
{
	struct winsize w = { 0 };

	ioctl(s->tty, TIOCGWINSZ, &w);
	*ret_height = w.ws_row ? w.ws_row : 24;
	*ret_width = w.ws_col ? w.ws_col : 80;
	*ret_height = *ret_height > SIZE_MAX_CELLS ? SIZE_MAX_CELLS : *ret_height;
	*ret_width = *ret_width > SIZE_MAX_CELLS ? SIZE_MAX_CELLS : *ret_width;
	if (*ret_height != LINES || *ret_width != COLS) {
		resizeterm(*ret_height, *ret_width);
		clearok(curscr, TRUE);
	}
}

void screen_begin(void)
{
	erase();
}

static attr_t attributes(enum screen_style style, bool color)
{
	switch (style) {
	case STYLE_PLAIN:
		return A_NORMAL;
	case STYLE_BAR:
		return A_REVERSE | A_DIM;
	case STYLE_ACTIVE_BAR:
	case STYLE_SELECTED:
		return A_REVERSE;
	case STYLE_DIM:
		return A_DIM;
	case STYLE_ALERT:
		return color ? COLOR_PAIR(1) | A_BOLD : A_BOLD;
	case STYLE_GRAPH:
		return color ? COLOR_PAIR(2) : A_NORMAL;
	}
	return A_NORMAL;
}

/* Decodes the character at TEXT. Returns its number of bytes, 0 if the byte at TEXT begins no character. */
static size_t decode(const char *text, size_t len, wchar_t *ret, mbstate_t *state)
{
	size_t n = mbrtowc(ret, text, len, state);

	if (n != (size_t)-1 && n != (size_t)-2 && n)
		return n;
	*state = (mbstate_t){ 0 };
	*ret = L'.';
	return 1;
}

void screen_put(const struct screen *s, int row, int column, int width, enum screen_style style, const char *text, size_t len)
{
	mbstate_t state = { 0 };
	int used = 0;

	if (width > COLS - column)
		width = COLS - column;
	if (row < 0 || row >= LINES || column < 0 || width <= 0)
		return;
	attrset((int)attributes(style, s->color));
	move(row, column);
	while (len && used < width) {
		wchar_t c[2] = { 0 };
		size_t n = decode(text, len, c, &state);
		int wide = wcwidth(c[0]);

		text += n;
		len -= n;
		if (*c == L'\t')
			*c = L' ', wide = 1;
		if (wide < 0 || (wide > 0 && !iswprint((wint_t)*c)))
			*c = L'.', wide = 1;
		if (!wide)
			continue;
		if (used + wide > width)
			break;
		addnwstr(c, 1);
		used += wide;
	}
	while (used++ < width)
		addch(' ');
	attrset(A_NORMAL);
}

void screen_show(struct screen *s, int row, int column)
{
	curs_set(row >= 0);
	if (row >= 0)
		move(row, column < COLS ? column : COLS - 1);
	wnoutrefresh(stdscr);
	doupdate();
	collect(s);
	write_waiting(s);
}
