/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line -> struct options. Every option is one row of the table below: its letter, its long name, what it
 * takes, and the line of --help. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/complete.h"
#include "cli/rcfile.h"
#include "cli/host.h"
#include "config.h"
#include "lib/arena.h"
#include "lib/limits.h"
#include "lib/paths.h"
#include "lib/vec.h"
#include "runtime/options.h"
#include "translator/platform/machine.h"
#include "translator/probe/probe.h"

/* Options without a letter. */
enum long_option {
	OPT_VM = 256,
	OPT_VM_EXEC,
	OPT_HIST,
	OPT_VM_MEMORY, OPT_VM_CPUS, OPT_VM_NETWORK, OPT_VM_ROOT,
	OPT_RUNTIME,
	OPT_KBUILD,
	OPT_DISABLE_CACHE,
	OPT_NO_GLOBALS,
	OPT_COMPATIBLE,
	OPT_SKIP_BADVARS,
	OPT_SUPPRESS_ERRORS,
	OPT_SUPPRESS_LIMITS,
	OPT_ON_OVERLOAD,
	OPT_STRICT, OPT_FORCE_TAINT,
	OPT_PASS_VERBOSE,
	OPT_HOSTS,
	OPT_MERGE,
	OPT_DEBUGINFO,
	OPT_LDD,
	OPT_ALL_MODULES,
	OPT_FOLDED,
	OPT_TIMESTAMPS,
	OPT_JSON,
	OPT_COLOR,
	OPT_DUMP_PROBE_TYPES,
	OPT_DUMP_PROBE_ALIASES,
	OPT_DUMP_FUNCTIONS,
	OPT_MODINFO,
	OPT_SIGN,
	OPT_CLEAN_CACHE,
	OPT_PREPARE,
	OPT_TMPDIR,
	OPT_DOWNLOAD,
	OPT_RLIMIT_AS, OPT_RLIMIT_CPU, OPT_RLIMIT_NPROC, OPT_RLIMIT_STACK, OPT_RLIMIT_FSIZE,
	OPT_CATALOG,
	OPT_SNAPSHOTS,
	OPT_TRANSPORT,
	OPT_PROMETHEUS,
	OPT_NOTIFY,
	OPT_CONTROL,
	OPT_MONITOR,
	OPT_OTLP,
	OPT_LANGUAGE_SERVER,
	/* Accepted: what they ask for is so here, or has no meaning. */
	OPT_MOOT,
	OPT_PROLOGUE,
	OPT_PRIVILEGE,
	OPT_REMOTE,
	OPT_BUNDLE,
	OPT_USE_SERVER_ON_ERROR,
	/* The rows of refused[]. */
	OPT_REFUSED,
};

