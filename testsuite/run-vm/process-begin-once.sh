#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions start while programs are executed and threads are made: each process and each thread begins once, and ends once at most after that.
# A process that was executing, or ending, when the session told what ran already began twice, and so did a thread that was being made; one
# that ended then had no beginning.
. "$SRCDIR/testsuite/lib/process.sh"
program prog -static <<'END'
int main(void) { return 0; }
END
program launch -static <<'END'
#include <spawn.h>
#include <sys/wait.h>
int main(int argc, char **argv) {
	char *args[] = { argv[1], 0 }, *env[] = { 0 };
	pid_t pid;
	int status;
	for (;;) {
		for (int i = 0; i < 4; i++)
			if (posix_spawn(&pid, argv[1], 0, 0, args, env)) return 1;
		while (wait(&status) > 0) { }
	}
}
END
program threads -static -pthread <<'END'
#include <pthread.h>
static void *nothing(void *unused) { return unused; }
static void *makes(void *unused) {
	pthread_t t[4];
	for (;;) {
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], 0, nothing, 0);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], 0);
	}
}
int main(void) {
	makes(0);
}
END
for release in $(kernels); do
	module threads -e 'probe process("./threads").thread.begin { printf("b %d\n", tid()) } probe process("./threads").thread.end { printf("e %d\n", tid()) }'
	module begun -e 'probe process("./prog").begin { printf("%d\n", pid()) }'
	in_guest './launch ./prog & launch=$!
	for i in $(seq 40); do
		"$KTAPRUN" -T 0.05 kt_begun.ko 2>>$RESULTS/begun.err | sort >one
		uniq -d one | sed "s/^/twice: /" >>$RESULTS/begun.out
		cat one >>all
	done
	test -s all && echo some >>$RESULTS/begun.out
	echo 0 >$RESULTS/begun.status
	./threads & threads=$!
	for i in $(seq 5); do
		"$KTAPRUN" -T 0.02 kt_threads.ko 2>>$RESULTS/threads.err >one
		test -s one && echo session >>$RESULTS/threads.out
		awk "\$1 == \"b\" && on[\$2]++ { print \"again: \" \$2 } \$1 == \"e\" && !on[\$2] { print \"no beginning: \" \$2 } \$1 == \"e\" { on[\$2] = 0 }" one >>$RESULTS/threads.out
	done
	kill $threads $launch
	echo 0 >$RESULTS/threads.status'
	boot
	result begun
	expect <<-'END'
	some
	END
	result threads
	test "$(grep -c '^session$' out)" -ge 2 || fail "$release: threads began in $(grep -c session out) sessions of 5: $(tail -n 5 err)"
	! grep -v '^session$' out || fail "$release: threads begin again, or end without beginning"
done
