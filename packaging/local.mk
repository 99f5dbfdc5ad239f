# SPDX-License-Identifier: GPL-2.0-or-later
# The unit template that runs a script as a service.
systemdsystemunitdir = $(prefix)/lib/systemd/system
nodist_systemdsystemunit_DATA = packaging/ktap@.service
CLEANFILES += packaging/ktap@.service
packaging/ktap@.service: packaging/ktap@.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) packaging && sed 's|[@]bindir@|$(bindir)|g' '$(srcdir)/packaging/ktap@.service.in' >'$@.tmp' && mv '$@.tmp' '$@'

# What the packages of a kernel and of its headers run. The program that is installed has the name of the package.
kernelhooks = postinst.d:prepare header_postinst.d:prepare postrm.d:remove
install-data-hook: install-kernel-hooks
install-kernel-hooks:
	@for hook in $(kernelhooks); do \
		dir='$(DESTDIR)$(sysconfdir)/kernel/'$${hook%:*}; \
		$(MKDIR_P) "$$dir" && $(INSTALL_SCRIPT) '$(srcdir)/packaging/kernel/'$${hook#*:} "$$dir/ktap" || exit 1; \
	done
uninstall-hook: uninstall-kernel-hooks
uninstall-kernel-hooks:
	@for hook in $(kernelhooks); do rm -f '$(DESTDIR)$(sysconfdir)/kernel/'$${hook%:*}/ktap; done
.PHONY: install-kernel-hooks uninstall-kernel-hooks
