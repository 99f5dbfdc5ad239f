/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line -> struct options, by the rows of options.def. */
#include "cli/options.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/complete.h"
#include "cli/option-checks.h"
#include "cli/option-values.h"
#include "cli/rcfile.h"
#include "config.h"
#include "lib/arena.h"
#include "lib/limits.h"
#include "runtime/options.h"
#include "translator/machine/machine.h"
#include "translator/probe/probe.h"

enum option_kind {
	OPTION_SECTION, OPTION_FLAG, OPTION_COUNT, OPTION_TEXT, OPTION_CHECKED, OPTION_LIST, OPTION_SETTING, OPTION_NUMBER, OPTION_WORD,
	OPTION_ONE_OF, OPTION_LIMIT, OPTION_CALL, OPTION_MOOT, OPTION_PARSED, OPTION_VALUE
};

/* A row of options.def. */
struct option_row {
	struct kt_option shown;
	enum option_kind kind;
	size_t field;             /* its offset in struct options */
	int min, max, value;
	const char *expected;
	bool (*is)(const char *value);
	option_fn *set;
	const char *given;        /* how a session gets the option; NULL: it does not */
	bool loader_only;
};

/* Options without a letter are known by the line of their row. */
#define SECTION(title) { .shown = { 0, NULL, NULL, title } },
#define OPTION(letter, name, argument, help, action, given) \
	{ .shown = { (letter) ? (letter) : 256 + __LINE__, name, argument, help }, action, given },
#define REFUSED(name, argument, instead)
#define FLAG(member) .kind = OPTION_FLAG, .field = offsetof(struct options, member)
#define COUNT(member) .kind = OPTION_COUNT, .field = offsetof(struct options, member)
#define TEXT(member) .kind = OPTION_TEXT, .field = offsetof(struct options, member)
#define CHECKED(member, check, what) .kind = OPTION_CHECKED, .field = offsetof(struct options, member), .is = (check), .expected = (what)
#define LIST(member) .kind = OPTION_LIST, .field = offsetof(struct options, member)
#define SETTING(member) .kind = OPTION_SETTING, .field = offsetof(struct options, member)
#define NUMBER(member, least, most, what) \
	.kind = OPTION_NUMBER, .field = offsetof(struct options, member), .min = (least), .max = (most), .expected = (what)
#define WORD(type, member) .kind = OPTION_WORD, .field = offsetof(struct options, member)
#define ONE_OF(member) .kind = OPTION_ONE_OF, .field = offsetof(struct options, member)
#define LIMIT(resource) .kind = OPTION_LIMIT, .value = (resource)
#define CALL(function) .kind = OPTION_CALL, .set = (function)
#define MOOT .kind = OPTION_MOOT
#define PARSED .kind = OPTION_PARSED
#define FLAG_IN(member) FLAG(member)
#define TEXT_IN(member) TEXT(member)
#define VALUE_IN(member, number) .kind = OPTION_VALUE, .field = offsetof(struct options, member), .value = (number)
#define HERE .given = NULL
#define BOTH(word) .given = (word)
#define LOADER(word) .given = (word), .loader_only = true
static const struct option_row rows[] = {
#include "cli/options.def"
};

#undef SECTION
#undef OPTION
#undef REFUSED
#define SECTION(title)
#define OPTION(letter, name, argument, help, action, given)
#define REFUSED(name, argument, instead) { 0, name, argument, instead },
/* The help of these rows is the advice. */
static const struct kt_option refused[] = {
#include "cli/options.def"
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]), N_REFUSED = sizeof(refused) / sizeof(refused[0]), ID_REFUSED = 1024 };

bool usage_error(const char *fmt, ...)
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
	struct kt_option shown[N_ROWS];

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
	for (size_t i = 0; i < N_ROWS; i++)
		shown[i] = rows[i].shown;
	kt_options_print(shown, N_ROWS, 28);
	puts("\nExample: ktap -e 'probe begin { println(\"hello\") exit() }'\n"
	     "See ktap(1), ktap-language(5), ktap-probes(5), ktap-tapset(5), ktap-functions(5), ktap-errors(7).");
}

