#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Thread-local variables of a program: those of the thread that hits the probe, at the entry and at the return, also of a program
# with fixed addresses and of large alignment, and of a library whose slots have the distance from the thread pointer or the
# library's number; also in probes of other things. A library that finds them by descriptors is refused.
. "$SRCDIR/testsuite/lib/process.sh"
[ "$machine" = x86_64 ] || [ "$machine" = aarch64 ] || exit 77

cat >source.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#ifdef CALLER
int step(int n);
#else
static __thread int count = 5;
static __thread struct { char c; long l; } pair __attribute__((aligned(ALIGN))) = { 'x', -9 };
__thread short zero;
extern __thread int elsewhere;
__attribute__((noipa)) int step(int n)
{
	printf("T enter %d %ld %d %d\n", count, pair.l, zero, elsewhere);
	count += n;
	pair.l *= -n;
	zero--;
	elsewhere++;
	printf("T leave %d %ld %d %d\n", count, pair.l, zero, elsewhere);
	return n;
}
#endif
#ifndef LIBRARY
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
	lseek(-1, 5, SEEK_SET);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, thread, (void *)(i + 1000));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
#endif
END
# What another file has: described in libraries, by its symbol alone in programs.
echo '__thread int elsewhere = 70;' >other.c
${CC:-gcc} -fPIC -c other.c || fail "cannot compile other.c"
program pie -pie -fPIE -DALIGN=64 -pthread other.o <source.c
program fixed -no-pie -fno-pie -DALIGN=8 -pthread other.o <source.c
# By default x86-64 has slots for the library's number, arm64 descriptors.
case $machine in
x86_64) traditional=-mtls-dialect=gnu descriptors=-mtls-dialect=gnu2 ;;
*) traditional=-mtls-dialect=trad descriptors=-mtls-dialect=desc ;;
esac
for model in global-dynamic initial-exec; do
	${CC:-gcc} -g -O1 -shared -fPIC -DALIGN=16 -DLIBRARY "-ftls-model=$model" "$traditional" -o "lib$model.so" source.c other.c &&
		program "$model" -DCALLER -pthread -L. -Wl,--no-as-needed "-l$model" -Wl,-rpath,"$work" <source.c || fail "cannot compile for $model"
done
${CC:-gcc} -g -O1 -shared -fPIC -DALIGN=8 -DLIBRARY "$descriptors" -o descriptors.so source.c other.c || fail "cannot compile descriptors.so"
script='
probe syscall.lseek { if (pid() == target() && offset == 5) printf("seen %d %d\n", @var("count", @1), @var("zero", @1)) }
probe process(@1).function("step").call { printf("K enter %d %d %d %d\n", $count, $pair->l, @var("zero@*.c"), $elsewhere) }
probe process(@1).function("step").return { printf("K leave %d %d %d %d\n", @var("count", @1), @var("pair", @1)->l, @var("zero", @1), @var("elsewhere", @1)) }'
for release in $(kernels); do
	session pie -c ./pie -e "$script" "$work/pie"
	session fixed -c ./fixed -e "$script" "$work/fixed"
	session number -c ./global-dynamic -e "$script" "$work/libglobal-dynamic.so"
	session distance -c ./initial-exec -e "$script" "$work/libinitial-exec.so"
	boot
	for name in pie fixed number distance; do
		result $name
		told_truth
		printed '^seen 105 -1$'
		test "$(wc -l <told)" = 14 || fail "not all was told by $name on $release: $(cat told)"
	done
done
ktap -p2 -e 'probe process("./descriptors.so").function("step") { println($count) }'
refused optimized-out
said 'in a library that was compiled to find it by descriptors'
