#!/bin/sh
#! also-on: rt
# Handlers that need more stack than the kernel's 16 KiB run, with the same result, at each kind of probe: recursion 10 deep with
# 330 local variables a call. Handlers that write to all of what the build proved, but for 64 bytes at most, run too.
. "$SRCDIR/testsuite/lib/process.sh"

# numbers NAME: what session NAME said on stderr, in $used, $size and $bound.
numbers()
{
	used=$(sed -n 's/^handlers used at most \([0-9]*\) of .*/\1/p' err)
	size=$(sed -n 's/^handlers used at most [0-9]* of \([0-9]*\) .*/\1/p' err)
	bound=$(sed -n 's/^handlers need at most \([0-9]*\) bytes of stack/\1/p' err)
	echo "$release, $1: proven ${bound:-nothing}, used ${used:-nothing}, has ${size:-nothing}"
	[ "$used" -le "$size" ] && [ "$bound" -lt "$size" ]
}

# f(9) where each variable counts, and none is known to the compiler.
deep_function 330 >deep.stp
awk 'BEGIN {
	n = split("function=kernel.function(\"vfs_write\") return=kernel.function(\"vfs_write\").return" \
		" kprobe=kprobe.function(\"vfs_read\") kretprobe=kprobe.function(\"vfs_read\").return" \
		" trace=kernel.trace(\"sched_switch\") interrupt=kernel.trace(\"hrtimer_expire_entry\") timer=timer.ms(5)" \
		" profile=timer.profile perf=perf.sw.cpu_clock.sample(100000)" \
		" syscall=nd_syscall.getpgid sysreturn=nd_syscall.getpgid.return" \
		" program=process(\"./work\").function(\"step\") procreturn=process(\"./work\").function(\"step\").return" \
		" procfs=procfs(\"deep\").read data=kernel.data(\"jiffies_64\").write begin=begin end=end", kinds, " ")
	print "global ran"
	print "function report(kind) { if (!ran[kind]++) printf(\"%s %d\\n\", kind, f(9)) }"
	for (a = 0; a < 10; a++)
		for (i = 0; i < 330; i++)
			r += (a + i) * (a + i * 7 % 330)
	for (i = 1; i <= n; i++) {
		split(kinds[i], kind, "=")
		printf "probe %s { %sreport(\"%s\") }\n", kind[2], kind[1] == "procfs" ? "$value = \"x\"; " : "", kind[1]
		print kind[1], r >"wanted"
	}
}' >>deep.stp
sort wanted >expected
program work -static <<'END'
#include <stdio.h>
#include <unistd.h>
volatile int done;
__attribute__((noinline)) int step(int n) { done += n; return done; }
int main(void)
{
	char text[64];
	FILE *f;

	for (int i = 0; i < 200; i++) {
		step(i);
		getpgid(0);
		usleep(5000);
	}
	f = fopen("/proc/systemtap/kt_deep/deep", "r");
	return !f || !fgets(text, sizeof(text), f);
}
END
for release in $(kernels); do
	cp deep.stp here.stp
	cp expected wanted
	# Where the addresses of variables are not known there is none to watch.
	ktap -r "$release" -l 'kernel.data("jiffies_64").write'
	if [ "$status" != 0 ]; then
		sed '/^probe kernel.data/d' deep.stp >here.stp
		sed '/^data /d' expected >wanted
	fi
	module deep -v -DMAXACTION=1000000 -DMAXSKIPPED=1000000 here.stp
	in_guest '"$KTAPRUN" -v -c ./work kt_deep.ko >$RESULTS/deep.out 2>$RESULTS/deep.err </dev/null
		echo $? >$RESULTS/deep.status'
	module edge -g -v -e 'function fill:long() %{ char a[40000]; memset(a, 1, sizeof(a)); barrier_data(a); STAP_RETVALUE = a[0]; %}
		global n probe begin, timer.ms(20), kernel.trace("sched_switch") { n += fill() } probe end { println(n > 1) }'
	in_guest '"$KTAPRUN" -v -T 0.2 kt_edge.ko >$RESULTS/edge.out 2>$RESULTS/edge.err </dev/null
		echo $? >$RESULTS/edge.status'
	boot
	result deep
	sort out | diff wanted - || { cat err; fail "$release: not all kinds, or not the same result"; }
	numbers deep && [ "$used" -gt 16384 ] || fail "$release: the figures of deep"
	result edge
	numbers edge && [ "$used" -le "$bound" ] && [ "$used" -ge "$((bound - 64))" ] || fail "$release: the figures of edge"
done
