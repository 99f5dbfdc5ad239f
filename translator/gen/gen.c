/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script's C file: order of parts, tables, names.
 *
 * Bodies are written first, into texts of their own, because they decide what the tables hold; then everything is put
 * in order: constants, globals, functions, handlers, rows of the families, and last kt_script, the one symbol that is
 * visible outside.
 */
#include "translator/gen/gen.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/map.h"
#include "runtime/core/map.h"
#include "translator/debuginfo/target.h"
#include "translator/gen/parts.h"
#include "translator/gen/share.h"
#include "translator/probe/context.h"
#include "translator/probe/probe.h"
#include "translator/probe/python.h"
#include "translator/sema/texts.h"

/* ---- tables ---- */

static void table_write(const struct map *t, struct text *out, const char *name)
{
	if (!t->n)
		return;
	emit_open(out, "static const char *const %s[] = {", name);
	for (size_t i = 0; i < t->n; i++)
		gen_text_row(out, t->row[i].name);
	emit_close(out, "};");
	text_puts(out, "\n");
}

/* kt_script.lines. */
static void write_lines(struct gen *g, struct text *out)
{
	if (!g->places.n || g->p->language.compatible)
		return;
	emit_open(out, "static const char *const lines[] = {");
	for (size_t i = 0; i < g->places.n; i++) {
		_cleanup_free_ char *line = diag_line(g->place_locs[i]);

		gen_text_row(out, line);
	}
	emit_close(out, "};");
	text_puts(out, "\n");
}

/* ---- globals ---- */

/* Whether the program has maps to make. */
static bool has_maps(struct gen *g)
{
	for (int i = 0; i < g->plan.n_globals; i++)
		if (gen_is_map(g, g->plan.globals[i]))
			return true;
	return false;
}

/* ---- handlers ---- */
struct handlers {
	struct share share;
	struct map conditions;
	int *condition;      /* by probe->index: of conditions, or -1 */
	struct text out;
	long long max_slots;
};

/* The function that evaluates PR's condition by itself. */
static void add_condition(struct gen *g, struct handlers *h, const struct probe *pr)
{
	_cleanup_text_ struct text body = { 0 };
	int n = h->conditions.n, number;

	h->condition[pr->index] = -1;
	if (!gen_has_condition(pr))
		return;
	gen_condition(g, pr, &body);
	number = table_add(&h->conditions, text_str(&body));
	if (number == n) {
		emit_line(&h->out, "/* condition of %s */", gen_comment(pr->pp));
		emit_line(&h->out, "static void c_%d(struct kt_ctx *c)", n);
		text_append(&h->out, text_str(&body), body.len);
	}
	h->condition[pr->index] = number;
	h->max_slots = g->handler_slots > h->max_slots ? g->handler_slots : h->max_slots;
}

/* Gives PR the number of its handler. */
static void add_handler(struct gen *g, struct handlers *h, struct probe *pr, const struct probe *before)
{
	struct text body = { 0 };
	long long below;

	add_condition(g, h, pr);
	/* Places of one point often share their body. */
	if (before && before->body == pr->body && before->condition == pr->condition &&
	    before->family == pr->family && before->locals == pr->locals) {
		pr->variant = before->variant;
		pr->visits = before->visits;
		return;
	}
	gen_handler(g, pr, &body);
	pr->visits = g->handler_visits;
	pr->variant = share_add(&h->share, text_str(&body), gen_comment(pr->pp));
	text_deinit(&body);
	below = g->handler_slots + func_frame_slots(g, pr->body, pr->condition);
	h->max_slots = below > h->max_slots ? below : h->max_slots;
}

/* The functions that compute locations. */
static void write_locators(const struct gen *g, struct text *out)
{
	for (size_t i = 0; i < g->locators.n; i++) {
		emit_line(out, "static kt_u64 l_%zu(struct kt_ctx *c)", i);
		emit_open(out, "{");
		text_puts(out, g->locators.row[i].name);
		emit_line(out, "kt_fail: __attribute__((unused));");
		emit_line(out, "return 0;");
		emit_close(out, "}");
		text_puts(out, "\n");
	}
}

