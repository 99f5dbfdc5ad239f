/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files, in memory or read from a descriptor: little-endian ones of 64 bits, and those of i386, whose headers are turned into the
 * others. Nothing in them is trusted: every offset is checked against the size of the file. A file may change while it is read, so each
 * part of it is copied once, and only the copy is looked at.
 */
#ifndef KT_LOADER_ELFFILE_H
#define KT_LOADER_ELFFILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/reader.h"
#include "runtime/abi.h"
#include "runtime/loader/libraries.h"

struct elf {
	unsigned int type;    /* ET_EXEC, ET_DYN, ET_REL */
	unsigned int machine;
	kt_u64 entry;         /* address of the first instruction */
	bool is_32bit;
	const Elf64_Shdr *sections;
	size_t n_sections;
	const Elf64_Phdr *segments;
	size_t n_segments;
	const char *names;    /* of sections; NULL: none */
	size_t names_size;
	const unsigned char *image; /* NULL: the file is read from fd */
	int fd;
	size_t size;
	struct libraries *libraries; /* that unpack sections; NULL: packed sections are not read */
	struct elf_copies *copies;   /* of what was read; freed by elf_close() */
};

/* Opens the file that lies at FILE, which must stay as it is, or the one of FD. Returns NULL, or the reason of a failure. Close it also when
 * it is of no use. */
const char *elf_open(struct elf *e, struct span file, struct libraries *l);
const char *elf_open_fd(struct elf *e, int fd, struct libraries *l);
bool elf_is_open(const struct elf *e);
void elf_close(struct elf *e);

/* Returns N things of SIZE bytes at OFFSET of the file, until E is closed. NULL: they are not all there, do not lie as ALIGN wants, or are too
 * large. */
const void *elf_part(const struct elf *e, kt_u64 offset, kt_u64 n, size_t size, size_t align);
/* NULL: there is none. */
const Elf64_Shdr *elf_section(const struct elf *e, const char *name);
/* Returns the contents of S, unpacked, or nothing. Each section is read once; the copy stays until E is closed. */
struct span elf_data(const struct elf *e, const Elf64_Shdr *s);
/* The same of the section NAME. */
struct span elf_data_of(const struct elf *e, const char *name);
/* Returns whether a part that was asked for was too large to be copied. */
bool elf_too_large(const struct elf *e);
/* Symbol I of the table in TABLE. */
Elf64_Sym elf_symbol(const struct elf *e, struct span table, size_t i);

/* Returns a copy of the file FD, which has at most MAX bytes, to be freed. .at is NULL when it cannot be read; errno says why: EFBIG if it
 * is larger, ENOEXEC if it is empty or not a regular file. */
struct span file_copy(int fd, size_t max);

enum { BUILD_ID_SIZE = 65, BUILD_ID_PATH_SIZE = 128 };

/* The build-id among NOTES, in hexadecimal; false: there is none. */
bool elf_build_id(struct span notes, char ret[BUILD_ID_SIZE]);
/* Path of the file in which distributions keep what was stripped from the one of that build-id. */
void elf_debug_path(const char *build_id, char ret[BUILD_ID_PATH_SIZE]);

#endif
