#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A pattern matches the functions of files compiled without -g as well, as a program always has some. Parts of functions that
# debugging information describes, and other names of them, are not functions of their own: a static function with a global alias is
# not exported. Labels in inlined copies.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >known.c <<'END'
__attribute__((noipa)) int known_one(int n) { return n + 1; }
int known_alias(int n) __attribute__((alias("known_one")));
static __attribute__((noipa)) int known_static(int n) { return n * 2; }
static __attribute__((noipa)) int known_inner(int n) { return n * 3; }
int known_outer(int n) __attribute__((alias("known_inner")));
static inline __attribute__((always_inline)) int counts(int n) { int left = n * 3; again: if (known_one(left--) > 10) goto again; return left; }
int bare_function(int n);
int main(int argc, char **argv) { return counts(argc) + known_static(argc) + bare_function(argc); }
END
cat >bare.c <<'END'
static __attribute__((noipa)) int bare_static(int n) { return n - 1; }
int bare_function(int n) { return bare_static(n) * 7; }
END
# shellcheck disable=SC2086
${CC:-gcc} -O2 -c bare.c && ${CC:-gcc} -g -O2 -o prog known.c bare.o || fail "cannot compile"

# names POINT: the functions that it resolves to, among those of the two files.
names()
{
	ktap -l "process(\"./prog\").$1"
	accepted
	sed -n 's/.*function("\([a-z_]*\).*/\1/p' out | grep '^known\|^bare\|^counts\|^main' | sort | tr '\n' ' '
}

test "$(names 'function("*")')" = 'bare_function bare_static counts known_inner known_one known_static main ' || fail "all: $(cat out)"
test "$(names 'function("*").return')" = 'bare_function bare_static known_inner known_one known_static main ' || fail "returns: $(cat out)"
test "$(names 'function("*").exported')" = 'bare_function known_one main ' || fail "exported: $(cat out)"
test "$(names 'function("*").inline')" = 'counts ' || fail "inlined: $(cat out)"
test "$(names 'function("*@known.c")')" = 'counts known_inner known_one known_static main ' || fail "of one file: $(cat out)"
ktap -l 'process("./prog").function("_star?")'
printed '^process(.*).function("_start")$'
ktap -p2 -e 'probe process("./prog").function("counts").label("again") { println($n, $left) }'
accepted
printed 'function("counts@known.c:6").label("again")'
ktap -p2 -e 'probe process("./prog").function("counts").label("nosuch") { }'
refused no-match
said "counts has 'again' at line 6"
