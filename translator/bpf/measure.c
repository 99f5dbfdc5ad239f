/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel allows of a program, counted as its verifier does: functions within functions, and the bytes of their stacks. */
#include <stdlib.h>

#include "lib/arena.h"
#include "translator/bpf/asm.h"

enum { STACK_UNIT = 32 };

/* A function of the program. */
struct part {
	unsigned own;            /* bytes of its stack */
	struct bpf_depth depth;  /* with all that it calls; no frames: not known yet */
};

struct measure {
	const struct bpf_code *c;
	size_t *part_of;         /* by instruction: where its function begins */
	struct part *parts;      /* by that */
};

/* Does the instruction call a function of the program, or take its address for a loop? */
static bool refers(const struct bpf_instruction *in)
{
	return (in->code == (BPF_JMP | BPF_CALL) && bpf_source(in) == BPF_CALL_FUNCTION) ||
	       (in->code == (BPF_LD | BPF_IMM | BPF_DW) && bpf_source(in) == BPF_FUNCTION);
}

static size_t target_of(size_t at, const struct bpf_instruction *in)
{
	return at + 1 + (size_t)(ptrdiff_t)in->number;
}

/* Bytes of the stack that the instruction at IN uses, or the address that it and the one before compute. */
static unsigned used_by(const struct bpf_instruction *in, bool first)
{
	unsigned class = in->code & 7;
	int offset = 0;

	if ((class == BPF_ST || class == BPF_STX) && bpf_destination(in) == R10)
		offset = in->offset;
	else if (class == BPF_LDX && bpf_source(in) == R10)
		offset = in->offset;
	else if (!first && in->code == (BPF_ALU64 | BPF_ADD) && in[-1].code == (BPF_ALU64 | BPF_X | BPF_MOV) && bpf_source(&in[-1]) == R10 &&
		 bpf_destination(&in[-1]) == bpf_destination(in))
		offset = in->number;
	return offset < 0 ? (unsigned)-offset : 0;
}

/* Fills in the depth of the function that begins at FROM. It does not call itself. */
static struct bpf_depth descend(struct measure *m, size_t from)
{
	struct part *p = &m->parts[from];
	unsigned own = (p->own + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT;

	if (p->depth.frames)
		return p->depth;
	p->depth = (struct bpf_depth){ 1, own ? own : STACK_UNIT };
	for (size_t at = from; at < m->c->n && m->part_of[at] == from; at++) {
		struct bpf_depth below;

		if (!refers(&m->c->v[at]))
			continue;
		below = descend(m, target_of(at, &m->c->v[at]));
		if (below.frames + 1 > p->depth.frames)
			p->depth.frames = below.frames + 1;
		if (below.stack + own > p->depth.stack)
			p->depth.stack = below.stack + own;
	}
	return p->depth;
}

struct bpf_depth bpf_measure(const struct bpf_code *c)
{
	struct measure m = { c, arena_array(&program_arena, size_t, c->n + 1), arena_array(&program_arena, struct part, c->n + 1) };
	bool *begins = arena_array(&program_arena, bool, c->n + 1);
	size_t from = 0;

	for (size_t at = 0; at < c->n; at++)
		if (refers(&c->v[at]))
			begins[target_of(at, &c->v[at])] = true;
	for (size_t at = 0; at < c->n; at++) {
		unsigned used = used_by(&c->v[at], !at);

		from = begins[at] ? at : from;
		m.part_of[at] = from;
		m.parts[from].own = used > m.parts[from].own ? used : m.parts[from].own;
	}
	return descend(&m, 0);
}
