#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Stacks that lie, mappings that change, code without tables, threads and children under a clock: shorter stacks that say
# so, no word from the kernel, and the objects that had no tables are named once. Damaged tables are refused, or are walked without harm,
# and requests of the control file with random arguments do none.
. "$SRCDIR/testsuite/lib/process.sh"

program liar -O2 -fomit-frame-pointer -Wno-return-local-addr <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
/* getpgid() with a stack pointer of our choice: whoever walks it reads what we put there. */
static void ask(void *sp)
{
#ifdef __aarch64__
	register long number __asm__("x8") = SYS_getpgid, result __asm__("x0") = 0;
	__asm__ volatile("mov x9, sp; mov sp, %2; svc #0; mov sp, x9" : "+r"(result) : "r"(number), "r"(sp) : "x9", "memory");
#else
	long result, number = SYS_getpgid;
	__asm__ volatile("mov %%rsp, %%r12; mov %2, %%rsp; syscall; mov %%r12, %%rsp"
			 : "=a"(result) : "a"(number), "r"(sp), "D"(0L) : "rcx", "r11", "r12", "memory");
#endif
}
int main(void)
{
	uint64_t *m = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	const uint64_t lies[] = { 0, 1, -1, (uint64_t)main, (uint64_t)main + 1, (uint64_t)qsort, (uint64_t)m,
				  0xffffffff81000000, 0xffffffffff600000, 1ull << 47, (uint64_t)&exit };
	unsigned seed = 1;
	for (unsigned i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		for (int k = 0; k < 1 << 13; k++) m[k] = lies[i];
		ask(m + 100);
		ask((void *)lies[i]);
	}
	for (int round = 0; round < 300; round++) {
		for (int k = 0; k < 1 << 13; k++) {
			seed = seed * 1103515245 + 12345;
			m[k] = seed >> 16 & 1 ? (uint64_t)qsort + (seed >> 18 & 0xffff) : (uint64_t)main + (seed >> 24);
		}
		ask(m + (seed >> 20));
	}
	munmap(m, 1 << 16);
	ask(m);
	return 0;
}
END

program bare -g0 -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-omit-frame-pointer <<'END'
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) void inner(void) { sink += getpgid(0); sink++; }
__attribute__((noinline)) void outer(void) { inner(); sink++; }
int main(int argc, char **argv) { for (int i = 0; i < (argc > 1 ? 30000 : 20); i++) { outer(); usleep(20000); } return 0; }
END

program busy -O2 -fomit-frame-pointer -pthread -ldl <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
static int by(const void *a, const void *b) { return sink++ & 1 ? 1 : -1; }
static void *work(void *arg)
{
	for (int i = 0; i < 30; i++) {
		int n[2000];
		void *lib = dlopen("libm.so.6", RTLD_NOW), *m;
		for (int k = 0; k < 2000; k++) n[k] = k * 7919 % 2000;
		qsort(n, 2000, sizeof(int), by);
		m = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(m, 1 << 20);
		if (lib) dlclose(lib);
		if (!arg && i % 10 == 0) { pid_t p = fork(); if (!p) _exit(0); waitpid(p, 0, 0); }
	}
	return 0;
}
int main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	return 0;
}
END

