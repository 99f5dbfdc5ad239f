/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where instructions begin: a breakpoint inside of one changes what the program does, and the kernel cannot tell. Decoding begins where
 * one is known to begin: at the symbol of the function, or where call frame information has a row, which stripped programs have too.
 */
#include <stdlib.h>

#include <elfutils/libdw.h>

#include "translator/machine/instruction.h"
#include "translator/debuginfo/program.h"

enum { FUNCTION_MAX = 1 << 20, SECTION_MAX = 4096 };

/* The start of the function at ADDRESS in the first table that has one; 0: none has. */
static uint64_t function_start(const struct target *t, uint64_t address)
{
	struct elf_file *table;

	for (int i = 0; (table = program_symbols(t, i)); i++) {
		struct elf_lookup l = { .address = address };

		elf_find_functions(table, &l, 1);
		if (l.symbol && address - l.symbol_address < FUNCTION_MAX)
			return l.symbol_address;
	}
	return 0;
}

/* Where the row of call frame information begins that covers ADDRESS; 0: none does. */
static uint64_t row_start(const struct target *t, uint64_t address)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(target_elf(t)->elf);
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start = 0, end;

	if (cfi && !dwarf_cfi_addrframe(cfi, address, &frame)) {
		if (dwarf_frame_info(frame, &start, &end, NULL) < 0 || start > address)
			start = 0;
		free(frame);
	}
	dwarf_cfi_end(cfi);
	return start;
}

/* The start of the section at ADDRESS when it is one of the linker's small ones, which are code from there on; else 0. */
static uint64_t section_start(const struct target *t, uint64_t address)
{
	const char *name = elf_section_at(target_elf(t), address);
	uint64_t start = name ? elf_section_address(target_elf(t), name) : 0;

	return address - start < SECTION_MAX ? start : 0;
}

const char *target_refuses_breakpoint(const struct target *t, uint64_t address)
{
	struct instruction in;
	size_t left = 0;
	const unsigned char *p = program_code(t, address, &left);

	if (!p || !instruction_decode(program_machine(t), p, left, address, &in) || !in.no_breakpoint)
		return NULL;
	return "the kernel refuses a breakpoint at its first instruction, which has a prefix such as lock";
}

enum instruction_at target_instruction(const struct target *t, uint64_t address, uint64_t *ret_start)
{
	uint64_t symbol = function_start(t, address), row = symbol == address ? 0 : row_start(t, address);
	uint64_t at = row > symbol ? row : symbol ? symbol : section_start(t, address);
	struct instruction in;
	size_t left = 0;
	const unsigned char *p = at ? program_code(t, at, &left) : NULL;

	if (at == address)
		return INSTRUCTION_STARTS;
	*ret_start = 0;
	if (!p)
		return INSTRUCTION_UNKNOWN;
	for (; at < address; at += in.length, p += in.length, left -= in.length) {
		*ret_start = at;
		if (!instruction_decode(program_machine(t), p, left, at, &in))
			return INSTRUCTION_UNKNOWN;
	}
	return at == address ? INSTRUCTION_STARTS : INSTRUCTION_INSIDE;
}
