/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files in memory: little-endian ones of 64 bits, and those of i386, whose headers are turned into the others. Nothing in
 * them is trusted: every offset is checked against the size of the file. */
#ifndef KT_LOADER_ELFFILE_H
#define KT_LOADER_ELFFILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/abi.h"
#include "translator/base/reader.h"

struct elf {
	unsigned int type;    /* ET_EXEC, ET_DYN, ET_REL */
	unsigned int machine;
	const unsigned char *image;
	size_t size;
	bool is_32bit;
	const Elf64_Shdr *sections;
	size_t n_sections;
	const Elf64_Phdr *segments;
	size_t n_segments;
	const char *names;    /* of sections; NULL: none */
	size_t names_size;
	Elf64_Shdr *own_sections; /* to be freed */
	Elf64_Phdr *own_segments;
	struct span *unpacked;    /* by number of the section, as far as asked for; NULL: none is packed. To be freed */
};

/* NULL, or what is wrong with FILE, which stays as it is. Close it also when it is of no use. */
const char *elf_open(struct elf *e, struct span file);
void elf_close(struct elf *e);

/* N things of SIZE bytes at OFFSET of the file, all of which must be there and lie as their type wants; NULL: not so. */
const void *elf_part(const struct elf *e, kt_u64 offset, kt_u64 n, size_t size, size_t align);
/* NULL: there is none. */
const Elf64_Shdr *elf_section(const struct elf *e, const char *name);
/* Returns the contents of S, or nothing. A compressed section is unpacked until E is closed. */
struct span elf_data(const struct elf *e, const Elf64_Shdr *s);
/* The same of the section NAME. */
struct span elf_data_of(const struct elf *e, const char *name);
/* Symbol I of the table in TABLE. */
Elf64_Sym elf_symbol(const struct elf *e, struct span table, size_t i);

/* A file as memory; .at is NULL when it cannot be read; errno says why. */
struct span file_map(int fd);
/* Returns whether all that was read of it was there: its owner may have cut it short meanwhile, which reads as zeros. */
bool file_unmap(struct span file);

enum { BUILD_ID_SIZE = 65, BUILD_ID_PATH_SIZE = 128 };

/* The build-id among NOTES, in hexadecimal; false: there is none. */
bool elf_build_id(struct span notes, char ret[BUILD_ID_SIZE]);
/* Path of the file in which distributions keep what was stripped from the one of that build-id. */
void elf_debug_path(const char *build_id, char ret[BUILD_ID_PATH_SIZE]);

#endif
