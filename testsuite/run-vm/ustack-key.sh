#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A stack as text is the same in all runs of a program, wherever it was loaded: as a key, two runs are one element. In a callee
# ppfunc() is the function that was called, and probefunc() has the program's name for it.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pie -fPIE <<'END'
static volatile int sink;
__attribute__((noipa)) void leaf(int n) { sink += n; }
__attribute__((noipa)) void middle(int n) { leaf(n); sink++; }
int main(void) { middle(1); return 0; }
END
cat >script.stp <<'END'
global stacks, lists, names
probe process("./prog").function("leaf") {
	stacks[sprint_ubacktrace()]++
	lists[sprint_usyms(ucallers(2))]++
}
probe process("./prog").function("main").callees(2) { names[ppfunc(), probefunc()]++ }
probe end {
	foreach (s in stacks) printf("%d %s", stacks[s], substr(s, 0, strpos(s, " [")))
	println("")
	foreach (s in lists) printf("%d %s", lists[s], s)
	foreach ([p+, f] in names) println(p, " ", f, " ", names[p, f])
}
END
for release in $(kernels); do
	in_vm -c 'sh -c "./prog; ./prog; ./prog"' -DMAXSTRINGLEN=2048 script.stp
	sed -E 's@\+0x[1-9a-f][0-9a-f]*/@+0xN/@; s@/0x[0-9a-f]+@/0xN@; s@\[.*/@[@' out >shown
	expected="3 leaf+0x0/0xN
3 leaf+0x0/0xN [prog]
middle+0xN/0xN [prog]
leaf leaf 3
middle middle 3"
	test "$(cat shown)" = "$expected" || fail "stacks on $release: $(cat shown)"
done
