/* The fixture's second file: a static function of a name that the first has too. */
extern volatile int fixture_sink;
int fixture_other(int x);

static __attribute__((noinline, noclone)) int fixture_same(int in_b)
{
	fixture_sink = in_b;
	return in_b * fixture_sink;
}

int fixture_other(int x)
{
	return fixture_same(x) + 1;
}
