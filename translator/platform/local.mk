# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libplatform.a
libplatform_a_SOURCES = \
	translator/platform/kernels.c translator/platform/kernels.h \
	translator/platform/needs.c translator/platform/needs.h \
	translator/platform/settings.c translator/platform/settings.h
