/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs one session: load, start, read and print until something ends it, stop, read the rest, report, unload.
 *
 * One loop does everything, in a separate thread; only START and STOP, during which probes run and print, are left to
 * the main thread (see struct control_job). A session ends by exit() in the script, the end of the -c command, -T,
 * a signal that would end a program, a reader of the output that went away. Whatever happens after the module is in, it is
 * taken out again.
 */
#include "runtime/loader/session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"
#include "lib/process.h"
#include "lib/regular.h"
#include "lib/requests.h"
#include "lib/status.h"
#include "runtime/bpf/session.h"
#include "runtime/ledger.h"
#include "runtime/loader/bulk.h"
#include "runtime/loader/command.h"
#include "runtime/loader/control.h"
#include "runtime/loader/eventlog.h"
#include "runtime/loader/image.h"
#include "runtime/loader/load.h"
#include "runtime/loader/machine.h"
#include "runtime/loader/merge.h"
#include "runtime/loader/output.h"
#include "runtime/loader/print.h"
#include "runtime/loader/progress.h"
#include "runtime/loader/refusal.h"
#include "runtime/loader/report.h"
#include "runtime/loader/starts.h"
#include "runtime/loader/steer.h"

enum {
	IDLE_MS = 20,           /* between two looks at quiet rings */
	ASLEEP_MS = 500,        /* when the next record calls */
	QUIET_LOOKS = 5,        /* that found nothing, after which the next record is to call */
	BUSY_MS = 2,
	READ_SIZE = 1 << 20,    /* of the read buffer at first */
	MERGE_LIMIT = 64 << 20, /* bytes of records that wait for their turn */
	READER_NICE = -10,
	COMMAND_WAIT_TRIES = 300,
	COMMAND_WAIT_US = 10000,
	PROGRAM_SECONDS = 20,   /* for the headers of one program */
	COUNTED_MAX = 1000,     /* probes whose hits are counted only to say that there were none */
};

enum phase { STARTING, RUNNING, STOPPING, OVER };

struct session {
	const struct loader_sys *sys;
	const struct session_options *o;
	struct control control;
	struct merge merge;
	struct bulk *bulk; /* reads the records, NULL: this does */
	struct output output;
	struct readers readers;
	struct printer printer;
	struct stacks stacks;
	struct command command;
	struct kt_start start;
	struct steer steer;
	struct control_job job;
	bool job_runs;
	enum phase phase;
	struct progress progress; /* of the phase */
	struct machine_watch machine;
	const char *name;         /* of the module */
	bool want_stop;
	bool failed;      /* the exit status is 1 */
	bool out_of_time; /* SIGXCPU came */
	bool ran;         /* probes were armed */
	struct interrupt_requests requests;
	int sigfd;
	sigset_t signals; /* that it reads */
	int interval;     /* ms until the next look */
	int quiet;        /* looks since the last record */
	double deadline;  /* of -T, seconds of CLOCK_MONOTONIC; 0: none */
	char *buffer;
	size_t buffer_size;
	bool stdin_open;  /* the script wants it, and more may come */
	struct termios terminal; /* its settings before, when terminal_set */
	bool terminal_set;
};

/* ---- records ---- */

/* Makes the read buffer twice as large, as far as a record can need it. False: it is that large. */
static bool grow_buffer(struct session *s)
{
	size_t headers = s->control.info.n_cpus * sizeof(struct kt_chunk), max = headers + s->control.info.buffer_size;
	size_t size = s->buffer_size <= max / 2 ? 2 * s->buffer_size : max;

	if (s->buffer_size >= max)
		return false;
	free(s->buffer);
	s->buffer = xmalloc(size);
	s->buffer_size = size;
	return true;
}

