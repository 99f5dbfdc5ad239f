#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# Aggregates as BPF programs keep them, where handlers of interrupts come in the middle of those of tasks and other tasks in the middle of
# both: not a value is lost, and none that nobody added is seen. An aggregate that handlers also read and empty has a lock. Arrays that are
# full end the session as a module does.
. "$SRCDIR/testsuite/lib/process.sh"

# 40,000 calls on two CPUs
program calls -D_GNU_SOURCE <<'EOF'
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("/dev/zero", O_RDONLY), both = argc > 1;

	for (int cpu = 0; cpu < 1 + both; cpu++)
		if (!fork()) {
			for (int i = 0; i < 20000; i++)
				lseek(fd, i, SEEK_SET);
			return 0;
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
EOF

# Tracepoints of system calls, of timers' interrupts, and of changes of the task: programs at them interrupt each other.
cat >nested.stp <<'END'
global s, a, calls, ticks, timers, switches, count, sum, wrong, in_array, sum_of_array, passes
probe kernel.trace("sys_enter") { s <<< 1000; a[1] <<< 3; calls++ }
probe kernel.trace("local_timer_entry") { s <<< 5; a[1] <<< 4; ticks++ }
probe kernel.trace("hrtimer_expire_entry") { s <<< -70000; a[1] <<< 5; timers++ }
probe kernel.trace("sched_switch") { s <<< 9; a[2] <<< 6; switches++ }
function take()
{
	if (@count(s)) {
		count += @count(s); sum += @sum(s)
		if (@min(s) < -70000 || @max(s) > 1000 || @min(s) > @max(s) || @hist_log(s)[64] || @variance(s) < 0) wrong++
		n = @hist_log(s)[74] + @hist_log(s)[67] + @hist_log(s)[47] + @hist_log(s)[68]
		if (n != @count(s)) wrong++
		delete s
	}
	foreach (k in a) {
		in_array += @count(a[k]); sum_of_array += @sum(a[k])
		if (@min(a[k]) < 3 || @max(a[k]) > 6 || @min(a[k]) > @max(a[k])) wrong++
	}
	delete a
	passes++
}
probe timer.ms(10) { take() }
probe end
{
	take()
	println("K ", count == calls + ticks + timers + switches, sum == 1000 * calls + 5 * ticks - 70000 * timers + 9 * switches,
		in_array == count, sum_of_array == 3 * calls + 4 * ticks + 5 * timers + 6 * switches, wrong == 0)
	println("K ", calls > 40000, ticks > 10, timers > 10, switches > 10, passes > 3)
}
END

# Read and emptied where it is added to: each 100th call takes the sum of those before.
cat >locked.stp <<'END'
global l, e, sum, taken, last, least
probe kernel.function("null_lseek").call
{
	if (execname() != "calls") next
	l <<< $offset
	e[$offset % 3, "x"] <<< $offset
	if (@count(l) == 100) {
		sum += @sum(l); least += @min(l); last = @max(l); taken += @count(l) + @avg(l) * 0
		delete l
	}
	if (@count(e[0, "x"]) == 500) delete e[0, "x"]
	try { if (@min(e[7, "x"])) println("K impossible") } catch (why) { if (why != "empty aggregate") println("K ", why) }
}
probe end
{
	println("K ", taken, " ", sum, " ", last, " ", least, " ", @count(l))
	foreach ([k, x] in e @count-) println("K ", k, " ", @count(e[k, x]), " ", @max(e[k, x]))
}
END

cat >full.stp <<'END'
global full[10]
probe kernel.function("null_lseek").call { if (execname() == "calls") full[$offset] <<< 1 }
probe end { println("impossible") }
probe error { foreach (k+ in full) print(k, " ") println() }
END
cat >caught.stp <<'END'
global full[10], caught
probe kernel.function("null_lseek").call { if (execname() == "calls") try { full[$offset] <<< 1 } catch { caught++ } }
probe end { foreach (k+ in full) print(k, " ") println(caught) }
END

for release in $(kernels); do
	bpf_session nested -c './calls both' nested.stp
	bpf_session locked -c ./calls locked.stp
	bpf_session caught -c ./calls caught.stp
	bpf_session full -c ./calls full.stp
	session module -c ./calls locked.stp
	boot
	result nested
	printf 'K %s\n' 11111 11111 | expect
	result module
	mv out module
	result locked
	expect <module
	grep -qx 'K 20000 199990000 19999 1990000 0' module || fail "locked: $(cat module)"
	result caught
	echo '0 1 2 3 4 5 6 7 8 9 19990' | expect
	cp results/full.out out
	cp results/full.err err
	said "ERROR: Array overflow: 'full' is full with 10 elements; "
	echo '0 1 2 3 4 5 6 7 8 9 ' | expect
done
