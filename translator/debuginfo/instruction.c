/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes machine instructions: those of x86 by Zydis, those of arm64, all of 4 bytes, here.
 *
 * Zydis knows every extension (AVX-512, CET, prefixes of MPX) and adds 0.07 ms to the start of a program; capstone 1.1 ms, by its 77,000
 * relocations.
 */
#include "translator/debuginfo/instruction.h"

#include <elf.h>
#include <string.h>

#include <Zydis/Zydis.h>

/* ---- x86 ---- */
/* Describes the memory operand of an instruction: what it writes, or a table that it may use. */
static void x86_memory(const ZydisDecodedInstruction *d, const ZydisDecodedOperand *op, uint64_t address, unsigned word,
		      struct instruction *ret)
{
	for (int i = 0; i < d->operand_count_visible; i++) {
		bool rip = op[i].mem.base == ZYDIS_REGISTER_RIP, indexed = op[i].mem.index != ZYDIS_REGISTER_NONE;
		bool stack = op[i].mem.base == ZYDIS_REGISTER_RSP || op[i].mem.base == ZYDIS_REGISTER_ESP;

		if (op[i].type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (!stack && op[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) {
			uint64_t registers = (uint64_t)op[i].mem.base << 16 | (uint64_t)op[i].mem.index << 4 | op[i].mem.scale;

			ret->effect = rip ? address + d->length + (uint64_t)op[i].mem.disp.value : 1 + (uint64_t)op[i].mem.disp.value;
			ret->written = rip ? ret->effect : registers << 32 ^ (uint64_t)op[i].mem.disp.value;
		}
		if (d->mnemonic == ZYDIS_MNEMONIC_LEA && rip) {
			ret->use = TABLE_POINTS;
			ret->table = address + d->length + (uint64_t)op[i].mem.disp.value;
		} else if (d->mnemonic == ZYDIS_MNEMONIC_MOVSXD && indexed && op[i].mem.scale == 4) {
			ret->use = TABLE_DISTANCES;
		} else if ((d->mnemonic == ZYDIS_MNEMONIC_MOV || d->mnemonic == ZYDIS_MNEMONIC_JMP) && indexed && op[i].mem.scale == word) {
			ret->use = TABLE_ADDRESSES;
			ret->table = op[i].mem.base == ZYDIS_REGISTER_NONE ? (uint64_t)op[i].mem.disp.value : 0;
			if (word == 4)
				ret->table = (uint32_t)ret->table;
		}
	}
}

static enum flow x86_flow(const ZydisDecodedInstruction *d)
{
	switch (d->mnemonic) {
	case ZYDIS_MNEMONIC_RET:
		return d->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? FLOW_OTHER : FLOW_RETURN;
	case ZYDIS_MNEMONIC_CALL:
		return d->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? FLOW_NEXT : FLOW_CALL;
	case ZYDIS_MNEMONIC_JMP:
		return d->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? FLOW_OTHER : FLOW_JUMP;
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_INT3:
		return FLOW_STOP;
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_SYSRET:
	case ZYDIS_MNEMONIC_SYSEXIT:
	case ZYDIS_MNEMONIC_UIRET:
		return FLOW_OTHER;
	default: /* some 1,700 others; what branches has an operand relative to its end */
		return d->raw.imm[0].is_relative ? FLOW_BRANCH : FLOW_NEXT;
	}
}

/* The kernel refuses breakpoints at instructions with a prefix that it cannot execute elsewhere: lock, es, cs, ss, ds. */
static bool x86_refused(const ZydisDecodedInstruction *d)
{
	for (int i = 0; i < d->raw.prefix_count; i++)
		switch (d->raw.prefixes[i].value) {
		case 0xf0:
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
			return true;
		default: /* bytes */
			break;
		}
	return false;
}

static bool x86_decode(bool wide, const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction d;
	ZydisDecoder decoder;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
					 wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32)) ||
	    ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, p, left, &d, op)))
		return false;
	*ret = (struct instruction){ .length = d.length, .operation = d.mnemonic, .flow = x86_flow(&d) };
	ret->direct = d.raw.imm[0].is_relative;
	if (ret->direct)
		ret->to = address + d.length + (uint64_t)d.raw.imm[0].value.s;
	if (!wide)
		ret->to = (uint32_t)ret->to;
	/* 70 to 7f, 0f 80 to 0f 8f; those that depend on a register (loop, jrcxz) are e0 to e3. */
	if (ret->flow == FLOW_BRANCH && ((d.opcode & 0xf0) == 0x70 || (d.opcode & 0xf0) == 0x80))
		ret->condition = 1 + (d.opcode & 0xfu);
	if (ret->flow == FLOW_RETURN)
		ret->pops = (unsigned)d.raw.imm[0].value.u;
	ret->idle = d.mnemonic == ZYDIS_MNEMONIC_NOP || d.mnemonic == ZYDIS_MNEMONIC_INT3;
	ret->no_breakpoint = x86_refused(&d);
	ret->tracked_not = d.attributes & ZYDIS_ATTRIB_HAS_NOTRACK;
	x86_memory(&d, op, address, wide ? 8 : 4, ret);
	if (ret->flow == FLOW_CALL)
		ret->effect = ret->direct ? ret->to : 1;
	return true;
}

