#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A return probe in a program of Go is refused, since its stacks move; entries and lines are probed. Go's linker leaves its build-id
# in a note: here the assembler does.
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

for point in 'function("main.work").return' 'function("*").return' 'function("main.work").return.maxactive(5)' 'plt.return'; do
	ktap -p2 -e "probe process(\"./goprog\").$point { next }"
	refused go-return
	said 'program of Go'
done
for point in 'function("main.work")' 'function("main.work").call' 'function("main.work").return ?, begin'; do
	ktap -p2 -e "probe process(\"./goprog\").$point { next }"
	accepted
done
grep -q 'main.work.*return' out && fail "an optional return probe is there"
ktap -p2 -e 'probe process("./plain").function("main.work").return { next }'
accepted

# A name without its package.
ktap -l 'process("./goprog").function("work")'
refused no-match
said "did you mean 'main.work'?"
ktap -p2 -e 'probe process("./goprog").function("main.work").return { }'
refused go-return
said "statement(\"main.work@\*:\*\")' lists its lines"

# A program without any name of a function.
strip plain
ktap -l 'process("./plain").function("*")'
refused no-match
said 'note: it has no names of functions; its calls of libraries are process(".*/plain").plt, of the kernel .syscall$'
ktap -l 'process("/bin/ls").plt'
accepted
