/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C functions: script functions, handlers of probes, calls, and the space they need.
 *
 * A string argument is borrowed unless the callee may change what it points to; a result comes back in the space the
 * caller gave. `next` in a function calls the next overload with the same arguments; after the last it is an error.
 */
#include <stdio.h>
#include <string.h>

#include "translator/gen/internal.h"

enum { FRAME_MAX = 64 << 20 }; /* bytes of the strings of a handler: each CPU has three frames */

/* ---- names and signatures ---- */

static const char *c_name(struct gen *g, const struct function *f)
{
	return f->kit ? arena_printf(&program_arena, "kt_fn_%s", f->kit_name) : g->func_name[f->index];
}

bool func_is_embedded(const struct function *f)
{
	return f->c_body && !f->kit;
}

static const char *hashed_name(const struct function *f)
{
	return arena_printf(&program_arena, "kt_hashed_%s", f->kit_name);
}

/* Of F as the function NAME, which returns TYPE. */
static const char *signature(const struct function *f, const char *type, const char *name)
{
	struct text t = { 0 };
	const char *ret;

	text_printf(&t, "%s %s(struct kt_ctx *c", type, name);
	if (f->type == TY_STRING)
		text_puts(&t, f->kit ? ", char *ret_, kt_u32 size" : ", char *ret_");
	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(&t, ", %sa_%s", s->type == TY_STRING ? "const char *" : "kt_s64 ", s->name);
	text_puts(&t, ")");
	ret = arena_strndup(&program_arena, text_str(&t), t.len);
	text_deinit(&t);
	return ret;
}

/* Prototype without storage class. */
const char *func_signature(struct gen *g, const struct function *f, const char *prefix)
{
	return signature(f, f->type == TY_LONG ? "kt_s64" : "void", arena_printf(&program_arena, "%s%s", prefix, c_name(g, f)));
}

/* ---- calls ---- */
static bool writes_globals(const struct gen *g, const struct function *f)
{
	for (; f; f = f->overload)
		for (int i = 0; f->index >= 0 && i < g->plan.n_globals; i++)
			if (g->plan.closed[f->index].flags[i] & (USE_WRITE | USE_COUNT))
				return true;
	return false;
}

/* "NAME(c, s[0], a, b)" */
static const char *call_of(const struct function *f, const char *name, const char *ret, const char *const *args, int n)
{
	struct text t = { 0 };
	const char *text;

	text_printf(&t, "%s(c", name);
	if (f->type == TY_STRING)
		text_printf(&t, f->kit ? ", %s, KT_STR" : ", %s", ret);
	for (int i = 0; i < n; i++)
		text_printf(&t, ", %s", args[i]);
	text_puts(&t, ")");
	text = arena_strndup(&program_arena, text_str(&t), t.len);
	text_deinit(&t);
	return text;
}

static const char *call_text(struct gen *g, const struct function *f, const char *ret, const char *const *args, int n)
{
	return call_of(f, c_name(g, f), ret, args, n);
}

/* Evaluates the arguments of the call N, and returns how many they are. */
static int eval_arguments(struct gen *g, const struct node *n, const char **args)
{
	const struct function *f = n->func;
	struct node **kids = arena_array(&program_arena, struct node *, f->n_params + 1);
	struct value *v = arena_array(&program_arena, struct value, f->n_params + 1);
	bool writes = writes_globals(g, f);
	int n_args = 0;

	g->u->looks |= f->kit && g->string_max > KT_LONG_STRING;
	for (struct node *arg = n->list; arg && n_args < f->n_params; arg = arg->next)
		kids[n_args++] = arg;
	gen_list(g, kids, n_args, v);
	for (int i = 0; i < n_args; i++) {
		if (kids[i]->type == TY_STRING && writes && (node_touches(g, kids[i]) & TOUCH_READ_GLOBAL))
			v[i] = gen_hold(g, v[i], TY_STRING);
		args[i] = v[i].text;
	}
	return n_args;
}

struct value gen_call(struct gen *g, const struct node *n, bool wanted)
{
	const struct function *f = n->func;
	const char **args = arena_array(&program_arena, const char *, f->n_params + 1), *text;
	int n_args = eval_arguments(g, n, args);
	struct value ret = gen_constant(0);

	if (f->type == TY_STRING)
		ret = (struct value){ .text = gen_slot(g), .slot = true };
	else if (f->type == TY_LONG && wanted)
		ret = (struct value){ .text = gen_temp(g) };
	g->u->calls |= !f->kit;
	text = call_text(g, f, ret.text, args, n_args);
	if (f->type == TY_UNKNOWN && n->type == TY_STRING)
		ret = value_of("\"\"");
	if (f->type == TY_LONG && wanted)
		gen_line(g, "%s = %s;", ret.text, text);
	else
		gen_line(g, "%s;", text);
	/* One that cannot fail needs no place in the script: so aliases of one meaning have equal handlers. */
	if (f->body)
		gen_line(g, "KT_CHECK_CALL(%d);", gen_place(g, n));
	else if (!f->kit || !f->stable)
		gen_check(g, n);
	return ret;
}

bool gen_is_hashed(const struct gen *g, const struct node *n)
{
	return n->kind == ND_CALL && n->func->hashed && !n->func->overload && g->p->platform.runtime == RUNTIME_KERNEL;
}

struct value gen_hashed(struct gen *g, const struct node *n)
{
	const char **args = arena_array(&program_arena, const char *, n->func->n_params + 1);
	int n_args = eval_arguments(g, n, args);
	struct value ret = value_of("h%d", g->u->n_hashed++);

