#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function of libpthread whose code is in libc, by the name that libc gives it to old programs: each call of a program with
# contended mutexes, its parameter, and who waited for which of them in the kernel.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pthread <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t one, two;
static void *body(void *arg) {
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(arg);
		usleep(2000);
		pthread_mutex_unlock(arg);
	}
	return NULL;
}
int main(void) {
	pthread_t t[4];
	pthread_mutex_init(&one, NULL);
	pthread_mutex_init(&two, NULL);
	for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, body, &one);
	for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
	pthread_mutex_lock(&two);
	fprintf(stderr, "mutexes %p %p\n", (void *)&one, (void *)&two);
	return 0;
}
END
library=$(${CC:-gcc} -print-file-name=libpthread.so.0)
test -e "$library" || { echo "no libpthread.so.0 is installed"; exit 77; }
for release in $(kernels); do
	in_vm -c ./prog -e '
	global waits%
	probe process("/lib*/libpthread.so*").function("__pthread_mutex_init") { if (pid() == target()) printf("init %p\n", pointer_arg(1)) }
	probe syscall.futex { if (pid() == target() && !(op & 127)) waits[futex_uaddr]++ }
	probe end { foreach (a in waits- limit 1) printf("waited %p %d\n", a, waits[a] > 3) }'
	set -- $(sed -n 's/^mutexes //p' err)
	test $# = 2 || fail "the program says nothing"
	expect <<END
init $1
init $2
waited $1 1
END
	if nm -D "$library" | grep -q 'version_placeholder'; then
		said "is empty: .*/libc\.so.* has its functions"
	fi
done
