#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Two sessions count events of the same threads, in another order, and a third has a part in them: counts stay what the
# threads say of themselves, however often the kernel switches from one to the other.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pthread -static <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
enum { PAGE = 4096, PAGES = 300, THREADS = 4 };
__attribute__((noipa)) void before(int round) { }
__attribute__((noipa)) void after(int round, long faults) { }
/* So that threads follow each other, and so that nobody follows. */
static void wait(int i) { if (i % 30 == 0) usleep(1); else if (i % 5 == 0) sched_yield(); }
static void *body(void *arg) {
	struct rusage r0, r1;
	for (int round = 0; round < 3; round++) {
		char *p = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
		getrusage(RUSAGE_THREAD, &r1);
		before(round);
		getrusage(RUSAGE_THREAD, &r0);
		for (int i = 0; i < PAGES; i++) { p[i * PAGE] = 1; wait(i); }
		getrusage(RUSAGE_THREAD, &r1);
		after(round, r1.ru_minflt + r1.ru_majflt - r0.ru_minflt - r0.ru_majflt);
		munmap(p, PAGES * PAGE);
	}
	return 0;
}
int main(void) {
	pthread_t t[THREADS];
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	/* On one processor the kernel switches from one thread to another. */
	if (sched_setaffinity(0, sizeof(one), &one)) return 2;
	for (int i = 1; i < THREADS; i++) if (pthread_create(&t[i], 0, body, 0)) return 3;
	body(0);
	for (int i = 1; i < THREADS; i++) pthread_join(t[i], 0);
	return 0;
}
END
# The first round is not looked at: pages of the program come with it.
read='
global was, n, wrong
probe process("./prog").function("before") { was[tid()] = @perf("faults") }
probe process("./prog").function("after") {
	if (!$round) next
	n++
	delta = @perf("faults") - was[tid()]
	if (delta == $faults && delta >= 300) next
	wrong++
	printf("%d faults are told, %d counted\n", $faults, delta)
}
probe end { println(n, " ", wrong) }'
ready='probe timer.ms(10) { if (!told) println("ready"); told = 1 } global told'
faults='probe perf.sw.page_faults.process("./prog").counter("faults") {}'
clocks='probe perf.sw.cpu_clock.process("./prog").counter("wall") {}
probe perf.sw.task_clock.process("./prog").counter("clock") {}
probe process("./prog").function("main") { if (@perf("wall") < 0 || @perf("clock") < 0) println("less than nothing") }'
for release in $(kernels); do
	module one -DMAXTRYLOCK=100000 -e "$faults $clocks $read $ready"
	module two -DMAXTRYLOCK=100000 -e "$clocks $faults $read $ready"
	module three -e 'probe perf.sw.task_clock.sample(100000000).process("./prog") { }'"$ready"
	in_guest '
	for name in three one two; do
		"$KTAPRUN" kt_$name.ko >$RESULTS/$name.out 2>$RESULTS/$name.err &
		sessions="$sessions $!"
		until grep -q ready $RESULTS/$name.out; do sleep 0.1; done
	done
	./prog || echo "error: the program failed" >>$RESULTS/one.err
	set -- $sessions
	for name in three one two; do
		kill -INT $1
		wait $1
		echo $? >$RESULTS/$name.status
		shift
	done'
	boot
	for name in one two; do
		result $name
		printf 'ready\n8 0\n' | expect
	done
	result three
done
