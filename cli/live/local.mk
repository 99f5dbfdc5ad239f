# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += liblive.a
if HAVE_JSON
liblive_a_SOURCES = \
	cli/live/http.c cli/live/http.h \
	cli/live/live.c cli/live/live.h \
	cli/live/notify.c \
	cli/live/otlp.c \
	cli/live/post.c cli/live/post.h \
	cli/live/prometheus.c
if HAVE_NCURSES
liblive_a_SOURCES += \
	cli/live/figures.c cli/live/figures.h \
	cli/live/monitor.c \
	cli/live/panes.c cli/live/panes.h \
	cli/live/screen.c cli/live/screen.h
else
liblive_a_SOURCES += cli/live/monitor-none.c
endif
else
liblive_a_SOURCES = cli/live/live-none.c cli/live/live.h
endif
