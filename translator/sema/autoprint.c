/* Globals of the script that are written and never read are printed when the session ends: one `end` probe each, in the
 * order of their declaration, written as script text and parsed, in the format that scripts' users know:
 *
 *     name=5   name="text"   name["two",2]=4   name @count=4 @min=1 @max=4 @sum=10 @avg=2
 */
#include "translator/base/text.h"
#include "translator/options.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"

static bool is_printed(const struct symbol *g)
{
	return g->written && !g->read && g->loc.src && !g->loc.src->tapset &&
	       (!g->array || g->arity > 0);
}

/* Directive for a value of this type, inside a quoted script string. */
static const char *directive(enum type t)
{
	return t == TY_STRING ? "\\\"%#s\\\"" : "%d";
}

static void put_stat_format(struct text *t)
{
	text_puts(t, " @count=%d @min=%d @max=%d @sum=%d @avg=%d\\n\"");
}

static void put_stat_values(struct text *t, const char *element)
{
	static const char *const ops[] = { "@count", "@min", "@max", "@sum", "@avg" };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		text_printf(t, ", %s(%s)", ops[i], element);
}

/* An empty aggregate has no minimum to print. */
static void put_scalar(struct text *t, const struct symbol *g)
{
	if (g->type != TY_STAT) {
		text_printf(t, "printf(\"%s=%s\\n\", %s)", g->name, directive(g->type), g->name);
		return;
	}
	text_printf(t, "if (@count(%s)) printf(\"%s", g->name, g->name);
	put_stat_format(t);
	put_stat_values(t, g->name);
	text_printf(t, ") else print(\"%s @count=0x0\\n\")", g->name);
}

static void put_keys(struct text *t, int n)
{
	for (int i = 1; i <= n; i++)
		text_printf(t, "%skey%d", i > 1 ? ", " : "", i);
}

/* One line an element, largest value first: what most scripts want to see first. */
static void put_array(struct text *t, const struct symbol *g)
{
	struct text element = { 0 };

	text_puts(t, "foreach ([");
	put_keys(t, g->arity);
	text_printf(t, "] in %s%s-) printf(\"%s[", g->name, g->type == TY_STAT ? " @count " : "", g->name);
	for (int i = 0; i < g->arity; i++)
		text_printf(t, "%s%s", i ? "," : "", directive(g->key_type[i]));
	text_puts(t, "]");
	if (g->type == TY_STAT)
		put_stat_format(t);
	else
		text_printf(t, "=%s\\n\"", directive(g->type));
	text_puts(t, ", ");
	put_keys(t, g->arity);
	text_printf(&element, "%s[", g->name);
	put_keys(&element, g->arity);
	text_puts(&element, "]");
	if (g->type == TY_STAT)
		put_stat_values(t, text_str(&element));
	else
		text_printf(t, ", %s", text_str(&element));
	text_puts(t, ")");
	text_deinit(&element);
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
	return p->options && p->options->folded && g->type != TY_STRING;
}

bool autoprint_add(struct program *p)
{
	struct text t = { 0 };
	struct source *src;
	struct probe_def **tail = &p->probe_defs, *def;
	bool ok;

	if (p->options && (p->options->no_autoprint || p->options->list))
		return true;
	for (const struct symbol *g = p->globals; g; g = g->next) {
		if (!is_printed(g))
			continue;
		text_puts(&t, "probe end { ");
		if (is_folded(p, g))
			put_folded(&t, g);
		else if (g->array)
			put_array(&t, g);
		else
			put_scalar(&t, g);
		text_puts(&t, " }\n");
	}
	if (!t.len)
		return true;
	while (*tail)
		tail = &(*tail)->next;
	src = source_from_text(p, "<automatic printing>", arena_strdup(&program_arena, text_str(&t)));
	text_deinit(&t);
	ok = tapset_parse(p, src);
	def = *tail;
	for (const struct symbol *g = p->globals; ok && g; g = g->next) {
		if (!is_printed(g))
			continue;
		/* As seen from the global's own file: it may be private there. */
		def->file = g->loc.src;
		def->synthetic = true;
		def = def->next;
	}
	return ok;
}
