#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debugging information that nobody's compiler writes: a structure that contains itself, unnamed, eight times, with members of its own and
# without; a function type with eight parameters of its own type; structures of which each has 64 of the next, and a hundred that contain
# one another, unnamed. Following each of them as deep as a type may be would never end.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
limit=60

# entries TEXT: eight times.
entries()
{
	for _ in 1 2 3 4 5 6 7 8; do
		echo "$1"
	done
}

# uleb128 pairs: tag, children, attributes and forms. Constants: DWARF 4, section 7.5.
cat >knot.s <<END
	.text
	.globl main
	.type main, %function
main:	nop
	nop
end:	.size main, end - main
	.section .debug_abbrev,"",%progbits
abbrev:	.uleb128 1, 0x11; .byte 1; .uleb128 3, 8, 0x13, 0xb, 0x11, 1, 0x12, 7, 0, 0	// compile unit: name, language, low, high
	.uleb128 2, 0x2e; .byte 1; .uleb128 3, 8, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0x40, 0x18, 0, 0 // subprogram: the same, external, frame
	.uleb128 3, 5; .byte 0; .uleb128 3, 8, 0x49, 0x13, 2, 0x18, 0, 0		// formal parameter: name, type, location
	.uleb128 4, 0xf; .byte 0; .uleb128 0xb, 0xb, 0x49, 0x13, 0, 0			// pointer: size, type
	.uleb128 5, 0x13; .byte 1; .uleb128 3, 8, 0xb, 0xb, 0, 0			// structure: name, size
	.uleb128 6, 0xd; .byte 0; .uleb128 0x49, 0x13, 0x38, 0xb, 0, 0			// member without a name: type, offset
	.uleb128 7, 0xd; .byte 0; .uleb128 3, 8, 0x49, 0x13, 0x38, 0xb, 0, 0		// member: name, type, offset
	.uleb128 8, 0x24; .byte 0; .uleb128 3, 8, 0xb, 0xb, 0x3e, 0xb, 0, 0		// base type: name, size, encoding
	.uleb128 9, 0x15; .byte 1; .uleb128 0x49, 0x13, 0, 0				// subroutine: what it returns
	.uleb128 10, 5; .byte 0; .uleb128 0x49, 0x13, 0, 0				// its parameter: type
	.uleb128 0
	.section .debug_info,"",%progbits
unit:	.4byte last - version
version:	.2byte 4
	.4byte abbrev
	.byte 8
	.uleb128 1; .asciz "knot.c"; .byte 12; .8byte main, end - main
	.uleb128 2; .asciz "main"; .8byte main, end - main; .byte 1, 0x9c
	.uleb128 3; .asciz "p"; .4byte pointer - unit; .byte 1, 0x50
	.uleb128 3; .asciz "call"; .4byte calls - unit; .byte 1, 0x51
	.uleb128 3; .asciz "wide"; .4byte wide_1 - unit; .byte 2, 0x91, 0x60		// in the frame
	.uleb128 3; .asciz "h"; .4byte holder - unit; .byte 1, 0x52
	.uleb128 3; .asciz "d"; .4byte deep - unit; .byte 1, 0x53
	.byte 0
holder:	.uleb128 4; .byte 8; .4byte held - unit
held:	.uleb128 5; .asciz "held"; .byte 8
	.uleb128 6; .4byte blind - unit; .byte 0
	.uleb128 7; .asciz "last"; .4byte int - unit; .byte 4
	.byte 0
blind:	.uleb128 5; .asciz "blind"; .byte 8
$(entries '	.uleb128 6; .4byte blind - unit; .byte 0')
	.byte 0
$(for i in 1 2 3 4 5 6 7 8; do
	echo "wide_$i:	.uleb128 5; .asciz \"wide_$i\"; .byte 8; .rept 64"
	echo "	.uleb128 7; .asciz \"x\"; .4byte wide_$((i + 1)) - unit; .byte 0; .endr; .byte 0"
done)
wide_9:	.uleb128 8; .asciz "char"; .byte 1, 6
deep:	.uleb128 4; .byte 8; .4byte deep_0 - unit
$(for i in $(seq 0 99); do
	echo "deep_$i:	.uleb128 5; .asciz \"deep_$i\"; .byte 8; .uleb128 6; .4byte deep_$((i + 1)) - unit; .byte 0, 0"
done)
deep_100:	.uleb128 5; .asciz "deep_100"; .byte 8; .uleb128 7; .asciz "bottom"; .4byte int - unit; .byte 0, 0
pointer:	.uleb128 4; .byte 8; .4byte knot - unit
knot:	.uleb128 5; .asciz "knot"; .byte 8
$(entries '	.uleb128 6; .4byte knot - unit; .byte 0')
	.uleb128 7; .asciz "end"; .4byte int - unit; .byte 4
	.byte 0
int:	.uleb128 8; .asciz "int"; .byte 4, 5
calls:	.uleb128 4; .byte 8; .4byte call - unit
call:	.uleb128 9; .4byte calls - unit
$(entries '	.uleb128 10; .4byte calls - unit')
	.byte 0
	.byte 0
last:	.section .note.GNU-stack,"",%progbits
END
sed -i 's://.*::' knot.s
${CC:-gcc} -no-pie -o knot knot.s || fail "cannot assemble"

ktap -L 'process("./knot").function("main")'
accepted
printed 'p:struct knot\*'
printed 'call:.*\.\.\.'
ktap -p2 -e 'probe process("./knot").function("main") { println($p->end) }'
accepted
ktap -p2 -e 'probe process("./knot").function("main") { println($p->none) }'
refused target-member
said "note: it has: end\$"
# Behind what never ends, and no member of the register that the convention says.
ktap -p3 -e 'probe process("./knot").function("main") { println($h->last, $h$$) }'
accepted
printed '+ 4), 4)'
ktap -p2 -e 'probe process("./knot").function("main") { println(&$wide) }'
refused target-type
said 'it is in a register at this place'
# What is too deep is not said to be absent without a word.
ktap -p2 -e 'probe process("./knot").function("main") { println($d->bottom) }'
refused target-member
said "warning: .*knot: members that lie more than 64 structures deep, as in 'struct deep_0', are left out"
test "$(grep -c 'warning: ' err)" = 1 || fail "more than one warning"
ktap -p2 -e 'probe process("./knot").function("main") { println($p$$, $call$) }'
accepted
