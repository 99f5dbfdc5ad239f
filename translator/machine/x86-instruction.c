/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes instructions of x86 by Zydis.
 *
 * Zydis knows every extension (AVX-512, CET, prefixes of MPX) and adds 0.07 ms to the start of a program; capstone 1.1 ms, by its 77,000
 * relocations.
 */
#include <Zydis/Zydis.h>

#include "translator/machine/instruction.h"
#include "translator/machine/x86.h"

/* Describes the memory operand of an instruction: what it writes, or a table that it may use. */
static void describe_memory(const ZydisDecodedInstruction *d, const ZydisDecodedOperand *op, uint64_t address, unsigned word,
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
			ret->updates = op[i].actions & ZYDIS_OPERAND_ACTION_READ;
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

static enum flow flow_of(const ZydisDecodedInstruction *d)
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
static bool is_refused(const ZydisDecodedInstruction *d)
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

static bool decode(bool wide, const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction d;
	ZydisDecoder decoder;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
					 wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32)) ||
	    ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, p, left, &d, op)))
		return false;
	*ret = (struct instruction){ .length = d.length, .operation = d.mnemonic, .flow = flow_of(&d) };
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
	ret->no_breakpoint = is_refused(&d);
	ret->tracked_not = d.attributes & ZYDIS_ATTRIB_HAS_NOTRACK;
	describe_memory(&d, op, address, wide ? 8 : 4, ret);
	if (ret->flow == FLOW_CALL)
		ret->effect = ret->direct ? ret->to : 1;
	return true;
}

bool x86_64_decode(const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	return decode(true, p, left, address, ret);
}

bool i386_decode(const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	return decode(false, p, left, address, ret);
}
