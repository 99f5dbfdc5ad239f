#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# PROGRAM.dwp: what a program shows whose .dwo files are in a package is what it shows when it carries all of its DWARF. A
# package that lacks a unit, is of another build, or is damaged is told; .dwo files that are there still count.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >one.c <<'END'
struct shape { const char *name; struct { int w, h; } size; struct shape *next; };
enum colour { RED = 7, GREEN };
enum colour paint = GREEN;
long total;
static inline int area(const struct shape *s) { int a = s->size.w * s->size.h; __asm__ volatile("" :: "r"(a)); return a; }
__attribute__((noinline)) int sum(const struct shape *first, int limit)
{
	int n = 0;
	for (const struct shape *s = first; s && n < limit; s = s->next) n += area(s);
	total += n;
	return n;
}
END
cat >two.c <<'END'
struct shape { const char *name; struct { int w, h; } size; struct shape *next; };
int sum(const struct shape *first, int limit);
static struct shape one = { "one", { 3, 4 } };
__attribute__((noinline)) static int twice(int n)
{
	if (n > 5) __asm__ volatile("" :: "r"(n));
	return 2 * n;
}
int main(int argc, char **argv)
{
	struct shape two = { "two", { argc, 2 }, &one };
	return twice(sum(&two, 100)) & 1;
}
END
# seen FILE: all that ktap tells of it, under the name PROGRAM.
seen()
{
	for point in 'function("*")' 'statement("sum@*:*")' 'statement("*@two.c:*")' 'function("area").inline' 'function("main").callees'; do
		ktap -L "process(\"./$1\").$point"
		cat err out
	done >seen
	ktap -p2 -e "probe process(\"./$1\").function(\"twice\") {
		println(@var(\"total@one.c\"), @enum(\"GREEN\"), user_string(@cast(0, \"shape\")->next->name), \$n)
	}"
	accepted
	cat out >>seen
	sed "s|/$1\"|/PROGRAM\"|g" seen
}
# compiled VERSION CC...: ./split and its .dwo files, and what ./whole shows in `expected`.
compiled()
{
	version=$1
	shift
	"$@" -gdwarf-$version -O2 -o whole one.c two.c && "$@" -gdwarf-$version -gsplit-dwarf -O2 -c one.c two.c &&
		"$@" -o split one.o two.o || fail "cannot compile with DWARF $version"
	test -s one.dwo || fail "no one.dwo"
	seen whole >expected
	grep -q 'statement("sum@one.c:' expected && grep -q 'twice.*$n:int' expected || { cat expected; fail "too little is listed"; }
}
# same WHAT: split.dwp alone tells what ./whole tells.
same()
{
	test -s split.dwp || fail "$1 made no package"
	mkdir away
	mv one.dwo two.dwo away
	seen split >have
	diff expected have || fail "DWARF $version: with the package of $1 the program differs"
	mv away/* .
	rmdir away
}
compiled 4 ${CC:-gcc}
dwp -e split -o split.dwp && same dwp
compiled 5 ${CC:-gcc}
"$SRCDIR/testsuite/lib/make-package" split.dwp two.dwo one.dwo && same make-package
cp split.dwp good

# Strings that a skeleton has by number, which gcc does not write.
if command -v clang >/dev/null; then
	compiled 5 clang
	"$SRCDIR/testsuite/lib/make-package" split.dwp one.dwo two.dwo && same "make-package, of clang's files,"
	compiled 5 ${CC:-gcc}
fi

# Compressed, and beside the program that a link leads to.
objcopy --compress-debug-sections good split.dwp && same objcopy
# Beside a program whose debugging information, which says what is in the package, is in a file elsewhere.
cp split plain
mkdir .debug && objcopy --only-keep-debug split .debug/apart.debug && strip split &&
	objcopy --add-gnu-debuglink=.debug/apart.debug split && same "a package of a stripped program"
mv plain split
rm -r .debug
mkdir bin away
ln -s ../split bin/split
mv one.dwo two.dwo away
seen bin/split >have
sed 's|/bin/PROGRAM|/PROGRAM|; s|/split"|/PROGRAM"|' have | diff expected - || fail "through a link"

# One unit in the package, the other nowhere, then in its file.
"$SRCDIR/testsuite/lib/make-package" split.dwp away/one.dwo
ktap -L 'process("./split").function("*")'
accepted
printed 'sum@one.c'
said "warning: 1 of 2 .dwo files of .*split are not where it says, or of another build: two.dwo"
said "note: .*split.dwp does not have them"
printed '^process(.*).function("twice")$' # by its symbol
cp away/two.dwo .
seen split >have
diff expected have || fail "a unit in the package and one in its file"
rm two.dwo

# Of another build; no package at all; one that would never end.
sed 's/limit/most/' one.c >three.c
${CC:-gcc} -gdwarf-5 -gsplit-dwarf -O2 -c three.c && "$SRCDIR/testsuite/lib/make-package" split.dwp three.dwo
ktap -L 'process("./split").function("sum")'
printed '^process(".*split").function("sum")$'
said "warning: 2 of 2 .dwo files of .*split"
said "note: .*split.dwp does not have them"
for other in one.c whole; do
	cp $other split.dwp
	ktap -L 'process("./split").function("sum")'
	said "note: .*split.dwp is no DWARF package, or is damaged"
done
cp away/* .
seen split >have
grep -v warning have | diff expected - || fail "what is no package hides the files"
rm one.dwo two.dwo split.dwp
mkfifo split.dwp
limit=20 ktap -L 'process("./split").function("sum")'
said "warning: 2 of 2"
rm split.dwp

# Cut off, and with each number of the index, and bytes all over the file, being others: neither a crash nor an internal error,
# which ktap() looks for.
size=$(stat -c %s good)
listed()
{
	ktap -L 'process("./split").statement("*@*:*")'
	ktap -L 'process("./split").function("*")'
	grep -q 'split").function("' out || fail "nothing is known any more"
}
for part in 1 2 3 4 5 6 7 8 9 10 11; do
	head -c $((size * part / 12)) good >split.dwp
	listed
	cp good split.dwp
	printf 'xxxxxxxx' | dd of=split.dwp bs=1 seek=$((size * part / 12)) conv=notrunc 2>/dev/null
	listed
done
at=$(readelf -SW good | sed -n 's/.*debug_cu_index *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
number=0
while [ $number -lt 48 ]; do
	for bytes in '\377\377\377\377' '\000\000\000\000'; do
		number=$((number + 1))
		cp good split.dwp
		# shellcheck disable=SC2059
		printf "$bytes" | dd of=split.dwp bs=1 seek=$((0x$at + 4 * number - 4)) conv=notrunc 2>/dev/null
		listed
	done
done
