/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines that kernels and programs are for: everything that the translator knows about one. A machine is one file here (x86.c), with its
 * instructions and the operands of its marks beside it; HACKING.md says how to add one.
 *
 * Registers are numbered as in DWARF.
 */
#ifndef KTAP_MACHINE_MACHINE_H
#define KTAP_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/packages.h"

struct instruction;
struct location;
struct sdt_file;
struct sdt_operand;

enum { ARGUMENT_REGISTERS_MAX = 8, BRANCH_RELOCATIONS_MAX = 2 };

/* How functions get integer arguments and return results. */
struct convention {
	unsigned char args[ARGUMENT_REGISTERS_MAX];
	int n_args;
	unsigned char second;    /* the register of a result's second word */
	bool passes_result;      /* the caller of a function with a result in memory passes its address as the first argument */
	bool returns_address;    /* the function returns that address */
	bool by_address;         /* structures of more than two words are passed by address */
	bool splits;             /* of two words, one may be in the last register; else after an argument in memory all are there */
	bool clang_packs;        /* how clang passes a packed structure is its own */
};

/* A field of data that a relocation writes. */
struct field_relocation {
	unsigned type, size;     /* size 0 ends the list */
	bool relative;           /* to the field's own place */
};

/* Thread-local data of programs. The numbers are those of relocations. */
struct tls_machine {
	unsigned tpoff, dtpmod, descriptor;
	int64_t vector;          /* where the address of a thread's vector is, from the thread pointer */
	bool above;              /* the program's data begins HEAD bytes above the thread pointer; else it ends there */
	unsigned head;
};

/* What QEMU emulates for --vm. MACHINE NULL: nothing. */
struct board {
	const char *machine, *cpu;
	const char *console;
	const char *kernel_args; /* where it is emulated */
	enum package qemu;
	bool kvm_in_cpuinfo;     /* a flag of /proc/cpuinfo says whether the processor can run virtual machines */
};

enum syscall_table { SYSCALLS_NONE, SYSCALLS_X86_64, SYSCALLS_GENERIC };

struct machine {
	const char *name;        /* uname's: "aarch64" */
	const char *script;      /* as scripts and users call it: "arm64" */
	const char *srcarch;     /* Kbuild's ARCH, and the name of its directory */
	const char *triplet;     /* its cross compiler is TRIPLET-gcc */
	const char *config;      /* the option that its kernels set, without CONFIG_ */
	const char *image;       /* what a build tree calls the kernel's image */
	unsigned elf;            /* e_machine */
	const struct machine *narrow; /* the machine of the 32-bit programs that its kernels run; NULL: none */

	/* Registers. A function's entry has its frame, DWARF's CFA, at the stack pointer plus return_size. */
	const char *const *registers;
	unsigned n_registers;
	const unsigned char *context_words; /* by register: where the context of a BPF program has it, in words */
	unsigned n_context_words;
	unsigned n_kept;         /* registers below this can be read in a probe by name */
	unsigned stack_pointer;
	unsigned return_size;    /* bytes that a call pushes */
	uint32_t frame_registers;/* bit N: compilers write addresses of variables as register N plus an offset */
	const struct convention *convention; /* NULL: not known */
	const char *go_results;  /* registers of a Go function's results after the first word, for a message */

	/* Code. */
	/* Decodes an instruction: see instruction.h. NULL: not known. */
	bool (*decode)(const void *p, size_t left, uint64_t address, struct instruction *ret);
	/* Bytes of the instructions that the kernel's compiler puts before a function's own, of which CODE has ENTRY_HOOKS_MAX; FENTRY: the
	 * address of __fentry__(). NULL: none. */
	uint64_t (*entry_hooks)(const unsigned char *code, uint64_t address, uint64_t fentry);
	const char *return_thunk, *indirect_thunk; /* functions that stand for instructions, the second by its beginning; NULL: none */
	unsigned branch_relocations[BRANCH_RELOCATIONS_MAX]; /* of branches: relative to the end of the field, which has 4 bytes */

	/* Files. */
	const struct field_relocation *debug_relocations;
	unsigned slot_relocation;  /* of a word that the dynamic linker sets to an address */
	struct tls_machine tls;
	/* The word that the stub at P, of PLT_STUB_SIZE bytes, linked at ADDRESS, jumps through; TABLE: the address of .got.plt. 0: it is no
	 * stub. NULL: stubs are not known. */
	uint64_t (*plt_word)(const unsigned char *p, uint64_t address, uint64_t table);
	unsigned plt_align;
	/* The operand of a mark as the assembler writes it: see operand.h. NULL: not known. */
	struct location (*operand)(const struct sdt_file *f, const struct sdt_operand *op, unsigned *ret_width);
	bool operands_hold_blanks;

	/* Kernel. */
	bool has_kit;              /* modules can be built for it: runtime/arch/ has its header */
	enum syscall_table syscalls;
	const char *syscall_prefix, *compat_prefix; /* of the functions; NULL: no function of 32-bit programs */
	long long stack_limit;     /* bytes that a handler's stack may have */
	bool hangs_on_watchpoints; /* it does not step over a watched access for others than perf */
	struct board board;
};

enum { PLT_STUB_SIZE = 16, ENTRY_HOOKS_MAX = 9 };

extern const struct machine machine_x86_64, machine_i386, machine_arm64, machine_riscv64;

/* Returns the machine of kernels that NAME is one of the two names of, or NULL. */
const struct machine *machine_find(const char *name);
/* Returns the machine whose directory of Kbuild PATH begins with, or NULL. */
const struct machine *machine_of_srcarch(const char *path);
/* Returns the machine of kernels or of 32-bit programs with the e_machine ELF, or NULL. */
const struct machine *machine_of_elf(unsigned elf);
/* Returns the I-th machine of kernels, NULL after the last. */
const struct machine *machine_at(unsigned i);
/* Returns the names of the machines of kernels, as users call them: "arm64 or x86_64". */
const char *machine_list(void);
/* Returns the machine that ktap runs on. */
const struct machine *machine_host(void);
/* Returns the machine that the command line chose: the host, until another was set. Passes ask platform_machine() or a kernel. */
const struct machine *machine_target(void);
void machine_set_target(const struct machine *m);
/* Returns the prefix of the programs that compile for M: "" for the host, else $CROSS_COMPILE or the usual one. */
const char *machine_compiler(const struct machine *m);
/* Returns M's name of register NUMBER; "register N": it has none. */
const char *machine_register(const struct machine *m, unsigned number);

#endif
