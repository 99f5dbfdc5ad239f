/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals of the script that are written and never read are printed when the session ends: one `end` probe each, in the
 * order of their declaration, written as script text and parsed:
 *
 *     name=5   name="text"   name["two",2]=4   name: count 4, min 1, avg 2, max 4, sum 10, and a histogram
 *
 * Of an array a terminal shows the largest values, and how many more there are. Keys that are stacks come a frame a line, with the
 * element's value under them. With --compatible all elements are printed, in SystemTap's form:
 *
 *     name @count=4 @min=1 @max=4 @sum=10 @avg=2
 *
 * With -f json autoprint-json.c writes the probes. With --snapshots they run again and again, for globals that are read, too.
 */
#include <string.h>

#include "lib/text.h"
#include "translator/debuginfo/target.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"

/* Of an array, a terminal shows so many elements. A stack counts as four: more than five would scroll the first ones away. */
enum { SHOWN_MAX = 20, STACK_COUNTS = 4 };

/* How the globals of a program are printed. */
struct style {
	bool systemtap;  /* --compatible */
	bool histograms; /* --hist: of elements too */
	bool top;        /* the largest elements only */
	bool stacks;     /* keys may be stacks as text: the script calls a function that returns one */
	bool addresses;  /* keys may be addresses of backtrace() */
};

/* The parts of an aggregate's summary in the two forms. */
static const struct summary {
	const char *op, *systemtap, *ours;
} summary[] = {
	{ "@count", " @count=%d", ": count %d" },
	{ "@min", " @min=%d", ", min %d" },
	{ "@max", " @max=%d", ", max %d" },
	{ "@sum", " @sum=%d", ", sum %d" },
	{ "@avg", " @avg=%d", ", avg %d" },
};

enum { N_SUMMARY = sizeof(summary) / sizeof(summary[0]) };

/* Snapshots have what the script reads, too. */
static bool is_printed(const struct symbol *g, int snapshot_ms)
{
	return g->written && (!g->read || snapshot_ms) && g->loc.src && !g->loc.src->tapset &&
	       (!g->array || g->arity > 0);
}

/* Directive for a value of this type, inside a quoted script string. */
static const char *directive(enum type t)
{
	return t == TY_STRING ? "\\\"%#s\\\"" : "%d";
}

/* The same for the values of G, which may be addresses. */
static const char *value_directive(const struct symbol *g)
{
	return g->type == TY_LONG && g->points_to && g->points_to->kind != CT_ENUM && !g->points_clash ? "%p" : directive(g->type);
}

/* The rest of a printf that has begun with the name of ELEMENT, and the histogram. */
static void put_stat(struct text *t, const struct style *s, const char *element, const char *more, bool histogram)
{
	for (int i = 0; i < N_SUMMARY; i++)
		text_puts(t, s->systemtap ? summary[i].systemtap : summary[i].ours);
	text_printf(t, "\\n\"%s", more);
	for (int i = 0; i < N_SUMMARY; i++)
		text_printf(t, ", %s(%s)", summary[i].op, element);
	text_puts(t, ")");
	/* A histogram of equal values says nothing. */
	if (histogram && !s->systemtap)
		text_printf(t, " if (@min(%s) != @max(%s)) print(@hist_log(%s))", element, element, element);
}

/* An empty aggregate has no minimum to print. */
static void put_scalar(struct text *t, const struct symbol *g, const struct style *s)
{
	if (g->type != TY_STAT) {
		text_printf(t, "printf(\"%s=%s\\n\", %s)", g->name, value_directive(g), g->name);
		return;
	}
	text_printf(t, "if (@count(%s)) { printf(\"%s", g->name, g->name);
	put_stat(t, s, g->name, "", true);
	text_printf(t, " } else print(\"%s%s\\n\")", g->name, s->systemtap ? " @count=0x0" : ": count 0");
}

static void put_keys(struct text *t, int n)
{
	for (int i = 1; i <= n; i++)
		text_printf(t, "%skey%d", i > 1 ? ", " : "", i);
}

