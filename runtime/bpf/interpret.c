/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/interpret.h"

#include <string.h>

enum { STACK_BYTES = 512, CALLS_MAX = 64 };

static kt_u64 run(struct interpreter *in, kt_u32 at, kt_u64 a, kt_u64 b, int depth);

static int takes(enum bpf_jump how, kt_u64 x, kt_u64 y)
{
	switch (how) {
	case BPF_JA: return 1;
	case BPF_JEQ: return x == y;
	case BPF_JGT: return x > y;
	case BPF_JGE: return x >= y;
	case BPF_JSET: return (x & y) != 0;
	case BPF_JNE: return x != y;
	case BPF_JSGT: return (kt_s64)x > (kt_s64)y;
	case BPF_JSGE: return (kt_s64)x >= (kt_s64)y;
	case BPF_JLT: return x < y;
	case BPF_JLE: return x <= y;
	case BPF_JSLT: return (kt_s64)x < (kt_s64)y;
	case BPF_JSLE: return (kt_s64)x <= (kt_s64)y;
	case BPF_CALL: case BPF_EXIT: break;
	}
	return 0;
}

static kt_u64 operated(enum bpf_operation op, kt_u64 x, kt_u64 y)
{
	switch (op) {
	case BPF_ADD: return x + y;
	case BPF_SUB: return x - y;
	case BPF_MUL: return x * y;
	case BPF_DIV: return y ? x / y : 0;
	case BPF_OR: return x | y;
	case BPF_AND: return x & y;
	case BPF_LSH: return x << (y & 63);
	case BPF_RSH: return x >> (y & 63);
	case BPF_NEG: return -x;
	case BPF_MOD: return y ? x % y : x;
	case BPF_XOR: return x ^ y;
	case BPF_MOV: return y;
	case BPF_ARSH: return (kt_u64)((kt_s64)x >> (y & 63));
	}
	return x;
}

static unsigned bytes_of(kt_u8 code)
{
	switch (code & 0x18) {
	case BPF_B: return 1;
	case BPF_H: return 2;
	case BPF_W: return 4;
	default: return 8;
	}
}

static kt_u64 loaded(kt_u64 address, unsigned size)
{
	kt_u8 byte;
	kt_u16 half;
	kt_u32 word;
	kt_u64 all;

	switch (size) {
	case 1: memcpy(&byte, (void *)address, 1); return byte;
	case 2: memcpy(&half, (void *)address, 2); return half;
	case 4: memcpy(&word, (void *)address, 4); return word;
	default: memcpy(&all, (void *)address, 8); return all;
	}
}

static void stored(kt_u64 address, unsigned size, kt_u64 value)
{
	kt_u8 byte = (kt_u8)value;
	kt_u16 half = (kt_u16)value;
	kt_u32 word = (kt_u32)value;

	switch (size) {
	case 1: memcpy((void *)address, &byte, 1); break;
	case 2: memcpy((void *)address, &half, 2); break;
	case 4: memcpy((void *)address, &word, 4); break;
	default: memcpy((void *)address, &value, 8); break;
	}
}

/* The programs of the kernel run meanwhile. */
static void atomic(const struct bpf_instruction *i, kt_u64 *r)
{
	kt_u64 *at = (kt_u64 *)(r[bpf_destination(i)] + (kt_u64)(kt_s64)i->offset), *from = &r[bpf_source(i)], before, expected = r[0];

	switch (i->number & ~BPF_FETCH) {
	case BPF_ADD: before = __atomic_fetch_add(at, *from, __ATOMIC_SEQ_CST); break;
	case BPF_OR: before = __atomic_fetch_or(at, *from, __ATOMIC_SEQ_CST); break;
	case BPF_AND: before = __atomic_fetch_and(at, *from, __ATOMIC_SEQ_CST); break;
	case BPF_XOR: before = __atomic_fetch_xor(at, *from, __ATOMIC_SEQ_CST); break;
	case BPF_XCHG & ~BPF_FETCH: before = __atomic_exchange_n(at, *from, __ATOMIC_SEQ_CST); break;
	default:
		__atomic_compare_exchange_n(at, &expected, *from, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		r[0] = expected;
		return;
	}
	if (i->number & BPF_FETCH)
		*from = before;
}

/* bpf_loop(): the function at r[2] for each number below r[1]. */
static kt_u64 loop(struct interpreter *in, const kt_u64 *r, int depth)
{
	kt_u64 i = 0;

	while (i < r[1] && in->steps)
		if (run(in, (kt_u32)r[2], i++, r[3], depth))
			break;
	return i;
}

static kt_u64 run(struct interpreter *in, kt_u32 at, kt_u64 a, kt_u64 b, int depth)
{
	_Alignas(8) char stack[STACK_BYTES];
	kt_u64 r[11] = { [R1] = a, [R2] = b, [R10] = (kt_u64)(stack + STACK_BYTES) };

	if (depth > CALLS_MAX)
		return 1;
	for (; at < in->n && in->steps; at++, in->steps--) {
		const struct bpf_instruction *i = &in->code[at];
		kt_u64 *to = &r[bpf_destination(i)], from = r[bpf_source(i)], number = (kt_u64)(kt_s64)i->number;

		switch (i->code & 7) {
		case BPF_ALU64:
			*to = operated((enum bpf_operation)(i->code & 0xf0), *to, i->code & BPF_X ? from : number);
			break;
		case BPF_LD:
			*to = bpf_source(i) == BPF_FUNCTION ? at + 1 + (kt_u32)i->number :
			      in->load(in, bpf_source(i), (kt_u32)i->number, (kt_u32)i[1].number);
			at++;
			break;
		case BPF_LDX:
			*to = loaded(from + (kt_u64)(kt_s64)i->offset, bytes_of(i->code));
			break;
		case BPF_ST:
			stored(*to + (kt_u64)(kt_s64)i->offset, bytes_of(i->code), number);
			break;
		case BPF_STX:
			if ((i->code & 0xe0) == BPF_ATOMIC)
				atomic(i, r);
			else
				stored(*to + (kt_u64)(kt_s64)i->offset, bytes_of(i->code), from);
			break;
		case BPF_JMP:
			if ((i->code & 0xf0) == BPF_EXIT)
				return r[0];
			if ((i->code & 0xf0) != BPF_CALL) {
				if (takes((enum bpf_jump)(i->code & 0xf0), *to, i->code & BPF_X ? from : number))
					at += (kt_u32)(kt_s32)i->offset;
			} else if (bpf_source(i) == BPF_CALL_FUNCTION) {
				r[0] = run(in, at + 1 + (kt_u32)i->number, r[1], r[2], depth + 1);
			} else {
				r[0] = i->number == BPF_LOOP ? loop(in, r, depth + 1) : in->call(in, i->number, r);
			}
			break;
		default:
			return 1;
		}
	}
	return 1;
}

kt_u64 interpret(struct interpreter *in, void *context, void *frame)
{
	return run(in, 0, (kt_u64)context, (kt_u64)frame, 0);
}