/* The functions of all handlers. */
static void write_handlers(struct gen *g, struct text *out, struct handlers *h)
{
	text_append(out, text_str(&h->out), h->out.len);
	share_write(&h->share, g->locators.n, out);
	for (struct probe *pr = g->p->probes; pr; pr = pr->next)
		pr->handler = share_function(pr->variant);
	text_deinit(&h->out);
}

/* Returns the bits of enum kt_probe_flag that say what number the probed function returns. The rest of the return register is undefined. */
static unsigned returned_number(const struct probe *pr)
{
	const struct context_place *cp = context_of(pr);
	const struct ctype *type = cp && cp->at_return && cp->place && cp->place->scope ? target_return_type(cp->target, cp->place) : NULL;

	if (!type || type->size >= 8 || !context_is_held(type))
		return 0;
	switch (type->kind) {
	case CT_INT:
	case CT_BOOL:
	case CT_CHAR:
	case CT_ENUM:
		return (unsigned)type->size << KT_PROBE_RETURNS_SHIFT | (type->is_signed ? KT_PROBE_RETURNS_SIGNED : 0);
	case CT_VOID:
	case CT_FLOAT:
	case CT_POINTER:
	case CT_ARRAY:
	case CT_STRUCT:
	case CT_UNION:
	case CT_FUNCTION:
		return 0;
	}
	bug("type %d", (int)type->kind);
}

static bool calls_returnval(const struct program *p)
{
	for (const struct function *f = p->functions; f; f = f->next)
		if (f->used && f->kit && !strcmp(f->name, "returnval"))
			return true;
	return false;
}

static const char *probe_flags(const struct probe *pr, bool returned)
{
	const char *flags = pr->helper ? "KT_PROBE_ENTRY" : probe_is_alone(pr) ? "KT_PROBE_DURING_BEGIN" : pr->visits ? "KT_PROBE_VISITS" : "0";
	unsigned number = returned ? returned_number(pr) : 0;

	if (number)
		flags = arena_printf(&program_arena, "%s | %#x", flags, number);
	return pr->def->synthetic ? arena_printf(&program_arena, "%s | KT_PROBE_OURS", flags) : flags;
}

static int n_probes(const struct program *p)
{
	int n = 0;

	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		n++;
	return n;
}

/* Returns where S begins in the texts of the script's rows. */
static unsigned row_text(struct gen *g, const char *s)
{
	struct map_row *row = map_add(&g->row_texts, s, 0);
	_cleanup_text_ struct text quoted = { 0 };

	if (row->value)
		return (unsigned)(uintptr_t)row->value;
	row->value = (void *)g->row_texts_size;
	g->row_texts_size += strlen(s) + 1;
	text_quote(&quoted, s, strlen(s));
	emit_line(&g->row_text, "%.*s\\0\"", (int)quoted.len - 1, text_str(&quoted));
	return (unsigned)(uintptr_t)row->value;
}

/* The handlers by their number. */
static void write_handler_table(struct gen *g, struct text *out)
{
	const struct probe **of = arena_array(&program_arena, const struct probe *, n_probes(g->p) + 1);
	int n = 0;

	for (const struct probe *pr = g->p->probes; pr; pr = pr->next) {
		of[pr->handler] = of[pr->handler] ?: pr;
		n = pr->handler >= n ? pr->handler + 1 : n;
	}
	emit_open(out, "static const struct kt_handler handlers[] = {");
	for (int i = 0; i < n; i++) {
		const char *handler = arena_printf(&program_arena, "p_%d", i);

		emit_line(out, "{ %s, %s, %s },", g->p->output.timing ? "kt_timed" : handler, of[i]->light ? handler : "0",
			  of[i]->light ?: "0, 0");
	}
	emit_close(out, "};");
	text_puts(out, "\n");
}

static void write_probes(struct gen *g, struct text *out, const struct handlers *h)
{
	bool returned = calls_returnval(g->p);

	write_handler_table(g, out);
	emit_open(out, "static void (*const conditions[])(struct kt_ctx *c) = {");
	emit_line(out, "0,");
	for (size_t i = 0; i < h->conditions.n; i++)
		emit_line(out, "c_%zu,", i);
	emit_close(out, "};");
	text_puts(out, "\n");
	emit_open(out, "static const struct kt_probe_row rows[] = {");
	for (const struct probe *pr = g->p->probes; pr; pr = pr->next) {
		const char *alias = probe_alias(pr);

		emit_line(out, "{ %d, %u, %u, %s, %d, %d }, /* %s */", pr->handler, row_text(g, pr->pp), alias ? row_text(g, alias) : 0,
			  probe_flags(pr, returned), h->condition[pr->index] + 1, share_words(pr->variant), gen_comment(pr->pp));
	}
	emit_close(out, "};");
	text_puts(out, "\n");
	emit_line(out, "static struct kt_probe probes[%d];", n_probes(g->p));
	text_puts(out, "\n");
}

