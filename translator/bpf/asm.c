/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/bpf/asm.h"

#include <stdlib.h>

#include "lib/vec.h"

void bpf_deinit(struct bpf_code *c)
{
	free(c->v);
	free(c->labels);
	free(c->uses);
	free(c->lines);
	*c = (struct bpf_code){ 0 };
}

static void put(struct bpf_code *c, int code, unsigned to, unsigned from, int offset, int32_t number)
{
	*vec_add(c->v, c->n) = (struct bpf_instruction){ (kt_u8)code, (kt_u8)(to | from << 4), (kt_s16)offset, number };
}

/* A load of 64 bits takes two instructions. */
static void put_wide(struct bpf_code *c, unsigned to, enum bpf_pseudo what, uint32_t low, uint32_t high)
{
	put(c, BPF_LD | BPF_IMM | BPF_DW, to, what, 0, (int32_t)low);
	put(c, 0, 0, 0, 0, (int32_t)high);
}

/* ---- labels ---- */
bpf_label bpf_label_new(struct bpf_code *c)
{
	size_t n = (size_t)c->n_labels;

	*vec_add(c->labels, n) = SIZE_MAX;
	c->n_labels = (int)n;
	return c->n_labels - 1;
}

void bpf_here(struct bpf_code *c, bpf_label label)
{
	c->labels[label] = c->n;
}

/* The next instruction refers to LABEL. */
static void use(struct bpf_code *c, bpf_label label)
{
	*vec_add(c->uses, c->n_uses) = (struct bpf_use){ c->n, label };
}

bool bpf_label_used(const struct bpf_code *c, bpf_label label)
{
	for (size_t i = 0; i < c->n_uses; i++)
		if (c->uses[i].label == label)
			return true;
	return false;
}

bool bpf_names(const struct bpf_code *c, size_t from, unsigned reg)
{
	for (size_t i = from; i < c->n; i++)
		if ((c->v[i].registers & 15) == reg || c->v[i].registers >> 4 == (int)reg)
			return true;
	return false;
}

void bpf_place(struct bpf_code *c, unsigned place)
{
	if (!c->n_lines || c->lines[c->n_lines - 1].place != place)
		*vec_add(c->lines, c->n_lines) = (struct image_line){ (kt_u32)c->n, place };
}

/* ---- the end ---- */
static bool is_jump(const struct bpf_instruction *in)
{
	return (in->code & 7) == BPF_JMP && (in->code & 0xf0) != BPF_CALL && (in->code & 0xf0) != BPF_EXIT;
}

/* Does control go on to the next instruction? */
static bool falls_through(const struct bpf_instruction *in)
{
	return (in->code & 7) != BPF_JMP || ((in->code & 0xf0) != BPF_EXIT && (in->code & 0xf0) != BPF_JA);
}

/* Sets reached[] of all that control reaches from FROM, functions that are called or whose address is taken included. */
static void reach(const struct bpf_code *c, const size_t *target, bool *reached, size_t from)
{
	size_t *todo = NULL, n = 0;

	*vec_add(todo, n) = from;
	while (n) {
		size_t at = todo[--n];

		for (; at < c->n && !reached[at]; at++) {
			reached[at] = true;
			if (target[at] != SIZE_MAX)
				*vec_add(todo, n) = target[at];
			if (c->v[at].code == (BPF_LD | BPF_IMM | BPF_DW)) /* two instructions */
				reached[++at] = true;
			else if (!falls_through(&c->v[at]))
				break;
		}
	}
	free(todo);
}

/* Takes out what no path reaches, which the kernel refuses. */
static void drop_unreached(struct bpf_code *c)
{
	size_t *target = xmalloc((c->n + 1) * sizeof(*target)), *now = xmalloc((c->n + 1) * sizeof(*now)), n = 0, used = 0;
	bool *reached = xmalloc(c->n + 1);

	for (size_t i = 0; i <= c->n; i++) {
		target[i] = SIZE_MAX;
		reached[i] = false;
	}
	for (size_t i = 0; i < c->n_uses; i++)
		target[c->uses[i].at] = c->labels[c->uses[i].label];
	reach(c, target, reached, 0);
	for (size_t i = 0; i < c->n; i++) {
		now[i] = n;
		if (reached[i])
			c->v[n++] = c->v[i];
	}
	now[c->n] = n;
	for (size_t i = 0; i < c->n_uses; i++)
		if (reached[c->uses[i].at])
			c->uses[used++] = (struct bpf_use){ now[c->uses[i].at], c->uses[i].label };
	c->n_uses = used;
	for (int i = 0; i < c->n_labels; i++)
		if (c->labels[i] != SIZE_MAX)
			c->labels[i] = now[c->labels[i]];
	for (size_t i = 0; i < c->n_lines; i++)
		c->lines[i].at = (kt_u32)now[c->lines[i].at];
	c->n = n;
	free(target);
	free(now);
	free(reached);
}

