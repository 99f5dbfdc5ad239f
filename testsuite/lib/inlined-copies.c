/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that are inlined into loops which compilers unroll and peel. The functions count their calls. */
#include <stdio.h>

volatile unsigned long count[4];
volatile int sink;

static inline int odd_sum(int a, int *v)
{
	count[0]++;
	if (a % 3 == 1)
		return a + 1;
	v[0] += a;
	return v[a & 3];
}

static inline int shifted(int a, int *v)
{
	count[1]++;
	for (int i = 0; i < (a & 3); i++)
		v[i & 3] += a * i;
	return v[a & 3] + odd_sum(a >> 1, v);
}

static int chosen(int a, int *v)
{
	count[2]++;
	switch (a & 7) {
	case 1: v[1]++; break;
	case 2: sink = a; break;
	case 5: v[3] -= a; break;
	default: v[2] ^= a;
	}
	if (a & 1)
		v[0] += odd_sum(a - 1, v);
	return a * 3;
}

static inline int waited(int a, int *v)
{
	int n = 0;

	while (v[a & 3] > 0 && n < a) {
		v[a & 3] -= 2;
		n++;
	}
	count[3]++;
	return n;
}

int main(int argc, char **argv)
{
	int v[4] = { argc, 2, 3, 4 }, sum = 0;

	for (int i = 0; i < 3; i++)
		sum += odd_sum(i + argc, v);
	for (int i = 0; i < 5; i++)
		sum += shifted(i, v);
	for (int i = 0; i < 7; i++)
		sum += chosen(i + sum, v);
	for (int i = 0; i < 4; i++)
		sum += waited(i, v);
	printf("odd_sum %lu\nshifted %lu\nchosen %lu\nwaited %lu\n", count[0], count[1], count[2], count[3]);
	sink = sum;
	return 0;
}
