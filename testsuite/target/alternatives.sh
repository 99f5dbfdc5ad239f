#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where all alternatives of a probe fail, the message names the first too, and a script that is left without a probe says where.
. "$SRCDIR/testsuite/lib/sh.sh"

echo 'int main(void) { return 0; }' >prog.c
${CC:-gcc} -g -o prog prog.c || fail "cannot compile"

ktap -p2 -e 'probe process("./prog").function("one") !, process("./prog").function("two") !, process("./prog").function("three") { }'
refused no-match
said "^<input>:1:108: error: 'process(\"./prog\").function(\"three\")' matches nothing"
said "^<input>:1:7: note: nor is there a probe for 'process(\"./prog\").function(\"one\")': without its ! the reason is reported$"
ktap -p2 -e 'probe process("./prog").function("one") !, process("./prog").function("main") { }'
accepted
test ! -s err || fail "an alternative that failed is no fault: $(cat err)"
ktap -p2 -e 'probe process("./prog").function("one") !, process("./prog").function("two") ? { }'
refused no-probes
said '^<input>:1:7: note: nothing matches it, which ? and ! allow$'
ktap -p2 -e 'function f() { }'
refused no-probes
! grep -q note: err || fail "$(cat err)"
