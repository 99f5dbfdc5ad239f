#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# What a register held at the entry of a function is all that describes a parameter where the function has run on: an inlined
# copy in it, a statement of it. Each activation has its own, through recursion and in threads; in the kernel too.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pthread <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct pair { int a; long b; };
static __thread struct { int value; long b; int depth; } told[16];
static __thread int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noipa)) void clobber(int a, void *b, int c) { asm volatile("" ::: "rdi", "rsi", "rdx", "rcx", "memory"); }
__attribute__((noipa)) void tell(void)
{
	n--;
	printf("T %d %d %ld %d\n", told[n].value + 1, told[n].value, told[n].b, told[n].depth);
}
static inline __attribute__((always_inline)) void inner(int more, int value, struct pair *p)
{
	asm volatile("nop" ::: "memory");
	tell();
}
/* Nothing of it is needed after the calls. */
__attribute__((noipa)) void outer(int value, struct pair *p, int depth)
{
	told[n].value = value;
	told[n].b = p->b;
	told[n++].depth = depth;
	if (depth)
		outer(-value * 3, p + 1, depth - 1);
	clobber(0, 0, 0);
	inner(value + 1, value, p);
}
static struct pair pairs[4] = { { 1, 10 }, { 2, 20 }, { 3, 30 }, { 4, 1L << 40 } };
static void *thread(void *arg)
{
	pthread_mutex_lock(&lock);
	outer((int)(long)arg, pairs, 2);
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	setvbuf(stdout, NULL, _IOLBF, 0);
	outer(-7, pairs, 3);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, (void *)(i + 100));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	openat(AT_FDCWD, "/etc/passwd", O_RDONLY);
	openat(77, "relative-name", O_WRONLY | O_CREAT, 0612);
	return 0;
}
END
readelf --debug-dump=loc prog | grep -q 'DW_OP_entry_value' || { echo "the compiler describes nothing so"; exit 77; }
cat >script.stp <<'END'
global depth
probe process("./prog").function("outer").call { depth[tid(), $value] = $depth }
probe process("./prog").function("inner") {
	if (@defined($p->b))
		printf("K %d %d %d %d\n", $more, $value, $p->b, depth[tid(), $value])
}
probe kernel.function("do_sys_open").inline {
	if (pid() == target() && @defined($dfd)) {
		name = user_string($filename)
		if (name == "/etc/passwd" || name == "relative-name")
			println("open ", $dfd, " ", name, " ", $flags & 3)
	}
}
END
for release in $(kernels); do
	in_vm -c ./prog script.stp
	told_truth
	printed '^open -100 /etc/passwd 0$'
	printed '^open 77 relative-name 1$'
	test "$(wc -l <told)" = 10 || fail "not all was told on $release: $(cat told)"
done
