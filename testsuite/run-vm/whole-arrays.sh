#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Work on a whole array lets interrupts in: on a machine with one CPU its clock goes on meanwhile, in probes of begin, end,
# timers and procfs. An interrupt that comes in between has its handler.
. "$SRCDIR/testsuite/lib/process.sh"

vm_options='-s 1'
for release in $(kernels); do
	session ends --debuginfo=btf -DMAXACTION=10000000 -DMAXMAPENTRIES=200000 -e '
global a, b
function told(what, from) { println(what, jiffies() > from ? " let interrupts in" : " kept interrupts off") }
probe begin {
	for (i = 0; i < 200000; i++) { a[i] = i * 7919 % 200003; b[i % 1000, i] = 1 }
	j = jiffies(); foreach (x in a-) break; told("sort", j)
}
probe begin(1) { j = jiffies(); for (i = 0; i < 10; i++) foreach (x in a) n += x; told("loop", j); println(n); exit() }
probe end { j = jiffies(); delete b[*, 5]; delete b[*, 6]; delete b[*, 7]; told("slice", j) }
probe end(1) { j = jiffies(); n = [*, -1] in b; n += [*, -2] in b; n += [*, -3] in b; told("search", j); println(n) }
probe end(2) { foreach (x in a+) break; println(x); delete a; println(0 in a) }'
	session timer --debuginfo=btf -DMAXACTION=10000000 -DMAXMAPENTRIES=100000 -e '
global a, done
probe begin { for (i = 0; i < 100000; i++) a[i] = i * 7919 % 100003 }
probe timer.us(300) { println("tick ", ktime_get_ns()) }
probe timer.ms(50) {
	if (done++) next
	from = ktime_get_ns()
	foreach (x in a-) break
	printdln(" ", "sort", from, ktime_get_ns())
	exit()
}'
	boot
	result ends
	expect <<-EOF
	sort let interrupts in
	loop let interrupts in
	199999000000
	slice let interrupts in
	search let interrupts in
	0
	0
	0
	EOF
	result timer
	awk '$1 == "sort" { from = $2 + 0; to = $3 + 0 }
		$1 == "tick" { ticks[$2] }
		END { for (tick in ticks) n += tick + 0 > from && tick + 0 < to; exit !n }' out || fail "$release: no tick while the timer sorts: $(tail -c 200 out)"
	! grep 'Skipped due to' err | grep -v 'timer overrun' || fail "$release: hits were lost" # a slow machine overruns 300 us
done
