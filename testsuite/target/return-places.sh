#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Returns of functions in programs are probed at their return instructions: at all that objdump finds, or at none, and then for a reason that
# is said. The shapes that compilers and assemblers make are decided one by one.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
case $(uname -m) in x86_64) ;; *) echo "the code is of x86-64"; exit 77 ;; esac

cat >shapes.s <<'END'
	.macro function name
	.p2align 4
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm
	.macro end name
	.cfi_endproc
	.size \name, . - \name
	.endm
	.text
	function plain
	testl %edi, %edi
	je 1f
	ret
1:	rep ret
	end plain
	function pops
	jrcxz 1f
	bnd ret
1:	ret $16
	end pops
	function endless
	ud2
	end endless
	function spins
1:	jmp 1b
	end spins
	function tail
	testl %edi, %edi
	je plain
	ret
	end tail
	function pointer
	jmp *%rdi
	end pointer
	function table_of_functions
	jmp *functions(,%rdi,8)
	end table_of_functions
	function cases
	cmpl $2, %edi
	ja 3f
	jmp *table(,%rdi,8)
1:	ret
2:	addl $1, %eax
	ret
3:	ret
	end cases
	function distances
	leaq near(%rip), %rdx
	movslq (%rdx,%rdi,4), %rax
	addq %rdx, %rax
	jmp *%rax
4:	ret
5:	xorl %eax, %eax
	ret
	end distances
	function deep
	pushq %rbx
	.cfi_def_cfa_offset 16
	jmp *%rax
1:	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	end deep
	function marked
	nop
	notrack jmp *%rax
	end marked
	function into_middle
	jmp plain + 1
	end into_middle
	function half
	.byte 0xeb, 0xff, 0xc0, 0xc3, 0x90, 0xc3
	end half
	function no_code
	ret
	.byte 0x06
	end no_code
	function data
	movl 1f(%rip), %eax
	ret
1:	.byte 0x90, 0xc3, 0x90, 0xc3
	end data
	function runs_on
	nop
	end runs_on
	function thunk
	call 2f
1:	pause
	jmp 1b
2:	movq %rax, (%rsp)
	ret
	end thunk
	function far_away
	lretq
	end far_away
	function thunked
	jmp __x86_return_thunk
	end thunked
	function __x86_return_thunk
	ret
	end __x86_return_thunk
	function vectors
	vaddpd %zmm1, %zmm2, %zmm3{%k1}{z}
	endbr64
	.byte 0xc5, 0xf8, 0x77
	ret
	end vectors
	function split
	testl %edi, %edi
	jne split.cold
	ret
	end split
	function locked
	lock incl counter(%rip)
	ret
	end locked
	.globl no_size
	.type no_size, @function
no_size:
	testl %edi, %edi
	je 1f
	ret
1:	ret
	.p2align 4
	function main
	xorl %eax, %eax
	ret
	end main
	.section .text.unlikely, "ax", @progbits
	.type split.cold, @function
split.cold:
	movl $1, %eax
	ret
	.size split.cold, . - split.cold
	.section .rodata
	.p2align 3
table:	.quad 1b, 2b, 3b
	.section .data.rel.ro
counter: .long 0
functions: .quad plain, pops
	.section .note.GNU-stack, "", @progbits
END
# Labels of cases, which "b" above would not find.
sed -i 's/^table:.*/table: .quad case1, case2, case3/; s/^functions:/near: .long dist1 - near, dist2 - near\nfunctions:/' shapes.s
awk '/function cases/ { in_cases = 1 } /function distances/ { in_cases = 2 } /end distances/ { in_cases = 0 }
	in_cases == 1 && sub(/^[123]:/, "") { $0 = "case" ++n ":" $0 } in_cases == 1 { gsub(/3f/, "case3") }
	in_cases == 2 && sub(/^[45]:/, "") { $0 = "dist" ++d ":" $0 } { print }' shapes.s >shapes2.s
${CC:-gcc} -no-pie -o shapes shapes2.s || fail "cannot assemble"