static bool has_stacks(const struct symbol *g, const struct style *s)
{
	for (int i = 0; i < g->arity; i++)
		if (g->key_type[i] == TY_STRING && (s->stacks || s->addresses))
			return !s->systemtap;
	return false;
}

/* The condition that key I is a stack. */
static const char *is_stack(const struct style *s, int i)
{
	return arena_printf(&program_arena, s->addresses ? "(__is_stack(key%d) || __is_addresses(key%d))" : "__is_stack(key%d)", i, i);
}

/* The condition that one of the keys is a stack. */
static const char *has_stack(const struct symbol *g, const struct style *s)
{
	const char *any = "0";

	for (int i = 1; i <= g->arity; i++)
		if (g->key_type[i - 1] == TY_STRING)
			any = arena_printf(&program_arena, "%s || %s", any, is_stack(s, i));
	return any;
}

/* Prints the keys that are stacks, then the name and the keys, with "stack" for those. */
static void put_stack_keys(struct text *t, const struct symbol *g, const struct style *s)
{
	for (int i = 1; i <= g->arity; i++) {
		if (g->key_type[i - 1] != TY_STRING)
			continue;
		if (s->addresses)
			text_printf(t, "if (__is_addresses(key%d)) print_stack(key%d) else ", i, i);
		text_printf(t, "if (__is_stack(key%d)) print(key%d) ", i, i);
	}
	text_printf(t, "print(\"%s[\") ", g->name);
	for (int i = 1; i <= g->arity; i++) {
		if (g->key_type[i - 1] == TY_STRING)
			text_printf(t, "if (%s) print(\"stack\") else ", is_stack(s, i));
		text_printf(t, "printf(\"%s\", key%d) ", directive(g->key_type[i - 1]), i);
		if (i < g->arity)
			text_puts(t, "print(\",\") ");
	}
	text_puts(t, "printf(\"]");
}

/* The statements that print one element. */
static void put_element(struct text *t, const struct symbol *g, const struct style *s)
{
	_cleanup_text_ struct text element = { 0 }, keys = { 0 };
	bool stacks = has_stacks(g, s);

	put_keys(&keys, g->arity);
	text_printf(&element, "%s[%s]", g->name, text_str(&keys));
	if (stacks) {
		put_stack_keys(t, g, s);
	} else {
		text_printf(t, "printf(\"%s[", g->name);
		for (int i = 0; i < g->arity; i++)
			text_printf(t, "%s%s", i ? "," : "", directive(g->key_type[i]));
		text_puts(t, "]");
	}
	if (g->type == TY_STAT)
		put_stat(t, s, text_str(&element), stacks ? "" : arena_printf(&program_arena, ", %s", text_str(&keys)), s->histograms);
	else
		text_printf(t, "=%s\\n\"%s%s, %s)", value_directive(g), stacks ? "" : ", ", stacks ? "" : text_str(&keys),
			    text_str(&element));
	if (stacks)
		text_printf(t, " if (%s) println()", has_stack(g, s));
}

/* Counts the element whose keys are in the variables, and leaves it out if enough is shown. */
static void put_limit(struct text *t, const struct symbol *g, const struct style *s)
{
	text_printf(t, "__elements++; if (__lines >= %d) continue; __shown++; __lines++; ", SHOWN_MAX);
	if (has_stacks(g, s))
		text_printf(t, "if (%s) __lines += %d; ", has_stack(g, s), STACK_COUNTS - 1);
}

/* The largest value comes first. */
static void put_array(struct text *t, const struct symbol *g, const struct style *s)
{
	text_puts(t, "foreach ([");
	put_keys(t, g->arity);
	text_printf(t, "] in %s%s-) { ", g->name, g->type == TY_STAT ? " @count " : "");
	if (s->top)
		put_limit(t, g, s);
	put_element(t, g, s);
	text_puts(t, " }");
	if (s->top)
		text_printf(t, " if (__elements > __shown) printf(\"%s: and %%d more (-o FILE has all)\\n\", __elements - __shown)",
			    g->name);
}

/* --folded: one line an element, as flame graphs are drawn from: its keys with semicolons between them, a blank, the number.
 * A key that is a stack as text becomes the names of its functions, the outermost first. */
