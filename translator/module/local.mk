# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libmodule.a
libmodule_a_SOURCES = \
	translator/module/build.c translator/module/build.h \
	translator/module/cache.c translator/module/cross.c translator/module/kit.c translator/module/image.c translator/module/lacks.c translator/module/module.c \
	translator/module/replay.c translator/module/embedded.c translator/module/kbuild.c translator/module/stack.c \
	translator/module/user.c translator/module/sign.c translator/module/starved.c \
	translator/module/starved.h translator/module/versions.c
if HAVE_LIBCRYPTO
libmodule_a_SOURCES += translator/module/sign-crypto.c
else
libmodule_a_SOURCES += translator/module/sign-none.c
endif
