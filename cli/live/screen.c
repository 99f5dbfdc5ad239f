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

#include "lib/clock.h"
#include "lib/diag.h"
#include "lib/text.h"

static const struct loc nowhere;

enum { KEY_DELAY_MS = 25, END_SECONDS = 2, SIZE_MIN = 1, SIZE_MAX_CELLS = 1000 };

static struct {
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
} screen = { .tty = -1, .memory = -1 };

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

static void write_waiting(void)
{
	while (screen.sent < screen.waiting.len && !screen.broken) {
		ssize_t n = write(screen.tty, screen.waiting.buf + screen.sent, screen.waiting.len - screen.sent);

		if (n > 0)
			screen.sent += (size_t)n;
		else if (errno == EAGAIN)
			return;
		else if (errno != EINTR)
			screen.broken = true;
	}
	screen.waiting.len = screen.sent = 0;
}

/* Takes what ncurses has written. */
static void collect(void)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;

	fflush(screen.out);
	while ((n = pread(screen.memory, buf, sizeof(buf), at)) > 0) {
		text_append(&screen.waiting, buf, (size_t)n);
		at += n;
	}
	if (ftruncate(screen.memory, 0) < 0 || lseek(screen.memory, 0, SEEK_SET) < 0)
		screen.broken = true;
}

/* Waits a moment for a terminal that is slow; one that takes nothing is left. */
static void write_rest(void)
{
	double until = clock_seconds() + END_SECONDS;
	struct pollfd p = { .fd = screen.tty, .events = POLLOUT };

	collect();
	for (write_waiting(); screen.waiting.len && !screen.broken && clock_seconds() < until; write_waiting())
		poll(&p, 1, 100);
	screen.waiting.len = screen.sent = 0;
}

/* Single characters, no echo, signals as ever. ncurses cannot set this: it writes to no terminal. */
static void set_terminal(void)
{
	struct termios t = screen.before;

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tcsetattr(screen.tty, TCSANOW, &t);
}

/* ---- fatal signals ---- */

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT };

static void on_fatal(int number)
{
	if (write(screen.tty, screen.restore, strlen(screen.restore)) < 0)
		screen.broken = true;
	tcsetattr(screen.tty, TCSANOW, &screen.before);
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_fatal(void (*handler)(int number))
{
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], handler);
}

static void add_restore(const char *capability)
{
	const char *s = tigetstr(capability);

	if (s && s != (char *)-1 && strlen(screen.restore) + strlen(s) < sizeof(screen.restore))
		strcat(screen.restore, s);
}

/* ---- opening ---- */

static bool open_terminal(void)
{
	int flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	screen.tty = open("/dev/tty", flags);
	if (screen.tty < 0)
		screen.tty = open("/proc/self/fd/0", flags);
	if (screen.tty < 0 || tcgetattr(screen.tty, &screen.before) < 0)
		return error(nowhere, DIAG_RUN, "--monitor: cannot open the terminal: %s", strerror(errno));
	screen.memory = memfd_create("ktap-screen", MFD_CLOEXEC);
	screen.out = screen.memory < 0 ? NULL : fdopen(screen.memory, "w");
	screen.in = fdopen(screen.tty, "r");
	if (!screen.out || !screen.in)
		return error(nowhere, DIAG_RUN, "--monitor: cannot make a screen: %s", strerror(errno));
	return true;
}

bool screen_open(bool color)
{
	int height, width;

	setlocale(LC_CTYPE, "");
	if (!open_terminal())
		return false;
	/* ncurses draws for the size that these name, unless resizeterm() names another. */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	screen.curses = newterm(NULL, screen.out, screen.in);
	if (!screen.curses)
		return cannot_draw("--monitor", getenv("TERM"));
	for (const char *const *s = (const char *const[]){ "sgr0", "cnorm", "rmkx", "rmcup", NULL }; *s; s++)
		add_restore(*s);
	set_terminal();
	catch_fatal(on_fatal);
	set_escdelay(KEY_DELAY_MS);
	typeahead(-1);
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	screen.color = color && has_colors() && start_color() == OK && use_default_colors() == OK;
	if (screen.color) {
		init_pair(1, COLOR_RED, -1);
		init_pair(2, COLOR_CYAN, -1);
	}
	screen_resize(&height, &width);
	return true;
}

static void leave(void)
{
	endwin();
	write_rest();
	tcsetattr(screen.tty, TCSANOW, &screen.before);
}

void screen_close(void)
{
	if (!screen.curses)
		return;
	catch_fatal(SIG_DFL);
	leave();
	delscreen(screen.curses);
	screen.curses = NULL;
	fclose(screen.out);
	fclose(screen.in);
	screen.tty = screen.memory = -1;
	text_deinit(&screen.waiting);
}

void screen_stop(void)
{
	leave();
	raise(SIGSTOP);
	set_terminal();
	clearok(curscr, TRUE);
	refresh();
	collect();
	write_waiting();
}

/* ---- writing and keys ---- */

int screen_fd(void)
{
	return screen.tty;
}

bool screen_ready(void)
{
	return !screen.waiting.len;
}

void screen_push(void)
{
	write_waiting();
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

void screen_resize(int *ret_height, int *ret_width)
{
	struct winsize w = { 0 };

	ioctl(screen.tty, TIOCGWINSZ, &w);
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

static attr_t attributes(enum screen_style style)
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
		return screen.color ? COLOR_PAIR(1) | A_BOLD : A_BOLD;
	case STYLE_GRAPH:
		return screen.color ? COLOR_PAIR(2) : A_NORMAL;
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

void screen_put(int row, int column, int width, enum screen_style style, const char *text, size_t len)
{
	mbstate_t state = { 0 };
	int used = 0;

	if (width > COLS - column)
		width = COLS - column;
	if (row < 0 || row >= LINES || column < 0 || width <= 0)
		return;
	attrset((int)attributes(style));
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

void screen_show(int row, int column)
{
	curs_set(row >= 0);
	if (row >= 0)
		move(row, column < COLS ? column : COLS - 1);
	wnoutrefresh(stdscr);
	doupdate();
	collect();
	write_waiting();
}
