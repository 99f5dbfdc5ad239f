#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Floating point numbers in memory are their bits, for fp_to_string(); those in registers cannot be read. Any line of a function.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >prog.c <<'END'
struct both { float f; double d; long double l; } both = { 1.5, 2.5, 3.5 };
__attribute__((noipa)) double half(struct both *p, double x) { return p->d + x / 2; }
int main(void) { return (int)half(&both, 1.0); }
END
${CC:-gcc} -g -O2 -o prog prog.c || fail "cannot compile"
point='process("./prog").function("half")'
ktap -p3 -e "probe $point { println(fp_to_string(fp32_to_fp64(\$p->f), 1)) }"
accepted
grep -q 'kt_deref_user(c, .*, 4)' out || fail "not 4 bytes: $(grep deref out)"
ktap -p2 -e "probe $point { println(\$p->d, @var(\"both\")->f, @defined(\$x)) }"
accepted
ktap -p2 -e "probe $point { println(\$x) }"
refused target-type
ktap -p2 -e "probe $point { println(\$p->l) }"
refused target-type
ktap -l 'process("./prog").function("*@prog.c:*")'
accepted
test "$(grep -c 'function("half@\|function("main@' out)" = 2 || fail "any line: $(cat out)"
