#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: one
# Thread-local variables of a program: those of the thread that hits the probe, at the entry and at the return, also of a program
# with fixed addresses and of large alignment. Those of a library are refused with the reason.
. "$SRCDIR/testsuite/lib/process.sh"
[ "$(uname -m)" = x86_64 ] || [ "$(uname -m)" = aarch64 ] || exit 77

cat >source.c <<'END'
#include <pthread.h>
#include <stdio.h>
static __thread int count = 5;
static __thread struct { char c; long l; } pair __attribute__((aligned(ALIGN))) = { 'x', -9 };
__thread short zero;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noipa)) int step(int n)
{
	printf("T enter %d %ld %d\n", count, pair.l, zero);
	count += n;
	pair.l *= -n;
	zero--;
	printf("T leave %d %ld %d\n", count, pair.l, zero);
	return n;
}
static void *thread(void *arg)
{
	pthread_mutex_lock(&lock);
	step((int)(long)arg);
	step(2);
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	pthread_t t[3];

	setvbuf(stdout, NULL, _IOLBF, 0);
	step(100);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, thread, (void *)(i + 1000));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
program pie -pie -fPIE -DALIGN=64 -pthread <source.c
program fixed -no-pie -fno-pie -DALIGN=8 -pthread <source.c
${CC:-gcc} -g -O1 -shared -fPIC -DALIGN=8 -o library.so source.c || fail "cannot compile"
script='
probe process(@1).function("step").call { printf("K enter %d %d %d\n", $count, $pair->l, @var("zero@*.c")) }
probe process(@1).function("step").return { printf("K leave %d %d %d\n", @var("count"), $pair->l, $zero) }'
for release in $(kernels); do
	session pie -c ./pie -e "$script" "$work/pie"
	session fixed -c ./fixed -e "$script" "$work/fixed"
	boot
	for name in pie fixed; do
		result $name
		told_truth
		test "$(wc -l <told)" = 14 || fail "not all was told by $name on $release: $(cat told)"
	done
done
ktap -p2 -e 'probe process("./library.so").function("step") { println($count) }'
refused optimized-out
said 'it is thread-local in a library'
ktap -p2 -e "probe timer.profile { println(@var(\"count@fixed.c\", \"$work/fixed\")) }"
refused optimized-out
said 'a probe of the program itself can read it'
