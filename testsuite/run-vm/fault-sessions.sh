#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! addresses: fixed
# What befalls a session from outside, in one boot: errors in each kind of probe, the terminal goes, the disk is full, the reader stops,
# ktaprun stops, the module is removed by hand, reload storms, clock changes, two sessions of one script, no memory, no descriptors, no
# processes. Each session ends or goes on as it should, and leaves nothing: no module, no file, nothing armed.
. "$SRCDIR/testsuite/lib/process.sh"

limit=900
program victim -static <<'END'
#include <unistd.h>
__attribute__((noipa)) int step(int n) { return n + 1; }
int main(void) { for (int i = 0;; i = step(i)) { usleep(2000); getpgid(0); } }
END
program terminal <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
/* terminal hup|nohup COMMAND...: runs the command on a terminal of its own, which goes as soon as the command has printed something. */
int main(int argc, char **argv)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status;
	char text[256];
	pid_t pid;

	if (master < 0 || grantpt(master) || unlockpt(master)) return 2;
	pid = fork();
	if (!pid) {
		int fd;

		setsid();
		fd = open(ptsname(master), O_RDWR);
		ioctl(fd, TIOCSCTTY, 0);
		if (!strcmp(argv[1], "nohup")) signal(SIGHUP, SIG_IGN);
		for (int i = 0; i < 3; i++) dup2(fd, i);
		if (fd > 2) close(fd);
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (read(master, text, sizeof(text)) <= 0) return 3;
	close(master);
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status)) printf("signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
END

cat >errors.stp <<'END'
global failed
function fails(kind) { if (!failed[kind]++) error("in " . kind) }
probe begin { println("begun") }
probe begin(1) { fails("begin") }
probe timer.ms(20) { fails("timer.ms") }
probe timer.profile { fails("timer.profile") }
probe kernel.trace("sched_switch") { fails("trace") }
probe kernel.trace("hrtimer_expire_entry") { fails("interrupt") }
probe kernel.function("vfs_read") { fails("function") }
probe kernel.function("vfs_read").return { fails("function.return") }
probe kprobe.function("vfs_write") { fails("kprobe") }
probe kprobe.function("vfs_write").return { fails("kprobe.return") }
probe nd_syscall.getpgid { fails("syscall") }
probe nd_syscall.getpgid.return { fails("syscall.return") }
probe perf.sw.cpu_clock.sample(1000000) { fails("perf") }
probe process("./victim").function("step") { fails("process.function") }
probe process("./victim").function("step").return { fails("process.function.return") }
probe process("./victim").syscall { fails("process.syscall") }
probe process("./victim").begin { fails("process.begin") }
probe netfilter.hook("NF_INET_LOCAL_OUT").pf("NFPROTO_IPV4") { fails("netfilter") }
probe kernel.data("jiffies_64").write { fails("data") }
probe end { println("ended") }
probe end(1) { fails("end") }
END
# There a watchpoint is refused.
test "$machine" != aarch64 || sed -i '/^probe kernel.data/d' errors.stp

cat >faults.sh <<'END'
cd "$work"
run=$KTAPRUN
./victim & victim=$!
ip link set lo up
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
armed()
{
	cat /sys/kernel/debug/kprobes/list
	cat /sys/kernel/tracing/enabled_functions
	dd if=/proc/$victim/mem bs=1 skip=$((0x$step)) count=4 2>/dev/null | od -An -tx1
	find /proc/systemtap /proc/ktap_* 2>/dev/null
	grep ^kt_ /proc/modules
}
begun() { grep -q begun "${1:-/tmp/kt-out}"; }
ended() { ! kill -0 $pid; }
# is EXPECTED FOUND
is() { [ "$1" = "$2" ] || { echo "$scenario: expected '$1', found '$2'"; head /tmp/kt-out /tmp/kt-err; }; }
says() { grep -q -e "$1" /tmp/kt-err || { echo "$scenario: does not say '$1'"; cat /tmp/kt-err; }; }
# scenario NAME: the last one left nothing.
scenario()
{
	armed >/tmp/after 2>&1
	cmp -s /tmp/before /tmp/after || { echo "$scenario left:"; diff /tmp/before /tmp/after; armed >/tmp/before 2>&1; }
	scenario=$1
	echo "fault-sessions: $1" >/dev/kmsg # where a VM does not end, the console says where
	: >/tmp/kt-out >/tmp/kt-err
}
# start COMMAND...: in the background; it runs, and has printed.
start()
{
	"$@" >/tmp/kt-out 2>/tmp/kt-err </dev/null &
	pid=$!
	until_true begun
}
finish() { status=0; wait $pid 2>/dev/null || status=$?; is "$1" $status; }

: >/tmp/kt-out >/tmp/kt-err >/tmp/before >/tmp/after
armed >/tmp/before 2>&1

scenario 'errors'
start "$run" kt_errors.ko
failed() { grep '^ERROR: in ' /tmp/kt-err | sed 's/^ERROR: in \([^ ]*\).* in probe .*/\1/' | sort; }
all_failed() { bash -c 'echo x >/dev/udp/127.0.0.1/9'; [ "$(failed | wc -l)" = $(($(wc -l <kinds) - 1)) ]; }
until_true all_failed
kill -INT $pid
finish 0
failed >/tmp/failed
diff kinds /tmp/failed
says "in probe begin(1) \[error\]\$"
says '^    2 | function fails(kind) { if (!failed\[kind\]++) error("in " . kind) }$'
says '^errors.stp:2:45: note: try { ... } catch (e) { println(e) } around'
is 'begun ended ' "$(tr '\n' ' ' </tmp/kt-out)"
rm /tmp/failed

scenario 'terminal gone'
for how in hup nohup; do
	./terminal $how "$run" kt_ticks.ko >/tmp/kt-out 2>/tmp/kt-err; status=$?
	is 1 $status # what the end probe prints is lost; below nohup the write that fails ends it, not SIGHUP
done

scenario 'disk full'
mkdir -p /tmp/small && mount -t tmpfs -o size=64k none /tmp/small
status=0
"$run" -o /tmp/small/out kt_ticks.ko >/tmp/kt-out 2>/tmp/kt-err || status=$?
is 1 $status
says 'cannot write the output: No space left on device'
is 65536 $(wc -c </tmp/small/out)
rm /tmp/small/out
pid=$("$run" -D -o /tmp/small/out kt_ticks.ko)
until_true ended
rm /tmp/small/out
status=0
"$run" -S 1,2 -o /tmp/small/out kt_ticks.ko >/tmp/kt-out 2>/tmp/kt-err || status=$?
is 1 $status
umount /tmp/small

scenario 'file size limit'
for how in '' --bulk; do
	status=0
	(ulimit -f 128; exec "$run" $how -o /tmp/limited kt_ticks.ko) >/tmp/kt-out 2>/tmp/kt-err || status=$?
	is 1 $status
	says 'File too large'
	rm /tmp/limited*
done

scenario 'reader stopped'
mkfifo /tmp/pipe
{ until_true test -e /tmp/go; cat >/tmp/read; } </tmp/pipe & reader=$!
"$run" kt_ticks.ko >/tmp/pipe 2>/tmp/kt-err </dev/null & pid=$!
until_true in_state kt_ticks running
sleep 3
kill -INT $pid
sleep 0.5
kill -0 $pid || echo "$scenario: it did not wait for the reader"
: >/tmp/go
finish 0
wait $reader
# The last line says how many there were.
is "$(sed -n 's/^lines //p' /tmp/read)" $(($(grep -c '^tick' /tmp/read) + $(sed -n 's/.*There were \([0-9]*\) lost messages.*/\1/p' /tmp/kt-err | grep . || echo 0)))
rm /tmp/pipe /tmp/go /tmp/read

scenario 'ktaprun stopped'
start "$run" kt_ticks.ko
kill -STOP $pid
sleep 3
kill -CONT $pid
sleep 0.5
kill -INT $pid
finish 0
is "$(sed -n 's/^lines //p' /tmp/kt-out)" $(($(grep -c '^tick' /tmp/kt-out) + $(sed -n 's/.*There were \([0-9]*\) lost messages.*/\1/p' /tmp/kt-err | grep . || echo 0)))

scenario 'module removed by hand'
start "$run" kt_ticks.ko
rmmod kt_ticks 2>/tmp/rmmod && echo "$scenario: rmmod removed a module in use"
rm /tmp/rmmod
before=$(wc -l </tmp/kt-out)
grown() { [ $(wc -l </tmp/kt-out) -gt $before ]; }
until_true grown
kill -9 $pid
finish 137
rmmod kt_ticks || echo "$scenario: rmmod: $?"
"$run" -T 0.1 kt_ticks.ko >/tmp/kt-out 2>/tmp/kt-err || echo "$scenario: the next run: $?"
is '' "$(cat /tmp/kt-err)"

scenario 'two sessions of one script'
"$run" kt_ticks.ko >/tmp/first 2>&1 </dev/null & first=$!
until_true begun /tmp/first
start "$run" kt_ticks.ko
kill -9 $first; wait $first 2>/dev/null
before=$(wc -l </tmp/kt-out)
until_true grown
kill -INT $pid
finish 0
says "^ktaprun: removed module 'kt_ticks', which a killed session had left"
rm /tmp/first

scenario 'reload storms'
# By hand a module can be removed just when it was loaded, before its loader holds it.
removed() { [ $1 = kt_years.ko ] && grep -q "cannot open the control file of module 'kt_years" /tmp/storm.$2; }
storm() { for i in 1 2 3 4; do "$run" -T 0.05 $1 >/tmp/storm.$2 2>&1 </dev/null || removed $1 $2 || { echo "$scenario: $?"; cat /tmp/storm.$2; }; done; }
storm kt_ticks.ko 1 & one=$!
storm kt_years.ko 2 & two=$!
storm kt_ticks.ko 3 & three=$!
while kill -0 $one 2>/dev/null; do "$run" -d '*'; rmmod kt_years 2>/tmp/storm.4; done
wait $one $two $three
rm /tmp/storm.*

scenario 'clock changes'
start "$run" kt_years.ko
now=$(date +%s)
# ticks YEAR: timers go on, and tell it.
year() { grep -q "^$1$" /tmp/kt-out; }
this=$((1970 + now / 31556952)) # as the script does
until_true year $this
date -s @2240000000 >/dev/null
until_true year 2040
date -s @700000000 >/dev/null
until_true year 1992
date -s @$now >/dev/null
last_year() { [ "$(tail -n 1 /tmp/kt-out)" = $this ]; }
until_true last_year
kill -INT $pid
finish 0
is "begun $this 2040 1992 $this ended " "$(tr '\n' ' ' </tmp/kt-out)"
start "$run" -T 2 kt_years.ko
date -s @700000000 >/dev/null
finish 0
date -s @$now >/dev/null

scenario 'no descriptors'
for n in 5 6 7 8 9 10 11 14; do
	(ulimit -n $n; exec "$run" -T 0.05 -c /bin/true kt_ticks.ko) >/tmp/kt-out 2>/tmp/kt-err </dev/null
	status=$?
	[ $status = 0 ] || [ $status = 1 -a -s /tmp/kt-err ] || { echo "$scenario: with $n, $status"; cat /tmp/kt-err; }
done
is 0 $status
for n in 7 8 9 10 11 12 13 14 15 16 $((16 + 2 * $(nproc))); do
	(ulimit -n $n; exec "$run" -T 0.05 --bulk -o /tmp/bulk kt_ticks.ko) >/tmp/kt-out 2>/tmp/kt-err </dev/null
	status=$?
	[ $status = 0 ] || [ $status = 1 -a -s /tmp/kt-err ] || { echo "$scenario: --bulk with $n, $status"; cat /tmp/kt-err; }
done
is 0 $status
rm /tmp/bulk.*

scenario 'the command is killed'
"$run" -c 'sh -c "kill -9 \$\$"' kt_ticks.ko >/tmp/kt-out 2>/tmp/kt-err </dev/null || echo "$scenario: $?"
says 'Child process exited with signal 9'

scenario 'no memory'
for module in kt_buffers.ko kt_arrays.ko; do
	status=0
	"$run" $module >/tmp/kt-out 2>/tmp/kt-err </dev/null || status=$?
	is 1 $status
	says 'error: cannot .*: Cannot allocate memory'
done

scenario 'the end'
kill $victim
END

release=$(kernels)
release=${release%% *}
# All probes want one lock, whose holder may have to wait for a busy machine: more than a hundred give up in a minute, and end the session.
module errors -DMAXERRORS=1000000 -DMAXTRYLOCK=100000 errors.stp
sed -n 's/.*fails("\(.*\)").*/\1/p' errors.stp | sort >kinds
module ticks -s 1 -e '
global n
probe begin { println("begun") }
probe timer.ms(5) { for (i = 0; i < 20; i++) printf("tick %d %0400d\n", ++n, n) }
probe end { println("lines ", n) }'
module years -e '
global last
probe begin { println("begun") }
probe timer.ms(20) { year = 1970 + gettimeofday_s() / 31556952 if (year != last) println(last = year) }
probe end { println("ended") }'
module buffers -s 4000 -e 'probe begin { println("begun") exit() }'
module arrays -e 'global a[16000000] probe begin { a["x"] = "text" println("begun") exit() } probe end { println(a["x"]) }'
step=$(nm victim | sed -n 's/^\([0-9a-f]*\) T step$/\1/p')
{ echo "work=$PWD step=$step"; cat faults.sh; } >all
in_guest_silent <all
boot
silent
