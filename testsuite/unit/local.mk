# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests: programs that print TAP, three lines each. testsuite/run runs every program in testsuite/unit:
#	check_PROGRAMS += testsuite/unit/text_test
#	testsuite_unit_text_test_SOURCES = testsuite/unit/text_test.c
#	testsuite_unit_text_test_LDADD = libktap.a

# The runtime's core is compiled again for its tests, always under ASan and UBSan.
UNIT_SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined
UNIT_TESTS = testsuite/unit/budget_test testsuite/unit/format_test testsuite/unit/fp_test testsuite/unit/map_test testsuite/unit/pmap_test \
	testsuite/unit/regex_test testsuite/unit/stat_test testsuite/unit/str_test

check_PROGRAMS += $(UNIT_TESTS)
check_LIBRARIES = libcore_checked.a
libcore_checked_a_SOURCES = $(KT_CORE_SOURCES)
libcore_checked_a_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)

# What the compiler of regular expressions is made of.
REGEX_SOURCES = \
	translator/sema/regex.c translator/sema/regex-parse.c \
	lib/arena.c lib/map.c lib/diag.c lib/status.c lib/interrupt.c lib/text.c

testsuite_unit_budget_test_SOURCES = testsuite/unit/budget_test.c
testsuite_unit_budget_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_budget_test_LDADD = libcore_checked.a
testsuite_unit_format_test_SOURCES = testsuite/unit/format_test.c
testsuite_unit_format_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_format_test_LDADD = libcore_checked.a
testsuite_unit_fp_test_SOURCES = testsuite/unit/fp_test.c
testsuite_unit_fp_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_fp_test_LDADD = libcore_checked.a -lm
testsuite_unit_map_test_SOURCES = testsuite/unit/map_test.c
testsuite_unit_map_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_map_test_LDADD = libcore_checked.a
testsuite_unit_pmap_test_SOURCES = testsuite/unit/pmap_test.c
testsuite_unit_pmap_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE) -pthread
testsuite_unit_pmap_test_LDADD = libcore_checked.a
testsuite_unit_regex_test_SOURCES = testsuite/unit/regex_test.c $(REGEX_SOURCES)
testsuite_unit_regex_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_regex_test_LDADD = libcore_checked.a
testsuite_unit_stat_test_SOURCES = testsuite/unit/stat_test.c
testsuite_unit_stat_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_stat_test_LDADD = libcore_checked.a
testsuite_unit_str_test_SOURCES = testsuite/unit/str_test.c
testsuite_unit_str_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_str_test_LDADD = libcore_checked.a

# As the kit is compiled: each instruction counts, and a sanitizer's own would.
check_PROGRAMS += testsuite/unit/stat_steps_test
testsuite_unit_stat_steps_test_SOURCES = testsuite/unit/stat_steps_test.c
testsuite_unit_stat_steps_test_LDADD = libcore.a

# Threads as CPUs, signals as NMIs: files of the kit. The words of the kernel are in testsuite/unit/kernel. ThreadSanitizer knows no fences, which
# the rings need.
THREAD_CFLAGS = $(AM_CFLAGS) -isystem $(top_srcdir)/testsuite/unit/kernel -pthread
check_PROGRAMS += testsuite/unit/lock_test testsuite/unit/ring_test
testsuite_unit_lock_test_SOURCES = testsuite/unit/lock_test.c
testsuite_unit_lock_test_CFLAGS = $(THREAD_CFLAGS) -fsanitize=thread
testsuite_unit_ring_test_SOURCES = testsuite/unit/ring_test.c
testsuite_unit_ring_test_CFLAGS = $(THREAD_CFLAGS) $(UNIT_SANITIZE)

check_PROGRAMS += testsuite/unit/location_test
testsuite_unit_location_test_SOURCES = testsuite/unit/location_test.c
testsuite_unit_location_test_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)

