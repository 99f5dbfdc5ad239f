#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Location expressions that branch, as gcc writes the smaller of two values: computed where the branch goes forward from one
# operation to the start of another, refused otherwise.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
[ "$(uname -m)" = x86_64 ] || exit 77

# variable NAME BYTES: one whose location is these bytes, then
# DW_OP_stack_value.
variable()
{
	cat <<-END
		.uleb128 4
		.string "$1"
		.long int_type - info
		.uleb128 2f - 1f
		1: .byte $2, 0x9f
		2:
	END
}
bra=0x28 skip=0x2f lit7=0x37 rdi=0x75,0 over=0x14 le=0x2c swap=0x16 drop=0x13 neg=0x1f
{
	cat <<'END'
	.text
	.globl main
	.type main, @function
main:	mov %edi, %eax
	ret
end:	.size main, . - main
	.section .debug_abbrev
	.uleb128 1, 0x11; .byte 1; .uleb128 0x13, 0x0b, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0	# unit
	.uleb128 2, 0x24; .byte 0; .uleb128 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b, 0, 0			# int
	.uleb128 3, 0x2e; .byte 1; .uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0			# function
	.uleb128 4, 0x34; .byte 0; .uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0			# variable
	.uleb128 0
	.section .debug_info
info:	.long info_end - 0f
0:	.value 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1; .byte 0x0c; .string "a.c"; .quad main, end - main
int_type: .uleb128 2; .string "int"; .byte 5, 4
	.uleb128 3; .string "main"; .quad main, end - main
END
	variable smaller "$rdi, $lit7, $over, $over, $le, $bra,1,0, $swap, $drop"
	variable either "$rdi, $rdi, $bra,4,0, $neg, $skip,1,0, $neg, $neg"
	variable back "$rdi, $rdi, $bra,0xfb,0xff"
	variable inside "$rdi, $rdi, $bra,1,0, $rdi"
	variable lopsided "$rdi, $rdi, $bra,1,0, $lit7"
	cat <<'END'
	.byte 0, 0
info_end:
	.section .note.GNU-stack, "", @progbits
END
} >t.s
${CC:-gcc} -o t t.s || fail "cannot assemble"

# The debugging information is what it was meant to be.
gdb -nx -batch -ex 'info scope main' ./t >scope 2>&1 && grep -q 'DW_OP_bra' scope || echo "no gdb to look at it"

ktap -L 'process("./t").function("main")'
accepted
printed '\$smaller:int \$either:int$'
ktap -p3 -e 'probe process("./t").function("main") { println($smaller, $either) }'
accepted
printed ' if (d[0-9]*) {.*} else {.*}'
for name in 'back:branches back' 'inside:is malformed' 'lopsided:leave different stacks'; do
	ktap -p3 -e "probe process(\"./t\").function(\"main\") { println(\$${name%%:*}) }"
	refused optimized-out
	said "${name#*:}"
done
