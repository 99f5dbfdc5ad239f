#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Returns in a program of Go are probed at return instructions alone, since its stacks move: functions whose return instructions are not
# known are refused, and left out of patterns. Go's linker leaves its build-id in a note: here the assembler does.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >prog.s <<'END'
	.text
	.globl main.work, main
	.type main.work, @function
main.work:
	ret
	.size main.work, . - main.work
	.globl main.leave
	.type main.leave, @function
main.leave:
	jmp *%rax
	.size main.leave, . - main.leave
	.type main, @function
main:
	call main.work
	xorl %eax, %eax
	ret
	.size main, . - main
	.section .note.go.buildid, "a", @note
	.long 4, 4, 4
	.asciz "Go\0"
	.ascii "abcd"
	.section .note.GNU-stack, "", @progbits
END
${CC:-gcc} -o goprog prog.s && sed '/\.note\.go/,/abcd/d' prog.s >plain.s && ${CC:-gcc} -o plain plain.s || fail "cannot assemble"

for point in 'function("main.leave").return' 'function("main.leave").return.maxactive(5)' 'plt.return'; do
	ktap -p2 -e "probe process(\"./goprog\").$point { next }"
	refused go-return
	said 'would break the program when Go moves the stack'
done
ktap -p2 -v -e 'probe process("./goprog").function("main.*").return { next }'
accepted
said "warning: some returns in .*/goprog are not probed, as that of 'main.leave': it may end in a jump through a pointer \[go-return\]"
printed 'main\.work, uprobe at 0x'
printed '^main\.leave at 0x.*: it may end in a jump'
grep -q '"main.leave' out && fail "a refused return is there"
for point in 'function("main.work")' 'function("main.work").return' 'function("main.leave").call' 'function("main.leave").return ?, begin'; do
	ktap -p2 -e "probe process(\"./goprog\").$point { next }"
	accepted
done
grep -q 'main.leave.*return' out && fail "an optional return probe is there"
ktap -p2 -e 'probe process("./plain").function("main.work").return { next }'
accepted

# A name without its package.
ktap -l 'process("./goprog").function("work")'
refused no-match
said "did you mean 'main.work'?"
ktap -p2 -e 'probe process("./goprog").function("main.leave").return { }'
refused go-return
said "statement(\"main.leave@\*:\*\")' lists its lines"

# A program without any name of a function.
strip plain
ktap -l 'process("./plain").function("*")'
refused no-match
said 'note: it has no names of functions; its calls of libraries are process(".*/plain").plt, of the kernel .syscall$'
ktap -l 'process("/bin/ls").plt'
accepted
