#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Stubs of .plt and of .plt.got, the last of a section too, in the layouts that linkers make of them.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >prog.c <<'END'
#include <stdio.h>
#include <unistd.h>
pid_t (*volatile same)(void);
int main(void) { same = getpid; printf("%d\n", same() == getpid()); return 0; }
END
# .plt.got has __cxa_finalize, which is weak, and getpid, whose address is taken.
for flags in '' '-Wl,-z,now' '-fcf-protection -Wl,-z,ibtplt' '-fcf-protection=none -Wl,-z,lazy'; do
	# shellcheck disable=SC2086
	${CC:-gcc} -O2 $flags -o prog prog.c || fail "cannot compile with '$flags'"
	ktap -l 'process("./prog").plt("*")' >out 2>err || fail "no stubs with '$flags': $(cat err)"
	sed -n 's/.*plt("\(.*\)").*/\1/p' out | sort | tr '\n' ' ' >names
	test "$(cat names)" = '__cxa_finalize getpid printf ' || fail "with '$flags': $(cat names)"
done
