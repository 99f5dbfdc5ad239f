/* The second file of the module: statics of names that the first has too. */
#include "truth.h"

static int truth_private = 2002;

opaque int truth_other(int x)
{
	return x + 1;
}

static int truth_twin twin_data = 222;

static opaque twin_code int truth_twin_code(int there)
{
	return there + truth_twin;
}

int truth_other_twin(int x)
{
	truth_twin++;
	return truth_twin_code(x);
}

static opaque int truth_same(int there)
{
	return there + truth_private++;
}

int truth_other_statics(void)
{
	return truth_same(32);
}
