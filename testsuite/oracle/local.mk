# SPDX-License-Identifier: GPL-2.0-or-later
# The independent evaluator of scripts that testsuite/oracle/run compares ktap with.
check_PROGRAMS += testsuite/oracle/oracle
testsuite_oracle_oracle_SOURCES = testsuite/oracle/oracle.c testsuite/oracle/oracle.h testsuite/oracle/eval.c \
	testsuite/oracle/format.c testsuite/oracle/values.c $(CLI_OPTIONS) cli/script.c
testsuite_oracle_oracle_LDADD = libsema.a libprobe.a libdebuginfo.a libsyntax.a libplatform.a libmachine.a libcore.a libktap.a \
	$(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS)
