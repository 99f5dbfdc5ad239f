/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks of programs that were compiled with STAP_SDT_V2: a table in the section .probes instead of notes.
 *
 * A row is seven words of 8 bytes, also in programs of 32 bits: the type, the addresses of the name and of the provider, the
 * number of arguments, and the addresses of their operands, of the mark and of its semaphore. The strings lie between the rows.
 * Operands have no "SIZE@". In code that can lie anywhere, the addresses are in the relocations.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/sdt.h"

enum row_word { ROW_TYPE, ROW_NAME, ROW_PROVIDER, ROW_COUNT, ROW_ARGUMENTS, ROW_ADDRESS, ROW_SEMAPHORE, ROW_WORDS };

enum { TYPE_V2 = 0x32425055, WORD = 8 };

struct table {
	char *bytes; /* a copy, with the relocations in it */
	size_t size;
	uint64_t address;
};

/* The string at ADDRESS; NULL: it is not in the table, or does not end there. */
static const char *string_at(const struct table *t, uint64_t address)
{
	uint64_t at = address - t->address;

	return at < t->size && memchr(t->bytes + at, 0, t->size - at) ? t->bytes + at : NULL;
}

static struct sdt_mark *read_row(const struct sdt_file *f, const struct table *t, const uint64_t *word)
{
	const char *name = string_at(t, word[ROW_NAME]), *provider = string_at(t, word[ROW_PROVIDER]);
	const char *arguments = string_at(t, word[ROW_ARGUMENTS]);
	struct sdt_mark *m;

	if ((uint32_t)word[ROW_TYPE] != TYPE_V2 || !name || !provider || !arguments || text_has_control(provider) ||
	    text_has_control(name))
		return NULL;
	m = arena_new(&program_arena, struct sdt_mark);
	m->name = arena_strdup(&program_arena, name);
	m->provider = arena_strdup(&program_arena, provider);
	m->address = word[ROW_ADDRESS];
	m->semaphore = word[ROW_SEMAPHORE];
	if (word[ROW_COUNT])
		sdt_read_arguments(f, m, arguments);
	return m;
}

static struct sdt_mark *read_rows(const struct sdt_file *f, const struct table *t)
{
	struct sdt_mark *first = NULL, **end = &first;
	uint64_t word[ROW_WORDS];

	for (size_t at = 0; at + sizeof(word) <= t->size;) {
		memcpy(word, t->bytes + at, sizeof(word));
		*end = read_row(f, t, word);
		at += *end ? sizeof(word) : WORD;
		if (*end)
			end = &(*end)->next;
	}
	return first;
}

/* Writes the addresses that the dynamic linker would write, of a program that lies where it was linked. */
static void relocate(const struct table *t, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = sh->sh_type == SHT_RELA ? elf_getdata(scn, NULL) : NULL;
	GElf_Rela rela;

	for (int i = 0; data && gelf_getrela(data, i, &rela); i++) {
		uint64_t at = rela.r_offset - t->address;

		if (!GELF_R_SYM(rela.r_info) && at < t->size && t->size - at >= WORD)
			memcpy(t->bytes + at, &rela.r_addend, WORD);
	}
}

struct sdt_mark *sdt_read_table(const struct sdt_file *f, const struct elf_file *e)
{
	struct table t = { .address = elf_section_address(e, ".probes") };
	struct sdt_mark *marks;
	Elf_Scn *scn = NULL;
	const void *bytes;
	GElf_Shdr sh;

	if (!elf_section(e, ".probes", &bytes, &t.size))
		return NULL;
	t.bytes = xmalloc(t.size + 1);
	memcpy(t.bytes, bytes, t.size);
	while ((scn = elf_nextscn(e->elf, scn)))
		if (gelf_getshdr(scn, &sh))
			relocate(&t, scn, &sh);
	marks = read_rows(f, &t);
	free(t.bytes);
	return marks;
}
