#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @errno is that of the thread that hits the probe, in probes of the program, of system calls and of the kernel.
. "$SRCDIR/testsuite/lib/process.sh"
ktap -p2 -e 'probe process("/bin/true").begin { println(@errno) }'
test "$status" = 0 || { echo "the C library has no debugging information: libc6-dbg"; exit 77; }

program prog -pthread <<'END'
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((noipa)) void here(int who)
{
	int was = errno;
	printf("T here %d %d\n", who, was);
	errno = was; /* malloc() sets it where the guest has no random numbers yet */
	lseek(-1, who, 1);
}
static pthread_barrier_t both;
static void *body(void *arg)
{
	int who = (int)(long)arg;
	errno = who;
	pthread_barrier_wait(&both);
	for (int i = 0; i < 2; i++) {
		if (i == who % 2) {
			here(who);
			here(who); /* errno is EBADF now */
		}
		pthread_barrier_wait(&both);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	setvbuf(stdout, NULL, _IOLBF, 0);
	errno = EDOM;
	here(1);
	pthread_barrier_init(&both, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, body, (void *)(i + 100));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
for release in $(kernels); do
	in_vm -c ./prog -e 'global calls
	probe process("./prog").function("here") { printf("K here %d %d\n", $who, @errno) }
	probe syscall.lseek { if (pid() == target()) calls = sprintf("%s %d:%d", calls, offset, @errno) }
	probe end { println("calls", calls) }'
	told_truth
	# As it was before the call sets it.
	printed '^calls 1:33 100:100 100:9 101:101 101:9$'
done
