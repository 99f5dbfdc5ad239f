/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parts of an ELF file. See elffile.h. */
#include "runtime/loader/elffile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/vec.h"
#include "runtime/loader/unpack.h"
#include "runtime/host.h"

/* RATIO_MAX: how many times its size a packed section may have: zlib cannot do more, and zstd need not. COPIED_MAX: bytes of all copies of a
 * file. The sections that are read here have some hundred megabytes in the largest programs. */
enum { RATIO_MAX = 1100, COPIED_MAX = 1 << 30 };

struct elf_copies {
	struct span *of_section; /* by number; only what was asked for, and is a copy */
	unsigned char **blocks;  /* all that is to be freed */
	size_t n_blocks;
	size_t bytes;            /* of them */
	bool too_large;
};

/* ---- copies ---- */

/* Returns space for SIZE bytes that lives as long as E. NULL: E has as many already as it may. */
static unsigned char *new_block(const struct elf *e, kt_u64 size)
{
	struct elf_copies *c = e->copies;
	unsigned char *block;

	if (size > COPIED_MAX - c->bytes) {
		c->too_large = true;
		return NULL;
	}
	block = malloc(size ? size : 1);
	if (!block) {
		c->too_large = true;
		return NULL;
	}
	c->bytes += size;
	return *vec_add(c->blocks, c->n_blocks) = block;
}

