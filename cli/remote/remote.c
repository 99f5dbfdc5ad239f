/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --remote: one loop over the descriptors of all machines and of the build.
 *
 * A machine says which kernel it runs; the first of a kernel has the module built, in a child, and all of them wait for it. What
 * is sent to machines of one kernel is in memory once. A machine that fails is reported and the others go on. Ctrl-C closes
 * their inputs, so that each session runs its end probes and prints what it has; the next one ends the transports.
 */
#include "cli/remote/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/host.h"
#include "cli/remote/merge.h"
#include "cli/remote/record.h"
#include "cli/run.h"
#include "config.h"
#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"
#include "lib/interrupt.h"
#include "lib/outlet.h"
#include "lib/output-error.h"
#include "lib/paths.h"
#include "lib/requests.h"
#include "lib/vec.h"
#include "runtime/abi.h"
#include "translator/machine/machine.h"

enum {
	CONNECTING_MAX = 32, /* transports that have not answered yet */
	LINE_MAX_BYTES = 1 << 20, /* a longer line is shown in parts */
	OBJECT_MAX_BYTES = 1 << 26, /* a longer object is dropped, and its machine has failed */
	REFUSED_SHOWN = 200, /* bytes of a line that is no record */
	COMMANDS_MAX_BYTES = 1 << 16, /* commands that a machine has not taken */
	STATUS_STRICT = 6,
	SECRET_BYTES = 8,
};

/* What machines with one kernel run. */
struct remote_build {
	const char *release, *machine;
	pid_t pid;           /* 0: not begun, or done */
	int fd;              /* it prints the path there */
	bool done, failed;
	struct text path;
	struct text payload[2]; /* without ktaprun and with it, once they were asked for */
	struct remote_build *next;
};

/* A descriptor to wait for, and whose it is. */
struct wait {
	struct remote_host *host;
	struct remote_build *build;
	int stream; /* 0 out, 1 err, 2 in; without a host and a build: commands */
};

struct fleet {
	const struct options *opt;
	int (*build)(struct options *opt);
	struct remote_build *builds;
	struct json_object *schema; /* of records; NULL without -f json */
	struct merge merge;
	struct interrupt_requests requests;
	sigset_t signals;    /* that are requests */
	int signal_fd;       /* those of them that were not ignored */
	struct pollfd *polled;
	struct wait *waits;
	int n_polled;        /* of both */
	bool ending;         /* no further session begins */
	struct outlet outlet; /* standard output and error */
	bool output_lost;    /* standard output takes no more */
	struct text commands; /* of --control, for each session */
	char secret[2 * SECRET_BYTES + 1]; /* with the status of a session */
	bool commands_open;  /* standard input may have more of them */
};

static bool is_user(const struct options *opt)
{
	return opt->runtime == RUNTIME_USER;
}

