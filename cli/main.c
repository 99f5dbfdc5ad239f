/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program is its pass list: script text goes down once, and -pN stops after pass N and prints what it made. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/bundle.h"
#include "cli/commands.h"
#include "cli/edit/server.h"
#include "cli/obstacles.h"
#include "cli/options.h"
#include "cli/prompt/interactive.h"
#include "cli/remote/remote.h"
#include "cli/run.h"
#include "cli/script.h"
#include "cli/stap.h"
#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/interrupt.h"
#include "lib/limits.h"
#include "lib/mapped.h"
#include "lib/paths.h"
#include "lib/standard-files.h"
#include "lib/status.h"
#include "translator/bpf/bpf.h"
#include "translator/debuginfo/target.h"
#include "translator/gen/gen.h"
#include "translator/module/build.h"
#include "translator/platform/kernels.h"
#include "translator/sema/sema.h"

enum { MEMORY_DEFAULT_MB = 1024 }; /* without -DMAXMEMORY */

/* A script on its way through the passes. */
struct compilation {
	const struct options *opt;
	struct program program;
	struct reports reports; /* of the program */
	struct text c_code; /* after pass 3 */
	char *module;       /* after pass 4: path of the .ko or, for --runtime=user, of the program */
	int module_fd;      /* the .ko, open; else -1 */
	struct text listed; /* after the pass of -l, -L and --dump-... */
};

static bool parse(struct compilation *c)
{
	const struct options *opt = c->opt;
	bool ok = script_parse(&c->program, opt) && defines_check(&c->program);

	if (!ok && opt->script_text && opt->n_args && !strpbrk(opt->script_text, "{ "))
		note(diag_nowhere(&c->reports), "the script of -e is '%s' alone: put the whole of it in quotes", opt->script_text);
	return ok;
}

static bool analyse(struct compilation *c)
{
	return sema_run(&c->program) && globals_check(&c->program, c->opt->globals) && gen_check_patterns(&c->program);
}

/* With --runtime=auto a construct that BPF programs lack can be done by neither vehicle. */
static bool generate_bpf(struct compilation *c)
{
	const struct obstacle *o = c->opt->no_module;
	bool ok = bpf_generate(&c->program, &c->c_code);

	if (!ok && o)
		note(diag_nowhere(&c->reports), "no module can be %s: %s; run: %s", c->opt->no_build ? "built" : "loaded", o->found, o->mend);
	return ok;
}

static bool generate(struct compilation *c)
{
	if (c->program.platform.runtime == RUNTIME_BPF)
		return generate_bpf(c);
	return gen_program(&c->program, &c->c_code);
}

static bool build(struct compilation *c)
{
	if (!run_check(c->opt))
		return false;
	if (c->program.platform.runtime == RUNTIME_BPF)
		return build_image(&c->program, &c->c_code, c->opt->vm || c->opt->last_pass < 5, &c->module, &c->module_fd);
	if (c->program.platform.runtime == RUNTIME_USER)
		return build_user(&c->program, &c->c_code, &c->module);
	return build_module(&c->program, &c->c_code, &c->module, &c->module_fd);
}

static bool list(struct compilation *c)
{
	return sema_list(&c->program, &c->listed);
}

/* `ktap plan` also shows how much memory arrays take, which pass 3 knows. */
static void dump_analysis(struct text *t, struct compilation *c)
{
	struct program *p = &c->program;
	bool arrays = false;

	sema_dump(t, p);
	for (const struct symbol *s = p->globals; s; s = s->next)
		arrays |= s->array;
	if (p->output.plan && arrays && generate(c))
		gen_memory(t, p);
}

static void dump_script(struct text *t, struct compilation *c)
{
	ast_print(t, &c->program);
}

static void dump_c(struct text *t, struct compilation *c)
{
	if (c->program.platform.runtime == RUNTIME_BPF)
		bpf_dump(t, &c->c_code);
	else
		text_append(t, text_str(&c->c_code), c->c_code.len);
}

static void dump_module(struct text *t, struct compilation *c)
{
	text_printf(t, "%s\n", c->module);
}

static void dump_list(struct text *t, struct compilation *c)
{
	text_append(t, text_str(&c->listed), c->listed.len);
}

static const struct pass {
	int number;
	const char *verb; /* for -v: "Pass 2: analysed using ..." */
	bool (*run)(struct compilation *c);
	void (*dump)(struct text *t, struct compilation *c);
} pass_table[] = {
	{ 1, "parsed", parse, dump_script },
	{ 2, "analysed", analyse, dump_analysis },
	{ 3, "translated to C", generate, dump_c },
	{ 4, "built", build, dump_module },
};

