/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where instructions begin, as objdump(1) decodes them: a breakpoint inside of one changes what the program does, and the
 * kernel cannot tell. Decoding begins where one is known to begin: at the symbol of the function, or where call frame
 * information has a row, which stripped programs have too.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#include "translator/base/arena.h"
#include "translator/base/proc.h"
#include "translator/target/program.h"

enum { LONGEST = 16, FUNCTION_MAX = 1 << 20, SECTION_MAX = 4096 };

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

/* Reads objdump's output for START to END of the file; false: it cannot be run. */
static bool disassemble(const char *path, uint64_t start, uint64_t end, struct text *out)
{
	const char *const argv[] = {
		"objdump", "-d", "--no-show-raw-insn", "-w",
		arena_printf(&program_arena, "--start-address=%#" PRIx64, start),
		arena_printf(&program_arena, "--stop-address=%#" PRIx64, end), path, NULL,
	};

	return !proc_run(&(struct proc){ .argv = argv, .out = out });
}

enum instruction target_instruction(const struct target *t, uint64_t address, uint64_t *ret_start)
{
	uint64_t symbol = function_start(t, address), row = symbol == address ? 0 : row_start(t, address), at;
	uint64_t start = row > symbol ? row : symbol ? symbol : section_start(t, address);
	enum instruction found = INSTRUCTION_UNKNOWN;
	struct text out = {};
	char *line, *save = NULL, *end;

	if (start == address)
		return INSTRUCTION_STARTS;
	*ret_start = 0;
	if (!start || !disassemble(target_path(t), start, address + LONGEST, &out))
		goto out;
	/* "  401136:	push   %rbp" */
	for (line = strtok_r(out.buf, "\n", &save); line && found == INSTRUCTION_UNKNOWN; line = strtok_r(NULL, "\n", &save)) {
		if (*line != ' ')
			continue;
		at = strtoull(line, &end, 16);
		if (*end != ':')
			continue;
		if (at == address)
			found = INSTRUCTION_STARTS;
		else if (at > address && *ret_start)
			found = INSTRUCTION_INSIDE;
		else
			*ret_start = at;
	}
out:
	text_deinit(&out);
	return found;
}
