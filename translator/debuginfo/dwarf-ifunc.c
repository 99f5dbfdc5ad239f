/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implementations of an IFUNC: the symbol is a resolver, which the dynamic linker calls once to ask where the function is, as memcpy()
 * is another one on each kind of CPU. The process that runs may have another CPU than this machine, so all implementations are found: the
 * functions whose addresses the resolver loads.
 */
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#include "translator/debuginfo/program.h"

/* Does a function begin at ADDRESS, by a table of symbols or by call frame information? */
static bool is_function(const struct target *t, uint64_t address)
{
	Dwarf_CFI *cfi;
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start = 0, end;
	struct elf_file *table;

	for (int i = 0; (table = program_symbols(t, i)); i++) {
		struct elf_lookup l = { .address = address };

		elf_find_functions(table, &l, 1);
		if (l.symbol && l.symbol_address == address)
			return true;
	}
	cfi = dwarf_getcfi_elf(target_elf(t)->elf);
	if (cfi && !dwarf_cfi_addrframe(cfi, address, &frame)) {
		if (dwarf_frame_info(frame, &start, &end, NULL) < 0)
			start = 0;
		free(frame);
	}
	dwarf_cfi_end(cfi);
	return start == address;
}

void program_implementations(const struct target *t, uint64_t resolver, uint64_t size, void (*fn)(uint64_t address, void *data),
			     void *data)
{
	/* x86-64: lea disp32(%rip),REG. What only looks like one leads to no function. */
	enum { LENGTH = 7, REX_W = 0x48, REX_WR = 0x4c, LEA = 0x8d, MODRM_MASK = 0xc7, MODRM_RIP = 0x05 };
	const unsigned char *code = elf_bytes(target_elf(t), resolver, size);
	GElf_Ehdr header;

	if (!code || !gelf_getehdr(target_elf(t)->elf, &header) || header.e_machine != EM_X86_64)
		return;
	for (size_t i = 0; i + LENGTH <= size; i++) {
		uint64_t address;
		int32_t disp;

		if ((code[i] != REX_W && code[i] != REX_WR) || code[i + 1] != LEA || (code[i + 2] & MODRM_MASK) != MODRM_RIP)
			continue;
		memcpy(&disp, code + i + 3, sizeof(disp));
		address = resolver + i + LENGTH + (uint64_t)(int64_t)disp;
		if (is_function(t, address))
			fn(address, data);
	}
}
