#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Where a function returns to, and the calls that led to it, are the same while the kernel's own function_graph tracer hooks its return,
# whether it or the session began first.
. "$SRCDIR/testsuite/lib/process.sh"

cat >returns.stp <<'END'
global seen
probe kernel.function("vfs_statx").return, kprobe.function("vfs_statx").return {
	if (execname() == "stat" && !seen[pp()]++) {
		printf("%s\n%s\n", pp(), symname(addr()))
		print_stack(backtrace())
	}
}
END
# frames NAME: the functions of each stack that session NAME printed.
frames() { sed 's/+0x.*//; s/^.*: //' <"results/$1.out"; }

cat >late <<'END'
for file in /sys/kernel/tracing/current_tracer; do
	echo function_graph >$file
	stat / >/dev/null
	echo nop >$file
done
END
for release in $(kernels); do
	session plain returns.stp -c 'stat / >/dev/null'
	in_guest 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
		echo vfs_statx >/sys/kernel/tracing/set_ftrace_filter'
	session late returns.stp -c 'sh ./late'
	in_guest 'echo function_graph >/sys/kernel/tracing/current_tracer'
	session graph returns.stp -c 'stat / >/dev/null'
	in_guest 'grep -c "vfs_statx" /sys/kernel/tracing/trace >$RESULTS/traced
		echo nop >/sys/kernel/tracing/current_tracer'
	boot
	test "$(cat results/traced)" -gt 0 || fail "$release: the graph tracer saw nothing"
	result plain
	frames plain >plain
	test "$(wc -l <plain)" -gt 8 || fail "$release: too short a stack without the tracer"
	for name in late graph; do
		result $name
		frames $name >stacks
		diff plain stacks || fail "$release: with the tracer ($name) the stacks are others"
	done
done
