/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes instructions of arm64, which all have 4 bytes. */
#include <string.h>

#include "translator/machine/arm64.h"
#include "translator/machine/instruction.h"

/* Rows of the encoding index of branches: a word of which these bits are these. */
static const struct {
	uint32_t mask, word;
	enum flow flow;
	unsigned shift, bits; /* of the distance in words; no bits: it goes where a register says */
} rows[] = {
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

static const uint32_t nop = 0xd503201f;

bool arm64_decode(const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	uint32_t word;

	if (left < sizeof(word) || address % sizeof(word))
		return false;
	memcpy(&word, p, sizeof(word));
	*ret = (struct instruction){ .length = sizeof(word), .operation = word >> 21, .idle = word == nop || !word };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned bits = rows[i].bits;

		if ((word & rows[i].mask) != rows[i].word)
			continue;
		ret->flow = rows[i].flow;
		ret->direct = bits;
		if (bits)
			ret->to = address + (uint64_t)((int64_t)((uint64_t)(word >> rows[i].shift) << (64 - bits)) >> (64 - bits)) * 4;
		break;
	}
	if (ret->flow == FLOW_CALL)
		ret->effect = ret->direct ? ret->to : 1;
	return true;
}