/* -t: what each probe's handler is. */
static void write_timed(struct gen *g, struct text *out)
{
	emit_open(out, "static void (*const timed[])(struct kt_ctx *c) = {");
	for (const struct probe *pr = g->p->probes; pr; pr = pr->next)
		emit_line(out, "p_%d,", pr->handler);
	emit_close(out, "};");
	text_puts(out, "\n");
}

/* A table of OF each probe. */
static void write_probe_texts(struct gen *g, struct text *out, const char *name, const char *(*of)(const struct probe *pr))
{
	emit_open(out, "static const char *const %s[] = {", name);
	for (const struct probe *pr = g->p->probes; pr; pr = pr->next)
		gen_text_row(out, of(pr));
	emit_close(out, "};");
	text_puts(out, "\n");
}

/* "" of a probe that is not the script's own. */
static const char *own_mechanism(const struct probe *pr)
{
	return pr->helper || pr->def->synthetic ? "" : probe_mechanism(pr);
}

/* -f json: what identifies the script, and by what its probes fire. */
static void write_identity(struct gen *g, struct text *out)
{
	emit_open(out, "static const char *const identity[] = {");
	gen_text_row(out, !g->p->session.script_file ? "<input>" : strcmp(g->p->session.script_file, "-") ? g->p->session.script_file : "<stdin>");
	gen_text_row(out, g->p->sha256);
	gen_text_row(out, g->p->texts);
	emit_close(out, "};");
	text_puts(out, "\n");
	write_probe_texts(g, out, "mechanisms", own_mechanism);
}

/* ---- rows ---- */
static const char *const row_types[KT_FAMILY_COUNT] = {
#define FAMILY(id, name, flags, points) [KT_FAMILY_##id] = "kt_" #name "_row",
#include "runtime/families.def"
#undef FAMILY
};

/* The rows that it compares are all of one family. */
static int by_family(const void *a, const void *b)
{
	const struct probe *const *pa = a, *const *pb = b;
	int (*compare)(const struct probe *a, const struct probe *b) = (*pa)->family->compare;
	int diff = compare ? compare(*pa, *pb) : 0;

	return diff ? diff : ((*pa)->index > (*pb)->index) - ((*pa)->index < (*pb)->index);
}

/* Writes a row with the positions of its texts. */
static void write_row(struct gen *g, const char *row, struct text *out)
{
	_cleanup_text_ struct text line = { 0 };
	char *text;

	for (;;) {
		size_t n = strcspn(row, ROW_TEXT_OPEN);

		text_append(&line, row, n);
		if (!row[n])
			break;
		n = strtoul(row + n + 1, &text, 10);
		text_printf(&line, "%u", row_text(g, arena_strndup(&program_arena, text + 1, n)));
		row = text + 1 + n;
	}
	emit_line(out, "%s", text_str(&line));
}

/* Writes the rows of the family and adds to WANTS. Returns whether there are any. */
static bool write_rows(struct gen *g, struct text *out, enum kt_family id, unsigned long long *wants)
{
	const struct probe **rows;
	_cleanup_text_ struct text text = { .indent = 1 };
	size_t n = 0, all = 0;

	for (const struct probe *pr = g->p->probes; pr; pr = pr->next)
		all++;
	rows = arena_array(&program_arena, const struct probe *, all + 1);
	for (const struct probe *pr = g->p->probes; pr; pr = pr->next)
		if (pr->family->id == id)
			rows[n++] = pr;
	if (!n)
		return false;
	qsort(rows, n, sizeof(*rows), by_family);
	if (rows[0]->family->lay_out)
		rows[0]->family->lay_out(rows, n);
	for (size_t i = 0; i < n; i++) {
		_cleanup_text_ struct text row = { 0 };

		if (rows[i]->family->wants)
			*wants |= rows[i]->family->wants(rows[i]);
		if (!rows[i]->helper) /* the row of the return probe names it */
			rows[i]->family->emit_row(&row, rows[i]);
		if (row.len)
			write_row(g, text_str(&row), &text);
	}
	if (text.len) {
		emit_line(out, "static const struct %s rows_%d[] = {", row_types[id], id);
		text_append(out, text_str(&text), text.len);
		emit_line(out, "};");
		text_puts(out, "\n");
	}
	return text.len;
}

