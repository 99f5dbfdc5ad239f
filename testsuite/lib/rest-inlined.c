/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gcc splits put() at the test and inlines the rest again: DWARF then has put() inlined into put(). depth() is recursive, and gcc really
 * inlines it into itself. odd_end() and even_end() end alike: gcc may let them share one rest. The program says how often they are called. */
#include <stdio.h>

struct obj { int refs; int v[4]; struct obj *next; };
int freed;
static struct obj *pool;
static volatile int put_calls, depth_calls, odd_calls, even_calls;

void put(struct obj *o)
{
	put_calls++;
	if (--o->refs == 0) {
		for (int i = 0; i < 4; i++)
			freed += o->v[i] & 1;
		o->next = pool;
		pool = o;
		printf("drop %d\n", freed);
	}
}

static __attribute__((noclone)) int depth(struct obj *o)
{
	depth_calls++;
	if (!o)
		return 0;
	return o->v[0] + depth(o->next) / 2;
}

static void odd_end(int n)
{
	odd_calls++;
	if (!__builtin_expect(n & 1, 0))
		return;
	printf("end of many more words than can be repeated %d %d %d\n", freed, freed * 2, freed * 3);
	pool = NULL;
}

static void even_end(int n)
{
	even_calls++;
	if (!__builtin_expect(!(n & 1), 0))
		return;
	printf("end of many more words than can be repeated %d %d %d\n", freed, freed * 2, freed * 3);
	pool = NULL;
}

__attribute__((noipa)) static void ends(int n)
{
	odd_end(n);
	even_end(n + 1);
}

__attribute__((noipa)) static void more_ends(int n)
{
	even_end(n);
	odd_end(n * 3);
}

int main(int argc, char **argv)
{
	struct obj a = { 3, { 1, 2, 3, 4 } }, b = { 1, { 5, 6, 7, 8 } };

	put(&a);
	put(&a);
	put(&b);
	put(&a);
	a.v[1] = depth(pool) + depth(&b);
	for (int i = 0; i < argc + 4; i++) {
		ends(i);
		more_ends(i);
	}
	printf("T put %d depth %d odd %d even %d\n", put_calls, depth_calls, odd_calls, even_calls);
	return 0;
}
