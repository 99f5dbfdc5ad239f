#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Beginning and end of processes and threads, by path and for the whole tree of -c, with the numbers of the task that
# each is about; system calls with their arguments and results, and values kept from the entry to the return.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pthread <<'END'
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void *body(void *arg) { return arg; }
int main(int argc, char **argv) {
	pthread_t t;
	int status;
	pid_t child;
	if (argc > 1) return syscall(SYS_dup, -1) == -1 ? 0 : 1;
	for (int i = 0; i < 3; i++) { pthread_create(&t, 0, body, 0); pthread_join(t, 0); }
	child = fork();
	if (!child) { execl("./prog", "prog", "again", (char *)0); _exit(9); }
	waitpid(child, &status, 0);
	return status != 0;
}
END
dup=32
test "$machine" != aarch64 || dup=23
# fork: one beginning as the parent's program; its exec: an end and a beginning.
for release in $(kernels); do
	in_vm -c ./prog -e '
	global number, begun, ended, t_begun, t_ended, same, dups, all, all_ended, others
	probe process("./prog").begin { begun++; same += execname() == "prog"; if (pid() != tid()) error("tid") }
	probe process("./prog").end { ended++ }
	probe process("./prog").thread.begin { t_begun++; if (pid() == tid() || pid() != target()) error("thread") }
	probe process("./prog").thread.end { t_ended++; if (pid() == tid()) error("thread") }
	probe process("./prog").syscall { if ($syscall == '$dup' && $arg1 == 0xffffffff) dups++ }
	probe process("./prog").syscall.return { if ($syscall == '$dup') printf("dup(%d) = %d\n", $arg1, $return) }
	probe process("./prog").syscall { number = 100 + $syscall }
	probe process("./prog").syscall.return {
		if ($syscall == '$dup') printf("%s %d %d %d\n", @entry(execname()), @entry(number), @entry($arg1) == $arg1, @entry($syscall))
	}
	probe process.begin { all++; if (pid() != target() && ppid() != target()) others++ }
	probe process.end { all_ended++ }
	probe process("/bin/true").begin { others++ }
	probe end { println(begun, " ", ended, " ", t_begun, " ", t_ended, " ", same, " ", dups, " ", all, " ", all_ended, " ", others) }'
	expect <<-END
	dup(4294967295) = -9
	prog $((100 + dup)) 1 $dup
	3 3 3 3 3 1 3 3 0
	END
done
