/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks that a program was compiled with (sys/sdt.h): notes that say where each is and in what its arguments are. */
#ifndef KTAP_DEBUGINFO_SDT_H
#define KTAP_DEBUGINFO_SDT_H

#include "translator/debuginfo/target.h"

enum { SDT_ARGS_MAX = 12, SDT_OPERAND_MAX = 1024 };

struct elf_file;

struct sdt_argument {
	struct location location;
	unsigned size;         /* bytes: 1, 2, 4, 8 */
	bool is_signed;
};

struct sdt_mark {
	const char *provider, *name;
	uint64_t address;      /* as linked */
	uint64_t semaphore;    /* address of the counter of those who listen; 0: none */
	int n_args;
	struct sdt_argument arg[SDT_ARGS_MAX];
	struct sdt_mark *next;
};

/* Numbers that operands have of symbols. */
enum sdt_relation {
	SDT_ADDRESS,
	SDT_FINAL_ADDRESS, /* the same where no other file can define the symbol */
	SDT_SLOT,          /* address of the word that the dynamic linker sets to the symbol's address */
	SDT_DISTANCE,      /* of thread-local data from the thread pointer */
};

/* The parts of a file that reading needs; the fuzzer makes one up. */
struct sdt_file {
	bool aarch64;
	bool is_32bit;         /* i386: addresses of 4 bytes */
	bool pairs;            /* i386: 8 bytes are in the register that is named and the next one in DWARF's order */
	uint64_t base;         /* address of .stapsdt.base, 0: none */
	/* Finds a number of the symbol NAME as the code at PC means it. Returns why there is no such number, or NULL. */
	const char *(*symbol)(const char *name, enum sdt_relation relation, uint64_t pc, int64_t *ret, void *data);
	void *data;
};

/* The marks among SIZE bytes of notes, in their order. A damaged note ends the list; an operand that cannot be computed
 * has a location that says why. */
struct sdt_mark *sdt_read(const struct sdt_file *f, const void *notes, size_t size);

/* The marks of E that STAP_SDT_V2 made, which have no notes; NULL: there are none. */
struct sdt_mark *sdt_read_table(const struct sdt_file *f, const struct elf_file *e);
/* Gives M its arguments: TEXT has them with spaces between. */
void sdt_read_arguments(const struct sdt_file *f, struct sdt_mark *m, const char *text);

/* One operand as the assembler of the architecture writes it, in the mark at PC. */
struct sdt_operand {
	const char *text;
	unsigned size;         /* of the argument's type; 0: it has none */
	uint64_t pc;
};

/* *RET_WIDTH: the size of the register that the operand names; it stays as it is if the operand is no register. */
struct location sdt_operand_x86_64(const struct sdt_file *f, const struct sdt_operand *op, unsigned *ret_width);
struct location sdt_operand_aarch64(const struct sdt_file *f, const struct sdt_operand *op, unsigned *ret_width);

/* All marks of a program. */
const struct sdt_mark *target_marks(struct target *t);

#endif
