/* Fuzz target: the readers of debugging information, on a program compiled here whose bytes the input changes. Each four
 * bytes of input are one change: which section, where in it, and the new byte. Everything that can be asked is asked.
 */
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/proc.h"
#include "translator/base/text.h"
#include "translator/target/reader.h"
#include "testsuite/fuzz/visit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SECTIONS_MAX = 64, CHANGES_MAX = 8 };

/* The program as compiled, and its sections that a reader looks at; the first is the file's header and tables. */
static struct text program;
static struct {
	size_t at, size;
} sections[SECTIONS_MAX];
static size_t n_sections;

static void find_sections(void)
{
	Elf *elf = elf_memory(program.buf, program.len);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t names;

	sections[n_sections].at = 0;
	sections[n_sections++].size = sizeof(Elf64_Ehdr);
	if (elf_getshdrstrndx(elf, &names))
		abort();
	while ((scn = elf_nextscn(elf, scn)) && n_sections < SECTIONS_MAX) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;

		if (!name || sh.sh_type == SHT_NOBITS || !sh.sh_size ||
		    (strncmp(name, ".debug", 6) && strcmp(name, ".symtab") && strcmp(name, ".eh_frame")))
			continue;
		sections[n_sections].at = sh.sh_offset;
		sections[n_sections++].size = sh.sh_size;
	}
	elf_end(elf);
}

static void compile(void)
{
	char dir[] = "/tmp/ktap-fuzz-XXXXXX";
	char *exe;
	struct proc p = {};

	if (!mkdtemp(dir))
		abort();
	exe = xasprintf("%s/t", dir);
	p.argv = (const char *[]){ "cc", "-g", "-O2", "-no-pie", "-o", exe, KTAP_SRCDIR "/testsuite/lib/dwarf_fixture_a.c",
				   KTAP_SRCDIR "/testsuite/lib/dwarf_fixture_b.c", NULL };
	if (proc_run(&p) || !text_read_file(&program, exe))
		abort();
	unlink(exe);
	rmdir(dir);
	free(exe);
	elf_version(EV_CURRENT);
	/* No cache: each input is another file. */
	setenv("KTAP_CACHE_DIR", "/dev/null/none", 1);
	find_sections();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct function_query q = { .func = "*", .inlined = true, .outlined = true };
	struct callee_query callees = { .callee.func = "*", .depth = 2, .inlined = true, .outlined = true };
	struct elf_file *e;
	struct target *t;
	char *copy;

	if (!program.len)
		compile();
	n_visited = 0;
	copy = memcpy(xmalloc(program.len), program.buf, program.len);
	for (size_t i = 0; i + 4 <= size && i < CHANGES_MAX * 4; i += 4) {
		size_t s = data[i] % n_sections, at = (data[i + 1] + 256u * data[i + 2]) % sections[s].size;

		copy[sections[s].at + at] = (char)data[i + 3];
	}
	e = elf_in_memory("fuzzed", copy, program.len);
	t = e ? dwarf_open(e) : NULL;
	if (t) {
		for (struct place *p = target_functions(t, &q); p; p = p->next)
			visit_place(t, p);
		for (struct place *p = target_callees(t, &q, &callees); p; p = p->next)
			target_variables(t, p);
		target_type(t, "struct fixture");
		target_symbol(t, "fixture_static");
		target_close(t);
	} else {
		elf_close(e);
	}
	free(copy);
	arena_deinit(&program_arena);
	return 0;
}