bool bpf_resolve(struct bpf_code *c)
{
	drop_unreached(c);
	for (size_t i = 0; i < c->n_uses; i++) {
		struct bpf_instruction *in = &c->v[c->uses[i].at];
		long distance = (long)c->labels[c->uses[i].label] - (long)c->uses[i].at - 1;

		if (!is_jump(in))
			in->number = (kt_s32)distance;
		else if (distance != (kt_s16)distance)
			return false;
		else
			in->offset = (kt_s16)distance;
	}
	return true;
}

/* ---- values ---- */
void bpf_move(struct bpf_code *c, unsigned to, unsigned from)
{
	if (to != from)
		put(c, BPF_ALU64 | BPF_X | BPF_MOV, to, from, 0, 0);
}

void bpf_number(struct bpf_code *c, unsigned to, int64_t number)
{
	if (number == (int32_t)number)
		put(c, BPF_ALU64 | BPF_MOV, to, 0, 0, (int32_t)number);
	else
		put_wide(c, to, BPF_NUMBER, (uint32_t)number, (uint32_t)((uint64_t)number >> 32));
}

void bpf_operate(struct bpf_code *c, enum bpf_operation op, unsigned to, unsigned from)
{
	put(c, BPF_ALU64 | BPF_X | (int)op, to, from, 0, 0);
}

void bpf_operate_number(struct bpf_code *c, enum bpf_operation op, unsigned to, int32_t number)
{
	put(c, BPF_ALU64 | (int)op, to, 0, 0, number);
}

void bpf_negate(struct bpf_code *c, unsigned reg)
{
	put(c, BPF_ALU64 | BPF_NEG, reg, 0, 0, 0);
}

static int size_code(unsigned size)
{
	return size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W : BPF_DW;
}

/* Moves BASE to where an instruction reaches OFFSET. Returns the offset from there. */
static int move_near(struct bpf_code *c, unsigned base, int offset)
{
	if (offset == (kt_s16)offset)
		return offset;
	bpf_operate_number(c, BPF_ADD, base, offset);
	return 0;
}

static void move_back(struct bpf_code *c, unsigned base, int offset)
{
	if (offset != (kt_s16)offset)
		bpf_operate_number(c, BPF_SUB, base, offset);
}

void bpf_load(struct bpf_code *c, unsigned size, unsigned to, unsigned from, int offset)
{
	put(c, BPF_LDX | BPF_MEM | size_code(size), to, from, move_near(c, from, offset), 0);
	if (to != from)
		move_back(c, from, offset);
}

void bpf_store(struct bpf_code *c, unsigned size, unsigned to, int offset, unsigned from)
{
	put(c, BPF_STX | BPF_MEM | size_code(size), to, from, move_near(c, to, offset), 0);
	move_back(c, to, offset);
}

void bpf_store_number(struct bpf_code *c, unsigned size, unsigned to, int offset, int32_t number)
{
	put(c, BPF_ST | BPF_MEM | size_code(size), to, 0, move_near(c, to, offset), number);
	move_back(c, to, offset);
}

void bpf_atomic(struct bpf_code *c, int op, unsigned to, int offset, unsigned from)
{
	put(c, BPF_STX | BPF_ATOMIC | BPF_DW, to, from, offset, op);
}

void bpf_map(struct bpf_code *c, unsigned to, int map)
{
	put_wide(c, to, BPF_MAP, (uint32_t)map, 0);
}

void bpf_value(struct bpf_code *c, unsigned to, int map, unsigned offset)
{
	put_wide(c, to, BPF_MAP_VALUE, (uint32_t)map, offset);
}

void bpf_known(struct bpf_code *c, unsigned to, enum image_value what)
{
	put_wide(c, to, BPF_KNOWN, (uint32_t)what, 0);
}

void bpf_linked(struct bpf_code *c, unsigned to, uint64_t address)
{
	put_wide(c, to, BPF_LINKED, (uint32_t)address, (uint32_t)(address >> 32));
}

void bpf_function(struct bpf_code *c, unsigned to, bpf_label label)
{
	use(c, label);
	put_wide(c, to, BPF_FUNCTION, 0, 0);
}

/* ---- control ---- */
void bpf_jump(struct bpf_code *c, bpf_label to)
{
	use(c, to);
	put(c, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

void bpf_jump_if(struct bpf_code *c, enum bpf_jump how, unsigned a, unsigned b, bpf_label to)
{
	use(c, to);
	put(c, BPF_JMP | BPF_X | (int)how, a, b, 0, 0);
}

void bpf_jump_number(struct bpf_code *c, enum bpf_jump how, unsigned a, int32_t b, bpf_label to)
{
	use(c, to);
	put(c, BPF_JMP | (int)how, a, 0, 0, b);
}

void bpf_call(struct bpf_code *c, int helper)
{
	put(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
	/* The kernel calls the function of the map itself, which returns an int before 6.4. */
	if (helper == BPF_MAP_UPDATE || helper == BPF_MAP_DELETE) {
		bpf_operate_number(c, BPF_LSH, R0, 32);
		bpf_operate_number(c, BPF_ARSH, R0, 32);
	}
}

void bpf_call_function(struct bpf_code *c, bpf_label label)
{
	use(c, label);
	put(c, BPF_JMP | BPF_CALL, 0, BPF_CALL_FUNCTION, 0, 0);
}

void bpf_exit(struct bpf_code *c)
{
	put(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}
