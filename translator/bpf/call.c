/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls: of functions of the script, which are functions of the program; and of functions of the library, as instructions (library.c) or, in
 * ktaprun, by the functions of the core.
 */
#include <stddef.h>
#include <string.h>

#include "translator/bpf/library.h"

/* ---- the library, in ktaprun ---- */
static bool is_native(const char *name)
{
	static const char *const names[] = {
#define NATIVE(name, result) #name,
#include "runtime/bpf/natives.def"
#undef NATIVE
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Calls F, whose arguments are at ARGS in the frame, eight bytes each. N: the place of an error. */
static void enter_native(struct bpf *b, const struct node *n, const struct function *f, unsigned args, const struct string *result)
{
	struct bpf_code *c = &b->u->code;

	bpf_number(c, R1, f->n_params);
	str_address(b, R2, (struct string){ .where = STRING_FRAME, .at = args });
	if (result)
		str_address(b, R3, *result);
	else
		bpf_number(c, R3, 0);
	bpf_call(c, NATIVE_BASE + (int)(map_add(&b->natives, intern(f->kit_name), 0) - b->natives.row));
	bpf_check_native(b, n);
}

static void call_native(struct bpf *b, const struct node *n, const struct string *result)
{
	unsigned args = str_new(b, 8 * (unsigned)n->func->n_params + 8).at, stack = b->u->stack;
	int i = 0;

	for (const struct node *arg = n->list; arg && i < n->func->n_params; arg = arg->next, i++) {
		if (arg->type == TY_STRING)
			str_address(b, R0, bpf_string_kept(b, arg, arg->next));
		else
			bpf_long(b, arg);
		bpf_store(&b->u->code, 8, FRAME_REGISTER, (int)args + 8 * i, R0);
	}
	enter_native(b, n, n->func, args, result);
	b->u->stack = stack;
}

/* ---- functions of the script ---- */
struct string bpf_result(struct bpf *b, const struct function *f)
{
	return (struct string){ .where = STRING_FRAME, .at = bpf_local(b, f, (unsigned)b->string_max), .size = ((unsigned)b->string_max + 7) & ~7u };
}

static bpf_label function_label(struct bpf *b, struct function *f)
{
	struct map_row *row = map_add(&b->u->functions, f->name, (unsigned)f->index + 1);
	struct pending *p;

	if (!row->value) {
		p = arena_new(&program_arena, struct pending);
		*p = (struct pending){ .label = bpf_label_new(&b->u->code), .func = f, .next = b->u->pending };
		b->u->pending = p;
		row->value = (void *)(intptr_t)(p->label + 1);
	}
	return (int)(intptr_t)row->value - 1;
}

/* Computes the arguments, and then, since one of them may call the function, sets the parameters. */
static void pass(struct bpf *b, const struct node *n, const struct function *f)
{
	struct bpf_code *c = &b->u->code;
	struct string *strings = arena_array(&program_arena, struct string, f->n_params + 1);
	int *longs = arena_array(&program_arena, int, f->n_params + 1), i = 0;
	unsigned stack = b->u->stack;

	for (const struct node *arg = n->list; arg && i < f->n_params; arg = arg->next, i++) {
		if (arg->type == TY_STRING) {
			strings[i] = bpf_string_kept(b, arg, arg->next);
		} else {
			bpf_long(b, arg);
			longs[i] = bpf_push(b, n);
		}
	}
	i = 0;
	for (const struct symbol *s = f->params; s; s = s->next, i++) {
		if (s->type == TY_STRING) {
			str_copy(b, bpf_variable(b, s), strings[i]);
		} else {
			bpf_load(c, 8, R0, R10, longs[i]);
			bpf_store_long(b, s);
		}
	}
	b->u->stack = stack;
}

/* Calls F, whose parameters are set. */
static void enter(struct bpf *b, struct function *f)
{
	bpf_move(&b->u->code, R1, CONTEXT_REGISTER);
	bpf_move(&b->u->code, R2, FRAME_REGISTER);
	bpf_call_function(&b->u->code, function_label(b, f));
}

static bool is_callable(struct bpf *b, const struct node *n)
{
	for (const struct function *f = n->func; f; f = f->overload) {
		if (f->recursive || (f->c_body && !f->kit)) {
			bpf_refuse(b, n, f->recursive ? "recursion" : "embedded C");
			return false;
		}
		if (f->kit && !(b->u->cold && is_native(f->kit_name))) {
			bpf_refuse(b, n, arena_printf(&program_arena, "'next' to the library's '%s'", f->name));
			return false;
		}
	}
	return true;
}

/* An error of the function that N calls ends its caller, too. N is its place where it has none, else one of the calls that led there. */
static void pass_error_on(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label good = bpf_label_new(c), has_place = bpf_label_new(c);

	bpf_jump_number(c, BPF_JEQ, R0, 0, good);
	bpf_load(c, 4, R1, FRAME_REGISTER, offsetof(struct image_frame, place));
	bpf_jump_number(c, BPF_JNE, R1, KT_NO_PLACE, has_place);
	bpf_store_number(c, 4, FRAME_REGISTER, offsetof(struct image_frame, place), (int)bpf_place_of(b, n));
	bpf_jump(c, b->u->fail);
	bpf_here(c, has_place);
	bpf_load(c, 8, R1, FRAME_REGISTER, offsetof(struct image_frame, n_callers));
	bpf_jump_number(c, BPF_JGE, R1, KT_ERROR_CALLS_MAX, b->u->fail);
	bpf_move(c, R2, R1);
	bpf_operate_number(c, BPF_LSH, R2, 2);
	bpf_operate(c, BPF_ADD, R2, FRAME_REGISTER);
	bpf_store_number(c, 4, R2, offsetof(struct image_frame, callers), (int)bpf_place_of(b, n));
	bpf_operate_number(c, BPF_ADD, R1, 1);
	bpf_store(c, 8, FRAME_REGISTER, offsetof(struct image_frame, n_callers), R1);
	bpf_jump(c, b->u->fail);
	bpf_here(c, good);
}

static void call_function(struct bpf *b, const struct node *n)
{
	if (!is_callable(b, n))
		return;
	pass(b, n, n->func);
	enter(b, n->func);
	pass_error_on(b, n);
}

/* Where the argument for the parameter S is kept: the parameter may be written to. */
static struct string kept(struct bpf *b, const struct symbol *s)
{
	unsigned size = s->type == TY_STRING ? str_size(b, s) : 8;

	return (struct string){ .where = STRING_FRAME, .at = bpf_local(b, (const char *)s + 1, size), .size = size };
}

void bpf_keep_arguments(struct bpf *b, const struct function *f)
{
	struct bpf_code *c = &b->u->code;

	for (const struct symbol *s = f->params; s && f->overload; s = s->next) {
		if (s->type == TY_STRING) {
			str_copy(b, kept(b, s), bpf_variable(b, s));
		} else {
			bpf_load(c, 8, R0, FRAME_REGISTER, (int)bpf_local(b, s, 8));
			bpf_store(c, 8, FRAME_REGISTER, (int)kept(b, s).at, R0);
		}
	}
}

/* `next` in F: calls the function of the library that is its next overload. */
static void decline_to_native(struct bpf *b, const struct node *n, const struct function *f)
{
	struct bpf_code *c = &b->u->code;
	const struct function *to = f->overload;
	struct string result = bpf_result(b, f);
	unsigned args = str_new(b, 8 * (unsigned)to->n_params + 8).at;
	int at = (int)args;

	for (const struct symbol *s = f->params; s; s = s->next, at += 8) {
		if (s->type == TY_STRING)
			str_address(b, R0, kept(b, s));
		else
			bpf_load(c, 8, R0, FRAME_REGISTER, (int)kept(b, s).at);
		bpf_store(c, 8, FRAME_REGISTER, at, R0);
	}
	enter_native(b, n, to, args, to->type == TY_STRING ? &result : NULL);
	if (f->type == TY_LONG)
		bpf_store(c, 8, FRAME_REGISTER, (int)bpf_local(b, f, 8), R0);
}

void bpf_decline(struct bpf *b, const struct function *f)
{
	struct bpf_code *c = &b->u->code;
	const struct symbol *to = f->overload ? f->overload->params : NULL;

	if (!f->overload) {
		bpf_fail(b, NULL, IMAGE_ERROR_EXHAUSTED, false);
		return;
	}
	if (f->overload->kit) {
		decline_to_native(b, f->body, f);
		return;
	}
	for (const struct symbol *s = f->params; s && to; s = s->next, to = to->next) {
		if (s->type == TY_STRING) {
			str_copy(b, bpf_variable(b, to), kept(b, s));
		} else {
			bpf_load(c, 8, R0, FRAME_REGISTER, (int)kept(b, s).at);
			bpf_store_long(b, to);
		}
	}
	enter(b, f->overload);
	bpf_jump_number(c, BPF_JNE, R0, 0, b->u->fail);
	if (f->type == TY_STRING && f->overload->type == TY_STRING) {
		str_copy(b, bpf_result(b, f), bpf_result(b, f->overload));
	} else if (f->type == TY_LONG && f->overload->type == TY_LONG) {
		bpf_load(c, 8, R0, FRAME_REGISTER, (int)bpf_local(b, f->overload, 8));
		bpf_store(c, 8, FRAME_REGISTER, (int)bpf_local(b, f, 8), R0);
	}
}

/* ---- all ---- */
static void refuse_function(struct bpf *b, const struct node *n)
{
	const char *name = n->func->name;

	bpf_refuse(b, n, arena_printf(&program_arena, b->u->cold ? "'%s' in a handler that ktaprun runs" : is_native(n->func->kit_name) ?
				      "'%s' in a handler at a hit" : "the function '%s'", name));
}

void bpf_call_long(struct bpf *b, const struct node *n)
{
	struct function *f = n->func;

	if (!f->kit) {
		call_function(b, n);
		if (f->type == TY_LONG)
			bpf_load(&b->u->code, 8, R0, FRAME_REGISTER, (int)bpf_local(b, f, 8));
		return;
	}
	if (b->u->cold && is_native(f->kit_name))
		call_native(b, n, NULL);
	else if (!library_long(b, n))
		refuse_function(b, n);
}

struct string bpf_call_string(struct bpf *b, const struct node *n)
{
	struct function *f = n->func;
	struct string s;

	if (f->loc.src && f->loc.src->tapset && !strcmp(f->name, "probefunc") && library_probefunc(b, n, &s))
		return s;
	if (!f->kit) {
		call_function(b, n);
		if (f->type != TY_STRING)
			return str_constant(b, "", 0);
		/* Another call overwrites it. */
		s = str_new(b, (unsigned)b->string_max);
		str_copy(b, s, bpf_result(b, f));
		return s;
	}
	if (b->u->cold && is_native(f->kit_name)) {
		s = str_new(b, (unsigned)b->string_max);
		call_native(b, n, &s);
	} else if (!library_string(b, n, &s)) {
		s = str_constant(b, "", 0);
		refuse_function(b, n);
	}
	return s;
}
