/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 1 from the command line's point of view: the texts of -e, -E and the script file, its arguments, and the facts
 * about kernel and options that %( %) conditionals may ask for. The kernel is looked for on the first question only. */
#include "cli/script.h"

#include <string.h>

#include "cli/options.h"
#include "lib/sha256.h"
#include "translator/debuginfo/target.h"
#include "translator/machine/machine.h"
#include "translator/sema/tapset.h"
#include "translator/syntax/habits.h"

/* Whom the conditions ask. */
struct asked {
	const struct options *opt;
	struct reports *reports;
};

static const char *condition_config(void *data, const char *name)
{
	const struct asked *a = data;
	const struct kernel *k = kernel_find(a->reports, a->opt->release);

	return k ? kernel_config(k, name) : NULL;
}

/* kernel_vr is the release, kernel_v the part before the first '-'. */
static const char *condition_kernel(void *data, bool full)
{
	const struct asked *a = data;
	const struct kernel *k = kernel_find(a->reports, a->opt->release);

	if (!k)
		return NULL;
	return full ? k->release :
		      arena_strndup(&program_arena, k->release, strcspn(k->release, "-+"));
}

static const struct conditions *script_conditions(const struct options *opt, struct reports *reports)
{
	struct conditions *c = arena_new(&program_arena, struct conditions);
	struct asked *a = arena_new(&program_arena, struct asked);

	*a = (struct asked){ opt, reports };
	*c = (struct conditions){
		.arch = machine_target()->script,
		.runtime = opt->runtime == RUNTIME_USER ? "user" : "kernel",
		.systemtap_v = opt->compatible ? opt->compatible : "5.6",
		.privilege = "stapdev",
		.guru = opt->guru,
		.config = condition_config,
		.kernel = condition_kernel,
		.data = a,
	};
	return c;
}

static bool parse_one(struct program *p, struct source *src, struct sha256 *sum)
{
	if (!src)
		return false;
	sha256_add(sum, src->text, src->len);
	p->texts = arena_printf(&program_arena, "%s%s", p->texts ? p->texts : "", src->text);
	tapset_macros_for(p, src);
	return parse_source(p, src, p->parse);
}

/* The texts in the order they are parsed: -e or the file, then each -E. */
static bool parse_texts(struct program *p, const struct options *opt)
{
	struct sha256 sum;
	bool ok = true;
	int n = 1;

	sha256_init(&sum);
	if (opt->script_file)
		ok = parse_one(p, source_from_file(p, opt->script_file), &sum);
	if (opt->script_text)
		ok = parse_one(p, source_from_text(p, "<input>", opt->script_text), &sum);
	for (const char **text = opt->extra_texts; text && *text; text++)
		ok = parse_one(p, source_from_text(p, arena_printf(&program_arena, "<input%d>", ++n), *text), &sum) && ok;
	p->sha256 = sha256_hex(&sum);
	return ok;
}

/* A word that looks like an option is one in the wrong place: running without it would do something else than asked. */
static void unused_argument(const struct program *p, int n, const char *text)
{
	struct loc place = diag_nowhere(p->reports);

	if (text[0] != '-') {
		warning(place, DIAG_SCRIPT_ARG, "script argument %d, '%s', is not used", n, text);
		return;
	}
	error(place, DIAG_SCRIPT_ARG, "script argument %d, '%s', is not used", n, text);
	note(place, "options of ktap go before the script: ktap %s ... SCRIPT", text);
}

static bool find_argv(struct node *n, void *data)
{
	if ((n->kind == ND_NAME || n->kind == ND_INDEX) && n->name && (!strcmp(n->name, "argv") ||
	    !strncmp(n->name, "argv_", 5)))
		*(bool *)data = true;
	return !*(bool *)data;
}

/* Does the script take its arguments from the library's array? Then it uses all of them. */
static bool uses_argv(const struct program *p)
{
	bool found = false;

	for (const struct probe_def *d = p->probe_defs; d && !found; d = d->next)
		node_walk(d->body, find_argv, &found);
	for (const struct function *f = p->functions; f && !found; f = f->next)
		if (f->body)
			node_walk(f->body, find_argv, &found);
	return found;
}

struct printed {
	struct node *empty; /* a println() without arguments */
	bool other;         /* something else that may print */
};

static bool find_printed(struct node *n, void *data)
{
	struct printed *found = data;

	if (n->kind == ND_PRINT && n->op == OP_PRINTLN && !n->list)
		found->empty = n;
	else if (n->kind == ND_PRINT || (n->kind == ND_CALL && strcmp(n->name, "exit")))
		found->other = true;
	return true;
}

/* A script of -e without a '$' that prints nothing but empty lines: in double quotes the shell has taken the names. */
static void warn_of_empty_lines(const struct program *p, const struct options *opt)
{
	struct printed found = { 0 };

	if (!opt->script_text || strchr(opt->script_text, '$') || p->globals || p->functions)
		return;
	for (const struct probe_def *d = p->probe_defs; d; d = d->next)
		node_walk(d->body, find_printed, &found);
	if (!found.empty || found.other)
		return;
	warning(found.empty->loc, DIAG_UNUSED, "the script prints nothing but empty lines");
	habit_note_shell(opt->script_text, found.empty->loc);
}

bool script_parse(struct program *p, const struct options *opt)
{
	struct parse_options *po = arena_new(&program_arena, struct parse_options);
	bool *used = arena_array(&program_arena, bool, (size_t)opt->n_args + 1);
	bool ok;

	*po = (struct parse_options){
		.conditions = script_conditions(opt, p->reports),
		.argv = opt->args,
		.argc = opt->n_args,
		.arg_used = used,
		.guru = opt->guru,
	};
	p->parse = po;
	ok = tapset_index(p, po) && parse_texts(p, opt);
	for (int i = 0; ok && i < opt->n_args && !uses_argv(p); i++)
		if (!used[i])
			unused_argument(p, i + 1, opt->args[i]);
	if (ok)
		warn_of_empty_lines(p, opt);
	return ok && !diag_errors(p->reports);
}
