# The runner needs no list of tests: a test is a file in a folder of the suite.
include testsuite/unit/local.mk
include testsuite/oracle/local.mk

# `make check`: everything. CHECK=parse runs a part, CHECK_FLAGS goes to the runner.
check-local: all check-programs
	$(PERL) $(srcdir)/testsuite/run --builddir=$(abs_builddir) $(CHECK_FLAGS) $(CHECK)

check-programs: all $(check_PROGRAMS)
.PHONY: check-programs
