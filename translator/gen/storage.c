/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals: their types and storage, and the C that makes and frees them. */
#include "translator/gen/parts.h"

#include "runtime/core/map.h"
#include "translator/sema/texts.h"

/* ---- aggregates ---- */
const char *stat_type_text(struct gen *g, const struct symbol *s)
{
	return arena_printf(&program_arena, "s%s", g->global_name[s->index]);
}

static struct kt_stat_type gen_stat_type(struct gen *g, const struct symbol *s)
{
	return stat_type(s, gen_is_map(g, s) ? KT_PCT_BITS_ARRAY : KT_PCT_BITS_SCALAR);
}

static void gen_define_stat(struct gen *g, struct text *out, const struct symbol *s)
{
	struct kt_stat_type t = gen_stat_type(g, s);
	const char *type = stat_type_text(g, s);

	emit_line(out, "#define %s_WORDS %u", type, t.words);
	emit_open(out, "static const struct kt_stat_type %s = {", type);
	emit_line(out, ".fields = %u, .words = %s_WORDS, .pct_bits = %u, .buckets = %u,", t.fields, type, t.pct_bits, t.buckets);
	if (t.hist == KT_HIST_LOG)
		emit_line(out, ".hist = KT_HIST_LOG,");
	else if (t.hist)
		emit_line(out, ".hist = KT_HIST_LINEAR, .lo = %s, .hi = %s, .step = %s,", c_number(t.lo), c_number(t.hi), c_number(t.step));
	if (t.hist)
		emit_line(out, ".margin = %lld,", limit_read(g->p, "HIST_ELISION", KT_HIST_MARGIN, -KT_HIST_MARGIN_MAX, KT_HIST_MARGIN_MAX, &g->failed));
	if (t.full_bars)
		emit_line(out, ".full_bars = 1,");
	emit_close(out, "};");
	if (!gen_is_map(g, s))
		emit_line(out, "static kt_s64 g%s[%s_WORDS] __attribute__((unused));", g->global_name[s->index],
			  type);
}

/* ---- arrays ---- */
static struct kt_map_type map_type(struct gen *g, const struct symbol *s)
{
	struct kt_map_type t = { .n_keys = s->array ? (kt_u32)s->arity : 1, .wrap = s->wrap, .string_max = (kt_u32)g->limits.string_max };
	long long size = gen_is_map(g, s) && !s->array ? 1 : s->size;

	if (!size)
		size = g->limits.map_entries;
	if (size > KT_ENTRIES_MAX) {
		error(s->loc, DIAG_USAGE, "'%s' has %lld elements, at most %d are possible", s->name, size, KT_ENTRIES_MAX);
		g->failed = true;
		size = KT_ENTRIES_MAX;
	}
	t.entries = (kt_u32)size;
	t.value = s->type == TY_STRING ? KT_VALUE_STRING : s->type == TY_STAT ? KT_VALUE_STAT : KT_VALUE_LONG;
	t.sort_slots = (kt_u32)g->sort_slots[s->index];
	t.text_share = (kt_u32)(g->map_string ? (int)g->map_string : text_share(s, g->limits.string_max, size));
	for (int i = 0; i < s->arity; i++)
		if (s->key_type[i] == TY_STRING)
			t.string_keys |= 1u << i;
	return t;
}

static void gen_define_map(struct gen *g, struct text *out, const struct symbol *s)
{
	const char *name = g->global_name[s->index];
	struct kt_map_type t = map_type(g, s);
	struct kt_stat_type stat;

	if (s->type == TY_STAT) {
		stat = gen_stat_type(g, s);
		t.stat = &stat;
		gen_define_stat(g, out, s);
	}
	memory_note(g->p, s, &t);
	emit_open(out, "static const struct kt_map_type t%s = {", name);
	emit_line(out, ".name = \"%s\", .n_keys = %u, .string_keys = %u, .string_max = KT_STR,", s->name, t.n_keys, t.string_keys);
	emit_line(out, ".value = %s,", s->type == TY_STRING ? "KT_VALUE_STRING" :
		  s->type == TY_STAT ? "KT_VALUE_STAT" : "KT_VALUE_LONG");
	emit_line(out, ".entries = %u, .wrap = %u, .sort_slots = %u, .text_share = %u,", t.entries, t.wrap, t.sort_slots, t.text_share);
	if (s->type == TY_STAT)
		emit_line(out, ".stat = &%s,", stat_type_text(g, s));
	emit_close(out, "};");
	emit_line(out, "static struct %s m%s;", s->plan == PLAN_COUNTER ? "kt_pmap" : "kt_map", name);
}