/* The sections are those of ktap(1). */
static const struct kt_option rows[] = {
	{ 0, NULL, NULL, "The script" },
	{ 'e', NULL, "SCRIPT", "run this text instead of a script file" },
	{ 'E', NULL, "SCRIPT", "add script text; may be repeated" },
	{ 'i', "interactive", NULL, "type a script line by line, and run it" },
	{ 'D', NULL, "NAME[=VALUE]", "set a limit, for example -D MAXACTION=20000" },
	{ 'G', NULL, "NAME=VALUE", "set a global of the script before it starts" },
	{ 'I', NULL, "DIR", "also search DIR for tapset files" },
	{ 'g', NULL, NULL, "guru mode: allow embedded C and writes" },
	{ 'u', NULL, NULL, "do not optimize the script" },
	{ OPT_SKIP_BADVARS, "skip-badvars", NULL, "read a missing $variable as 0" },
	{ OPT_SUPPRESS_ERRORS, "suppress-handler-errors", NULL, "continue after errors of handlers" },
	{ OPT_SUPPRESS_LIMITS, "suppress-time-limits", NULL, "with -g: do not limit the time of handlers" },
	{ OPT_ON_OVERLOAD, "on-overload", "disarm|stop|ignore", "choose what follows overload; default: disarm" },
	{ OPT_STRICT, "strict", NULL, "exit with status 6 if anything was lost" },
	{ OPT_FORCE_TAINT, "force-taint", NULL, "load the module though panic_on_taint forbids it" },
	{ OPT_COMPATIBLE, "compatible", "VERSION", "behave like that version of SystemTap" },
	{ OPT_RUNTIME, "runtime", "kernel|user", "user: run the script in a process" },
	{ 0, NULL, NULL, "The target" },
	{ 'r', NULL, "RELEASE|DIR", "compile for this kernel (default: $KTAP_RELEASE)" },
	{ 'a', NULL, "ARCH", "compile for this architecture: arm64, x86_64" },
	{ 'c', NULL, "COMMAND", "start COMMAND as target(), and end with it" },
	{ 'x', NULL, "PID", "set target() to PID" },
	{ 'T', NULL, "SECONDS", "end after this many seconds" },
	{ OPT_VM, "vm", "[=RELEASE]", "run in a throwaway virtual machine, not on this kernel" },
	{ OPT_VM_MEMORY, "vm-memory", "MB", "set the virtual machine's memory (1024)" },
	{ OPT_VM_CPUS, "vm-cpus", "N", "set the virtual machine's number of CPUs (2)" },
	{ OPT_VM_NETWORK, "vm-network", NULL, "allow the virtual machine outgoing connections" },
	{ OPT_VM_ROOT, "vm-root", "DIR", "add files of DIR to the virtual machine's" },
	{ OPT_VM_EXEC, "vm-exec", "COMMAND", "run a shell command there instead of a script" },
	{ OPT_REMOTE, "remote", "URL", "run on ssh://HOST, vm:RELEASE or unix:SOCKET" },
	{ OPT_HOSTS, "hosts", "FILE", "run on the machines that FILE lists" },
	{ OPT_MERGE, "merge", NULL, "merge the globals of all machines" },
	{ OPT_DEBUGINFO, "debuginfo", "auto|dwarf|btf", "choose the source of types and places" },
	{ 'd', NULL, "OBJECT", "add the tables of a program, for user stacks" },
	{ OPT_LDD, "ldd", NULL, "also add the shared libraries of -d OBJECT" },
	{ OPT_DOWNLOAD, "download-debuginfo", "[=yes|no|ask|SECONDS]", "allow debuginfod, or set its timeout" },
	{ 0, NULL, NULL, "Output" },
	{ 'o', NULL, "FILE", "write output to FILE; %F and the like are expanded" },
	{ 'S', NULL, "MB[,N]", "with -o: start a file every MB megabytes, keep N" },
	{ 'F', NULL, NULL, "with -o: run in the background, print the pid" },
	{ 'b', NULL, NULL, "write a file for each CPU, for 'ktap merge'" },
	{ OPT_TRANSPORT, "transport", "ring|relay", "choose where the kernel keeps output; default: ring" },
	{ 't', NULL, NULL, "report hits and cycles of each probe at the end" },
	{ 's', NULL, "MB", "set the size of each CPU's output buffer" },
	{ 'v', NULL, NULL, "report more about each pass; may be repeated" },
	{ OPT_PASS_VERBOSE, "vp", "DIGITS", "be as verbose as the largest digit says" },
	{ 'q', NULL, NULL, "do not report progress on a terminal" },
	{ 'w', NULL, NULL, "suppress warnings" },
	{ 'W', NULL, NULL, "treat warnings as errors" },
	{ OPT_FOLDED, "folded", NULL, "print globals at the end as flame graphs want them" },
	{ 'f', "format", "text|json", "json: print one object a line" },
	{ OPT_JSON, "json", NULL, "print one JSON object a line" },
	{ OPT_TIMESTAMPS, "timestamps", "[=wall|mono|delta]", "print the time of each line" },
	{ OPT_SNAPSHOTS, "snapshots", "SECONDS", "with -f json: print all globals and ledgers this often" },
	{ OPT_PROMETHEUS, "prometheus", "ADDRESS:PORT", "serve globals and probes as metrics while the script runs" },
	{ OPT_OTLP, "otlp", "URL", "send metrics and logs to an OpenTelemetry collector" },
	{ OPT_MONITOR, "monitor", "[=SECONDS]", "show probes and globals on a full screen" },
	{ OPT_CONTROL, "control", NULL, "read commands that arm and disarm probes from stdin" },
	{ OPT_NOTIFY, "notify", NULL, "notify systemd that probes are armed and alive" },
	{ OPT_HIST, "hist", NULL, "print a histogram of each element at the end" },
	{ OPT_NO_GLOBALS, "no-global-var-display", NULL, "do not print globals that are only written" },
	{ OPT_COLOR, "color", "[=auto|always|never]", "color diagnostics" },
	{ OPT_COLOR, "colour", "[=auto|always|never]", "color diagnostics" },
	{ 'h', "help", NULL, "print this text" },
	{ 'V', "version", NULL, "print the version" },
	{ 0, NULL, NULL, "Listings" },
	{ 'l', NULL, "POINT", "list the probe points that POINT matches" },
	{ 'L', NULL, "POINT", "list probe points with their variables" },
	{ OPT_DUMP_PROBE_TYPES, "dump-probe-types", NULL, "list the forms of probe points" },
	{ OPT_DUMP_PROBE_ALIASES, "dump-probe-aliases", NULL, "list the aliases of the tapset" },
	{ OPT_DUMP_FUNCTIONS, "dump-functions", NULL, "list the functions of the tapset" },
	{ OPT_CATALOG, "semantic-keep-going", NULL, "list errors of pass 2 for programs" },
	{ OPT_LANGUAGE_SERVER, "language-server", NULL, "serve an editor on standard input and output (LSP)" },
	{ 0, NULL, NULL, "The build" },
	{ 'p', NULL, "PASS", "stop after pass 1 (parse) to 4 (build)" },
	{ 'm', NULL, "NAME", "name the module; with -p4, leave it as NAME.ko" },
	{ OPT_BUNDLE, "bundle", "FILE", "write FILE, a module for each kernel of -r; run nothing" },
	{ 'k', NULL, NULL, "keep the build directory and say where it is" },
	{ OPT_KBUILD, "kbuild", NULL, "build with Kbuild, not from the prepared kit" },
	{ OPT_DISABLE_CACHE, "disable-cache", NULL, "do not reuse modules of earlier runs" },
	{ OPT_DISABLE_CACHE, "poison-cache", NULL, "do not reuse modules of earlier runs" },
	{ OPT_CLEAN_CACHE, "clean-cache", NULL, "trim the cache, and do nothing else" },
	{ OPT_PREPARE, "prepare", "[=RELEASE]", "build the kit for a kernel, and do nothing else" },
	{ 'B', NULL, "NAME=VALUE", "pass a variable to make; implies --kbuild" },
	{ OPT_MODINFO, "modinfo", "NAME=VALUE", "add an entry for modinfo(8)" },
	{ OPT_SIGN, "sign-module", "KEY,CERT", "sign the module" },
	{ OPT_TMPDIR, "tmpdir", "DIR", "make temporary files in DIR" },
	{ OPT_RLIMIT_AS, "rlimit-as", "N", "limit the address space of ktap and its children" },
	{ OPT_RLIMIT_CPU, "rlimit-cpu", "N", "limit their CPU time, seconds" },
	{ OPT_RLIMIT_NPROC, "rlimit-nproc", "N", "limit the number of processes" },
	{ OPT_RLIMIT_STACK, "rlimit-stack", "N", "limit their stacks, bytes" },
	{ OPT_RLIMIT_FSIZE, "rlimit-fsize", "N", "limit the size of files, bytes" },
	{ 0, NULL, NULL, "Accepted for compatibility" },
	{ OPT_ALL_MODULES, "all-modules", NULL, "the kernel's symbols are always there" },
	{ 'P', NULL, NULL, "variables are always read where their location is known" },
	{ OPT_PROLOGUE, "prologue-searching", "[=never|auto|always]", "variables are always read where their location is known" },
	{ 'R', NULL, "DIR", "the runtime belongs to this program; see KTAP_RUNTIME" },
	{ OPT_MOOT, "check-version", NULL, "what depends on the version is said without it" },
	{ OPT_MOOT, "save-uprobes", NULL, "kernels have uprobes" },
	{ OPT_PRIVILEGE, "privilege", "stapdev", "only root loads modules" },
	{ OPT_USE_SERVER_ON_ERROR, "use-server-on-error", "[=yes|no]", "there is no server to fall back on" },
};

