noinst_LIBRARIES += libgen.a
libgen_a_SOURCES =