check_PROGRAMS += testsuite/unit/btf_test
testsuite_unit_btf_test_SOURCES = testsuite/unit/btf_test.c
testsuite_unit_btf_test_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)

check_PROGRAMS += testsuite/unit/dwarf_test
testsuite_unit_dwarf_test_SOURCES = testsuite/unit/dwarf_test.c testsuite/lib/dwarf_fixture.h
testsuite_unit_dwarf_test_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)

# Not a test: times lookups in a kernel's debugging information.
check_PROGRAMS += testsuite/bench/lookup
testsuite_bench_lookup_SOURCES = testsuite/bench/lookup.c
testsuite_bench_lookup_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)

# Fuzz targets, here with a driver of random inputs; testsuite/fuzz/run builds them with libFuzzer.
FUZZ_TARGETS = testsuite/fuzz/fuzz_format testsuite/fuzz/fuzz_record testsuite/fuzz/fuzz_regex \
	testsuite/fuzz/fuzz_parse testsuite/fuzz/fuzz_image
check_PROGRAMS += $(FUZZ_TARGETS)
testsuite_fuzz_fuzz_format_SOURCES = testsuite/fuzz/fuzz_format.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_format_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_format_LDADD = libcore_checked.a
testsuite_fuzz_fuzz_record_SOURCES = testsuite/fuzz/fuzz_record.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_record_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_record_LDADD = libcore_checked.a
testsuite_fuzz_fuzz_regex_SOURCES = testsuite/fuzz/fuzz_regex.c testsuite/fuzz/main.c $(REGEX_SOURCES)
testsuite_fuzz_fuzz_regex_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_regex_LDADD = libcore_checked.a

testsuite_fuzz_fuzz_image_SOURCES = testsuite/fuzz/fuzz_image.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_image_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_image_LDADD = libloader_checked.a libcore_checked.a libktap.a -lpthread

# The loader, compiled again like the core.
check_LIBRARIES += libloader_checked.a
libloader_checked_a_SOURCES = $(KT_LOADER_SOURCES)
libloader_checked_a_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
check_PROGRAMS += testsuite/unit/merge_test testsuite/unit/loader_test
testsuite_unit_merge_test_SOURCES = testsuite/unit/merge_test.c
testsuite_unit_merge_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_merge_test_LDADD = libloader_checked.a libktap.a
testsuite_unit_loader_test_SOURCES = testsuite/unit/loader_test.c
testsuite_unit_loader_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_loader_test_LDADD = libloader_checked.a libcore_checked.a libktap.a -lpthread

check_PROGRAMS += testsuite/unit/machine_test
testsuite_unit_machine_test_SOURCES = testsuite/unit/machine_test.c
testsuite_unit_machine_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_machine_test_LDADD = libloader_checked.a libcore_checked.a libktap.a -lpthread

check_PROGRAMS += testsuite/unit/stack_test
testsuite_unit_stack_test_SOURCES = testsuite/unit/stack_test.c
testsuite_unit_stack_test_LDADD = libmodule.a libdebuginfo.a libsyntax.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) \
	$(LIBKMOD_LIBS) $(LZMA_LIBS) $(LIBCRYPTO_LIBS)

# The kit's sources include a header that is made, which is looked for beside the program.
testsuite/unit/runtime/fn.h: runtime/fn.h
	$(AM_V_GEN)$(MKDIR_P) testsuite/unit/runtime && cp runtime/fn.h $@
CLEANFILES += testsuite/unit/runtime/fn.h
EXTRA_testsuite_unit_build_test_DEPENDENCIES = testsuite/unit/runtime/fn.h
check_PROGRAMS += testsuite/unit/build_test
testsuite_unit_build_test_SOURCES = testsuite/unit/build_test.c
testsuite_unit_build_test_LDADD = libmodule.a libdebuginfo.a libsyntax.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) \
	$(LIBKMOD_LIBS) $(LZMA_LIBS) $(LIBCRYPTO_LIBS)

