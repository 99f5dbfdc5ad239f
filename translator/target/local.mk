# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libtarget.a
libtarget_a_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(LIBBPF_CFLAGS) $(LZMA_CFLAGS)
libtarget_a_SOURCES = \
	translator/target/target.c translator/target/target.h translator/target/kernel_open.c translator/target/reader.h \
	translator/target/program.c translator/target/program_open.c translator/target/program.h translator/target/plt.c \
	translator/target/program_marks.c \
	translator/target/tls.c translator/target/tls.h \
	translator/target/instruction.c translator/target/instruction.h translator/target/instruction_start.c \
	translator/target/ends.c translator/target/ends_switch.c translator/target/ends.h translator/target/unwinds.c \
	translator/target/type_walk.c translator/target/type_walk.h \
	translator/target/sdt.c translator/target/sdt.h translator/target/sdt_operand.c translator/target/sdt_table.c \
	translator/target/kernel.c translator/target/kernel.h translator/target/modules.c \
	translator/target/elf.c translator/target/elf.h translator/target/elf_relocatable.c \
	translator/target/fetch.c translator/target/fetch.h \
	translator/target/denied.c translator/target/denied.h \
	translator/target/header.c translator/target/object.c translator/target/header.h translator/target/object.h \
	translator/target/kallsyms.c translator/target/kallsyms.h \
	translator/target/vmlinuz.c translator/target/vmlinuz.h \
	translator/target/store.c translator/target/store.h \
	translator/target/index.c translator/target/index.h \
	translator/target/linefiles.c translator/target/linefiles.h \
	translator/target/dwarf.c translator/target/dwarf_die.c translator/target/dwarf_functions.c translator/target/dwarf_reader.h \
	translator/target/dwarf_callees.c \
	translator/target/dwarf_passing.c \
	translator/target/dwarf_entry.c translator/target/dwarf_entries.c translator/target/dwarf_flow.c \
	translator/target/dwarf_inlined.c \
	translator/target/dwarf_ifunc.c \
	translator/target/dwarf_lines.c \
	translator/target/dwarf_units.c translator/target/dwarf_package.c \
	translator/target/dwarf_variables.c \
	translator/target/dwarf_location.c \
	translator/target/dwarf_names.c \
	translator/target/dwarf_randomized.c translator/target/dwarf_types.c \
	translator/target/dwarf_globals.c \
	translator/target/dwarf_scopes.c \
	translator/target/abi.c translator/target/abi.h \
	translator/target/btf.c translator/target/btf_types.c translator/target/btf_reader.h \
	translator/target/location.c translator/target/location_text.c translator/target/symbols.c
if HAVE_BTF_RELOCATE
libtarget_a_SOURCES += translator/target/btf_relocate.c
else
libtarget_a_SOURCES += translator/target/btf_relocate_none.c
endif
