/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a script with stand-ins for what only a run knows. A script argument may stand for a number or for a name: each is tried. */
#include "cli/edit/parsed.h"

#include <string.h>

#include "lib/text.h"
#include "translator/machine/machine.h"
#include "translator/sema/tapset.h"
#include "translator/syntax/parse.h"

enum { STAND_INS = 32 };

static const char *no_config(void *data, const char *name)
{
	return NULL;
}

/* The answers are the same on every machine, so that what is formatted on one is on another. */
static const struct conditions *conditions(void)
{
	struct conditions *c = arena_new(&program_arena, struct conditions);

	*c = (struct conditions){
		.kernel_v = "6.1.0", .kernel_vr = "6.1.0", .runtime = "kernel", .systemtap_v = "5.6", .privilege = "stapdev",
		.arch = machine_target()->script, .guru = true, .config = no_config,
	};
	return c;
}

static const struct parse_options *options(const char *stand_in)
{
	struct parse_options *po = arena_new(&program_arena, struct parse_options);
	const char **argv = arena_array(&program_arena, const char *, STAND_INS);

	for (int i = 0; i < STAND_INS; i++)
		argv[i] = stand_in;
	*po = (struct parse_options){ .conditions = conditions(), .argv = argv, .argc = STAND_INS, .guru = true };
	return po;
}

bool parsed_begin(struct program *p)
{
	p->parse = options("1");
	return tapset_index(p, p->parse);
}

static bool is_macro_file(const struct source *src)
{
	const char *dot = strrchr(src->name, '.');

	return dot && !strcmp(dot, ".stpm");
}

/* Parses SRC alone, into RET. Macros of libraries are kept in P. */
static bool parse(struct program *p, struct program *ret, struct source *src, const char *stand_in)
{
	const struct parse_options *po = options(stand_in);

	tapset_macros_for(p, src);
	*ret = program_like(p);
	ret->tapset = p->tapset;
	ret->macros = p->macros;
	if (!is_macro_file(src))
		return parse_source(ret, src, po);
	ret->macros = (struct map){ 0 };
	return parse_macros(ret, src, po);
}

/* The same without a message. */
static bool parses(struct program *p, struct program *ret, struct source *src, const char *stand_in)
{
	struct trial trial;
	bool ok;

	trial_begin(p->reports, &trial, TRIAL_DROPS);
	ok = parse(p, ret, src, stand_in);
	trial_end(&trial);
	return ok;
}

bool parsed_script(struct program *p, struct source *src)
{
	struct program tried;

	if (!parses(p, &tried, src, "1") && parses(p, &tried, src, "name"))
		p->parse = options("name");
	tapset_macros_for(p, src);
	return parse_source(p, src, p->parse);
}

const char *parsed_canonical(struct program *p, struct source *src)
{
	struct text t = { 0 };
	struct program one;

	if (!parses(p, &one, src, "1") && !parses(p, &one, src, "name") && !parse(p, &one, src, "1"))
		return NULL;
	ast_print(&t, &one);
	return text_keep(&t);
}
