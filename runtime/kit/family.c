/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families of the script: armed in the order of its table, disarmed in reverse. The probes begin, end and error have no places:
 * the session runs them, in process context, in the order of their priority.
 */
#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"

static struct kt_places *all_families; /* by enum kt_family */
static u32 n_armed;                    /* of kt_script.families */

void kt_families_use(struct kt_places *families)
{
	all_families = families;
}

static struct kt_places *places_of(u32 i)
{
	u32 family = kt_script.families[i].family;

	return family < KT_FAMILY_COUNT ? &all_families[family] : NULL;
}

int kt_families_arm(void)
{
	for (u32 i = 0; i < kt_script.n_families && kt_run_starts(); i++) {
		struct kt_places *all = places_of(i);
		int err;

		if (!all)
			return -EPROTONOSUPPORT;
		err = kt_places_arm(all, &kt_script.families[i]);
		n_armed = i + 1; /* what a failed one has armed is disarmed with the others, in a thread */
		if (err)
			return err;
	}
	return 0;
}

void kt_families_disarm(void)
{
	while (n_armed > 0)
		kt_places_disarm(places_of(--n_armed));
}

u32 kt_families_update(void)
{
	u32 refused = 0;

	for (u32 i = 0; i < n_armed; i++)
		refused += kt_places_update(places_of(i));
	return refused;
}

/* A family counts what the kernel missed in kt_run.probes, where it stays. */
void kt_families_count(struct kt_status *s)
{
	for (u32 i = 0; i < n_armed; i++)
		kt_places_count(places_of(i));
	for (u32 i = 0; i < kt_script.n_probes; i++)
		for (u32 cause = 0; cause < KT_LOSS_COUNT; cause++)
			s->lost[cause] += kt_run.probes[i].lost[cause];
}

u32 kt_families_rows(void)
{
	u32 n = 0;

	for (u32 i = 0; i < kt_script.n_families; i++)
		n += places_of(i) && places_of(i)->ops->size ? kt_script.families[i].n : 0;
	return n;
}

void kt_life_run(enum kt_life when)
{
	const struct kt_family_rows *rows = kt_rows_of(KT_FAMILY_LIFE);
	const struct kt_life_row *row = rows->rows;
	int state = kt_run_state();

	/* exit() or an error in a begin probe: the later ones do not run. */
	for (u32 i = 0; i < rows->n && kt_run_state() == state; i++)
		if (row[i].when == when)
			kt_handle_own(&kt_script.probes[row[i].probe], NULL);
}

const struct kt_family_ops kt_life_family = {};
