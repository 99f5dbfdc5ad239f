# SPDX-License-Identifier: GPL-2.0-or-later
# Sources below runtime/ are installed and distributed by folder: see KTAP_TREES in Makefile.am.
include runtime/core/local.mk
# Of ktaprun and the programs of --runtime=user.
KT_JSON_SOURCES = \
	runtime/json/events.c runtime/json/events.h \
	runtime/json/json.c runtime/json/json.h \
	runtime/json/stamp.c runtime/json/stamp.h
noinst_LIBRARIES += libjson.a
libjson_a_SOURCES = $(KT_JSON_SOURCES)
include runtime/kit/local.mk
include runtime/user/local.mk
include runtime/loader/local.mk
