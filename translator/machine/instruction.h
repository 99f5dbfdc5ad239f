/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine instructions, as far as control flow is concerned. */
#ifndef KTAP_MACHINE_INSTRUCTION_H
#define KTAP_MACHINE_INSTRUCTION_H

#include "translator/machine/machine.h"

enum flow {
	FLOW_NEXT,   /* to the instruction after it */
	FLOW_CALL,
	FLOW_JUMP,
	FLOW_BRANCH, /* a jump, or the instruction after it */
	FLOW_RETURN,
	FLOW_STOP,   /* nowhere: a trap */
	FLOW_OTHER,  /* elsewhere: a far return, a return from an interrupt */
};

/* How an instruction uses a table of addresses in memory. */
enum table_use {
	TABLE_NONE,
	TABLE_POINTS,    /* it computes the address `table` */
	TABLE_ADDRESSES, /* it loads, or jumps to, an indexed address of a table, at `table` if that is not 0 */
	TABLE_DISTANCES, /* it loads an indexed distance of 4 bytes, from the start of the table */
};

struct instruction {
	unsigned length;
	unsigned operation;  /* a number for what it does, whatever its operands are */
	uint64_t written;    /* the place in memory that it writes, by its address, or by registers and distance; 0: none, or the stack */
	uint64_t effect;     /* the same by the distance alone, or what it calls: a number that copies share; 0: it does neither */
	bool updates;        /* it reads that place too */
	enum flow flow;
	bool direct;         /* calls, jumps, branches: TO is where; else it is in a register or in memory */
	uint64_t to;
	unsigned condition;  /* branches that depend on flags: 1 more than the condition's number; 0: another or none */
	unsigned pops;       /* a return takes so many bytes off the stack beside the return address */
	bool no_breakpoint;  /* the kernel refuses one there */
	bool idle;           /* it does nothing, as between functions: a nop, a trap */
	bool tracked_not;    /* an indirect jump marked as one within the function (notrack) */
	enum table_use use;
	uint64_t table;
};

/* Decodes the instruction of M at ADDRESS, of which LEFT bytes are at P. False: the bytes are no instruction, or M is NULL or has no
 * decoder. */
static inline bool instruction_decode(const struct machine *m, const void *p, size_t left, uint64_t address, struct instruction *ret)
{
	return m && m->decode && m->decode(p, left, address, ret);
}

/* Returns a number that stores to one variable share: its address, or where registers address it the distance and the operation. 0: IN is no
 * store, or one by registers that replaces the old value, of which there are too many. */
static inline uint64_t instruction_store(const struct instruction *in)
{
	if (in->flow == FLOW_CALL || !in->written)
		return 0;
	if (in->written == in->effect)
		return in->effect;
	return in->updates ? in->effect ^ (uint64_t)in->operation << 48 : 0;
}

#endif
