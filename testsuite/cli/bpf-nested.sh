#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A chain of functions and loops that is longer than the kernel allows, or takes more stack, is refused before the kernel sees it. In ktaprun,
# where begin and end run, it may be longer. run-vm/bpf-refused has one of the longest that the kernel takes.
. "$SRCDIR/testsuite/lib/sh.sh"
a_kernel

functions='
function f8(n) { return n + 1 }
function f7(n) { return f8(n) + 1 }
function f6(n) { return f7(n) + 1 }
function f5(n) { return f6(n) + 1 }
function f4(n) { while (n < 3) n++; return f5(n) + 1 }
function f3(n) { return f4(n) + 1 }
function f2(n) { for (i = 0; i < 2; i++) n += f3(i); return n }'
ktap -p3 -r "$R" --runtime=bpf -e "global n probe kernel.trace(\"sys_enter\") { n += f2(1) } $functions"
refused bpf
said 'functions and loops of the handler are nested 8 deep; a BPF program may have 7'
said '--runtime=kernel, which loads a module, takes it'
ktap --runtime=bpf -e "probe begin { println(f2(1)); exit() } $functions"
accepted
# f3() is 9 both times
test "$(cat out)" = 19 || fail "$(cat out)"

wide='(n + 1) * ((n + 2) * ((n + 3) * ((n + 4) * ((n + 5) * ((n + 6) * ((n + 7) * (n + pid() * (n + '
end=')))))))) }'
ktap -p3 -r "$R" --runtime=bpf -e "global n probe kernel.trace(\"sys_enter\") { n += w0(1) }
function w0(n) { return $wide w1(n) $end function w1(n) { return $wide w2(n) $end
function w2(n) { return $wide w3(n) $end function w3(n) { return $wide n $end"
refused bpf
said 'bytes of stack; a BPF program has 512'
said 'assign parts of long expressions to variables first'