/* Options of SystemTap that ktap lacks: known, so that the message says what to do instead. */
static const struct {
	const char *name;
	const char *argument; /* as above */
	const char *instead;
} refused[] = {
	{ "unprivileged", NULL, "only root loads modules; --vm needs no privileges" },
	{ "build-as", "USER", "run 'ktap -p4 -m NAME' as that user, then ktaprun NAME.ko as root" },
	{ "use-server", "[=]", "modules are compiled here, in a tenth of a second" },
	{ "use-http-server", "URL", "modules are compiled here" },
	{ "list-servers", "[=]", "modules are compiled here" },
	{ "trust-servers", "[=]", "modules are compiled here" },
	{ "remote-prefix", NULL, "output is prefixed with the name of the machine whenever --remote is given" },
	{ "sysroot", "DIR", "programs are read where they are: give paths below DIR in the probe points" },
	{ "sysenv", "VAR=VALUE", "programs are read where they are: set the variable itself" },
	{ "dyninst", NULL, "--runtime=user runs begin, end and timer probes in a process; uprobes need the kernel" },
	{ "bpf", NULL, "only the kernel's own runtime carries the whole language" },
	{ "target-namespaces", "PID", "ns_pid() and similar functions answer in the namespace that ktap runs in: start it there" },
	{ "target-namespace", "PID", "ns_pid() and similar functions answer in the namespace that ktap runs in: start it there" },
	{ "example", NULL, "'ktap examples' lists the examples with their paths" },
	{ "xml", NULL, "listings are text" },
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]), N_REFUSED = sizeof(refused) / sizeof(refused[0]) };

enum { SNAPSHOT_DEFAULT_MS = 1000 }; /* of views */

/* Megabytes that a kernel of a distribution boots in, with its initramfs. */
enum { VM_MEMORY_MIN = 128, VM_MEMORY_MAX = 1 << 20, VM_CPUS_MAX = 255 };

static const struct loc nowhere;

static bool usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static bool usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error(nowhere, DIAG_USAGE, "%s", arena_vprintf(&program_arena, fmt, ap));
	va_end(ap);
	note(nowhere, "'ktap --help' lists the options, ktap(1) explains them");
	return false;
}

static void print_help(void)
{
	puts("Usage: ktap [OPTIONS] SCRIPT.stp [ARGUMENTS]\n"
	     "       ktap [OPTIONS] -e 'SCRIPT' [ARGUMENTS]\n"
	     "Compiles a SystemTap script to a kernel module, runs it, and prints what it sees.\n"
	     "\n"
	     "To begin with:\n"
	     "  ktap doctor                  what this machine lacks, and the command that installs it\n"
	     "  ktap examples WORD           scripts to run, with WORD in their headers\n"
	     "  ktap help probes             places to watch; also: ktap help functions, ktap help language\n"
	     "  ktap -l '*sleep*'            places of that name; -L prints their variables too\n"
	     "  ktap -e 'SCRIPT'             run a script; Ctrl-C ends it\n"
	     "  ktap --vm -e 'SCRIPT'        run it in a throwaway virtual machine: no root, no risk\n"
	     "  ktap -c 'COMMAND' FILE.stp   run it as long as COMMAND runs\n"
	     "  ktap fmt FILE.stp            format scripts; --check only says which differ\n"
	     "  ktap explain TAG             the cause of a message with this tag, and the remedy\n"
	     "\n"
	     "What a script would probe, how, and with which variables; nothing runs:\n"
	     "  ktap plan [OPTIONS] SCRIPT.stp\n"
	     "\n"
	     "The places that a probe point means: address, function, line, variables; --json for programs:\n"
	     "  ktap resolve [OPTIONS] POINT\n");
	kt_options_print(rows, N_ROWS, 28);
	puts("\nExample: ktap -e 'probe begin { println(\"hello\") exit() }'\n"
	     "See ktap(1), ktap-language(5), ktap-probes(5), ktap-tapset(5), ktap-functions(5), ktap-errors(7).");
}

/* The rows, and the names that are refused. */
static void init_options(struct kt_options *ret)
{
	_Static_assert(N_ROWS + N_REFUSED < KT_OPTIONS_MAX, "kt_options has space for all");

	*ret = (struct kt_options){ 0 };
	kt_options_init(ret, rows, N_ROWS);
	for (int i = 0; i < N_REFUSED; i++) {
		kt_options_add(ret, &(struct kt_option){ OPT_REFUSED + i, refused[i].name, refused[i].argument, NULL });
	}
}

void option_words(word_fn *fn, void *data)
{
	for (int i = 0; i < N_ROWS; i++) {
		const struct kt_option *r = &rows[i];

		if (r->id && r->id < 256)
			fn(arena_printf(&program_arena, "-%c", r->id), r->help, data);
		if (r->name)
			fn(arena_printf(&program_arena, "--%s%s", r->name, r->argument && r->argument[0] != '[' ? "=" : ""),
			   r->help, data);
	}
}

const char *option_argument(const char *word)
{
	size_t len = strcspn(word, "=");

	for (int i = 0; i < N_ROWS; i++) {
		const struct kt_option *r = &rows[i];
		const char *letter = r->id && r->id < 256 ? strchr(word, r->id) : NULL;

		if (word[1] == '-' && r->name && strlen(r->name) == len - 2 && !strncmp(r->name, word + 2, len - 2))
			return r->argument;
		if (word[1] != '-' && letter && !letter[1] && r->argument)
			return r->argument;
	}
	return NULL;
}

