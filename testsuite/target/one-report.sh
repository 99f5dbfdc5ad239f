#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kind of error or warning is reported once for a place in the source, with the number of other places that it concerns.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >prog.c <<'C'
int one(int a) { return a + 1; }
int two(int b) { return b + 2; }
int three(int b) { return b + 3; }
int main(int argc, char **argv) { return one(argc) + two(argc) + three(argc); }
C
${CC:-gcc} -g -O1 -fno-inline -o prog prog.c || fail "cannot compile"

three='probe process("./prog").function("one"), process("./prog").function("two"), process("./prog").function("three")'
ktap -p2 -e "$three { println(\$a) }"
refused target-var
test "$(grep -c 'available there' err)" = 1 || fail "expected one note of what is available"
test "$(grep ':1:[0-9]*: note: and at' err)" = "$(grep -o '<input>:1:[0-9]*: ' err | head -n 1)note: and at 1 other place" ||
	fail "the second place is not counted"
ktap -p2 -e "$three { println(\$c) }"
refused target-var
said 'note: and at 2 other places$'
test "$(tail -n 1 err | grep -c 'and at 2 other places')" = 1 || fail "the line is shown again"

# Two places in the source, two reports.
ktap -p2 -e "$three { println(\$c) }
probe process(\"./prog\").function(\"one\") { println(\$d) }"
test "$(grep -c 'error: ' err)" = 2 || fail "expected two errors"
said '<input>:1:.*note: and at 2 other places$'
! grep -q '<input>:2:.*note: and at' err || fail "line 2 has one place"
# Warnings; -w leaves nothing of them.
ktap -p2 -e "$three { if (\$\$parms =~ \"x\") { next; println(1) } }"
accepted
test "$(grep -c 'warning: ' err)" = 1 || fail "expected one warning"
said 'note: and at 2 other places$'
ktap -w -p2 -e "$three { if (\$\$parms =~ \"x\") { next; println(1) } }"
accepted
test ! -s err || fail "-w leaves a note"
