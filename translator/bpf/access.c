/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target values: struct access (probe/access.h) -> instructions. A base, then steps that follow pointers and add offsets, then a load. */
#include "translator/bpf/state.h"
#include "translator/probe/access.h"
#include "translator/probe/probe.h"

bool bpf_cannot_read(struct bpf *b, const struct node *n, bool user)
{
	if (!b->u->cold || user)
		return false;
	if (n->loc.src && n->loc.src->tapset)
		bpf_fail(b, n, IMAGE_ERROR_COLD, false);
	else
		bpf_refuse(b, n, "reading the kernel's memory in a handler that ktaprun runs");
	return true;
}

void bpf_read(struct bpf *b, const struct node *n, unsigned size, bool user)
{
	struct bpf_code *c = &b->u->code;
	int at, value;
	bpf_label done;

	if (bpf_cannot_read(b, n, user))
		return;
	at = bpf_push(b, n);
	done = bpf_label_new(c);
	bpf_number(c, R0, 0);
	value = bpf_push(b, n);
	bpf_move(c, R1, R10);
	bpf_operate_number(c, BPF_ADD, R1, value);
	bpf_number(c, R2, size);
	bpf_load(c, 8, R3, R10, at);
	bpf_call(c, user ? BPF_READ_USER : BPF_READ_KERNEL);
	bpf_jump_number(c, BPF_JEQ, R0, 0, done);
	if (user && b->u->attach->kind == IMAGE_UPROBE) {
		/* The page may not be there yet. */
		b->u->sleeps = true;
		bpf_move(c, R1, R10);
		bpf_operate_number(c, BPF_ADD, R1, value);
		bpf_number(c, R2, size);
		bpf_load(c, 8, R3, R10, at);
		bpf_call(c, BPF_COPY_FROM_USER);
		bpf_jump_number(c, BPF_JEQ, R0, 0, done);
	}
	bpf_load(c, 8, R1, R10, at);
	bpf_fail(b, n, IMAGE_ERROR_FAULT, true);
	bpf_here(c, done);
	bpf_pop(b, R0, value);
	bpf_pop(b, R1, at);
}

/* Cuts bits LOW to LOW + SIZE - 1 out of R0. */
static void cut(struct bpf *b, unsigned low, unsigned size, bool is_signed)
{
	struct bpf_code *c = &b->u->code;

	if (size >= 64)
		return;
	bpf_operate_number(c, BPF_LSH, R0, (int)(64 - low - size));
	bpf_operate_number(c, is_signed ? BPF_ARSH : BPF_RSH, R0, (int)(64 - size));
}

/* Bytes that the location describes as a value. */
static uint64_t location_size(const struct access *a)
{
	if (a->bit_size)
		return (a->bit_offset + a->bit_size + 7) / 8;
	return a->base_type ? a->base_type->size : 8;
}

static void base(struct bpf *b, const struct node *n, const struct access *a, bool *ret_in_memory)
{
	*ret_in_memory = a->base == ACC_EXPR || (a->base == ACC_LOCATION && a->location.kind == LOC_ADDRESS);
	switch (a->base) {
	case ACC_EXPR:
		bpf_long(b, n->kid[0]);
		break;
	case ACC_LOCATION:
		bpf_location(b, n, &a->location, location_size(a), a->user_memory);
		break;
	case ACC_RETURN:
		bpf_register_value(b, n, 0);
		break;
	}
}

static void steps(struct bpf *b, const struct node *n, const struct access *a, bool *in_memory)
{
	struct bpf_code *c = &b->u->code;
	int at;

	for (const struct access_step *s = a->steps; s; s = s->next) {
		switch (s->kind) {
		case STEP_DEREF:
			if (*in_memory)
				bpf_read(b, n, (unsigned)s->size, a->user_memory);
			*in_memory = true;
			break;
		case STEP_MEMBER:
			bpf_operate_number(c, BPF_ADD, R0, (int32_t)s->offset);
			break;
		case STEP_INDEX:
			at = bpf_push(b, n);
			bpf_long(b, s->index);
			bpf_operate_number(c, BPF_MUL, R0, (int32_t)s->size);
			bpf_move(c, R1, R0);
			bpf_pop(b, R0, at);
			bpf_operate(c, BPF_ADD, R0, R1);
			break;
		case STEP_CPU:
		case STEP_VARIANT:
			bpf_refuse(b, n, "reading such a variable");
			break;
		}
	}
}

void bpf_access(struct bpf *b, const struct node *n)
{
	const struct access *a = n->access;
	bool in_memory, is_signed;
	unsigned size;

	if (!a || a->variants || a->wide) {
		bpf_refuse(b, n, "reading such a variable");
		return;
	}
	base(b, n, a, &in_memory);
	steps(b, n, a, &in_memory);
	if (a->address)
		return;
	is_signed = a->type && a->type->is_signed;
	size = a->bit_size ? (a->bit_offset + a->bit_size + 7) / 8 : (unsigned)a->type->size;
	if (size > 8) {
		bpf_refuse(b, n, "reading a number of so many bits");
		return;
	}
	size = size > 4 ? 8 : size > 2 ? 4 : size;
	if (in_memory)
		bpf_read(b, n, size, a->user_memory);
	if (a->bit_size)
		cut(b, a->bit_offset, a->bit_size, is_signed);
	else if (is_signed || !in_memory)
		cut(b, 0, 8 * (unsigned)a->type->size, is_signed);
}
