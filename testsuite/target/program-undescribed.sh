#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function of a program with debugging information that has none itself: of a file without -g, or of assembler.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

echo 'int bare(int a) { return a + 1; }' >bare.c
echo 'int bare(int a);
int main(int argc, char **argv) { return bare(argc); }' >main.c
${CC:-gcc} -O1 -c bare.c && ${CC:-gcc} -g -O1 -c main.c && ${CC:-gcc} -o prog main.o bare.o || fail "cannot compile"

# no POINT VALUE: the value is refused, with what does without.
no()
{
	ktap -p2 -e "probe process(\"./prog\").function(\"bare\")$1 { println($2) }"
	refused no-debuginfo
	said "describes 'bare'"
	said 'compiled without -g'
}

no '' '$a'
no .return '$a'
no .return '$return'
no .return '@entry($a)'
ktap -p3 -e 'probe process("./prog").function("bare").return {
	println($$vars, $$parms, @defined($a), @defined($return), returnval()) }'
accepted
ktap -L 'process("./prog").function("bare").return'
accepted
ktap -p2 -e 'probe process("./prog").function("main") { println($argc) }'
accepted
