#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `make distcheck`: what `make dist` packs configures, builds, checks, installs and uninstalls, packs itself again, and is clean after
# `make distclean`. Its check is CHECK=parse here, as the suite runs the rest, its compiler does not optimize and xz packs little; by hand the check is
# `make check-quick`.
. "$SRCDIR/testsuite/lib/sh.sh"
exec 9>"$BUILDDIR/testsuite/dist.lock"
flock 9
status=0
XZ_OPT=-0 make -s -j2 -C "$BUILDDIR" distcheck DISTCHECK_CONFIGURE_FLAGS="$("$BUILDDIR/config.status" --config) CHECK=parse CFLAGS='-O0 -Wno-maybe-uninitialized'" 9>&- \
	>log 2>&1 || status=$?
test $status -eq 0 || { tail -n 40 log; fail "make distcheck ended with status $status"; }
grep -q '^[1-9][0-9]* passed, 0 failed$' log || fail "make distcheck ran no test"