/* Appends to a NULL-terminated array. */
static void append(const char ***list, const char *s)
{
	const char **longer;
	size_t n = 0;

	while (*list && (*list)[n])
		n++;
	longer = arena_array(&program_arena, const char *, n + 2);
	if (n)
		memcpy(longer, *list, n * sizeof(*longer));
	longer[n] = s;
	*list = longer;
}

static bool parse_int(const char *s, int min, int max, int *ret)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(s, &end, 10);
	if (errno || end == s || *end || v < min || v > max)
		return false;
	*ret = (int)v;
	return true;
}

/* NAME=VALUE, or NAME alone where no value is needed. VALUE: letters, digits and EXTRA; anything when EXTRA is NULL. */
static bool is_setting(const char *s, const char *extra, bool value_needed)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	if (!*s)
		return !value_needed;
	if (*s++ != '=' || !*s)
		return false;
	for (; extra && *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr(extra, *s))
			return false;
	return true;
}

static bool is_module_name(const char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 0 && n < 56 - 4; /* MODULE_NAME_LEN, with space for a suffix */
}

static bool parse_keyword(const char *option, const char *value, const char *const *words, int *ret)
{
	size_t n = 0;

	for (; words[n]; n++) {
		if (!strcmp(words[n], value)) {
			*ret = (int)n;
			return true;
		}
	}
	error(nowhere, DIAG_USAGE, "--%s does not know '%s'", option, value);
	for (size_t i = 0; i < n; i++)
		note(nowhere, "possible: --%s=%s", option, words[i]);
	return false;
}

/* On a terminal, unless the environment says no. */
static bool may_color(void)
{
	const char *colors = getenv("SYSTEMTAP_COLORS");

	const char *term = getenv("TERM");

	return (!colors || diag_set_colors(colors)) && isatty(2) && !getenv("NO_COLOR") && (!term || strcmp(term, "dumb"));
}

static bool set_color(const char *value)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	int when = 1;

	if (value && !parse_keyword("color", value, words, &when))
		return false;
	diag_color = when == 1 || (when == 0 && may_color());
	return true;
}

static bool set_seconds(struct options *opt, const char *value)
{
	char *end;
	double s = strtod(value, &end);

	if (end == value || *end || !(s > 0) || s > 1e9)
		return usage_error("-T needs a number of seconds, not '%s'", value);
	opt->seconds = value;
	return true;
}

/* Milliseconds from a tenth of a second to a day. */
static bool set_snapshots(struct options *opt, const char *option, const char *value)
{
	char *end;
	double s = strtod(value, &end);

	if (end == value || *end || !(s >= 0.1) || s > 86400)
		return usage_error("--%s needs 0.1 to 86400 seconds, not '%s'", option, value);
	opt->snapshot_ms = (int)(s * 1000 + 0.5);
	return true;
}

/* MB or MB,N, both above 0. */
static bool is_rotation(const char *s)
{
	size_t n = strspn(s, "0123456789");

	if (!n || n > 9 || !atoi(s))
		return false;
	s += n;
	if (*s++ != ',')
		return !s[-1];
	n = strspn(s, "0123456789");
	return n && n <= 9 && atoi(s) && !s[n];
}

static bool set_limit(const char *option, int resource, const char *v)
{
	const char *why = limits_set(resource, v);

	return !why || usage_error("--%s=%s: %s", option, v, why);
}

/* Debugging information comes from the servers of debuginfod, when their addresses are set. */
static bool set_download(const char *v)
{
	int seconds;

	if (!v || !strcmp(v, "yes") || !strcmp(v, "ask"))
		return true;
	if (!strcmp(v, "no"))
		return !unsetenv("DEBUGINFOD_URLS");
	if (!parse_int(v, 1, INT_MAX, &seconds))
		return usage_error("--download-debuginfo needs yes, no, ask or seconds, not '%s'", v);
	return !setenv("DEBUGINFOD_TIMEOUT", v, 1);
}

static bool set_machine(struct options *opt, const char *v)
{
	opt->machine = machine_find(v);
	return opt->machine || usage_error("-a: unknown architecture '%s'; expected arm64 or x86_64", v);
}

/* Options of SystemTap that are so already, or mean nothing here. */
static bool set_moot(int id, const char *v)
{
	static const char *const searches[] = { "never", "auto", "always", NULL };
	static const char *const yes_no[] = { "yes", "no", NULL };
	int n;

	switch (id) {
	case OPT_PROLOGUE:
		return !v || parse_keyword("prologue-searching", v, searches, &n);
	case OPT_USE_SERVER_ON_ERROR:
		return !v || parse_keyword("use-server-on-error", v, yes_no, &n);
	case OPT_PRIVILEGE:
		if (strcmp(v, "stapdev"))
			return usage_error("--privilege=%s: only root loads modules; --vm needs no privileges", v);
		return true;
	}
	return true;
}

/* The key may be a URI with commas: the certificate is after the last one. */
static bool set_signature(struct options *opt, const char *v)
{
	const char *comma = strrchr(v, ',');

	if (!comma || comma == v || !comma[1])
		return usage_error("--sign-module needs KEY,CERT, a private key and its certificate, not '%s'", v);
	opt->sign_key = arena_printf(&program_arena, "%.*s", (int)(comma - v), v);
	opt->sign_cert = comma + 1;
	return true;
}

