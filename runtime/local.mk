# SPDX-License-Identifier: GPL-2.0-or-later
# Sources below runtime/ are installed and distributed by folder: see KTAP_TREES in Makefile.am.
include runtime/core/local.mk
# Of ktaprun and the programs of --runtime=user.
KT_OUTPUT_SOURCES = \
	runtime/output/events.c runtime/output/events.h \
	runtime/output/json.c runtime/output/json.h \
	runtime/output/stamp.c runtime/output/stamp.h
noinst_LIBRARIES += liboutput.a
liboutput_a_SOURCES = $(KT_OUTPUT_SOURCES)
include runtime/kit/local.mk
include runtime/user/local.mk
include runtime/loader/local.mk
