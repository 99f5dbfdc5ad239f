/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gcc inlines the first lines of put() and makes put.part.0 of the rest; of scaled() it makes scaled.constprop.0 or .isra.0. */
#include <stdio.h>
#include <stdlib.h>

struct list { int n, *v; };
static int sum;

__attribute__((noipa)) static void add(struct list *l, int i)
{
	sum += l->v[i % l->n];
}

static void put(struct list *l)
{
	if (!l)
		return;
	for (int i = 0; i < l->n; i++) {
		add(l, i);
		add(l, i * 2);
		add(l, i * 3);
		if (sum > 1000000)
			printf("many %d\n", sum);
	}
	free(l->v);
}

static __attribute__((noinline)) int scaled(const struct list *l, int by)
{
	return l->n * by + sum;
}

__attribute__((noipa)) void one(struct list *l) { sum++; put(l); }
__attribute__((noipa)) void two(struct list *l) { sum += 2; put(l); sum++; }
__attribute__((noipa)) void three(struct list *l) { sum += 3; put(l); sum--; }

__attribute__((noipa)) static struct list *make(int n)
{
	struct list *l = malloc(sizeof(*l));

	l->n = n;
	l->v = calloc((size_t)n, sizeof(int));
	return l;
}

int main(void)
{
	struct list *l = make(5);

	sum = scaled(l, 3) + scaled(l, 3);
	one(NULL);
	one(make(2));
	two(NULL);
	two(NULL);
	two(make(1));
	three(l);
	three(NULL);
	return 0;
}
