/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interpreter of cold handlers: the instructions of BPF, on this process's memory. */
#ifndef KT_BPF_INTERPRET_H
#define KT_BPF_INTERPRET_H

#include "runtime/bpf/insn.h"

struct interpreter {
	const struct bpf_instruction *code; /* of the program */
	kt_u32 n;
	/* Calls what is no function of the program: a helper of the kernel or a native. Returns R0. */
	kt_u64 (*call)(struct interpreter *in, kt_s32 number, kt_u64 *r);
	/* The address or number that a load of 64 bits with PSEUDO means. */
	kt_u64 (*load)(struct interpreter *in, unsigned pseudo, kt_u32 low, kt_u32 high);
	void *of;         /* theirs */
	kt_u64 steps;     /* instructions left; 0: the program was ended */
};

/* Runs the program with CONTEXT in R1 and FRAME in R2. Returns its R0. */
kt_u64 interpret(struct interpreter *in, void *context, void *frame);

#endif