static void put_folded(struct text *t, const struct symbol *g)
{
	const char *value = g->type == TY_STAT ? "@count" : "";

	if (!g->array) {
		text_printf(t, "printf(\"%s %%d\\n\", %s(%s))", g->name, value, g->name);
		return;
	}
	text_puts(t, "foreach ([");
	put_keys(t, g->arity);
	text_printf(t, "] in %s%s-) printf(\"", g->name, g->type == TY_STAT ? " @count " : "");
	for (int i = 0; i < g->arity; i++)
		text_printf(t, "%s%s", i ? ";" : "", g->key_type[i] == TY_STRING ? "%s" : "%d");
	text_puts(t, " %d\\n\"");
	for (int i = 0; i < g->arity; i++)
		text_printf(t, g->key_type[i] == TY_STRING ? ", __folded(key%d)" : ", key%d", i + 1);
	text_printf(t, ", %s(%s[", value, g->name);
	put_keys(t, g->arity);
	text_puts(t, "]))");
}

/* Is the global printed in the form of --folded? Strings have no number to print. */
static bool is_folded(const struct program *p, const struct symbol *g)
{
	return p->output.folded && g->type != TY_STRING;
}

static struct style style_of(const struct program *p)
{
	bool systemtap = p->language.compatible;
	struct style s = { .systemtap = systemtap, .histograms = p->output.histograms,
			   .top = p->output.on_terminal && !systemtap };

	for (const struct function *f = p->functions; f; f = f->next) {
		s.stacks |= strstr(f->name, "backtrace") && f->name[0] != '_';
		s.addresses |= !strcmp(f->name, "backtrace");
	}
	return s;
}

/* The statements that print G. */
static void put_global(struct text *t, const struct program *p, const struct symbol *g, const struct style *s)
{
	const struct autoprint_json json = { s->histograms, has_stacks(g, s), s->addresses };

	if (p->output.json)
		autoprint_json_put(t, g, &json);
	else if (is_folded(p, g))
		put_folded(t, g);
	else if (g->array)
		put_array(t, g, s);
	else
		put_scalar(t, g, s);
}

/* The probe of G at POINT. */
static void put_probe(struct text *t, const struct program *p, const struct symbol *g, const struct style *s, const char *point)
{
	text_printf(t, "probe %s { ", point);
	put_global(t, p, g, s);
	text_puts(t, " }\n");
}

/* Marks the probes of G as ours. They see it as from its own file: it may be private there. Returns the probe after them. */
static struct probe_def *adopt(struct probe_def *def, const struct symbol *g, int n)
{
	for (; n--; def = def->next) {
		def->file = g ? g->loc.src : def->file;
		def->synthetic = true;
	}
	return def;
}

/* With --snapshots each global is printed by a timer, too, and one more asks for the ledgers. */
static void put_probes(struct text *t, struct program *p, int snapshot_ms)
{
	const char *timer = arena_printf(&program_arena, "timer.ms(%d)", snapshot_ms);
	struct style style = style_of(p);

	for (struct symbol *g = p->globals; g; g = g->next) {
		if (!is_printed(g, snapshot_ms))
			continue;
		g->full_bars = !g->read && !style.systemtap;
		put_probe(t, p, g, &style, "end");
		if (snapshot_ms)
			put_probe(t, p, g, &style, timer);
	}
	if (snapshot_ms)
		text_printf(t, "probe %s { printf(\"\\001ktap#\") }\n", timer);
}

bool autoprint_add(struct program *p)
{
	int snapshot_ms = p->output.snapshot_ms;
	struct text t = { 0 };
	struct probe_def *def;
	bool ok;

	if (p->output.no_autoprint || p->output.list)
		return true;
	put_probes(&t, p, snapshot_ms);
	if (!t.len)
		return true;
	ok = tapset_parse_text(p, "<automatic printing>", &t, &def);
	for (const struct symbol *g = p->globals; ok && g; g = g->next)
		if (is_printed(g, snapshot_ms))
			def = adopt(def, g, snapshot_ms ? 2 : 1);
	if (ok && snapshot_ms)
		adopt(def, NULL, 1);
	return ok;
}
