#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Processes fork within a probed call while threads of another program enter and leave one: every child returns with the values of its
# parent's entry, and the kernel has nothing to complain about. On PREEMPT_RT the tracepoint of a fork must neither sleep nor allocate.
. "$SRCDIR/testsuite/lib/process.sh"
program prog -pthread -static <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) int busy(int n) { return n + 1; }
static void *body(void *arg) { for (int n = 0;;) n = busy(n & 1023); return arg; }
/* Each level forks: 2^DEPTH processes return from level 0. */
__attribute__((noipa)) int level(int depth)
{
	int status = 0;
	pid_t pid;

	if (depth) status = level(depth - 1);
	pid = fork();
	if (pid > 0 && waitpid(pid, &status, 0) != pid) status = 1;
	return pid < 0 || status ? -1 : 0;
}
int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 2) {
		for (int i = 0; i < 3; i++) pthread_create(&t, 0, body, 0);
		for (;;) pause();
	}
	return level(atoi(argv[1])) != 0;
}
END
for release in $(kernels); do
	module forks -DMAXTRYLOCK=100000 -e '
	global returns, wrong, begun
	probe process("./prog").function("level").return { if ($return == 0 && $depth >= 0 && $depth < 6) returns[$depth]++; else wrong++ }
	probe process("./prog").function("busy").return { if ($return != $n + 1) wrong++; if (!begun++) println("ready") }
	probe end { foreach (depth+ in returns) println(depth, " ", returns[depth]); println("wrong ", wrong) }'
	in_guest '
	./prog 0 busy & busy=$!
	"$KTAPRUN" kt_forks.ko >$RESULTS/forks.out 2>$RESULTS/forks.err & session=$!
	until grep -q ready $RESULTS/forks.out; do sleep 0.1; done
	for i in $(seq 8); do ./prog 5 || echo "error: level failed" >>$RESULTS/forks.err; done
	kill -INT $session
	wait $session
	echo $? >$RESULTS/forks.status
	kill $busy'
	boot
	result forks
	# A level doubles the processes that return from it and from all above.
	expect <<-'END'
	ready
	0 16
	1 32
	2 64
	3 128
	4 256
	5 512
	wrong 0
	END
done
