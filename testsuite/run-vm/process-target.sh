#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: BASE_FULL
# Whose processes are probed: with -x the target and its children, those that it had before and those that it gets; a PID in the
# point: that process alone; nothing given: all. target_set_pid() agrees. -c gives execname() at the exec. In a pid namespace of
# ktaprun's own, its numbers name the processes, and pid() == target() all the same.
. "$SRCDIR/testsuite/lib/process.sh"
need_native
program prog <<'END'
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
__attribute__((noipa)) void tick(void) { }
int main(int argc, char **argv) {
	if (!strcmp(argv[1], "once")) return 0;
	if (!strcmp(argv[1], "parent") && !fork()) prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) { tick(); usleep(20000); }
}
END
./prog parent & target=$!
trap 'kill $target; rm -rf "$work"' EXIT
cat >who.stp <<END
global mine, others, one, in_set
probe process("./prog").function("tick") { if (pid() == $target || ppid() == $target) mine++; else others++ }
probe process("./prog").function("tick") { if (target_set_pid(pid())) in_set++ }
probe process($target).function("tick") { if (pid() == $target) one++; else error("another process") }
probe timer.ms(100) {
	if (mine <= 10 || one <= 5 || mine <= one || (\$1 ? in_set : others) <= 10) next
	if (\$1) target_set_report()
	exit()
}
probe end { println(mine > 10, " ", others > 10, " ", one > 5, " ", mine > one, " ", in_set > 10) }
END
cat >room.stp <<END
global ours, others
probe process($target).function("tick") { if (pid() == target() && ns_pid() == $target) ours++; else others++ }
probe timer.ms(50) { if (ours > 3) exit() }
probe end { println(ours > 3, " ", others) }
END
cat >room.sh <<END
echo $((target - 1)) >/proc/sys/kernel/ns_last_pid
./prog alone &
"\$KTAPRUN" -x $target kt_room.ko
status=\$?
kill $target
exit \$status
END
for release in $(kernels); do
	module tree -x $target who.stp 1
	module all who.stp 0
	like_here $target './prog parent'
	in_guest './prog alone & alone=$!
	until [ "$(cat /proc/'$target/task/$target'/children)" ]; do sleep 0.1; done
	"$KTAPRUN" -x '$target' kt_tree.ko >$RESULTS/tree.out 2>$RESULTS/tree.err
	echo $? >$RESULTS/tree.status
	"$KTAPRUN" kt_all.ko >$RESULTS/all.out 2>$RESULTS/all.err
	echo $? >$RESULTS/all.status
	kill '$target' $alone'
	module room room.stp
	in_guest 'KTAPRUN=$KTAPRUN unshare -p -f --mount-proc sh room.sh >$RESULTS/room.out 2>$RESULTS/room.err
	echo $? >$RESULTS/room.status'
	session once -c './prog once' -e 'probe process.begin { println(execname(), " ", pid() == target()) }'
	boot
	result tree
	sed -i "s/\<$target\>/TARGET/g; s/^TARGET begat [0-9]*/TARGET begat CHILD/; s/^[0-9]* begat/SHELL begat/" out
	expect <<-'END'
	target set:
	SHELL begat TARGET
	TARGET begat CHILD
	1 0 1 1 1
	END
	result all
	printed '^1 1 1 1 0$'
	result once
	printed '^prog 1$'
	result room
	printed '^1 0$'
done
