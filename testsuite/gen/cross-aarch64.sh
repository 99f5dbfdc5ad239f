#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Generated C, the core, the runtime of processes and the architecture's own header compile for aarch64. Nothing of it is run.
. "$SRCDIR/testsuite/lib/sh.sh"
CC=aarch64-linux-gnu-gcc
command -v $CC >/dev/null || { echo "$CC is not installed"; exit 77; }
flags="-std=gnu11 -O1 -Wall -Wextra -Wno-unused-parameter -Wno-unused-function -Werror -D_GNU_SOURCE -I$SRCDIR -I$BUILDDIR -c -o x.o"

# What the kit asks of an architecture, both answer.
for name in $(cd "$SRCDIR/runtime" && cat kit/*.[ch] | grep -o -w 'KT_ARCH_[A-Z_0-9]*\|kt_arch_[a-z_0-9]*' | sort -u); do
	grep -q -w "$name" "$SRCDIR/runtime/arch/x86_64.h" || continue # the kit's own
	grep -q -w "$name" "$SRCDIR/runtime/arch/aarch64.h" || fail "aarch64.h has no $name"
done

# The header itself, with the kernel's struct pt_regs written down here: the start of it is that of the user's, which the C
# library has. Registers are where DWARF's numbers say.
mkdir -p stub/linux
cat >stub/linux/ptrace.h <<'EOF'
#include <asm/ptrace.h>
#include <stdbool.h>
#define IS_ENABLED(option) 0
struct pt_regs { unsigned long regs[31], sp, pc, pstate, orig_x0; int syscallno; };
static inline bool compat_user_mode(struct pt_regs *regs) { return regs->pstate & 16; }
EOF
echo '#include <stddef.h>' >stub/linux/stddef.h
cat >arch.c <<'EOF'
#include "runtime/arch/aarch64.h"
extern void wrong(void) __attribute__((error("a register is elsewhere")));
void check(void);
void check(void)
{
	if (kt_arch_registers[0] != offsetof(struct user_pt_regs, regs[0]) ||
	    kt_arch_registers[29] != offsetof(struct user_pt_regs, regs[29]) ||
	    kt_arch_registers[31] != offsetof(struct user_pt_regs, sp) ||
	    kt_arch_registers[32] != offsetof(struct user_pt_regs, pc))
		wrong();
}
EOF
$CC $flags -O2 -Wno-unused-const-variable -Istub arch.c 2>err || fail "runtime/arch/aarch64.h"

for test in arith-variables array-wrap concat foreach-slice foreach-sort hist-log locks-and-next nested-catch printf printf-binary \
	recursion regex sprintf stat-operators string-truncation tapset-strings timers try-catch; do
	ktap -p3 --runtime=user "$SRCDIR/testsuite/run-user/$test.stp"
	test "$status" = 0 || continue # it expects arguments
	n=$((n + 1))
	cp out generated.c
	$CC $flags generated.c 2>err || fail "$test does not compile"
done
test "$n" -ge 15 || fail "only $n scripts were translated"

for source in "$SRCDIR"/runtime/core/*.c "$SRCDIR"/runtime/user/*.c; do
	$CC $flags "$source" 2>err || fail "$source"
done

# Places, registers, memory and a kretprobe, for the kernel that is here: what the C does with registers is x86's numbers.
release=$(kernels)
test -n "$release" || exit 0
ktap -p3 -r "${release%% *}" -e 'global n, seen probe kernel.function("vfs_read").return { n++; seen[execname()] <<< $return }
	probe kernel.function("vfs_read") { println(kernel_string($file->f_path->dentry->d_name->name), $count, $$parms) }
	probe kernel.trace("sched_switch") { n += $next->pid } probe timer.s(1) { foreach (x in seen) println(x, @avg(seen[x])) }'
accepted
cp out generated.c
$CC $flags generated.c 2>err || fail "the kernel's script does not compile"
