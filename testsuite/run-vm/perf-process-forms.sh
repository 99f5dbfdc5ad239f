#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Whose threads are meant: all of a program that runs already with threads, those of -c alone, those of several programs by a
# wildcard; not after exec of another program. Samples of a clock, too. A program that is gone is one warning with the reason.
. "$SRCDIR/testsuite/lib/process.sh"

cat >source <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
enum { PAGE = 4096, PAGES = 200 };
__attribute__((noipa)) void ready(void) { }
__attribute__((noipa)) void before(int who) { }
__attribute__((noipa)) void after(int who) { }
static void touch(int who) {
	char *p = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	before(who);
	for (int i = 0; i < PAGES; i++) p[i * PAGE] = 1;
	after(who);
	munmap(p, PAGES * PAGE);
}
static const char *gate;
static void *body(void *arg) {
	while (gate && access(gate, F_OK)) usleep(10000);
	touch(0);
	touch((int)(long)arg);
	return 0;
}
int main(int argc, char **argv) {
	pthread_t t[3];
	if (argc > 2) { touch(0); touch(7); execv(argv[2], argv + 2); return 1; }
	gate = argv[1];
	for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, body, (void *)(i + 1));
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	/* Long enough to be sampled: neither an emulated clock nor a fast machine decides alone. */
	for (int n = 0; n < 10 || clock() < CLOCKS_PER_SEC / 10; n++)
		for (volatile long i = 0; i < 1000000; i++) ;
	return 0;
}
END
program prog1 -pthread <source
program prog2 -pthread <source
program gone -pthread <source

read='
global was, n, wrong
probe process("./prog?").function("before") { was[tid()] = @perf("faults") }
probe process("./prog?").function("after") {
	if (!$who) next
	n[$who]++
	if (@perf("faults") - was[tid()] != 200) wrong++
}
probe end { foreach (who+ in n) printf("%d:%d ", who, n[who]); println("wrong ", wrong) }'
for release in $(kernels); do
	module there -DMAXTRYLOCK=100000 -e 'probe perf.sw.page_faults.process("./prog?").counter("faults") {}'"$read"'
	probe timer.ms(10) { if (!told) println("ready"); told = 1 } global told'
	session target -DMAXTRYLOCK=100000 -c './prog1 x /bin/true; ./prog1; ./prog2' -e '
	probe perf.sw.page_faults.process("./prog?").counter("faults") {}'"$read"'
	global samples, strange
	probe perf.sw.cpu_clock.sample(1000000).process("./prog?") {
		if (execname() == "prog1" || execname() == "prog2") samples++
		else strange++
		if (!target_set_pid(pid())) strange++
	}
	probe end { printf("%d %d\n", samples > 20, strange) }'
	module gone -e 'probe perf.sw.page_faults.process("./gone").counter("faults") {}
	probe process("./prog1").syscall { try { println(@perf("faults")) } catch (why) { println(why); exit() } }'
	in_guest '
	./prog1 gate & one=$!
	./prog2 gate & two=$!
	sleep 0.5
	"$KTAPRUN" kt_there.ko >$RESULTS/there.out 2>$RESULTS/there.err & all=$!
	until grep -q ready $RESULTS/there.out; do sleep 0.1; done
	touch gate
	wait $one $two
	kill -INT $all
	wait $all
	echo $? >$RESULTS/there.status
	mv gone away
	"$KTAPRUN" kt_gone.ko -c ./prog1 >$RESULTS/gone.out 2>$RESULTS/gone.err
	echo $? >$RESULTS/gone.status'
	boot
	result there
	expect <<-'END'
	ready
	1:2 2:2 3:2 wrong 0
	END
	result target
	expect <<-'END'
	1:2 2:2 3:2 7:1 wrong 0
	1 0
	END
	grep -q 'registration error.*the program or its dynamic loader is not there' results/gone.err || fail "no reason on $release"
	echo 'the counter could not be opened (rc -6)' >expected
	cmp expected results/gone.out || fail "not caught on $release"
done
