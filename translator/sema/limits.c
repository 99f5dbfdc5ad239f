/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/sema/limits.h"

#include <limits.h>

#include "runtime/core/map.h"

long long limit_read(const struct program *p, const char *name, long long otherwise, long long low, long long high, bool *failed)
{
	long long v = language_limit(&p->language, name, otherwise);

	if (v == otherwise || (v >= low && v <= high))
		return v;
	error(diag_nowhere(p->reports), DIAG_USAGE, "-D%s=%lld is out of range: %lld to %lld", name, v, low, high);
	*failed = true;
	return otherwise;
}

struct limits limits_read(const struct program *p, bool *failed)
{
	struct limits l = {
		.string_max = (int)limit_read(p, "MAXSTRINGLEN", 512, 16, 32768, failed),
		.max_action = limit_read(p, "MAXACTION", 10000, 1, INT_MAX, failed),
		.max_visits = p->language.endless ? LLONG_MAX : limit_read(p, "MAXVISITS", 20000, 1, INT_MAX, failed),
		.map_entries = limit_read(p, "MAXMAPENTRIES", 2048, 1, KT_ENTRIES_MAX, failed),
		.max_errors = limit_read(p, "MAXERRORS", 0, 0, INT_MAX, failed),
		.max_skipped = limit_read(p, "MAXSKIPPED", 100, 0, INT_MAX, failed),
		.lock_wait = 1000 * limit_read(p, "MAXTRYLOCK", 100, 0, INT_MAX, failed) * limit_read(p, "TRYLOCKDELAY", 10, 0, 1000000, failed),
	};

	l.max_life = l.max_action < INT_MAX / 10 ? 10 * l.max_action : INT_MAX;
	l.max_life = limit_read(p, "MAXACTION_INTERRUPTIBLE", l.max_life, 1, INT_MAX, failed);
	return l;
}
