# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libvm.a
# The guest's init is static, never sanitized, and linked into libvm as bytes (cli/vm/initramfs.c). It is installed for VMs of another
# architecture, whose root has its own.
pkglibexec_PROGRAMS = vm-init
vm_init_SOURCES = cli/vm/init.c cli/vm/proto.h
vm_init_CFLAGS = -std=gnu11 $(KTAP_WARNINGS)
vm_init_LDFLAGS = -static -s
vm_init_LDADD =

libvm_a_SOURCES = \
	cli/vm/vm.c cli/vm/vm.h \
	cli/vm/host.c cli/vm/host.h \
	cli/vm/initramfs.c cli/vm/initramfs.h \
	cli/vm/kernel.c cli/vm/kernel.h \
	cli/vm/root.c cli/vm/root.h
cli/vm/initramfs.$(OBJEXT): vm-init$(EXEEXT)

# What virtiofsd is started with for a user who is not root, linked into libvm in the same way (vm.c).
noinst_DATA += vm-preload.so
CLEANFILES += vm-preload.so
# It defines functions that the headers of hardened builds declare in another form.
vm-preload.so: cli/vm/preload.c
	$(AM_V_CC)$(CC) -std=gnu11 -D_GNU_SOURCE $(KTAP_WARNINGS) $(CPPFLAGS) $(CFLAGS) -U_FORTIFY_SOURCE -fPIC -shared -s $(LDFLAGS) -o $@ \
		$(srcdir)/cli/vm/preload.c
cli/vm/vm.$(OBJEXT): vm-preload.so
EXTRA_DIST += cli/vm/preload.c

noinst_PROGRAMS += ktap-vm
ktap_vm_SOURCES = cli/vm/main.c
ktap_vm_LDADD = libvm.a libmodule.a libdebuginfo.a libplatform.a libmachine.a libktap.a $(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS)
