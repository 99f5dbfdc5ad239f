/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions: longs into R0, strings in memory, conditions as jumps. */
#include <string.h>

#include "translator/bpf/state.h"
#include "translator/probe/context.h"

/* ---- operators ---- */
/* Is N loaded by an instruction or two, without a call? */
static bool is_simple(const struct node *n)
{
	return n->kind == ND_NUM || (n->kind == ND_NAME && n->type == TY_LONG);
}

static void load_simple(struct bpf *b, const struct node *n, unsigned to)
{
	if (n->kind == ND_NUM)
		bpf_number(&b->u->code, to, n->num);
	else
		bpf_load_long(b, n->sym, to);
}

/* Computes A into R0 and B into R1. */
static void operands(struct bpf *b, const struct node *first, const struct node *second)
{
	int at;

	bpf_long(b, first);
	if (is_simple(second)) { /* it changes nothing */
		load_simple(b, second, R1);
		return;
	}
	at = bpf_push(b, first);
	bpf_long(b, second);
	bpf_move(&b->u->code, R1, R0);
	bpf_pop(b, R0, at);
}

/* ---- conditions ---- */
static enum bpf_jump jump_of(enum op op, bool when)
{
	switch (op) {
	case OP_LT: return when ? BPF_JSLT : BPF_JSGE;
	case OP_GT: return when ? BPF_JSGT : BPF_JSLE;
	case OP_LE: return when ? BPF_JSLE : BPF_JSGT;
	case OP_GE: return when ? BPF_JSGE : BPF_JSLT;
	case OP_EQ: return when ? BPF_JEQ : BPF_JNE;
	case OP_NE: return when ? BPF_JNE : BPF_JEQ;
	default: return BPF_JA;
	}
}

/* The string S against the constant K, both in whole words: jumps to TO if they are equal, or not, as WHEN says. */
static void compare_constant(struct bpf *b, struct string s, struct string k, bool when, bpf_label to)
{
	struct bpf_code *c = &b->u->code;
	bpf_label end = bpf_label_new(c), differ = when ? end : to;
	unsigned n = (unsigned)k.len + 1; /* with its NUL */
	const char *text = text_str(&b->constants) + k.at;

	if (s.size < n) { /* it is shorter */
		if (!when)
			bpf_jump(c, to);
		bpf_here(c, end);
		return;
	}
	str_address(b, R1, s);
	for (unsigned i = 0; i < n; i += 8) {
		uint64_t word, mask = n - i >= 8 ? ~0ull : (1ull << 8 * (n - i)) - 1; /* the first byte is the lowest: of machines with that order */

		memcpy(&word, text + i, 8);
		bpf_load(c, 8, R0, R1, (int)i);
		if (~mask) {
			bpf_number(c, R2, (int64_t)mask);
			bpf_operate(c, BPF_AND, R0, R2);
		}
		bpf_number(c, R2, (int64_t)(word & mask));
		bpf_jump_if(c, BPF_JNE, R0, R2, differ);
	}
	if (when)
		bpf_jump(c, to);
	bpf_here(c, end);
}

enum { COMPARED_MAX = 1024 }; /* bytes of two strings that a program in the kernel compares: it has no loop */

/* The same of any two strings, byte by byte; the order is that of the first that differs. */
static void compare_strings(struct bpf *b, const struct node *n, struct string x, struct string y, bool when, bpf_label to)
{
	struct bpf_code *c = &b->u->code;
	bpf_label decided = bpf_label_new(c), end = bpf_label_new(c);
	unsigned size = x.size < y.size ? x.size : y.size;

	if (b->u->cold) {
		str_address(b, R1, x);
		str_address(b, R2, y);
		bpf_call(c, NATIVE_COMPARE);
		bpf_jump_number(c, jump_of(n->op, when), R0, 0, to);
		return;
	}
	if (size > COMPARED_MAX) {
		bpf_refuse(b, n, "a comparison of strings of so many bytes");
		return;
	}
	str_address(b, R1, x);
	str_address(b, R2, y);
	for (unsigned i = 0; i < size; i++) {
		bpf_load(c, 1, R0, R1, (int)i);
		bpf_load(c, 1, R3, R2, (int)i);
		bpf_jump_if(c, BPF_JNE, R0, R3, decided);
		bpf_jump_number(c, BPF_JEQ, R0, 0, decided);
	}
	bpf_here(c, decided);
	bpf_jump_if(c, jump_of(n->op, when), R0, R3, to);
	bpf_here(c, end);
}