/* 0 or -errno. */
static int read_chunks(struct session *s)
{
	ssize_t n;

	if (s->bulk) {
		n = bulk_take(s->bulk, &s->merge);
		return n < 0 ? (int)n : 0;
	}
	do
		n = s->control.vehicle->read(s->control.of, s->buffer, s->buffer_size);
	while (n < 0 && errno == EMSGSIZE && grow_buffer(s));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	return merge_add(&s->merge, s->buffer, (size_t)n);
}

/* One read. The bytes of records it brought, 0: none or no more for now. */
static size_t read_records(struct session *s)
{
	size_t before = s->merge.waiting;
	int err = read_chunks(s);

	if (err && !s->failed) {
		if (!s->bulk || !bulk_report(s->bulk))
			error(nowhere, DIAG_RUN, "cannot read the session's records: %s", strerror(-err));
		s->failed = s->want_stop = true;
	}
	return err ? 0 : s->merge.waiting - before;
}

/* Returns how many bytes of output and messages are not written. */
static size_t pending(const struct session *s)
{
	return output_pending(&s->output) + output_pending(&s->printer.messages);
}

static void print_ready(struct session *s, bool all)
{
	const struct kt_record *rec;

	while ((rec = merge_next(&s->merge, all))) {
		status_clear();
		print_record(&s->printer, rec);
		if (s->output.text.len > OUTPUT_LONG / 4)
			output_flush(&s->output);
	}
	print_flush(&s->printer);
	if (s->output.broken && !s->failed)
		s->failed = s->want_stop = true;
}

/* Returns the time until the next look, after one that brought N bytes. A record that was under way when the kernel was asked to call
 * may not have seen that, so one more look follows soon. Attached readers come and go without a call. */
static int next_look(struct session *s, size_t n)
{
	size_t ring = s->control.info.buffer_size;

	s->quiet = n || s->merge.waiting || s->phase != RUNNING || s->readers.fd >= 0 ? 0 : s->quiet + 1;
	if (s->quiet > QUIET_LOOKS + 1)
		return ASLEEP_MS;
	return n > ring / 4 ? 0 : n > ring / 16 ? BUSY_MS : IDLE_MS;
}

static void drain(struct session *s)
{
	size_t n;

	if (pending(s) > OUTPUT_LONG) {
		print_flush(&s->printer);
		return;
	}
	n = read_records(s);
	print_ready(s, false);
	s->interval = next_look(s, n);
}

/* ---- what ends it ---- */

static void child_ended(struct session *s, int status)
{
	s->command.pid = 0;
	s->want_stop = true;
	if (s->command.not_run)
		return;
	if (WIFSIGNALED(status))
		print_warning(&s->printer, "Child process exited with signal %d (%s)", WTERMSIG(status),
			      strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		print_warning(&s->printer, "Child process exited with status %d", WEXITSTATUS(status));
}

/* The event that the end of the session waits for now. */
static const char *awaited(const struct session *s)
{
	static const char *const of_phase[] = {
		[STARTING] = "the start, and the end probes run unseen",
		[RUNNING] = "the output of the end probes",
		[STOPPING] = "the output of the end probes",
	};

	if (s->phase != OVER)
		return of_phase[s->phase];
	return pending(s) ? "output that nobody reads" : "commands of system()";
}

static void reap(struct session *s)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == s->command.pid)
			child_ended(s, status);
		else
			print_child_ended(&s->printer, pid);
	}
}

/* The first request ends the session in order, the second announces the third, which does not wait for that. */
static void request_end(struct session *s)
{
	if (!interrupt_request(&s->requests, clock_seconds()))
		return;
	s->want_stop = true;
	if (s->requests.n == INTERRUPT_FORCES - 1)
		print_warning(&s->printer, "the session is ending; one more signal does not wait for %s", awaited(s));
}

static bool is_forced(const struct session *s)
{
	return s->requests.n >= INTERRUPT_FORCES;
}

/* Returns whether the script has a probe of signal NUMBER. */
static bool is_wanted(const struct session *s, kt_u32 number)
{
	return number < KT_SIGNALS_MAX && s->control.info.signals & 1ull << number;
}

