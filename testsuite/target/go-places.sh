#!/bin/sh
# Go's compiler writes locations as blocks in DWARF 4, and no line of a function's declaration: variables are found, and the line is
# that of the first instruction.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >prog.s <<'END'
	.file 1 "prog.go"
	.text
.Ltext:
	.globl main.work, main
	.type main.work, @function
main.work:
	.cfi_startproc
	.loc 1 7
	movq 8(%rsp), %rax
	ret
	.cfi_endproc
	.size main.work, . - main.work
.Lend:
	.type main, @function
main:
	pushq $42
	call main.work
	popq %rdx
	xorl %eax, %eax
	ret
	.size main, . - main
	.section .debug_info, "", @progbits
	.long .Linfo_end - .Linfo
.Linfo:
	.value 4
	.long .Labbrev
	.byte 8
	.uleb128 1
	.asciz "main"
	.byte 0x16		# DW_LANG_Go
	.long .Lline
	.quad .Ltext
	.quad .Lend
	.uleb128 2
	.asciz "main.work"
	.quad main.work
	.quad .Lend
	.byte 1, 0x9c		# DW_OP_call_frame_cfa
	.long 1
	.uleb128 3
	.asciz "n"
	.long .Lint - .Linfo + 4
	.byte 1, 0x9c
	.uleb128 3
	.asciz "m"
	.long .Lint - .Linfo + 4
	.byte 2, 0x91, 8	# DW_OP_fbreg 8
	.byte 0
.Lint:
	.uleb128 4
	.asciz "int"
	.byte 8, 5
	.byte 0
.Linfo_end:
	.section .debug_abbrev, "", @progbits
.Labbrev:
	.uleb128 1, 0x11; .byte 1; .uleb128 0x03, 8, 0x13, 0xb, 0x10, 0x17, 0x11, 1, 0x12, 1, 0, 0
	.uleb128 2, 0x2e; .byte 1; .uleb128 0x03, 8, 0x11, 1, 0x12, 1, 0x40, 0xa, 0x3a, 6, 0, 0
	.uleb128 3, 0x05; .byte 0; .uleb128 0x03, 8, 0x49, 0x13, 0x02, 0xa, 0, 0
	.uleb128 4, 0x24; .byte 0; .uleb128 0x03, 8, 0x0b, 0xb, 0x3e, 0xb, 0, 0
	.byte 0
	.section .debug_line, "", @progbits
.Lline:
	.section .note.GNU-stack, "", @progbits
END
${CC:-gcc} -no-pie -o goprog prog.s || fail "cannot assemble"

ktap -L 'process("./goprog").function("main.work")'
accepted
grep -q 'function("main.work@.*prog.go:7") \$n:int \$m:int$' out || fail "not listed: $(cat out)"
ktap -p2 -e 'probe process("./goprog").function("main.work") { println($n, $m) }'
accepted