/* One option that takes a value which must be checked. */
static bool set_checked(struct options *opt, int id, const char *v)
{
	static const char *const runtimes[] = { "kernel", "user", NULL };
	static const char *const kinds[] = { "auto", "dwarf", "btf", NULL };
	static const char *const overloads[] = { "disarm", "stop", "ignore", NULL };
	static const char *const formats[] = { "text", "json", NULL };
	static const char *const transports[] = { "ring", "relay", NULL };
	static const char *const clocks[] = { "wall", "mono", "delta", NULL };
	int n = 0;

	switch (id) {
	case 'p':
		return parse_int(v, 1, 5, &opt->last_pass) || usage_error("-p needs a pass from 1 to 5, not '%s'", v);
	case 's':
		return parse_int(v, 1, 4095, &opt->buffer_mb) || usage_error("-s needs 1 to 4095 MB, not '%s'", v);
	case 'x':
		return parse_int(v, 1, 1 << 22, &opt->target) || usage_error("-x needs a process id, not '%s'", v);
	case 'T':
		return set_seconds(opt, v);
	case 'm':
		opt->module_name = v;
		return is_module_name(v) || usage_error("-m needs at most 51 letters, digits and _, not '%s'", v);
	case 'D':
		append(&opt->defines, v);
		return is_setting(v, "-_", false) || usage_error("-D needs NAME or NAME=VALUE, not '%s'", v);
	case 'G':
		append(&opt->globals, v);
		return is_setting(v, NULL, true) || usage_error("-G needs NAME=VALUE, not '%s'", v);
	case OPT_VM_MEMORY:
		return parse_int(v, VM_MEMORY_MIN, VM_MEMORY_MAX, &opt->vm_memory) ||
		       usage_error("--vm-memory needs %d to %d megabytes, not '%s'", VM_MEMORY_MIN, VM_MEMORY_MAX, v);
	case OPT_VM_CPUS:
		return parse_int(v, 1, VM_CPUS_MAX, &opt->vm_cpus) ||
		       usage_error("--vm-cpus needs 1 to %d CPUs, not '%s'", VM_CPUS_MAX, v);
	case OPT_RUNTIME:
		if (!parse_keyword("runtime", v, runtimes, &n))
			return false;
		opt->runtime = (enum runtime)n;
		return true;
	case 'f':
		if (!parse_keyword("format", v, formats, &n))
			return false;
		opt->json = n == 1;
		return true;
	case OPT_SNAPSHOTS:
		return set_snapshots(opt, "snapshots", v);
	case OPT_TIMESTAMPS:
		opt->timestamps = v ? v : clocks[0];
		return parse_keyword("timestamps", opt->timestamps, clocks, &n);
	case OPT_ON_OVERLOAD:
		if (!parse_keyword("on-overload", v, overloads, &n))
			return false;
		opt->on_overload = (enum kt_on_overload)n;
		return true;
	case OPT_TRANSPORT:
		opt->transport = v;
		return parse_keyword("transport", v, transports, &n);
	case OPT_DEBUGINFO:
		if (!parse_keyword("debuginfo", v, kinds, &n))
			return false;
		opt->debuginfo = (enum debuginfo)n;
		return true;
	case OPT_COLOR:
		return set_color(v);
	case 'S':
		opt->rotation = v;
		return is_rotation(v) || usage_error("-S needs megabytes, or megabytes,files, both above 0, not '%s'", v);
	case 'B':
		for (const char **m = opt->make; m && *m; m++)
			n++;
		if (n == MAKE_SETTINGS_MAX)
			return usage_error("-B may be given %d times", n);
		append(&opt->make, v);
		return is_setting(v, NULL, true) || usage_error("-B needs NAME=VALUE, not '%s'", v);
	case OPT_MODINFO:
		append(&opt->modinfo, v);
		return is_setting(v, NULL, true) || usage_error("--modinfo needs NAME=VALUE, not '%s'", v);
	case OPT_SIGN:
		return set_signature(opt, v);
	case OPT_TMPDIR: return set_temporary(v);
	case OPT_DOWNLOAD:
		return set_download(v);
	case OPT_RLIMIT_AS: return set_limit("rlimit-as", RLIMIT_AS, v);
	case OPT_RLIMIT_CPU: return set_limit("rlimit-cpu", RLIMIT_CPU, v);
	case OPT_RLIMIT_NPROC: return set_limit("rlimit-nproc", RLIMIT_NPROC, v);
	case OPT_RLIMIT_STACK: return set_limit("rlimit-stack", RLIMIT_STACK, v);
	case OPT_RLIMIT_FSIZE: return set_limit("rlimit-fsize", RLIMIT_FSIZE, v);
	}
	bug("option %d has no action", id);
}

/* Limits that cannot be reached. A limit that -D sets as well is the one that stands last. */
static bool lift_limits(struct options *opt, bool of_time)
{
	if (of_time) {
		append(&opt->defines, "MAXACTION=2147483647");
		append(&opt->defines, "MAXTRYLOCK=2147483647");
	} else {
		append(&opt->defines, "MAXERRORS=2147483647");
		append(&opt->defines, "MAXSKIPPED=2147483647");
	}
	opt->endless |= of_time;
	return true;
}

static bool set_pass_verbose(struct options *opt, const char *v)
{
	size_t n = strspn(v, "0123456789");

	if (!n || n > 5 || v[n])
		return usage_error("--vp needs one to five digits, not '%s'", v);
	for (; *v; v++)
		if (*v - '0' > opt->verbose)
			opt->verbose = *v - '0';
	return true;
}

/* -d: a path, or a program in PATH. Another bare word is the kernel or a module of it: their symbols are always there. */
static bool add_object(struct options *opt, const char *name)
{
	const char *dirs = getenv("PATH");
	char full[PATH_MAX];

	if (strchr(name, '/')) {
		if (!realpath(name, full))
			return usage_error("-d: '%s': %s", name, strerror(errno));
		append(&opt->objects, arena_strdup(&program_arena, full));
		return true;
	}
	for (const char *d = dirs ? dirs : ""; *d;) {
		size_t n = strcspn(d, ":");

		if (realpath(arena_printf(&program_arena, "%.*s/%s", (int)n, d, name), full)) {
			append(&opt->objects, arena_strdup(&program_arena, full));
			return true;
		}
		d += n + (d[n] == ':');
	}
	return true;
}

