/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktaprun: loads a module that ktap built, runs its session, removes it. See man/ktaprun.8. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/diag.h"
#include "lib/limits.h"
#include "lib/process.h"
#include "lib/standard-files.h"
#include "lib/status.h"
#include "lib/vec.h"
#include "runtime/abi.h"
#include "runtime/loader/attach.h"
#include "runtime/loader/bulk.h"
#include "runtime/loader/load.h"
#include "runtime/loader/session.h"
#include "runtime/loader/verify.h"
#include "runtime/options.h"

enum { OPT_STATUS = KT_OPT_OWN, OPT_FORCE_TAINT, OPT_VERIFY, OPT_ATTACH, OPT_TRANSPORT, OPT_BULK, OPT_MERGE };

static const struct kt_option rows[] = {
	KT_SESSION_OPTIONS
	{ 'o', NULL, "FILE", "write output to FILE; %F and the like are expanded" },
	{ 'S', NULL, "MB[,N]", "with -o: start a file every MB megabytes, keep N" },
	{ OPT_TRANSPORT, "transport", "ring|relay", "choose where the kernel keeps output; default: ring" },
	{ OPT_BULK, "bulk", NULL, "write a file for each CPU, for 'ktap merge'" },
	{ OPT_MERGE, "merge", NULL, "print what the files of --bulk hold, in order" },
	{ 'D', NULL, NULL, "with -o: run in the background, print the pid" },
	{ OPT_FORCE_TAINT, "force-taint", NULL, "load the module though panic_on_taint forbids it" },
	{ 'q', NULL, NULL, "do not report progress" },
	{ OPT_STATUS, "status", NULL, "report progress even without a terminal" },
	{ 'd', NULL, "NAME", "remove module NAME of a killed session; '*': all" },
	{ OPT_VERIFY, "verify", NULL, "check whether this kernel would take the module" },
	{ OPT_ATTACH, "attach", "NAME", "print the output of session NAME, which -D started" },
	{ 'h', "help", NULL, "print this text" },
	{ 'V', "version", NULL, "print the version and the interface number" },
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

struct arguments {
	struct session_options session;
	const char **globals;
	const char *remove; /* -d */
	const char *attach; /* --attach */
	bool verify;        /* --verify */
	bool merge;         /* --merge: the files are the words from n_files on */
	char *const *files;
	int n_files;
	bool done;          /* help or version was printed */
};

static bool parse_pid(const char *s, int *ret, int *ret_process)
{
	char *end;
	long pid = strtol(s, &end, 10);

	if (*end || end == s || pid < 1 || pid > 0x7fffffff)
		return error(nowhere, DIAG_USAGE, "-x: expected a process number, found '%s'", s);
	if (kill((pid_t)pid, 0) < 0 && errno == ESRCH)
		return error(nowhere, DIAG_USAGE, "-x: there is no process %ld", pid);
	*ret = (int)pid;
	*ret_process = process_open((int)pid);
	return true;
}

static bool parse_rotation(const char *s, struct rotation *ret)
{
	unsigned int mb, files = 0;
	int end = 0;

	if (sscanf(s, "%9u%n,%9u%n", &mb, &end, &files, &end) < 1 || s[end] || !isdigit((unsigned char)*s) || !mb ||
	    (strchr(s, ',') && !files))
		return error(nowhere, DIAG_USAGE, "-S: expected megabytes, or megabytes,files, both above 0, found '%s'", s);
	*ret = (struct rotation){ (size_t)mb << 20, files };
	return true;
}

static bool parse_format(const char *s, bool *ret_json)
{
	*ret_json = !strcmp(s, "json");
	return *ret_json || !strcmp(s, "text") || error(nowhere, DIAG_USAGE, "-f: expected text or json, found '%s'", s);
}

static bool parse_transport(const char *s, bool *ret_relay)
{
	*ret_relay = !strcmp(s, "relay");
	return *ret_relay || !strcmp(s, "ring") || error(nowhere, DIAG_USAGE, "--transport: expected ring or relay, found '%s'", s);
}

static void print_help(void)
{
	puts("Usage: ktaprun [OPTION]... MODULE.ko|BUNDLE [NAME=VALUE]...\n"
	     "       ktaprun -d NAME|'*'\n"
	     "       ktaprun --attach NAME\n"
	     "       ktaprun --merge FILE...\n"
	     "Loads a module that ktap built, prints what its probes print, removes it at the end.\n");
	kt_options_print(rows, N_ROWS, 14);
}

static bool wrong_usage(void)
{
	diag_process()->errors++;
	fputs("Try: ktaprun --help\n", stderr);
	return false;
}

/* Options of staprun(8) that ktaprun lacks, and what to do instead. */
static const struct {
	char letter;
	const char *instead;
} of_staprun[] = {
	{ 'A', "--attach NAME prints the output of a session" },
	{ 'b', "the size of buffers is compiled in: ktap -s MB" },
	{ 'C', "messages have no colors" },
	{ 'L', "-D -o FILE runs a session in the background, and --attach NAME prints what it prints" },
	{ 'M', "ktap --monitor shows probes and globals while the script runs" },
	{ 'N', "ns_pid() and similar functions answer in the namespace that ktap runs in: start it there" },
	{ 'R', "a second session of a module gets another name" },
	{ 'u', "kernels have uprobes" },
};

static bool bad_option(int got, char **argv)
{
	char wrong[256];

	for (size_t i = 0; got == '?' && i < sizeof(of_staprun) / sizeof(of_staprun[0]); i++)
		if (optopt == of_staprun[i].letter)
			return error(nowhere, DIAG_USAGE, "no '-%c' here: %s", of_staprun[i].letter, of_staprun[i].instead);
	kt_options_wrong(got, argv, wrong, sizeof(wrong));
	error(nowhere, DIAG_USAGE, "%s", wrong);
	return wrong_usage();
}

static void add_global(struct arguments *a, const char *setting)
{
	struct session_options *o = &a->session;

	*vec_add(a->globals, o->n_globals) = setting;
	o->globals = a->globals;
}

static bool parse_option(struct arguments *a, int opt)
{
	struct session_options *o = &a->session;

	switch (opt) {
	case 'c':
		o->command = optarg;
		return true;
	case 'x':
		return parse_pid(optarg, &o->target, &o->target_process);
	case 'T':
		return kt_seconds(optarg, &o->seconds) || error(nowhere, DIAG_USAGE, "-T needs " KT_SECONDS_EXPECTED ", not '%s'", optarg);
	case 'o':
		o->output = optarg;
		return true;
	case 'S':
		return parse_rotation(optarg, &o->rotation);
	case 'f':
		return parse_format(optarg, &o->json);
	case OPT_BULK:
		return o->bulk = true;
	case OPT_MERGE:
		return a->merge = true;
	case OPT_TRANSPORT:
		return parse_transport(optarg, &o->relay);
	case KT_OPT_TIMESTAMPS:
		return stamp_parse(optarg, &o->clock) ||
		       error(nowhere, DIAG_USAGE, "--timestamps: expected wall, mono or delta, found '%s'", optarg);
	case KT_OPT_CONTROL:
		return o->control = true;
	case 'D':
		o->daemon = true;
		return true;
	case 'G':
		add_global(a, optarg);
		return true;
	case 'w':
		o->no_warnings = diag_process()->no_warnings = true;
		return true;
	case 'q':
		status_set(false);
		return true;
	case OPT_STATUS:
		status_set(true);
		return true;
	case 'v':
		o->verbose = o->ledger = true;
		return true;
	case KT_OPT_LEDGER:
		o->ledger = true;
		return true;
	case KT_OPT_STRICT:
		o->strict = true;
		return true;
	case OPT_FORCE_TAINT:
		o->force_taint = true;
		return true;
	case OPT_VERIFY:
		a->verify = true;
		return true;
	case OPT_ATTACH:
		a->attach = optarg;
		return true;
	case 'd':
		a->remove = optarg;
		return true;
	case 'h':
		print_help();
		a->done = true;
		return true;
	case 'V':
		printf("ktaprun %s (interface %d)\n", PACKAGE_VERSION, KT_ABI);
		a->done = true;
		return true;
	}
	return wrong_usage();
}

/* Returns whether an option was given that only a session has. */
static bool is_for_session(const struct session_options *o)
{
	return o->bulk || o->command || o->target || o->seconds || o->rotation.size || o->daemon || o->n_globals || o->strict || o->json ||
	       o->force_taint || o->control || o->clock || o->relay;
}

static bool is_called(const char *argv0, const char *name)
{
	const char *slash = strrchr(argv0, '/');

	return !strcmp(slash ? slash + 1 : argv0, name);
}

/* Takes the N words after the options: the module, then NAME=VALUE for each global that is set, as staprun takes them. */
static bool parse_module(struct arguments *a, int n, char **words)
{
	a->session.module = words[0];
	for (int i = 1; i < n; i++) {
		if (!strchr(words[i], '='))
			return error(nowhere, DIAG_USAGE, "expected one module, and NAME=VALUE after it, found '%s'", words[i]);
		add_global(a, words[i]);
	}
	return true;
}

static bool parse(int argc, char **argv, struct arguments *a)
{
	struct kt_options options = { 0 };
	int opt;

	a->merge = is_called(argv[0], "stap-merge");
	kt_options_init(&options, rows, N_ROWS);
	while (!a->done && (opt = kt_options_next(&options, argc, argv)) != -1)
		if (opt == '?' || opt == ':' ? !bad_option(opt, argv) : !parse_option(a, opt))
			return false;
	if (a->done)
		return true;
	if (a->merge && (a->remove || a->attach || is_for_session(&a->session) || optind == argc)) {
		error(nowhere, DIAG_USAGE, "--merge needs the files of a session with --bulk, and only -o goes with it");
		return wrong_usage();
	}
	a->files = argv + optind;
	a->n_files = argc - optind;
	if (a->merge)
		return true;
	if (a->remove || a->attach ? argc > optind : argc == optind) {
		error(nowhere, DIAG_USAGE, "expected %s, found %d argument%s", a->remove || a->attach ? "no module" : "one module",
		      argc - optind, argc - optind == 1 ? "" : "s");
		return wrong_usage();
	}
	if (!a->remove && !a->attach && !parse_module(a, argc - optind, argv + optind))
		return wrong_usage();
	if (a->session.command && a->session.target)
		return error(nowhere, DIAG_USAGE, "-c and -x exclude each other: both say what target() is");
	if ((a->session.rotation.size || a->session.daemon) && !a->session.output)
		return error(nowhere, DIAG_USAGE, "-%c needs -o FILE", a->session.daemon ? 'D' : 'S');
	if (a->session.bulk && (a->session.rotation.size || a->session.daemon || a->session.json || a->session.clock))
		return error(nowhere, DIAG_USAGE, "--bulk writes records that are not formatted: -S, -D, -f json and --timestamps cannot go with it");
	if (a->session.control && a->session.daemon)
		return error(nowhere, DIAG_USAGE, "--control and -D exclude each other: a session in the background has no standard input");
	return true;
}

/* -D: the session runs in a separate process, which no terminal's signals reach. This one waits until it runs, or is over
 * before it ever did. */
static int run_daemon(struct session_options *o)
{
	pid_t child, pid = 0;
	int ready[2], status;

	if (pipe2(ready, O_CLOEXEC) < 0 || (child = fork()) < 0) {
		error(nowhere, DIAG_RUN, "cannot start in the background: %s", strerror(errno));
		return 1;
	}
	if (!child) {
		setsid();
		close(ready[0]);
		o->ready = ready[1];
		return session_run(&loader_sys_real, o);
	}
	close(ready[1]);
	while (read(ready[0], &pid, sizeof(pid)) < 0 && errno == EINTR)
		continue;
	close(ready[0]);
	if (pid) {
		printf("%d\n", (int)pid);
		return 0;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	struct limits limits;
	struct arguments a = { .session.limits = &limits };
	int status = 1;

	if (!open_standard_files())
		return status;
	heed_children();
	prctl(PR_SET_NAME, KT_READER_NAME); /* also where it is a link's, staprun, or that of a file without a name */
	diag_process()->color = isatty(STDERR_FILENO);
	status_init(false);
	if (!limits_begin(&limits))
		return status;
	if (getauxval(AT_SECURE))
		error(nowhere, DIAG_USAGE, "ktaprun must not be setuid nor have file capabilities: it loads modules");
	else if (!parse(argc, argv, &a))
		status = 1;
	else if (a.done)
		status = 0;
	else if (a.remove)
		status = !load_delete(&loader_sys_real, a.remove);
	else if (a.attach)
		status = attach_run(a.attach);
	else if (a.merge)
		status = bulk_merge(a.files, a.n_files, a.session.output);
	else if (a.verify)
		status = !verify_module(&loader_sys_real, a.session.module);
	else if (a.session.daemon)
		status = run_daemon(&a.session);
	else
		status = session_run(&loader_sys_real, &a.session);
	free(a.globals);
	return status;
}