if HAVE_LIBCRYPTO
check_PROGRAMS += testsuite/unit/sign_test
testsuite_unit_sign_test_SOURCES = testsuite/unit/sign_test.c
testsuite_unit_sign_test_LDADD = libmodule.a libdebuginfo.a libsyntax.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) \
	$(LIBKMOD_LIBS) $(LZMA_LIBS) $(LIBCRYPTO_LIBS)
endif

# The generated scanner and parser are linked as they are: without the sanitizers, unless configured with them.
testsuite_fuzz_fuzz_parse_SOURCES = testsuite/fuzz/fuzz_parse.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_parse_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_parse_LDFLAGS = $(AM_LDFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_parse_LDADD = libsyntax.a libplatform.a libmachine.a libcore.a libktap.a

check_PROGRAMS += testsuite/fuzz/fuzz_dwarf
testsuite_fuzz_fuzz_dwarf_SOURCES = testsuite/fuzz/fuzz_dwarf.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_dwarf_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)

check_PROGRAMS += testsuite/fuzz/fuzz_btf testsuite/fuzz/fuzz_elf
testsuite_fuzz_fuzz_btf_SOURCES = testsuite/fuzz/fuzz_btf.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_btf_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)
testsuite_fuzz_fuzz_elf_SOURCES = testsuite/fuzz/fuzz_elf.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_elf_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)

check_PROGRAMS += testsuite/fuzz/fuzz_front
testsuite_fuzz_fuzz_front_SOURCES = testsuite/fuzz/fuzz_front.c testsuite/fuzz/main.c $(CLI_OPTIONS)
testsuite_fuzz_fuzz_front_LDADD = libbpf_pass.a libgen.a libsema.a libprobe.a libdebuginfo.a libsyntax.a libplatform.a libmachine.a libcore.a libktap.a \
	$(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS)

check_PROGRAMS += testsuite/fuzz/fuzz_resolve
testsuite_fuzz_fuzz_resolve_SOURCES = testsuite/fuzz/fuzz_resolve.c testsuite/fuzz/main.c $(CLI_OPTIONS)
testsuite_fuzz_fuzz_resolve_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=elf_open,--wrap=kernel_find
testsuite_fuzz_fuzz_resolve_LDADD = $(testsuite_fuzz_fuzz_front_LDADD)

# Tables of user objects: the loader makes them, the core reads them.
check_PROGRAMS += testsuite/unit/unwind_test
testsuite_unit_unwind_test_SOURCES = testsuite/unit/unwind_test.c
testsuite_unit_unwind_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_unwind_test_LDADD = libloader_checked.a libcore_checked.a libktap.a
check_PROGRAMS += testsuite/unit/demangler_test
testsuite_unit_demangler_test_SOURCES = testsuite/unit/demangler_test.c lib/demangler.c lib/arena.c lib/map.c lib/diag.c \
	lib/status.c lib/interrupt.c lib/text.c
testsuite_unit_demangler_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)

check_PROGRAMS += testsuite/unit/output_test
testsuite_unit_output_test_SOURCES = testsuite/unit/output_test.c
testsuite_unit_output_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_output_test_LDADD = libloader_checked.a libcore_checked.a libktap.a

check_PROGRAMS += testsuite/unit/stacks_test
testsuite_unit_stacks_test_SOURCES = testsuite/unit/stacks_test.c
testsuite_unit_stacks_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_stacks_test_LDADD = libloader_checked.a libcore_checked.a libktap.a

check_PROGRAMS += testsuite/unit/starts_test
testsuite_unit_starts_test_SOURCES = testsuite/unit/starts_test.c
testsuite_unit_starts_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_starts_test_LDADD = libloader_checked.a libcore_checked.a libktap.a

check_PROGRAMS += testsuite/unit/elffile_test
testsuite_unit_elffile_test_SOURCES = testsuite/unit/elffile_test.c
testsuite_unit_elffile_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_unit_elffile_test_LDADD = libloader_checked.a libcore_checked.a libktap.a

