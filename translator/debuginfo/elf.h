/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files: sections, symbols and build-ids. The readers above it get their bytes from here. */
#ifndef KTAP_DEBUGINFO_ELF_H
#define KTAP_DEBUGINFO_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gelf.h>

#include "translator/machine/machine.h"

struct elf_file {
	const char *path;
	const char *of;        /* the file that this one has the debugging information of; NULL: it is the same */
	void *map;             /* a private mapping of the file; NULL: somebody else's bytes */
	size_t map_size;
	bool kept;             /* the bytes in memory cannot be read from the file again */
	Elf *elf;
	const char *build_id;  /* hex, in program_arena; NULL: none */
	Elf_Data *symbols;     /* .symtab, else .dynsym; NULL: none */
	size_t n_symbols;
	size_t symbol_size;
	const char *names;     /* of the symbols; the last byte is zero */
	size_t names_size;
	size_t n_sections;
	unsigned lookups;      /* by name so far */
	uint32_t *table;       /* hash table of symbol numbers + 1, made when lookups become many */
	size_t table_size;     /* a power of two */
	struct elf_anchor *anchors; /* symbols by address; made on first use */
	size_t n_anchors;
	unsigned scans;        /* of all symbols, for a few functions */
	struct elf_function *functions; /* by address; made when scans become many */
	size_t n_functions;
};

/* One entry of a section of notes. */
struct elf_note {
	uint32_t type;
	const char *name;          /* not always ended by a zero */
	size_t name_size;
	const unsigned char *desc;
	size_t size;
};

/* Takes the first note off the SIZE bytes at *NOTES; false: there is none, or it is cut off. Each part is padded to 4 bytes:
 * Xen's notes of a kernel end at odd offsets. */
static inline bool elf_next_note(const void **notes, size_t *size, struct elf_note *ret)
{
	const char *p = *notes;
	size_t name, desc;
	Elf64_Nhdr h;

	if (*size < sizeof(h))
		return false;
	memcpy(&h, p, sizeof(h));
	p += sizeof(h);
	*size -= sizeof(h);
	name = ((size_t)h.n_namesz + 3) & ~(size_t)3;
	desc = ((size_t)h.n_descsz + 3) & ~(size_t)3;
	if (name > *size || h.n_descsz > *size - name)
		return false;
	*ret = (struct elf_note){ h.n_type, p, h.n_namesz, (const unsigned char *)p + name, h.n_descsz };
	if (desc > *size - name)
		desc = *size - name; /* the last one's padding is not there */
	*notes = p + name + desc;
	*size -= name + desc;
	return true;
}

/* Opens PATH; NULL and errno on failure (ENOEXEC: not an ELF file). */
struct elf_file *elf_open(const char *path);
/* The same of SIZE bytes in memory, which stay the caller's. */
struct elf_file *elf_in_memory(const char *name, char *p, size_t size);
void elf_close(struct elf_file *e);
/* Gives back the memory of what was read of the mapped file so far; pages that are needed again come back by themselves,
 * from the page cache. A walk over all of a kernel's DWARF would otherwise hold all of it. */
void elf_release_pages(const struct elf_file *e);

/* The contents of the section NAME; false: none. Valid until elf_close(). */
bool elf_section(const struct elf_file *e, const char *name, const void **ret, size_t *ret_size);
/* Name of the section that holds ADDRESS, NULL: none. */
const char *elf_section_at(const struct elf_file *e, uint64_t address);
/* Is there a copy for each CPU of what is at ADDRESS, which is then no address? */
bool elf_is_per_cpu(const struct elf_file *e, uint64_t address);
/* The first segment of TYPE (PT_LOAD, ...) whose memory holds ADDRESS; false: none. */
bool elf_segment(const struct elf_file *e, uint32_t type, uint64_t address, GElf_Phdr *ret);
/* SIZE bytes of the file at the linked ADDRESS; NULL: not in the file. */
const void *elf_bytes(const struct elf_file *e, uint64_t address, size_t size);
/* The bytes from there on, *RET_LEFT of them, to the end of their section. */
const void *elf_bytes_from(const struct elf_file *e, uint64_t address, size_t *ret_left);
/* Name of symbol I of n_symbols, which is read into RET; NULL: it is undefined or damaged. */
const char *elf_symbol_name(const struct elf_file *e, size_t i, GElf_Sym *ret);
/* Value of the symbol NAME, 0: none. */
uint64_t elf_symbol(struct elf_file *e, const char *name);
/* The symbol that the declaration of a variable NAME means, which other files may define: a global one, or the only one of the name
 * where linking left no global one. False: no symbol has the name, or another file defines it. */
