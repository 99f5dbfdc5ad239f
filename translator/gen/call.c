/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of functions, and the prototypes that both sides agree on.
 *
 * A string argument is borrowed unless the callee may change what it points to; a result comes back in the space the
 * caller gave.
 */
#include "translator/gen/parts.h"

#include "runtime/core/format.h"

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

	text_printf(&t, "%s %s(struct kt_ctx *c", type, name);
	if (f->type == TY_STRING)
		text_puts(&t, f->kit ? ", char *ret_, kt_u32 size" : ", char *ret_");
	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(&t, ", %sa_%s", s->type == TY_STRING ? "const char *" : "kt_s64 ", s->name);
	text_puts(&t, ")");
	return text_keep(&t);
}

/* Prototype without storage class. */
const char *func_signature(struct gen *g, const struct function *f, const char *prefix)
{
	return signature(f, f->type == TY_LONG ? "kt_s64" : "void", arena_printf(&program_arena, "%s%s", prefix, c_name(g, f)));
}

void gen_kit_prototypes(struct gen *g, const struct function *f, struct text *out)
{
	emit_line(out, "%s;", func_signature(g, f, ""));
	if (f->hashed)
		emit_line(out, "%s;", signature(f, "struct kt_hashed", hashed_name(f)));
}

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

	text_printf(&t, "%s(c", name);
	if (f->type == TY_STRING)
		text_printf(&t, f->kit ? ", %s, KT_STR" : ", %s", ret);
	for (int i = 0; i < n; i++)
		text_printf(&t, ", %s", args[i]);
	text_puts(&t, ")");
	return text_keep(&t);
}

const char *gen_call_text(struct gen *g, const struct function *f, const char *ret, const char *const *args, int n)
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

	g->u->looks |= f->kit && g->limits.string_max > KT_LONG_STRING;
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
	text = gen_call_text(g, f, ret.text, args, n_args);
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
