#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Samples of a program that computes are as many as the CPU time that it measured asks for, at each tick, and at a rate. A machine that is
# stopped for a while leaves samples out, never adds any. Events are counted one by one.
. "$SRCDIR/testsuite/lib/process.sh"

program spin <<'EOF'
#include <stdio.h>
#include <time.h>

int main(void)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec < 4);
	printf("T %ld\n", t.tv_sec * 1000 + t.tv_nsec / 1000000);
	return 0;
}
EOF
cat >profile.stp <<'EOF'
global ticks, slow, switches
probe timer.profile { if (execname() == "spin") ticks++ }
probe timer.profile.freq.hz(50) { if (execname() == "spin") slow++ }
# Software event 3: context switches.
probe perf.type(1).config(3).sample(1) { switches++ }
probe end { printf("ticks %d slow %d switches %d\n", ticks, slow, switches > 0) }
EOF

# between NUMBER LEAST MOST
between()
{
	test "$1" -ge "$2" && test "$1" -le "$3"
}

for release in $(kernels); do
	bpf_session profile -c ./spin profile.stp
	boot
	result profile
	hz=$(sed -n 's/^CONFIG_HZ=//p' "/boot/config-$release")
	cpu=$(sed -n 's/^T //p' out)
	# shellcheck disable=SC2046
	set -- $(grep '^ticks' out)
	echo "$release: $cpu ms of CPU time, $hz ticks a second: $*"
	between "$2" $((cpu * hz / 2000)) $((cpu * hz * 11 / 10000)) || fail "$2 ticks"
	between "$4" $((cpu * 50 / 2000)) $((cpu * 50 * 11 / 10000)) || fail "$4 samples"
	test "$6" = 1 || fail "no switch was seen"
done
