#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: BASE_FULL
# perf.*.process(PID): the threads of that one process are counted and sampled, those that it had before and one that it makes
# later; its child is not, nor another process of the same program.
. "$SRCDIR/testsuite/lib/process.sh"
need_native
program prog -pthread <<'END'
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { PAGE = 4096, PAGES = 200 };
__attribute__((noipa)) void before(int who) { }
__attribute__((noipa)) void after(int who) { }
static void *touch(void *who) {
	for (int round = 0; round < 2; round++) {
		char *p = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
		/* What the program itself takes comes with the first round. */
		before(round ? (int)(long)who : 0);
		for (int i = 0; i < PAGES; i++) p[i * PAGE] = 1;
		after(round ? (int)(long)who : 0);
		munmap(p, PAGES * PAGE);
	}
	return 0;
}
static int closed(void) { return access("gate", F_OK) && usleep(10000) <= 0; }
static void *old_thread(void *who) { while (closed()) ; return touch(who); }
int main(int argc, char **argv) {
	pthread_t old, new;
	pid_t child;
	int status;
	if (argc > 1) { touch((void *)5L); return 0; }
	if (pthread_create(&old, 0, old_thread, (void *)1L)) return 2;
	while (closed()) ;
	touch((void *)2L);
	if (pthread_create(&new, 0, touch, (void *)3L)) return 2;
	pthread_join(old, 0);
	pthread_join(new, 0);
	child = fork();
	if (!child) { touch((void *)4L); _exit(0); }
	return wait(&status) != child || status;
}
END
./prog & pid=$!
trap 'kill $pid; rm -rf "$work"' EXIT
for release in $(kernels); do
	module pid -DMAXTRYLOCK=100000 -e "
	global was, n, refused, mine, others
	probe perf.sw.page_faults.process($pid).counter(\"faults\") {}
	probe perf.sw.page_faults.sample(1).process($pid) { if (pid() == $pid) mine++; else others++ }
	probe process(\"./prog\").function(\"before\") { try { was[tid()] = @perf(\"faults\") } catch (why) { if (\$who) refused[\$who, why]++ } }
	probe process(\"./prog\").function(\"after\") { if (\$who && ([tid()] in was)) n[\$who] = @perf(\"faults\") - was[tid()] }"'
	probe timer.ms(10) { if (!told) println("ready"); told = 1 } global told
	probe end {
		foreach (who+ in n) printf("%d: %d\n", who, n[who])
		foreach ([who+, why] in refused) printf("%d: %s\n", who, why)
		println(mine >= 1200, " ", others)
	}'
	like_here $pid ./prog
	in_guest '
	"$KTAPRUN" kt_pid.ko >$RESULTS/pid.out 2>$RESULTS/pid.err & session=$!
	until grep -q ready $RESULTS/pid.out; do sleep 0.1; done
	touch gate
	./prog other && wait '$pid' || echo "error: a process failed" >>$RESULTS/pid.err
	kill -INT $session
	wait $session
	echo $? >$RESULTS/pid.status'
	boot
	result pid
	expect <<-'END'
	ready
	1: 200
	2: 200
	3: 200
	4: the counter does not count in this thread: its program or its process is another
	5: the counter does not count in this thread: its program or its process is another
	1 0
	END
done
