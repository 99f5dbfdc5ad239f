#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that are defined inside of namespaces, as rustc describes them, are found by address and by demangled name, with their
# variables. The assembler writes that debugging information here.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >prog.s <<'END'
	.file 1 "shop.rs"
	.text
.Ltext:
	.globl main
	.type main, @function
main:
	.loc 1 3
	xorl %eax, %eax
	ret
	.size main, . - main
	.type _RINvCsbxQjNsTKZZh_4shop3payxE, @function
_RINvCsbxQjNsTKZZh_4shop3payxE:
.Lpay:
	.loc 1 7
	movq %rdi, %rax
	ret
.Lpay_end:
	.size _RINvCsbxQjNsTKZZh_4shop3payxE, . - _RINvCsbxQjNsTKZZh_4shop3payxE
.Lend:
	.section .debug_abbrev, "", @progbits
	.byte 1, 0x11, 1, 0x03, 8, 0x13, 5, 0x10, 0x17, 0x11, 1, 0x12, 7, 0, 0
	.byte 2, 0x39, 1, 0x03, 8, 0, 0
	.byte 3, 0x2e, 1, 0x03, 8, 0x6e, 8, 0x11, 1, 0x12, 7, 0x3a, 0xb, 0x3b, 0xb, 0x40, 0x18, 0, 0
	.byte 4, 0x05, 0, 0x03, 8, 0x49, 0x13, 0x02, 0x18, 0, 0
	.byte 5, 0x24, 0, 0x03, 8, 0x3e, 0xb, 0x0b, 0xb, 0, 0
	.byte 0
	.section .debug_info, "", @progbits
.Linfo:
	.long .Linfo_end - .Linfo_start
.Linfo_start:
	.value 4
	.long .debug_abbrev
	.byte 8
	.byte 1
	.asciz "shop.rs"
	.value 0x1c
	.long .debug_line
	.quad .Ltext
	.quad .Lend - .Ltext
.Li64:
	.byte 5
	.asciz "i64"
	.byte 5, 8
	.byte 2
	.asciz "shop"
	.byte 3
	.asciz "pay<i64>"
	.asciz "_RINvCsbxQjNsTKZZh_4shop3payxE"
	.quad .Lpay
	.quad .Lpay_end - .Lpay
	.byte 1, 7
	.byte 1, 0x9c
	.byte 4
	.asciz "t"
	.long .Li64 - .Linfo
	.byte 1, 0x55
	.byte 0, 0, 0
.Linfo_end:
	.section .debug_aranges, "", @progbits
	.long .Laranges_end - .Laranges
.Laranges:
	.value 2
	.long .debug_info
	.byte 8, 0, 0, 0, 0, 0
	.quad .Ltext
	.quad .Lend - .Ltext
	.quad 0, 0
.Laranges_end:
	.section .debug_line, "", @progbits
	.section .note.GNU-stack, "", @progbits
END
${CC:-gcc} -o prog prog.s || fail "cannot assemble"
address=$(nm prog | sed -n 's/^\([0-9a-f]*\) t _RINv.*/0x\1/p')

# is POINT: it is that function, with its variable.
is()
{
	ktap -L "process(\"./prog\").$1"
	accepted
	grep -q 'function(\("shop::pay<i64>@shop\.rs:7"\|0x[0-9a-f]*\)) \$t:i64$' out || fail "'$1' is $(cat out err)"
}
is 'function("pay<i64>")'
is "function($address)"
is 'function("shop::pay")'
is 'function("pay")'
is 'function("shop::pay::<i64>")'
ktap -p3 -e 'probe process("./prog").function("pay") { println($t) }'
accepted
