# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libbuild.a
libbuild_a_SOURCES = \
	translator/build/build.c translator/build/build.h \
	translator/build/cache.c translator/build/cross.c translator/build/kit.c translator/build/lacks.c translator/build/module.c \
	translator/build/replay.c translator/build/embedded.c translator/build/kbuild.c translator/build/stack.c \
	translator/build/user.c translator/build/sign.c translator/build/starved.c \
	translator/build/starved.h translator/build/versions.c
if HAVE_LIBCRYPTO
libbuild_a_SOURCES += translator/build/sign-crypto.c
else
libbuild_a_SOURCES += translator/build/sign-none.c
endif

# ---- the VM ----
# The guest's init is static, never sanitized, and linked into libbuild as bytes (vm-initramfs.c). It is installed for VMs of another
# architecture, whose root has its own.
pkglibexec_PROGRAMS = vm-init
vm_init_SOURCES = translator/build/vm-init.c translator/build/vm-proto.h
vm_init_CFLAGS = -std=gnu11 $(KTAP_WARNINGS)
vm_init_LDFLAGS = -static -s
vm_init_LDADD =

libbuild_a_SOURCES += \
	translator/build/vm.c translator/build/vm.h \
	translator/build/vm-host.c translator/build/vm-host.h \
	translator/build/vm-initramfs.c translator/build/vm-initramfs.h \
	translator/build/vm-kernel.c translator/build/vm-kernel.h \
	translator/build/vm-root.c translator/build/vm-root.h
translator/build/vm-initramfs.$(OBJEXT): vm-init$(EXEEXT)

# What virtiofsd is started with for a user who is not root, linked into libbuild in the same way (vm.c).
noinst_DATA += vm-preload.so
CLEANFILES += vm-preload.so
# It defines functions that the headers of hardened builds declare in another form.
vm-preload.so: translator/build/vm-preload.c
	$(AM_V_CC)$(CC) -std=gnu11 -D_GNU_SOURCE $(KTAP_WARNINGS) $(CPPFLAGS) $(CFLAGS) -U_FORTIFY_SOURCE -fPIC -shared -s $(LDFLAGS) -o $@ \
		$(srcdir)/translator/build/vm-preload.c
translator/build/vm.$(OBJEXT): vm-preload.so
EXTRA_DIST += translator/build/vm-preload.c

noinst_PROGRAMS += ktap-vm
ktap_vm_SOURCES = translator/build/vm-main.c
ktap_vm_LDADD = libbuild.a libtarget.a libbase.a $(ELFUTILS_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS)