static void branch_compare(struct bpf *b, const struct node *n, bool when, bpf_label to)
{
	struct bpf_code *c = &b->u->code;

	if (n->kid[0]->type == TY_STRING) {
		struct string x = bpf_string_kept(b, n->kid[0], n->kid[1]), y = bpf_string(b, n->kid[1]);
		bool equality = n->op == OP_EQ || n->op == OP_NE;

		if (equality && y.where == STRING_CONSTANT)
			compare_constant(b, x, y, when == (n->op == OP_EQ), to);
		else if (equality && x.where == STRING_CONSTANT)
			compare_constant(b, y, x, when == (n->op == OP_EQ), to);
		else
			compare_strings(b, n, x, y, when, to);
		return;
	}
	if (n->kid[1]->kind == ND_NUM && n->kid[1]->num == (int32_t)n->kid[1]->num) {
		bpf_long(b, n->kid[0]);
		bpf_jump_number(c, jump_of(n->op, when), R0, (int32_t)n->kid[1]->num, to);
		return;
	}
	operands(b, n->kid[0], n->kid[1]);
	bpf_jump_if(c, jump_of(n->op, when), R0, R1, to);
}

void bpf_branch(struct bpf *b, const struct node *n, bool when, bpf_label to)
{
	struct bpf_code *c = &b->u->code;
	bpf_label end;

	if (n->kind == ND_BINARY && jump_of(n->op, true) != BPF_JA) {
		branch_compare(b, n, when, to);
	} else if (n->kind == ND_BINARY && (n->op == OP_LAND || n->op == OP_LOR)) {
		if (when == (n->op == OP_LOR)) {
			bpf_branch(b, n->kid[0], when, to);
			bpf_branch(b, n->kid[1], when, to);
		} else {
			end = bpf_label_new(c);
			bpf_branch(b, n->kid[0], !when, end);
			bpf_branch(b, n->kid[1], when, to);
			bpf_here(c, end);
		}
	} else if (n->kind == ND_UNARY && n->op == OP_NOT) {
		bpf_branch(b, n->kid[0], !when, to);
	} else {
		bpf_long(b, n);
		bpf_jump_number(c, when ? BPF_JNE : BPF_JEQ, R0, 0, to);
	}
}

/* R0 becomes 1 where N is true, else 0. */
static void truth(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label no = bpf_label_new(c), end = bpf_label_new(c);

	bpf_branch(b, n, false, no);
	bpf_number(c, R0, 1);
	bpf_jump(c, end);
	bpf_here(c, no);
	bpf_number(c, R0, 0);
	bpf_here(c, end);
}

static void binary(struct bpf *b, const struct node *n)
{
	switch (n->op) {
	case OP_LT: case OP_GT: case OP_EQ: case OP_NE: case OP_LE: case OP_GE: case OP_LAND: case OP_LOR:
		truth(b, n);
		break;
	case OP_MATCH: case OP_NMATCH:
		bpf_match(b, n);
		break;
	default:
		operands(b, n->kid[0], n->kid[1]);
		bpf_apply(b, n);
	}
}

static void unary(struct bpf *b, const struct node *n)
{
	if (n->op == OP_NOT) {
		truth(b, n);
		return;
	}
	bpf_long(b, n->kid[0]);
	if (n->op == OP_NEG)
		bpf_negate(&b->u->code, R0);
	else if (n->op == OP_COMPL)
		bpf_operate_number(&b->u->code, BPF_XOR, R0, -1);
}

