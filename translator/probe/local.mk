noinst_LIBRARIES += libprobe.a
libprobe_a_SOURCES = \
	translator/probe/access.h \
	translator/probe/life.c \
	translator/probe/match.c \
	translator/probe/probe.c translator/probe/probe.h \
	translator/probe/timer.c
