/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --monitor: a full screen on the running session. Keys become commands of --control, which the session reads from a pipe.
 *
 * Drawing never waits: screen.c drops frames that a slow terminal cannot take, so the session's objects are read as fast as they come. All
 * that the session says is shown as text and never as control characters.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/live/panes.h"
#include "cli/live/screen.h"
#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"

enum { FRAME_MS = 100, MESSAGE_S = 5, TITLE_MS = 1000, MESSAGES_KEPT = 1 << 18 };

struct monitor {
	struct panes panes;
	int signals;          /* signalfd: SIGWINCH, SIGTSTP */
	bool changed;         /* something is to be drawn */
	bool quits;           /* q was pressed */
	double drawn;         /* when the last frame was */
	double message_until;
	struct text last;     /* printed since the last snapshot: shown again when the screen is gone */
	struct text messages; /* the last warnings and errors, likewise; the command of -c may say more than there is memory for */
	uint64_t forgotten;   /* bytes before them */
	void (*answered)(struct monitor *m, const struct live *live, const char *answer); /* of the question */
};

/* ---- messages ---- */

static void say(struct monitor *m, bool alert, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void say(struct monitor *m, bool alert, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->panes.message, sizeof(m->panes.message), fmt, ap);
	va_end(ap);
	m->panes.alert = alert;
	m->message_until = clock_seconds() + MESSAGE_S;
	m->changed = true;
}

/* ---- commands ---- */

static void command(struct monitor *m, const struct live *live, const char *word, int probe)
{
	char line[64];
	int len = probe ? snprintf(line, sizeof(line), "%s %d\n", word, probe) : snprintf(line, sizeof(line), "%s\n", word);

	if (m->panes.over)
		say(m, true, "the session is over");
	else if (write(live->control, line, (size_t)len) != len)
		say(m, true, "the session takes no commands now");
	else
		say(m, false, "%s ...", probe ? word : "reset");
}

static void switch_selected(struct monitor *m, const struct live *live, int key)
{
	const struct probe_row *row = panes_selected(&m->panes);
	bool off = key == 'd' || (key == ' ' && row && row->state == ' ');

	if (!row)
		return;
	m->panes.selected = row->number; /* wherever the order brings it */
	command(m, live, off ? "disarm" : "arm", row->number);
}

/* The answer to a command of ours has the number of a probe. */
static void take_answer(struct monitor *m, struct json_object *event)
{
	const char *line = live_text(event, "command"), *error = live_text(event, "error");
	bool off = !strncmp(line, "disarm ", 7), on = !strncmp(line, "arm ", 4);
	int number = off || on ? atoi(strchr(line, ' ')) : 0;

	if (*error) {
		say(m, true, "%s: %s", line, error);
		return;
	}
	figures_switched(&m->panes.figures, number, off);
	for (size_t i = 0; i < m->panes.figures.n_probes; i++)
		if (number && m->panes.figures.probes[i].number == number)
			line = m->panes.figures.probes[i].point;
	say(m, false, "%s %s", number ? line : "globals are reset", !number ? "" : off ? "is disarmed" : "is armed");
}

/* ---- what the session says ---- */

static void add_output(struct monitor *m, const char *text, size_t len)
{
	struct panes *p = &m->panes;
	uint64_t dropped = p->output.dropped, gone;

	lines_add_text(&p->output, text, len);
	/* What is looked at stays where it is. */
	gone = p->output.dropped - dropped;
	p->pane[PANE_OUTPUT].top -= gone < p->pane[PANE_OUTPUT].top ? gone : p->pane[PANE_OUTPUT].top;
	p->held -= gone < p->held ? gone : p->held;
	m->changed = true;
}

/* A separate line. */
static void add_line(struct monitor *m, const char *text, size_t len)
{
	if (m->panes.output.open)
		add_output(m, "\n", 1);
	add_output(m, text, len);
	add_output(m, "\n", 1);
}

static void print(struct monitor *m, struct json_object *event)
{
	size_t before = m->last.len;

	live_bytes(&m->last, live_member(event, "text"));
	add_output(m, m->last.buf + before, m->last.len - before);
}

static void event(void *of, const struct live *live, struct json_object *event)
{
	struct monitor *m = of;
	struct figures *f = &m->panes.figures;
	const char *type = live_text(event, "type");

	if (!strcmp(type, "print")) {
		print(m, event);
	} else if (!strcmp(type, "start")) {
		figures_start(f, event);
		m->changed = true;
	} else if (!strcmp(type, "ledger")) {
		figures_ledger(f, event);
	} else if (!strcmp(type, "snapshot") || !strcmp(type, "exit")) {
		figures_snapshot(f, live, event, m->panes.paused && *type == 's');
		if (*type == 's')
			m->last.len = 0;
		m->changed = true;
	} else if (!strcmp(type, "command")) {
		take_answer(m, event);
	}
}