static int write_families(struct gen *g, struct text *out)
{
	_cleanup_text_ struct text families = { .indent = 1 };
	int n = 0;

	for (int id = 0; id < KT_FAMILY_COUNT; id++) {
		unsigned long long wants = 0;

		if (!write_rows(g, out, (enum kt_family)id, &wants))
			continue;
		emit_line(&families, "{ %d, sizeof(rows_%d) / sizeof(rows_%d[0]), rows_%d, %#llx },", id, id, id, id, wants);
		n++;
	}
	if (n) {
		emit_line(out, "static const struct kt_family_rows families[] = {");
		text_append(out, text_str(&families), families.len);
		emit_line(out, "};");
		text_puts(out, "\n");
	}
	return n;
}

/* Scalars that -G may set. */
static int write_global_rows(struct gen *g, struct text *out)
{
	int n = 0;

	for (int i = 0; i < g->plan.n_globals; i++) {
		const struct symbol *s = g->plan.globals[i];

		if (s->array || s->type == TY_STAT)
			continue;
		if (!n++)
			emit_open(out, "static const struct kt_global_row globals[] = {");
		emit_line(out, s->type == TY_STRING ? "{ \"%s\", g%s, 1, 0 }," : "{ \"%s\", &g%s, 0, 0 },", s->name,
			  g->global_name[i]);
	}
	if (n) {
		emit_close(out, "};");
		text_puts(out, "\n");
	}
	return n;
}

/* ---- the file ---- */

static unsigned buffer_size(int mb)
{
	uint64_t bytes = (uint64_t)mb << 20, size = 1u << 16;

	if (!bytes)
		return 0;
	while (size < bytes && size < 1u << 30)
		size *= 2;
	return (unsigned)size;
}

/* Whatever was asked of the kernel's debugging information, a place or a variable, may be an address of this build. */
static void write_anchor(struct gen *g, struct text *out)
{
	static const char *const anchors[] = { "_printk", "printk", NULL }; /* KT_ANCHOR_NAME of the kit */
	const char *const *anchor;
	const char *id;
	uint64_t address;

	if (!g->p->kernel)
		return;
	for (anchor = anchors; anchor[1] && !target_symbol(g->p->kernel, *anchor);)
		anchor++;
	address = target_symbol(g->p->kernel, *anchor);
	id = target_build_id(g->p->kernel);
	emit_line(out, ".anchor_symbol = \"%s\",", *anchor);
	emit_line(out, ".anchor_address = 0x%llxull,", (unsigned long long)address);
	if (id)
		emit_line(out, ".build_id = \"%s\",", id);
}

/* -D STP_OVERLOAD_...: SystemTap's names, and its cycles. */
enum { OVERLOAD_MAX = 1000000000000 };

static void write_overload(struct gen *g, struct text *out)
{
	bool ignored = g->p->language.endless || language_limit(&g->p->language, "STP_NO_OVERLOAD", 0);
	enum kt_on_overload action = ignored ? KT_OVERLOAD_IGNORE : g->p->session.on_overload;
	long long interval = limit_read(g->p, "STP_OVERLOAD_INTERVAL", 1000000000, 1000000, OVERLOAD_MAX, &g->failed);
	long long threshold = limit_read(g->p, "STP_OVERLOAD_THRESHOLD", interval / 2, 1, OVERLOAD_MAX, &g->failed);

	emit_line(out, ".overload_interval = %lldull, .overload_threshold = %lldull, .on_overload = %d,", interval, threshold,
		  (int)action);
}

static void write_row_texts(struct gen *g, struct text *out)
{
	emit_line(out, "static const char texts[] = \"\\0\"");
	text_append(out, text_str(&g->row_text), g->row_text.len);
	emit_line(out, ";");
	text_puts(out, "\n");
}

