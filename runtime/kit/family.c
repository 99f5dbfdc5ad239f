/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families of the script: armed in the order of its table, disarmed in reverse. */
#include "runtime/kit/kit.h"

static const struct kt_family_ops *const *families; /* by enum kt_family */
static u32 n_armed;                                 /* of kt_script.families */

void kt_families_use(const struct kt_family_ops *const *all)
{
	families = all;
}

static const struct kt_family_ops *family_of(const struct kt_family_rows *rows)
{
	return rows->family < KT_FAMILY_COUNT ? families[rows->family] : NULL;
}

int kt_families_arm(void)
{
	int err = 0;

	for (u32 i = 0; i < kt_script.n_families && kt_run_starts(); i++) {
		const struct kt_family_rows *rows = &kt_script.families[i];
		const struct kt_family_ops *ops = family_of(rows);

		if (!ops)
			err = -EPROTONOSUPPORT;
		else if (ops->places)
			err = kt_places_arm(ops->places, rows);
		else if (ops->arm)
			err = ops->arm(rows);
		if (err)
			return err;
		n_armed = i + 1;
	}
	return 0;
}

void kt_families_disarm(void)
{
	while (n_armed > 0) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[--n_armed]);

		if (ops->places)
			kt_places_disarm(ops->places);
		else if (ops->disarm)
			ops->disarm();
	}
}

void kt_families_update(void)
{
	for (u32 i = 0; i < n_armed; i++) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[i]);

		if (ops->places)
			kt_places_update(ops->places);
		else if (ops->update)
			ops->update();
	}
}

/* A family counts what the kernel missed in kt_run.probes, where it stays. */
void kt_families_count(struct kt_status *s)
{
	for (u32 i = 0; i < n_armed; i++) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[i]);

		if (ops->places)
			kt_places_count(ops->places);
	}
	for (u32 i = 0; i < kt_script.n_probes; i++)
		for (u32 cause = 0; cause < KT_LOSS_COUNT; cause++)
			s->lost[cause] += kt_run.probes[i].lost[cause];
}

u32 kt_families_rows(void)
{
	u32 n = 0;

	for (u32 i = 0; i < kt_script.n_families; i++) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[i]);

		n += ops && (ops->places || ops->arm) ? kt_script.families[i].n : 0;
	}
	return n;
}
