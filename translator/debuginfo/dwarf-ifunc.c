/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implementations of an IFUNC: the symbol is a resolver, which the dynamic linker calls once to ask where the function is, as memcpy()
 * is another one on each kind of CPU. The process that runs may have another CPU than this machine, so all implementations are found: the
 * functions whose addresses the resolver loads.
 */
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#include "translator/debuginfo/program.h"
#include "translator/machine/instruction.h"

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
	/* Bytes that are no resolver are decoded too: the branches that they seem to have lead to no function. */
	const unsigned char *code = elf_bytes(target_elf(t), resolver, size);
	const struct machine *m = elf_machine(target_elf(t));
	struct instruction in;

	for (size_t at = 0; code && at < size; at += in.length) {
		if (!instruction_decode(m, code + at, size - at, resolver + at, &in))
			return;
		if (in.use == TABLE_POINTS && is_function(t, in.table))
			fn(in.table, data);
	}
}
