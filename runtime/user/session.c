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

struct user_session user_session;
static struct interrupt_requests requests; /* changes only while signals are unblocked, in ppoll() of the loop and of the outlet */
static bool wanted[KT_SIGNALS_MAX];                /* signals of the script's probes */
static volatile sig_atomic_t came[KT_SIGNALS_MAX]; /* and whether they came */
static const kt_u64 NEVER = ~0ull;
static kt_u64 deadline = ~0ull; /* -T */
static pid_t command;           /* -c */
static const char *command_line;
static enum stamp_clock stamps; /* --timestamps */

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

void user_ask_stop(bool failed)
{
	user_session.failed |= failed;
	if (user_session.state == KT_STARTING || user_session.state == KT_RUNNING)
		user_session.state = KT_STOPPING;
}

/* ---- handlers ---- */
/* Locks are never busy here, so a handler that fails raised an error, or called abort(). */
static void failed(struct kt_ctx *c)
{
	user_lose(c->loss);
	user_error(c);
	if (++user_session.errors > kt_script.max_errors)
		user_ask_stop(true);
}

static void run(kt_u32 probe)
{
	struct kt_ctx *c = user_enter(&kt_script.probes[probe]);

	c->probe->handler(c);
	if (c->error && !(c->flags & KT_CTX_ABORT))
		failed(c);
	else if (!user_switched_off(probe))
		user_session.ledger[probe].handled++;
	if (!c->error && (c->nesting || (c->frame && (kt_u64)(c->frame - c->frame_base) > kt_script.frame_size)))
		user_die("a handler left %u calls open", c->nesting);
}

/* ---- the ledger ---- */
static bool strict, show_ledger; /* --strict, --ledger */

void user_lose(enum kt_loss cause)
{
	const struct kt_probe *probe = user_probe();

	if (probe)
		user_session.ledger[probe->index].lost[cause]++;
}

void kt_string_cut(void)
{
	user_lose(KT_LOSS_STRING);
}

static struct kt_probe_status ledger_total(void)
{
	struct kt_probe_status total = { 0 };

	for (kt_u32 i = 0; i < kt_script.n_probes; i++)
		ledger_add(&total, &user_session.ledger[i]);
	return total;
}

static void ledger_show(const struct kt_probe_status *total)
{
	/* With -f json it is objects. */
	if (!show_ledger || user_session.events.on || ledger_is_empty(total))
		return;
	ledger_line(stderr, total, NULL, "probe");
	for (kt_u32 i = 0; i < kt_script.n_probes; i++)
		if (!ledger_is_empty(&user_session.ledger[i]))
			ledger_line(stderr, total, &user_session.ledger[i], kt_script.probes[i].pp);
	ledger_line(stderr, total, total, "total");
}

/* --strict. Returns whether there were losses. */
static bool ledger_fails(const struct kt_probe_status *total)
{
	char list[512] = "";
	size_t n = 0;

	for (int i = 0; strict && i < KT_LOSS_COUNT && n < sizeof(list); i++)
		if (total->lost[i])
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s %llu", n ? ", " : "", ledger_names[i],
					      total->lost[i]);
	if (n)
		fprintf(stderr, "ktap: error: " LEDGER_STRICT_ERROR " [run]\n", list);
	return n;
}

/* At the end of the session: the losses. Returns the exit status. */
static int report_losses(void)
{
	struct kt_probe_status total = ledger_total();

	if (user_session.errors)
		user_warn("Number of errors: %llu, skipped probes: 0", user_session.errors);
	if (total.lost[KT_LOSS_STRING])
		user_warn(LEDGER_CUT_WARNING, total.lost[KT_LOSS_STRING], kt_script.string_max);
	ledger_show(&total);
	if (ledger_fails(&total))
		return LEDGER_STATUS;
	return user_session.failed ? 1 : user_session.exit_code;
}

/* ---- -t ---- */
static kt_s64 *timings; /* by probe, KT_TIMING_WORDS each */

static kt_u64 cycles(void)
{
	return (kt_u64)kt_fn_get_cycles(NULL);
}

void kt_timed(struct kt_ctx *c)
{
	kt_u32 probe = c->probe->index;
	kt_u64 begin = cycles();

	kt_script.timed[probe](c);
	kt_timing_add(timings + (size_t)probe * KT_TIMING_WORDS, begin, cycles());
}

