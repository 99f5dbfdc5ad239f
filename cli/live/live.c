/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"
#include "lib/outlet.h"
#include "lib/output-error.h"
#include "lib/requests.h"
#include "lib/status.h"
#include "lib/text.h"
#include "runtime/output/json.h"

static const struct loc nowhere;

enum { VIEWS_MAX = 5, POLLED_MAX = 64, OWN_POLLED = 3, READ_SIZE = 1 << 16 };

struct run {
	struct live live;
	const struct live_options *o;
	struct view views[VIEWS_MAX];
	int n_views;
	int objects;         /* what the child prints; -1: its end was read */
	int messages;        /* its standard error, with --monitor; else -1 */
	sigset_t before;     /* signals that were blocked */
	struct text line;    /* the beginning of a line that has not ended */
	struct text message; /* likewise */
	struct json_tokener *parser;
	struct outlet outlet; /* standard output and error */
	bool output_lost;    /* standard output could not be written, which was reported */
	struct interrupt_requests requests;
};

/* ---- objects ---- */

struct json_object *live_member(struct json_object *o, const char *name)
{
	struct json_object *member = NULL;

	json_object_object_get_ex(o, name, &member);
	return member;
}

const char *live_text(struct json_object *o, const char *name)
{
	struct json_object *member = live_member(o, name);

	return member ? json_object_get_string(member) : "";
}

void live_bytes(struct text *t, struct json_object *string)
{
	size_t before = t->len;

	if (!json_object_is_type(string, json_type_string))
		return;
	text_append(t, json_object_get_string(string), (size_t)json_object_get_string_len(string));
	t->len = before + json_restore(t->buf + before, t->len - before);
	t->buf[t->len] = '\0';
}

int64_t live_number(struct json_object *o, const char *name)
{
	return json_object_get_int64(live_member(o, name));
}

static void put_frame(struct text *t, struct json_object *frame)
{
	const char *function = live_text(frame, "code.function.name");

	text_puts(t, *function ? function : live_text(frame, "text"));
}

void live_key(struct text *t, struct json_object *key, const char *between)
{
	struct json_object *stack = live_member(key, "stack");

	if (!json_object_is_type(stack, json_type_array)) {
		text_puts(t, json_object_get_string(key));
		return;
	}
	for (size_t i = 0; i < json_object_array_length(stack); i++) {
		text_puts(t, i ? between : "");
		put_frame(t, json_object_array_get_idx(stack, i));
	}
}

/* Keeps EVENT in TABLE under its member NAME. */
static void keep(struct json_object *table, struct json_object *event, const char *name)
{
	json_object_object_add(table, live_text(event, name), json_object_get(event));
}

static void update(struct live *l, struct json_object *event)
{
	const char *type = live_text(event, "type");

	if (!strcmp(type, "start") && !l->start)
		l->start = json_object_get(event);
	else if (!strcmp(type, "global") || !strcmp(type, "map"))
		keep(l->values, event, "name");
	else if (!strcmp(type, "ledger"))
		keep(l->ledgers, event, "number");
	else if (!strcmp(type, "snapshot"))
		l->snapshots++;
	else if (!strcmp(type, "warning"))
		l->warnings++;
	else if (!strcmp(type, "error"))
		l->errors++;
	else if (!strcmp(type, "exit"))
		l->over = true;
}

/* ---- what the child prints ---- */

static void put_line(FILE *to, const char *line, size_t len)
{
	fwrite(line, 1, len, to);
	putc('\n', to);
}

/* ERR: the reader went away, or the disk is full: the session ends. */
static void check_output(struct run *r, int err)
{
	if (!err || r->output_lost)
		return;
	r->output_lost = true;
	error_output(err);
	if (r->objects >= 0)
		kill(r->live.child, SIGTERM);
}

static void show(const struct run *r, const char *line, size_t len, struct json_object *event)
{
	struct text bytes = { 0 };

	if (!r->o->prints)
		return;
	if (r->o->json) {
		put_line(stdout, line, len);
	} else if (!strcmp(live_text(event, "type"), "print")) {
		live_bytes(&bytes, live_member(event, "text"));
		fwrite(text_str(&bytes), 1, bytes.len, stdout);
	}
	text_deinit(&bytes);
}

static void take_message(void *run, char *line, size_t len)
{
	const struct run *r = run;
	bool shown = false;

	for (int i = 0; i < r->n_views; i++)
		if (r->views[i].line) {
			r->views[i].line(r->views[i].of, line, len);
			shown = true;
		}
	if (!shown)
		put_line(stderr, line, len);
}

