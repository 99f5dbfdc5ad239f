/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of probe families, from runtime/families.def, and what their flags say. No family calls this file. */
#include "translator/probe/probe.h"

#define FAMILY(id, name, flags, points) points
#define POINTS(name) &probe_family_##name,
const struct probe_family *const probe_families[] = {
#include "runtime/families.def"
	NULL,
};
#undef FAMILY

static const unsigned family_flags[KT_FAMILY_COUNT] = {
#define FAMILY(id, name, flags, points) [KT_FAMILY_##id] = (flags),
#include "runtime/families.def"
#undef FAMILY
};

bool probe_is_alone(const struct probe *pr)
{
	return family_flags[pr->family->id] & KT_FAMILY_ALONE;
}

bool probe_is_cold(const struct probe *pr)
{
	return family_flags[pr->family->id] & KT_FAMILY_COLD;
}

void probe_patterns(void (*fn)(const struct probe_pattern *pattern, void *data), void *data)
{
	for (const struct probe_family *const *f = probe_families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++)
			fn(p, data);
}
