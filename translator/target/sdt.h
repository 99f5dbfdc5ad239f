/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks that a program was compiled with (sys/sdt.h): notes that say where each is and in what its arguments are. */
#ifndef KTAP_TARGET_SDT_H
#define KTAP_TARGET_SDT_H

#include "translator/target/target.h"

enum { SDT_ARGS_MAX = 12 };

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

/* The parts of a file that reading needs; the fuzzer makes one up. */
struct sdt_file {
	bool aarch64;
	bool is_32bit;         /* i386: addresses of 4 bytes */
	uint64_t base;         /* address of .stapsdt.base, 0: none */
	uint64_t (*symbol)(const char *name, void *data); /* its address, 0: none */
	void *data;
};

/* The marks among SIZE bytes of notes, in their order. A damaged note ends the list; an operand that cannot be computed
 * has a location that says why. */
struct sdt_mark *sdt_read(const struct sdt_file *f, const void *notes, size_t size);

/* The marks of E that STAP_SDT_V2 made, which have no notes; NULL: there are none. */
struct sdt_mark *sdt_read_table(const struct sdt_file *f, const struct elf_file *e);
/* Gives M its arguments: TEXT has them with spaces between. */
void sdt_read_arguments(const struct sdt_file *f, struct sdt_mark *m, const char *text);

/* One operand as the assembler of the architecture writes it. SIZE is that of the argument's type; 0: it has none, and then
 * *RET_WIDTH is the size of the register that the operand names, or stays as it is. */
struct location sdt_operand_x86_64(const struct sdt_file *f, const char *text, unsigned size, unsigned *ret_width);
struct location sdt_operand_aarch64(const struct sdt_file *f, const char *text, unsigned size, unsigned *ret_width);

/* All marks of a program. */
const struct sdt_mark *target_marks(struct target *t);

#endif
