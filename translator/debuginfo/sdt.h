/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks that a program was compiled with (sys/sdt.h): notes that say where each is and in what its arguments are. */
#ifndef KTAP_DEBUGINFO_SDT_H
#define KTAP_DEBUGINFO_SDT_H

#include "translator/debuginfo/target.h"
#include "translator/machine/operand.h"

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

/* The marks among SIZE bytes of notes, in their order. A damaged note ends the list; an operand that cannot be computed
 * has a location that says why. */
struct sdt_mark *sdt_read(const struct sdt_file *f, const void *notes, size_t size);

/* The marks of E that STAP_SDT_V2 made, which have no notes; NULL: there are none. */
struct sdt_mark *sdt_read_table(const struct sdt_file *f, const struct elf_file *e);
/* Gives M its arguments: TEXT has them with spaces between. */
void sdt_read_arguments(const struct sdt_file *f, struct sdt_mark *m, const char *text);

/* All marks of a program. */
const struct sdt_mark *target_marks(struct target *t);

#endif
