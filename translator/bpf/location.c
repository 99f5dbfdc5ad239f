/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locations of the target's variables -> instructions. Each entry of DWARF's stack is on the program's stack, and what type it has is known
 * here. Values are kept extended to 64 bits as their type says.
 */
#include <dwarf.h>
#include <stddef.h>

#include "translator/bpf/state.h"
#include "translator/machine/machine.h"
#include "translator/probe/context.h"
#include "translator/probe/probe.h"

enum { ENTRIES_MAX = 24 };

struct entry {
	int at;           /* on the stack */
	unsigned size;
	bool is_signed;
	bool generic;     /* an address, as DWARF calls it: some operations take it as signed */
};

struct evaluation {
	struct bpf *b;
	const struct node *n;
	bool user;
	struct entry address; /* the generic type */
	struct entry stack[ENTRIES_MAX];
	int depth;
};

static void refuse(struct evaluation *e, const char *why)
{
	bpf_refuse(e->b, e->n, arena_printf(&program_arena, "reading a variable %s", why));
}

/* ---- registers and addresses ---- */
static const struct target *target_of(const struct bpf *b)
{
	const struct probe *pr = b->u->probe;

	return pr->family->has_context ? ((const struct context_place *)pr->data)->target : b->p->kernel;
}

void bpf_register_value(struct bpf *b, const struct node *n, unsigned number)
{
	const struct target *t = target_of(b);
	const struct machine *m = t ? target_machine(t) : NULL;

	if (!m || !m->context_words || number >= m->n_context_words || (b->u->attach->kind != IMAGE_KPROBE && b->u->attach->kind != IMAGE_UPROBE))
		bpf_refuse(b, n, "reading that register");
	else
		bpf_load(&b->u->code, 8, R0, CONTEXT_REGISTER, m->context_words[number] * 8);
}

/* The run-time address of the linked ADDRESS into R0. Of a program it is as far from the probe's as in the file. */
static void relocate(struct evaluation *e, uint64_t address)
{
	enum { IP = 16 };
	struct bpf *b = e->b;
	struct bpf_code *c = &b->u->code;

	if (!e->user) {
		bpf_linked(c, R0, address);
		return;
	}
	if (b->u->attach->kind != IMAGE_UPROBE || b->u->attach->how == KT_UPROBE_RETURN) {
		refuse(e, "of a program at a place that does not tell where the program is in memory");
		return;
	}
	bpf_move(c, R1, CONTEXT_REGISTER);
	bpf_call(c, BPF_COOKIE); /* the probe's address as linked */
	bpf_move(c, R1, R0);
	bpf_register_value(b, e->n, IP);
	bpf_operate(c, BPF_SUB, R0, R1);
	bpf_number(c, R1, (int64_t)address);
	bpf_operate(c, BPF_ADD, R0, R1);
}

/* ---- the stack ---- */
/* Cuts REG to the type and extends it to 64 bits. */
static void narrow(struct evaluation *e, unsigned reg, struct entry type)
{
	struct bpf_code *c = &e->b->u->code;

	if (type.size >= 8)
		return;
	bpf_operate_number(c, BPF_LSH, reg, (int)(64 - 8 * type.size));
	bpf_operate_number(c, type.is_signed ? BPF_ARSH : BPF_RSH, reg, (int)(64 - 8 * type.size));
}

/* R0 becomes the top. */
static void push(struct evaluation *e, struct entry type)
{
	if (e->depth == ENTRIES_MAX) {
		refuse(e, "whose location needs a deeper stack");
		return;
	}
	narrow(e, R0, type);
	type.at = bpf_push(e->b, e->n);
	e->stack[e->depth++] = type;
}

static struct entry pop(struct evaluation *e, unsigned to)
{
	if (!e->depth) {
		refuse(e, "whose location takes more from the stack than is there");
		return e->address;
	}
	bpf_pop(e->b, to, e->stack[--e->depth].at);
	return e->stack[e->depth];
}

static void constant(struct evaluation *e, int64_t number, struct entry type)
{
	bpf_number(&e->b->u->code, R0, number);
	push(e, type);
}

static void copy(struct evaluation *e, int64_t index)
{
	if (index < 0 || index >= e->depth) {
		refuse(e, "whose location takes more from the stack than is there");
		return;
	}
	bpf_load(&e->b->u->code, 8, R0, R10, e->stack[e->depth - 1 - index].at);
	push(e, e->stack[e->depth - 1 - index]);
}

