#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A structure that is passed in registers: a member that has one to itself can be written, one that shares it cannot.
. "$SRCDIR/testsuite/lib/sh.sh"
[ "$(uname -m)" = x86_64 ] || exit 77
cat >a.c <<'END'
struct s { int a, b; long own; };
__attribute__((noipa)) long f(struct s s, int n) { return s.a + s.b + s.own + n; }
int main(int argc, char **argv) { return (int)f((struct s){ argc, 2, 3 }, 4); }
END
${CC:-gcc} -g -O2 -o a a.c || fail "cannot compile"
ktap -g -p3 -e 'probe process("./a").function("f") { $s->own = 7; $n = 8 }'
accepted
printed 'kt_set_register(c, 4,'
for member in a b; do
	ktap -g -p3 -e "probe process(\"./a\").function(\"f\") { \$s->$member = 7 }"
	refused lvalue
done
