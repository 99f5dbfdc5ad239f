#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that is also inlined: `.return` of its name sees no return of the inlined calls, and a warning says so, with the functions
# that have them. No warning where no return of it is asked for by name, or where all calls are calls.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >prog.c <<'END'
static volatile int sum;
int half(int n) { return n / 2 + sum; }
int other(int n) { return n + sum; }
__attribute__((noipa)) void first(int n) { sum += half(n); }
__attribute__((noipa)) void second(int n) { sum -= half(n + 1); }
__attribute__((noipa)) int indirect(int (*f)(int), int n) { return f(n); }
int main(int argc, char **argv) { (void)argv; first(argc); second(argc); return indirect(half, 3) + indirect(other, 4); }
END
${CC:-gcc} -g -O2 -o prog prog.c || fail "cannot compile"

ktap -p2 -e 'probe process("./prog").function("half").return { }'
accepted
said "<input>:1:34: warning: calls of 'half' that are inlined have no return, and are not probed \\[inlined\\]"
said "note: half@.*prog.c:2 is inlined into first, second$"
test "$(grep -c '^process' out)" = 1 || fail "the copy is probed: $(cat out)"
ktap -W -p2 -e 'probe process("./prog").function("half").return { }'
refused inlined
for point in 'function("half").call' 'function("half")' 'function("hal*").return' 'function("other").return'; do
	ktap -p2 -e "probe process(\"./prog\").$point { }"
	accepted
	test ! -s err || fail "$point: $(cat err)"
done
ktap -l 'process("./prog").function("half").return'
test ! -s err || fail "a listing warns: $(cat err)"

# vfs_open() of the kernel is inlined into what opens files by path, and called by others.
R=$(ls /usr/lib/debug/boot/vmlinux-6.1.*-cloud-* 2>/dev/null | sed 's/.*vmlinux-//' | head -n 1)
test "$R" || exit 0
ktap -r "$R" -p2 -e 'probe kernel.function("vfs_open").return { }'
accepted
said "calls of 'vfs_open' that are inlined have no return, and are not probed \\[inlined\\]"
ktap -r "$R" -p2 -e 'probe kernel.function("vfs_read").return, vfs.open.return { }'
accepted
test ! -s err || fail "$(cat err)"