static void keep_message(struct monitor *m, const char *text, size_t len)
{
	struct text *t = &m->messages;
	const char *from;

	text_append(t, text, len);
	text_puts(t, "\n");
	if (t->len <= 2 * MESSAGES_KEPT)
		return;
	from = memchr(t->buf + t->len - MESSAGES_KEPT, '\n', MESSAGES_KEPT);
	len = (size_t)(t->buf + t->len - from) - 1;
	m->forgotten += t->len - len;
	memmove(t->buf, from + 1, len + 1);
	t->len = len;
}

/* A line of the session's standard error: warnings and errors are among them. */
static void line(void *of, const char *text, size_t len)
{
	struct monitor *m = of;

	add_line(m, text, len);
	keep_message(m, text, len);
}

/* ---- questions ---- */

static void ask(struct monitor *m, const char *question, const char *answer,
		void (*answered)(struct monitor *m, const struct live *live, const char *answer))
{
	m->panes.question = question;
	snprintf(m->panes.answer, sizeof(m->panes.answer), "%s", answer);
	m->answered = answered;
}

static void set_filter(struct monitor *m, const struct live *live, const char *answer)
{
	struct pane *pane = &m->panes.pane[m->panes.focus];

	snprintf(pane->filter, sizeof(pane->filter), "%.*s", FILTER_MAX - 1, answer);
	pane->top = 0;
	m->panes.follows |= m->panes.focus == PANE_OUTPUT;
}

/* An existing file is not overwritten. */
static void save(struct monitor *m, const struct live *live, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	struct text t = { 0 };
	bool ok;

	if (fd < 0) {
		say(m, true, "cannot save to '%s': %s", path, strerror(errno));
		return;
	}
	panes_save(&m->panes, live, &t);
	ok = write(fd, text_str(&t), t.len) == (ssize_t)t.len;
	text_deinit(&t);
	if (close(fd) < 0 || !ok)
		say(m, true, "cannot write '%s': %s", path, strerror(errno));
	else
		say(m, false, "saved to %s", path);
}

static void ask_file(struct monitor *m)
{
	time_t now = time(NULL);
	struct tm tm;
	char name[64] = "ktap-monitor.txt";

	if (localtime_r(&now, &tm))
		strftime(name, sizeof(name), "ktap-monitor-%Y%m%d-%H%M%S.txt", &tm);
	ask(m, "Save to:", name, save);
}

static void edit(struct monitor *m, const struct live *live, int key)
{
	struct panes *p = &m->panes;
	size_t len = strlen(p->answer);

	switch (key) {
	case KEY_RETURN:
		p->question = NULL;
		m->answered(m, live, p->answer);
		break;
	case KEY_ESCAPE:
		p->question = NULL;
		break;
	case KEY_ERASE:
		p->answer[len ? len - 1 : 0] = 0;
		break;
	case 'u' & 0x1f:
		*p->answer = 0;
		break;
	default:
		if (key >= ' ' && key < 0x7f && len + 1 < sizeof(p->answer)) {
			p->answer[len] = (char)key;
			p->answer[len + 1] = 0;
		}
	}
}

/* ---- keys ---- */

static void pause_or_go_on(struct panes *p)
{
	p->paused = !p->paused;
	p->held = p->output.n;
	p->follows |= !p->paused;
}

static void sort_next(struct panes *p)
{
	if (p->focus != PANE_GLOBALS) {
		p->sort = (enum sort_column)((p->sort + 1) % SORT_COLUMNS);
		return;
	}
	p->figures.by_key = !p->figures.by_key;
	figures_list_globals(&p->figures);
}

static void quit(struct monitor *m, const struct live *live)
{
	m->quits = true;
	if (!m->panes.over)
		kill(live->child, SIGINT);
	say(m, false, "ending the session ...");
}

static bool move(struct panes *p, int key)
{
	long page = (long)p->pane[p->focus].height;

	switch (key) {
	case KEY_LINE_UP: case 'k':
		panes_move(p, -1);
		return true;
	case KEY_LINE_DOWN: case 'j':
		panes_move(p, 1);
		return true;
	case KEY_PAGE_UP:
		panes_move(p, -page);
		return true;
	case KEY_PAGE_DOWN:
		panes_move(p, page);
		return true;
	case KEY_FIRST:
		panes_move(p, -2 * LINES_MAX);
		return true;
	case KEY_LAST:
		panes_move(p, 2 * LINES_MAX);
		return true;
	}
	return false;
}

static void take_key(struct monitor *m, const struct live *live, int key)
{
	struct panes *p = &m->panes;

	m->changed = true;
	if (p->question) {
		edit(m, live, key);
		return;
	}
	if (p->help || move(p, key)) {
		p->help = false;
		return;
	}
	*p->message = 0;
	switch (key) {
	case 'q':
		quit(m, live);
		break;
	case 'p':
		pause_or_go_on(p);
		break;
	case '\t':
		p->focus = (enum pane_id)((p->focus + 1) % PANES);
		break;
	case 'z':
		p->zoomed = !p->zoomed;
		break;
	case 's':
		sort_next(p);
		break;
	case 'v':
		p->reversed = !p->reversed;
		break;
	case '/':
		ask(m, "Show lines with:", p->pane[p->focus].filter, set_filter);
		break;
	case 'd': case 'a': case ' ':
		switch_selected(m, live, key);
		break;
	case 'R':
		command(m, live, "reset", 0);
		break;
	case 'w':
		ask_file(m);
		break;
	case '?': case 'h':
		p->help = true;
		break;
	}
}

