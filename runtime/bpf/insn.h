/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF instructions, as the kernel and the interpreter take them. The numbers are those of Documentation/bpf/instruction-set.rst. */
#ifndef KT_BPF_INSN_H
#define KT_BPF_INSN_H

#include "runtime/abi.h"

struct bpf_instruction {
	kt_u8 code;
	kt_u8 registers; /* destination in the low half, source in the high one */
	kt_s16 offset;
	kt_s32 number;
};

enum bpf_register { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };

/* Classes, in the lowest three bits. */
enum { BPF_LD = 0, BPF_LDX, BPF_ST, BPF_STX, BPF_ALU32, BPF_JMP, BPF_JMP32, BPF_ALU64 };

/* Of loads and stores. */
enum bpf_size { BPF_W = 0x00, BPF_H = 0x08, BPF_B = 0x10, BPF_DW = 0x18 };
enum { BPF_IMM = 0x00, BPF_MEM = 0x60, BPF_ATOMIC = 0xc0 };

/* Of arithmetic and jumps: the second operand is a register. */
enum { BPF_X = 0x08 };

enum bpf_operation {
	BPF_ADD = 0x00, BPF_SUB = 0x10, BPF_MUL = 0x20, BPF_DIV = 0x30, BPF_OR = 0x40, BPF_AND = 0x50, BPF_LSH = 0x60, BPF_RSH = 0x70,
	BPF_NEG = 0x80, BPF_MOD = 0x90, BPF_XOR = 0xa0, BPF_MOV = 0xb0, BPF_ARSH = 0xc0,
};

enum bpf_jump {
	BPF_JA = 0x00, BPF_JEQ = 0x10, BPF_JGT = 0x20, BPF_JGE = 0x30, BPF_JSET = 0x40, BPF_JNE = 0x50, BPF_JSGT = 0x60, BPF_JSGE = 0x70,
	BPF_CALL = 0x80, BPF_EXIT = 0x90, BPF_JLT = 0xa0, BPF_JLE = 0xb0, BPF_JSLT = 0xc0, BPF_JSLE = 0xd0,
};

/* Atomic operations, in `number`, beside BPF_ADD, BPF_OR, BPF_AND and BPF_XOR. */
enum { BPF_FETCH = 0x01, BPF_XCHG = 0xe0 | BPF_FETCH, BPF_CMPXCHG = 0xf0 | BPF_FETCH };

/* What a load of 64 bits means by its number, in the source register. */
enum bpf_pseudo {
	BPF_NUMBER = 0,
	BPF_MAP = 1,        /* the map with this index in the image; the kernel wants its descriptor */
	BPF_MAP_VALUE = 2,  /* in the only value of that map, at the offset of the second half */
	BPF_FUNCTION = 4,   /* the function so many instructions away */
	BPF_LINKED = 14,    /* a kernel address as linked: the loader adds how far the kernel was moved. Not the kernel's */
	BPF_KNOWN = 15,     /* enum image_value. Not the kernel's */
};
/* A call of a function of the program, in the source register. */
enum { BPF_CALL_FUNCTION = 1 };

/* Functions of the kernel that programs call. */
enum bpf_helper {
	BPF_MAP_LOOKUP = 1, BPF_MAP_UPDATE = 2, BPF_MAP_DELETE = 3, BPF_KTIME_GET_NS = 5, BPF_RANDOM = 7, BPF_CPU = 8, BPF_PID_TGID = 14,
	BPF_UID_GID = 15, BPF_COMM = 16, BPF_CURRENT_TASK = 35, BPF_SEND_SIGNAL = 109, BPF_READ_USER = 112, BPF_READ_KERNEL = 113,
	BPF_READ_USER_STR = 114, BPF_READ_KERNEL_STR = 115, BPF_JIFFIES = 118, BPF_RING_OUTPUT = 130, BPF_RING_RESERVE = 131,
	BPF_RING_SUBMIT = 132, BPF_COPY_FROM_USER = 148, BPF_SNPRINTF = 165, BPF_FUNC_IP = 173, BPF_COOKIE = 174, BPF_TASK_REGISTERS = 175,
	BPF_LOOP = 181,
};

static inline unsigned bpf_destination(const struct bpf_instruction *i) { return i->registers & 15; }
static inline unsigned bpf_source(const struct bpf_instruction *i) { return i->registers >> 4; }

#endif
