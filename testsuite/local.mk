# SPDX-License-Identifier: GPL-2.0-or-later
# The runner needs no list of tests: a test is a file in a folder of the suite.
include testsuite/unit/local.mk
include testsuite/oracle/local.mk

# `make check`: everything. CHECK=parse runs a part, CHECK_FLAGS goes to the runner.
check-local: all check-programs
	if test "$(CHECK)" = quick; then $(MAKE) $(AM_MAKEFLAGS) check-quick; else \
		$(PERL) $(srcdir)/testsuite/run --builddir=$(abs_builddir) $(CHECK_FLAGS) $(CHECK); fi

CLEANFILES += testsuite/rc testsuite/dist.lock

# `make check-quick`: what needs no VM and builds no kernel module. `make distcheck` runs it as the check of the tarball.
QUICK_UNITS = str format map pmap stat fp regex merge loader location sdt unwind
QUICK_TESTS = parse sema run-user house/lint house/docs house/man $(QUICK_UNITS:%=unit/%_test)
check-quick: all check-programs
	KTAP_TEST_KERNELS=none $(PERL) $(srcdir)/testsuite/run --builddir=$(abs_builddir) --no-in-vm $(CHECK_FLAGS) $(QUICK_TESTS)
.PHONY: check-quick

# Static analysis. Takes a quarter of an hour.
check-static: all
	$(srcdir)/scripts/check-static $(CHECK_FLAGS) $(abspath $(addprefix $(srcdir)/,$(sort $(filter %.c,$(ktap_SOURCES) \
		$(ktaprun_SOURCES) $(KT_LOADER_SOURCES) $(libktap_a_SOURCES) $(libplatform_a_SOURCES) $(libmachine_a_SOURCES) $(libsyntax_a_SOURCES) \
		$(libdebuginfo_a_SOURCES) $(libprobe_a_SOURCES) $(libsema_a_SOURCES) $(libgen_a_SOURCES) $(libmodule_a_SOURCES) \
		$(libedit_ktap_a_SOURCES) $(libvm_a_SOURCES) $(liblive_a_SOURCES) $(libktapuser_a_SOURCES) $(ktap_vm_SOURCES) $(vm_init_SOURCES) cli/vm/preload.c \
		$(python_sources))))) -- $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(PYTHON_CFLAGS:-I%=-isystem%)
.PHONY: check-static

# Storms: every place of a family at once, on every installed kernel. Takes hours where VMs are emulated. CHECK_FLAGS goes to storm/run.
check-storms: all
	$(PERL) $(srcdir)/testsuite/storm/run -b $(abs_builddir) $(CHECK_FLAGS)
.PHONY: check-storms

# Faults: the 24 tests of what kills, starves or confuses a session, ten times in a row, on all kernels. CHECK_FLAGS goes to the runner.
check-faults: all check-programs
	KTAP_TEST_KERNELS="$${KTAP_TEST_KERNELS-6.1 6.12 rt}" $(PERL) $(srcdir)/testsuite/run --builddir=$(abs_builddir) --rounds=10 $(CHECK_FLAGS) run-vm/fault-
.PHONY: check-faults

# Witnesses: random cases, compared with what ktap does not read. CHECK_FLAGS="--seconds 3600 --size 8" runs each for an hour; CHECK names
# one.
check-truth: all
	$(PERL) $(srcdir)/testsuite/truth/run -b $(abs_builddir) $(CHECK_FLAGS) $(CHECK)
.PHONY: check-truth

# After `all`, which is another make: two that run at once would write the same libraries.
check-programs: all
	@$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS) $(GO_SERVER)
.PHONY: check-programs

# A program that one example looks into. Where Go is not installed, that example is skipped.
if HAVE_GO
GO_SERVER = testsuite/go-server
testsuite/go-server: testsuite/go-server.go
	GOCACHE=$(abs_builddir)/$@.cache GO111MODULE=off go build -trimpath -o $@ $<
	rm -rf $@.cache
CLEANFILES += testsuite/go-server
endif

# Likewise.
check_PROGRAMS += testsuite/postgres-marks
testsuite_postgres_marks_SOURCES = testsuite/postgres-marks.c

# The tests of run-vm on two kernels with debugging options, which are built first (see testsuite/debug-kernels/).
# Not part of `make check`. CHECK and CHECK_FLAGS as there.
check-debug-kernels: all check-programs
	$(srcdir)/scripts/check-debug-kernels --builddir=$(abs_builddir) $(CHECK_FLAGS) $(CHECK)
.PHONY: check-debug-kernels