/* The rows, and the names that are refused. */
static void init_options(struct kt_options *ret)
{
	_Static_assert(N_ROWS + N_REFUSED < KT_OPTIONS_MAX, "kt_options has space for all");

	*ret = (struct kt_options){ 0 };
	kt_options_init(ret, NULL, 0);
	for (size_t i = 0; i < N_ROWS; i++)
		kt_options_add(ret, &rows[i].shown);
	for (int i = 0; i < N_REFUSED; i++)
		kt_options_add(ret, &(struct kt_option){ ID_REFUSED + i, refused[i].name, refused[i].argument, NULL });
}

static const struct option_row *row_of(int id)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].kind != OPTION_SECTION && rows[i].shown.id == id)
			return &rows[i];
	bug("option %d has no row", id);
}

/* "-T", or "--vm-cpus". */
static const char *name_of(const struct option_row *r)
{
	return r->shown.id < 256 ? arena_printf(&program_arena, "-%c", r->shown.id) : arena_printf(&program_arena, "--%s", r->shown.name);
}

void option_words(word_fn *fn, void *data)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		const struct kt_option *r = &rows[i].shown;

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

	for (size_t i = 0; i < N_ROWS; i++) {
		const struct kt_option *r = &rows[i].shown;
		const char *letter = r->id && r->id < 256 ? strchr(word, r->id) : NULL;

		if (word[1] == '-' && r->name && strlen(r->name) == len - 2 && !strncmp(r->name, word + 2, len - 2))
			return r->argument;
		if (word[1] != '-' && letter && !letter[1] && r->argument)
			return r->argument;
	}
	return NULL;
}

/* ---- one option ---- */
bool option_word(const char *name, const char *words, const char *value, int *ret)
{
	size_t len = strlen(value);

	words += strspn(words, "[=");
	*ret = 0;
	for (const char *w = words; *w && *w != ']'; w += strcspn(w, "|]"), w += *w == '|', ++*ret)
		if (strcspn(w, "|]") == len && !memcmp(w, value, len))
			return true;
	error(nowhere, DIAG_USAGE, "--%s does not know '%s'", name, value);
	for (const char *w = words; *w && *w != ']'; w += strcspn(w, "|]"), w += *w == '|')
		note(nowhere, "possible: --%s=%.*s", name, (int)strcspn(w, "|]"), w);
	return false;
}

/* One of the words of R; V may be NULL, which is the first. */
static bool set_one_of(const struct option_row *r, const char **ret, const char *v)
{
	const char *words = r->shown.argument + strspn(r->shown.argument, "[=");
	int n;

	*ret = v ? v : arena_strndup(&program_arena, words, strcspn(words, "|]"));
	return option_word(r->shown.name, words, *ret, &n);
}

static bool set_option(struct options *opt, const struct option_row *r, const char *v)
{
	void *field = (char *)opt + r->field;
	const char *why;
	int n;

	switch (r->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return true;
	case OPTION_COUNT:
		++*(int *)field;
		return true;
	case OPTION_TEXT:
		*(const char **)field = v;
		return true;
	case OPTION_CHECKED:
		*(const char **)field = v;
		return r->is(v) || usage_error("%s needs %s, not '%s'", name_of(r), r->expected, v);
	case OPTION_LIST:
		option_append(field, v);
		return true;
	case OPTION_SETTING:
		option_append(field, v);
		return is_setting(v) || usage_error("%s needs NAME=VALUE, not '%s'", name_of(r), v);
	case OPTION_NUMBER:
		return parse_int(v, r->min, r->max, field) || usage_error("%s needs %s, not '%s'", name_of(r), r->expected, v);
	case OPTION_WORD:
		if (!option_word(r->shown.name, r->shown.argument, v, &n))
			return false;
		*(int *)field = n;
		return true;
	case OPTION_ONE_OF:
		return set_one_of(r, field, v);
	case OPTION_VALUE:
		*(int *)field = r->value;
		return true;
	case OPTION_LIMIT:
		why = limits_set(opt->limits, r->value, v);
		return !why || usage_error("--%s=%s: %s", r->shown.name, v, why);
	case OPTION_CALL:
		return r->set(opt, v);
	case OPTION_MOOT:
		return !v || !strchr(r->shown.argument, '|') || option_word(r->shown.name, r->shown.argument, v, &n);
	case OPTION_SECTION:
	case OPTION_PARSED:
		break;
	}
	bug("option '%s' has no action", r->shown.help);
}

