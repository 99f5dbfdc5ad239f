/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session in a process: begin probes, timers until something ends it, end or error probes; and the command line that
 * ktaprun has too, as far as it makes sense.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/outlet.h"
#include "lib/requests.h"
#include "lib/standard-files.h"
#include "runtime/core/probes.h"
#include "runtime/core/timing.h"
#include "runtime/fn.h"
#include "runtime/ledger.h"
#include "runtime/options.h"
#include "runtime/set-global.h"
#include "runtime/user/user.h"

struct user_session user_current; /* a process runs one */
static const kt_u64 NEVER = ~0ull;

void user_die(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("ktap: error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs(" [run]\n", stderr);
	exit(1);
}

void user_ask_stop(struct user_session *s, bool failed)
{
	s->failed |= failed;
	if (s->state == KT_STARTING || s->state == KT_RUNNING)
		s->state = KT_STOPPING;
}

/* ---- handlers ---- */
/* Locks are never busy here, so a handler that fails raised an error, or called abort(). */
static void failed(struct user_session *s, struct kt_ctx *c)
{
	user_lose(s, c->loss);
	user_error(c);
	if (++s->errors > kt_script.max_errors)
		user_ask_stop(s, true);
}

static void run(struct user_session *s, kt_u32 probe)
{
	struct kt_ctx *c = user_enter(&s->cpu, &kt_script.probes[probe]);

	c->probe->handler(c);
	if (c->error && !(c->flags & KT_CTX_ABORT))
		failed(s, c);
	else if (!user_switched_off(&s->steer, probe))
		s->ledger[probe].handled++;
	if (!c->error && (c->nesting || (c->frame && (kt_u64)(c->frame - c->frame_base) > kt_script.frame_size)))
		user_die("a handler left %u calls open", c->nesting);
}

/* ---- the ledger ---- */
void user_lose(struct user_session *s, enum kt_loss cause)
{
	const struct kt_probe *probe = s->cpu.context.probe;

	if (probe)
		s->ledger[probe->index].lost[cause]++;
}

void kt_string_cut(void)
{
	user_lose(&user_current, KT_LOSS_STRING);
}

static struct kt_probe_status ledger_total(const struct user_session *s)
{
	struct kt_probe_status total = { 0 };

	for (kt_u32 i = 0; i < kt_script.n_probes; i++)
		ledger_add(&total, &s->ledger[i]);
	return total;
}

static void ledger_show(const struct user_session *s, const struct kt_probe_status *total)
{
	/* With -f json it is objects. */
	if (!s->show_ledger || s->events.on || ledger_is_empty(total))
		return;
	ledger_line(stderr, total, NULL, "probe");
	for (kt_u32 i = 0; i < kt_script.n_probes; i++)
		if (!ledger_is_empty(&s->ledger[i]))
			ledger_line(stderr, total, &s->ledger[i], kt_script.probes[i].pp);
	ledger_line(stderr, total, total, "total");
}

/* --strict. Returns whether there were losses. */
static bool ledger_fails(const struct user_session *s, const struct kt_probe_status *total)
{
	char list[512] = "";
	size_t n = 0;

	for (int i = 0; s->strict && i < KT_LOSS_COUNT && n < sizeof(list); i++)
		if (total->lost[i])
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s %llu", n ? ", " : "", ledger_names[i],
					      total->lost[i]);
	if (n)
		fprintf(stderr, "ktap: error: " LEDGER_STRICT_ERROR " [run]\n", list);
	return n;
}

/* At the end of the session: the losses. Returns the exit status. */
static int report_losses(struct user_session *s)
{
	struct kt_probe_status total = ledger_total(s);

	if (s->errors)
		user_warn(s, "Number of errors: %llu, skipped probes: 0", s->errors);
	if (total.lost[KT_LOSS_STRING])
		user_warn(s, LEDGER_CUT_WARNING, total.lost[KT_LOSS_STRING], kt_script.string_max);
	ledger_show(s, &total);
	if (ledger_fails(s, &total))
		return LEDGER_STATUS;
	return s->failed ? 1 : s->exit_code;
}

/* ---- -t ---- */
static kt_u64 cycles(void)
{
	return (kt_u64)kt_fn_get_cycles(NULL);
}

