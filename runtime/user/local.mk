# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=user: the program around a script's object. The core is in it, so that one archive is all a script needs.
pkglib_LIBRARIES += libktapuser.a
libktapuser_a_SOURCES = \
	runtime/commands.h runtime/embedded.h runtime/errors.h runtime/ledger.h runtime/options.h lib/requests.h runtime/set-global.h runtime/user/embedded.h \
	lib/outlet.c lib/outlet.h \
	runtime/user/fn.c \
	runtime/user/fn-machine.c \
	runtime/user/port.c \
	runtime/user/record.c \
	runtime/user/session.c \
	runtime/user/steer.c \
	runtime/user/user.h \
	$(KT_OUTPUT_SOURCES) \
	$(KT_CORE_SOURCES)
if CONSTANT_STREAMS
libktapuser_a_SOURCES += lib/streams.c
endif
