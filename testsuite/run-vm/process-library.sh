#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# malloc() and free() of libc in a program of four threads: as many hits as a preloaded library counts, and every return
# goes with its entry; with -c no other process is seen although all of them use libc.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pthread <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *body(void *arg) {
	for (int i = 0; i < 500; i++) { void *p = malloc((size_t)(long)arg + 16); __asm__ volatile("" :: "r"(p) : "memory"); free(p); }
	return NULL;
}
int main(void) {
	pthread_t t[4];
	for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, body, (void *)i);
	for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
	return 0;
}
END
program count.so -shared -fPIC <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
static long allocated, freed;
void *malloc(size_t n) {
	static void *(*next)(size_t);
	if (!next) next = dlsym(RTLD_NEXT, "malloc");
	__atomic_fetch_add(&allocated, 1, __ATOMIC_RELAXED);
	return next(n);
}
void free(void *p) {
	static void (*next)(void *);
	if (!next) next = dlsym(RTLD_NEXT, "free");
	__atomic_fetch_add(&freed, 1, __ATOMIC_RELAXED);
	next(p);
}
__attribute__((destructor)) static void tell(void) {
	char line[80];
	int n = snprintf(line, sizeof(line), "counted %ld %ld\n", allocated, freed);
	if (write(2, line, n) < 0) _exit(1);
}
END
for release in $(kernels); do
	in_vm -c "env LD_PRELOAD=$PWD/count.so ./prog" -e '
	global got, put, back, wrong, others
	probe process("libc.so.6").function("malloc") { if (execname() == "prog") got++; else if (execname() != "sh" && execname() != "env") others++ }
	probe process("./prog").library("libc.so.6").function("free") { if (execname() == "prog") put++ }
	probe process("libc.so.6").function("malloc").return { if (execname() == "prog") { back++; if (!returnval()) wrong++ } }
	probe end { println("counted ", got, " ", put); println(got == back, " ", wrong, " ", others) }'
	printed '^1 0 0$'
	# What libc frees of its own accord when a thread ends does not pass through the library.
	set -- $(sed -n 's/^counted //p' err) $(sed -n 's/^counted //p' out)
	test $# = 4 || fail "the program says nothing"
	test "$1" -ge 2000 && test "$3" = "$1" && test "$4" -ge "$2" || fail "counts differ: $*"
done
