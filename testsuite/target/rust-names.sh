#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of Rust by demangled names, of both manglings, with and without scopes and types, in a file with symbols alone: what the
# assembler makes here.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

{
	printf '\t.text\n\t.globl main\n\t.type main, @function\nmain:\txorl %%eax, %%eax\n\tret\n\t.size main, . - main\n'
	for name in _RNvCsbxQjNsTKZZh_4shop4sell _RINvCsbxQjNsTKZZh_4shop3payRehEB2_ _RINvCsbxQjNsTKZZh_4shop3payxTbcEEB2_ \
		_RNvMNtCsbxQjNsTKZZh_4shop4tillNtB2_5Apple3eat _ZN4shop4till4open17h0123456789abcdefE; do
		printf '\t.type "%s", @function\n"%s":\n\tnop\n\tret\n\t.size "%s", . - "%s"\n' $name $name $name $name
	done
	printf '\t.section .note.GNU-stack, "", @progbits\n'
} >prog.s
${CC:-gcc} -o prog prog.s || fail "cannot assemble"

# finds NAME N: so many functions have it.
finds()
{
	ktap -l "process(\"./prog\").function(\"$1\")" >/dev/null
	test "$(grep -c 'function(' out)" = "$2" || fail "'$1' is not $2 functions: $(cat out err)"
}
finds shop::sell 1
finds sell 1
finds pay 2
finds shop::pay 2
finds 'shop::pay::<&str, u8>' 1
finds 'shop::pay<i64, (bool, char)>' 1
finds 'shop::*' 4
finds '<shop::till::Apple>::eat' 1
finds eat 1
finds shop::till::open 1
finds till::open 1
finds nosuch 0
