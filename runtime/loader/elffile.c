/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parts of an ELF file. See elffile.h. */
#include "runtime/loader/elffile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/loader/unpack.h"
#include "translator/base/arena.h"
#include "translator/base/mapped.h"

const void *elf_part(const struct elf *e, kt_u64 offset, kt_u64 n, size_t size, size_t align)
{
	if (offset > e->size || n > (e->size - offset) / size || offset % align)
		return NULL;
	return e->image + offset;
}

/* How many times its size a packed section may have: zlib cannot do more, and zstd need not. The sections that are read here have some
 * hundred megabytes in the largest programs. */
enum { RATIO_MAX = 1100, UNPACKED_MAX = 1 << 30 };

/* How many bytes the sections of E may still have unpacked: together they have no more than one could have. */
static size_t unpacked_room(const struct elf *e)
{
	size_t room = UNPACKED_MAX;

	for (size_t i = 0; i < e->n_sections; i++)
		room -= e->unpacked[i].size;
	return room;
}

/* The packed bytes of S, unpacked; nothing: they are damaged, or cannot be unpacked here. */
static struct span unpack_section(const struct elf *e, const Elf64_Shdr *s)
{
	size_t header = e->is_32bit ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
	const unsigned char *at = elf_part(e, s->sh_offset, s->sh_size, 1, 1);
	unsigned char *to;
	Elf64_Chdr h;

	if (!at || s->sh_size < header)
		return (struct span){ 0 };
	if (e->is_32bit) {
		Elf32_Chdr h32;

		memcpy(&h32, at, sizeof(h32));
		h = (Elf64_Chdr){ .ch_type = h32.ch_type, .ch_size = h32.ch_size };
	} else {
		memcpy(&h, at, sizeof(h));
	}
	if (!h.ch_size || h.ch_size / RATIO_MAX > s->sh_size || h.ch_size > unpacked_room(e))
		return (struct span){ 0 };
	to = malloc(h.ch_size);
	if (to && unpack(h.ch_type, at + header, s->sh_size - header, to, h.ch_size))
		return (struct span){ to, h.ch_size };
	free(to);
	return (struct span){ 0 };
}

struct span elf_data(const struct elf *e, const Elf64_Shdr *s)
{
	const void *at = s->sh_type == SHT_NOBITS || s->sh_flags & SHF_COMPRESSED ?
				 NULL :
				 elf_part(e, s->sh_offset, s->sh_size, 1, 1);
	struct span *unpacked = e->unpacked ? &e->unpacked[s - e->sections] : NULL;

	if (!unpacked || s->sh_type == SHT_NOBITS || !(s->sh_flags & SHF_COMPRESSED) || s->sh_flags & SHF_ALLOC)
		return (struct span){ at, at ? s->sh_size : 0 };
	if (!unpacked->at)
		*unpacked = unpack_section(e, s);
	return *unpacked;
}

const Elf64_Shdr *elf_section(const struct elf *e, const char *name)
{
	size_t len = strlen(name) + 1;

	for (size_t i = 1; i < e->n_sections; i++)
		if (e->sections[i].sh_name < e->names_size && e->names_size - e->sections[i].sh_name >= len &&
		    !memcmp(e->names + e->sections[i].sh_name, name, len))
			return &e->sections[i];
	return NULL;
}

struct span elf_data_of(const struct elf *e, const char *name)
{
	const Elf64_Shdr *s = elf_section(e, name);

	return s ? elf_data(e, s) : (struct span){ 0 };
}

void elf_close(struct elf *e)
{
	for (size_t i = 0; e->unpacked && i < e->n_sections; i++)
		free((void *)(size_t)e->unpacked[i].at);
	free(e->unpacked);
	free(e->own_sections);
	free(e->own_segments);
	*e = (struct elf){ 0 };
}

/* Room for what is unpacked, where any section is packed. */
static void expect_packed(struct elf *e)
{
	for (size_t i = 0; i < e->n_sections && !e->unpacked; i++)
		if (e->sections[i].sh_flags & SHF_COMPRESSED)
			e->unpacked = memset(xmalloc(e->n_sections * sizeof(*e->unpacked)), 0, e->n_sections * sizeof(*e->unpacked));
}

