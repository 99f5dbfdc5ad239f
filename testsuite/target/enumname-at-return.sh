#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @enumname of a parameter in a return probe, of @entry() and of $return; a directory is not a program.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >prog.c <<'END'
enum color { RED, GREEN = 5 };
struct thing { enum color color; int number; } thing = { GREEN, 3 };
__attribute__((noipa)) enum color next(struct thing *t, enum color c) { return t->color == c ? RED : t->color; }
int main(void) { return next(&thing, RED); }
END
${CC:-gcc} -g -O2 -o prog prog.c || fail "cannot compile"
point='process("./prog").function("next")'
ktap -p3 -e "probe $point.return { println(@enumname(\$t->color), @enumname(@entry(\$c)), @enumname(\$return)) }"
accepted
test "$(grep -o '"GREEN"' out | wc -l)" -ge 1 || fail "no names: $(grep -n enum out)"
ktap -p2 -e "probe $point { println(@enumname(\$t->color), @enumname(\$c)) }"
accepted
ktap -p2 -e "probe $point.return { println(@enumname(\$t->number)) }"
refused target-type
ktap -p2 -e "probe $point.return { println(@enumname(@entry(\$t->number))) }"
refused target-type
ktap -p2 -e "probe process(\"$PWD\").begin { }"
refused no-program
said 'Is a directory'
