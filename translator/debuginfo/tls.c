/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thread-local data: where a thread has its copy of a file's.
 *
 * That of a program lies at a fixed distance from the thread pointer. That of a library is chosen when it is loaded; the dynamic
 * linker then writes the choice to slots of the library, which its own code reads, and which a relocation each names:
 *
 *	TPOFF   the distance from the thread pointer, for libraries that are there from the start
 *	DTPMOD  the library's number in the thread's vector of addresses (that of glibc)
 */
#include "translator/debuginfo/tls.h"

#include "translator/debuginfo/program.h"

/* ---- programs ---- */
/* Sets *RET to the distance of the program's data from the thread pointer; false: the file is a library. */
static bool find_distance(Elf *elf, const GElf_Ehdr *header, const struct tls_machine *m, int64_t *ret)
{
	bool is_program = header->e_type == ET_EXEC, found = false;
	GElf_Phdr ph;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph))
			return false;
		is_program |= ph.p_type == PT_INTERP;
		if (ph.p_type != PT_TLS || !ph.p_align || (ph.p_align & (ph.p_align - 1)))
			continue;
		found = true;
		*ret = m->above ? (int64_t)((m->head + ph.p_align - 1) & -ph.p_align)
			       : -(int64_t)((ph.p_memsz + ph.p_align - 1) & -ph.p_align);
	}
	return is_program && found;
}

uint64_t program_tls_offset(const struct target *t, uint64_t value)
{
	GElf_Phdr ph;

	return elf_segment(t->program->code, PT_TLS, value, &ph) && value >= ph.p_memsz ? value - ph.p_vaddr : value;
}

/* ---- libraries ---- */
/* Sets *RET to the value of the relocation's symbol; false: another file may define it. */
static bool own_symbol(Elf_Data *symbols, size_t index, uint64_t *ret)
{
	GElf_Sym sym;

	*ret = 0;
	if (!index)
		return true;
	if (!symbols || !gelf_getsym(symbols, (int)index, &sym) || sym.st_shndx == SHN_UNDEF)
		return false;
	*ret = sym.st_value;
	return true;
}

/* A slot of one section of relocations. A distance is better than a number: every thread has it. */
static void look_for_slot(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const struct tls_machine *m, struct tls *tls)
{
	Elf_Scn *table = elf_getscn(elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = table ? elf_getdata(table, NULL) : NULL;
	GElf_Rela rela;

	for (int i = 0; data && gelf_getrela(data, i, &rela) && tls->kind != TLS_DISTANCE_SLOT; i++) {
		unsigned type = (unsigned)GELF_R_TYPE(rela.r_info);
		uint64_t value;

		if (type == m->descriptor && tls->kind == TLS_NONE)
			tls->why = "it is thread-local in a library that was compiled to find it by descriptors";
		if ((type != m->tpoff && type != m->dtpmod) || !own_symbol(symbols, GELF_R_SYM(rela.r_info), &value))
			continue;
		tls->kind = type == m->tpoff ? TLS_DISTANCE_SLOT : TLS_NUMBER_SLOT;
		tls->slot = rela.r_offset;
		tls->distance = type == m->tpoff ? -(int64_t)(value + (uint64_t)rela.r_addend) : 0;
	}
}

struct tls program_tls(const struct target *t)
{
	struct tls tls = { .why = "it is thread-local in a library whose code never computes its address" };
	Elf *elf = t->program->code->elf;
	const struct machine *machine = elf_machine(t->program->code);
	const struct tls_machine *m = machine ? &machine->tls : NULL;
	Elf_Scn *scn = NULL;
	GElf_Ehdr header;
	GElf_Shdr sh;

	if (!m || !m->tpoff || !gelf_getehdr(elf, &header)) {
		tls.why = "it is thread-local in a program of 32 bits";
		return tls;
	}
	tls.vector = m->vector;
	if (find_distance(elf, &header, m, &tls.distance)) {
		tls.kind = TLS_DISTANCE;
		return tls;
	}
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA)
			look_for_slot(elf, scn, &sh, m, &tls);
	return tls;
}