# Replaces ktaprun's ioctl(). Before a request it makes up to three others, whose arguments are random. Of each block of tables it sends
# damaged copies, with one to eight changes or a damaged sixteenth, until the kernel takes one.
program damage.so -shared -fPIC -I"$SRCDIR" <<'END'
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "runtime/core/unwind.h"
#include "runtime/abi.h"
static unsigned long long random_state;
static int refused, taken, disturbed;
static const unsigned odd[] = { 0, 1, 2, 63, 64, 0x7fffffff, 0x80000000, ~0u, ~0u - 1 };
enum { ODD = sizeof(odd) / sizeof(*odd) };
static unsigned below(unsigned n)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)((random_state >> 33) % n);
}
static void change(unsigned char *at)
{
	unsigned value = odd[below(ODD)];
	switch (below(3)) {
	case 0: *at ^= 1 << below(8); break;
	case 1: *at = below(256); break;
	case 2: memcpy(at - (unsigned long)at % 4, &value, sizeof(value)); break;
	}
}
static void damage(unsigned char *block, unsigned size)
{
	unsigned part = size / 16, first = below(size - part), head = sizeof(struct kt_unwind_head);
	if (below(2))
		for (int n = 1 + below(8); n; n--) change(block + below(below(8) ? size : head));
	else
		for (unsigned n = part / 8; n; n--) change(block + first + below(part));
}
static void disturb(int fd)
{
	static const unsigned requests[] = { KT_IOC_INFO, KT_IOC_TEXT, KT_IOC_SET, KT_IOC_STATUS, KT_IOC_PROBE, KT_IOC_SIGNAL, KT_IOC_NAME,
					     KT_IOC_SWITCH, KT_IOC_PROGRAM, KT_IOC_OBJECT };
	union { unsigned word[160]; char *pointer[80]; char texts[640]; } argument;
	for (int i = 0; i < 160; i++) argument.word[i] = below(2) ? odd[below(ODD)] : below(2) ? below(8) : below(~0u);
	for (int i = 0; i < 80; i++) if (!below(3)) argument.pointer[i] = argument.texts + below(640);
	for (int i = 0; i < 640; i++) if (below(2)) argument.texts[below(640)] = below(256);
	syscall(SYS_ioctl, fd, requests[below(10)], below(8) ? &argument : (void *)(unsigned long)odd[below(ODD)]);
	disturbed++;
}
int ioctl(int fd, unsigned long number, ...)
{
	struct kt_object *o;
	va_list ap;
	va_start(ap, number);
	o = va_arg(ap, void *);
	va_end(ap);
	for (int n = below(4); n; n--) disturb(fd);
	if ((unsigned)number != KT_IOC_OBJECT) return syscall(SYS_ioctl, fd, number, o);
	for (int i = 0; i < 200; i++) {
		struct kt_object bad = *o;
		unsigned char *block = malloc(o->size + 64);
		memcpy(block, (void *)o->block, o->size);
		damage(block, o->size / 4 * 4);
		if (!below(16)) bad.size = below(2) ? o->size + below(64) : below(o->size + 1);
		bad.block = (unsigned long)block;
		int result = syscall(SYS_ioctl, fd, number, &bad), error = errno;
		free(block);
		refused += result < 0;
		taken += result == 0;
		errno = error;
		if (!result || error == EEXIST) return result;
	}
	return -1;
}
__attribute__((constructor)) static void start(void) { random_state = atoi(getenv("SEED")); unsetenv("LD_PRELOAD"); }
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "tables: %d refused, %d taken; %d requests\n", refused, taken, disturbed); }
END

program clock -O2 -fomit-frame-pointer <<'END'
#include <time.h>
__attribute__((noinline)) int asks(void) { struct timespec t; return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) + (int)t.tv_nsec; }
int main(void) { return asks() & 0; }
END

