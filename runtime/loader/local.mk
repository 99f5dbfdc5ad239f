# SPDX-License-Identifier: GPL-2.0-or-later
# ktaprun. All but main.c is a library, which the unit tests link with fake system calls.
KT_LOADER_SOURCES = \
	runtime/bpf/answers.c runtime/bpf/check.c runtime/bpf/cold.c runtime/bpf/state.h \
	runtime/bpf/errors.def runtime/bpf/file.c runtime/bpf/file.h runtime/bpf/image.h runtime/bpf/insn.h \
	runtime/bpf/interpret.c runtime/bpf/interpret.h \
	runtime/bpf/kernel.c runtime/bpf/kernel.h \
	runtime/bpf/natives.c runtime/bpf/natives.def runtime/bpf/natives.h \
	runtime/bpf/process.c \
	runtime/bpf/programs.c runtime/bpf/records.c \
	runtime/bpf/refusal.c runtime/bpf/refusal.h \
	runtime/bpf/session.c runtime/bpf/session.h \
	runtime/bpf/stats.c runtime/bpf/stats.h \
	runtime/bpf/store.c runtime/bpf/store.h \
	runtime/bpf/targets.c runtime/bpf/targets.h \
	runtime/loader/apart.c runtime/loader/apart.h \
	runtime/loader/bulk.c runtime/loader/bulk-merge.c runtime/loader/bulk.h \
	runtime/loader/cfi.c runtime/loader/cfi.h \
	runtime/loader/command.c runtime/loader/command.h \
	runtime/loader/control.c runtime/loader/control.h \
	$(KT_OUTPUT_SOURCES) \
	runtime/loader/elffile.c runtime/loader/elffile.h \
	runtime/loader/eventlog.c runtime/loader/eventlog.h \
	runtime/loader/bundle.c runtime/loader/bundle.h runtime/loader/image.c runtime/loader/image.h \
	runtime/loader/kernel.c runtime/loader/kernel.h \
	runtime/loader/libraries.c runtime/loader/libraries.h \
	runtime/loader/lines.c runtime/loader/lines.h \
	runtime/loader/load.c runtime/loader/load.h \
	runtime/loader/machine.c runtime/loader/machine.h \
	runtime/loader/maps.c runtime/loader/maps.h \
	runtime/loader/merge.c runtime/loader/merge.h \
	runtime/loader/names.c runtime/loader/names.h \
	runtime/loader/object.c runtime/loader/object.h \
	runtime/loader/output.c runtime/loader/output.h \
	runtime/loader/print.c runtime/loader/print.h \
	runtime/loader/program.c runtime/loader/program.h \
	runtime/loader/progress.c runtime/loader/progress.h \
	runtime/loader/refusal.c runtime/loader/refusal.h \
	runtime/loader/reading.c runtime/loader/reading.h \
	runtime/loader/readers.c runtime/loader/readers.h \
	runtime/loader/report.c runtime/loader/report.h \
	runtime/loader/session.c runtime/loader/session.h \
	runtime/loader/stacks.c runtime/loader/stacks.h \
	runtime/loader/starts.c runtime/loader/starts.h \
	runtime/loader/steer.c runtime/loader/steer.h runtime/commands.h \
	runtime/loader/sys.c runtime/loader/sys.h \
	runtime/loader/unpack.c runtime/loader/unpack.h \
	runtime/loader/verify.c runtime/loader/verify.h
noinst_LIBRARIES += libloader.a
libloader_a_SOURCES = $(KT_LOADER_SOURCES)

sbin_PROGRAMS += ktaprun
ktaprun_SOURCES = runtime/loader/main.c runtime/loader/attach.c runtime/loader/attach.h runtime/ledger.h runtime/options.h runtime/set-global.h lib/standard-files.h
ktaprun_LDADD = libloader.a libcore.a libktap.a -lpthread

# The same program with another C library, static: --bundle carries it to machines of any distribution. vm-init builds so, too, as a
# test asks for.
MUSL_BUILD = CC="$(CC)" MUSL_CC="$(MUSL_CC)" $(srcdir)/scripts/musl-build
MUSL_FLAGS = $(KTAP_PREFIX_MAP) $(KTAP_WARNINGS) -include lib/streams.h $(AM_CPPFLAGS)
MUSL_LOADER = $(ktaprun_SOURCES) $(KT_LOADER_SOURCES) $(KT_CORE_SOURCES) $(libktap_a_SOURCES) lib/streams.c lib/fortified.c
EXTRA_DIST += scripts/musl-build lib/fortified.c lib/streams.c lib/streams.h
if HAVE_MUSL
pkglibexec_SCRIPTS = ktaprun-static
endif
ktaprun-static: ktaprun$(EXEEXT) $(srcdir)/scripts/musl-build $(srcdir)/lib/fortified.c $(srcdir)/lib/streams.c $(srcdir)/lib/streams.h
	$(AM_V_CC)$(MUSL_BUILD) $@ $(patsubst %,$(srcdir)/%,$(sort $(filter %.c,$(MUSL_LOADER)))) -- $(MUSL_FLAGS)
vm-init-static: vm-init$(EXEEXT)
	$(AM_V_CC)$(MUSL_BUILD) $@ $(srcdir)/cli/vm/init.c -- $(KTAP_WARNINGS) $(AM_CPPFLAGS)
CLEANFILES += ktaprun-static vm-init-static
