/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that are inlined, and are counted in the functions or where they are called. gcc -O2 moves the stores of the first two functions before
 * the marks of their calls, to which other code then jumps. */
#include <stdio.h>

extern volatile unsigned long count[4];
extern volatile int sink;
static int total;

/* Another call jumps to the second half of the third. */
static inline __attribute__((always_inline)) int joined(int a, int *v)
{
	count[0]++;
	if (a % 5 == 0)
		return a + 1;
	if (--v[0] == 0) {
		printf("cold %d %d\n", a, v[1]);
		v[2] = a;
		sink = v[3];
	}
	return v[a & 3] + a;
}

static int recursive(int a, int *v)
{
	if (a > 0)
		v[3] += recursive(a / 2 - 1, v);
	return a;
}

static __attribute__((noinline)) int run_joined(int argc)
{
	int v[4] = { argc, 2, 3, 4 }, sum = 0;

	for (int i = 0; i < 8; i++)
		sum += v[(i + argc) & 3];
	sum += joined(3 + v[2] % 7, v);
	sum += joined(7 + v[2] % 7, v);
	sum += joined(3 + v[2] % 7, v);
	return sum + recursive(8 + v[1] % 7, v);
}

/* It is inlined into itself, and that into a loop, which begins after its first half. */
static inline int looped(int a, int *v)
{
	count[1]++;
	if (a % 2 == 1)
		return a;
	for (int i = 0; i < (a & 3); i++)
		v[i & 3] += a * i;
	if (a > 0)
		v[3] += looped(a / 2 - 1, v);
	return a;
}

static __attribute__((noinline)) int run_looped(int argc)
{
	int v[4] = { argc, 2, 3, 4 };

	recursive(4 + v[0] % 7, v);
	for (int i = 0; i < (v[3] & 3); i++)
		v[i & 3] += 5 * i;
	while (v[0] > 0 && v[0] < 3) {
		v[0]++;
		looped(v[0], v);
	}
	return v[0];
}

/* gcc -O2 makes one store of all calls in the loop. */
static inline void summed(int a)
{
	total += a;
	if (a > 6)
		sink = a;
}

static __attribute__((noinline)) void run_summed(int argc)
{
	for (int i = 0; i < 9; i++) {
		summed(i * argc);
		count[2]++;
	}
}

/* The caller's loop decides about the store. */
static inline int stored(int *p)
{
	return p ? (*p = 1) : 0;
}

static __attribute__((noinline)) int run_stored(int argc)
{
	int v[4] = { 0 }, *p, sum = 0;

	do {
		p = argc < 4 ? &v[argc++] : NULL;
		count[3]++;
		sum += stored(p);
	} while (p);
	return sum + v[1] + v[3];
}

volatile unsigned long count[4];
volatile int sink;

int main(int argc, char **argv)
{
	run_summed(argc);
	sink = run_joined(argc) + run_looped(argc) + run_stored(argc) + total;
	printf("joined %lu\nlooped %lu\nsummed %lu\nstored %lu\n", count[0], count[1], count[2], count[3]);
	return 0;
}