void kt_timed(struct kt_ctx *c)
{
	kt_u32 probe = c->probe->index;
	kt_u64 begin = cycles();

	kt_script.timed[probe](c);
	kt_timing_add(user_current.timings + (size_t)probe * KT_TIMING_WORDS, begin, cycles());
}

static void create_timing(struct user_session *s)
{
	if (!kt_script.timed)
		return;
	s->timings = calloc(kt_script.n_probes, KT_TIMING_WORDS * sizeof(*s->timings));
	if (!s->timings)
		user_die("out of memory");
}

static void report_timing(const struct user_session *s)
{
	if (!s->timings || s->events.on)
		return;
	printf(KT_TIMING_HEAD);
	for (kt_u32 i = 0; i < kt_script.n_probes; i++) {
		struct kt_probe_status status = { .index = i };

		kt_timing_get(&status, s->timings + (size_t)i * KT_TIMING_WORDS);
		if (status.hits)
			printf(KT_TIMING_LINE, KT_TIMING_ARGS(kt_script.probes[i].pp, kt_script.origins[i], &status));
	}
}

/* ---- conditions ---- */
kt_u32 kt_conditions_dirty;

/* A condition that raises an error counts as true: the handler raises it again. */
static bool holds(struct user_session *s, const struct kt_probe *probe)
{
	struct kt_ctx *c = user_enter(&s->cpu, probe);

	probe->condition(c);
	return c->error || c->flags & (KT_CTX_HOLDS | KT_CTX_SKIP);
}

static void evaluate_conditions(struct user_session *s)
{
	kt_conditions_dirty = 0;
	for (kt_u32 i = 0; i < kt_script.n_probes; i++)
		if (kt_script.probes[i].condition)
			s->off[i] = !holds(s, &kt_script.probes[i]);
}

/* ---- families ---- */
static const struct kt_family_rows *family(enum kt_family id)
{
	for (kt_u32 i = 0; i < kt_script.n_families; i++)
		if (kt_script.families[i].family == (kt_u32)id)
			return &kt_script.families[i];
	return NULL;
}

static void run_life(struct user_session *s, enum kt_life when)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_LIFE);
	const struct kt_life_row *row = rows ? rows->rows : NULL;
	enum kt_state state = s->state;

	/* exit() or an error in a begin probe: the later ones do not run. */
	for (kt_u32 i = 0; rows && i < rows->n && s->state == state; i++)
		if (row[i].when == (kt_u32)when)
			run(s, row[i].probe);
}

static kt_u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (kt_u64)t.tv_sec * 1000000000ull + (kt_u64)t.tv_nsec;
}

static kt_u64 next_interval(const struct kt_timer_row *row)
{
	kt_u64 x = (kt_u64)random() << 31 | (kt_u64)random();

	if (!row->random)
		return row->interval ? row->interval : 1;
	return row->interval - row->random + x % (2 * row->random + 1);
}

/* Stops timers whose condition does not hold any more, and starts the others with a whole interval. */
static void switch_timers(struct user_session *s, const struct kt_family_rows *rows, kt_u64 *due)
{
	const struct kt_timer_row *row = rows ? rows->rows : NULL;
	kt_u64 now = now_ns();

	evaluate_conditions(s);
	for (kt_u32 i = 0; rows && i < rows->n; i++)
		if (s->off[row[i].probe])
			due[i] = NEVER;
		else if (due[i] == NEVER)
			due[i] = now + next_interval(&row[i]);
}

/* Runs the timers that are due; the time of the next. */
static kt_u64 run_timers(struct user_session *s, const struct kt_family_rows *rows, kt_u64 *due)
{
	const struct kt_timer_row *row = rows ? rows->rows : NULL;
	kt_u64 now = now_ns(), next = NEVER;

	for (kt_u32 i = 0; rows && i < rows->n; i++) {
		if (due[i] <= now && s->state == KT_RUNNING) {
			run(s, row[i].probe);
			due[i] += next_interval(&row[i]);
			if (due[i] < now) /* late: skip what was missed, as the kernel does */
				due[i] = now + next_interval(&row[i]);
		}
		next = due[i] < next ? due[i] : next;
	}
	return next;
}

/* Has the handlers of signal NUMBER run soon. Returns false if the script has none. */
static bool signal_came(struct user_session *s, kt_u32 number)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_SIGNAL);

	if (!rows || !(rows->wants >> number & 1))
		return false;
	s->signals.came[number] = 1;
	return true;
}