static void take_keys(struct monitor *m, const struct live *live)
{
	int key;

	while ((key = screen_key()) != KEY_NOTHING)
		take_key(m, live, key);
}

/* ---- drawing ---- */

/* Milliseconds until a frame is to be drawn. The title shows seconds. */
static int until_frame(const struct monitor *m)
{
	double since = (clock_seconds() - m->drawn) * 1000;
	double wait = (m->changed ? FRAME_MS : TITLE_MS) - since;

	return wait > 0 ? (int)wait + 1 : 0;
}

static void draw(struct monitor *m, const struct live *live)
{
	if (*m->panes.message && clock_seconds() > m->message_until)
		*m->panes.message = 0;
	if (!screen_ready(m->panes.screen) || until_frame(m) > 0)
		return;
	m->drawn = clock_seconds();
	m->changed = false;
	panes_draw(&m->panes, live);
}

/* ---- in the loop of the session ---- */

static void take_signals(struct monitor *m)
{
	struct signalfd_siginfo si;

	while (read(m->signals, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGTSTP)
			screen_stop(m->panes.screen);
		m->changed = true;
		m->drawn = 0;
	}
}

static int wait_for(void *of, struct pollfd *ret, int room, int *timeout)
{
	struct monitor *m = of;
	int frame = until_frame(m);

	if (room < 2)
		return 0;
	ret[0] = (struct pollfd){ .fd = screen_fd(m->panes.screen), .events = (short)(POLLIN | (screen_ready(m->panes.screen) ? 0 : POLLOUT)) };
	ret[1] = (struct pollfd){ .fd = m->signals, .events = POLLIN };
	if (screen_ready(m->panes.screen) && (*timeout < 0 || frame < *timeout))
		*timeout = frame;
	return 2;
}

static void polled(void *of, const struct live *live, const struct pollfd *p, int n)
{
	struct monitor *m = of;

	if (n == 2 && p[1].revents)
		take_signals(m);
	if (n == 2 && p[0].revents & POLLOUT)
		screen_push(m->panes.screen);
	m->changed |= n == 2 && p[0].revents & POLLIN;
	take_keys(m, live); /* ncurses may have kept one: Escape, after which no sequence came */
	if (n == 2 && !(p[0].revents & POLLIN) && p[0].revents & (POLLHUP | POLLERR) && !m->quits)
		quit(m, live);
	draw(m, live);
}

/* A session that ended by itself is shown until a key or a signal ends that. */
static void linger(struct monitor *m, const struct live *live)
{
	m->panes.over = m->changed = true;
	m->panes.ended = clock_seconds();
	if (live->status)
		say(m, true, "The session ended with status %d. q quits, w saves.", live->status);
	while (!m->quits && !live->interrupted) {
		struct pollfd p[3] = { [2] = { .fd = live->signals, .events = POLLIN } };
		int timeout = -1, n = wait_for(m, p, 2, &timeout);

		if (poll(p, 3, timeout) < 0)
			continue;
		if (p[2].revents)
			break;
		polled(m, live, p, n);
	}
}

static void show_last(const struct text *t, FILE *to)
{
	struct text clean = { 0 };

	text_put_clean(&clean, t->buf, t->len);
	fwrite(text_str(&clean), 1, clean.len, to);
	fflush(to);
	text_deinit(&clean);
}

static void closed(void *of, const struct live *live)
{
	struct monitor *m = of;

	if (!m->quits && !live->interrupted)
		linger(m, live);
	screen_close(m->panes.screen);
	if (m->forgotten)
		fprintf(stderr, "ktap: %" PRIu64 " bytes of messages came before these\n", m->forgotten);
	show_last(&m->messages, stderr);
	if (isatty(STDOUT_FILENO))
		show_last(&m->last, stdout);
	figures_deinit(&m->panes.figures);
	lines_clear(&m->panes.output);
	text_deinit(&m->last);
	text_deinit(&m->messages);
	close(m->signals);
}

bool monitor_check(void)
{
	return screen_check("--monitor");
}

bool monitor_open(struct view *ret)
{
	struct monitor *m = arena_new(&program_arena, struct monitor);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	m->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	m->panes = (struct panes){ .sort = SORT_RATE, .follows = true, .began = clock_seconds() };
	if (m->signals < 0)
		return error((struct loc){ 0 }, DIAG_RUN, "--monitor: cannot read signals: %s", strerror(errno));
	m->panes.screen = screen_open(diag_process()->color);
	if (!m->panes.screen)
		return false;
	*ret = (struct view){ .of = m, .event = event, .line = line, .wait = wait_for, .polled = polled, .close = closed };
	return true;
}
