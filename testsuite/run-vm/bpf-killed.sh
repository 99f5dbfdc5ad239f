#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A ktaprun with BPF programs that is killed leaves nothing: its programs run no more, and nothing is pinned or registered. Two sessions at once
# count the same hits. A session goes on while a CPU is unplugged, and one of a process that ended does not begin.
. "$SRCDIR/testsuite/lib/process.sh"

program calls <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(void) {
	int fd = open("/dev/zero", O_RDONLY);
	for (int i = 0; i < 1000; i++) lseek(fd, i, SEEK_SET);
	return 0;
}
END
cat >count.stp <<'END'
global n
probe begin { println("begun") }
probe kernel.function("null_lseek").call { if (execname() == "calls") n++ }
probe end { println(n) }
END
cat >many.stp <<'END'
global n, places
probe kernel.function("vfs_*").call { n++; places[pp()]++ }
probe begin { println("begun") }
probe end { println(n > 0) if (0) println(places["x"]) }
END
for release in $(kernels); do
	programs count count.stp
	programs many many.stp
	in_guest '
	left() {
		cat /sys/kernel/debug/tracing/kprobe_events /sys/kernel/debug/tracing/uprobe_events; ls /sys/fs/bpf
		sed "/\[DISABLED\]/d" /sys/kernel/debug/kprobes/list
		grep -l prog_tag /proc/[0-9]*/fdinfo/* 2>/dev/null
	}
	mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
	left >$RESULTS/before 2>/dev/null
	"$KTAPRUN" kt_many.bpf >$RESULTS/killed.out 2>$RESULTS/killed.err </dev/null & pid=$!
	for try in $(seq 100); do grep -q begun $RESULTS/killed.out && break; sleep .2; done
	sleep 1
	left >$RESULTS/during 2>/dev/null
	kill -KILL $pid
	wait $pid 2>/dev/null
	sleep 1
	left >$RESULTS/after 2>/dev/null
	for name in one two; do
		timeout 200 "$KTAPRUN" kt_count.bpf >$RESULTS/$name.out 2>$RESULTS/$name.err </dev/null &
		eval $name=$!
	done
	for name in one two; do
		for try in $(seq 100); do grep -q begun $RESULTS/$name.out && break; sleep .2; done
	done
	sleep 2
	./calls
	echo 0 >/sys/devices/system/cpu/cpu1/online 2>/dev/null
	./calls
	echo 1 >/sys/devices/system/cpu/cpu1/online 2>/dev/null
	./calls
	kill -INT $one $two
	wait $one $two
	sleep 0 & gone=$!
	wait $gone
	timeout 60 "$KTAPRUN" -x $gone kt_count.bpf >$RESULTS/gone.out 2>$RESULTS/gone.err </dev/null
	echo $? >$RESULTS/gone.status'
	boot
	cmp -s results/before results/after || fail "left on $release: $(diff results/before results/after | head)"
	! cmp -s results/before results/during || fail "nothing was there on $release: $(cat results/killed.out results/killed.err)"
	for name in one two; do
		printf 'begun\n3000\n' | cmp -s - results/$name.out || fail "$name on $release: $(cat results/$name.out results/$name.err)"
	done
	test "$(cat results/gone.status)" = 1 && grep -q 'there is no process' results/gone.err || fail "-x of an ended process: $(cat results/gone.*)"
done
