#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 64 sessions at once, of one module file: each is loaded under a name of its own, counts and ends. The kernel's memory for
# static per-CPU data of all modules is 8 KiB: with more than 128 bytes of it a session this is a complaint.
. "$SRCDIR/testsuite/lib/process.sh"

limit=900
# On one kernel: cli/module-per-cpu looks at the size on all.
for release in $(kernels | sed 's/ .*//'); do
	module many -s 1 --debuginfo=btf -e "
global hits
probe kernel.function(\"${wrapper}_getpgid\") { if (execname() == \"caller\") hits++ }
probe end { println(hits) }"
	in_guest_silent <<'END'
mkdir -p /tmp/many
# One at a time, and stopped once it runs: 64 loaders that poll would keep an emulated CPU busy.
n=1
while [ $n -le 64 ]; do
	"$KTAPRUN" kt_many.ko >/tmp/many/$n.out 2>/tmp/many/$n.err </dev/null & pid=$!
	name=kt_many
	[ $n = 1 ] || name=kt_many_$n
	until in_state $name running; do sleep 0.1; kill -0 $pid || { cat /tmp/many/$n.err; exit 1; }; done
	kill -STOP $pid
	pids="$pids $pid"
	n=$((n + 1))
done
./caller
kill -INT $pids
kill -CONT $pids
wait
[ "$(cat /tmp/many/*.out | sort | uniq -c | sed "s,^ *,,")" = "64 3" ] || cat /tmp/many/*.out
cat /tmp/many/*.err
! grep '^kt_many' /proc/modules
END
	printf '#include <unistd.h>\nint main(void) { getpgid(0); getpgid(0); return getpgid(0) < 0; }\n' >caller.c
	${CC:-gcc} -o caller caller.c || fail "cannot compile caller.c"
	boot
	silent
done
