noinst_LIBRARIES += libprobe.a
libprobe_a_SOURCES = translator/probe/access.h translator/probe/probe.h
