#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Counters of threads against what the program says of itself: page faults are exactly those of getrusage in every thread,
# in a forked child and after exec; switches are not fewer than getrusage's; the clock of the task grows. A thread
# that is of another program, and a counter that the machine lacks, are errors that can be caught.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pthread <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
enum { PAGE = 4096, MOST = 512 };
__attribute__((noipa)) void before(int who, int pages) { }
__attribute__((noipa)) void after(int who, int pages, long faults, long switches) { }
/* Nothing but the loop faults: the rest was run once. */
static void work(int who, int pages) {
	struct rusage r0, r1;
	char *p = mmap(0, MOST * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, MOST * PAGE, MADV_NOHUGEPAGE);
	getrusage(RUSAGE_THREAD, &r1);
	before(who, pages);
	getrusage(RUSAGE_THREAD, &r0);
	for (int i = 0; i < pages; i++) {
		p[i * PAGE] = 1;
		if (i % 50 == 49) usleep(100);
	}
	getrusage(RUSAGE_THREAD, &r1);
	after(who, pages, r1.ru_minflt - r0.ru_minflt, r1.ru_nvcsw + r1.ru_nivcsw - r0.ru_nvcsw - r0.ru_nivcsw);
	munmap(p, MOST * PAGE);
}
static void *body(void *arg) {
	int who = (int)(long)arg;
	work(0, 1);
	for (int i = 0; i < 3; i++) work(who, 100 * who + i);
	return 0;
}
int main(int argc, char **argv) {
	pthread_t t[4];
	work(0, 1);
	if (argc > 1) { work(9, 77); return 0; }
	for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, body, (void *)(i + 1));
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	if (!fork()) {
		work(0, 1);
		work(5, 55);
		pthread_create(&t[0], 0, body, (void *)1L);
		pthread_join(t[0], 0);
		execl(argv[0], argv[0], "again", (char *)0);
		_exit(1);
	}
	wait(0);
	return 0;
}
END
program other <<'END'
__attribute__((noipa)) void before(int who) { }
int main(void) { before(1); return 0; }
END
# Two kinds of software event have two struct pmu in the kernel: the order of counters matters there.
script='
global was, was_switches, was_clock, n, caught, rounds, at_exit, few
probe perf.sw.task_clock.process("./prog").counter("clock") {}
probe perf.sw.page_faults.process("./prog").counter("faults") {}
probe perf.sw.cpu_clock.process("./prog").counter("cpu clock") {}
probe perf.sw.context_switches.process("./prog").counter("switches") {}
probe perf.hw.instructions.process("./prog").counter("instructions") {}
function faults() { return @perf("faults") }
probe process("./prog").function("before") {
	was[tid()] = faults(); was_switches[tid()] = @perf("switches"); was_clock[tid()] = @perf("clock")
}
probe process("./prog").function("after") {
	if (!$who) next
	n++
	delta = faults() - was[tid()]; switches = @perf("switches") - was_switches[tid()]
	clock = @perf("clock") - was_clock[tid()]
	rounds[$who]++
	# A page of a library may come with the first round of a thread.
	if (delta != $faults || delta < $pages || delta > $pages + 3)
		printf("who %d: %d faults, getrusage says %d, touched %d\n", $who, delta, $faults, $pages)
	# How many come between the handler and getrusage is up to the machine.
	few += switches <= $switches + 20
	if (switches < $switches)
		printf("who %d: %d switches, getrusage says %d\n", $who, switches, $switches)
	if (clock <= 0) printf("who %d: clock %d\n", $who, clock)
	if (@perf("cpu clock") <= 0) println("no cpu clock")
}
probe process("./prog").syscall { if ($syscall == %( arch == "arm64" %? 94 %: 231 %) && faults() > 20) at_exit++ }
probe process("./prog").function("main") {
	try { println(@perf("instructions")) } catch (why) { caught[why]++ }
}
probe process("./other").function("before") {
	try { println(@perf("faults")) } catch (why) { println(why) }
}
probe end {
	foreach (why in caught) printf("%d times: %s\n", caught[why], why)
	printf("%d rounds:", n)
	foreach (who+ in rounds) printf(" %d", rounds[who])
	printf(", %d exits\n", at_exit)
	if (few < 9) printf("switches agree %d times\n", few)
}'
for release in $(kernels); do
	session counters -DMAXTRYLOCK=100000 -e "$script" -c './prog; ./other'
	boot
	cat "results/counters.err"
	test "$(grep -c 'this machine does not count that event' results/counters.err)" = 1 || fail "not one warning on $release"
	grep -v 'this machine does not count that event' results/counters.err >left
	mv left results/counters.err
	result counters
	expect <<-'END'
	the counter does not count in this thread: its program or its process is another
	2 times: the counter could not be opened (rc -2)
	17 rounds: 6 3 3 3 1 1, 2 exits
	END
done