static void ternary(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label no = bpf_label_new(c), end = bpf_label_new(c);

	bpf_branch(b, n->kid[0], false, no);
	bpf_long(b, n->kid[1]);
	bpf_jump(c, end);
	bpf_here(c, no);
	bpf_long(b, n->kid[2]);
	bpf_here(c, end);
}

/* ---- assignments ---- */
/* Does the handler add to its CPU's copy of S? */
static bool counts(const struct bpf *b, const struct symbol *s)
{
	return s->global && s->plan == PLAN_COUNTER && !s->array && !b->u->cold;
}

/* Adds R0 to this CPU's copy of S. */
static void add_to_copy(struct bpf *b, const struct symbol *s)
{
	struct bpf_code *c = &b->u->code;
	bpf_label end = bpf_label_new(c);

	bpf_push(b, NULL);
	bpf_call(c, BPF_CPU);
	bpf_known(c, R1, IMAGE_CPUS);
	bpf_jump_if(c, BPF_JGE, R0, R1, end);
	bpf_operate_number(c, BPF_MUL, R0, (int)b->cpu_size);
	bpf_value(c, R1, MAP_STATE, b->copy_at[s->index]);
	bpf_operate(c, BPF_ADD, R1, R0);
	bpf_load(c, 8, R0, R10, -(int)b->u->stack);
	bpf_atomic(c, BPF_ADD, R1, 0, R0);
	bpf_here(c, end);
	bpf_pop(b, R0, -(int)b->u->stack);
}

static void step(struct bpf *b, const struct node *n, bool wanted)
{
	const struct symbol *s = n->kid[0]->sym;
	bool post = n->op == OP_POSTINC || n->op == OP_POSTDEC;
	int by = n->op == OP_PREINC || n->op == OP_POSTINC ? 1 : -1;

	if (n->kid[0]->kind == ND_INDEX) {
		bpf_element_assign(b, n, wanted);
		return;
	}
	if (n->kid[0]->kind != ND_NAME) {
		bpf_refuse(b, n, "a write to the target's memory");
		return;
	}
	if (counts(b, s)) {
		bpf_number(&b->u->code, R0, by);
		add_to_copy(b, s);
		return;
	}
	bpf_load_long(b, s, R0);
	bpf_operate_number(&b->u->code, BPF_ADD, R0, by);
	bpf_store_long(b, s);
	if (post && wanted)
		bpf_operate_number(&b->u->code, BPF_SUB, R0, by);
}

static struct string assign_string(struct bpf *b, const struct node *n)
{
	struct string to = bpf_variable(b, n->kid[0]->sym), from = bpf_string(b, n->kid[1]);

	/* The right side may change the variable, which is read after it. */
	str_copy(b, to, n->op == OP_CAT_ASSIGN ? bpf_join(b, to, from) : from);
	return to;
}

static void assign(struct bpf *b, const struct node *n, bool wanted)
{
	const struct node *to = n->kid[0];

	if (n->op == OP_STAT_ADD) {
		bpf_stat_add(b, n);
	} else if (to->kind == ND_INDEX) {
		bpf_element_assign(b, n, wanted);
	} else if (to->kind != ND_NAME) {
		bpf_refuse(b, n, "a write to the target's memory");
	} else if (n->type == TY_STRING) {
		assign_string(b, n);
	} else if (n->op == OP_ASSIGN) {
		bpf_long(b, n->kid[1]);
		bpf_store_long(b, to->sym);
	} else if (counts(b, to->sym)) {
		bpf_long(b, n->kid[1]);
		if (n->op == OP_SUB_ASSIGN)
			bpf_negate(&b->u->code, R0);
		add_to_copy(b, to->sym);
	} else {
		/* The right side may change the variable, which is read after it. */
		operands(b, n->kid[1], n->kid[0]);
		bpf_move(&b->u->code, R2, R0);
		bpf_move(&b->u->code, R0, R1);
		bpf_move(&b->u->code, R1, R2);
		bpf_apply(b, n);
		bpf_store_long(b, to->sym);
	}
}