# How the return of function $1 is found: numbers of instructions, or a reason.
found()
{
	ktap -p2 -v -e "probe process(\"./shapes\").function(\"$1\").return { next }"
	sed -n 's/its bytes at 0x[0-9a-f]*/its bytes/; s/^  # at .*, uprobe at /at /p; s/^  # at .*, \(uretprobe: .*\|never returns\)$/\1/p' out
}
expect()
{
	got=$(found "$1")
	case $got in
	at*)
		n=$(echo "$got" | tr ',' '\n' | grep -c 0x)
		got="$n returns" ;;
	esac
	[ "$got" = "$2" ] || fail "$1: $got, expected $2"
}
expect plain '2 returns'
expect pops '2 returns'
expect endless 'never returns'
expect spins 'never returns'
expect tail "uretprobe: it ends in a jump to 'plain'"
expect pointer 'uretprobe: it may end in a jump through a pointer'
expect table_of_functions 'uretprobe: it may end in a jump through a pointer'
expect cases '3 returns'
expect distances '2 returns'
expect deep 'uretprobe: it may have data among its code'
expect marked 'never returns'
expect into_middle "uretprobe: it jumps into the middle of 'plain'"
expect half 'uretprobe: it jumps into the middle of an instruction'
expect no_code 'uretprobe: its bytes are no instruction'
expect data 'uretprobe: it may have data among its code'
expect runs_on 'uretprobe: its code runs on past its end'
expect thunk 'uretprobe: it calls an address inside of itself'
expect far_away 'uretprobe: it ends in another way than by a return'
expect thunked '1 returns'
expect vectors '1 returns'
expect split '2 returns'
expect no_size '2 returns'

# A program that unwinds its stack: what it jumps to is followed.
cat >>shapes2.s <<'END'
	.section .gcc_except_table, "a", @progbits
	.long 0
END
${CC:-gcc} -no-pie -o shapes shapes2.s || fail "cannot assemble"
expect tail '3 returns'
ktap -p2 -e 'probe process("./shapes").function("pointer").return { next }'
accepted
said "warning: the return address of 'pointer' in .*/shapes is replaced while it runs: it may end in a jump through a pointer \[return\]"
said 'the program may notice (it has handlers of exceptions)'
ktap -p2 -e 'probe process("./shapes").function("plain").return { next }'
accepted
grep -q warning out err && fail "a warning: $(cat err)"
ktap -p2 -e 'probe process("./shapes").function("endless").return { next }'
said "warning: 'endless' never returns"

# A place where the kernel would set no breakpoint, and say nothing when the program is mapped later.
for point in 'function("locked")' 'function("locked").return' 'statement(0x'"$(nm shapes | sed -n 's/ T locked$//p')"')'; do
	ktap -p2 -e "probe process(\"./shapes\").$point { next }"
	refused no-match
	said "the kernel refuses a breakpoint at its first instruction, which has a prefix such as lock"
done
ktap -p2 -e 'probe process("./shapes").function("*") { next }'
accepted
said "warning: some places in .*/shapes are not probed, as 'locked'"

# objdump's returns are a second opinion on what compilers write.
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int pick(int n)
{
	switch (n) {
	case 0: return puts("a"); case 1: return atoi("7"); case 2: return n * 3; case 3: return -n; case 4: abort();
	case 5: return n << 4; case 6: return n ^ 9; case 7: return 1;
	}
	return 0;
}
__attribute__((noinline)) double sum(const double *d, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += d[i] * d[i];
	return s;
}
__attribute__((noinline)) int cold(int n)
{
	if (__builtin_expect(n > 100, 0)) { fprintf(stderr, "large %d\n", n); return rand() > 5 ? n : -n; }
	return n + 1;
}
int main(int argc, char **argv) { double d[] = { 1, 2 }; return pick(argc) + (int)sum(d, 2) + cold(argc) > 1000; }
END
compared=0
for flags in -O0 -O1 -O2 -O3 -Os '-O2 -march=skylake-avx512' '-O2 -fcf-protection' '-O2 -fPIE -pie'; do
	# shellcheck disable=SC2086
	${CC:-gcc} -g $flags -o prog prog.c || fail "cannot compile with $flags"
	objdump -d --no-show-raw-insn prog >listing
	ktap -p2 -v -e 'probe process("./prog").function("*@prog.c").return { next }'
	sed -n 's/^  # at [^ ]* \([a-z]*\) .*, uprobe at \(.*\)$/\1 \2/p' out | tr -d ',' >places
	while read -r name at; do
		for a in $at; do echo "$a"; done | sort >ours
		awk -v name="$name" '/^[0-9a-f]+ </ { in_it = $2 == "<" name ">:" || $2 == "<" name ".cold>:" }
			in_it && $2 ~ /^(ret|repz|bnd)/ { sub(":", "", $1); print "0x" $1 }' listing | sort >theirs
		cmp -s ours theirs || fail "$name with $flags: ktap $(cat ours), objdump $(cat theirs)"
		compared=$((compared + 1))
	done <places
done
[ "$compared" -gt 16 ] || fail "only $compared functions were compared"
