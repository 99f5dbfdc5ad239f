#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Counters of CPUs: page faults of a program that is bound to one CPU are counted there, and the handler of a probe in the kernel, in a
# program and of a timer reads that. A counter that the machine lacks, and one in begin and end, is an error that can be caught.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mman.h>
enum { PAGE = 4096, PAGES = 300 };
__attribute__((noipa)) void before(void) { }
__attribute__((noipa)) void after(void) { }
int main(void) {
	cpu_set_t set;
	char *p = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (int round = 0; round < 2; round++) { /* the first one touches the code */
		before();
		for (int i = 0; round && i < PAGES; i++)
			p[i * PAGE] = 1;
		after();
	}
	return 0;
}
END
script='
global was, was_clock, rounds, last, ticks, lacking
probe perf.sw.page_faults.counter("faults") {}
probe perf.sw.cpu_clock.counter("clock") {}
probe perf.hw.instructions.counter("instructions") {}
function faults() { return @perf("faults") }
probe begin { try { println(faults()) } catch (why) { println("begin: ", why) } }
probe process("./prog").function("before") { was = faults(); was_clock = @perf("clock") }
probe process("./prog").function("after") {
	if (rounds++) {
		n = faults() - was
		printf("%s on CPU %d, the clock %s\n", n >= 300 && n < 400 ? "300 faults" : sprint(n), cpu(),
			@perf("clock") > was_clock ? "ran" : "stood")
	}
	try { println(@perf("instructions")) } catch (why) { lacking = why }
}
probe kernel.function("handle_mm_fault").call {
	if (execname() == "prog") {
		if (faults() < last[cpu()]) println("it went back")
		last[cpu()] = faults()
	}
}
probe timer.ms(50) { ticks += @perf("faults") >= 0 }
probe end {
	println(lacking, ticks > 0 ? ", timers read it" : ", no timer")
	try { println(faults()) } catch (why) { println("end: ", why) }
}'
for release in $(kernels); do
	session counters -e "$script" -c './prog; sleep 1'
	boot
	grep -v 'this machine does not count that event' results/counters.err >left
	mv left results/counters.err
	result counters
	expect <<-'END'
	begin: counters count while the session runs, not in begin and end
	300 faults on CPU 0, the clock ran
	the counter could not be opened on this CPU, timers read it
	end: counters count while the session runs, not in begin and end
	END
done
