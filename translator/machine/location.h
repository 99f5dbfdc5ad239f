/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a value is, in registers and memory of the machine. */
#ifndef KTAP_MACHINE_LOCATION_H
#define KTAP_MACHINE_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

/* A DWARF expression with everything relative already resolved: fbreg and call_frame_cfa replaced, addresses linked.
 * DW_OP_bra and DW_OP_skip go forward over a operations. */
struct loc_op {
	uint8_t atom;      /* DW_OP_* */
	int64_t a, b;
};

/* Atoms of our own, in DWARF's range for users. */
enum {
	LOC_OP_MODULE = 0xfe,   /* the address b after the symbol a, "MODULE:SYMBOL" (a const char *) */
	LOC_OP_THIS_CPU = 0xfd, /* this CPU's copy of the kernel's per-CPU variable at a */
	LOC_OP_RETURN = 0xfc,   /* what the function returned in the first register */
	LOC_OP_THREAD = 0xf9,   /* the thread pointer of the current task in user mode */
	LOC_OP_OBJECT = 0xfa,   /* the address b of the file a (a const struct loc_object *), where the current process has it */
	LOC_OP_ENTRY = 0xfb,    /* what register a held at the entry of the function that the code is in */
};

/* A file of a program, and the start of its first segment. */
struct loc_object {
	const char *path;
	uint64_t offset, start;
};

enum location_kind {
	LOC_NONE,     /* not available: `why` says it */
	LOC_ADDRESS,  /* ops leave the address */
	LOC_REGISTER, /* reg holds it */
	LOC_ARGUMENT, /* argument number reg of what called the probe holds it: kt_argument() */
	LOC_VALUE,    /* ops leave the value (stack_value, implicit_value up to 8 bytes, constants) */
	LOC_PIECES,   /* a chain through ->next, each with its size */
};

struct location {
	enum location_kind kind;
	const char *why;         /* LOC_NONE: "optimized out", "the list has no entry for this address" */
	bool is_32bit;           /* computed in 32 bits: addresses, registers and the generic type of a 32-bit program */
	unsigned reg;            /* DWARF number of the machine that it runs on */
	const struct loc_op *ops;
	int n_ops;
	uint64_t piece_size;     /* bytes, in LOC_PIECES */
	const struct location *next;
};

/* Nowhere. WHY completes the sentence "it is not available: ". */
static inline struct location location_none(const char *why)
{
	return (struct location){ .kind = LOC_NONE, .why = why };
}

#endif
