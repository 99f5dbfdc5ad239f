#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: BASE_FULL
# Whose processes BPF programs are for: with -x and -c the target and its children, those that it had before and those that it gets, by threads
# too; a PID in the point: that process alone; nothing given: all. In a pid namespace of ktaprun's own there is no target.
. "$SRCDIR/testsuite/lib/process.sh"
need_native
program prog -pthread <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
enum { TARGET = 1, EARLY, THREAD, LATE, OF_THREAD, OF_LATE, ALONE };
__attribute__((noipa)) void tick(int who) { __asm__ volatile("" : : "r"(who)); }
static void go(int who) { for (;;) { tick(who); usleep(20000); } }
static void child(int who, int of_it) {
	if (fork()) return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (of_it) child(of_it, 0);
	go(who);
}
static void *thread(void *unused) {
	for (int i = 0; ; i++) {
		tick(THREAD);
		usleep(20000);
		if (i == 50) child(OF_THREAD, 0);
	}
	return unused;
}
int main(int argc, char **argv) {
	pthread_t t;
	if (argc == 1) go(ALONE);
	child(EARLY, 0);
	pthread_create(&t, NULL, thread, NULL);
	for (int i = 0; ; i++) {
		tick(TARGET);
		usleep(20000);
		if (i == 50) child(LATE, OF_LATE);
		if (i == 400 && argc > 2) exit(0);
	}
}
END
./prog parent & target=$!
trap 'kill $target; rm -rf "$work"' EXIT
cat >who.stp <<END
global hits, one, ticks
probe process("./prog").function("tick") { hits[\$who]++ }
probe process($target).function("tick") { one[\$who]++ }
probe timer.ms(100) { if (ticks++ > 100 || (hits[1] > 100 && hits[6] > 10 && hits[5] > 10)) exit() }
probe end {
	for (i = 1; i <= 7; i++) printf("%d", hits[i] > 5)
	printf(" ")
	for (i = 1; i <= 7; i++) printf("%d", one[i] > 5)
	printf("\n")
}
END
cat >command.stp <<'END'
global hits
probe process.function("tick") { hits[$who]++ }
probe end { for (i = 1; i <= 7; i++) printf("%d", hits[i] > 5); printf("\n") }
END
for release in $(kernels); do
	programs tree -x $target who.stp
	cp kt_tree.bpf kt_all.bpf
	cp tree.build all.build
	in_guest './prog & alone=$!'
	like_here $target './prog parent'
	in_guest 'until [ "$(cat /proc/'$target'/task/'$target'/children)" ]; do sleep 0.1; done
	"$KTAPRUN" -x '$target' kt_tree.bpf >$RESULTS/tree.out 2>$RESULTS/tree.err
	echo $? >$RESULTS/tree.status
	"$KTAPRUN" kt_all.bpf >$RESULTS/all.out 2>$RESULTS/all.err
	echo $? >$RESULTS/all.status
	unshare -p -f --mount-proc "$KTAPRUN" -x 1 kt_all.bpf >$RESULTS/room.out 2>$RESULTS/room.err
	echo $? >$RESULTS/room.status
	kill '$target
	bpf_session command -c './prog parent ends' command.stp
	in_guest 'kill $alone'
	boot
	result tree
	printed '^1111110 1010000$'
	result all
	printed '^1111111 1010000$'
	result command
	printed '^1111110$'
	grep -q 'outside of this pid namespace' results/room.err || fail "accepted in a pid namespace: $(cat results/room.err)"
done