static void gen_init_map(struct gen *g, struct text *out, const struct symbol *s)
{
	const char *name = g->global_name[s->index];

	if (s->plan == PLAN_COUNTER)
		emit_line(out, "error = error ? error : kt_pmap_init(&m%s, &t%s, o%s);", name, name, name);
	else
		emit_line(out, "error = error ? error : kt_map_init(&m%s, &t%s);", name, name);
}

/* ---- all ---- */
static void write_offset(struct gen *g, struct text *out, const struct symbol *s)
{
	const char *name = g->global_name[s->index];

	if (s->plan != PLAN_COUNTER)
		return;
	if (gen_is_map(g, s))
		emit_line(out, "\to%s = kt_at%d, kt_at%d = o%s + sizeof(struct kt_map),", name, s->index, s->index + 1, name);
	else if (s->type == TY_STAT)
		emit_line(out, "\to%s = kt_at%d, kt_at%d = o%s + 8 * KT_LEVELS * s%s_WORDS,", name, s->index, s->index + 1, name, name);
	else
		emit_line(out, "\to%s = kt_at%d, kt_at%d = o%s + 8,", name, s->index, s->index + 1, name);
}

static void write_scalar(struct gen *g, struct text *out, const struct symbol *s)
{
	const char *name = g->global_name[s->index];

	if (s->type == TY_STRING)
		emit_line(out, "static char g%s[KT_STR] __attribute__((unused)) = %s;", name,
			  s->init ? gen_literal(g, s->init).text : "\"\"");
	else
		emit_line(out, "static kt_s64 g%s __attribute__((unused)) = %s;", name,
			  c_number(s->init ? s->init->num : 0));
	if (s->type == TY_LONG && s->plan == PLAN_COUNTER)
		emit_line(out, "static kt_s64 n%s;", name);
}

void gen_globals(struct gen *g, struct text *out)
{
	_cleanup_text_ struct text init = { .indent = 1 }, finish = { .indent = 1 };

	for (int i = 0; i < g->plan.n_globals; i++) {
		const struct symbol *s = g->plan.globals[i];

		emit_line(out, "/* global %s: %s */", s->name, plan_name((enum plan)s->plan));
		if (gen_is_map(g, s)) {
			gen_define_map(g, out, s);
			gen_init_map(g, &init, s);
			emit_line(&finish, s->plan == PLAN_COUNTER ? "kt_pmap_free(&m%s);" : "kt_map_free(&m%s);",
				  g->global_name[i]);
		} else if (s->type == TY_STAT) {
			gen_define_stat(g, out, s);
		} else {
			write_scalar(g, out, s);
		}
		if (s->plan != PLAN_READ_ONLY)
			emit_line(out, "static struct kt_lock k%s __attribute__((unused));", g->global_name[i]);
	}
	/* A chain of enumerators adds up the per-CPU globals. */
	emit_line(out, "enum {");
	emit_line(out, "\tkt_at0 = 0,");
	for (int i = 0; i < g->plan.n_globals; i++) {
		write_offset(g, out, g->plan.globals[i]);
		if (g->plan.globals[i]->plan != PLAN_COUNTER)
			emit_line(out, "\tkt_at%d = kt_at%d,", i + 1, i);
	}
	emit_line(out, "};");
	text_puts(out, "\n");
	if (init.len) {
		emit_open(out, "static int kt_script_init(void)\n{");
		emit_line(out, "int error = 0;");
		text_puts(out, "\n");
		text_append(out, text_str(&init), init.len);
		emit_line(out, "return error;");
		emit_close(out, "}");
		text_puts(out, "\n");
		emit_open(out, "static void kt_script_exit(void)\n{");
		text_append(out, text_str(&finish), finish.len);
		emit_close(out, "}");
		text_puts(out, "\n");
	}
}
