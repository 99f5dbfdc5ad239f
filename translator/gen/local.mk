noinst_LIBRARIES += libgen.a
libgen_a_SOURCES = \
	translator/gen/regex.c translator/gen/regex.h \
	translator/gen/regex-parse.c translator/gen/regex-parse.h
