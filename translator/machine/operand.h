/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands of marks, as assemblers write them -> struct location. Each machine has its reader. */
#ifndef KTAP_MACHINE_OPERAND_H
#define KTAP_MACHINE_OPERAND_H

#include "translator/machine/location.h"
#include "translator/machine/machine.h"

enum { SDT_OPERAND_MAX = 1024, OPERAND_OPS_MAX = 9, OPERAND_SYMBOL_MAX = SDT_OPERAND_MAX };

/* Numbers that operands have of symbols. */
enum sdt_relation {
	SDT_ADDRESS,
	SDT_FINAL_ADDRESS, /* the same where no other file can define the symbol */
	SDT_SLOT,          /* address of the word that the dynamic linker sets to the symbol's address */
	SDT_DISTANCE,      /* of thread-local data from the thread pointer */
};

/* The parts of a file that reading needs; the fuzzer makes one up. */
struct sdt_file {
	const struct machine *machine;
	bool is_32bit;         /* i386: addresses of 4 bytes */
	bool pairs;            /* i386: 8 bytes are in the register that is named and the next one in DWARF's order */
	uint64_t base;         /* address of .stapsdt.base, 0: none */
	/* Finds a number of the symbol NAME as the code at PC means it. Returns why there is no such number, or NULL. */
	const char *(*symbol)(const char *name, enum sdt_relation relation, uint64_t pc, int64_t *ret, void *data);
	void *data;
};

/* One operand as the assembler of the machine writes it, in the mark at PC: see struct machine, operand(), whose *RET_WIDTH is the size of the
 * register that the operand names; it stays as it is if the operand is no register. */
struct sdt_operand {
	const char *text;
	unsigned size;         /* of the argument's type; 0: it has none */
	uint64_t pc;
};

/* ---- what the readers share ---- */
extern const char operand_not_understood[];

/* Operations being collected. */
struct ops {
	struct loc_op op[OPERAND_OPS_MAX];
	int n;
};

void operand_put(struct ops *o, unsigned atom, int64_t a, int64_t b);
/* F NULL: it is computed in 64 bits in any program. */
struct location operand_finish(const struct sdt_file *f, const struct ops *o, enum location_kind kind);
/* A constant may have 64 bits in a program of 32 bits, too. */
struct location operand_constant(int64_t v);
/* Reads the number at *S, which moves after it; false: no number is there. */
bool operand_number(const char **s, int64_t *ret);
/* The address of NAME, or a number that depends on it. The operand cannot be computed where *RET_WHY is set. */
int64_t operand_symbol(const struct sdt_file *f, const struct sdt_operand *o, const char *name, enum sdt_relation relation,
		       const char **ret_why);

#endif