/* Headers of 32 bits as those of 64. */
static void convert_headers(struct elf *e, const Elf32_Ehdr *h)
{
	const Elf32_Shdr *s = elf_part(e, h->e_shoff, h->e_shnum, sizeof(*s), 4);
	const Elf32_Phdr *p = elf_part(e, h->e_phoff, h->e_phnum, sizeof(*p), 4);

	e->n_sections = s ? h->e_shnum : 0;
	e->n_segments = p ? h->e_phnum : 0;
	e->own_sections = xmalloc((e->n_sections + 1) * sizeof(*e->own_sections));
	e->own_segments = xmalloc((e->n_segments + 1) * sizeof(*e->own_segments));
	for (size_t i = 0; i < e->n_sections; i++)
		e->own_sections[i] = (Elf64_Shdr){
			.sh_name = s[i].sh_name, .sh_type = s[i].sh_type, .sh_flags = s[i].sh_flags, .sh_addr = s[i].sh_addr,
			.sh_offset = s[i].sh_offset, .sh_size = s[i].sh_size, .sh_link = s[i].sh_link,
		};
	for (size_t i = 0; i < e->n_segments; i++)
		e->own_segments[i] = (Elf64_Phdr){
			.p_type = p[i].p_type, .p_offset = p[i].p_offset, .p_vaddr = p[i].p_vaddr, .p_filesz = p[i].p_filesz,
		};
	e->sections = e->own_sections;
	e->segments = e->own_segments;
}

const char *elf_open(struct elf *e, struct span file)
{
	const Elf64_Ehdr *h = (const void *)file.at;
	const Elf32_Ehdr *h32 = (const void *)file.at;
	unsigned int names_at;

	*e = (struct elf){ .image = file.at, .size = file.size };
	if (file.size < sizeof(*h32) || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return "it is not an ELF file";
	e->is_32bit = h->e_ident[EI_CLASS] == ELFCLASS32 && h32->e_machine == EM_386;
	if ((h->e_ident[EI_CLASS] != ELFCLASS64 && !e->is_32bit) || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return "it is not a program that is known here: of 64 bits, or of i386";
	if (!e->is_32bit && file.size < sizeof(*h))
		return "it is not an ELF file";
	e->type = h->e_type;
	e->machine = h->e_machine;
	if (e->is_32bit) {
		convert_headers(e, h32);
		names_at = h32->e_shstrndx;
	} else {
		e->sections = elf_part(e, h->e_shoff, h->e_shnum, sizeof(*e->sections), 8);
		e->n_sections = e->sections ? h->e_shnum : 0;
		e->segments = elf_part(e, h->e_phoff, h->e_phnum, sizeof(*e->segments), 8);
		e->n_segments = e->segments ? h->e_phnum : 0;
		names_at = h->e_shstrndx;
	}
	expect_packed(e);
	if (names_at < e->n_sections) {
		struct span names = elf_data(e, &e->sections[names_at]);

		e->names = (const char *)names.at;
		e->names_size = names.size;
	}
	return NULL;
}

Elf64_Sym elf_symbol(const struct elf *e, struct span table, size_t i)
{
	const Elf32_Sym *s = (const Elf32_Sym *)(const void *)table.at + i;

	if (!e->is_32bit)
		return ((const Elf64_Sym *)(const void *)table.at)[i];
	return (Elf64_Sym){ .st_name = s->st_name, .st_info = s->st_info, .st_other = s->st_other, .st_shndx = s->st_shndx,
			    .st_value = s->st_value, .st_size = s->st_size };
}

/* ---- files ---- */

struct span file_map(int fd)
{
	struct stat st;
	void *at;

	if (fstat(fd, &st) < 0)
		return (struct span){ 0 };
	if (!S_ISREG(st.st_mode) || !st.st_size) {
		errno = ENOEXEC;
		return (struct span){ 0 };
	}
	at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return (struct span){ 0 };
	mapped_begin("", at, (size_t)st.st_size);
	return (struct span){ at, (size_t)st.st_size };
}

bool file_unmap(struct span file)
{
	bool whole = !file.at || mapped_end(file.at);

	if (file.at)
		munmap((void *)(size_t)file.at, file.size);
	return whole;
}

bool elf_build_id(struct span notes, char ret[BUILD_ID_SIZE])
{
	size_t at = 0, used = 0;
	Elf64_Nhdr n;

	while (notes.size - at >= sizeof(n)) {
		size_t desc;

		memcpy(&n, notes.at + at, sizeof(n));
		desc = at + sizeof(n) + ((n.n_namesz + 3ul) & ~3ul);
		if (desc > notes.size || n.n_descsz > notes.size - desc)
			break;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && !memcmp(notes.at + at + sizeof(n), "GNU", 4))
			for (size_t i = 0; i < n.n_descsz && used + 3 <= BUILD_ID_SIZE; i++)
				used += (size_t)snprintf(ret + used, BUILD_ID_SIZE - used, "%02x", notes.at[desc + i]);
		at = desc + ((n.n_descsz + 3ul) & ~3ul);
		if (at > notes.size)
			break;
	}
	return used > 2;
}

void elf_debug_path(const char *build_id, char ret[BUILD_ID_PATH_SIZE])
{
	snprintf(ret, BUILD_ID_PATH_SIZE, "/usr/lib/debug/.build-id/%.2s/%.*s.debug", build_id, BUILD_ID_SIZE, build_id + 2);
}