/* A signal of the script's probes. Before and after they are armed it means nothing. */
static bool is_for_script(struct session *s, kt_u32 number)
{
	if (!is_wanted(s, number))
		return false;
	if (s->phase == RUNNING)
		control_ask(&s->control, KT_IOC_SIGNAL, &number);
	return true;
}

/* The kernel repeats SIGXCPU for each further second, so it is one request. */
static void out_of_time(struct session *s)
{
	if (!s->out_of_time)
		print_warning(&s->printer, "the limit on processor time is reached (ulimit -t): the session ends");
	s->want_stop = s->out_of_time = true;
}

static void take_signals(struct session *s)
{
	struct signalfd_siginfo si;

	while (read(s->sigfd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			reap(s);
		} else if (si.ssi_signo == SIGUSR2) {
			output_switch(&s->output);
		} else if (si.ssi_signo == SIGXCPU) {
			out_of_time(s);
		} else if (!is_for_script(s, si.ssi_signo)) {
			request_end(s);
		}
	}
}

/* ---- standard input ---- */

/* For a script that wants single characters a terminal is not to wait for the end of a line, nor to echo. */
static void input_begin(struct session *s)
{
	struct termios raw;

	s->stdin_open = s->control.info.flags & KT_INFO_STDIN;
	if (!(s->control.info.flags & KT_INFO_STDIN_CHARS) || tcgetattr(STDIN_FILENO, &s->terminal))
		return;
	raw = s->terminal;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	s->terminal_set = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

static void input_end(struct session *s)
{
	if (s->terminal_set)
		tcsetattr(STDIN_FILENO, TCSANOW, &s->terminal);
}

static void input_pass(struct session *s)
{
	char text[4096];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text)), done;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	s->stdin_open = n > 0;
	for (ssize_t at = 0; at < n; at += done) {
		done = write(s->control.fd, text + at, (size_t)(n - at));
		if (done <= 0) {
			s->stdin_open = false;
			return;
		}
	}
}

/* ---- start and stop ---- */

static void begin_job(struct session *s, unsigned int request, enum phase phase)
{
	s->phase = phase;
	progress_init(&s->progress, s->o->verbose);
	s->job_runs = true;
	control_job_begin(&s->job, request, &s->start);
}

static void start_failed(struct session *s, int err)
{
	s->failed = true;
	s->phase = OVER;
	error(nowhere, DIAG_RUN, "cannot start the session: %s", strerror(err));
	switch (err) {
	case ENOEXEC:
		note(nowhere, "the script's addresses belong to another build of this kernel: build it again");
		break;
	case EPROTONOSUPPORT:
		note(nowhere, "the script uses a kind of probe that this runtime does not have: build it again");
		break;
	default:
		note(nowhere, "the kernel may have said why: see the end of dmesg");
	}
}

