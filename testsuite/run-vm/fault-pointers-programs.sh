#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A program hands wild pointers to a function of its own and to the kernel: members, arrays, bitfields, structures that are printed whole,
# strings, dumps and writes by way of $variables are values or errors, whatever the pointer, and the kernel has nothing to complain about.
. "$SRCDIR/testsuite/lib/process.sh"

program wild <<'END'
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
struct inner { int x; char text[8]; };
struct outer {
	unsigned int low : 3, middle : 17, high : 12;
	int64_t wide : 50;
	struct inner in, *to, many[4];
	struct outer *next;
	const char *name;
	double real;
	_Bool yes;
};
__attribute__((noipa)) int look(struct outer *p, struct outer **pp, char *text) { return 1; }
int main(void)
{
	/* Null, small, not mapped, at the end of users' memory, not canonical, the kernel's, holes, the last bytes. */
	static const uint64_t wild[] = {
		0, 1, 4095, 0x400000000, 0x7ffffffff000, 0x7ffffffffff9, 0x7fffffffffff, 0x800000000000, 0x1234567812345678,
		0x7fffffffffffffff, 0x8000000000000000, 0xffff7fffffffffff, 0xffff800000000000, 0xfffffe0000000000,
		0xffffffff81000000, 0xffffffffff5fffff, 0xffffffffff600000, 0xfffffffffffff000, 0xffffffffffffffff,
	};

	for (unsigned i = 0; i < sizeof(wild) / sizeof(wild[0]); i++) {
		/* A good one whose own pointers are wild. */
		struct outer good = { .to = (void *)wild[i], .next = (void *)wild[i], .name = (void *)wild[i] }, *p = &good;

		look((void *)wild[i], (void *)wild[i], (void *)wild[i]);
		look(&good, &p, (char *)&good);
		syscall(SYS_write, 1, wild[i], 1ul << 40);
		syscall(SYS_openat, -100, wild[i], wild[i], wild[i]);
	}
	return 0;
}
END

# reads PREFIX POINTER EXPRESSION...: one try each, where the text P is the pointer.
reads()
{
	p=$1
	shift
	for e; do
		e=$(printf '%s' "$e" | sed "s/\\<P\\>/$p/g")
		echo "	try { done++; kept .= sprint($e) } catch { failed++ } kept = \"\""
	done
}
{
	echo 'global done, failed, hits, kept'
	echo 'probe process("./wild").function("look") { hits++'
	reads '$p' 'P->low' 'P->middle' 'P->high' 'P->wide' 'P->in->x' 'P->in->text[7]' 'P->to->x' 'P->to->text[3]' 'P->many[3]->x' \
		'P->many[1000000]->x' 'P->many[-1000000]->x' 'P->next->next->next->low' 'P->next->high' 'P->next->name[5]' 'P->yes' 'P$' 'P$$' 'P->in$' 'P->in$$' 'P->to$' 'P->to$$' 'P->many$' 'P->many$$' 'P->next$$' 'P->name$' '&P->many[2]' \
		'user_string(P->name)' 'user_string_n(P->next->name, 100)' 'P[1]->low' 'P[-1]->high' 'P[1 << 40]->low'
	reads '$pp' 'P[0]->low' 'P[1]->to->x' 'P$' 'P$$'
	reads '$text' 'P[0]' 'P[-1]' 'P[0x7fffffff]' 'P$' 'user_string(P)' 'sprintf("%8M", P)' 'sprintf("%m", P)' \
		'kernel_string(P)' '@cast(P, "outer", "./wild")->next->high' '@cast(P, "task_struct", "kernel")->mm->owner->pid'
	reads '$$vars' 'P' 'P$' 'P$$'
	reads '$$parms' 'P$' 'P$$'
	echo '}'
	echo 'probe kernel.function("ksys_write") { if (pid() != target()) next hits++'
	reads '$buf' 'P[0]' 'P[1000000]' 'P[-1]' 'P$' 'user_string(P)' 'kernel_string(P)' 'kernel_long(P)' 'user_long(P)' 'sprintf("%8M", P)' \
		'user_string_n(P, $count)' 'kernel_string_n(P, $count)' '@cast(P, "task_struct")->comm$' '@cast(P, "file")$$' '$$parms$$' \
		'@cast(P, "sk_buff")->cloned' '@cast(P, "page")$'
	echo '}'
	echo 'probe kernel.function("do_sys_open*") { if (pid() != target()) next hits++'
	reads '$filename' 'P[0]' 'P$' 'user_string(P)' 'kernel_string(P)' '$$vars$$' '$$parms$'
	echo '}'
	echo 'probe syscall.openat, syscall.write { if (pid() != target()) next hits++'
	reads 'x' 'argstr' 'name'
	echo '}'
	echo 'probe end { println(hits > 0 && done > 0 && failed > 0 ? "looked" : sprint(hits, " ", done, " ", failed)) println(kept) }'
} >reads.stp
cat >writes.stp <<'END'
global done, failed
function try_all(p)
{
	try { done++; @cast(p, "task_struct", "kernel")->pid = 1 } catch { failed++ }
	try { done++; set_kernel_long(p, 1) } catch { failed++ }
	try { done++; set_kernel_string(p, "text") } catch { failed++ }
	try { done++; set_user_long(p, 1) } catch { failed++ }
}
probe process("./wild").function("look") {
	if ($p < 0 || $p < 0x800000 || $p == 0x400000000 || $p >= 0x7ffffffff000) {
		if ($p != 0xffffffff81000000) try_all($p)
		try { done++; $p->low = 1 } catch { failed++ }
		try { done++; $p->to->x = 1 } catch { failed++ }
		try { done++; $text[0] = 1 } catch { failed++ }
	}
}
probe end { printf("%d of %d\n", failed, done) }
END

# On one kernel: what reads memory is the same code on all.
for release in $(kernels | sed 's/ .*//'); do
	for script in reads writes; do
		session $script -g -DMAXACTION=100000 -DMAXERRORS=0 -c ./wild $script.stp
	done
	boot
	for script in reads writes; do
		mv results/$script.err results/$script.all
		grep -v 'Child process exited' results/$script.all >results/$script.err
		result $script
		cat out
	done
done
