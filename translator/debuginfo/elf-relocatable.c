/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relocatable files, which modules are: no section has an address, and every address in the debugging information is a
 * relocation. Both are settled here, in the mapped copy, so that readers see a file like any other.
 *
 * The addresses mean nothing outside of ktap: what goes to the kernel is a symbol and an offset (elf_anchor()).
 */
#include <elf.h>
#include <string.h>

#include "translator/debuginfo/elf.h"

enum { ALIGN_MAX = 1 << 16 };

/* ---- layout ---- */
static uint64_t section_address(const struct elf_file *e, size_t index)
{
	Elf_Scn *scn = index && index < SHN_LORESERVE ? elf_getscn(e->elf, index) : NULL;
	GElf_Shdr sh;

	return scn && gelf_getshdr(scn, &sh) ? sh.sh_addr : 0;
}

void elf_lay_out(struct elf_file *e)
{
	uint64_t at = ELF_LAYOUT_START;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(e->elf, scn))) {
		uint64_t align;

		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC))
			continue;
		align = sh.sh_addralign && sh.sh_addralign <= ALIGN_MAX ? sh.sh_addralign : 1;
		at = (at + align - 1) / align * align;
		sh.sh_addr = at;
		gelf_update_shdr(scn, &sh);
		/* A gap, so that the end of one section is not the start of the next. */
		at += (sh.sh_size & 0xffffffff) + 16;
	}
	for (size_t i = 0; i < e->n_symbols; i++) {
		if (!gelf_getsym(e->symbols, (int)i, &sym) || sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE)
			continue;
		sym.st_value += section_address(e, sym.st_shndx);
		gelf_update_sym(e->symbols, (int)i, &sym);
	}
}

/* ---- relocations ---- */
/* The field that a relocation of TYPE writes; not aligned. */
static const struct field_relocation *field_of(const struct machine *m, unsigned type)
{
	for (const struct field_relocation *f = m ? m->debug_relocations : NULL; f && f->size; f++)
		if (f->type == type)
			return f;
	return NULL;
}

static bool apply(const struct elf_file *e, const struct machine *machine, Elf_Data *to, uint64_t base, const GElf_Rela *r)
{
	const struct field_relocation *f = field_of(machine, (unsigned)GELF_R_TYPE(r->r_info));
	uint64_t value;
	GElf_Sym sym;

	/* 0 is "none" on every machine. */
	if (!GELF_R_TYPE(r->r_info))
		return true;
	if (!f || !to->d_buf || r->r_offset > to->d_size || f->size > to->d_size - r->r_offset ||
	    !gelf_getsym(e->symbols, (int)GELF_R_SYM(r->r_info), &sym))
		return false;
	value = sym.st_value + (uint64_t)r->r_addend;
	if (f->relative)
		value -= base + r->r_offset;
	/* Little endian, as all machines are. */
	memcpy((char *)to->d_buf + r->r_offset, &value, f->size);
	return true;
}

/* All of the section SCN, whose header is SH. */
static bool apply_all(const struct elf_file *e, const struct machine *machine, Elf_Scn *scn, const GElf_Shdr *sh, Elf_Scn *target)
{
	Elf_Data *rows = elf_getdata(scn, NULL), *to = elf_rawdata(target, NULL);
	size_t n = rows && sh->sh_entsize ? rows->d_size / sh->sh_entsize : 0;
	GElf_Rela r;

	if (!rows || !to)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!gelf_getrela(rows, (int)i, &r) || !apply(e, machine, to, 0, &r))
			return false;
	return true;
}

bool elf_relocate_debug(struct elf_file *e)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh, of;
	GElf_Ehdr h;
	size_t names;

	if (!gelf_getehdr(e->elf, &h) || elf_getshdrstrndx(e->elf, &names))
		return false;
	/* Offsets in relocations are those of the unpacked bytes. */
	while ((scn = elf_nextscn(e->elf, scn)))
		if (gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0)
			return false;
	while ((scn = elf_nextscn(e->elf, scn))) {
		Elf_Scn *target;
		const char *name;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA)
			continue;
		target = elf_getscn(e->elf, sh.sh_info);
		name = target && gelf_getshdr(target, &of) ? elf_strptr(e->elf, names, of.sh_name) : NULL;
		if (name && !strncmp(name, ".debug_", 7) && !(of.sh_flags & SHF_ALLOC) &&
		    !apply_all(e, elf_machine(e), scn, &sh, target))
			return false;
	}
	return true;
}