/* Runs the handlers of signals that came. Returns whether one ran. */
static bool run_signals(struct user_session *s, const struct kt_family_rows *rows)
{
	const struct kt_signal_row *row = rows ? rows->rows : NULL;
	bool now[KT_SIGNALS_MAX], any = false;

	for (int i = 0; i < KT_SIGNALS_MAX; i++) {
		now[i] = s->signals.came[i];
		s->signals.came[i] = 0;
	}
	for (kt_u32 i = 0; rows && i < rows->n && s->state == KT_RUNNING; i++)
		if (now[row[i].number] && !s->off[row[i].probe]) {
			run(s, row[i].probe);
			any = true;
		}
	return any;
}

static bool command_ended(struct user_session *s)
{
	int status;

	if (s->command <= 0 || waitpid(s->command, &status, WNOHANG) != s->command)
		return false;
	s->command = 0;
	/* As ktaprun says it: the exit status is the script's alone. */
	if (WIFSIGNALED(status))
		user_warn(s, "Child process exited with signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		user_warn(s, "Child process exited with status %d", WEXITSTATUS(status));
	return true;
}

/* Sleeps until NEXT, -T, a signal or a command of --control. */
static void wait_until(struct user_session *s, kt_u64 next, const sigset_t *unblocked)
{
	struct pollfd commands = { .fd = user_steer_fd(&s->steer), .events = POLLIN };
	kt_u64 now = now_ns(), left;
	struct timespec wait;

	next = next < s->deadline ? next : s->deadline;
	left = next > now ? next - now : 0;
	wait = (struct timespec){ .tv_sec = (time_t)(left / 1000000000ull), .tv_nsec = (long)(left % 1000000000ull) };
	if (ppoll(&commands, 1, next == NEVER ? NULL : &wait, unblocked) > 0)
		user_steer(s);
}

static void loop(struct user_session *s, const sigset_t *unblocked)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_TIMER);
	kt_u64 *due = calloc(rows ? rows->n : 1, sizeof(*due));

	s->off = calloc(kt_script.n_probes + 1, sizeof(*s->off));
	if (!due || !s->off)
		user_die("out of memory");
	for (kt_u32 i = 0; rows && i < rows->n; i++)
		due[i] = NEVER;
	switch_timers(s, rows, due);
	while (s->state == KT_RUNNING) {
		kt_u64 next = run_timers(s, rows, due);

		if (kt_conditions_dirty) {
			switch_timers(s, rows, due);
			continue;
		}
		if (outlet_flush(&s->outlet))
			break; /* the disk is full; or nobody reads, and whoever started this ignores SIGPIPE */
		/* Signals come while a full pipe is waited for, too, so they are looked for after that. */
		if (run_signals(s, family(KT_FAMILY_SIGNAL)))
			continue;
		if (s->signals.requests.n || now_ns() >= s->deadline || command_ended(s))
			break;
		wait_until(s, next, unblocked);
	}
	free(due);
	free(s->off);
}

/* ---- the command line ---- */
static void set_global(const char *setting)
{
	const char *equals = strchr(setting, '=');
	size_t len = equals ? (size_t)(equals - setting) : 0;

	if (!equals)
		user_die("-G wants NAME=VALUE, not '%s'", setting);
	for (kt_u32 i = 0; i < kt_script.n_globals; i++) {
		const struct kt_global_row *g = &kt_script.globals[i];
		long long v;

		if (strncmp(g->name, setting, len) || g->name[len])
			continue;
		if (g->is_string && strlen(equals + 1) >= kt_script.string_max)
			user_die(SET_GLOBAL_TOO_LONG, g->name, strlen(equals + 1), kt_script.string_max - 1);
		if (g->is_string) {
			kt_strcpy(g->value, equals + 1, kt_script.string_max);
			return;
		}
		if (set_global_number(equals + 1, &v))
			user_die(SET_GLOBAL_NO_NUMBER, g->name, equals + 1);
		*(kt_s64 *)g->value = v;
		return;
	}
	user_die("the script has no global '%.*s' that can be set", (int)len, setting);
}