check_PROGRAMS += testsuite/fuzz/fuzz_cfi
testsuite_fuzz_fuzz_cfi_SOURCES = testsuite/fuzz/fuzz_cfi.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_cfi_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_cfi_LDADD = libloader_checked.a libcore_checked.a libktap.a

# The tables of a file that is written meanwhile.
check_PROGRAMS += testsuite/fuzz/fuzz_owner
testsuite_fuzz_fuzz_owner_SOURCES = testsuite/fuzz/fuzz_owner.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_owner_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_owner_LDADD = libloader_checked.a libcore_checked.a libktap.a -lpthread

check_PROGRAMS += testsuite/fuzz/fuzz_stream
testsuite_fuzz_fuzz_stream_SOURCES = testsuite/fuzz/fuzz_stream.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_stream_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_stream_LDFLAGS = $(AM_LDFLAGS) $(UNIT_SANITIZE) -Wl,--wrap=fork
testsuite_fuzz_fuzz_stream_LDADD = libloader_checked.a libcore_checked.a libktap.a

check_PROGRAMS += testsuite/fuzz/fuzz_merge
testsuite_fuzz_fuzz_merge_SOURCES = testsuite/fuzz/fuzz_merge.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_merge_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)
testsuite_fuzz_fuzz_merge_LDFLAGS = $(AM_LDFLAGS) $(UNIT_SANITIZE) -Wl,--wrap=print_warning
testsuite_fuzz_fuzz_merge_LDADD = libloader_checked.a libcore_checked.a libktap.a

# Notes of marks and their operands.
check_PROGRAMS += testsuite/unit/sdt_test
testsuite_unit_sdt_test_SOURCES = testsuite/unit/sdt_test.c
testsuite_unit_sdt_test_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)
check_PROGRAMS += testsuite/fuzz/fuzz_note
testsuite_fuzz_fuzz_note_SOURCES = testsuite/fuzz/fuzz_note.c testsuite/fuzz/main.c
testsuite_fuzz_fuzz_note_LDADD = libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LZMA_LIBS)

check_PROGRAMS += testsuite/unit/containers_test
testsuite_unit_containers_test_SOURCES = testsuite/unit/containers_test.c lib/arena.c lib/map.c
testsuite_unit_containers_test_CFLAGS = $(AM_CFLAGS) $(UNIT_SANITIZE)

check_PROGRAMS += testsuite/unit/packages_test
testsuite_unit_packages_test_SOURCES = testsuite/unit/packages_test.c
testsuite_unit_packages_test_LDADD = libktap.a

check_PROGRAMS += testsuite/unit/rules_test
testsuite_unit_rules_test_SOURCES = testsuite/unit/rules_test.c
testsuite_unit_rules_test_LDADD = libktap.a

# Without sanitizers, which need system calls that a reader may not use.
check_PROGRAMS += testsuite/unit/apart_test
testsuite_unit_apart_test_SOURCES = testsuite/unit/apart_test.c
testsuite_unit_apart_test_LDADD = libloader.a libcore.a libktap.a -lpthread

check_PROGRAMS += testsuite/unit/commands_test
testsuite_unit_commands_test_SOURCES = testsuite/unit/commands_test.c
testsuite_unit_commands_test_LDADD = libloader.a libcore.a libktap.a -lpthread

check_PROGRAMS += testsuite/unit/stuck_test
testsuite_unit_stuck_test_SOURCES = testsuite/unit/stuck_test.c
testsuite_unit_stuck_test_LDADD = libloader.a libcore.a libktap.a -lpthread

check_PROGRAMS += testsuite/unit/proc_test
testsuite_unit_proc_test_SOURCES = testsuite/unit/proc_test.c
testsuite_unit_proc_test_LDADD = libktap.a