static bool is_array(struct json_object *o)
{
	return json_object_is_type(o, json_type_array);
}

static bool has_value(struct json_object *o)
{
	struct json_object *value = live_member(o, "value"), *histogram = live_member(value, "histogram");

	return value && (!histogram || is_array(live_member(histogram, "buckets")));
}

/* Does EVENT have the form that the views rely on? Another machine may have sent it. */
static bool is_sound(struct json_object *event)
{
	struct json_object *entries = live_member(event, "entries");
	const char *type = live_text(event, "type");

	if (!strcmp(type, "global"))
		return has_value(event);
	if (strcmp(type, "map"))
		return true;
	for (size_t i = 0; is_array(entries) && i < json_object_array_length(entries); i++) {
		struct json_object *entry = json_object_array_get_idx(entries, i);

		if (!has_value(entry) || !is_array(live_member(entry, "key")))
			return false;
	}
	return is_array(entries);
}

/* A line that is not an object of ours was printed by something else, and goes on as it is. */
static void take_line(void *run, char *line, size_t len)
{
	struct run *r = run;
	struct json_object *event;

	json_tokener_reset(r->parser);
	event = json_tokener_parse_ex(r->parser, line, (int)len);
	if (!json_object_is_type(event, json_type_object) || !is_sound(event)) {
		take_message(r, line, len);
	} else {
		update(&r->live, event);
		show(r, line, len, event);
		for (int i = 0; i < r->n_views; i++)
			if (r->views[i].event)
				r->views[i].event(r->views[i].of, &r->live, event);
	}
	json_object_put(event);
}

/* Reads from *FD, which becomes -1 at its end, and has TAKE called with the whole lines of T. */
static void read_lines(struct run *r, int *fd, struct text *t, void (*take)(void *run, char *line, size_t len))
{
	char buf[READ_SIZE];
	ssize_t n = read(*fd, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		text_take_lines(t, true, take, r);
		close(*fd);
		*fd = -1;
		return;
	}
	text_append(t, buf, (size_t)n);
	if (memchr(buf, '\n', (size_t)n)) {
		text_take_lines(t, false, take, r);
		check_output(r, outlet_flush(&r->outlet));
	}
}

/* ---- the loop ---- */

/* The session ends itself on these signals; a terminal sends them to it, too. */
static void pass_signals(struct run *r)
{
	struct signalfd_siginfo si;

	while (read(r->live.signals, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo != SIGUSR1 && si.ssi_signo != SIGUSR2) { /* the session knows their meaning */
			r->live.interrupted = true;
			interrupt_request(&r->requests, clock_seconds());
		}
		if (r->objects >= 0 && (si.ssi_signo != SIGINT || si.ssi_pid))
			kill(r->live.child, (int)si.ssi_signo);
	}
}

/* For a wait for room in the output. */
static bool gives_up(void *run)
{
	struct run *r = run;
	int before = r->requests.n;

	pass_signals(r);
	return r->requests.n > before && r->requests.n >= INTERRUPT_GIVES_UP;
}

static void look(struct run *r)
{
	struct pollfd p[POLLED_MAX] = {
		{ .fd = r->objects, .events = POLLIN }, { .fd = r->live.signals, .events = POLLIN }, { .fd = r->messages, .events = POLLIN },
	};
	int n = OWN_POLLED, of_view[VIEWS_MAX], timeout = -1;

	for (int i = 0; i < r->n_views; i++) {
		const struct view *v = &r->views[i];

		of_view[i] = v->wait ? v->wait(v->of, p + n, POLLED_MAX - n, &timeout) : 0;
		n += of_view[i];
	}
	if (poll(p, (nfds_t)n, timeout) < 0)
		for (int i = 0; i < n; i++)
			p[i].revents = 0;
	n = OWN_POLLED;
	for (int i = 0; i < r->n_views; i++) {
		if (r->views[i].polled)
			r->views[i].polled(r->views[i].of, &r->live, p + n, of_view[i]);
		n += of_view[i];
	}
	if (p[1].revents)
		pass_signals(r);
	if (p[2].revents)
		read_lines(r, &r->messages, &r->message, take_message);
	if (p[0].revents)
		read_lines(r, &r->objects, &r->line, take_line);
}

/* The end of the messages may never come: what the script started may have them open. */
static void read_last_messages(struct run *r)
{
	while (r->messages >= 0 && poll(&(struct pollfd){ .fd = r->messages, .events = POLLIN }, 1, 0) > 0)
		read_lines(r, &r->messages, &r->message, take_message);
}

