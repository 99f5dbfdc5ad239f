#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! addresses: fixed
#! also-on: rt
# SIGKILL of ktaprun at 50 random moments of start, run and stop, divided among the kernels, a third of them before the begin probe: the
# session stops, nothing is armed after it, no file of the session is left, and the next run, or ktaprun -d, removes the module and says
# so. KTAP_KILLS=N: so many on each kernel; KTAP_SEED=N repeats a run.
. "$SRCDIR/testsuite/lib/process.sh"

seed=${KTAP_SEED:-$(date +%s)}
echo "KTAP_SEED=$seed"
program victim -static <<'END'
#include <unistd.h>
__attribute__((noipa)) int step(int n) { return n + 1; }
int main(void) { for (int i = 0;; i = step(i)) usleep(2000); }
END
program kill_after -static <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
/* kill_after MICROSECONDS COMMAND...: exit status 0 when SIGKILL came in time, 1 when the command had ended. */
int main(int argc, char **argv)
{
	int status, n = atoi(argv[1]);
	pid_t pid = fork();

	if (!pid)
		return execv(argv[2], argv + 2);
	sleep(n / 1000000);
	usleep(n % 1000000);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return !WIFSIGNALED(status);
}
END
step=$(nm victim | sed -n 's/^\([0-9a-f]*\) T step$/\1/p')

cat >kills.sh <<'END'
./victim & victim=$!
trap 'kill $victim' EXIT
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
armed()
{
	sed 's/^/kprobe: /' /sys/kernel/debug/kprobes/list
	sed 's/^/ftrace: /' /sys/kernel/tracing/enabled_functions
	grep -H 1 /sys/kernel/tracing/events/sched/sched_switch/enable
	echo "code: $(dd if=/proc/$victim/mem bs=1 skip=$((0x$step)) count=4 2>/dev/null | od -An -tx1)"
	find /proc/systemtap 2>/dev/null
}
armed >/tmp/before
# Milliseconds since the boot.
clock() { read -r up rest </proc/uptime; echo "${up%.*}${up#*.}0"; }
# Milliseconds of a run to its begin probe and to its end. The shortest of three: the first has to read more from disk, and in any of
# them the machine may stand still.
length=
for run in 1 2 3; do
	began=$(clock)
	set -- $("$KTAPRUN" -T 0.1 kt_kills.ko | { read -r word; echo $word $(($(clock) - began)); cat; })
	took=$(($(clock) - began))
	[ "${length:-$took}" -lt $took ] || begun=$2 length=$took
	[ "$1 $3" = "begun ended" ] || echo "run $run: $*"
done
removed="ktaprun: removed module 'kt_kills', which a killed session had left"
early=0 late=0 left=0 i=0 began=$(clock)
for after in $(awk "BEGIN { srand($seed)
	for (i = 0; i < $kills; i++) print int((i % 3 ? $begun + rand() * ($length - $begun) : rand() * $begun) * 1000) }"); do
	i=$((i + 1))
	if ./kill_after $after "$KTAPRUN" -T 0.1 kt_kills.ko >/tmp/kt-out 2>/tmp/kt-err; then
		grep -q begun /tmp/kt-out && late=$((late + 1)) || early=$((early + 1))
	fi
	if [ $left = 1 ] && [ -s /tmp/kt-err ]; then
		[ "$(cat /tmp/kt-err)" = "$removed" ] || { echo "kill $i after $after us: "; cat /tmp/kt-err; }
	elif [ -s /tmp/kt-err ]; then
		echo "kill $i after $after us: "; cat /tmp/kt-err
	fi
	left=0
	[ ! -d /sys/module/kt_kills ] || left=1
	[ $left = 0 ] || case $(cat /sys/module/kt_kills/parameters/ktap_state) in
	loaded|stopped) ;;
	*) echo "kill $i after $after us: the session is $(cat /sys/module/kt_kills/parameters/ktap_state)" ;;
	esac
	armed >/tmp/after
	cmp -s /tmp/before /tmp/after || { echo "kill $i after $after us left:"; diff /tmp/before /tmp/after; }
	[ ! -e /proc/ktap_kt_kills ] || [ $left = 1 ] || echo "kill $i after $after us left its control file"
done
"$KTAPRUN" -T 0.1 kt_kills.ko >/tmp/kt-out 2>/tmp/kt-err || { echo "the run after $kills kills: $?"; cat /tmp/kt-err; }
[ "$(cat /tmp/kt-err)" = "$([ $left = 0 ] || echo "$removed")" ] || cat /tmp/kt-err
[ "$(cat /tmp/kt-out)" = "$(printf 'begun\nended')" ] || cat /tmp/kt-out
"$KTAPRUN" kt_kills.ko >/tmp/kt-out 2>/tmp/kt-err & pid=$!
until grep -q begun /tmp/kt-out; do sleep 0.1; kill -0 $pid || exit; done
"$KTAPRUN" -d kt_kills 2>/tmp/kt-err && echo "-d removed a module that is in use"
kill -9 $pid
wait $pid 2>/dev/null
"$KTAPRUN" -d kt_kills || echo "-d did not remove the module"
grep kt_ /proc/modules
ls /proc/ktap_* 2>/dev/null
echo "$begun of $length ms before begin, $((($(clock) - began) / kills)) a kill; $early kills before begin, $late after it" >$RESULTS/moments
[ $early -gt 0 ] && [ $late -gt 0 ] || cat $RESULTS/moments
END

n=$(kernels | wc -w)
for release in $(kernels); do
	module kills --debuginfo=btf -e '
global n
probe begin { println("begun") }
probe kernel.function("vfs_read"), kernel.function("vfs_write").return, kprobe.function("vfs_open") { n++ }
probe kernel.trace("sched_switch"), timer.ms(5), timer.profile { n++ }
probe process("./victim").function("step"), process("./victim").function("step").return, process("./victim").end { n++ }
probe syscall.openat, nd_syscall.close.return { n++ }
probe procfs("x").read { $value = "x\n" }
probe end { println(n > 0 ? "ended" : "no hits") }'
	{ echo "step=$step seed=$seed kills=${KTAP_KILLS:-$(((50 + n - 1) / n))}"; cat kills.sh; } >all
	in_guest_silent <all
	boot
	silent
	echo "$release: $(cat results/moments)"
done
