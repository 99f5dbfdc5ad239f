/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Script functions, and the space that the calls below a handler need.
 *
 * `next` in a function calls the next overload with the same arguments; after the last it is an error.
 */
#include "translator/gen/parts.h"

#include <stdio.h>
#include <string.h>

#include "translator/probe/probe.h"

enum { FRAME_MAX = 64 << 20 }; /* bytes of the strings of a handler: each CPU has three frames */

/* ---- bodies ---- */

static const char *loc_text(struct loc loc)
{
	return loc.src ? arena_printf(&program_arena, "%s:%d:%d", loc.src->name, loc.line, loc.col) : "ktap";
}

/* `next`: the arguments are as the caller gave them, for parameters that change are copies. */
static void write_decline(struct gen *g, struct text *out, const struct function *f, bool has_frame)
{
	const char **args = arena_array(&program_arena, const char *, f->n_params + 1), *text;
	bool nested = g->recursion && !f->c_body;
	int n = 0;

	emit_line(out, "goto kt_leave;");
	emit_line(out, "kt_decline:");
	if (has_frame) /* the other function's takes its place */
		emit_line(out, "c->frame = (char *)s;");
	if (!f->overload) {
		emit_line(out, "c->error = \"all functions exhausted\";");
		emit_line(out, "c->error_place = KT_NO_PLACE;");
		return;
	}
	for (const struct symbol *s = f->params; s; s = s->next)
		args[n++] = arena_printf(&program_arena, "a_%s", s->name);
	if (nested) /* nor is its call nested in this one */
		emit_line(out, "c->nesting--;");
	text = gen_call_text(g, f->overload, "ret_", args, n);
	if (f->type == TY_LONG && f->overload->type == TY_LONG)
		emit_line(out, "r_ = %s;", text);
	else
		emit_line(out, "%s;", text);
	if (nested)
		emit_line(out, "c->nesting++;");
}

/* Embedded C is at the end of the file. One that may decline gets a wrapper that calls the next overload. */
static void embedded_function(struct gen *g, const struct function *f, struct text *ret_proto, struct text *ret_body)
{
	const char **args = arena_array(&program_arena, const char *, f->n_params + 1);
	int n = 0;

	emit_line(ret_proto, "static %s;", func_signature(g, f, ""));
	if (!strstr(f->c_body, "STAP_NEXT"))
		return;
	emit_line(ret_proto, "static %s;", func_signature(g, f, "e"));
	emit_line(ret_body, "static %s", func_signature(g, f, ""));
	emit_open(ret_body, "{");
	if (f->type == TY_LONG)
		emit_line(ret_body, "kt_s64 r_;");
	text_puts(ret_body, "\n");
	for (const struct symbol *s = f->params; s; s = s->next)
		args[n++] = arena_printf(&program_arena, "a_%s", s->name);
	emit_line(ret_body, f->type == TY_LONG ? "r_ = e%s;" : "e%s;", gen_call_text(g, f, "ret_", args, n));
	emit_line(ret_body, "if (!(c->flags & KT_CTX_DECLINED))");
	emit_line(ret_body, "\tgoto kt_leave;");
	emit_line(ret_body, "c->flags &= ~KT_CTX_DECLINED;");
	emit_line(ret_body, "goto kt_decline;");
	write_decline(g, ret_body, f, false);
	emit_line(ret_body, "kt_leave: __attribute__((unused));");
	emit_line(ret_body, f->type == TY_LONG ? "return r_;" : ";");
	emit_close(ret_body, "}");
	text_puts(ret_body, "\n");
}

void gen_function(struct gen *g, struct function *f, struct text *ret_proto, struct text *ret_body)
{
	struct unit u;

	if (f->kit) {
		gen_kit_prototypes(g, f, ret_proto);
		return;
	}
	if (f->c_body) {
		g->frame[f->index] = embed_frame_slots(g, f);
		embedded_function(g, f, ret_proto, ret_body);
		return;
	}
	unit_begin(g, &u);
	u.func = f;
	u.counted = g->counted[f->index];
	u.slots = u.max_slots = unit_strings(f->params, f->locals);
	if (u.counted)
		gen_line(g, "KT_ACTIONS(%d, %d);", 1 + count_statements(f->body->list), gen_place(g, f->body));
	gen_stmts(g, f->body->list);
	g->frame[f->index] = u.max_slots;

	emit_line(ret_proto, "static %s;", func_signature(g, f, ""));
	emit_line(ret_body, "/* function %s at %s */", f->name, gen_comment(loc_text(f->loc)));
	emit_line(ret_body, "static %s", func_signature(g, f, ""));
	emit_open(ret_body, "{");
	unit_write(g, ret_body, f->params, f->locals);
	if (u.declined)
		write_decline(g, ret_body, f, u.max_slots > 0);
	emit_line(ret_body, "kt_fail: __attribute__((unused));");
	emit_line(ret_body, "kt_leave: __attribute__((unused));");
	if (u.max_slots)
		emit_line(ret_body, "c->frame = (char *)s;");
	if (g->recursion)
		emit_line(ret_body, "c->nesting--;");
	emit_line(ret_body, f->type == TY_LONG ? "return r_;" : ";");
	emit_close(ret_body, "}");
	text_puts(ret_body, "\n");
}

/* ---- what calls need ---- */
struct depth {
	struct gen *g;
	int *memo;     /* by function->index, -1 unknown */
	bool *path;    /* being computed: recursion ends there */
	int max;
	int (*own)(struct gen *g, int function);
};

static int depth_of(struct depth *d, int function);

