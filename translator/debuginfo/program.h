/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs, for the reader of DWARF and the probe families; target.h has the rest. */
#ifndef KTAP_DEBUGINFO_PROGRAM_H
#define KTAP_DEBUGINFO_PROGRAM_H

#include "translator/debuginfo/reader.h"

/* Facts about one file beside its target. */
struct program_file {
	const char *path;
	struct elf_file *code;
	struct elf_file *symbols[3]; /* tables to look in, best first */
	int n_symbols;
	char *packed;                /* .gnu_debugdata, unpacked */
	struct target *target;
	struct program_file *next;
};

/* Is the file at PATH, as a guest with ROOT names it, a program or library that the machine M runs? Only its header is read. */
bool program_is_ours(const char *root, const char *path, const struct machine *m);
/* And of 64 bits, as most of what runs here? */
bool program_is_native(const char *root, const char *path, const struct machine *m);
/* Or of 32 bits? */
bool program_is_compat(const char *root, const char *path, const struct machine *m);
/* Table of symbols number I of the program, the best first; NULL: there are no more. */
struct elf_file *program_symbols(const struct target *t, int i);
/* Calls FN with the address of each function that the IFUNC whose code is SIZE bytes at RESOLVER may choose, as far as they are in the
 * file. */
void program_implementations(const struct target *t, uint64_t resolver, uint64_t size, void (*fn)(uint64_t address, void *data),
			     void *data);
/* The machine of its code (EM_*). */
const struct machine *program_machine(const struct target *t);
/* The bytes of the file from ADDRESS on, *RET_LEFT of them up to the end of their section; NULL: none. */
const unsigned char *program_code(const struct target *t, uint64_t address, size_t *ret_left);
/* After an error about what a symbol table cannot tell: the note with what to install. */
void program_note_install(const struct target *t, struct loc loc);

#endif
