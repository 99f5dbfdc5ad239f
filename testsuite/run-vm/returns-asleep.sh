#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# 100 threads asleep in one function: the default has room for the return of each; with room for one call the others are
# reported as missed, exactly; and when the session ends meanwhile, they return where they should. What begins in one task
# and ends in another is refused.
. "$SRCDIR/testsuite/lib/process.sh"

# eventfd_read() is what nothing else calls. Once all threads sleep the file argv[1], if any, is made, and waited
# for until it is gone; then they are released.
program sleepers -D_GNU_SOURCE -static -pthread <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 100 };
static int event;
static pid_t tids[THREADS];

static void *sleeper(void *arg)
{
	uint64_t one = 0;

	__atomic_store_n((pid_t *)arg, gettid(), __ATOMIC_RELEASE);
	return (void *)(long)(read(event, &one, sizeof(one)) == sizeof(one) && one == 1);
}

/* Is the thread in read(), asleep? */
static int sleeps(pid_t tid)
{
	char path[64], text[512], state = 0;
	FILE *f;
	long call = -1;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	f = fopen(path, "r");
	if (f && fgets(text, sizeof(text), f) && strrchr(text, ')'))
		state = strrchr(text, ')')[2];
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%ld", &call) != 1)
		call = -1;
	if (f)
		fclose(f);
	return state == 'S' && call == SYS_read;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	uint64_t all = THREADS;
	long good = 0;

	event = eventfd(0, EFD_SEMAPHORE);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, sleeper, &tids[i]))
			return 1;
	for (int i = 0; i < THREADS; i++) {
		pid_t tid;

		while (!(tid = __atomic_load_n(&tids[i], __ATOMIC_ACQUIRE)) || !sleeps(tid))
			usleep(1000);
	}
	if (argc > 1 && close(open(argv[1], O_CREAT | O_WRONLY, 0600)))
		return 1;
	while (argc > 1 && !access(argv[1], F_OK))
		usleep(1000);
	if (write(event, &all, sizeof(all)) != sizeof(all))
		return 1;
	for (int i = 0; i < THREADS; i++) {
		void *ret;

		pthread_join(threads[i], &ret);
		good += (long)ret;
	}
	printf("%ld returned\n", good);
	return good != THREADS;
}
END

# On x86 it returns in another task than it began in.
switch='probe kernel.function("__switch_to").return { returned += 1000 }'
test "$machine" = x86_64 || switch=''
for release in $(kernels); do
	# One function with room for all, beside its entry; room for one; values of the entry are each call's own.
	session room --debuginfo=btf -c ./sleepers -e '
global entered, returned, foreign, twice
probe kernel.function("eventfd_read").call { entered++ }
probe kernel.function("eventfd_read").return { returned++; foreign += @entry(tid()) != tid() || $return != 8 }
probe kernel.function("eventfd_read").return { twice++ }
probe end { printf("%d entered %d %d returned %d foreign\n", entered, returned, twice, foreign) }'
	session one --debuginfo=btf -v -c ./sleepers -e '
global entered, returned
probe kernel.function("eventfd_read").call { entered++ }
probe kernel.function("eventfd_read").return.maxactive(1) { returned++ }
probe end { printf("%d entered %d returned\n", entered, returned) }'
	module ends --debuginfo=btf ${switch:+-E "$switch"} -e '
global entered, returned
probe kernel.function("eventfd_read").call { entered++ }
probe kernel.function("eventfd_read").return { returned += @entry(tid()) == tid() }
probe kernel.function("vfs_*").return { returned += 0 }
probe end { printf("%d entered %d returned\n", entered, returned) }'
	in_guest '"$KTAPRUN" -c "until test -e /tmp/asleep; do sleep 0.1; done" kt_ends.ko >$RESULTS/ends.out 2>$RESULTS/ends.err </dev/null & session=$!
		until in_state kt_ends running; do sleep 0.1; done
		./sleepers /tmp/asleep >>$RESULTS/sleepers & program=$!
		wait $session; echo $? >$RESULTS/ends.status
		ls -d /sys/module/kt_ends >>$RESULTS/sleepers 2>&1
		rm /tmp/asleep; wait $program; echo "status $?" >>$RESULTS/sleepers'
	boot
	result room
	expect <<'END'
100 returned
100 entered 100 100 returned 0 foreign
END
	! grep -i skipped err || fail "$release: hits were lost"
	result one
	expect <<'END'
100 returned
100 entered 1 returned
END
	grep -q 'skipped probes: 99$' err && grep -q 'missed kretprobe.*: 99$' err || fail "$release: not 99 missed: $(cat err)"
	result ends
	expect <<'END'
100 entered 0 returned
END
	test ! "$switch" || said '__switch_to.*registration error'
	cp results/sleepers out
	expect <<'END'
ls: cannot access '/sys/module/kt_ends': No such file or directory
100 returned
status 0
END
done