/* Takes the place of pass 2; it prints what it found even if that is not all that was asked for. */
static const struct pass list_pass = { 2, "listed", list, dump_list };

/* A script may stand for more than any machine holds: each of the bounds before this one names its cause, this one is left. */
static void analysis_full(void *program)
{
	const struct program *analysed = program;
	long long mb = language_limit(&analysed->language, "MAXMEMORY", MEMORY_DEFAULT_MB);

	trial_switch(analysed->reports, NULL);
	error(analysed->current, DIAG_LIMIT, "the analysis of the script takes more than %lld MB", mb);
	note(analysed->current, "probe fewer places or make the script smaller; -DMAXMEMORY=%lld allows more", mb * 4);
	diag_end_pass(analysed->reports);
	interrupt_end();
	exit(1);
}

static void bound_memory(struct program *p)
{
	int64_t mb = language_limit(&p->language, "MAXMEMORY", MEMORY_DEFAULT_MB);

	arena_bound(&program_arena, mb > 0 && mb < (1 << 20) ? (size_t)mb << 20 : 0, analysis_full, p);
}

struct usage {
	double user, system, real;
	long peak; /* resident, in KB, of this process so far */
};

static struct usage usage_now(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
#define SECONDS(tv) ((double)(tv).tv_sec + (double)(tv).tv_usec / 1e6)
	return (struct usage){
		.user = SECONDS(self.ru_utime) + SECONDS(children.ru_utime),
		.system = SECONDS(self.ru_stime) + SECONDS(children.ru_stime),
		.real = clock_seconds(),
		.peak = self.ru_maxrss,
	};
#undef SECONDS
}

/* -v: what will be probed. */
static void print_summary(const struct program *p)
{
	_cleanup_text_ struct text t = { 0 };

	sema_summary(&t, p);
	fputs(text_str(&t), stderr);
}

/* Was there an error of the program, or of the process? */
static bool has_errors(const struct compilation *c)
{
	return diag_errors(&c->reports) || diag_errors(NULL);
}

/* Runs PASS. False: it failed, or what it read may be wrong; both are reported. */
static bool run_whole(const struct pass *pass, struct compilation *c)
{
	bool ok = pass->run(c);

	if (mapped_cut())
		error(diag_nowhere(&c->reports), DIAG_IO, "'%s' became shorter while it was read, or its disk failed", mapped_cut());
	return ok && !has_errors(c);
}

/* -v: one line a pass on stderr. */
static bool run_pass(const struct pass *pass, struct compilation *c)
{
	const struct program *p = &c->program;
	struct usage before = usage_now(), after;
	bool ok;

	if (pass->number == 2)
		status_begin("resolving the probes");
	ok = run_whole(pass, c);
	if (pass->number == 2)
		status_end();
	diag_end_pass(&c->reports);
	diag_end_pass(NULL);
	if (!ok && !has_errors(c) && pass != &list_pass) /* a list may be empty */
		bug("pass %d failed and did not say why", pass->number);
	if (!ok && pass->number == 2)
		diag_print_catalog(&c->reports);
	after = usage_now();
	if (stap_is_name(c->opt->called_as)) {
		stap_pass_end(p, pass->number, ok, c->module, (struct pass_times){ (after.user - before.user) * 1e3,
			      (after.system - before.system) * 1e3, (after.real - before.real) * 1e3 });
		return ok;
	}
	if (p->output.verbose)
		fprintf(stderr, "Pass %d: %s using %ldres kb, in %.0fusr/%.0fsys/%.0freal ms.\n", pass->number,
			ok ? pass->verb : "failed", after.peak, (after.user - before.user) * 1e3,
			(after.system - before.system) * 1e3, (after.real - before.real) * 1e3);
	if (p->output.verbose && ok && pass->run == analyse)
		print_summary(p);
	return ok;
}

static int dump_pass(const struct pass *pass, struct compilation *c)
{
	struct text t = { 0 };
	bool written;

	pass->dump(&t, c);
	if (isatty(STDOUT_FILENO)) { /* names come from files of other users */
		struct text clean = { 0 };

		text_put_clean(&clean, text_str(&t), t.len);
		text_deinit(&t);
		t = clean;
	}
	written = fwrite(text_str(&t), 1, t.len, stdout) == t.len && !fflush(stdout) && !ferror(stdout);
	text_deinit(&t);
	if (!written)
		error((struct loc){ 0 }, DIAG_IO, "cannot write standard output: %s", strerror(errno));
	return written && !has_errors(c) ? 0 : 1;
}