static void write_script(struct gen *g, struct text *out, int families, int globals, long long slots)
{
	emit_line(out, "KT_SCRIPT_STACK;");
	emit_open(out, "const struct kt_script kt_script = {");
	emit_line(out, ".abi = %d,", KT_ABI);
	emit_line(out, ".string_max = KT_STR,");
	emit_line(out, ".max_errors = %lld,", g->limits.max_errors);
	emit_line(out, ".max_skipped = %lld,", g->limits.max_skipped);
	emit_line(out, ".max_time = %lldull,", g->p->language.endless ? 0 : 1000000 * limit_read(g->p, "MAXTIME", 5000, 1, INT_MAX, &g->failed));
	emit_line(out, ".lock_wait = %lldull,", g->limits.lock_wait);
	emit_line(out, ".percpu_size = kt_at%d,", g->plan.n_globals);
	emit_line(out, ".frame_size = %u,", func_frame_size(g, slots));
	emit_line(out, ".buffer_size = %u,", buffer_size(g->p->session.buffer_mb));
	emit_line(out, ".n_probes = %d,", n_probes(g->p));
	emit_line(out, ".probes = probes, .rows = rows, .handlers = handlers, .conditions = conditions, .texts = texts,");
	if (families)
		emit_line(out, ".n_families = %d, .families = families,", families);
	if (g->formats.n)
		emit_line(out, ".n_formats = %zu, .formats = formats,", g->formats.n);
	if (g->places.n)
		emit_line(out, ".n_places = %zu, .places = places,%s", g->places.n < KT_NO_PLACE ? g->places.n : (size_t)KT_NO_PLACE,
			  g->p->language.compatible ? "" : " .lines = lines,");
	if (globals)
		emit_line(out, ".n_globals = %d, .globals = globals,", globals);
	if (has_maps(g))
		emit_line(out, ".init = kt_script_init, .exit = kt_script_exit,");
	memory_write_sum(g->p, out);
	write_anchor(g, out);
	if (g->stacks)
		gen_script_stacks(g, out);
	if (g->builds)
		emit_line(out, ".n_modules = %d, .modules = module_builds,", g->builds);
	write_overload(g, out);
	if (g->p->output.timing)
		emit_line(out, ".timed = timed,");
	if (g->p->output.timing || g->p->output.json)
		emit_line(out, ".origins = origins,");
	if (g->p->output.json)
		emit_line(out, ".identity = identity, .mechanisms = mechanisms,");
	emit_close(out, "};");
}

static void find_condition_uses(struct gen *g)
{
	g->condition_uses = plan_uses_new(&g->plan);
	for (const struct probe *pr = g->p->probes; pr; pr = pr->next)
		if (gen_has_condition(pr))
			plan_uses(&g->plan, pr->condition, &g->condition_uses);
}

static void gen_init(struct gen *g, struct program *p)
{
	int index = 0;

	g->p = p;
	g->row_texts_size = 1; /* a NUL */
	g->limits = limits_read(p, &g->failed);
	g->traced = language_limit(&g->p->language, "STP_EXECTRACE", 0);
	g->map_string = limit_read(g->p, "MAPSTRINGLEN", 0, 0, g->limits.string_max, &g->failed);
	for (struct probe *pr = p->probes; pr; pr = pr->next)
		pr->index = index++;
	texts_find_longest(p, g->limits.string_max);
	plan_program(&g->plan, p);
	find_condition_uses(g);
	gen_names(g);
	g->sort_slots = arena_array(&program_arena, int, g->plan.n_globals + 1);
	g->sort_base = arena_array(&program_arena, int, g->plan.n_globals + 1);
	g->frame = arena_array(&program_arena, int, g->plan.n_functions + 1);
	count_analyse(g);
	func_analyse(g);
}

/* Kit functions of several overloads share a prototype. */
static void write_functions(struct gen *g, struct text *protos, struct text *bodies)
{
	struct map seen = { 0 };

	for (int i = 0; i < g->plan.n_functions; i++) {
		_cleanup_text_ struct text proto = { 0 };
		size_t before = seen.n;

		gen_function(g, g->plan.functions[i], &proto, bodies);
		table_add(&seen, text_str(&proto));
		if (seen.n > before)
			text_append(protos, text_str(&proto), proto.len);
	}
}

