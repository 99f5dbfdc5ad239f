#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: one
# Sessions start while programs are executed: each process begins once. One that was executing, or ending, when the session told what
# ran already began twice.
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
for release in $(kernels); do
	module begun -e 'probe process("./prog").begin { printf("%d\n", pid()) }'
	in_guest './launch ./prog & launch=$!
	for i in $(seq 40); do
		"$KTAPRUN" -T 0.05 kt_begun.ko 2>>$RESULTS/begun.err | sort >one
		uniq -d one | sed "s/^/twice: /" >>$RESULTS/begun.out
		cat one >>all
	done
	test -s all && echo some >>$RESULTS/begun.out
	kill $launch
	echo 0 >$RESULTS/begun.status'
	boot
	result begun
	expect <<-'END'
	some
	END
done
