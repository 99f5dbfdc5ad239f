# SPDX-License-Identifier: GPL-2.0-or-later
# The unit template that runs a script as a service.
systemdsystemunitdir = $(prefix)/lib/systemd/system
nodist_systemdsystemunit_DATA = packaging/ktap@.service
CLEANFILES += packaging/ktap@.service
packaging/ktap@.service: packaging/ktap@.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) packaging && sed 's|[@]bindir@|$(bindir)|g' '$(srcdir)/packaging/ktap@.service.in' >'$@.tmp' && mv '$@.tmp' '$@'
