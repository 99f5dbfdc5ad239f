#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The unit of an address is known in a file without .debug_aranges, as clang makes it, also beside units that have some.
. "$SRCDIR/testsuite/lib/sh.sh"

for n in 1 2; do
	printf 'static int cnt = %s;\n__attribute__((noinline)) int of%s(int a) { return cnt += a; }\n' $n $n >unit$n.c
done
echo 'int of1(int), of2(int); int main(int c, char **v) { return of1(c) + of2(c); }' >main.c
for version in 4 5; do
	for n in 1 2; do
		${CC:-gcc} -gdwarf-$version -O2 -c unit$n.c || fail "cannot compile"
	done
	objcopy -R .debug_aranges -R .rela.debug_aranges unit1.o
	${CC:-gcc} -gdwarf-$version -O2 -o some main.c unit1.o unit2.o
	objcopy -R .debug_aranges some none
	for file in some none; do
		for n in 1 2; do
			address=0x$(nm $file | sed -n "s/ T of$n\$//p")
			ktap -L "process(\"./$file\").function($address)"
			printed "\$a:int"
			ktap -p2 -e "probe process(\"./$file\").statement($address) { println(\$cnt, \$a) }"
			accepted
		done
	done
done