static void swap(struct evaluation *e)
{
	struct bpf_code *c = &e->b->u->code;
	struct entry top = pop(e, R1), below = pop(e, R0);

	bpf_store(c, 8, R10, -(int)e->b->u->stack - 24, R0); /* beyond both */
	bpf_move(c, R0, R1);
	push(e, top);
	bpf_load(c, 8, R0, R10, -(int)e->b->u->stack - 16);
	push(e, below);
}

/* ---- operations ---- */
struct binary {
	uint8_t atom;
	enum bpf_operation op;
};

static const struct binary binaries[] = {
	{ DW_OP_and, BPF_AND }, { DW_OP_or, BPF_OR }, { DW_OP_xor, BPF_XOR }, { DW_OP_plus, BPF_ADD }, { DW_OP_minus, BPF_SUB },
	{ DW_OP_mul, BPF_MUL }, { DW_OP_shl, BPF_LSH }, { DW_OP_shr, BPF_RSH }, { DW_OP_shra, BPF_ARSH },
};

struct comparison {
	uint8_t atom;
	enum bpf_jump how, how_signed;
};

static const struct comparison comparisons[] = {
	{ DW_OP_eq, BPF_JEQ, BPF_JEQ }, { DW_OP_ne, BPF_JNE, BPF_JNE }, { DW_OP_lt, BPF_JLT, BPF_JSLT },
	{ DW_OP_le, BPF_JLE, BPF_JSLE }, { DW_OP_gt, BPF_JGT, BPF_JSGT }, { DW_OP_ge, BPF_JGE, BPF_JSGE },
};

static void operate(struct evaluation *e, enum bpf_operation op)
{
	struct bpf_code *c = &e->b->u->code;
	bool shifts = op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH;
	struct entry type, as;

	pop(e, R1);
	type = pop(e, R0);
	as = type;
	as.is_signed = op == BPF_ARSH;
	if (op == BPF_RSH || op == BPF_ARSH)
		narrow(e, R0, as);
	if (shifts) {
		bpf_label fits = bpf_label_new(c);

		bpf_jump_number(c, BPF_JLT, R1, 64, fits);
		/* What is left of all bits; BPF shifts by the number modulo 64. */
		if (op == BPF_ARSH)
			bpf_operate_number(c, BPF_ARSH, R0, 63);
		else
			bpf_number(c, R0, 0);
		bpf_number(c, R1, 0);
		bpf_here(c, fits);
	}
	bpf_operate(c, op, R0, R1);
	push(e, type);
}

static void compare(struct evaluation *e, const struct comparison *how)
{
	struct bpf_code *c = &e->b->u->code;
	bpf_label yes = bpf_label_new(c);
	struct entry type;

	pop(e, R2);
	type = pop(e, R1);
	if (type.generic) {
		type.is_signed = true;
		narrow(e, R1, type);
		narrow(e, R2, type);
	}
	bpf_number(c, R0, 1);
	bpf_jump_if(c, type.is_signed ? how->how_signed : how->how, R1, R2, yes);
	bpf_number(c, R0, 0);
	bpf_here(c, yes);
	push(e, e->address);
}

static void dereference(struct evaluation *e, uint64_t size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8) {
		refuse(e, "that is read in an odd size");
		return;
	}
	pop(e, R0);
	bpf_read(e->b, e->n, (unsigned)size, e->user);
	push(e, size > e->address.size ? (struct entry){ .size = 8 } : e->address);
}

