/* The second file of the module: statics of names that the first has too. */
#include "truth.h"

static int truth_private = 2002;

opaque int truth_other(int x)
{
	return x + 1;
}

static opaque int truth_same(int there)
{
	return there + truth_private++;
}

int truth_other_statics(void)
{
	return truth_same(32);
}
