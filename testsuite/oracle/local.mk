# SPDX-License-Identifier: GPL-2.0-or-later
# The independent evaluator of scripts that testsuite/oracle/run compares ktap with.
check_PROGRAMS += testsuite/oracle/oracle
testsuite_oracle_oracle_SOURCES = testsuite/oracle/oracle.c testsuite/oracle/oracle.h testsuite/oracle/eval.c \
	testsuite/oracle/format.c testsuite/oracle/values.c translator/defines.c translator/options.c translator/rcfile.c translator/remote-host.c translator/script.c
testsuite_oracle_oracle_LDADD = libsema.a libprobe.a libtarget.a libsyntax.a libcore.a libbase.a \
	$(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS)