	gen_line(g, "%s = %s;", ret.text, call_of(n->func, hashed_name(n->func), gen_slot(g), args, n_args));
	gen_check(g, n);
	return ret;
}

/* ---- bodies ---- */
void unit_begin(struct gen *g, struct unit *u)
{
	*u = (struct unit){ .code = { .indent = 1 } };
	g->u = u;
}

/* Members of l, and the slot of each string. */
static int declare_locals(struct gen *g, struct text *out, const struct symbol *params, const struct symbol *locals)
{
	const struct symbol *lists[] = { params, locals };
	int n = 0;

	for (int i = 0; i < 2; i++)
		for (const struct symbol *s = lists[i]; s; s = s->next) {
			if (s->param && !s->written)
				continue;
			if (!n++)
				emit_open(out, "struct {");
			emit_line(out, "%s%s;", s->type == TY_STRING ? "char *" : "kt_s64 ", gen_local_name(s->name));
		}
	if (n)
		emit_close(out, "} l_, *l = &l_;");
	return n;
}

int unit_strings(const struct symbol *params, const struct symbol *locals)
{
	int n = 0;

	for (const struct symbol *s = params; s; s = s->next)
		n += s->type == TY_STRING && s->written;
	for (const struct symbol *s = locals; s; s = s->next)
		n += s->type == TY_STRING;
	return n;
}

static void init_local(struct text *out, const struct symbol *s, int *slot)
{
	const char *name = gen_local_name(s->name);

	if (s->param && !s->written)
		return;
	if (s->type == TY_STRING) {
		emit_line(out, "l->%s = s[%d];", name, (*slot)++);
		if (s->param)
			emit_line(out, "kt_strcpy(l->%s, a_%s, KT_STR);", name, s->name);
		else
			emit_line(out, "l->%s[0] = 0;", name);
	} else if (s->param) {
		emit_line(out, "l->%s = a_%s;", name, s->name);
	} else {
		emit_line(out, "l->%s = 0;", name);
	}
}

/* Declarations and initial values, then the code that was collected. */
void unit_write(struct gen *g, struct text *out, const struct symbol *params, const struct symbol *locals)
{
	struct unit *u = g->u;
	int slot = 0;

	declare_locals(g, out, params, locals);
	if (u->max_slots)
		emit_line(out, "char (*s)[KT_STR] = (void *)kt_%sframe(c, %d * KT_STR);", u->func ? "" : "first_",
			  u->max_slots);
	for (int i = 0; i < u->n_long; i++)
		emit_line(out, "kt_s64 t%d __attribute__((unused));", i);
	for (int i = 0; i < u->n_string; i++)
		emit_line(out, "const char *q%d;", i);
	for (int i = 0; i < u->n_pointers; i++)
		emit_line(out, "kt_s64 *e%d;", i);
	for (int i = 0; i < u->n_hashed; i++)
		emit_line(out, "struct kt_hashed h%d;", i);
	if (u->func && u->func->type == TY_LONG)
		emit_line(out, "kt_s64 r_ = 0;");
	text_puts(out, "\n");
	if (u->frame && !u->max_slots)
		emit_line(out, "c->frame = c->frame_base;");
	if (u->acts)
		emit_line(out, "kt_actions_start(c, %lld);", count_budget(g, u->probe));
	if (u->visits)
		emit_line(out, "c->visits = %lld;", g->max_visits);
	if (u->func && u->func->type == TY_STRING)
		emit_line(out, "ret_[0] = 0;");
	if (u->func && g->recursion) {
		emit_line(out, "if (kt_unlikely(++c->nesting > %d))", g->max_nesting);
		emit_line(out, "\tKT_FAIL(\"MAXNESTING exceeded; raise -DMAXNESTING\", KT_NO_PLACE);");
	}
	for (const struct symbol *s = params; s; s = s->next)
		init_local(out, s, &slot);
	for (const struct symbol *s = locals; s; s = s->next)
		init_local(out, s, &slot);
	text_append(out, text_str(&u->code), u->code.len);
	text_deinit(&u->code);
}

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
	text = call_text(g, f->overload, "ret_", args, n);
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
	emit_line(ret_body, f->type == TY_LONG ? "r_ = e%s;" : "e%s;", call_text(g, f, "ret_", args, n));
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
		emit_line(ret_proto, "%s;", func_signature(g, f, ""));
		if (f->hashed)
			emit_line(ret_proto, "%s;", signature(f, "struct kt_hashed", hashed_name(f)));
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
		gen_line(g, "KT_ACTIONS(%d, %d);", 1 + stmt_cost(f->body->list), gen_place(g, f->body));
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
				    (long long)g->frame[largest] * g->string_max, each);
	error(f ? f->loc : (struct loc){ 0 }, DIAG_USAGE, "handlers need %lld bytes for strings, and may have %d%s", size, FRAME_MAX, most);
	note((struct loc){ 0 }, "lower %s-DMAXSTRINGLEN (%d), or use fewer strings in a function",
	     g->recursion ? arena_printf(&program_arena, "-DMAXNESTING (%d) or ", g->max_nesting) : "", g->string_max);
	g->failed = true;
}

unsigned func_frame_size(struct gen *g, long long slots)
{
	long long size = slots * g->string_max;

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
	long long limit = gen_limit(g, "MAXNESTING", -1, 0, 1000);
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
