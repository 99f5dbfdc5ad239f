#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# What a function of a program calls is hit where that function calls it and nowhere else, at the entry and at the return,
# inlined or not, one level down or two; of 64 bits and of 32. The numbers passed tell the calls apart.
. "$SRCDIR/testsuite/lib/process.sh"

source='
static volatile int sink;
__attribute__((noipa)) int low(int n) { sink += n; return n * 2; }
static inline __attribute__((always_inline)) int within(int n) { sink++; return low(n + 100); }
__attribute__((noipa)) int mid(int n) { int r = low(n) + 1; sink++; return r; }
__attribute__((noipa)) int top(int n) { int r = mid(n) + within(n); sink++; return r; }
__attribute__((noipa)) int other(int n) { int r = low(n) + mid(n + 10); sink++; return r; }
int main(void) { int r = top(1) + other(2) + low(3); sink = r; return 0; }'
script='
global seen
function callee:string() { return ppfunc() }
probe process("./PROG").function("top").callee("within") { seen["top calls within"]++ }
probe process("./PROG").function("mid").callee("low").call { seen[sprintf("mid calls low(%d)", $n)]++ }
probe process("./PROG").function("mid").callee("low").return { seen[sprintf("low(%d) = %d in mid", $n, $return)]++ }
probe process("./PROG").function("other").callee("low").return { seen[sprintf("low = %d in other", $return)]++ }
probe process("./PROG").function("other").callees { seen[sprintf("other calls %s(%d)", callee(), $n)]++ }
probe process("./PROG").function("top").callees(2) {
	if (callee() != "within") seen[sprintf("below top %s(%d)", callee(), @choose_defined($n, 0))]++
}
probe process("./PROG").function("low") { seen["low"]++ }
probe end { foreach (what+ in seen) printf("%s: %d\n", what, seen[what]) }'

printf '%s\n' "$source" | program prog
programs=prog
# shellcheck disable=SC2154,SC2086
if (need_32bit) >/dev/null; then
	printf '%s\n' "$source" | program prog32 $m32
	programs='prog prog32'
fi
for release in $(kernels); do
	for program in $programs; do
		session "$program" -c "./$program" -e "$(printf '%s' "$script" | sed "s/PROG/$program/")"
	done
	boot
	for program in $programs; do
		result "$program"
		expect <<-'EXPECTED'
		below top low(1): 1
		below top low(101): 1
		below top mid(1): 1
		low: 5
		low = 4 in other: 1
		low(1) = 2 in mid: 1
		low(12) = 24 in mid: 1
		mid calls low(1): 1
		mid calls low(12): 1
		other calls low(2): 1
		other calls mid(12): 1
		top calls within: 1
		EXPECTED
	done
done
# What cannot be: nothing is called, nothing of that name is called, and without optimization no call is on record.
ktap -p2 -e 'probe process("./prog").function("low").callee("mid") { }'
refused no-match
said "'low' calls nothing that is known"
ktap -p2 -e 'probe process("./prog").function("top").callee("mit") { }'
refused no-match
said "did you mean 'mid'"
printf '%s\n' "$source" | program plain -O0
ktap -p2 -e 'probe process("./plain").function("mid").callees { }'
refused no-match
said 'compiled without -O'