/* -v: what handlers may do with each global without waiting for each other. */
static void show_plan(const struct gen *g)
{
	_cleanup_text_ struct text t = { 0 };

	for (int i = 0; i < g->plan.n_globals; i++) {
		text_printf(&t, "global %s  /* ", g->plan.globals[i]->name);
		plan_describe(&t, &g->plan, i);
		text_puts(&t, " */\n");
	}
	fputs(text_str(&t), stderr);
}

/* Embedded C may print: the format has to be in the table before the table is written. */
static bool has_embedded(const struct gen *g)
{
	for (int i = 0; i < g->plan.n_functions; i++)
		if (func_is_embedded(g->plan.functions[i]))
			return true;
	return g->p->language.guru;
}

/* Settings for the command of -c, in a section that the loader reads without loading the module. */
static void write_python(struct gen *g, struct text *out)
{
	_cleanup_text_ struct text wanted = { 0 };

	python_wanted(&wanted, g->p);
	if (wanted.len) {
		text_puts(out, "static const char wanted_of_python[] __attribute__((section(\".modinfo\"), used, aligned(1))) =\n\t\"ktap_python=\" ");
		text_quote(out, text_str(&wanted), wanted.len);
		text_puts(out, ";\n\n");
	}
}

/* --modinfo. */
static void write_modinfo(struct gen *g, struct text *out)
{
	int n = 0;

	for (const char **m = g->p->build.modinfo; m && *m; m++)
		emit_line(out, "static const char modinfo_%d[] __attribute__((section(\".modinfo\"), used, aligned(1))) = %s;",
			  n++, c_whole_string(*m, strlen(*m)));
}

bool gen_program(struct program *p, struct text *out)
{
	_cleanup_text_ struct text protos = { 0 }, functions = { 0 };
	struct handlers h = { .max_slots = 0 };
	const struct probe *before = NULL;
	struct gen g = { .expr = expr_value, .stmt = stmt_emit };
	int families, globals;

	gen_init(&g, p);
	if (p->output.verbose)
		show_plan(&g);
	write_functions(&g, &protos, &functions);
	memcpy(g.sort_base, g.sort_slots, (size_t)g.plan.n_globals * sizeof(*g.sort_base));
	if (has_embedded(&g))
		g.text_format = gen_format(&g, NULL, "%s");
	h.condition = arena_array(&program_arena, int, n_probes(p) + 1);
	for (struct probe *pr = p->probes; pr; before = pr, pr = pr->next)
		add_handler(&g, &h, pr, before);

	emit_line(out, "#include \"runtime/locate.h\"");
	text_puts(out, "\n");
	emit_line(out, "enum { KT_STR = %d };", g.limits.string_max);
	text_puts(out, "\n");
	gen_globals(&g, out);
	table_write(&g.formats, out, "formats");
	table_write(&g.places, out, "places");
	write_lines(&g, out);
	text_append(out, text_str(&g.regexes), g.regexes.len);
	text_append(out, text_str(&protos), protos.len);
	text_append(out, text_str(&g.piece_protos), g.piece_protos.len);
	text_puts(out, "\n");
	write_locators(&g, out);
	text_append(out, text_str(&functions), functions.len);
	write_handlers(&g, out, &h);
	write_probes(&g, out, &h);
	if (p->output.timing)
		write_timed(&g, out);
	if (p->output.timing || p->output.json)
		write_probe_texts(&g, out, "origins", probe_origin);
	if (p->output.json)
		write_identity(&g, out);
	families = write_families(&g, out);
	globals = write_global_rows(&g, out);
	write_row_texts(&g, out);
	g.builds = gen_builds(&g, out);
	g.stacks = gen_objects(&g, out);
	write_python(&g, out);
	memory_write_largest(p, out);
	write_modinfo(&g, out);
	write_script(&g, out, families, globals, h.max_slots + g.piece_slots);
	gen_embedded(&g, out);

	free(g.place_locs);
	free(g.regex_room);
	text_deinit(&g.row_text);
	text_deinit(&g.regexes);
	text_deinit(&g.pieces);
	text_deinit(&g.piece_protos);
	return !g.failed;
}
