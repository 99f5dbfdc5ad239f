#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -gsplit-dwarf: what a program, a module and a kernel show is what they show when they carry all of their DWARF; a .dwo file
# that is gone or of another build is told, and only what was in it is missing.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >a.c <<'END'
#include "h.h"
struct point { int x, y; };
static inline int half(int v) { int h = v / 2; __asm__ volatile("" :: "r"(h)); return h; }
__attribute__((noinline)) int foo(struct point *p, int n)
{
	int local = p->x + n;
	local += half(n);
	__asm__ volatile("" :: "r"(local));
	return local + helper(p->y);
}
END
cat >h.h <<'END'
__attribute__((noinline)) static int helper(int z)
{
	__asm__ volatile("" :: "r"(z));
	return z + 1;
}
END
cat >b.c <<'END'
struct point { int x, y; };
enum fruit { APPLE = 3, PEAR };
int foo(struct point *p, int n);
int counter = 5;
enum fruit kind = PEAR; __thread int first = 6, second = 7;
int main(void) { struct point p = { 3, 4 }; return foo(&p, counter) & first & second; }
END

# seen FILE: all that ktap tells of it, under the name PROGRAM.
seen()
{
	for point in 'function("*")' 'statement("foo@*:*")' 'statement("*@h.h:*")' 'function("half").inline' 'function("foo").callees'; do
		ktap -L "process(\"./$1\").$point"
		cat err out
	done >seen
	ktap -p2 -e "probe process(\"./$1\").function(\"main\") { println(@var(\"counter@b.c\"), @enum(\"PEAR\"), @cast(0, \"point\")->y) }"
	accepted
	cat out >>seen
	ktap -p3 -e "probe process(\"./$1\").function(\"main\") { println(@var(\"first\"), @var(\"second\")) }"
	accepted
	grep kt_thread_pointer out >>seen
	sed "s|/$1\"|/PROGRAM\"|g" seen
}
for version in 4 5; do
	${CC:-gcc} -gdwarf-$version -O2 -o whole a.c b.c && ${CC:-gcc} -gdwarf-$version -gsplit-dwarf -O2 -c a.c b.c &&
		${CC:-gcc} -o split a.o b.o || fail "cannot compile with DWARF $version"
	test -s a.dwo || fail "no a.dwo"
	seen whole >expected
	seen split >have
	grep -q 'statement("foo@a.c:7")' expected || { cat expected; fail "too little is listed"; }
	diff expected have || fail "DWARF $version: a split program differs"
done

# One file gone, one of another build, both.
mv a.dwo kept
ktap -L 'process("./split").function("*")'
accepted
printed 'main@b.c:6'
said "warning: 1 of 2 .dwo files of .*split are not where it says, or of another build: .*a.dwo"
printed '^process(.*).function("foo")$' # by its symbol
sed 's/counter/countre/' b.c >c.c
${CC:-gcc} -gdwarf-5 -gsplit-dwarf -O2 -c -o c.o c.c && cp c.dwo a.dwo
ktap -L 'process("./split").function("*")'
said "warning: 1 of 2 .dwo files of .*split"
rm a.dwo b.dwo
ktap -L 'process("./split").function("foo")'
printed '^process(".*split").function("foo")$'
said "warning: 2 of 2 .dwo files of .*split"
said 'known by their symbols'

# One that would never end.
mkfifo b.dwo
limit=300 ktap -L 'process("./split").function("*")'
said "warning: 2 of 2 .dwo files of .*split"
rm b.dwo

# A damaged one.
mv kept a.dwo
size=$(stat -c %s a.dwo)
for place in 1 2 3 4 5 6 7 8; do
	cp a.dwo damaged
	printf 'xxxx' | dd of=damaged bs=1 seek=$((size * place / 9)) conv=notrunc 2>/dev/null
	cp damaged a.dwo
	ktap -L 'process("./split").statement("*@*:*")' # neither a crash nor an internal error: ktap() looks
done
