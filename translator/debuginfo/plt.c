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
#include "lib/rows.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/debuginfo/program.h"

enum { STUBS_MAX = 1 << 20 };

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

static void add_stubs(struct place ***end, const struct slots *all, const struct elf_file *e, const GElf_Shdr *sh, const char *name,
		      const struct machine *m)
{
	uint64_t table = elf_section_address(e, elf_has_section(e, ".got.plt") ? ".got.plt" : ".got");

	for (uint64_t at = sh->sh_addr; at - sh->sh_addr < sh->sh_size; at += m->plt_align) {
		uint64_t left = sh->sh_addr + sh->sh_size - at, size = left < PLT_STUB_SIZE ? left : PLT_STUB_SIZE;
		const unsigned char *code = elf_bytes(e, at, size);
		unsigned char p[PLT_STUB_SIZE] = {};
		struct slot key, *slot;
		struct place *place;

		if (!code)
			return;
		/* Those of .plt.got have 8 bytes. */
		memcpy(p, code, size);
		key.address = m->plt_word(p, at, table);
		slot = key.address ? bsearch(&key, all->slot, all->n, sizeof(key), by_number) : NULL;
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
	const struct machine *m = elf_machine(e);
	GElf_Shdr sh;
	size_t names;

	if (elf_getshdrstrndx(e->elf, &names) || !m || !m->plt_word)
		return NULL;
	while ((scn = elf_nextscn(e->elf, scn)))
		if (gelf_getshdr(scn, &sh) && (sh.sh_type == SHT_RELA || sh.sh_type == SHT_REL))
			add_relocations(&all, e, scn, &sh);
	sort_rows(all.slot, all.n, by_number);
	while (all.n && (scn = elf_nextscn(e->elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(e->elf, names, sh.sh_name) : NULL;

		if (name && !strncmp(name, ".plt", 4) && sh.sh_type == SHT_PROGBITS)
			add_stubs(&end, &all, e, &sh, name, m);
	}
	free(all.slot);
	return first;
}