static int wait_for_child(struct run *r)
{
	int status;

	while (waitpid(r->live.child, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- around it ---- */

/* The ends of the pipes between the session and us, those of the session first. */
struct pipes {
	int objects[2], messages[2], commands[2];
};

static void close_pipe(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* In the child. With --monitor it reads commands, its messages come to us, and the keys of the terminal do not stop it. */
static int run_child(struct run *r, const struct pipes *p, int (*session)(void *of), void *of)
{
	sigprocmask(SIG_SETMASK, &r->before, NULL);
	dup2(p->objects[1], STDOUT_FILENO);
	if (r->o->monitor) {
		signal(SIGTSTP, SIG_IGN);
		dup2(p->messages[1], STDERR_FILENO);
		dup2(p->commands[0], STDIN_FILENO);
		status_set(false);
		diag_process()->color = false;
	}
	return session(of);
}

static bool make_pipes(const struct run *r, struct pipes *ret)
{
	*ret = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
	return !pipe2(ret->objects, O_CLOEXEC) &&
	       (!r->o->monitor || (!pipe2(ret->messages, O_CLOEXEC) && !pipe2(ret->commands, O_CLOEXEC) &&
				   !fcntl(ret->commands[1], F_SETFL, O_NONBLOCK)));
}

static bool start(struct run *r, int (*session)(void *of), void *of)
{
	struct pipes p;

	if (r->live.signals < 0 || !make_pipes(r, &p) || (r->live.child = fork()) < 0)
		return error(nowhere, DIAG_RUN, "cannot start the session: %s", strerror(errno));
	if (!r->live.child)
		_exit(run_child(r, &p, session, of));
	close_pipe(p.objects[1]);
	close_pipe(p.messages[1]);
	close_pipe(p.commands[0]);
	r->objects = p.objects[0];
	r->messages = p.messages[0];
	r->live.control = p.commands[1];
	return true;
}

/* The session ends in order on these signals; they are passed on to it. */
static void block_signals(struct run *r)
{
	sigset_t ends;

	sigemptyset(&ends);
	add_requests(&ends);
	sigaddset(&ends, SIGUSR2);
	sigprocmask(SIG_BLOCK, &ends, &r->before);
	r->live.signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool open_views(struct run *r, const struct live_options *o)
{
	return (!o->monitor || monitor_open(&r->views[r->n_views++])) &&
	       (!o->prometheus || prometheus_open(o->prometheus, &r->views[r->n_views++])) &&
	       (!o->otlp || otlp_open(o->otlp, &r->views[r->n_views++])) &&
	       (!o->notify || notify_open(getenv("NOTIFY_SOCKET"), &r->views[r->n_views++]));
}

bool live_check(const struct live_options *o)
{
	if (o->monitor && !monitor_check())
		return false;
	if (!o->notify || getenv("NOTIFY_SOCKET"))
		return true;
	error(nowhere, DIAG_USAGE, "--notify: NOTIFY_SOCKET is not set");
	note(nowhere, "systemd sets it for services of Type=notify; leave --notify out elsewhere");
	return false;
}

int live_run(const struct live_options *o, int (*session)(void *of), void *of)
{
	struct run r = { .o = o, .messages = -1, .live = { .control = -1 } };
	int status = 1;

	r.live.values = json_object_new_object();
	r.live.ledgers = json_object_new_object();
	signal(SIGPIPE, SIG_IGN);
	r.parser = json_tokener_new();
	block_signals(&r);
	if (open_views(&r, o) && start(&r, session, of)) {
		if (o->prints) {
			r.outlet = (struct outlet){ .signals = r.live.signals, .gives_up = gives_up, .of = &r };
			outlet_open(&r.outlet);
		}
		while (r.objects >= 0)
			look(&r);
		read_last_messages(&r);
		status = r.live.status = wait_for_child(&r);
		check_output(&r, outlet_finish(&r.outlet));
		if (r.output_lost)
			status = r.live.status = 1;
		for (int i = 0; i < r.n_views; i++)
			if (r.views[i].close)
				r.views[i].close(r.views[i].of, &r.live);
		outlet_close(&r.outlet);
	}
	json_tokener_free(r.parser);
	json_object_put(r.live.start);
	json_object_put(r.live.values);
	json_object_put(r.live.ledgers);
	text_deinit(&r.line);
	text_deinit(&r.message);
	close_pipe(r.live.control);
	return status;
}
