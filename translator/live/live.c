/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/live/live.h"

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

#include "translator/base/arena.h"
#include "translator/base/diag.h"
#include "translator/base/text.h"

static const struct loc nowhere;

enum { VIEWS_MAX = 4, POLLED_MAX = 64, READ_SIZE = 1 << 16 };

struct run {
	struct live live;
	const struct live_options *o;
	struct view views[VIEWS_MAX];
	int n_views;
	pid_t child;
	int objects;         /* what the child prints; -1: its end was read */
	int signals;         /* signalfd */
	struct text line;    /* the beginning of a line that has not ended */
	struct json_tokener *parser;
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
		keep(l->ledgers, event, "point");
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

static void show(const struct run *r, const char *line, size_t len, struct json_object *event)
{
	struct json_object *text = live_member(event, "text");

	if (r->o->json)
		put_line(stdout, line, len);
	else if (!strcmp(live_text(event, "type"), "print"))
		fwrite(json_object_get_string(text), 1, (size_t)json_object_get_string_len(text), stdout);
}

/* A line that is not an object was printed by something else, and goes on as it is. */
static void take_line(void *run, char *line, size_t len)
{
	struct run *r = run;
	struct json_object *event;

	json_tokener_reset(r->parser);
	event = json_tokener_parse_ex(r->parser, line, (int)len);
	if (!json_object_is_type(event, json_type_object)) {
		put_line(stderr, line, len);
	} else {
		update(&r->live, event);
		show(r, line, len, event);
		for (int i = 0; i < r->n_views; i++)
			if (r->views[i].event)
				r->views[i].event(r->views[i].of, &r->live, event);
	}
	json_object_put(event);
}

static void read_objects(struct run *r)
{
	char buf[READ_SIZE];
	ssize_t n = read(r->objects, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close(r->objects);
		r->objects = -1;
		return;
	}
	text_append(&r->line, buf, (size_t)n);
	if (memchr(buf, '\n', (size_t)n)) {
		text_take_lines(&r->line, false, take_line, r);
		fflush(stdout);
	}
}

/* ---- the loop ---- */

/* The session ends itself on these signals; a terminal sends them to it, too. */
static void pass_signals(struct run *r)
{
	struct signalfd_siginfo si;

	while (read(r->signals, &si, sizeof(si)) == sizeof(si))
		if (si.ssi_signo == SIGTERM || si.ssi_signo == SIGHUP || (si.ssi_signo == SIGINT && si.ssi_pid))
			kill(r->child, (int)si.ssi_signo);
}

static void look(struct run *r)
{
	struct pollfd p[POLLED_MAX] = { { .fd = r->objects, .events = POLLIN }, { .fd = r->signals, .events = POLLIN } };
	int n = 2, of_view[VIEWS_MAX], timeout = -1;

	for (int i = 0; i < r->n_views; i++) {
		const struct view *v = &r->views[i];

		of_view[i] = v->wait ? v->wait(v->of, p + n, POLLED_MAX - n, &timeout) : 0;
		n += of_view[i];
	}
	if (poll(p, (nfds_t)n, timeout) < 0)
		for (int i = 0; i < n; i++)
			p[i].revents = 0;
	n = 2;
	for (int i = 0; i < r->n_views; i++) {
		if (r->views[i].polled)
			r->views[i].polled(r->views[i].of, &r->live, p + n, of_view[i]);
		n += of_view[i];
	}
	if (p[1].revents)
		pass_signals(r);
	if (p[0].revents)
		read_objects(r);
}

static int wait_for_child(struct run *r)
{
	int status;

	while (waitpid(r->child, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- around it ---- */

static bool start(struct run *r, int (*session)(void *of), void *of)
{
	sigset_t ends, before;
	int ends_of_pipe[2];

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before);
	r->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signals < 0 || pipe2(ends_of_pipe, O_CLOEXEC) < 0 || (r->child = fork()) < 0)
		return error(nowhere, DIAG_RUN, "cannot start the session: %s", strerror(errno));
	if (!r->child) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		dup2(ends_of_pipe[1], STDOUT_FILENO);
		_exit(session(of));
	}
	close(ends_of_pipe[1]);
	r->objects = ends_of_pipe[0];
	return true;
}

static bool open_views(struct run *r, const struct live_options *o)
{
	return (!o->prometheus || prometheus_open(o->prometheus, &r->views[r->n_views++])) &&
	       (!o->otlp || otlp_open(o->otlp, &r->views[r->n_views++])) &&
	       (!o->notify || notify_open(getenv("NOTIFY_SOCKET"), &r->views[r->n_views++]));
}

bool live_check(const struct live_options *o)
{
	if (!o->notify || getenv("NOTIFY_SOCKET"))
		return true;
	error(nowhere, DIAG_USAGE, "--notify: NOTIFY_SOCKET is not set");
	note(nowhere, "systemd sets it for services of Type=notify; leave --notify out elsewhere");
	return false;
}

int live_run(const struct live_options *o, int (*session)(void *of), void *of)
{
	struct run r = { .o = o, .live = { .values = json_object_new_object(), .ledgers = json_object_new_object() } };
	int status = 1;

	signal(SIGPIPE, SIG_IGN);
	r.parser = json_tokener_new();
	if (open_views(&r, o) && start(&r, session, of)) {
		while (r.objects >= 0)
			look(&r);
		status = wait_for_child(&r);
		for (int i = 0; i < r.n_views; i++)
			if (r.views[i].close)
				r.views[i].close(r.views[i].of, &r.live);
	}
	json_tokener_free(r.parser);
	json_object_put(r.live.start);
	json_object_put(r.live.values);
	json_object_put(r.live.ledgers);
	text_deinit(&r.line);
	return status;
}
