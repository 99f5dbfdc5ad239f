/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzz targets of debugging information are run on: a program that is compiled here, whose bytes the input changes. Each
 * four bytes of input are one change: which section, where in it, and the new byte.
 */
#ifndef KTAP_FUZZ_DAMAGE_H
#define KTAP_FUZZ_DAMAGE_H

#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"
#include "lib/text.h"

enum { SECTIONS_MAX = 64, CHANGES_MAX = 8 };

/* The program as compiled, and its sections that a reader looks at; the first is the file's header and tables. */
static struct text compiled;
static struct {
	size_t at, size;
} sections[SECTIONS_MAX];
static size_t n_sections;

static void find_sections(void)
{
	static const char *const read[] = { ".symtab", ".eh_frame", ".note.stapsdt", ".stapsdt.base", ".rela.plt" };
	Elf *elf = elf_memory(compiled.buf, compiled.len);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t names;

	sections[n_sections].at = 0;
	sections[n_sections++].size = sizeof(Elf64_Ehdr);
	if (elf_getshdrstrndx(elf, &names))
		abort();
	while ((scn = elf_nextscn(elf, scn)) && n_sections < SECTIONS_MAX) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		bool found = name && !strncmp(name, ".debug", 6);

		for (size_t i = 0; name && i < sizeof(read) / sizeof(*read); i++)
			found |= !strcmp(name, read[i]);
		if (!found || sh.sh_type == SHT_NOBITS || !sh.sh_size)
			continue;
		sections[n_sections].at = sh.sh_offset;
		sections[n_sections++].size = sh.sh_size;
	}
	elf_end(elf);
}

/* Compiles the fixture of testsuite/lib, and the file MORE unless it is NULL. */
static void compile(const char *more)
{
	char dir[] = "/tmp/ktap-fuzz-XXXXXX";
	char *exe;
	struct proc p = {};

	if (!mkdtemp(dir))
		abort();
	exe = xasprintf("%s/t", dir);
	p.argv = (const char *[]){ "cc", "-g", "-O2", "-no-pie", "-o", exe, KTAP_SRCDIR "/testsuite/lib/dwarf_fixture_a.c",
				   KTAP_SRCDIR "/testsuite/lib/dwarf_fixture_b.c", more, NULL };
	if (proc_run(&p) || !text_read_file(&compiled, exe))
		abort();
	unlink(exe);
	rmdir(dir);
	free(exe);
	elf_version(EV_CURRENT);
	/* No cache: each input is another file. */
	setenv("KTAP_CACHE_DIR", "/dev/null/none", 1);
	find_sections();
}

/* Returns a copy of the program with the changes of the SIZE bytes at DATA. The caller frees it. */
static char *damaged(const uint8_t *data, size_t size)
{
	char *copy = memcpy(xmalloc(compiled.len), compiled.buf, compiled.len);

	for (size_t i = 0; i + 4 <= size && i < CHANGES_MAX * 4; i += 4) {
		size_t s = data[i] % n_sections, at = (data[i + 1] + 256u * data[i + 2]) % sections[s].size;

		copy[sections[s].at + at] = (char)data[i + 3];
	}
	return copy;
}

#endif