/* ---- all ---- */
/* @kderef(size, address), @uderef. */
static void deref(struct bpf *b, const struct node *n)
{
	bpf_long(b, n->kid[0]);
	bpf_read(b, n, (unsigned)n->num, n->user);
}

static void compute_long(struct bpf *b, const struct node *n)
{
	switch (n->kind) {
	case ND_NUM: case ND_NAME:
		load_simple(b, n, R0);
		break;
	case ND_INDEX:
		bpf_element(b, n);
		break;
	case ND_CALL:
		bpf_call_long(b, n);
		break;
	case ND_UNARY:
		unary(b, n);
		break;
	case ND_INCDEC:
		step(b, n, true);
		break;
	case ND_BINARY:
		binary(b, n);
		break;
	case ND_ASSIGN:
		assign(b, n, true);
		break;
	case ND_COND:
		ternary(b, n);
		break;
	case ND_IN:
		bpf_in(b, n);
		break;
	case ND_STAT:
		bpf_stat(b, n);
		break;
	case ND_PRINT:
		bpf_print(b, n);
		break;
	case ND_DEREF:
		deref(b, n);
		break;
	case ND_TARGET: case ND_ARROW: case ND_SUBSCRIPT: case ND_ADDRESS: case ND_CAST: case ND_VAR:
		bpf_access(b, n);
		break;
	default:
		bpf_refuse(b, n, arena_printf(&program_arena, "'%s'", node_kind_name(n->kind)));
	}
}

static struct string concatenate(struct bpf *b, const struct node *n)
{
	struct string left = bpf_string_kept(b, n->kid[0], n->kid[1]);

	return bpf_join(b, left, bpf_string(b, n->kid[1]));
}

static struct string ternary_string(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct string to = str_new(b, (unsigned)b->string_max);
	bpf_label no = bpf_label_new(c), end = bpf_label_new(c);

	bpf_branch(b, n->kid[0], false, no);
	str_copy(b, to, bpf_string(b, n->kid[1]));
	bpf_jump(c, end);
	bpf_here(c, no);
	str_copy(b, to, bpf_string(b, n->kid[2]));
	bpf_here(c, end);
	return to;
}

static struct string compute_string(struct bpf *b, const struct node *n)
{
	switch (n->kind) {
	case ND_STR:
		return str_literal(b, n);
	case ND_NAME:
		return bpf_variable(b, n->sym);
	case ND_INDEX:
		return bpf_element_string(b, n);
	case ND_CALL:
		return bpf_call_string(b, n);
	case ND_BINARY:
		return concatenate(b, n);
	case ND_ASSIGN:
		if (n->kid[0]->kind == ND_NAME)
			return assign_string(b, n);
		if (n->kid[0]->kind == ND_INDEX)
			return bpf_element_assign_string(b, n);
		break;
	case ND_COND:
		return ternary_string(b, n);
	case ND_PRINT:
		return bpf_sprint(b, n);
	default:
		break;
	}
	bpf_refuse(b, n, arena_printf(&program_arena, "the string '%s'", node_kind_name(n->kind)));
	return str_constant(b, "", 0);
}

void bpf_effect(struct bpf *b, const struct node *n)
{
	if (n->kind == ND_INCDEC)
		step(b, n, false);
	else if (n->kind == ND_ASSIGN)
		assign(b, n, false);
	else if (n->kind == ND_CALL && n->type != TY_STRING)
		bpf_call_long(b, n);
	else if (n->type == TY_STRING)
		bpf_string(b, n);
	else
		bpf_long(b, n);
}

void bpf_expressions(struct bpf *b)
{
	b->number = compute_long;
	b->string = compute_string;
}
