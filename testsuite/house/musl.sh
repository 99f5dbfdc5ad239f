#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# vm-init builds with musl as a static program, and so do the files that another C library once refused; run-vm/bundle runs ktaprun.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v musl-gcc >/dev/null || exit 77
test -e "$BUILDDIR/ktaprun-static" || fail "musl-gcc is there, and configure did not find it"
make -s -C "$BUILDDIR" vm-init-static >out 2>&1 || { cat out; fail "vm-init"; }
for program in ktaprun-static vm-init-static; do
	test -z "$(readelf -lW "$BUILDDIR/$program" | grep -e INTERP -e NEEDED)" || fail "$program is not static"
done
# A file that says nothing of musl is compiled as on a system whose C library that is.
for file in lib/outlet.c lib/streams.c cli/live/post.c cli/vm/preload.c; do
	musl-gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$SRCDIR" -I"$BUILDDIR" -include lib/streams.h -c -o musl.o "$SRCDIR/$file" ||
		fail "$file"
done
# What is redirected is all that a program prints: -o and messages go through these.
"$BUILDDIR/ktaprun-static" --version | grep -q '^ktaprun ' || fail "--version"
"$BUILDDIR/ktaprun-static" nosuch.ko 2>err && fail "a module that is not there"
grep -q "ktap: error: cannot open module 'nosuch.ko'" err || fail "not said: $(cat err)"
# libiberty was compiled with another C library.
sources=
for file in testsuite/unit/demangler_test lib/demangler lib/arena lib/map lib/diag lib/status lib/interrupt lib/text lib/streams lib/fortified; do
	sources="$sources $SRCDIR/$file.c"
done
# shellcheck disable=SC2086
CC=${CC:-gcc} MUSL_CC=musl-gcc sh "$SRCDIR/scripts/musl-build" demangler $sources -- -D_GNU_SOURCE -I"$SRCDIR" -I"$BUILDDIR" -include lib/streams.h \
	>out 2>&1 || { cat out; fail "the demangler's test"; }
./demangler >out || { grep -v '^ok' out; fail "names of C++ and Rust"; }
