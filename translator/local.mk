# One static library a floor, so that each folder builds by itself.
bin_PROGRAMS += ktap
ktap_SOURCES = translator/main.c translator/defines.c translator/options.c translator/options.h \
	translator/rcfile.c translator/rcfile.h \
	translator/script.c translator/script.h translator/run.c translator/run.h
ktap_LDADD = libbuild.a libgen.a libsema.a libprobe.a libtarget.a libsyntax.a libcore.a libbase.a \
	$(ELFUTILS_LIBS) $(LIBBPF_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS) $(LIBCRYPTO_LIBS)

include translator/base/local.mk
include translator/syntax/local.mk
include translator/target/local.mk
include translator/probe/local.mk
include translator/sema/local.mk
include translator/gen/local.mk
include translator/build/local.mk