static void create_timing(void)
{
	if (!kt_script.timed)
		return;
	timings = calloc(kt_script.n_probes, KT_TIMING_WORDS * sizeof(*timings));
	if (!timings)
		user_die("out of memory");
}

static void report_timing(void)
{
	if (!timings || user_session.events.on)
		return;
	printf(KT_TIMING_HEAD);
	for (kt_u32 i = 0; i < kt_script.n_probes; i++) {
		struct kt_probe_status s = { .index = i };

		kt_timing_get(&s, timings + (size_t)i * KT_TIMING_WORDS);
		if (s.hits)
			printf(KT_TIMING_LINE, KT_TIMING_ARGS(kt_script.probes[i].pp, kt_script.origins[i], &s));
	}
}

/* ---- conditions ---- */
kt_u32 kt_conditions_dirty;

/* A condition that raises an error counts as true: the handler raises it again. */
static bool holds(const struct kt_probe *probe)
{
	struct kt_ctx *c = user_enter(probe);

	probe->condition(c);
	return c->error || c->flags & (KT_CTX_HOLDS | KT_CTX_SKIP);
}

static void evaluate_conditions(void)
{
	kt_conditions_dirty = 0;
	for (kt_u32 i = 0; i < kt_script.n_probes; i++)
		if (kt_script.probes[i].condition)
			user_session.off[i] = !holds(&kt_script.probes[i]);
}

/* ---- families ---- */
static const struct kt_family_rows *family(enum kt_family id)
{
	for (kt_u32 i = 0; i < kt_script.n_families; i++)
		if (kt_script.families[i].family == (kt_u32)id)
			return &kt_script.families[i];
	return NULL;
}

static void run_life(enum kt_life when)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_LIFE);
	const struct kt_life_row *row = rows ? rows->rows : NULL;
	enum kt_state state = user_session.state;

	/* exit() or an error in a begin probe: the later ones do not run. */
	for (kt_u32 i = 0; rows && i < rows->n && user_session.state == state; i++)
		if (row[i].when == (kt_u32)when)
			run(row[i].probe);
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
static void switch_timers(const struct kt_family_rows *rows, kt_u64 *due)
{
	const struct kt_timer_row *row = rows ? rows->rows : NULL;
	kt_u64 now = now_ns();

	evaluate_conditions();
	for (kt_u32 i = 0; rows && i < rows->n; i++)
		if (user_session.off[row[i].probe])
			due[i] = NEVER;
		else if (due[i] == NEVER)
			due[i] = now + next_interval(&row[i]);
}

/* Runs the timers that are due; the time of the next. */
static kt_u64 run_timers(const struct kt_family_rows *rows, kt_u64 *due)
{
	const struct kt_timer_row *row = rows ? rows->rows : NULL;
	kt_u64 now = now_ns(), next = NEVER;

	for (kt_u32 i = 0; rows && i < rows->n; i++) {
		if (due[i] <= now && user_session.state == KT_RUNNING) {
			run(row[i].probe);
			due[i] += next_interval(&row[i]);
			if (due[i] < now) /* late: skip what was missed, as the kernel does */
				due[i] = now + next_interval(&row[i]);
		}
		next = due[i] < next ? due[i] : next;
	}
	return next;
}

/* Has the handlers of signal NUMBER run soon. Returns false if the script has none. */
static bool signal_came(kt_u32 number)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_SIGNAL);

	if (!rows || !(rows->wants >> number & 1))
		return false;
	came[number] = 1;
	return true;
}

/* Runs the handlers of signals that came. Returns whether one ran. */
static bool run_signals(const struct kt_family_rows *rows)
{
	const struct kt_signal_row *row = rows ? rows->rows : NULL;
	bool now[KT_SIGNALS_MAX], any = false;

	for (int i = 0; i < KT_SIGNALS_MAX; i++) {
		now[i] = came[i];
		came[i] = 0;
	}
	for (kt_u32 i = 0; rows && i < rows->n && user_session.state == KT_RUNNING; i++)
		if (now[row[i].number] && !user_session.off[row[i].probe]) {
			run(row[i].probe);
			any = true;
		}
	return any;
}

