/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables, and operators on what has been computed. */
#include <stddef.h>

#include "translator/bpf/state.h"

/* Sets *RET_REG and *RET_AT to where the long S is; REG is used for that if need be. */
static void find_long(struct bpf *b, const struct symbol *s, unsigned reg, unsigned *ret_reg, int *ret_at)
{
	if (s->global) {
		bpf_value(&b->u->code, reg, MAP_STATE, b->global_at[s->index]);
		*ret_reg = reg;
		*ret_at = 0;
	} else {
		*ret_reg = FRAME_REGISTER;
		*ret_at = (int)bpf_local(b, s, 8);
	}
}

void bpf_load_long(struct bpf *b, const struct symbol *s, unsigned to)
{
	unsigned reg;
	int at;

	find_long(b, s, to, &reg, &at);
	bpf_load(&b->u->code, 8, to, reg, at);
}

void bpf_store_long(struct bpf *b, const struct symbol *s)
{
	unsigned reg;
	int at;

	find_long(b, s, R1, &reg, &at);
	bpf_store(&b->u->code, 8, reg, at, R0);
}

struct string bpf_variable(struct bpf *b, const struct symbol *s)
{
	unsigned size = str_size(b, s);

	if (s->global)
		return (struct string){ .where = STRING_GLOBAL, .at = b->global_at[s->index], .size = size };
	return (struct string){ .where = STRING_FRAME, .at = bpf_local(b, s, size), .size = size };
}

/* Is N what changes a variable: an assignment, a call of a function of the script? */
static bool changes(struct node *n, void *found)
{
	if (n->kind == ND_ASSIGN || n->kind == ND_INCDEC || (n->kind == ND_CALL && !n->func->kit))
		*(bool *)found = true;
	return !*(bool *)found;
}

static bool is_variable(const struct node *n)
{
	return n->kind == ND_NAME || (n->kind == ND_ASSIGN && n->kid[0]->kind == ND_NAME);
}

struct string bpf_string_kept(struct bpf *b, const struct node *n, const struct node *more)
{
	struct string s = bpf_string(b, n), copy;
	bool changed = false;

	for (const struct node *m = is_variable(n) ? more : NULL; m && !changed; m = m->next)
		node_walk((struct node *)m, changes, &changed);
	if (!changed)
		return s;
	copy = str_new(b, s.size);
	str_copy(b, copy, s);
	return copy;
}

/* ---- operators ---- */
/* R0 / R1 or R0 % R1 with signs: 6.1 has only division of numbers without. */
static void divide(struct bpf *b, const struct node *n, bool rest)
{
	struct bpf_code *c = &b->u->code;
	bpf_label nonzero = bpf_label_new(c), positive = bpf_label_new(c), other = bpf_label_new(c), end = bpf_label_new(c);

	bpf_jump_number(c, BPF_JNE, R1, 0, nonzero);
	bpf_fail(b, n, IMAGE_ERROR_ZERO, false);
	bpf_here(c, nonzero);
	bpf_move(c, R2, R0); /* the sign of the result */
	if (!rest)
		bpf_operate(c, BPF_XOR, R2, R1);
	bpf_jump_number(c, BPF_JSGE, R0, 0, positive);
	bpf_negate(c, R0);
	bpf_here(c, positive);
	bpf_jump_number(c, BPF_JSGE, R1, 0, other);
	bpf_negate(c, R1);
	bpf_here(c, other);
	bpf_operate(c, rest ? BPF_MOD : BPF_DIV, R0, R1);
	bpf_jump_number(c, BPF_JSGE, R2, 0, end);
	bpf_negate(c, R0);
	bpf_here(c, end);
}

static void shift(struct bpf *b, enum bpf_operation op)
{
	bpf_operate_number(&b->u->code, BPF_AND, R1, 63);
	bpf_operate(&b->u->code, op, R0, R1);
}

void bpf_apply(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;

	switch (n->op) {
	case OP_ADD: case OP_ADD_ASSIGN:
		bpf_operate(c, BPF_ADD, R0, R1);
		break;
	case OP_SUB: case OP_SUB_ASSIGN:
		bpf_operate(c, BPF_SUB, R0, R1);
		break;
	case OP_MUL: case OP_MUL_ASSIGN:
		bpf_operate(c, BPF_MUL, R0, R1);
		break;
	case OP_DIV: case OP_DIV_ASSIGN:
		divide(b, n, false);
		break;
	case OP_MOD: case OP_MOD_ASSIGN:
		divide(b, n, true);
		break;
	case OP_SHL: case OP_SHL_ASSIGN:
		shift(b, BPF_LSH);
		break;
	case OP_SHR: case OP_SHR_ASSIGN:
		shift(b, BPF_ARSH);
		break;
	case OP_USHR: case OP_USHR_ASSIGN:
		shift(b, BPF_RSH);
		break;
	case OP_AND: case OP_AND_ASSIGN:
		bpf_operate(c, BPF_AND, R0, R1);
		break;
	case OP_XOR: case OP_XOR_ASSIGN:
		bpf_operate(c, BPF_XOR, R0, R1);
		break;
	case OP_OR: case OP_OR_ASSIGN:
		bpf_operate(c, BPF_OR, R0, R1);
		break;
	default:
		bpf_refuse(b, n, arena_printf(&program_arena, "the operator '%s'", op_info[n->op].lexeme));
	}
}

/* Counts RIGHT if it was cut: R0 bytes with the NUL were copied, as many as the word on the stack at MOST says. */
static void count_cut(struct bpf *b, struct string right, int most)
{
	struct bpf_code *c = &b->u->code;
	bpf_label whole = bpf_label_new(c);

	bpf_load(c, 8, R1, R10, most);
	bpf_jump_if(c, BPF_JNE, R0, R1, whole);
	bpf_jump_number(c, BPF_JSLE, R0, 0, whole);
	str_address(b, R3, right);
	bpf_operate(c, BPF_ADD, R3, R0);
	bpf_operate_number(c, BPF_SUB, R3, 1);
	bpf_store_number(c, 8, R10, most, 0);
	bpf_move(c, R1, R10);
	bpf_operate_number(c, BPF_ADD, R1, most);
	bpf_number(c, R2, 1);
	bpf_call(c, BPF_READ_KERNEL);
	bpf_load(c, 1, R1, R10, most);
	bpf_jump_number(c, BPF_JEQ, R1, 0, whole);
	bpf_lose(b, offsetof(struct image_losses, cut));
	bpf_here(c, whole);
}

struct string bpf_join(struct bpf *b, struct string left, struct string right)
{
	struct bpf_code *c = &b->u->code;
	struct string to = str_new(b, (unsigned)b->string_max);
	bpf_label end = bpf_label_new(c);

	str_copy_counted(b, to, left);
	/* R0: its bytes with the NUL, on which the other begins. */
	bpf_jump_number(c, BPF_JSLE, R0, 0, end);
	bpf_jump_number(c, BPF_JSGT, R0, b->string_max, end);
	bpf_operate_number(c, BPF_SUB, R0, 1);
	bpf_number(c, R2, b->string_max);
	bpf_operate(c, BPF_SUB, R2, R0);
	bpf_store(c, 8, R10, -(int)b->u->stack - 8, R2);
	str_address(b, R1, to);
	bpf_operate(c, BPF_ADD, R1, R0);
	str_address(b, R3, right);
	bpf_call(c, BPF_READ_KERNEL_STR);
	if (!b->u->cold)
		count_cut(b, right, -(int)b->u->stack - 8);
	bpf_here(c, end);
	return to;
}
