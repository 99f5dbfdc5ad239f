# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libdebuginfo.a
libdebuginfo_a_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(LIBBPF_CFLAGS) $(LZMA_CFLAGS)
libdebuginfo_a_SOURCES = \
	translator/debuginfo/target.c translator/debuginfo/target.h translator/debuginfo/kernel-open.c translator/debuginfo/reader.h \
	translator/debuginfo/program.c translator/debuginfo/program-open.c translator/debuginfo/program.h translator/debuginfo/plt.c \
	translator/debuginfo/program-marks.c \
	translator/debuginfo/tls.c translator/debuginfo/tls.h \
	translator/debuginfo/instruction-start.c \
	translator/debuginfo/ends.c translator/debuginfo/ends-switch.c translator/debuginfo/ends.h translator/debuginfo/unwinds.c \
	translator/debuginfo/type-walk.c translator/debuginfo/type-walk.h \
	translator/debuginfo/sdt.c translator/debuginfo/sdt.h translator/debuginfo/sdt-table.c \
	translator/debuginfo/kernel.c translator/debuginfo/kernel.h translator/debuginfo/modules.c \
	translator/debuginfo/elf.c translator/debuginfo/elf.h translator/debuginfo/elf-relocatable.c \
	translator/debuginfo/fetch.c translator/debuginfo/fetch.h translator/debuginfo/opened.h \
	translator/debuginfo/denied.c translator/debuginfo/denied.h \
	translator/debuginfo/header.c translator/debuginfo/object.c translator/debuginfo/header.h translator/debuginfo/object.h \
	translator/debuginfo/kallsyms.c translator/debuginfo/kallsyms.h \
	translator/debuginfo/vmlinuz.c translator/debuginfo/vmlinuz.h \
	translator/debuginfo/store.c translator/debuginfo/store.h \
	translator/debuginfo/index.c translator/debuginfo/index.h \
	translator/debuginfo/linefiles.c translator/debuginfo/linefiles.h \
	translator/debuginfo/dwarf.c translator/debuginfo/dwarf-die.c translator/debuginfo/dwarf-functions.c translator/debuginfo/dwarf-reader.h \
	translator/debuginfo/dwarf-callees.c \
	translator/debuginfo/dwarf-passing.c \
	translator/debuginfo/dwarf-entry.c translator/debuginfo/dwarf-entries.c translator/debuginfo/dwarf-flow.c \
	translator/debuginfo/dwarf-inlined.c translator/debuginfo/dwarf-parents.c translator/debuginfo/dwarf-merged.c \
	translator/debuginfo/dwarf-ifunc.c \
	translator/debuginfo/dwarf-lines.c \
	translator/debuginfo/dwarf-units.c translator/debuginfo/dwarf-package.c \
	translator/debuginfo/dwarf-variables.c \
	translator/debuginfo/dwarf-location.c \
	translator/debuginfo/dwarf-names.c \
	translator/debuginfo/dwarf-randomized.c translator/debuginfo/dwarf-types.c \
	translator/debuginfo/dwarf-globals.c \
	translator/debuginfo/dwarf-scopes.c \
	translator/debuginfo/abi.c translator/debuginfo/abi.h \
	translator/debuginfo/btf.c translator/debuginfo/btf-types.c translator/debuginfo/btf-reader.h \
	translator/debuginfo/location.c translator/debuginfo/location-text.c translator/debuginfo/symbols.c
if HAVE_BTF_RELOCATE
libdebuginfo_a_SOURCES += translator/debuginfo/btf-relocate.c
else
libdebuginfo_a_SOURCES += translator/debuginfo/btf-relocate-none.c
endif