/* ---- arm64 ---- */
/* Rows of the encoding index of branches: a word of which these bits are these. */
static const struct {
	uint32_t mask, word;
	enum flow flow;
	unsigned shift, bits; /* of the distance in words; no bits: it goes where a register says */
} arm64_rows[] = {
	{ 0xfc000000, 0x14000000, FLOW_JUMP, 0, 26 },      /* b */
	{ 0xfc000000, 0x94000000, FLOW_CALL, 0, 26 },      /* bl */
	{ 0xff000000, 0x54000000, FLOW_BRANCH, 5, 19 },    /* b.COND, bc.COND */
	{ 0x7e000000, 0x34000000, FLOW_BRANCH, 5, 19 },    /* cbz, cbnz */
	{ 0x7e000000, 0x36000000, FLOW_BRANCH, 5, 14 },    /* tbz, tbnz */
	{ 0xffffffff, 0xd65f03c0, FLOW_RETURN, 0, 0 },     /* ret */
	{ 0xfffffbff, 0xd65f0bff, FLOW_RETURN, 0, 0 },     /* retaa, retab */
	{ 0xfffffc1f, 0xd65f0000, FLOW_OTHER, 0, 0 },      /* ret by another register */
	{ 0xfffffc1f, 0xd63f0000, FLOW_CALL, 0, 0 },       /* blr */
	{ 0xfefff800, 0xd63f0800, FLOW_CALL, 0, 0 },       /* blraa, blrab, blraaz, blrabz */
	{ 0xfffffc1f, 0xd61f0000, FLOW_JUMP, 0, 0 },       /* br */
	{ 0xfefff800, 0xd61f0800, FLOW_JUMP, 0, 0 },       /* braa, brab, braaz, brabz */
	{ 0xffe0001f, 0xd4200000, FLOW_STOP, 0, 0 },       /* brk */
	{ 0xffff0000, 0x00000000, FLOW_STOP, 0, 0 },       /* udf */
	{ 0xff000000, 0xd6000000, FLOW_OTHER, 0, 0 },      /* eret, drps */
};

static const uint32_t arm64_nop = 0xd503201f;

static bool arm64_decode(const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	uint32_t word;

	if (left < sizeof(word) || address % sizeof(word))
		return false;
	memcpy(&word, p, sizeof(word));
	*ret = (struct instruction){ .length = sizeof(word), .operation = word >> 21, .idle = word == arm64_nop || !word };
	for (size_t i = 0; i < sizeof(arm64_rows) / sizeof(arm64_rows[0]); i++) {
		unsigned bits = arm64_rows[i].bits;

		if ((word & arm64_rows[i].mask) != arm64_rows[i].word)
			continue;
		ret->flow = arm64_rows[i].flow;
		ret->direct = bits;
		if (bits)
			ret->to = address + (uint64_t)((int64_t)((uint64_t)(word >> arm64_rows[i].shift) << (64 - bits)) >> (64 - bits)) * 4;
		break;
	}
	if (ret->flow == FLOW_CALL)
		ret->effect = ret->direct ? ret->to : 1;
	return true;
}

bool instruction_decode(unsigned machine, const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	switch (machine) {
	case EM_X86_64:
	case EM_386:
		return x86_decode(machine == EM_X86_64, p, left, address, ret);
	case EM_AARCH64:
		return arm64_decode(p, left, address, ret);
	default: /* machines are open-ended */
		return false;
	}
}
