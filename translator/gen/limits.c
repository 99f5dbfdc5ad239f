/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of -D. */
#include "translator/gen/parts.h"

/* ---- the file ---- */
long long gen_limit(struct gen *g, const char *name, long long otherwise, long long low, long long high)
{
	long long v = language_limit(&g->p->language, name, otherwise);

	if (v == otherwise || (v >= low && v <= high))
		return v;
	error(diag_nowhere(g->p->reports), DIAG_USAGE, "-D%s=%lld is out of range: %lld to %lld", name, v, low, high);
	g->failed = true;
	return otherwise;
}