static bool depth_node(struct node *n, void *data)
{
	struct depth *d = data;

	if (n->kind == ND_CALL)
		for (const struct function *f = n->func; f; f = f->overload)
			if (f->index >= 0 && !f->kit) {
				int depth = depth_of(d, f->index);

				d->max = depth > d->max ? depth : d->max;
			}
	return true;
}

/* The largest sum of own() along a chain of calls that starts below N. */
static int depth_below(struct depth *d, struct node *n)
{
	struct depth inner = *d;

	inner.max = 0;
	if (n)
		node_walk(n, depth_node, &inner);
	return inner.max;
}

static int depth_of(struct depth *d, int function)
{
	if (d->path[function])
		return 0;
	if (d->memo[function] < 0) {
		d->path[function] = true;
		d->memo[function] = d->own(d->g, function) +
				    depth_below(d, d->g->plan.functions[function]->body);
		d->path[function] = false;
	}
	return d->memo[function];
}

static struct depth depth_new(struct gen *g, int (*own)(struct gen *g, int function))
{
	struct depth d = { .g = g, .own = own };
	int n = g->plan.n_functions;

	d.memo = arena_array(&program_arena, int, n + 1);
	d.path = arena_array(&program_arena, bool, n + 1);
	for (int i = 0; i < n; i++)
		d.memo[i] = -1;
	return d;
}

static int own_one(struct gen *g, int function)
{
	(void)g, (void)function;
	return 1;
}

static int own_slots(struct gen *g, int function)
{
	return g->frame[function];
}

/* Returns the number of the function that takes most slots; 0 without functions too. */
static int largest_function(const struct gen *g)
{
	int largest = 0;

	for (int i = 1; i < g->plan.n_functions; i++)
		largest = g->frame[i] > g->frame[largest] ? i : largest;
	return largest;
}

long long func_frame_slots(struct gen *g, struct node *body, struct node *condition)
{
	struct depth d = depth_new(g, own_slots);
	int a = depth_below(&d, body), b = depth_below(&d, condition);

	return g->recursion ? (long long)g->frame[largest_function(g)] * (g->max_nesting + 1) : a > b ? a : b;
}

/* Reports that the strings of handlers take SIZE bytes. */
static void frame_exceeded(struct gen *g, long long size)
{
	int largest = largest_function(g);
	const struct function *f = g->plan.n_functions ? g->plan.functions[largest] : NULL;
	const char *most = "";
	char each[64] = "";

	if (g->recursion)
		snprintf(each, sizeof(each), " in each of up to %d nested calls", g->max_nesting + 1);
	if (f)
		most = arena_printf(&program_arena, ": function '%s' takes %lld%s", f->name,
				    (long long)g->frame[largest] * g->limits.string_max, each);
	error(f ? f->loc : diag_nowhere(g->p->reports), DIAG_USAGE, "handlers need %lld bytes for strings, and may have %d%s", size, FRAME_MAX, most);
	note(diag_nowhere(g->p->reports), "lower %s-DMAXSTRINGLEN (%d), or use fewer strings in a function",
	     g->recursion ? arena_printf(&program_arena, "-DMAXNESTING (%d) or ", g->max_nesting) : "", g->limits.string_max);
	g->failed = true;
}

unsigned func_frame_size(struct gen *g, long long slots)
{
	long long size = slots * g->limits.string_max;

	if (size > FRAME_MAX)
		frame_exceeded(g, size);
	return size > FRAME_MAX ? 0 : (unsigned)size;
}

/* ---- work on whole arrays ---- */
struct visiting {
	struct gen *g;
	bool *seen; /* by function->index */
	bool found;
};

static bool visit_node(struct node *n, void *data)
{
	struct visiting *v = data;

	switch (n->kind) {
	case ND_FOREACH:
		v->found |= n->kid[0]->kind != ND_HIST;
		break;
	case ND_DELETE:
		v->found |= n->kid[0]->kind != ND_INDEX && n->kid[0]->sym && gen_is_map(v->g, n->kid[0]->sym);
		break;
	case ND_STAR: /* of a slice */
		v->found = true;
		break;
	case ND_CALL:
		for (const struct function *f = n->func; f; f = f->overload) {
			if (f->index < 0 || f->kit || v->seen[f->index])
				continue;
			v->seen[f->index] = true;
			if (f->body)
				node_walk(f->body, visit_node, v);
		}
		break;
	default: /* nothing to do for other kinds */
		break;
	}
	return !v->found;
}

bool func_visits(struct gen *g, struct node *body, struct node *condition)
{
	struct visiting v = { .g = g, .seen = arena_array(&program_arena, bool, g->plan.n_functions + 1) };

	if (body)
		node_walk(body, visit_node, &v);
	if (condition)
		node_walk(condition, visit_node, &v);
	return v.found;
}

void func_analyse(struct gen *g)
{
	struct depth d = depth_new(g, own_one);
	long long limit = limit_read(g->p, "MAXNESTING", -1, 0, 1000, &g->failed);
	int depth = 0;

	for (int i = 0; i < g->plan.n_functions; i++)
		g->recursion |= g->plan.functions[i]->recursive;
	for (struct probe *pr = g->p->probes; pr; pr = pr->next) {
		int below = depth_below(&d, pr->body);

		depth = below > depth ? below : depth;
	}
	g->max_nesting = depth + 1 + (g->recursion ? 10 : 0);
	if (limit >= 0 && limit < g->max_nesting) {
		g->max_nesting = (int)limit;
		g->recursion = true;
	} else if (limit > g->max_nesting && g->recursion) {
		g->max_nesting = (int)limit;
	}
	g->p->max_nesting = g->max_nesting;
}
