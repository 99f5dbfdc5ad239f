/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -f json: the body of the probe that prints a global at the end, as templates of abi.h, which the printing side makes JSON of:
 *
 *     {"type":"global","name":"n","value_type":"long","value":5}
 *     {"type":"map","name":"hits","key_types":["string"],"value_type":"long","entries":[{"key":["two"],"value":4}],"complete":true}
 */
#include <string.h>

#include "lib/text.h"
#include "translator/sema/pass.h"

/* A printf of the template of KIND and more, with its quotes escaped: the part up to the end of the format. */
#define TEMPLATE(kind) "printf(\"\\001ktap" kind

static const char *directive(enum type t)
{
	return t == TY_STRING ? "%s" : "%d";
}

/* The aggregate ELEMENT as a value, whose first piece continues a printf that has the arguments ARGS so far. */
static void put_stat(struct text *t, const char *element, const char *args, bool histogram)
{
	text_printf(t, "{\\\"count\\\":%%d,\\\"min\\\":%%d,\\\"max\\\":%%d,\\\"sum\\\":%%d,\\\"avg\\\":%%d\"%s, @count(%s), @min(%s), "
		    "@max(%s), @sum(%s), @avg(%s)) ", args, element, element, element, element, element);
	if (histogram)
		text_printf(t, TEMPLATE("+") ",\\\"histogram\\\":{\\\"kind\\\":\\\"log\\\",\\\"buckets\\\":[\") "
			    "foreach (__v = __b in @hist_log(%s)) if (__v) " TEMPLATE(";") "{%%i,\\\"count\\\":%%d}\", __b, __v) "
			    TEMPLATE("+") "]}\") ", element);
}

static void put_head(struct text *t, const struct symbol *g, const char *type)
{
	text_printf(t, "%s,\\\"name\\\":\\\"%s\\\",", type, g->name);
	if (g->array) {
		text_puts(t, "\\\"key_types\\\":[");
		for (int i = 0; i < g->arity; i++)
			text_printf(t, "%s\\\"%s\\\"", i ? "," : "", type_name(g->key_type[i]));
		text_puts(t, "],");
	}
	text_printf(t, "\\\"value_type\\\":\\\"%s\\\",", type_name(g->type));
}

/* An empty aggregate has no minimum to print. */
static void put_scalar(struct text *t, const struct symbol *g)
{
	if (g->type != TY_STAT) {
		text_puts(t, TEMPLATE("L"));
		put_head(t, g, "global");
		text_printf(t, "\\\"value\\\":%s}\", %s)", directive(g->type), g->name);
		return;
	}
	text_printf(t, "if (@count(%s)) { " TEMPLATE("["), g->name);
	put_head(t, g, "global");
	text_puts(t, "\\\"value\\\":");
	put_stat(t, g->name, "", true);
	text_puts(t, TEMPLATE("}") "}}\") } else " TEMPLATE("L"));
	put_head(t, g, "global");
	text_puts(t, "\\\"value\\\":{\\\"count\\\":0}}\")");
}

/* Keys that may be stacks are a piece each. */
static void put_stack_keys(struct text *t, const struct symbol *g, bool addresses)
{
	text_puts(t, TEMPLATE(",") "{\\\"key\\\":[\") ");
	for (int i = 0; i < g->arity; i++) {
		const char *comma = i ? "," : "";

		if (g->key_type[i] == TY_STRING && addresses)
			text_printf(t, "if (__is_addresses(key%d)) { " TEMPLATE("<") "%s\") print_stack(key%d) } else ", i + 1, comma, i + 1);
		if (g->key_type[i] == TY_STRING)
			text_printf(t, "if (__is_stack(key%d)) " TEMPLATE("+") "%s%%#s\", key%d) else ", i + 1, comma, i + 1);
		text_printf(t, TEMPLATE("+") "%s%s\", key%d) ", comma, directive(g->key_type[i]), i + 1);
	}
	text_puts(t, TEMPLATE("+"));
}

static void put_keys(struct text *t, const struct symbol *g)
{
	text_puts(t, TEMPLATE(",") "{\\\"key\\\":[");
	for (int i = 0; i < g->arity; i++)
		text_printf(t, "%s%s", i ? "," : "", directive(g->key_type[i]));
}

static void put_entry(struct text *t, const struct symbol *g, const char *keys, const struct autoprint_json *how)
{
	const char *element = arena_printf(&program_arena, "%s[%s]", g->name, keys);
	const char *args = how->stacks ? "" : arena_printf(&program_arena, ", %s", keys);

	if (how->stacks)
		put_stack_keys(t, g, how->addresses);
	else
		put_keys(t, g);
	text_puts(t, "],\\\"value\\\":");
	if (g->type != TY_STAT) {
		text_printf(t, "%s}\"%s, %s)", directive(g->type), args, element);
		return;
	}
	put_stat(t, element, args, how->histograms);
	text_puts(t, TEMPLATE("+") "}}\")");
}

void autoprint_json_put(struct text *t, const struct symbol *g, const struct autoprint_json *how)
{
	_cleanup_text_ struct text keys = { 0 };

	if (!g->array) {
		put_scalar(t, g);
		return;
	}
	for (int i = 1; i <= g->arity; i++)
		text_printf(&keys, "%skey%d", i > 1 ? ", " : "", i);
	text_puts(t, TEMPLATE("["));
	put_head(t, g, "map");
	text_printf(t, "\\\"entries\\\":[\") foreach ([%s] in %s%s-) { ", text_str(&keys), g->name, g->type == TY_STAT ? " @count " : "");
	put_entry(t, g, text_str(&keys), how);
	text_puts(t, " __n++ } " TEMPLATE("]") "%d\", __n)");
}
