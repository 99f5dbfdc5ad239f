/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of a program to functions of libraries: the stubs of its procedure linkage table.
 *
 * Each stub jumps through a word that the dynamic linker fills; a relocation names the function that the word is for. So a
 * stub is known by the address of its word, whichever of the linker's layouts of stubs it has. In i386 the word of code that
 * can lie anywhere is found from ebx, which has the address of the table of words.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/debuginfo/program.h"

enum { STUB_SIZE = 16, STUBS_MAX = 1 << 20 };

/* A word and the function it leads to. */
struct slot {
	uint64_t address;
	const char *name;
};

struct slots {
	struct slot *slot;
	size_t n;
};

static void add_relocations(struct slots *all, const struct elf_file *e, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL), *symbols;
	Elf_Scn *table = elf_getscn(e->elf, sh->sh_link);
	GElf_Shdr table_header;
	GElf_Rela rela;
	GElf_Sym sym;

	symbols = table && gelf_getshdr(table, &table_header) && table_header.sh_type == SHT_DYNSYM ? elf_getdata(table, NULL) : NULL;
	for (int i = 0; data && symbols && elf_relocation(data, i, sh->sh_type, &rela); i++) {
		const char *name;

		if (!GELF_R_SYM(rela.r_info) || !gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym))
			continue;
		name = elf_strptr(e->elf, table_header.sh_link, sym.st_name);
		if (!name || !*name || text_has_control(name) || all->n == STUBS_MAX)
			continue;
		*vec_add(all->slot, all->n) = (struct slot){ rela.r_offset, name };
	}
}

static int by_address(const void *va, const void *vb)
{
	const struct slot *a = va, *b = vb;

	return (a->address > b->address) - (a->address < b->address);
}

static uint32_t word_at(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The word that the stub at P, linked at ADDRESS, jumps through; 0: it is no stub. */
static uint64_t stub_word_x86_64(const unsigned char *p, uint64_t address)
{
	/* [endbr64] [bnd] jmp *REL(%rip) */
	for (unsigned at = 0; at + 6 <= STUB_SIZE; at++) {
		if (p[at] == 0xff && p[at + 1] == 0x25)
			return address + at + 6 + (uint64_t)(int64_t)(int32_t)word_at(p + at + 2);
		if (at == 0 && word_at(p) == 0xfa1e0ff3)
			at = 3;
		else if (p[at] != 0xf2)
			return 0;
	}
	return 0;
}

/* TABLE: what ebx holds. */
static uint64_t stub_word_i386(const unsigned char *p, uint64_t table)
{
	/* [endbr32] jmp *WORD, or jmp *OFFSET(%ebx) */
	const unsigned char *jump = word_at(p) == 0xfb1e0ff3 ? p + 4 : p;

	if (jump[0] != 0xff || (jump[1] != 0x25 && jump[1] != 0xa3))
		return 0;
	return jump[1] == 0x25 ? word_at(jump + 2) : (uint32_t)(table + word_at(jump + 2));
}

static uint64_t stub_word_aarch64(const unsigned char *p, uint64_t address)
{
	uint32_t adrp = word_at(p), ldr = word_at(p + 4);
	int64_t page;

	/* [bti c]; adrp x16, PAGE; ldr x17, [x16, OFFSET] */
	if (adrp == 0xd503245f) {
		address += 4;
		adrp = ldr;
		ldr = word_at(p + 8);
	}
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	page = (int64_t)(int32_t)(((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 11) >> 11;
	return (address & ~(uint64_t)0xfff) + (uint64_t)(page * 4096) + (ldr >> 10 & 0xfff) * 8;
}

static void add_stubs(struct place ***end, const struct slots *all, const struct elf_file *e, const GElf_Shdr *sh, const char *name,
		      unsigned machine)
{
	uint64_t table = elf_section_address(e, elf_has_section(e, ".got.plt") ? ".got.plt" : ".got");

	for (uint64_t at = sh->sh_addr; at - sh->sh_addr < sh->sh_size; at += machine == EM_AARCH64 ? 4 : 8) {
		uint64_t left = sh->sh_addr + sh->sh_size - at, size = left < STUB_SIZE ? left : STUB_SIZE;
		const unsigned char *code = elf_bytes(e, at, size);
		unsigned char p[STUB_SIZE] = {};
		struct slot key, *slot;
		struct place *place;

		if (!code)
			return;
		/* Those of .plt.got have 8 bytes. */
		memcpy(p, code, size);
		key.address = machine == EM_AARCH64 ? stub_word_aarch64(p, at) :
			      machine == EM_386 ? stub_word_i386(p, table) : stub_word_x86_64(p, at);
		slot = key.address ? bsearch(&key, all->slot, all->n, sizeof(key), by_address) : NULL;
		if (!slot)
			continue;
		place = arena_new(&program_arena, struct place);
		*place = (struct place){ .address = at, .func = arena_strdup(&program_arena, slot->name), .section = name };
		**end = place;
		*end = &place->next;
	}
}

struct place *target_plt(struct target *t)
{
	const struct elf_file *e = target_elf(t);
	struct place *first = NULL, **end = &first;
	struct slots all = {};
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Ehdr eh;
	size_t names;

	if (elf_getshdrstrndx(e->elf, &names) || !gelf_getehdr(e->elf, &eh))
		return NULL;
	while ((scn = elf_nextscn(e->elf, scn)))
		if (gelf_getshdr(scn, &sh) && (sh.sh_type == SHT_RELA || sh.sh_type == SHT_REL))
			add_relocations(&all, e, scn, &sh);
	if (all.n)
		qsort(all.slot, all.n, sizeof(*all.slot), by_address);
	while (all.n && (scn = elf_nextscn(e->elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(e->elf, names, sh.sh_name) : NULL;

		if (name && !strncmp(name, ".plt", 4) && sh.sh_type == SHT_PROGBITS)
			add_stubs(&end, &all, e, &sh, name, eh.e_machine);
	}
	free(all.slot);
	return first;
}
