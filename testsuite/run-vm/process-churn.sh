#!/bin/sh
# 1,000 processes execute a probed program, each with a thread, while one session counts them all and others start and stop
# 20 times: the counts agree, the kernel has nothing to complain about, and no breakpoint stays behind.
#
# Runs itself inside the VM with the words `guest KTAPRUN`.

guest() {
	run=$1
	"$run" kt_all.ko >/tmp/all 2>/tmp/all.err & all=$!
	for i in $(seq 200); do
		grep -q ready /tmp/all && break
		sleep 0.1
	done
	(
		for i in $(seq 20); do
			"$run" -T 0.1 kt_some.ko >>/tmp/some 2>>/tmp/some.err || echo "round $i failed" >>/tmp/some.err
		done
		echo done >/tmp/rounds
	) &
	./launch ./prog 1000 || { echo "a process failed"; exit 1; }
	for i in $(seq 600); do
		[ -e /tmp/rounds ] && break
		sleep 0.1
	done
	kill -INT $all
	wait $all
	cat /tmp/all
	[ "$(grep -c '^some' /tmp/some)" = 20 ] || { echo "rounds: $(cat /tmp/some /tmp/some.err)"; exit 1; }
	cat /tmp/all.err /tmp/some.err >&2
	./prog || { echo "the program is damaged"; exit 1; }
	if dmesg | grep -E 'BUG:|WARNING:|Oops|unpatched|Call Trace|blocked for more'; then
		exit 1
	fi
	exit 0
}

if [ "$1" = guest ]; then
	guest "$2"
fi

. "$SRCDIR/testsuite/lib/process.sh"
program prog -pthread -static <<'END'
#include <pthread.h>
__attribute__((noipa)) int once(int x) { return x + 1; }
static void *body(void *arg) { return (void *)(long)once(3); }
int main(void) {
	pthread_t t;
	void *got;
	if (pthread_create(&t, 0, body, 0) || pthread_join(t, &got)) return 2;
	return once(4) != 5 || got != (void *)4;
}
END
program launch -static <<'END'
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
int main(int argc, char **argv) {
	char *args[] = { argv[1], 0 }, *env[] = { 0 };
	int left = atoi(argv[2]), running = 0, bad = 0, status;
	pid_t pid;
	while (left || running) {
		if (left && running < 4) { if (posix_spawn(&pid, argv[1], 0, 0, args, env)) return 3; left--; running++; continue; }
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
	ktap -p4 -r "$release" -m kt_all -e "$script"'
	probe timer.ms(10) { if (!told) println("ready"); told = 1 } global told
	probe end { println(calls, " ", returns, " ", begun, " ", ended, " ", threads, " ", threads_ended) }'
	accepted
	ktap -p4 -r "$release" -m kt_some -e "$script"'
	probe end { printf("some %d\n", calls >= returns && begun >= ended && threads >= threads_ended && calls <= 2000) }'
	accepted
	timeout 400 "$BUILDDIR/ktap-vm" -n -t 390 "$release" -- sh "$SRCDIR/testsuite/run-vm/process-churn.sh" guest \
		"$BUILDDIR/ktaprun" >out 2>err || fail "on $release"
	expect <<-'END'
	ready
	2000 2000 1000 1000 1000 1000
	END
done