static bool set_option(struct options *opt, int id, const char *v)
{
	switch (id) {
	case 'e':
		if (opt->script_text)
			return usage_error("-e may be given once; -E adds more text");
		opt->script_text = v;
		return true;
	case 'E': append(&opt->extra_texts, v); return true;
	case 'c': opt->command = v; return true;
	case 'o': opt->output = v; return true;
	case 'I': append(&opt->include_dirs, v); return true;
	case 'r': *vec_add(opt->releases, opt->n_releases) = opt->release = v; return true;
	case OPT_BUNDLE: opt->bundle = v; return true;
	case 'a': return set_machine(opt, v);
	case 'g': opt->guru = true; return true;
	case 'u': opt->no_optimise = true; return true;
	case 'k': opt->keep = true; return true;
	case 'v': opt->verbose++; return true;
	case 'q': opt->quiet = true; return true;
	case 'w': diag_no_warnings = true; return true;
	case 'W': diag_warnings_are_errors = true; return true;
	case 'd': return add_object(opt, v);
	case OPT_STRICT: opt->strict = true; return true;
	case OPT_FORCE_TAINT: opt->force_taint = true; return true;
	case OPT_REMOTE: return remote_host_add(&opt->remotes, &opt->n_remotes, v);
	case OPT_HOSTS: return remote_host_add_file(&opt->remotes, &opt->n_remotes, v);
	case OPT_MERGE: opt->merge = true; return true;
	case OPT_LDD: opt->libraries = true; return true;
	case OPT_HIST: opt->histograms = true; return true;
	case OPT_FOLDED: opt->folded = true; return true;
	case OPT_JSON: opt->json = true; return true;
	case OPT_VM: opt->vm = true; opt->vm_release = v; return true;
	case OPT_VM_EXEC: opt->vm = true; opt->vm_exec = v; return true;
	case OPT_VM_ROOT: opt->vm_root = v; return true;
	case OPT_OTLP: opt->live.otlp = v; return true;
	case OPT_MONITOR: opt->live.monitor = true; return !v || set_snapshots(opt, "monitor", v);
	case OPT_CONTROL: opt->control = true; return true;
	case 'i': opt->interactive = true; return true;
	case OPT_NOTIFY: opt->live.notify = true; return true;
	case OPT_PROMETHEUS: opt->live.prometheus = v; return true;
	case OPT_VM_NETWORK: opt->vm_network = true; return true;
	case OPT_KBUILD: opt->kbuild = true; return true;
	case OPT_DISABLE_CACHE: opt->no_cache = true; return true;
	case OPT_NO_GLOBALS: opt->no_autoprint = true; return true;
	case 'l':
	case 'L': opt->list = v; opt->list_variables = id == 'L'; return true;
	case OPT_DUMP_PROBE_TYPES: opt->dump = DUMP_PROBE_TYPES; return true;
	case OPT_DUMP_PROBE_ALIASES: opt->dump = DUMP_PROBE_ALIASES; return true;
	case OPT_DUMP_FUNCTIONS: opt->dump = DUMP_FUNCTIONS; return true;
	case OPT_LANGUAGE_SERVER: opt->language_server = true; return true;
	case OPT_CATALOG: diag_keeps_catalog = true; return true;
	case OPT_COMPATIBLE: opt->compatible = v; return true;
	case OPT_SKIP_BADVARS: opt->skip_badvars = true; return true;
	case OPT_SUPPRESS_ERRORS: return lift_limits(opt, false);
	case OPT_SUPPRESS_LIMITS: return lift_limits(opt, true);
	case OPT_PASS_VERBOSE: return set_pass_verbose(opt, v);
	case 't': opt->timing = true; return true;
	case 'F': opt->flight = true; return true;
	case 'b': opt->bulk = true; return true;
	case OPT_CLEAN_CACHE: opt->clean_cache = true; return true;
	case OPT_PREPARE: opt->prepare = true; opt->release = v ? v : opt->release; return true;
	case 'P': case 'R': case OPT_ALL_MODULES: case OPT_MOOT: case OPT_PROLOGUE:
	case OPT_PRIVILEGE: case OPT_USE_SERVER_ON_ERROR:
		return set_moot(id, v);
	}
	return set_checked(opt, id, v);
}

/* The word that a search is for. */
struct head {
	const char *word;
	bool found;
};

static void compare_head(const struct probe_pattern *pattern, void *data)
{
	struct head *h = data;
	size_t len = strcspn(pattern->text, ".(");

	h->found |= strlen(h->word) == len && !memcmp(pattern->text, h->word, len);
}

/* Is it a name or a pattern, and not the beginning of a probe point? */
static bool is_bare_word(const char *s)
{
	struct head h = { .word = s };
	size_t letters = 0;

	for (const char *c = s; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("_*?", *c))
			return false;
		letters += isalnum((unsigned char)*c) != 0;
	}
	probe_patterns(compare_head, &h);
	return letters > 1 && !h.found && !isdigit((unsigned char)*s);
}

/* -l POINT as a script. A bare word lists what has that name. */
static const char *list_script(struct options *opt)
{
	const char *w = opt->list;

	if (!is_bare_word(w))
		return arena_printf(&program_arena, "probe %s\n{ }", w);
	opt->list_word = w;
	return arena_printf(&program_arena, "probe %s ?, kernel.function(\"%s\") ?, kernel.trace(\"%s\") ?, syscall.%s ?\n{ }", w, w, w, w);
}

