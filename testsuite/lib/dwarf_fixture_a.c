/* The fixture program: functions whose places and variables dwarf_test.c knows. */
#include "dwarf_fixture.h"

extern int fixture_other(int x);

volatile int fixture_sink;
static int fixture_static = 5;

/* Eight parameters: two of them on the stack. */
__attribute__((noinline, noclone)) long fixture_eight(char a, short b, int c, long d, const char *e, struct fixture *f,
						      unsigned char g, fixture_u64 h)
{
	fixture_sink = fixture_static++;
	return a + b + c + d + *e + f->number + g + (long)h;
}

__attribute__((noinline, noclone)) int fixture_by_value(struct fixture_pair p, int n)
{
	fixture_sink = n;
	return p.left * p.right + n;
}

/* Inlined three times: once in each caller, and once through the other. */
static inline __attribute__((always_inline)) int fixture_inlined(int value)
{
	int twice = value * 2;

	fixture_sink = twice;
	return fixture_sink + value;
}

__attribute__((noinline, noclone)) int fixture_first(int x)
{
	return fixture_inlined(x + 1) + 1;
}

__attribute__((noinline, noclone)) int fixture_second(int x)
{
	return fixture_inlined(3) * fixture_inlined(x);
}

/* A name that the other file has too. */
static __attribute__((noinline, noclone)) int fixture_same(int in_a)
{
	fixture_sink = in_a;
	return in_a + fixture_sink;
}

int main(int argc, char **argv)
{
	struct fixture f = { .number = argc };

	return (int)fixture_eight(1, 2, 3, 4, argv[0], &f, 7, 8) + fixture_first(argc) + fixture_second(argc) +
	       fixture_same(argc) + fixture_other(argc) + fixture_by_value((struct fixture_pair){ 1, 2 }, argc);
}