/* The other operations: a constant, a register, one operand. */
static void single(struct evaluation *e, const struct loc_op *op)
{
	struct bpf_code *c = &e->b->u->code;
	struct entry type;

	switch (op->atom) {
	case DW_OP_addr:
		relocate(e, (uint64_t)op->a);
		push(e, e->address);
		return;
	case DW_OP_const8u:
		constant(e, op->a, op->b ? (struct entry){ .size = 8 } : e->address);
		return;
	case DW_OP_bregx:
		bpf_register_value(e->b, e->n, (unsigned)op->a);
		if (op->b)
			bpf_operate_number(c, BPF_ADD, R0, (int32_t)op->b);
		push(e, e->address);
		return;
	case LOC_OP_RETURN:
		bpf_register_value(e->b, e->n, 0);
		push(e, e->address);
		return;
	case DW_OP_deref:
		dereference(e, e->address.size);
		return;
	case DW_OP_deref_size:
		dereference(e, (uint64_t)op->a);
		return;
	case DW_OP_plus_uconst:
		constant(e, op->a, e->address);
		operate(e, BPF_ADD);
		return;
	case DW_OP_convert:
		pop(e, R0);
		push(e, op->a ? (struct entry){ .size = (unsigned)op->a, .is_signed = op->b != 0 } : e->address);
		return;
	case DW_OP_neg:
		type = pop(e, R0);
		bpf_negate(c, R0);
		push(e, type);
		return;
	case DW_OP_not:
		type = pop(e, R0);
		bpf_operate_number(c, BPF_XOR, R0, -1);
		push(e, type);
		return;
	case DW_OP_dup:
		copy(e, 0);
		return;
	case DW_OP_over:
		copy(e, 1);
		return;
	case DW_OP_pick:
		copy(e, op->a);
		return;
	case DW_OP_drop:
		pop(e, R0);
		return;
	case DW_OP_swap:
		swap(e);
		return;
	case LOC_OP_THREAD:
		refuse(e, "of a thread");
		return;
	case LOC_OP_OBJECT:
		refuse(e, "of another file");
		return;
	case LOC_OP_ENTRY:
		refuse(e, "that was in a register when the function was entered");
		return;
	}
	refuse(e, "whose location is computed in such a way");
}

static void evaluate(struct evaluation *e, const struct loc_op *op)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++)
		if (binaries[i].atom == op->atom) {
			operate(e, binaries[i].op);
			return;
		}
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
		if (comparisons[i].atom == op->atom) {
			compare(e, &comparisons[i]);
			return;
		}
	single(e, op);
}

/* ---- all ---- */
/* What is in one place. */
static void simple(struct evaluation *e, const struct location *l)
{
	struct bpf *b = e->b;

	e->address = (struct entry){ .size = l->is_32bit ? 4 : 8, .generic = true };
	switch (l->kind) {
	case LOC_NONE:
		refuse(e, "that is optimized out");
		break;
	case LOC_ARGUMENT:
		bpf_load(&b->u->code, 8, R0, CONTEXT_REGISTER, 8 * (int)l->reg);
		break;
	case LOC_REGISTER:
		bpf_register_value(b, e->n, l->reg);
		narrow(e, R0, e->address);
		break;
	case LOC_ADDRESS:
	case LOC_VALUE:
		for (int i = 0; i < l->n_ops && !b->failed; i++)
			evaluate(e, &l->ops[i]);
		if (!b->failed)
			pop(e, R0);
		while (e->depth && !b->failed)
			pop(e, R1);
		break;
	case LOC_PIECES:
		refuse(e, "that is spread over several places");
		break;
	}
}

/* Puts a value of at most 8 bytes together; the pieces come lowest address first. */
static void pieces(struct evaluation *e, const struct location *l, uint64_t size)
{
	struct bpf_code *c = &e->b->u->code;
	uint64_t at = 0, part;

	if (size > 8) {
		refuse(e, "that is spread over several places");
		return;
	}
	bpf_number(c, R0, 0);
	for (l = l->next; l && at < size && !e->b->failed; l = l->next) {
		int sum = bpf_push(e->b, e->n);

		part = l->piece_size < size - at ? l->piece_size : size - at;
		simple(e, l);
		if (l->kind == LOC_ADDRESS && part != 1 && part != 2 && part != 4 && part != 8)
			refuse(e, "of which a part is read in an odd size");
		else if (l->kind == LOC_ADDRESS)
			bpf_read(e->b, e->n, (unsigned)part, e->user);
		if (part)
			narrow(e, R0, (struct entry){ .size = (unsigned)part });
		else
			bpf_number(c, R0, 0);
		bpf_operate_number(c, BPF_LSH, R0, (int)at * 8);
		bpf_pop(e->b, R1, sum);
		bpf_operate(c, BPF_OR, R0, R1);
		at += part;
	}
	if (at < size)
		refuse(e, "of which a part is optimized out");
}

void bpf_location(struct bpf *b, const struct node *n, const struct location *l, uint64_t size, bool user)
{
	struct evaluation e = { .b = b, .n = n, .user = user };

	if (n->list)
		refuse(&e, "that was in a register when the function was entered");
	else if (l->kind == LOC_PIECES)
		pieces(&e, l, size);
	else
		simple(&e, l);
}