bool elf_declared(const struct elf_file *e, const char *name, GElf_Sym *ret);
/* The thread-local variable NAME that the source FILE, a name without folders, has for itself; false: it has no such variable. */
bool elf_thread_local(const struct elf_file *e, const char *name, const char *file, GElf_Sym *ret);
/* Values of N symbols that the linker script defines, which have no type; 0: there is none. */
void elf_linker_symbols(const struct elf_file *e, const char *const *names, size_t n, uint64_t *ret);
/* The symbol of the function NAME; returns how many functions have the name. */
size_t elf_function(struct elf_file *e, const char *name, GElf_Sym *ret);
/* Is there a global or weak symbol NAME, which other files can refer to? */
bool elf_is_global(struct elf_file *e, const char *name);

/* The symbol of the variable NAME; returns how many there are at different addresses, of which a global one hides the rest. */
unsigned elf_object(const struct elf_file *e, const char *name, GElf_Sym *ret);
void elf_object_names(const struct elf_file *e, void (*fn)(const char *name, void *data), void *data);
/* The lowest linked address of segments with code, which is that of mm_struct.start_code; 0: there is none. */
uint64_t elf_code_start(const struct elf_file *e);

/* Is there a section NAME? Its bytes are not touched. */
bool elf_has_section(const struct elf_file *e, const char *name);
/* Address of the section NAME, 0: none. */
uint64_t elf_section_address(const struct elf_file *e, const char *name);

/* The machine that E is for, or NULL. */
const struct machine *elf_machine(const struct elf_file *e);
/* Relocation I of a section of TYPE SHT_REL or SHT_RELA; false: there are no more. */
bool elf_relocation(Elf_Data *data, int i, unsigned type, GElf_Rela *ret);

/* An address whose function symbol is wanted. */
struct elf_lookup {
	uint64_t address;
	const char *symbol;      /* NULL: in none */
	uint64_t symbol_address, symbol_end;
};
/* Fills N lookups, which are sorted by address: in one pass over the symbols, or from a table when there were many calls. */
void elf_find_functions(struct elf_file *e, struct elf_lookup *l, size_t n);

/* The lowest address above ADDRESS that a function symbol has; UINT64_MAX: none has. */
uint64_t elf_next_function(const struct elf_file *e, uint64_t address);

/* Sets what a loaded module knows ADDRESS by: an offset from a symbol, "NAME", or "NAME#N", the one with N before it, where several have
 * the name. The symbol "" is the note with the build-id, for constants such as string literals, which have no symbol. False: none. */
bool elf_anchor(struct elf_file *e, uint64_t address, const char **ret_symbol, uint64_t *ret_offset);

/* ---- elf-relocatable.c: modules, whose sections have no addresses yet ---- */
/* Gives the sections of a relocatable file addresses of our own, from ELF_LAYOUT_START on, and its symbols with them. */
enum { ELF_LAYOUT_START = 0x10000 };
void elf_lay_out(struct elf_file *e);
/* Unpacks the .debug_* sections of a file that was laid out, and applies their relocations. False: damaged, or relocations
 * that are not known. */
bool elf_relocate_debug(struct elf_file *e);

/* Build-id among the notes of SIZE bytes at NOTES, as hex in program_arena; NULL: none. */
const char *elf_build_id_of_notes(const void *notes, size_t size);

#endif
