#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What BPF programs cannot do in programs is refused with one message, where it stands, and what can do it.
. "$SRCDIR/testsuite/lib/sh.sh"
a_kernel

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >prog.c <<'END'
#include <stdlib.h>
__thread int of_thread = 3;
struct big { long a[4]; } big;
__attribute__((noipa)) int other(int n) { return n + of_thread; }
__attribute__((noipa)) int jumps(int n) { return other(n + 1); }
__attribute__((noipa)) int deep(int n) { return other(n) + 1; }
int main(int argc, char **argv) { return jumps(argc) + deep(argc); }
END
${CC:-gcc} -g -O2 -o prog prog.c || fail "cannot compile prog.c"

# no POINT BODY TEXT CARET: refused with the text, at what CARET begins.
no()
{
	script="probe process(\"./prog\").$1 { $2 }"
	ktap -p3 -r "$R" --runtime=bpf -e "$script"
	refused bpf
	said "$3"
	said '--runtime=kernel, which loads a module, can'
	before=${script%%"$4"*}
	column=$((${#before} + 1))
	grep -q "^<command line>:1:$column: error: \|^[^:]*:1:$column: error: " err || fail "not at '$4', column $column"
	grep -q '^ *| *^' err || fail "no caret"
}

no 'function("other")' 'println($of_thread)' 'reading a variable of a thread' '$of_thread'
no 'function("other").callee("x")?, process("./prog").function("deep").callee("other")' 'println($n)' "callee" 'process("./prog").function("deep")'
no 'function("other")' 'println(ubacktrace())' "the function 'ubacktrace'" 'ubacktrace'
no 'begin' 'println(pid())' 'cannot be done by a BPF program' 'process'
