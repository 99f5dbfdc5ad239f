# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += liblive.a
if HAVE_JSON
liblive_a_SOURCES = \
	translator/live/http.c translator/live/http.h \
	translator/live/live.c translator/live/live.h \
	translator/live/notify.c \
	translator/live/otlp.c \
	translator/live/post.c translator/live/post.h \
	translator/live/prometheus.c
if HAVE_NCURSES
liblive_a_SOURCES += \
	translator/live/figures.c translator/live/figures.h \
	translator/live/monitor.c \
	translator/live/panes.c translator/live/panes.h \
	translator/live/screen.c translator/live/screen.h
else
liblive_a_SOURCES += translator/live/no-monitor.c
endif
else
liblive_a_SOURCES = translator/live/no-live.c translator/live/live.h
endif