for release in $(kernels); do
	# every stack is an end, not an endless loop; the innermost address is always there
	session liar -DMAXACTION=1000000 -c ./liar -d ./liar --ldd -e '
	global n, deepest
	probe kernel.function("'$wrapper'_getpgid") {
		if (execname() != "liar") next
		n++
		s = sprint_ubacktrace()
		deep = 0
		while (ustack(deep)) deep++
		if (deep < 1 || deep > 128 || s == "") error("no stack")
		if (deep > deepest) deepest = deep
	}
	probe end { printf("%d stacks, %s\n", n, deepest > 1 ? "some deeper" : "none deeper") }'

	# no tables for the program's own code: frame pointers, and that is said
	session bare -c ./bare -e '
	probe kernel.function("'$wrapper'_getpgid") { if (pid() == target() && !n++) print_ubacktrace_brief() } global n'

	# the vdso makes the call when it cannot answer itself; the probe is in the kernel then
	session clock -c ./clock -e '
	probe kernel.function("'$wrapper'_clock_gettime") { if (pid() == target()) { print_ubacktrace(); println("-") } }'

	# nothing given beforehand: tables come while it runs, and the warning names who lacked them; how soon they come is
	# the machine's business, so the program goes on until stacks have been whole for a while
	session late -e '
	global whole
	probe kernel.function("'$wrapper'_getpgid") {
		if (execname() != "bare") next
		if (isinstr(sprint_ubacktrace(), "main+0x")) whole++
		else if (whole) again++
		if (whole == 10) exit()
	}
	probe begin { system("./bare on") }
	probe end { printf("%d whole, %d short again\n", whole, again) } global again'

	# where mappings are being changed the stack is one address; elsewhere it goes to main or the thread's start
	session busy -DMAXSTRINGLEN=2048 --folded -c ./busy -d ./busy --ldd -e '
	global stacks
	probe timer.profile, timer.ms(1), kernel.function("vm_munmap") ?, kernel.function("do_mmap"),
		kernel.trace("sched_switch") {
		if (execname() == "busy") stacks[ubacktrace_folded()]++
	}'

	# KASAN sees what a walk reads beside the tables; the other kernels see what makes them fault
	module damaged -DMAXACTION=1000000 -DMAXSTRINGLEN=2048 -d ./busy --ldd -e '
	global n
	probe timer.profile, timer.ms(1), kernel.function("vm_munmap") ?, kernel.function("do_mmap"),
		process("./busy").function("by"), process("./busy").function("work") {
		if (execname() != "busy") next
		print_ubacktrace_fileline()
		for (depth = 0; ustack(depth); depth++)
			println(usymdata(ustack(depth)), umodname(ustack(depth)), usymfileline(ustack(depth)))
		if (n++ >= 300) exit()
	}
	probe end { println("end") }'
	case $release in
	*kasan) seeds=8 ;;
	*) seeds=2 ;;
	esac
	in_guest "for seed in \$(seq $seeds); do
			SEED=\$seed LD_PRELOAD=$work/damage.so \"\$KTAPRUN\" -c ./busy kt_damaged.ko >out 2>>\$RESULTS/damaged.err </dev/null
			echo \$? \$(tail -n 1 out) >>\$RESULTS/damaged.out
		done"
	boot

	test "$(uniq results/damaged.out)" = '0 end' || fail "damaged tables: $(cat results/damaged.out results/damaged.err)"
	awk '/^tables: / { refused += $2; taken += $4; requests += $6 } END { exit !(refused > 9 && taken > 4 && requests > 20) }' results/damaged.err ||
		fail "damaged tables: $(cat results/damaged.err)"

	result liar
	printed '^323 stacks, some deeper$'

	result bare
	printed '^getpgid+0x[0-9a-f]*$'
	printed '^inner+0x[0-9a-f]*$'
	printed '^outer+0x[0-9a-f]* (inexact)$'
	printed '^main+0x[0-9a-f]* (inexact)$'

	result clock
	printed ' : [a-z_]*clock_gettime+0x[0-9a-f]*/0x[0-9a-f]* \[vdso\]$'
	# That of arm64 has no tables (arch/arm64/kernel/vdso/vdso.lds.S).
	if test "$machine" = aarch64; then
		printed ' : asks+0x[0-9a-f]*/0x[0-9a-f]* .* (inexact)$'
	else
		tr '\n' ' ' <out | grep -q '\[vdso\] .* clock_gettime+.*libc.so.6\] .* asks+.* main+' || fail "no way out of the vdso"
		! grep -q 'inexact\|truncated' out || fail "the vdso has tables"
	fi

	result late
	printed '^10 whole, 0 short again$'
	said 'objects that had no tables.*-d [^ ]*/libc.so.6'
	said '-d [^ ]*/bare'

	result busy
	printed 'work;.*qsort'
done