/* ---- what is said of a machine ---- */
static void fail(struct remote_host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void fail(struct remote_host *h, const char *fmt, ...)
{
	va_list ap;

	if (h->failed)
		return;
	h->failed = true;
	va_start(ap, fmt);
	fflush(stdout);
	error(nowhere, DIAG_RUN, "%s: %s", h->name, arena_vprintf(&program_arena, fmt, ap));
	va_end(ap);
}

static void show(FILE *to, const struct remote_host *h, const char *line, size_t len)
{
	fprintf(to, "%s: %.*s\n", h->name, (int)len, line);
}

static void show_text(void *host, char *line, size_t len)
{
	show(stdout, host, line, len);
}

static void show_warning(void *host, char *line, size_t len)
{
	show(stderr, host, line, len);
}

/* LINE of the machine is no record, for the reason WHY. The first is shown, all are counted. */
static void refuse_line(struct remote_host *h, const char *why, const char *line, size_t len)
{
	if (h->refused++)
		return;
	fflush(stdout);
	warning(nowhere, DIAG_RUN, "%s: a line is no record of ktap, and is left out: %s", h->name, why);
	note(nowhere, "it is %.*s%s", (int)(len < REFUSED_SHOWN ? len : REFUSED_SHOWN), line, len > REFUSED_SHOWN ? "..." : "");
}

static void show_record(const struct remote_host *h, struct json_object *record)
{
	_cleanup_text_ struct text t = { 0 };

	record_put(&t, record, h->name);
	printf("%s\n", text_str(&t));
}

static void show_merged_record(struct remote_host *h, struct json_object *record)
{
	size_t before = h->text.len, added;
	_cleanup_text_ struct text warning = { 0 };

	merge_show(record, &h->text, &warning);
	added = h->text.len - before;
	if (h->text.len > LINE_MAX_BYTES || (added && memchr(h->text.buf + before, '\n', added)))
		text_take_lines(&h->text, h->text.len > LINE_MAX_BYTES, show_text, h);
	text_take_lines(&warning, true, show_warning, h);
}

static void take_record(struct fleet *f, struct remote_host *h, const char *line, size_t len)
{
	_cleanup_text_ struct text why = { 0 };
	struct json_object *record = record_parse(f->schema, line, len, &why);
	enum merge_fate fate = !record ? MERGE_REFUSED : f->opt->merge ? merge_take(&f->merge, h->name, record, len, &why) : MERGE_OTHER;

	if (fate == MERGE_REFUSED)
		refuse_line(h, text_str(&why), line, len);
	else if (fate == MERGE_OTHER && f->opt->merge_text)
		show_merged_record(h, record);
	else if (fate == MERGE_OTHER)
		show_record(h, record);
	record_deinit(record);
}

/* A line of output of a session. One that begins no object is from before the session or from a shell. */
static void show_output(struct fleet *f, struct remote_host *h, const char *line, size_t len)
{
	if (!f->opt->json)
		show(stdout, h, line, len);
	else if (!len || *line != '{')
		show(stderr, h, line, len);
	else
		take_record(f, h, line, len);
}

/* ---- builds ---- */
static struct remote_build *build_for(struct fleet *f, const char *release, const char *machine)
{
	struct remote_build *b = f->builds;

	while (b && (strcmp(b->machine, machine) || (!is_user(f->opt) && strcmp(b->release, release))))
		b = b->next;
	if (b)
		return b;
	b = arena_new(&program_arena, struct remote_build);
	*b = (struct remote_build){ .release = release, .machine = machine, .next = f->builds };
	f->builds = b;
	return b;
}

/* In the child: builds as ktap -r RELEASE -p4 does. */
static void build_child(const struct fleet *f, const struct remote_build *b, int out)
{
	struct options opt = *f->opt;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	for (int s = 1; s < _NSIG; s++)
		if (sigismember(&f->signals, s) == 1)
			signal(s, SIG_DFL);
	setpgid(0, 0);
	diag_forget(NULL); /* errors of machines say nothing of the script */
	opt.n_remotes = 0;
	opt.last_pass = 4;
	if (!is_user(f->opt))
		opt.release = b->release;
	if (dup2(out, 1) < 0)
		_exit(1);
	exit(f->build(&opt));
}

static void start_build(const struct fleet *f, struct remote_build *b)
{
	int pipe_fds[2] = { -1, -1 };

	if (pipe2(pipe_fds, O_CLOEXEC) < 0 || (fflush(NULL), b->pid = fork()) < 0) {
		error(nowhere, DIAG_RUN, "cannot start the build for %s: %s", b->release, strerror(errno));
		b->pid = 0;
		b->done = b->failed = true;
		return;
	}
	if (!b->pid)
		build_child(f, b, pipe_fds[1]);
	setpgid(b->pid, b->pid);
	close(pipe_fds[1]);
	b->fd = pipe_fds[0];
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void read_build(struct remote_build *b)
{
	char buf[4096];
	ssize_t n = read(b->fd, buf, sizeof(buf));

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0) {
		text_append(&b->path, buf, (size_t)n);
		return;
	}
	close(b->fd);
	b->done = true;
	b->failed = wait_for(b->pid) != 0 || !b->path.len;
	b->pid = 0;
	if (!b->failed)
		b->path.buf[strcspn(b->path.buf, "\n")] = '\0';
}

/* ---- what is sent ---- */
static void put_quoted(struct text *t, const char *word)
{
	text_puts(t, " '");
	for (; *word; word++)
		if (*word == '\'')
			text_puts(t, "'\\''");
		else
			text_append(t, word, 1);
	text_puts(t, "'");
}

/* The shell script that runs the session: see cli/host.h. SIGINT is ignored in background commands. A shell that was just
 * forked still has its parent's handler and would lose a signal: the handler is removed first. Commands go through a named pipe. Its
 * writer sees the end of the input and ends the session. */
static void put_runner(struct text *t, const struct options *opt, const char *secret)
{
	struct command cmd = { .n = 0 };
	bool control = opt->control;

	run_options(&cmd, opt);
	text_puts(t, control ? "mkfifo \"$d/commands\" || exit 1\n" : "");
	text_puts(t, is_user(opt) ? "\"$d/module\"" : "\"$k\"");
	for (int i = 0; i < cmd.n; i++)
		put_quoted(t, cmd.argv[i]);
	text_puts(t, is_user(opt) ? "" : " \"$d/module\"");
	text_printf(t, " <%s 3<&- &\np=$!\ntrap - TERM\n", control ? "\"$d/commands\"" : "/dev/null");
	text_printf(t, "(%s; kill -TERM $p) >/dev/null 2>&1 &\n", !control ? "read -r x <&3" :
		    "trap '' PIPE; while IFS= read -r x; do printf '%s\\n' \"$x\"; done <&3 >\"$d/commands\"");
	text_printf(t, "w=$!\ntrap 'exit 1' TERM\nwait $p\ns=$?\n"
		    "kill $w 2>/dev/null\nprintf '\\002ktap-remote status %s %%d\\n' $s\nexit $s\n", secret);
}

/* False: reported. */
static bool fill_payload(const struct fleet *f, struct text *t, const struct remote_build *b, bool loader)
{
	_cleanup_text_ struct text run = { 0 }, program = { 0 }, module = { 0 };
	const char *path = text_str(&b->path);
	bool ok = text_read_file(&module, path);

	if (ok && loader)
		ok = text_read_file(&program, path = own_file("ktaprun", KTAP_SBINDIR));
	if (!ok)
		error(nowhere, DIAG_IO, "cannot read '%s': %s", path, strerror(errno));
	put_runner(&run, f->opt, f->secret);
	text_printf(t, "%zu %zu %zu\n", run.len, program.len, module.len);
	text_append(t, text_str(&run), run.len);
	text_append(t, text_str(&program), program.len);
	text_append(t, text_str(&module), module.len);
	return ok;
}

/* The build for H is done: begins to send. */
static void start_session(const struct fleet *f, struct remote_host *h)
{
	bool loader = !is_user(f->opt) && h->interface != KT_ABI;
	struct text *t = &h->build->payload[loader];

	h->state = REMOTE_RUNNING;
	if (h->build->failed)
		fail(h, "there is no module for its kernel, %s", h->release);
	else if (loader && strcmp(h->machine, machine_host()->name))
		fail(h, "ktaprun of interface %d is not installed there, and the one here is for %s", KT_ABI, machine_host()->name);
	else if (!t->len && !fill_payload(f, t, h->build, loader))
		fail(h, "nothing to run");
	if (h->failed)
		remote_host_close_input(h);
	else
		h->payload = t;
}

/* Is there something to send to H, which is running? */
static bool has_more(const struct remote_host *h, const struct text *commands)
{
	return h->payload && (h->sent < h->payload->len || h->commanded < commands->len);
}

static void send_more(struct remote_host *h, const struct text *commands)
{
	const struct text *t = h->sent < h->payload->len ? h->payload : commands;
	size_t *at = t == h->payload ? &h->sent : &h->commanded;
	ssize_t n = write(h->in, t->buf + *at, t->len - *at);

	if (n > 0)
		*at += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		remote_host_close_input(h);
}

/* Forgets the commands once all machines have them, so that more are read. */
static void trim_commands(struct fleet *f)
{
	for (int i = 0; i < f->opt->n_remotes; i++) {
		const struct remote_host *h = &f->opt->remotes[i];

		if (h->commanded < f->commands.len && (h->state < REMOTE_RUNNING || h->in >= 0))
			return;
	}
	text_clear(&f->commands);
	for (int i = 0; i < f->opt->n_remotes; i++)
		f->opt->remotes[i].commanded = 0;
}

/* The end of the commands is not the end of the sessions. */
static void read_commands(struct fleet *f)
{
	char buf[4096];
	ssize_t n = read(STDIN_FILENO, buf, sizeof(buf));

	if (n > 0)
		text_append(&f->commands, buf, (size_t)n);
	f->commands_open = n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* ---- what comes back ---- */
static void take_facts(struct fleet *f, struct remote_host *h, const char *text)
{
	if (!remote_host_facts(h, text)) {
		fail(h, "it does not say which kernel it runs");
		remote_host_close_input(h);
		return;
	}
	h->state = REMOTE_WAITING;
	if (is_user(f->opt) && strcmp(h->machine, machine_host()->name)) {
		fail(h, "it is an %s, and programs of --runtime=user are built for this machine, an %s", h->machine, machine_host()->name);
		remote_host_close_input(h);
		h->state = REMOTE_RUNNING;
		return;
	}
	h->build = build_for(f, h->release, h->machine);
}

/* False: TEXT is output that looks like a mark. */
static bool take_mark(struct fleet *f, struct remote_host *h, const char *text)
{
	size_t len = strlen(f->secret);

	if (!strncmp(text, "facts ", 6) && h->state == REMOTE_CONNECTING) {
		take_facts(f, h, text + 6);
		return true;
	}
	if (strncmp(text, "status ", 7) || strncmp(text + 7, f->secret, len) || text[7 + len] != ' ')
		return false;
	h->status = atoi(text + 7 + len);
	remote_host_close_input(h);
	return true;
}

/* Whose standard output a line is. */
struct origin {
	struct fleet *fleet;
	struct remote_host *host;
};

/* The mark of the end may follow output that has no newline at its end. */
static void take_output(void *origin, char *line, size_t len)
{
	const struct origin *o = origin;
	char *mark = NULL;

	line[len] = '\0'; /* the newline, or after the text */
	for (char *at = line; !mark && (at = memmem(at, len - (size_t)(at - line), REMOTE_MARK, strlen(REMOTE_MARK)));) {
		at += strlen(REMOTE_MARK);
		if (take_mark(o->fleet, o->host, at))
			mark = at - strlen(REMOTE_MARK);
	}
	if (!mark || mark > line)
		show_output(o->fleet, o->host, line, mark ? (size_t)(mark - line) : len);
}

/* Takes the whole lines of STREAM, and with ALL the last one. */
static void take_whole(struct fleet *f, struct remote_host *h, int stream, bool all)
{
	if (stream)
		text_take_lines(&h->lines[stream], all, show_warning, h);
	else
		text_take_lines(&h->lines[stream], all, take_output, &(struct origin){ f, h });
}

/* Takes the lines of STREAM that are whole, of which LEN bytes have just come; all of them at its end, which 0 bytes are. */
static void take_lines(struct fleet *f, struct remote_host *h, int stream, size_t len)
{
	struct text *t = &h->lines[stream];
	bool objects = !stream && f->opt->json;

	if (!len || memchr(t->buf + t->len - len, '\n', len))
		take_whole(f, h, stream, !len);
	if (objects && t->len > OBJECT_MAX_BYTES) {
		fail(h, "an object of more than %d bytes came", OBJECT_MAX_BYTES);
		t->len = 0;
	} else if (!objects && t->len > LINE_MAX_BYTES) {
		take_whole(f, h, stream, true);
	}
}

static void read_stream(struct fleet *f, struct remote_host *h, int stream)
{
	int *fd = stream ? &h->err : &h->out;
	char buf[65536];
	ssize_t n = read(*fd, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0)
		text_append(&h->lines[stream], buf, (size_t)n);
	take_lines(f, h, stream, n > 0 ? (size_t)n : 0);
	if (n > 0)
		return;
	close(*fd);
	*fd = -1;
}

/* Both streams have ended. */
static void end_host(struct remote_host *h, bool ending)
{
	int transport = h->pid ? wait_for(h->pid) : 0;

	remote_host_close_input(h);
	h->pid = 0;
	text_take_lines(&h->text, true, show_text, h);
	if (h->refused > 1)
		warning(nowhere, DIAG_RUN, "%s: %lu lines were no records of ktap", h->name, h->refused);
	if (h->status < 0 && !(ending && h->state < REMOTE_RUNNING))
		fail(h, h->state < REMOTE_WAITING ? "cannot connect (exit status %d)" : "the connection was lost (exit status %d)", transport);
	else if (h->status > 0 && h->status != STATUS_STRICT)
		fail(h, "the session ended with status %d", h->status);
	h->state = REMOTE_ENDED;
}

/* ---- the loop ---- */
static void start_host(struct remote_host *h, bool kernel)
{
	int rc;

	h->state = REMOTE_CONNECTING;
	fflush(NULL);
	rc = remote_host_start(h, kernel);
	if (!rc)
		return;
	fail(h, "cannot connect: %s", strerror(-rc));
	h->state = REMOTE_ENDED;
}

static bool has_ended(const struct remote_host *h, bool ending)
{
	return h->state == REMOTE_ENDED || (h->state == REMOTE_NEW && ending);
}

/* Moves every machine and build that need not wait. Returns how many machines have not ended. */
static int advance(struct fleet *f)
{
	const struct options *opt = f->opt;
	int connecting = 0, left = 0;
	bool building = false;

	for (int i = 0; i < opt->n_remotes; i++)
		connecting += opt->remotes[i].state == REMOTE_CONNECTING;
	for (struct remote_build *b = f->builds; b; b = b->next)
		building |= b->pid != 0;
	for (struct remote_build *b = f->builds; b && !building && !f->ending; b = b->next)
		if (!b->done) {
			start_build(f, b);
			building = true;
		}
	for (int i = 0; i < opt->n_remotes; i++) {
		struct remote_host *h = &opt->remotes[i];

		if (h->state == REMOTE_NEW && !f->ending && connecting < CONNECTING_MAX) {
			start_host(h, !is_user(opt));
			connecting++;
		}
		if (h->state == REMOTE_WAITING && h->build->done && !f->ending)
			start_session(f, h);
		if (h->state != REMOTE_NEW && h->state != REMOTE_ENDED && h->out < 0 && h->err < 0)
			end_host(h, f->ending);
		left += !has_ended(h, f->ending);
	}
	return left;
}

static void add_wait(struct fleet *f, int fd, short events, struct wait w)
{
	int n = f->n_polled;

	if (fd < 0)
		return;
	*vec_add(f->waits, n) = w;
	*vec_add(f->polled, f->n_polled) = (struct pollfd){ .fd = fd, .events = events };
}

/* That of signals comes first. */
static void collect_waits(struct fleet *f)
{
	f->n_polled = 0;
	add_wait(f, f->signal_fd, POLLIN, (struct wait){ .host = NULL });
	trim_commands(f);
	if (f->commands_open && f->commands.len < COMMANDS_MAX_BYTES)
		add_wait(f, STDIN_FILENO, POLLIN, (struct wait){ .host = NULL });
	for (int i = 0; i < f->opt->n_remotes; i++) {
		struct remote_host *h = &f->opt->remotes[i];

		add_wait(f, h->out, POLLIN, (struct wait){ .host = h });
		add_wait(f, h->err, POLLIN, (struct wait){ .host = h, .stream = 1 });
		if (has_more(h, &f->commands))
			add_wait(f, h->in, POLLOUT, (struct wait){ .host = h, .stream = 2 });
	}
	for (struct remote_build *b = f->builds; b; b = b->next)
		if (b->pid)
			add_wait(f, b->fd, POLLIN, (struct wait){ .build = b });
}

static void serve(struct fleet *f, const struct wait *w)
{
	if (w->build)
		read_build(w->build);
	else if (!w->host)
		read_commands(f);
	else if (w->stream == 2)
		send_more(w->host, &f->commands);
	else
		read_stream(f, w->host, w->stream);
}

/* The first request lets sessions end, a later one ends what still goes on. */
static void end_all(struct fleet *f)
{
	if (!interrupt_request(&f->requests, clock_seconds()))
		return;
	for (struct remote_build *b = f->builds; b; b = b->next)
		if (b->pid)
			kill(-b->pid, SIGTERM);
	for (int i = 0; i < f->opt->n_remotes; i++) {
		struct remote_host *h = &f->opt->remotes[i];

		if (f->ending || h->state < REMOTE_RUNNING || !h->payload || h->sent < h->payload->len)
			remote_host_kill(h, f->ending ? SIGKILL : SIGTERM);
		remote_host_close_input(h);
	}
	f->ending = true;
}

/* Reads all signals that came. Returns whether there was one. */
static bool take_signals(int fd)
{
	struct signalfd_siginfo si;
	bool any = false;

	while (read(fd, &si, sizeof(si)) == sizeof(si))
		any = true;
	return any;
}

/* For a wait for room in the output: as end_all(), but sessions end by themselves once their output is not waited for. */
static bool gives_up(void *fleet)
{
	struct fleet *f = fleet;

	if (!take_signals(f->signal_fd))
		return false;
	if (f->ending)
		return interrupt_request(&f->requests, clock_seconds());
	end_all(f);
	return false;
}

/* Blocks the signals that end ktap. False: they cannot be read, which was reported. */
static bool catch_signals(struct fleet *f)
{
	struct rlimit files;
	sigset_t heard;

	sigemptyset(&f->signals);
	add_caught_requests(&f->signals);
	sigaddset(&f->signals, SIGUSR2);
	heard = f->signals;
	for (int s = 1; s < _NSIG; s++)
		if (is_ignored(s))
			sigdelset(&heard, s);
	sigprocmask(SIG_BLOCK, &f->signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	f->signal_fd = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
	return f->signal_fd >= 0 || error(nowhere, DIAG_RUN, "cannot start the sessions: %s", strerror(errno));
}

/* ERR: the reader went away, or the disk is full: sessions end, and it returns true the first time. */
static bool lose_output(struct fleet *f, int err)
{
	if (!err || f->output_lost)
		return false;
	error_output(err);
	f->output_lost = true;
	end_all(f);
	return true;
}

static void loop(struct fleet *f)
{
	while (advance(f)) {
		collect_waits(f);
		if (lose_output(f, outlet_flush(&f->outlet)))
			continue;
		if (poll(f->polled, (nfds_t)f->n_polled, -1) < 0) {
			if (errno == EINTR)
				continue;
			break;
		}
		if (f->polled[0].revents && take_signals(f->signal_fd)) {
			end_all(f);
			continue;
		}
		for (int i = 1; i < f->n_polled; i++)
			if (f->polled[i].revents)
				serve(f, &f->waits[i]);
	}
	free(f->polled);
	free(f->waits);
}

/* A program of --runtime=user is in a temporary directory; modules are in the cache. */
static void remove_programs(const struct fleet *f)
{
	for (struct remote_build *b = f->builds; b; b = b->next) {
		char *slash = b->path.len ? strrchr(b->path.buf, '/') : NULL;

		if (!slash || !is_user(f->opt) || b->failed || f->opt->keep)
			continue;
		*slash = '\0';
		remove_tree(b->path.buf);
	}
}

/* As merge_print(), with signals that end ktap at once: the sessions are over, and large arrays take time. */
static void print_merged(struct fleet *f, struct text *t)
{
	sigset_t deadly;

	while (sigtimedwait(&f->signals, NULL, &(struct timespec){ 0 }) > 0)
		continue; /* requests to end the sessions */
	sigemptyset(&deadly);
	sigaddset(&deadly, SIGINT);
	sigaddset(&deadly, SIGTERM);
	sigaddset(&deadly, SIGHUP);
	sigprocmask(SIG_UNBLOCK, &deadly, NULL);
	merge_print(&f->merge, t, !f->opt->merge_text);
	sigprocmask(SIG_BLOCK, &deadly, NULL);
}

/* Says which machines failed. Returns the exit status of all. */
static int conclude(struct fleet *f)
{
	const struct options *opt = f->opt;
	_cleanup_text_ struct text names = { 0 }, t = { 0 };
	int failed = 0, strict = 0;

	for (int i = 0; i < opt->n_remotes; i++) {
		strict |= opt->remotes[i].status == STATUS_STRICT;
		if (opt->remotes[i].failed)
			text_printf(&names, "%s%s", failed++ ? ", " : "", opt->remotes[i].name);
	}
	remove_programs(f);
	print_merged(f, &t);
	fwrite(text_str(&t), 1, t.len, stdout);
	lose_output(f, outlet_finish(&f->outlet));
	if (failed)
		error(nowhere, DIAG_RUN, "%d of %d machines failed: %s", failed, opt->n_remotes, text_str(&names));
	return failed || f->output_lost ? 1 : strict ? STATUS_STRICT : 0;
}

static int run_sessions(void *fleet)
{
	struct fleet *f = fleet;
	int status;

	if (!catch_signals(f))
		return 1;
	f->outlet = (struct outlet){ .signals = f->signal_fd, .gives_up = gives_up, .of = f };
	outlet_open(&f->outlet);
	loop(f);
	status = conclude(f);
	outlet_close(&f->outlet);
	close(f->signal_fd);
	text_deinit(&f->commands);
	return status;
}

/* Fills RET with two digits of each byte. */
static bool make_secret(char ret[2 * SECRET_BYTES + 1])
{
	unsigned char bytes[SECRET_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return error(nowhere, DIAG_RUN, "no random number: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

int remote_run(const struct options *opt, int (*build)(struct options *opt))
{
	struct fleet f = { .opt = opt, .build = build, .commands_open = opt->control };
	int fd = -1, status;

	if (!make_secret(f.secret))
		return 1;
	if ((opt->json && !merge_check(opt->merge ? "--merge" : "--remote with -f json")) || (option_live(opt) && !live_check(&opt->live)))
		return 1;
	if (opt->output && ((fd = create_output(opt->output, NULL, NULL)) < 0 || dup2(fd, STDOUT_FILENO) < 0 || close(fd)))
		return 1;
	if (opt->json)
		f.schema = record_schema();
	status = option_live(opt) ? live_run(&opt->live, run_sessions, &f) : run_sessions(&f);
	record_deinit(f.schema);
	return status;
}
