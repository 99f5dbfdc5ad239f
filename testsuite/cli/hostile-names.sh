#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names in another user's program are shown without control characters: in messages, and on a terminal in lists too.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >prog.c <<'END_C'
int almost(int n) { return n; }
int main(int argc, char **argv) { return almost(argc); }
END_C
cc -O0 -c -o prog.o prog.c
escape=$(printf 'alm\033ost')
objcopy --redefine-sym "almost=$escape" prog.o
cc -o prog prog.o
strip --strip-debug prog
nm prog >/dev/null
ktap -L 'process("./prog").function("almost")'
test "$status" != 0 || fail "there is such a function"
said "did you mean 'alm.ost'"
! grep -q "$(printf '\033')" err || fail "an escape sequence in a message"
ktap -l "$(printf 'process("./\033[31mnone").function("x")')"
said "'./.\[31mnone'"
ktap -l 'process("./prog").function("alm*ost")'
accepted
grep -q "$(printf '\033')" out || fail "a list is not as it is in the file"
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
script -qec "'$KTAP' -l 'process(\"./prog\").function(\"alm*ost\")'" /dev/null </dev/null >out
grep -q "alm.ost" out || fail "no list on a terminal"
! grep -q "$(printf '\033')" out || fail "an escape sequence on the terminal"