/* The words after the options: the script file unless -e gave the text, then the script's arguments. */
static bool take_words(struct options *opt, int argc, char **argv)
{
	if (opt->resolve && !opt->list) {
		if (argc != 1)
			return usage_error("ktap resolve needs one probe point, found %d words", argc);
		opt->list = *argv++;
		opt->list_variables = true;
		argc--;
	}
	if (opt->list || opt->dump) {
		if (opt->script_text || argc)
			return usage_error("-l, -L and --dump-... list what exists: they take no script");
		if (opt->list && !opt->list[strspn(opt->list, " \t\n")])
			return usage_error("-%c needs a probe point", opt->list_variables ? 'L' : 'l');
		if (opt->list)
			opt->script_text = list_script(opt);
		opt->last_pass = 2;
	} else if (!opt->script_text && !opt->vm_exec && !opt->clean_cache && !opt->prepare && !opt->language_server &&
		   (!opt->interactive || argc)) {
		if (!argc)
			return usage_error("no script: give a file, '-' for standard input, or -e 'SCRIPT'");
		opt->script_file = *argv++;
		argc--;
		if (opt->n_remotes && !strcmp(opt->script_file, "-"))
			return usage_error("--remote reads the script for each kernel: give it in a file or with -e");
	}
	opt->args = (const char *const *)argv;
	opt->n_args = argc;
	return true;
}

static bool bad_option(int got, char **argv)
{
	const char *word = argv[optind - 1];
	struct nearest near = { .word = word[1] == '-' ? word + 2 : word };
	char wrong[256];

	for (int i = 0; i < N_ROWS; i++)
		if (rows[i].name)
			nearest_add(&near, rows[i].name);
	if (got != ':' && word[1] == '-' && nearest_get(&near))
		return usage_error("unknown option '%s'; did you mean '--%s'?", word, nearest_get(&near));
	kt_options_wrong(got, argv, wrong, sizeof(wrong));
	return usage_error("%s", wrong);
}

char option_keeps_files(const struct options *opt)
{
	return opt->flight ? 'F' : opt->rotation ? 'S' : opt->bulk && opt->runtime != RUNTIME_USER ? 'b' : 0;
}

/* Views of a running session read its objects. */
static bool prepare_live(struct options *opt)
{
	if (!option_live(opt))
		return true;
	if (opt->folded)
		return usage_error("--folded is for globals at the end: it cannot go with a view of the running session");
	if (option_keeps_files(opt))
		return usage_error("-%c cannot go with a view of the running session, which reads the output", option_keeps_files(opt));
	if (opt->no_autoprint)
		return usage_error("--no-global-var-display cannot go with a view of the running session, which shows globals");
	if (opt->live.monitor && opt->json && !opt->output)
		return usage_error("--monitor shows the session on the terminal: -f json needs -o FILE with it");
	opt->live.json = opt->json;
	opt->live.prints = !opt->live.monitor || opt->output;
	opt->json = true;
	if (opt->live.monitor)
		opt->control = opt->timing = opt->quiet = true;
	if (opt->live.monitor && !opt->timestamps)
		opt->timestamps = "mono";
	if (!opt->snapshot_ms)
		opt->snapshot_ms = SNAPSHOT_DEFAULT_MS;
	return true;
}

/* Options that say what one session on this machine does. */
static bool check_remote(struct options *opt)
{
	if (opt->merge && !opt->n_remotes)
		return usage_error("--merge needs --remote or --hosts");
	if (!opt->n_remotes)
		return true;
	if (opt->vm || opt->release || option_keeps_files(opt))
		return usage_error("-%s cannot go with --remote: sessions are on other machines", opt->vm ? "-vm" : opt->release ? "r" :
				   (const char[]){ option_keeps_files(opt), 0 });
	if (opt->last_pass < 5 || opt->list || opt->dump || opt->language_server)
		return usage_error("--remote runs a script: listings and -p need -r RELEASE instead");
	if (opt->merge && opt->folded)
		return usage_error("--merge and --folded exclude each other: both say how globals are printed");
	if (option_live(opt) && (opt->n_remotes > 1 || opt->merge))
		return usage_error("%s shows one session: give one --remote, without --merge, and run ktap once for each machine",
				   opt->live.monitor ? "--monitor" : opt->live.prometheus ? "--prometheus" : opt->live.otlp ? "--otlp" : "--notify");
	if (opt->snapshot_ms && opt->merge)
		return usage_error("--snapshots and --merge exclude each other: only the last values of globals are merged");
	opt->merge_text = opt->merge && !opt->json;
	opt->json |= opt->merge;
	return true;
}

/* One machine that is this one is a run without --remote. */
static void drop_direct(struct options *opt)
{
	if (opt->n_remotes == 1 && !opt->merge && opt->remotes->kind == REMOTE_DIRECT)
		opt->n_remotes = 0;
}

/* --bundle builds modules and runs nothing. */
static bool check_bundle(struct options *opt)
{
	if (!opt->bundle)
		return true;
	if (opt->vm || opt->n_remotes || opt->runtime == RUNTIME_USER)
		return usage_error("--bundle writes modules for kernels of -r: it cannot go with --%s", opt->vm ? "vm" :
				   opt->n_remotes ? "remote" : "runtime=user");
	if (opt->last_pass < 4 || opt->list || opt->dump || opt->language_server)
		return usage_error("--bundle builds a script: it cannot go with listings and -p");
	if (opt->command || opt->target || opt->seconds || opt->output || option_live(opt))
		return usage_error("-%s is for a session, which --bundle does not run: give it to ktaprun", opt->command ? "c" :
				   opt->target ? "x" : opt->seconds ? "T" : opt->output ? "o" : "-monitor, --prometheus, --otlp or --notify");
	opt->last_pass = 4;
	return true;
}

