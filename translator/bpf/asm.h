/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An assembler of BPF: the instructions of one program, with its functions behind it. */
#ifndef KTAP_BPF_ASM_H
#define KTAP_BPF_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/bpf/image.h"

/* A place that jumps go to, calls call and functions have their addresses of. It may be set after it is used. */
typedef int bpf_label;

struct bpf_use {
	size_t at;
	bpf_label label;
};

struct bpf_code {
	struct bpf_instruction *v;
	size_t n;
	size_t *labels;        /* instruction; SIZE_MAX: not set yet */
	int n_labels;
	struct bpf_use *uses;
	size_t n_uses;
	struct image_line *lines;
	size_t n_lines;
};

void bpf_deinit(struct bpf_code *c);

bpf_label bpf_label_new(struct bpf_code *c);
/* Sets the label to the next instruction. */
void bpf_here(struct bpf_code *c, bpf_label label);
/* Does an instruction refer to the label? */
bool bpf_label_used(const struct bpf_code *c, bpf_label label);
/* Does an instruction from FROM on name the register? */
bool bpf_names(const struct bpf_code *c, size_t from, unsigned reg);
/* The next instructions are of PLACE in the script. */
void bpf_place(struct bpf_code *c, unsigned place);
/* Fills in what refers to labels, all of which must be set. False: a jump is too long. */
bool bpf_resolve(struct bpf_code *c);

/* The longest chain of functions, and the most bytes that the stacks of a chain take. */
struct bpf_depth {
	unsigned frames, stack;
};
struct bpf_depth bpf_measure(const struct bpf_code *c);

void bpf_move(struct bpf_code *c, unsigned to, unsigned from);
void bpf_number(struct bpf_code *c, unsigned to, int64_t number);
void bpf_operate(struct bpf_code *c, enum bpf_operation op, unsigned to, unsigned from);
void bpf_operate_number(struct bpf_code *c, enum bpf_operation op, unsigned to, int32_t number);
void bpf_negate(struct bpf_code *c, unsigned reg);
/* Reads SIZE bytes at FROM + OFFSET, without a sign. */
void bpf_load(struct bpf_code *c, unsigned size, unsigned to, unsigned from, int offset);
void bpf_store(struct bpf_code *c, unsigned size, unsigned to, int offset, unsigned from);
void bpf_store_number(struct bpf_code *c, unsigned size, unsigned to, int offset, int32_t number);
/* OP, of 8 bytes: one of BPF_ADD ... and of BPF_FETCH, BPF_XCHG, BPF_CMPXCHG. */
void bpf_atomic(struct bpf_code *c, int op, unsigned to, int offset, unsigned from);
void bpf_map(struct bpf_code *c, unsigned to, int map);
void bpf_value(struct bpf_code *c, unsigned to, int map, unsigned offset);
void bpf_known(struct bpf_code *c, unsigned to, enum image_value what);
void bpf_linked(struct bpf_code *c, unsigned to, uint64_t address);
void bpf_function(struct bpf_code *c, unsigned to, bpf_label label);

void bpf_jump(struct bpf_code *c, bpf_label to);
void bpf_jump_if(struct bpf_code *c, enum bpf_jump how, unsigned a, unsigned b, bpf_label to);
void bpf_jump_number(struct bpf_code *c, enum bpf_jump how, unsigned a, int32_t b, bpf_label to);
void bpf_call(struct bpf_code *c, int helper);
void bpf_call_function(struct bpf_code *c, bpf_label label);
void bpf_exit(struct bpf_code *c);

#endif
