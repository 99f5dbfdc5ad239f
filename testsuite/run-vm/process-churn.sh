#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# 1,000 processes execute a probed program, every tenth with a thread, while one session counts them all and others start and stop
# 20 times: the counts agree, the kernel has nothing to complain about, and no breakpoint stays behind.
. "$SRCDIR/testsuite/lib/process.sh"
program prog -pthread -static <<'END'
#include <pthread.h>
__attribute__((noipa)) int once(int x) { return x + 1; }
static void *body(void *arg) { return (void *)(long)once(3); }
int main(int argc, char **argv) {
	pthread_t t;
	void *got = (void *)4;
	if (argc > 1 && (pthread_create(&t, 0, body, 0) || pthread_join(t, &got))) return 2;
	return once(4) != 5 || got != (void *)4;
}
END
program launch -static <<'END'
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
int main(int argc, char **argv) {
	char *args[] = { argv[1], "thread", 0 }, *alone[] = { argv[1], 0 }, *env[] = { 0 };
	int left = atoi(argv[2]), running = 0, bad = 0, status;
	pid_t pid;
	while (left || running) {
		if (left && running < 4) { if (posix_spawn(&pid, argv[1], 0, 0, left % 10 ? alone : args, env)) return 3; left--; running++; continue; }
		if (wait(&status) < 0) return 4;
		bad |= status; running--;
	}
	return bad != 0;
}
END
script='
global calls, returns, begun, ended, threads, threads_ended
probe process("./prog").function("once") { calls++ }
probe process("./prog").function("once").return { if ($return == $x + 1) returns++ }
probe process("./prog").begin { begun++ }
probe process("./prog").end { ended++ }
probe process("./prog").thread.begin { threads++ }
probe process("./prog").thread.end { threads_ended++ }'
for release in $(kernels); do
	module all -e "$script"'
	probe timer.ms(10) { if (!told) println("ready"); told = 1 } global told
	probe end { println(calls, " ", returns, " ", begun, " ", ended, " ", threads, " ", threads_ended) }'
	# One that was ending when the session began has an end alone; four run at a time.
	module some -e "$script"'
	probe end { printf("some %d\n", calls >= returns && begun + 4 >= ended && threads + 4 >= threads_ended && calls <= 1100) }'
	in_guest '
	"$KTAPRUN" kt_all.ko >$RESULTS/all.out 2>$RESULTS/all.err & all=$!
	until grep -q ready $RESULTS/all.out; do sleep 0.1; done
	for i in $(seq 20); do
		"$KTAPRUN" -T 0.1 kt_some.ko >>$RESULTS/some.out 2>>$RESULTS/some.err || echo "error: round $i failed" >>$RESULTS/some.err
	done & rounds=$!
	./launch ./prog 1000 || echo "error: a process failed" >>$RESULTS/all.err
	wait $rounds
	kill -INT $all
	wait $all
	echo $? >$RESULTS/all.status
	./prog
	echo $? >$RESULTS/some.status'
	boot
	result all
	expect <<-'END'
	ready
	1100 1100 1000 1000 100 100
	END
	result some
	test "$(grep -cx 'some 1' out)" = 20 || fail "not 20 sessions on $release"
done