static bool command_ended(void)
{
	int status;

	if (command <= 0 || waitpid(command, &status, WNOHANG) != command)
		return false;
	command = 0;
	/* As ktaprun says it: the exit status is the script's alone. */
	if (WIFSIGNALED(status))
		user_warn("Child process exited with signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		user_warn("Child process exited with status %d", WEXITSTATUS(status));
	return true;
}

/* Sleeps until NEXT, -T, a signal or a command of --control. */
static void wait_until(kt_u64 next, const sigset_t *unblocked)
{
	struct pollfd commands = { .fd = user_steer_fd(), .events = POLLIN };
	kt_u64 now = now_ns(), left;
	struct timespec wait;

	next = next < deadline ? next : deadline;
	left = next > now ? next - now : 0;
	wait = (struct timespec){ .tv_sec = (time_t)(left / 1000000000ull), .tv_nsec = (long)(left % 1000000000ull) };
	if (ppoll(&commands, 1, next == NEVER ? NULL : &wait, unblocked) > 0)
		user_steer();
}

static void loop(const sigset_t *unblocked)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_TIMER);
	kt_u64 *due = calloc(rows ? rows->n : 1, sizeof(*due));

	user_session.off = calloc(kt_script.n_probes + 1, sizeof(*user_session.off));
	if (!due || !user_session.off)
		user_die("out of memory");
	for (kt_u32 i = 0; rows && i < rows->n; i++)
		due[i] = NEVER;
	switch_timers(rows, due);
	while (user_session.state == KT_RUNNING) {
		kt_u64 next = run_timers(rows, due);

		if (kt_conditions_dirty) {
			switch_timers(rows, due);
			continue;
		}
		if (outlet_flush())
			break; /* the disk is full; or nobody reads, and whoever started this ignores SIGPIPE */
		/* Signals come while a full pipe is waited for, too, so they are looked for after that. */
		if (run_signals(family(KT_FAMILY_SIGNAL)))
			continue;
		if (requests.n || now_ns() >= deadline || command_ended())
			break;
		wait_until(next, unblocked);
	}
	free(due);
	free(user_session.off);
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

static void start_command(const char *line, const sigset_t *unblocked)
{
	fflush(NULL);
	command = fork();
	if (command < 0)
		user_die("cannot run '%s': %s", line, strerror(errno));
	if (!command) {
		sigprocmask(SIG_SETMASK, unblocked, NULL);
		signal(SIGPIPE, SIG_DFL); /* ktap ignores them */
		signal(SIGXFSZ, SIG_DFL);
		if (kt_script.identity)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		_exit(127);
	}
	user_session.target = command;
}

static void on_signal(int number)
{
	if (number < KT_SIGNALS_MAX && wanted[number])
		came[number] = 1;
	else if (number != SIGCHLD && number != SIGUSR2)
		interrupt_request(&requests, (double)now_ns() / 1e9);
}

static void catch_script_signals(const struct sigaction *sa, sigset_t *set)
{
	const struct kt_family_rows *rows = family(KT_FAMILY_SIGNAL);
	const struct kt_signal_row *row = rows ? rows->rows : NULL;

	for (kt_u32 i = 0; rows && i < rows->n; i++) {
		if (row[i].number == KT_SIGNAL_RESET)
			continue;
		wanted[row[i].number] = true;
		sigaddset(set, (int)row[i].number);
		sigaction((int)row[i].number, sa, NULL);
	}
}

/* All of them are blocked except while the loop waits. */
static void catch_signals(sigset_t *ret_unblocked)
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
	catch_script_signals(&sa, &set);
	sigprocmask(SIG_BLOCK, &set, ret_unblocked);
	/* One that came while the program was made is pending, blocked by ktap. */
	for (int i = 1; i < _NSIG; i++)
		if (sigismember(&set, i) == 1)
			sigdelset(ret_unblocked, i);
}