/* -D: whoever waits for the start hears of it, and this process lets go of the terminal. */
static void become_daemon(struct session *s)
{
	_cleanup_close_ int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid = getpid();

	/* Nobody is there any more: the start was interrupted. */
	if (write(s->o->ready, &pid, sizeof(pid)) != sizeof(pid)) {
		s->want_stop = true;
		return;
	}
	close(s->o->ready);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (!s->printer.events.on) {
		output_take_messages(&s->output);
	} else if (null >= 0) { /* the file has objects alone, and messages are among them */
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	print_look_at_stderr(&s->printer);
	s->printer.color = diag_process()->color = false;
}

/* On a terminal: that it works now, and how it ends. */
static void say_armed(const struct session *s, const struct kt_status *st)
{
	char what[32] = "running"; /* A script that only prints has nothing to arm. */

	if (s->o->daemon)
		return;
	if (st->probes_armed)
		snprintf(what, sizeof(what), "%u probe%s armed", st->probes_armed, st->probes_armed == 1 ? "" : "s");
	if (s->o->seconds > 0)
		status_say("%s; ends after %g s, or %s", what, s->o->seconds, s->command.line ? "with the command" : "by Ctrl-C");
	else
		status_say("%s; %s", what, s->command.line ? "ends with the command" : "Ctrl-C ends");
}

static void started(struct session *s)
{
	struct kt_status st;
	int err = control_status(&s->control, &st);

	if (err) {
		start_failed(s, -err);
		return;
	}
	s->phase = RUNNING;
	report_start(&s->printer, &st, s->o->verbose, clock_seconds() - s->progress.began);
	if (st.state != KT_RUNNING || s->want_stop) {
		s->want_stop = true;
		return;
	}
	s->ran = true;
	say_armed(s, &st);
	if (s->command.line && !command_release(&s->command))
		s->failed = s->want_stop = true;
	if (s->o->daemon)
		become_daemon(s);
	if (s->o->seconds > 0)
		s->deadline = clock_seconds() + s->o->seconds;
}

/* STOP returned RESULT, 0 or -errno. After rmmod -f it fails, and nothing says which records are missing. */
static void stopped(struct session *s, int result)
{
	s->phase = OVER;
	if (result < 0 && !s->failed) {
		error(nowhere, DIAG_RUN, "cannot stop the session, records may be missing: %s", strerror(-result));
		s->failed = true;
	}
	if (s->o->verbose)
		fprintf(stderr, "ktaprun: disarmed in %.1f s\n", clock_seconds() - s->progress.began);
}

static void job_ended(struct session *s)
{
	int result = control_job_end(&s->job);

	s->job_runs = false;
	status_clear();
	if (s->phase == STOPPING)
		stopped(s, result);
	else if (s->phase == RUNNING)
		steer_switched(&s->steer, &s->printer, result);
	else if (result < 0)
		start_failed(s, -result);
	else
		started(s);
}

/* Ends the session, whose handlers take LOAD, when it is the one that has to, for all sessions of the machine together. */
static void check_machine(struct session *s, kt_u32 load)
{
	_cleanup_text_ struct text reason = { 0 };

	if (machine_is_over(&s->machine, s->sys, s->name, load, clock_seconds(), &reason)) {
		print_warning(&s->printer, "%s", text_str(&reason));
		s->failed = s->want_stop = true;
	}
}

static void check_end(struct session *s)
{
	struct kt_status st;

	/* said again and again: the main thread may not have come to START yet */
	if (s->phase <= RUNNING && s->job_runs && s->want_stop)
		control_ask(&s->control, KT_IOC_CANCEL, NULL);
	if (s->phase == STARTING)
		progress_show(&s->progress, &s->control);
	if (s->phase != RUNNING)
		return;
	if (control_status(&s->control, &st) < 0 || st.state >= KT_STOPPING || (s->deadline && clock_seconds() >= s->deadline))
		s->want_stop = true;
	if (!s->want_stop)
		check_machine(s, st.load);
	if (s->want_stop && !s->job_runs)
		begin_job(s, KT_IOC_STOP, STOPPING);
}

/* ---- the loop ---- */

static bool is_steered(const struct session *s)
{
	return s->phase == RUNNING && !s->job_runs && !s->want_stop;
}

static void take_commands(struct session *s)
{
	if (!is_steered(s) || !steer_next(&s->steer, &s->printer))
		return;
	s->job_runs = true;
	control_job_begin(&s->job, KT_IOC_SWITCH, &s->steer.request);
}

static void wait_for_something(struct session *s, int timeout)
{
	struct pollfd p[] = {
		{ .fd = s->sigfd, .events = POLLIN },
		{ .fd = s->job_runs ? s->job.answer[0] : -1, .events = POLLIN },
		{ .fd = output_pending(&s->output) ? s->output.fd : -1, .events = POLLOUT },
		{ .fd = pending(s) > OUTPUT_LONG || (s->bulk && s->phase != RUNNING) ? -1 : s->control.fd,
		  .events = s->quiet > QUIET_LOOKS && !s->bulk ? POLLPRI | POLLIN : POLLPRI },
		{ .fd = s->stdin_open && s->phase == RUNNING ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = is_steered(s) ? s->steer.commands.fd : -1, .events = POLLIN },
		{ .fd = s->bulk ? bulk_event(s->bulk) : -1, .events = POLLIN },
		{ .fd = output_pending(&s->printer.messages) ? STDERR_FILENO : -1, .events = POLLOUT },
	};

	if (s->deadline && s->phase == RUNNING) {
		double left = (s->deadline - clock_seconds()) * 1000;

		if (left < timeout)
			timeout = left > 0 ? (int)left + 1 : 0;
	}
	poll(p, sizeof(p) / sizeof(p[0]), timeout);
	if (p[3].revents & POLLIN)
		s->quiet = 0; /* or a record that cannot be read yet, as its handler still runs, would call again and again */
	if (p[0].revents)
		take_signals(s);
	if (p[4].revents)
		input_pass(s);
	if (p[1].revents)
		job_ended(s);
	if (p[5].revents)
		commands_read(&s->steer.commands);
	take_commands(s);
}

/* Waits until slow readers of the output and of messages have all of it. */
static void push_output(struct session *s)
{
	for (print_flush(&s->printer); pending(s) && !is_forced(s); print_flush(&s->printer))
		wait_for_something(s, -1);
}

/* After STOP nothing new comes: read to the end, then give out what waited for its turn. */
static void finish_output(struct session *s)
{
	if (s->bulk)
		bulk_finish(s->bulk);
	while (!is_forced(s) && !s->output.broken) {
		if (pending(s) > OUTPUT_LONG)
			wait_for_something(s, -1);
		else if (!read_records(s))
			break;
		print_ready(s, false);
	}
	print_ready(s, true);
	report_timing(&s->printer);
	push_output(s);
}

/* The third request to end came. Messages that nobody reads are dropped, as the later ones of the program are. */
static void report_forced(struct session *s)
{
	_cleanup_close_ int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	s->failed = true;
	print_warning(&s->printer, "ended by a third signal: not waited for: %s", awaited(s));
	if (output_pending(&s->printer.messages) && null >= 0)
		dup2(null, STDERR_FILENO);
}

static void serve(struct session *s)
{
	report_switched_off(&s->printer);
	begin_job(s, KT_IOC_START, STARTING);
	s->interval = IDLE_MS;
	while (s->phase != OVER && !is_forced(s)) {
		wait_for_something(s, s->interval);
		drain(s);
		readers_tick(&s->readers, clock_seconds());
		check_end(s);
	}
	if (!is_forced(s))
		finish_output(s);
	/* Commands of system() that were started last may still be printing. */
	for (int i = 0; s->printer.n_commands && i < COMMAND_WAIT_TRIES && !is_forced(s); i++) {
		take_signals(s);
		usleep(s->printer.n_commands ? COMMAND_WAIT_US : 0);
	}
	if (is_forced(s))
		report_forced(s);
}

/* The session's own thread. A reader that does not get a CPU loses records, most of all when the probed programs keep all
 * of them busy.
 */
static void *serve_main(void *arg)
{
	struct session *s = arg;

	if (s->printer.nice > READER_NICE)
		setpriority(PRIO_PROCESS, 0, READER_NICE);
	serve(s);
	control_job_leave(&s->job);
	return NULL;
}

/* Serves the session to its end. A job that was not waited for ends before this returns: nothing is left in the kernel. */
static void serve_in_thread(struct session *s)
{
	pthread_t thread;
	int err = control_job_init(&s->job, &s->control);

	if (!err)
		err = -pthread_create(&thread, NULL, serve_main, s);
	if (err) {
		error(nowhere, DIAG_RUN, "cannot control the session: %s", strerror(-err));
		note(nowhere, "limits on memory, open files and processes may be too small: see ulimit -a");
		s->failed = true;
	} else {
		control_job_serve(&s->job);
		pthread_join(thread, NULL);
	}
	control_job_deinit(&s->job);
}

/* ---- around the loop ---- */

static bool set_globals(struct session *s)
{
	for (int i = 0; i < s->o->n_globals; i++)
		if (!control_set_global(&s->control, s->o->globals[i]))
			return false;
	return true;
}

/* The kernel knows no more of local time than what the machine's clock is ahead, and no name. */
static void find_time_zone(struct kt_start *start)
{
	time_t now = time(NULL);
	struct tm tm;

	if (!localtime_r(&now, &tm))
		return;
	start->tz_west = (kt_s32)-tm.tm_gmtoff;
	if (snprintf(start->tz_name, sizeof(start->tz_name), "%s", tm.tm_zone) >= (int)sizeof(start->tz_name))
		warning(nowhere, DIAG_RUN, "the name of the time zone, '%s', is cut to %zu bytes", tm.tm_zone, sizeof(start->tz_name) - 1);
}

/* Has the signals of s->signals read from s->sigfd, which the first call opens. */
static bool read_signals(struct session *s)
{
	sigprocmask(SIG_BLOCK, &s->signals, NULL);
	s->sigfd = signalfd(s->sigfd, &s->signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->sigfd >= 0 || error(nowhere, DIAG_RUN, "cannot read signals: %s", strerror(errno));
}

static void read_script_signals(struct session *s)
{
	for (int i = 1; i < KT_SIGNALS_MAX; i++)
		if (s->control.info.signals & 1ull << i)
			sigaddset(&s->signals, i);
	read_signals(s);
}

static void prepare(struct session *s)
{
	s->buffer_size = READ_SIZE + s->control.info.n_cpus * sizeof(struct kt_chunk);
	s->buffer = xmalloc(s->buffer_size);
	merge_init(&s->merge, s->control.info.n_cpus, MERGE_LIMIT);
	print_init(&s->printer, &s->control, &s->output);
	stamp_init(&s->printer.events.stamp, s->o->clock);
	s->printer.limits = s->o->limits;
	s->printer.no_warnings = s->o->no_warnings;
	s->printer.repeat = s->o->verbose;
	s->printer.counted = s->o->ledger;
	if (s->o->ledger)
		s->start.count = KT_COUNT_ALL;
	else if (status_is_on() && s->control.info.n_probes <= COUNTED_MAX)
		s->start.count = KT_COUNT_FIRST;
	s->start.target = s->command.line ? s->command.pid : s->o->target;
	find_time_zone(&s->start);
	if (s->o->json || s->control.info.flags & KT_INFO_JSON)
		eventlog_start(&s->printer, s->start.target, s->command.line);
}

static bool check_input(const struct session *s)
{
	return !s->o->control || !(s->control.info.flags & KT_INFO_STDIN) ||
	       error(nowhere, DIAG_RUN, "--control: the script's probes of input.line or input.char read standard input, too");
}

static bool check_bulk(const struct session *s)
{
	return !s->o->bulk || !(s->control.info.flags & KT_INFO_JSON) ||
	       error(nowhere, DIAG_RUN, "--bulk: the module was built with -f json, and objects are not made until records are merged");
}

/* Compares all modules, so that each mismatch is reported. */
static bool check_modules(struct session *s)
{
	bool same = true;

	for (kt_u32 i = 0; i < s->control.info.n_modules; i++)
		same &= load_check_module(s->sys, control_text(&s->control, KT_TEXT_MODULE, i),
					  control_text(&s->control, KT_TEXT_MODULE_BUILD, i));
	return same;
}

static bool check_session(struct session *s, const char *name)
{
	return check_input(s) && check_bulk(s) && load_check_build(s->sys, name, control_text(&s->control, KT_TEXT_BUILD_ID, 0)) &&
	       check_modules(s);
}

static int exit_status(const struct session *s, const struct kt_status *st, bool lost)
{
	if (s->failed)
		return 1;
	return lost ? LEDGER_STATUS : st->failed ? 1 : st->exit_code & 0xff;
}

/* For readers of objects, while nobody looks at the signals: has one come that ends the session, or has its time passed? */
static bool is_over(void *data)
{
	const struct session *s = data;
	sigset_t pending, requests;

	sigemptyset(&requests);
	add_requests(&requests);
	sigpending(&pending);
	for (int i = 1; i <= SIGRTMAX; i++)
		if (sigismember(&pending, i) == 1 && sigismember(&requests, i) == 1 && !is_wanted(s, (kt_u32)i))
			return true;
	return s->want_stop || (s->deadline && clock_seconds() >= s->deadline);
}

/* Checks that the process of -x still runs: another one may have its number by now. */
static bool target_runs(const struct session *s)
{
	return !s->o->target || !process_has_ended(s->o->target_process) ||
	       error(nowhere, DIAG_RUN, "-x: process %d ended before the session began", s->o->target);
}

/* Module NAME is in and open. The exit status. */
static int run_loaded(struct session *s, const char *name)
{
	struct kt_status st = { 0 };
	bool lost = false;
	int status;

	s->name = name;
	prepare(s);
	if (s->o->daemon) {
		readers_open(&s->readers, name);
		s->output.readers = &s->readers;
	}
	if (check_session(s, name) && set_globals(s)) {
		starts_give(&s->control, &(struct apart_limits){ is_over, s, PROGRAM_SECONDS });
		stacks_init(&s->stacks, &s->control, s->o->command, s->o->target, s->o->verbose, is_over, s);
		s->printer.stacks = &s->stacks;
		report_no_lines(&s->printer, s->stacks.no_kernel);
		input_begin(s);
		read_script_signals(s);
		if (target_runs(s) && (!s->o->bulk || (s->bulk = bulk_start(&s->control, name, s->o->output))))
			serve_in_thread(s);
		else
			s->failed = true;
		bulk_free(s->bulk);
		s->bulk = NULL;
		input_end(s);
		report_met(&s->printer, &s->stacks);
		stacks_deinit(&s->stacks);
		control_status(&s->control, &st);
		report_losses(&s->printer, &st, &s->merge);
		if (s->ran && s->start.count)
			report_no_hits(&s->printer);
		if (s->o->verbose)
			report_stack(&st);
		if (s->o->ledger && !s->printer.events.on) /* else it is objects */
			report_ledger(&s->printer);
		lost = s->o->strict && report_strict(&s->printer, &st, &s->merge);
	} else {
		s->failed = true;
	}
	status = exit_status(s, &st, lost);
	if (s->printer.events.on)
		eventlog_end(&s->printer, &st, &s->merge, status);
	push_output(s);
	if (pending(s) && !s->failed) {
		report_forced(s);
		status = 1;
	}
	if (s->o->daemon)
		readers_close(&s->readers);
	s->output.readers = NULL;
	print_deinit(&s->printer);
	merge_deinit(&s->merge);
	free(s->buffer);
	return status;
}

/* Loads the checked image and opens its control file, with no sweep between the two. */
static bool load_and_open(struct session *s, struct image *m)
{
	int lock = load_lock(s->sys);
	char params[32];
	bool ok;

	if (lock >= 0)
		load_sweep(s->sys);
	snprintf(params, sizeof(params), "ktap_output=%d", (s->o->relay ? KT_OUTPUT_RELAY : 0) | (s->o->bulk ? KT_OUTPUT_FILES : 0));
	ok = load_module(s->sys, m, params, lock, s->o->verbose);
	if (ok && !control_open(&s->control, s->sys, m->name)) {
		load_remove(s->sys, m->name);
		ok = false;
	}
	load_unlock(lock);
	return ok;
}

/* With no sweep between the two, which would take the module for one that a killed session has left. The sweep after them is for a
 * session that was dying when this one began. */
static bool close_and_remove(struct session *s, const char *name)
{
	int lock = load_lock_soon(s->sys);
	bool ok;

	control_close(&s->control);
	ok = load_remove(s->sys, name);
	if (lock >= 0)
		load_sweep(s->sys);
	load_unlock(lock);
	return ok;
}

/* Where the command prints: the output has objects alone. */
static int command_output(const struct session *s)
{
	return s->o->json && !s->o->output ? STDERR_FILENO : STDOUT_FILENO;
}

static int run_image(struct session *s, struct image *m)
{
	double begin = clock_seconds();
	int status = 1;

	if (!load_check(s->sys, m) || (!s->o->force_taint && !refusal_no_panic(s->sys)))
		return 1;
	if (s->o->command && !command_prepare(&s->command, s->o->command, m->python, s->o->limits, command_output(s)))
		return 1;
	if (load_and_open(s, m)) {
		if (s->o->verbose)
			fprintf(stderr, "ktaprun: module '%s' loaded in %.0f ms\n", m->name, (clock_seconds() - begin) * 1000);
		status = run_loaded(s, m->name);
		if (!close_and_remove(s, m->name))
			status = 1;
	}
	command_stop(&s->command);
	return status;
}

static const struct vehicle bpf_vehicle = { "bpf", bpf_session_ask, bpf_session_read };

/* The same for an image of BPF programs in the file FD. */
static int run_programs(struct session *s, int fd)
{
	struct bpf_session *b;
	int status = 1;

	if (s->o->command && !command_prepare(&s->command, s->o->command, NULL, s->o->limits, command_output(s)))
		return 1;
	b = bpf_session_open(fd, s->command.line ? s->command.pid : s->o->target, s->o->verbose);
	if (b) {
		if (control_begin(&s->control, s->sys, &bpf_vehicle, b, dup(bpf_session_fd(b)), bpf_session_name(b))) {
			status = run_loaded(s, bpf_session_name(b));
			control_close(&s->control);
		}
		bpf_session_close(b);
	}
	command_stop(&s->command);
	return status;
}

/* Runs the file of the options, a module or an image. */
static int run_file(struct session *s)
{
	_cleanup_close_ int fd = open_regular(s->o->module);
	struct image image;
	int status, given;

	if (fd >= 0 && image_file_is(fd)) {
		/* As a module's, in image_open(): the commands of the session shall not inherit it. */
		if (sscanf(s->o->module, "/proc/self/fd/%d", &given) == 1)
			fcntl(given, F_SETFD, FD_CLOEXEC);
		return run_programs(s, fd);
	}
	if (!image_open(s->sys, &image, s->o->module, false))
		return 1;
	status = run_image(s, &image);
	image_close(&image);
	return status;
}

int session_run(const struct loader_sys *sys, const struct session_options *o)
{
	struct session s = { .sys = sys, .o = o, .readers = { .fd = -1 } };
	int status = 1;

	sigemptyset(&s.signals);
	add_requests(&s.signals);
	sigaddset(&s.signals, SIGCHLD);
	sigaddset(&s.signals, SIGUSR2);
	s.sigfd = -1;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* write() fails at the limit of `ulimit -f`, and the session ends as on a full disk */
	output_init(&s.output, STDOUT_FILENO);
	steer_init(&s.steer, o->control);
	/* Opening a FIFO waits for its reader, and a signal may end that. */
	if ((!o->output || o->bulk || output_open_file(&s.output, o->output, o->rotation)) && read_signals(&s))
		status = run_file(&s);
	steer_deinit(&s.steer);
	if (!output_deinit(&s.output))
		status = 1;
	if (s.sigfd >= 0)
		close(s.sigfd);
	/* The signals stay blocked: one that comes now must not change the status of a session that is over. */
	return status;
}
