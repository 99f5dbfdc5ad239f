/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the reader of ELF files, on a small one made here whose bytes the input changes. As in fuzz_btf.c: two bytes
 * cut, each further three change one byte.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "translator/debuginfo/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGES_MAX = 16, SECTIONS = 6, SYMBOLS = 5, TEXT_ADDRESS = 0x1000 };

static struct {
	Elf64_Ehdr h;
	Elf64_Shdr sections[SECTIONS];
	Elf64_Sym symbols[SYMBOLS];
	char text[64], note[36], names[64];
} file;

static void section(int i, uint32_t name, uint32_t type, const void *p, size_t size, uint64_t address)
{
	file.sections[i] = (Elf64_Shdr){
		.sh_name = name, .sh_type = type, .sh_offset = (uint64_t)((const char *)p - (const char *)&file), .sh_size = size,
		.sh_addr = address, .sh_flags = address ? SHF_ALLOC : 0, .sh_addralign = 1,
	};
}

static void make(void)
{
	static const char names[] = "\0.text\0.note\0.symtab\0.strtab\0.rela\0one\0two\0one.cold";
	static const char note[] = "\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0abcdefghijklmnopqrst";

	memcpy(file.h.e_ident, ELFMAG "\2\1\1", EI_VERSION + 1);
	file.h = (Elf64_Ehdr){
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = 1, .e_ehsize = sizeof(Elf64_Ehdr),
		.e_shoff = (uint64_t)((char *)file.sections - (char *)&file), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS, .e_shstrndx = 4,
	};
	memcpy(file.h.e_ident, ELFMAG "\2\1\1", EI_VERSION + 1);
	memcpy(file.names, names, sizeof(names));
	memcpy(file.note, note, sizeof(note));
	section(1, 1, SHT_PROGBITS, file.text, sizeof(file.text), TEXT_ADDRESS);
	section(2, 7, SHT_NOTE, file.note, sizeof(file.note), 0);
	section(3, 13, SHT_SYMTAB, file.symbols, sizeof(file.symbols), 0);
	file.sections[3].sh_link = 4;
	file.sections[3].sh_entsize = sizeof(Elf64_Sym);
	file.sections[3].sh_addralign = 8;
	section(4, 21, SHT_STRTAB, file.names, sizeof(file.names), 0);
	section(5, 29, SHT_RELA, file.text, 24, 0);
	file.sections[5].sh_link = 3;
	file.sections[5].sh_info = 1;
	for (unsigned i = 1; i < SYMBOLS; i++)
		file.symbols[i] = (Elf64_Sym){
			.st_name = 31 + 4 * i, .st_info = STT_FUNC, .st_shndx = 1, .st_value = TEXT_ADDRESS + 16 * (i - 1),
			.st_size = 16,
		};
}

static void visit(struct elf_file *e)
{
	struct elf_lookup l[] = { { .address = TEXT_ADDRESS }, { .address = TEXT_ADDRESS + 20 }, { .address = ~0ull } };
	const char *symbol;
	const void *p;
	uint64_t offset;
	size_t n;

	for (int i = 0; i < 6; i++)
		elf_symbol(e, i % 2 ? "one" : "nothing");
	elf_find_functions(e, l, 3);
	for (size_t i = 0; i < 3; i++) {
		elf_section_at(e, l[i].address);
		elf_bytes(e, l[i].address, 8);
		elf_anchor(e, l[i].address, &symbol, &offset);
	}
	/* Every byte that is said to be there is. */
	if (elf_section(e, ".text", &p, &n))
		free(memcpy(xmalloc(n + 1), p, n));
	elf_section_address(e, ".text");
	elf_is_global(e, "main");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = sizeof(file);
	struct elf_file *e;
	char *copy;

	if (!file.h.e_shnum)
		make();
	if (size >= 2 && data[0] == 1)
		n -= (data[1] * 8u) % n;
	copy = memcpy(xmalloc(n), &file, n);
	for (size_t i = 2; i + 3 <= size && i < 2 + CHANGES_MAX * 3; i += 3)
		copy[(data[i] + 256u * data[i + 1]) % n] = (char)data[i + 2];
	e = elf_in_memory("fuzzed", copy, n);
	if (e) {
		visit(e);
		elf_close(e);
	}
	free(copy);
	diag_forget(NULL);
	arena_deinit(&program_arena);
	return 0;
}