/* A later request than the first gives up a reader of the output. */
static bool gives_up(void *unused)
{
	(void)unused;
	return requests.n >= INTERRUPT_GIVES_UP;
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

static void options(int argc, char **argv)
{
	struct kt_options all = { 0 };
	int o;

	kt_options_init(&all, rows, sizeof(rows) / sizeof(rows[0]));
	while ((o = kt_options_next(&all, argc, argv)) != -1) {
		switch (o) {
		case 'c':
			command_line = optarg;
			break;
		case 'x':
			user_session.target = atoi(optarg);
			break;
		case 'T':
			deadline = now_ns() + duration(optarg);
			break;
		case 'G':
			set_global(optarg);
			break;
		case 'f':
			break; /* the script was built for it */
		case KT_OPT_TIMESTAMPS:
			if (!stamp_parse(optarg, &stamps))
				user_die("--timestamps wants wall, mono or delta, not '%s'", optarg);
			break;
		case KT_OPT_CONTROL:
			if (!user_steer_init(&user_session.events, signal_came))
				user_die("out of memory");
			break;
		case 'w':
			user_session.no_warnings = true;
			break;
		case 'v':
		case KT_OPT_LEDGER:
			show_ledger = true;
			break;
		case KT_OPT_STRICT:
			strict = true;
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

static void write_ledgers(void *unused)
{
	(void)unused;
	for (kt_u32 i = 0; i < kt_script.n_probes; i++) {
		struct kt_probe_status s = user_session.ledger[i];

		s.index = i;
		s.off = user_switched_off(i) ? KT_OFF_SWITCHED : 0;
		if (timings)
			kt_timing_get(&s, timings + (size_t)i * KT_TIMING_WORDS);
		if (*kt_script.mechanisms[i] || ledger_hits(&s) != s.handled)
			events_ledger(&user_session.events, kt_script.probes[i].pp, &s, true);
	}
}

static void begin_events(void)
{
	const struct event_session session = {
		.runtime = "user",
		.name = kt_script.identity[KT_IDENTITY_NAME],
		.sha256 = kt_script.identity[KT_IDENTITY_SHA256],
		.text = kt_script.identity[KT_IDENTITY_TEXT],
		.target = user_session.target,
		.command = command_line,
		.n_probes = kt_script.n_probes,
		.probe = describe_probe,
	};

	user_session.events.on = true;
	user_session.events.ledgers = write_ledgers;
	events_start(&user_session.events, &session);
}

static void end_events(int status)
{
	struct kt_probe_status total = ledger_total();

	write_ledgers(NULL);
	events_exit(&user_session.events, status, user_session.errors, total.lost);
	events_deinit(&user_session.events);
}

int main(int argc, char **argv)
{
	sigset_t unblocked;
	int error, status;

	if (!open_standard_files())
		return 1;
	heed_children();
	remove_self();
	prctl(PR_SET_NAME, KT_READER_NAME);
	options(argc, argv);
	catch_signals(&unblocked);
	outlet_open(&(struct outlet){ .signals = -1, .unblocked = &unblocked, .gives_up = gives_up });
	user_port_init();
	kt_probes_fill(&kt_script);
	user_session.ledger = calloc(kt_script.n_probes + 1ul, sizeof(*user_session.ledger));
	if (!user_session.ledger)
		user_die("out of memory");
	error = kt_script.init ? kt_script.init() : 0;
	if (error)
		user_die("the script's arrays cannot be made: %s", strerror(-error));
	if (command_line)
		start_command(command_line, &unblocked);
	create_timing();
	events_init(&user_session.events, write_line, stdout);
	stamp_init(&user_session.events.stamp, stamps);
	if (kt_script.identity)
		begin_events();
	user_session.state = KT_STARTING;
	run_life(KT_LIFE_BEGIN);
	if (user_session.state == KT_STARTING) {
		user_session.state = KT_RUNNING;
		loop(&unblocked);
	}
	user_session.state = KT_STOPPING;
	run_life(user_session.failed ? KT_LIFE_ERROR : KT_LIFE_END);
	user_session.state = KT_STOPPED;
	fflush(stdout);
	report_timing();
	fflush(stdout);
	status = report_losses();
	if (user_session.events.on)
		end_events(status);
	free(timings);
	if (command > 0)
		kill(command, SIGTERM);
	if (kt_script.exit)
		kt_script.exit();
	user_port_free();
	free(user_session.ledger);
	error = outlet_finish();
	if (error)
		user_die("cannot write the output: %s", outlet_failure(error));
	return status;
}