/* Nanoseconds of -T. */
static kt_u64 duration(const char *text)
{
	double s;

	if (!kt_seconds(text, &s))
		user_die("-T needs " KT_SECONDS_EXPECTED ", not '%s'", text);
	return (kt_u64)(s * 1e9);
}

static void start_command(struct user_session *s, const sigset_t *unblocked)
{
	fflush(NULL);
	s->command = fork();
	if (s->command < 0)
		user_die("cannot run '%s': %s", s->command_line, strerror(errno));
	if (!s->command) {
		sigprocmask(SIG_SETMASK, unblocked, NULL);
		signal(SIGPIPE, SIG_DFL); /* ktap ignores them */
		signal(SIGXFSZ, SIG_DFL);
		if (kt_script.identity)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", s->command_line, (char *)NULL);
		_exit(127);
	}
	s->target = s->command;
}

static void on_signal(int number)
{
	struct user_signals *signals = &user_current.signals;

	if (number < KT_SIGNALS_MAX && signals->wanted[number])
		signals->came[number] = 1;
	else if (number != SIGCHLD && number != SIGUSR2)
		interrupt_request(&signals->requests, (double)now_ns() / 1e9);
}

static void catch_script_signals(struct user_signals *signals, const struct sigaction *sa, sigset_t *set)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_SIGNAL);
	const struct kt_signal_row *row = rows ? rows->rows : NULL;

	for (kt_u32 i = 0; rows && i < rows->n; i++) {
		if (row[i].number == KT_SIGNAL_RESET)
			continue;
		signals->wanted[row[i].number] = true;
		sigaddset(set, (int)row[i].number);
		sigaction((int)row[i].number, sa, NULL);
	}
}

/* All of them are blocked except while the loop waits. */
static void catch_signals(struct user_signals *signals, sigset_t *ret_unblocked)
{
	struct sigaction sa = { .sa_handler = on_signal };
	sigset_t set;

	sigemptyset(&set);
	add_caught_requests(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2); /* no output file that could be a new one */
	for (int i = 1; i < _NSIG; i++)
		if (sigismember(&set, i) == 1)
			sigaction(i, &sa, NULL);
	catch_script_signals(signals, &sa, &set);
	sigprocmask(SIG_BLOCK, &set, ret_unblocked);
	/* One that came while the program was made is pending, blocked by ktap. */
	for (int i = 1; i < _NSIG; i++)
		if (sigismember(&set, i) == 1)
			sigdelset(ret_unblocked, i);
}

/* A later request than the first gives up a reader of the output. */
static bool gives_up(void *signals)
{
	return ((struct user_signals *)signals)->requests.n >= INTERRUPT_GIVES_UP;
}

/* The program of a run that is not to leave anything behind: its file and directory, named by who started it. */
static void remove_self(void)
{
	const char *path = getenv("KTAP_USER_REMOVE");
	char dir[PATH_MAX], *slash;

	if (!path || strlen(path) >= sizeof(dir))
		return;
	strcpy(dir, path);
	unlink(dir);
	slash = strrchr(dir, '/');
	if (slash) {
		*slash = 0;
		rmdir(dir);
	}
	unsetenv("KTAP_USER_REMOVE");
}

static const struct kt_option rows[] = { KT_SESSION_OPTIONS };

static void bad_option(int got, char **argv)
{
	char wrong[256];

	kt_options_wrong(got, argv, wrong, sizeof(wrong));
	user_die("%s", wrong);
}

static void options(struct user_session *s, int argc, char **argv)
{
	struct kt_options all = { 0 };
	int o;

	kt_options_init(&all, rows, sizeof(rows) / sizeof(rows[0]));
	while ((o = kt_options_next(&all, argc, argv)) != -1) {
		switch (o) {
		case 'c':
			s->command_line = optarg;
			break;
		case 'x':
			s->target = atoi(optarg);
			break;
		case 'T':
			s->deadline = now_ns() + duration(optarg);
			break;
		case 'G':
			set_global(optarg);
			break;
		case 'f':
			break; /* the script was built for it */
		case KT_OPT_TIMESTAMPS:
			if (!stamp_parse(optarg, &s->stamps))
				user_die("--timestamps wants wall, mono or delta, not '%s'", optarg);
			break;
		case KT_OPT_CONTROL:
			if (!user_steer_init(&s->steer, signal_came))
				user_die("out of memory");
			break;
		case 'w':
			s->no_warnings = true;
			break;
		case 'v':
		case KT_OPT_LEDGER:
			s->show_ledger = true;
			break;
		case KT_OPT_STRICT:
			s->strict = true;
			break;
		default:
			bad_option(o, argv);
		}
	}
}