/* ---- what a session is given ---- */
struct giver {
	const struct option_row *row;
	void (*fn)(const char *word, void *data);
	void *data;
};

/* Options with a long name take a value in the same word. */
static void give(const struct giver *g, const char *value)
{
	bool is_long = g->row->given[1] == '-';

	g->fn(is_long && value ? arena_printf(&program_arena, "%s=%s", g->row->given, value) : g->row->given, g->data);
	if (!is_long && value)
		g->fn(value, g->data);
}

static void give_row(const struct giver *g, const void *field)
{
	switch (g->row->kind) {
	case OPTION_FLAG:
		if (*(const bool *)field)
			give(g, NULL);
		return;
	case OPTION_TEXT:
	case OPTION_CHECKED:
	case OPTION_ONE_OF:
		if (*(const char *const *)field)
			give(g, *(const char *const *)field);
		return;
	case OPTION_LIST:
	case OPTION_SETTING:
		for (const char *const *v = *(const char *const *const *)field; v && *v; v++)
			give(g, *v);
		return;
	case OPTION_NUMBER:
		if (*(const int *)field)
			give(g, arena_printf(&program_arena, "%d", *(const int *)field));
		return;
	case OPTION_SECTION: case OPTION_COUNT: case OPTION_WORD: case OPTION_LIMIT: case OPTION_CALL: case OPTION_MOOT: case OPTION_PARSED:
	case OPTION_VALUE:
		break;
	}
	bug("nothing says how a session gets '%s'", g->row->given);
}

void options_given(const struct options *opt, void (*fn)(const char *word, void *data), void *data)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].given && !(rows[i].loader_only && opt->runtime == RUNTIME_USER))
			give_row(&(struct giver){ &rows[i], fn, data }, (const char *)opt + rows[i].field);
}

/* ---- the command line ---- */
static bool bad_option(int got, char **argv)
{
	const char *word = argv[optind - 1];
	struct nearest near = { .word = word[1] == '-' ? word + 2 : word };
	char wrong[256];

	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].shown.name)
			nearest_add(&near, rows[i].shown.name);
	if (got != ':' && word[1] == '-' && nearest_get(&near))
		return usage_error("unknown option '%s'; did you mean '--%s'?", word, nearest_get(&near));
	kt_options_wrong(got, argv, wrong, sizeof(wrong));
	return usage_error("%s", wrong);
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

/* Variables of SystemTap's that mean what ours do; ours win. */
static void take_environment(void)
{
	const char *release = getenv("SYSTEMTAP_RELEASE");

	if (release && *release)
		setenv("KTAP_RELEASE", release, 0);
}

bool options_parse(int argc, char **argv, struct limits *limits, struct options *opt, int *ret_exit)
{
	struct kt_options all;
	int got, n_rc;

	*opt = (struct options){ .last_pass = 5, .runtime = RUNTIME_AUTO, .limits = limits };
	*ret_exit = 1;
	init_options(&all);
	diag_process()->color = option_may_color();
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
		if (got >= ID_REFUSED)
			return usage_error("no '--%s' here: %s", refused[got - ID_REFUSED].name, refused[got - ID_REFUSED].help);
		if (got == '?' || got == ':' ? !bad_option(got, argv) : !set_option(opt, row_of(got), optarg)) {
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
	return options_check(opt) && take_words(opt, argc - optind, argv + optind) && options_check_input(opt);
}

void options_apply(const struct options *opt, struct program *p)
{
	p->platform = (struct platform){
		.machine = machine_target(), .release = opt->release, .debuginfo = opt->debuginfo, .runtime = opt->runtime,
		.guest_root = opt->guest_root,
	};
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
