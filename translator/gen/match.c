/* SPDX-License-Identifier: GPL-2.0-or-later */
/* =~ and !~: calls of the matchers that regex.c makes, each expression once a program.
 *
 * Where the script asks for groups (matched() and similar functions), the matcher runs its program too, in space of the
 * handler's frame.
 */
#include "translator/gen/parts.h"

#include "lib/vec.h"
#include "translator/gen/gen.h"
#include "translator/sema/regex.h"
#include "translator/probe/probe.h"
#include "translator/sema/pass.h"

/* The whole program asks for groups or not: a function may match and its caller look. */
static bool wants_groups(const struct gen *g)
{
	for (int i = 0; i < g->plan.n_functions; i++)
		if (plan_is_match_function(g->plan.functions[i]))
			return true;
	return false;
}

/* Compiles the expression unless it is known; its number, or -1. */
static int regex_number(struct gen *g, const struct node *n, const struct node *pattern, bool groups, kt_u32 *ret_room)
{
	struct regex re;
	size_t before = g->patterns.n;
	/* Patterns may hold NULs, names of the table may not. */
	int number = table_add(&g->patterns, c_whole_string(pattern->text, pattern->text_len));

	if (g->patterns.n > before) {
		*vec_add(g->regex_room, before) = 0;
		if (!regex_compile(n->loc, pattern->text, pattern->text_len, groups, &re)) {
			g->failed = true;
			return -1;
		}
		if (groups)
			g->regex_room[number] = regex_room(&re);
		regex_emit(&g->regexes, number, &re);
	}
	*ret_room = g->regex_room[number];
	return number;
}

const char *gen_match(struct gen *g, const struct node *n)
{
	bool groups = wants_groups(g);
	struct value subject = gen_expr(g, n->kid[0]);
	int mark = g->u->slots, number;
	const char *t = gen_temp(g), *not = n->op == OP_NMATCH ? "!" : "";
	kt_u32 room = 0;

	number = regex_number(g, n, n->kid[1], groups, &room);
	if (number < 0)
		return "0";
	if (!groups) {
		gen_line(g, "%s = kt_regex_match(&re_%d, %s);", t, number, subject.text);
	} else {
		const char *slot = gen_slot(g);

		/* More slots in a row make the space. */
		for (kt_u32 i = (kt_u32)g->limits.string_max; i < 2 * room; i += (kt_u32)g->limits.string_max)
			gen_slot(g);
		gen_line(g, "%s = kt_regex_groups(c, &re_%d, %s, KT_STR, (kt_u16 *)%s);", t, number, subject.text, slot);
		gen_check(g, n);
		g->u->looks = true;
	}
	g->u->slots = mark;
	return arena_printf(&program_arena, "(%s%s)", not, t);
}

void gen_match_state(struct gen *g)
{
	const int bytes = 2 * 2 * (REGEX_GROUPS_MAX + 1);

	if (!wants_groups(g))
		return;
	gen_line(g, "c->match_groups = -1;");
	gen_line(g, "c->match_text = %s;", gen_slot(g));
	gen_line(g, "c->match_at = (kt_u16 *)%s;", gen_slot(g));
	for (int i = g->limits.string_max; i < bytes; i += g->limits.string_max)
		gen_slot(g);
}

/* ---- before pass 3 ---- */
static bool check_pattern(struct node *n, void *data)
{
	bool *ok = data;
	struct regex re;

	if (n->kind == ND_BINARY && (n->op == OP_MATCH || n->op == OP_NMATCH) && n->kid[1]->kind == ND_STR)
		*ok &= regex_compile(n->loc, n->kid[1]->text, n->kid[1]->text_len, false, &re);
	return true;
}

bool gen_check_patterns(const struct program *p)
{
	const struct probe *previous = NULL;
	bool ok = true;

	for (const struct function *f = p->functions; f; f = f->next)
		if (f->used && f->body)
			node_visit(f->body, check_pattern, &ok);
	for (const struct probe *pr = p->probes; pr; previous = pr, pr = pr->next)
		if (!previous || previous->body != pr->body)
			node_visit(pr->body, check_pattern, &ok);
	return ok;
}