/* ---- -f json ---- */
static void write_line(void *stream, const char *text, size_t len)
{
	fwrite(text, 1, len, stream);
}

static void describe_probe(void *unused, kt_u32 index, struct event_probe *ret)
{
	(void)unused;
	if (*kt_script.mechanisms[index])
		*ret = (struct event_probe){ kt_script.probes[index].pp, kt_script.mechanisms[index], kt_script.origins[index] };
}

static void write_ledgers(void *session)
{
	struct user_session *s = session;

	for (kt_u32 i = 0; i < kt_script.n_probes; i++) {
		struct kt_probe_status status = s->ledger[i];

		status.index = i;
		status.off = user_switched_off(&s->steer, i) ? KT_OFF_SWITCHED : 0;
		if (s->timings)
			kt_timing_get(&status, s->timings + (size_t)i * KT_TIMING_WORDS);
		if (*kt_script.mechanisms[i] || ledger_hits(&status) != status.handled)
			events_ledger(&s->events, kt_script.probes[i].pp, &status, true);
	}
}

static void begin_events(struct user_session *s)
{
	const struct event_session session = {
		.runtime = "user",
		.name = kt_script.identity[KT_IDENTITY_NAME],
		.sha256 = kt_script.identity[KT_IDENTITY_SHA256],
		.text = kt_script.identity[KT_IDENTITY_TEXT],
		.target = s->target,
		.command = s->command_line,
		.n_probes = kt_script.n_probes,
		.probe = describe_probe,
	};

	s->events.on = true;
	s->events.ledgers = write_ledgers;
	s->events.ledgers_of = s;
	events_start(&s->events, &session);
}

static void end_events(struct user_session *s, int status)
{
	struct kt_probe_status total = ledger_total(s);

	write_ledgers(s);
	events_exit(&s->events, status, s->errors, total.lost);
	events_deinit(&s->events);
}

int main(int argc, char **argv)
{
	struct user_session *s = &user_current;
	sigset_t unblocked;
	int error, status;

	if (!open_standard_files())
		return 1;
	heed_children();
	remove_self();
	prctl(PR_SET_NAME, KT_READER_NAME);
	s->deadline = NEVER;
	options(s, argc, argv);
	catch_signals(&s->signals, &unblocked);
	s->outlet = (struct outlet){ .signals = -1, .unblocked = &unblocked, .gives_up = gives_up, .of = &s->signals };
	outlet_open(&s->outlet);
	user_cpu_init(&s->cpu);
	kt_probes_fill(&kt_script);
	s->ledger = calloc(kt_script.n_probes + 1ul, sizeof(*s->ledger));
	if (!s->ledger)
		user_die("out of memory");
	error = kt_script.init ? kt_script.init() : 0;
	if (error)
		user_die("the script's arrays cannot be made: %s", strerror(-error));
	if (s->command_line)
		start_command(s, &unblocked);
	create_timing(s);
	events_init(&s->events, write_line, stdout);
	stamp_init(&s->events.stamp, s->stamps);
	if (kt_script.identity)
		begin_events(s);
	s->state = KT_STARTING;
	run_life(s, KT_LIFE_BEGIN);
	if (s->state == KT_STARTING) {
		s->state = KT_RUNNING;
		loop(s, &unblocked);
	}
	s->state = KT_STOPPING;
	run_life(s, s->failed ? KT_LIFE_ERROR : KT_LIFE_END);
	s->state = KT_STOPPED;
	fflush(stdout);
	report_timing(s);
	fflush(stdout);
	status = report_losses(s);
	if (s->events.on)
		end_events(s, status);
	free(s->timings);
	if (s->command > 0)
		kill(s->command, SIGTERM);
	if (kt_script.exit)
		kt_script.exit();
	user_cpu_free(&s->cpu);
	free(s->ledger);
	error = outlet_finish(&s->outlet);
	if (error)
		user_die("cannot write the output: %s", outlet_failure(error));
	return status;
}