/* Conflicts between options. */
static bool check_together(const struct options *opt)
{
	bool user = opt->runtime == RUNTIME_USER;

	if ((opt->vm_memory || opt->vm_cpus || opt->vm_network || opt->vm_root) && !opt->vm)
		return usage_error("--vm-%s needs --vm", opt->vm_memory ? "memory" : opt->vm_cpus ? "cpus" :
				   opt->vm_root ? "root" : "network");
	if (user && opt->vm)
		return usage_error("--runtime=user runs in a process: it cannot go with --vm");
	if (opt->endless && !opt->guru)
		return usage_error("--suppress-time-limits needs -g: a handler without end would stop the system");
	if (opt->flight && !opt->output)
		return usage_error("-F needs -o FILE: what is recorded goes to files, of which -S MB,N keeps the last");
	if (opt->rotation && !opt->output)
		return usage_error("-S needs -o FILE");
	if (user && option_keeps_files(opt))
		return usage_error("-%c is for scripts in the kernel: --runtime=user ends with its terminal", option_keeps_files(opt));
	if (user && opt->transport)
		return usage_error("--transport is for scripts in the kernel: those of --runtime=user print themselves");
	if (opt->snapshot_ms && !opt->json)
		return usage_error("--snapshots needs -f json: snapshots are objects");
	if (opt->json && opt->folded)
		return usage_error("--folded and -f json exclude each other: both say how globals are printed");
	if (opt->bulk && (opt->flight || opt->rotation || opt->json || opt->timestamps))
		return usage_error("-b writes records that are not formatted: -F, -S, -f json and --timestamps cannot go with it");
	if (user && opt->sign_key)
		return usage_error("--sign-module is for scripts in the kernel: --runtime=user loads no module");
	if (opt->flight && opt->vm)
		return usage_error("-F cannot go with --vm: the machine ends with this program");
	if (option_keeps_files(opt) && opt->vm)
		return usage_error("-%c cannot go with --vm: files of the guest end with it", option_keeps_files(opt));
	return true;
}

/* Commands come on standard input. */
static bool check_control(const struct options *opt)
{
	if (opt->control && opt->flight)
		return usage_error("--control reads standard input, which a session of -F does not have");
	return !opt->control || !opt->script_file || strcmp(opt->script_file, "-") ||
	       usage_error("--%s reads standard input: give the script as a file or with -e", opt->live.monitor ? "monitor" : "control");
}

/* Variables of SystemTap's that mean what ours do; ours win. */
static void take_environment(void)
{
	const char *release = getenv("SYSTEMTAP_RELEASE");

	if (release && *release)
		setenv("KTAP_RELEASE", release, 0);
}

bool options_parse(int argc, char **argv, struct options *opt, int *ret_exit)
{
	struct kt_options all;
	int got, n_rc;

	*opt = (struct options){ .last_pass = 5 };
	*ret_exit = 1;
	init_options(&all);
	diag_color = may_color();
	/* A script of this name is ./plan, ./resolve. */
	if (argc > 2 && (!strcmp(argv[1], "plan") || !strcmp(argv[1], "resolve"))) {
		opt->plan = *argv[1] == 'p';
		opt->resolve = !opt->plan;
		opt->last_pass = 2;
		argv[1] = argv[0];
		argv++;
		argc--;
	}
	take_environment();
	if (!rc_file_add(&argc, &argv, &n_rc))
		return false;
	while ((got = kt_options_next(&all, argc, argv)) != -1) {
		if (got == 'h' || got == 'V') {
			if (got == 'h')
				print_help();
			else
				puts("ktap " PACKAGE_VERSION ", for scripts of SystemTap (version 5.6)");
			*ret_exit = 0;
			return false;
		}
		if (got >= OPT_REFUSED)
			return usage_error("no '--%s' here: %s", refused[got - OPT_REFUSED].name,
					   refused[got - OPT_REFUSED].instead);
		if (got == '?' || got == ':' ? !bad_option(got, argv) : !set_option(opt, got, optarg)) {
			if (optind <= n_rc + 1)
				note(nowhere, "it stands in the file 'rc' of $SYSTEMTAP_DIR, or of ~/.systemtap");
			return false;
		}
	}
	opt->called_as = argv[0];
	opt->words = argv + 1 + n_rc;
	opt->n_words = optind - 1 - n_rc;
	if (opt->n_words && !strcmp(argv[optind - 1], "--"))
		opt->n_words--;
	opt->on_terminal = opt->last_pass == 5 && !opt->output && isatty(STDOUT_FILENO);
	drop_direct(opt);
	return check_remote(opt) && check_bundle(opt) && prepare_live(opt) && check_together(opt) && take_words(opt, argc - optind, argv + optind) &&
	       check_control(opt);
}

void options_apply(const struct options *opt, struct program *p)
{
	p->platform = (struct platform){ .release = opt->release, .debuginfo = opt->debuginfo, .runtime = opt->runtime };
	p->language = (struct language){
		.guru = opt->guru, .no_optimise = opt->no_optimise, .skip_badvars = opt->skip_badvars, .endless = opt->endless,
		.compatible = opt->compatible, .defines = opt->defines, .include_dirs = opt->include_dirs,
	};
	p->output = (struct output){
		.verbose = opt->verbose, .list = opt->list, .list_variables = opt->list_variables, .plan = opt->plan,
		.dump = opt->dump, .no_autoprint = opt->no_autoprint, .folded = opt->folded, .histograms = opt->histograms,
		.json = opt->json, .snapshot_ms = opt->snapshot_ms, .resolve = opt->resolve, .timing = opt->timing,
		.control = opt->control, .on_terminal = opt->on_terminal,
	};
	p->session = (struct session){
		.script_file = opt->script_file, .command = opt->command, .target = opt->target, .last_pass = opt->last_pass,
		.buffer_mb = opt->buffer_mb, .objects = opt->objects, .libraries = opt->libraries, .on_overload = opt->on_overload,
	};
	p->build = (struct build_settings){
		.keep = opt->keep, .kbuild = opt->kbuild, .no_cache = opt->no_cache, .module_name = opt->module_name,
		.bundled = opt->bundle != NULL, .modinfo = opt->modinfo, .make = opt->make, .sign_key = opt->sign_key, .sign_cert = opt->sign_cert,
	};
}

bool option_live(const struct options *opt)
{
	return opt->live.monitor || opt->live.prometheus || opt->live.notify || opt->live.otlp;
}
