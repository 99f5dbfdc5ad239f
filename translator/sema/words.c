/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that a script reads and nothing assigns, although they mean something: a function that is written without its
 * parentheses, an operator without its @, a word of another language.
 *
 * SystemTap makes such a name a local that is 0 or "", and warns. The script then runs and prints wrong values, so it is an
 * error here. With --compatible it is SystemTap's warning.
 */
#include "translator/sema/words.h"

#include <string.h>

#include "translator/probe/context.h"
#include "translator/sema/functions.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"
#include "translator/syntax/habits.h"

/* Returns the E constant's value as text, NULL if NAME is not one. */
static const char *error_number(const char *name)
{
	enum { ERRORS_MAX = 133 };

	for (int e = 1; *name == 'E' && e <= ERRORS_MAX; e++) {
		const char *known = strerrorname_np(e);

		if (known && !strcmp(known, name))
			return arena_printf(&program_arena, "%d", e);
	}
	return NULL;
}

/* Returns how NAME is called when it is an operator without its @, or one of the printing ones. */
static const char *operator_call(const char *name)
{
	/* p is an ordinary name, although @p is an operator. */
	for (enum op op = OP_COUNT; name[1] && op <= OP_SPRINTF; op++) {
		const char *lexeme = op_info[op].lexeme;

		if (!strcmp(lexeme + (*lexeme == '@'), name))
			return arena_printf(&program_arena, "%s(%s)", lexeme, *lexeme == '@' ? "statistic" : "...");
	}
	return NULL;
}

const char *word_instead(const char *name)
{
	const char *found = operator_call(name);

	if (!found)
		found = habit_word(name);
	return found ? found : error_number(name);
}

const char *word_call(const char *name, const struct function *f)
{
	char *call = arena_printf(&program_arena, "%s(", name);

	for (const struct symbol *a = f->params; a; a = a->next)
		call = arena_printf(&program_arena, "%s%s%s", call, a->name, a->next ? ", " : "");
	return arena_printf(&program_arena, "%s)", call);
}

/* Returns how the function NAME is called from FILE, NULL if there is none. Names with underscores are the library's own. */
static const char *function_call(struct program *p, const char *name, const struct source *file)
{
	const struct function *f;
	bool several;

	if (!strncmp(name, "__", 2))
		return NULL;
	f = function_overloads(p, name, 0, file);
	if (!f)
		f = function_named(p, name, file, &several);
	return f ? word_call(name, f) : NULL;
}

struct variable_search {
	const char *name;
	bool found;
};

static void find_variable(const char *name, const char *type, void *data)
{
	struct variable_search *s = data;

	s->found |= !strcmp(name, s->name);
}

static bool has_variable(const struct probe *pr, const char *name)
{
	struct variable_search s = { .name = name };

	context_list_probe(pr, find_variable, &s);
	return s.found;
}

bool word_note_variable(const struct probe *pr, const struct symbol *s)
{
	if (!has_variable(pr, s->name))
		return false;
	note(s->loc, "write $%s for the variable of the probed place", s->name);
	return true;
}

static void list_variable(const char *name, const char *type, void *data)
{
	struct text *t = data;

	text_printf(t, "%s$%s", t->len ? ", " : "", name);
}

bool word_note_variables(const struct probe *pr, const struct symbol *s)
{
	_cleanup_text_ struct text all = { 0 };

	if (pr->alias_chain) { /* what the script does not use of its variables is removed by now */
		note(s->loc, "ktap -L '%s' lists the variables of this probe", probe_alias(pr));
		return true;
	}
	context_list_probe(pr, list_variable, &all);
	if (all.len)
		note(s->loc, "the variables here: %s", text_str(&all));
	return all.len;
}

/* Other places of the same probe may have an alias that assigns the name. */
static bool is_assigned_elsewhere(const struct program *p, const struct probe_def *def, const char *name)
{
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		for (const struct symbol *s = pr->def == def ? pr->locals : NULL; s; s = s->next)
			if (s->name == name && s->written)
				return true;
	return false;
}

/* Returns what to write for S, a local of PR or, where PR is NULL, of a function. NULL: it may be meant as a local. */
static const char *instead_of(struct program *p, const struct symbol *s, const struct probe *pr)
{
	const char *habit = habit_at(HABIT_LOCAL, s->loc, (struct loc){ 0 });
	const char *call = habit ? habit : function_call(p, s->name, s->file);
	const char *instead = call ? call : word_instead(s->name);

	if (!instead || (habit && *habit == '$') || !pr || !has_variable(pr, s->name))
		return instead;
	return arena_printf(&program_arena, "$%s for the variable of the probed place; or %s", s->name, instead);
}

/* Reports each of LOCALS that is a word. PR is the probe that they belong to, NULL for a function. */
static bool check_locals(struct program *p, const struct symbol *locals, const struct probe *pr)
{
	bool ok = true;

	for (const struct symbol *s = locals; s; s = s->next) {
		const char *instead;

		if (!s->read || s->written || !s->loc.src || s->loc.src->tapset || (pr && is_assigned_elsewhere(p, pr->def, s->name)))
			continue;
		instead = instead_of(p, s, pr);
		if (!instead)
			continue;
		ok = error(s->loc, DIAG_NEVER_ASSIGNED, "variable '%s' is read but never assigned", s->name);
		habit_say(s->loc, instead);
	}
	return ok;
}

bool words_check(struct program *p)
{
	struct probe *previous = NULL;
	bool ok = true;

	if (p->language.compatible)
		return true;
	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next)
		if (!previous || previous->body != pr->body)
			ok &= check_locals(p, pr->locals, pr);
	for (struct function *f = p->functions; f; f = f->next)
		if (f->resolved && f->body)
			ok &= check_locals(p, f->locals, NULL);
	return ok;
}