/* Reads SIZE bytes at OFFSET. False: they are not all there. */
static bool read_all(int fd, unsigned char *to, size_t size, kt_u64 offset)
{
	while (size) {
		ssize_t n = pread(fd, to, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		to += n;
		offset += (kt_u64)n;
		size -= (size_t)n;
	}
	return true;
}

const void *elf_part(const struct elf *e, kt_u64 offset, kt_u64 n, size_t size, size_t align)
{
	unsigned char *block;

	if (offset > e->size || n > (e->size - offset) / size || offset % align)
		return NULL;
	if (e->image)
		return e->image + offset;
	block = new_block(e, n * size);
	return block && read_all(e->fd, block, n * size, offset) ? block : NULL;
}

bool elf_too_large(const struct elf *e)
{
	return e->copies && e->copies->too_large;
}

/* ---- sections ---- */

/* Returns the packed bytes PACKED unpacked; nothing: they are damaged, or cannot be unpacked here. */
static struct span unpack_section(const struct elf *e, struct span packed)
{
	size_t header = e->is_32bit ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
	unsigned char *to;
	Elf64_Chdr h;

	if (!packed.at || packed.size < header || !e->libraries)
		return (struct span){ 0 };
	if (e->is_32bit) {
		Elf32_Chdr h32;

		memcpy(&h32, packed.at, sizeof(h32));
		h = (Elf64_Chdr){ .ch_type = h32.ch_type, .ch_size = h32.ch_size };
	} else {
		memcpy(&h, packed.at, sizeof(h));
	}
	if (!h.ch_size || h.ch_size / RATIO_MAX > packed.size)
		return (struct span){ 0 };
	to = new_block(e, h.ch_size);
	if (to && unpack(e->libraries, h.ch_type, packed.at + header, packed.size - header, to, h.ch_size))
		return (struct span){ to, h.ch_size };
	return (struct span){ 0 };
}

struct span elf_data(const struct elf *e, const Elf64_Shdr *s)
{
	struct span *known = &e->copies->of_section[s - e->sections], data = { 0 };

	if (known->at || s->sh_type == SHT_NOBITS)
		return *known;
	data.at = elf_part(e, s->sh_offset, s->sh_size, 1, 1);
	data.size = data.at ? s->sh_size : 0;
	if (s->sh_flags & SHF_COMPRESSED)
		data = s->sh_flags & SHF_ALLOC ? (struct span){ 0 } : unpack_section(e, data);
	return *known = data;
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

Elf64_Sym elf_symbol(const struct elf *e, struct span table, size_t i)
{
	const Elf32_Sym *s = (const Elf32_Sym *)(const void *)table.at + i;

	if (!e->is_32bit)
		return ((const Elf64_Sym *)(const void *)table.at)[i];
	return (Elf64_Sym){ .st_name = s->st_name, .st_info = s->st_info, .st_other = s->st_other, .st_shndx = s->st_shndx,
			    .st_value = s->st_value, .st_size = s->st_size };
}

/* ---- files ---- */

/* Headers of 32 bits as those of 64. */
static void convert_headers(struct elf *e, const Elf32_Ehdr *h)
{
	const Elf32_Shdr *s = elf_part(e, h->e_shoff, h->e_shnum, sizeof(*s), 4);
	const Elf32_Phdr *p = elf_part(e, h->e_phoff, h->e_phnum, sizeof(*p), 4);
	Elf64_Shdr *sections = s ? (void *)new_block(e, h->e_shnum * sizeof(*sections)) : NULL;
	Elf64_Phdr *segments = p ? (void *)new_block(e, h->e_phnum * sizeof(*segments)) : NULL;

	e->n_sections = sections ? h->e_shnum : 0;
	e->n_segments = segments ? h->e_phnum : 0;
	for (size_t i = 0; i < e->n_sections; i++)
		sections[i] = (Elf64_Shdr){
			.sh_name = s[i].sh_name, .sh_type = s[i].sh_type, .sh_flags = s[i].sh_flags, .sh_addr = s[i].sh_addr,
			.sh_offset = s[i].sh_offset, .sh_size = s[i].sh_size, .sh_link = s[i].sh_link,
		};
	for (size_t i = 0; i < e->n_segments; i++)
		segments[i] = (Elf64_Phdr){
			.p_type = p[i].p_type, .p_offset = p[i].p_offset, .p_vaddr = p[i].p_vaddr, .p_filesz = p[i].p_filesz,
		};
	e->sections = sections;
	e->segments = segments;
}

/* Reads the headers of E. Returns NULL, or the reason of a failure. */
static const char *open_headers(struct elf *e)
{
	const Elf64_Ehdr *h = elf_part(e, 0, 1, sizeof(*h), 1); /* the smaller one of 32 bits is followed by other headers */
	const Elf32_Ehdr *h32 = (const void *)h;
	unsigned int names_at;

	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return "it is not an ELF file";
	e->is_32bit = KT_HOST_NARROW != EM_NONE && h->e_ident[EI_CLASS] == ELFCLASS32 && h32->e_machine == KT_HOST_NARROW;
	if ((h->e_ident[EI_CLASS] != ELFCLASS64 && !e->is_32bit) || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return "it is not a program that is known here: of 64 bits, or of i386 on x86_64";
	if (e->is_32bit) {
		e->type = h32->e_type;
		e->machine = h32->e_machine;
		e->entry = h32->e_entry;
		convert_headers(e, h32);
		names_at = h32->e_shstrndx;
	} else {
		e->type = h->e_type;
		e->machine = h->e_machine;
		e->entry = h->e_entry;
		e->sections = elf_part(e, h->e_shoff, h->e_shnum, sizeof(*e->sections), 8);
		e->n_sections = e->sections ? h->e_shnum : 0;
		e->segments = elf_part(e, h->e_phoff, h->e_phnum, sizeof(*e->segments), 8);
		e->n_segments = e->segments ? h->e_phnum : 0;
		names_at = h->e_shstrndx;
	}
	e->copies->of_section = memset(xmalloc((e->n_sections + 1) * sizeof(struct span)), 0, (e->n_sections + 1) * sizeof(struct span));
	if (names_at < e->n_sections) {
		struct span names = elf_data(e, &e->sections[names_at]);

		e->names = (const char *)names.at;
		e->names_size = names.size;
	}
	return NULL;
}

static const char *open_elf(struct elf *e)
{
	e->copies = memset(xmalloc(sizeof(*e->copies)), 0, sizeof(*e->copies));
	return open_headers(e);
}

const char *elf_open(struct elf *e, struct span file, struct libraries *l)
{
	*e = (struct elf){ .image = file.at, .fd = -1, .size = file.size, .libraries = l };
	return open_elf(e);
}

const char *elf_open_fd(struct elf *e, int fd, struct libraries *l)
{
	off_t size = lseek(fd, 0, SEEK_END);

	*e = (struct elf){ .fd = fd, .size = size > 0 ? (size_t)size : 0, .libraries = l };
	return open_elf(e);
}

bool elf_is_open(const struct elf *e)
{
	return e->copies;
}

void elf_close(struct elf *e)
{
	if (e->copies) {
		for (size_t i = 0; i < e->copies->n_blocks; i++)
			free(e->copies->blocks[i]);
		free(e->copies->blocks);
		free(e->copies->of_section);
		free(e->copies);
	}
	*e = (struct elf){ 0 };
}

struct span file_copy(int fd, size_t max)
{
	unsigned char *copy;
	struct stat st;
	size_t size;

	if (fstat(fd, &st) < 0)
		return (struct span){ 0 };
	size = (size_t)st.st_size;
	if (!S_ISREG(st.st_mode) || !size || size > max) {
		errno = S_ISREG(st.st_mode) && size ? EFBIG : ENOEXEC;
		return (struct span){ 0 };
	}
	copy = malloc(size);
	if (copy && read_all(fd, copy, size, 0))
		return (struct span){ copy, size };
	errno = copy ? EIO : ENOMEM;
	free(copy);
	return (struct span){ 0 };
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