static int run_passes(struct compilation *c)
{
	for (size_t i = 0; i < sizeof(pass_table) / sizeof(pass_table[0]); i++) {
		const struct pass *pass = &pass_table[i];

		if (!run_pass(pass, c))
			return 1;
		if (pass->run == build && c->opt->bundle)
			return bundle_take(c->opt, &c->program, c->module_fd);
		if (c->program.session.last_pass == pass->number)
			return dump_pass(pass, c);
	}
	return run_module(c->opt, c->module, c->module_fd);
}

/* -l, -L, --dump-...: succeeds when something was listed. */
static int run_list(struct compilation *c)
{
	bool parsed = run_pass(&pass_table[0], c), ok = parsed && run_pass(&list_pass, c);
	const char *word = c->opt->list_word;

	if (!parsed && c->program.output.list)
		note(diag_nowhere(&c->reports), "-%c takes a probe point, what stands between 'probe' and '{': those two are added to it",
		     c->program.output.list_variables ? 'L' : 'l');
	if (parsed && !c->listed.len && !has_errors(c) && word) {
		error((struct loc){ 0 }, DIAG_NO_MATCH, "no function, tracepoint, system call or alias is named '%s'", word);
		note((struct loc){ 0 }, "ktap -l '*PART*' lists what has PART in its name; module(\"*\").function(\"%s\") looks in "
		     "modules too", word);
	}
	return dump_pass(&list_pass, c) || !ok;
}

/* Compiles the script as OPT says, and runs it unless an option says otherwise. */
static int run_script(struct options *opt)
{
	struct compilation *c = arena_new(&program_arena, struct compilation);
	int status;

	if (!run_choose_kernel(opt) && !opt->language_server)
		return 1;
	c->opt = opt;
	c->module_fd = -1;
	options_apply(opt, &c->program);
	c->reports = diag_like(diag_process());
	c->program.reports = &c->reports;
	if (opt->language_server)
		return defines_check(&c->program) ? server_run(&c->program) : 1;
	bound_memory(&c->program);
	status = opt->vm_exec ? run_vm_command(opt) :
		 opt->list || opt->dump ? run_list(c) : run_passes(c);
	interrupt_end();
	text_deinit(&c->c_code);
	text_deinit(&c->listed);
	/* The program's open files end with the process. It is in the arena and so reachable
	 * to the end: to LeakSanitizer only what was lost is a leak. */
	return status;
}

/* --prepare. Returns the exit status. */
static int prepare(const struct options *opt)
{
	const struct kernel *k;

	if (opt->script_text || opt->n_args) {
		error((struct loc){ 0 }, DIAG_USAGE, "--prepare takes no script; a release is given as --prepare=RELEASE");
		return 1;
	}
	k = kernel_find(NULL, opt->release ? kernel_completed(opt->release, kernel_builds) : NULL);
	return !k || !prepare_kit(k, opt->verbose);
}

/* Does what the words of a command line ask for. PROMPT: -i is allowed, and a script may have the name of a command; false for the
 * lines of -i. LIMITS: those of this process, as it was started. Returns the exit status. */
static int run_words(struct limits *limits, int argc, char **argv, bool prompt);

/* For a line of -i, in a child. */
static int run_line(struct limits *limits, int argc, char **argv)
{
	optind = 0; /* getopt's: it begins again */
	diag_forget(NULL);
	return run_words(limits, argc, argv, false);
}

static int run_words(struct limits *limits, int argc, char **argv, bool prompt)
{
	struct options *opt = arena_new(&program_arena, struct options); /* there for the same reason as the program */
	int status;

	if (!stap_is_name(argv[0]) && command_run(argc, argv, prompt, &status))
		return status;
	if (!options_parse(argc, argv, limits, opt, &status))
		return status;
	if (opt->interactive && prompt)
		return interactive_run(opt, run_line);
	if (opt->script_file && !stap_is_name(argv[0]) && !command_find_script(opt->script_file))
		return 1;
	status_init(opt->quiet);
	if (opt->clean_cache) {
		if (!cache_dir())
			return 1;
		cache_trim();
		return 0;
	}
	if (opt->prepare)
		return prepare(opt);
	if (opt->bundle)
		return bundle_run(opt, run_script);
	return opt->n_remotes ? remote_run(opt, run_script) : run_script(opt);
}

int main(int argc, char **argv)
{
	struct limits limits;

	if (!open_standard_files())
		return 1;
	heed_children();
	signal(SIGXFSZ, SIG_IGN); /* write() fails at the limit of `ulimit -f`, which is reported, and nothing stays behind */
	if (!limits_begin(&limits))
		return 1;
	check_compiler_files();
	return run_words(&limits, argc, argv, true);
}
