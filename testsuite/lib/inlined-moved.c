/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that are inlined, of which compilers moved, copied and merged parts. The functions count their calls. */
#include <stdio.h>

extern volatile unsigned long count[7];
extern volatile int sink;

/* gcc -O3 unrolls the loop around it, and copies it where a test is known. */
static inline int indexed(int a, int *v)
{
	count[0]++;
	return v[a & 3] + a;
}

/* gcc -O2 copies the third call for a case in which the second one ended, without the mark of an entry. */
static inline __attribute__((always_inline)) int threaded(int a, int *v)
{
	count[1]++;
	if (a % 5 == 0)
		return a + 8;
	if (--v[2] == 0) {
		printf("cold %d %d\n", a, v[1]);
		v[2] = a;
		sink = v[3];
	}
	for (int i = 0; i < (a & 3); i++)
		v[i & 3] += a * i;
	while (v[0] > 0 && v[0] < 3)
		v[0]++;
	return a * 3;
}

/* gcc -O3 puts marks before code of the caller, in ranges that are empty. */
static inline __attribute__((always_inline)) int marked(int a, int *v)
{
	count[2]++;
	if (a % 4 == 0)
		return a;
	switch (a & 7) {
	case 1: v[1]++; break;
	case 2: sink = a; break;
	case 5: v[3] -= a; break;
	default: v[2] ^= a;
	}
	for (int i = 0; i < (a & 3); i++)
		v[i & 3] += a * i;
	return v[a & 3] + a;
}

/* gcc -O2 puts code of the first call after the mark of the second. */
static int shared(int a, int *v)
{
	count[3]++;
	if (a % 2 == 1)
		return a;
	if (--v[0] == 0) {
		printf("cold %d %d\n", a, v[1]);
		v[2] = a;
		sink = v[3];
	}
	return a * 3;
}

static int two_ways(int a, int *v)
{
	for (int i = 0; i < (a & 3); i++)
		v[i & 3] += a * i;
	switch (a & 7) {
	case 1: v[1]++; break;
	case 2: sink = a; break;
	case 5: v[3] -= a; break;
	default: v[2] ^= a;
	}
	if (a & 1)
		v[0] += shared(a - 1, v);
	else
		v[1] -= shared(a - 2, v);
	if (a > 0)
		v[3] += two_ways(a / 2 - 1, v);
	return a * 3;
}

/* clang -O3 loads the address of the counter for the first call alone. */
static int addressed(int a, int *v)
{
	count[4]++;
	switch (a & 7) {
	case 1: v[1]++; break;
	case 2: sink = a; break;
	case 5: v[3] -= a; break;
	default: v[2] ^= a;
	}
	if (--v[1] == 0) {
		printf("cold %d %d\n", a, v[1]);
		v[2] = a;
		sink = v[3];
	}
	return v[a & 3] + a;
}

/* clang -O2 loads v[3] before it counts, and no row of the first line begins at a jump. */
static int late(int a, int *v)
{
	count[5]++;
	if (--v[3] == 0) {
		printf("cold %d %d\n", a, v[1]);
		v[2] = a;
		sink = v[3];
	}
	return v[a & 3] + a;
}

volatile unsigned long count[7];
volatile int sink, written;

/* Its first statement does something for some calls only, and the caller is nothing but the call. */
static inline __attribute__((always_inline)) int guarded(int a)
{
	if (a) written++;
	if (a > 5) sink = a;
	return a * 3;
}

static __attribute__((noinline)) int only_guarded(int a)
{
	return guarded(a);
}

static __attribute__((noinline)) int run_guarded(void)
{
	int sum = 0;

	for (int i = 0; i < 9; i++) {
		sum += only_guarded(i % 3);
		count[6]++;
	}
	return sum;
}

static __attribute__((noinline)) int run_indexed(int argc)
{
	int v[4] = { argc, 2, 3, 4 }, sum = 0;

	for (int i = 0; i < 6; i++)
		sum += indexed(i + argc, v);
	return sum + v[0] + v[1] + v[2] + v[3];
}

static __attribute__((noinline)) int run_threaded(int argc)
{
	int v[4] = { argc, 2, 3, 4 }, sum = 0;

	sum += threaded(0 + v[2] % 7, v);
	sum += threaded(1 + v[2] % 7, v);
	sum += threaded(3 + v[0] % 7, v);
	return sum + v[0] + v[1] + v[2] + v[3];
}

static __attribute__((noinline)) int run_addressed(int argc)
{
	int v[4] = { argc, 2, 3, 4 }, sum = 0;

	for (int i = 0; i < 8; i++)
		sum += addressed(i + argc, v);
	return sum + v[0] + v[1] + v[2] + v[3];
}

static __attribute__((noinline)) int run_late(int argc)
{
	int v[4] = { argc, 2, 3, 4 }, sum = 0;

	for (int i = 0; i < 6; i++)
		sum += late(i + argc, v);
	return sum + v[0] + v[1] + v[2] + v[3];
}

int main(int argc, char **argv)
{
	int v[4] = { argc, 2, 3, 4 }, sum = 0;

	for (int i = 0; i < 6; i++)
		sum += marked(i + argc, v);
	for (int i = 0; i < 5; i++)
		sum += two_ways(i + argc, v);
	sum += two_ways(4 + v[1] % 7, v);
	for (int i = 0; i < 3; i++)
		sum += shared(i + argc, v);
	sum += run_indexed(argc) + run_threaded(argc) + run_addressed(argc) + run_late(argc) + run_guarded();
	printf("indexed %lu\nthreaded %lu\nmarked %lu\nshared %lu\naddressed %lu\nlate %lu\nguarded %lu\n", count[0], count[1], count[2],
	       count[3], count[4], count[5], count[6]);
	sink = sum + v[0] + v[1] + v[2] + v[3];
	return 0;
}
