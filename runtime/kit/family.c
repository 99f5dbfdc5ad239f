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

		if (ops->disarm)
			ops->disarm();
	}
}

void kt_families_update(void)
{
	for (u32 i = 0; i < n_armed; i++) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[i]);

		if (ops->update)
			ops->update();
	}
}

void kt_families_count(struct kt_status *s)
{
	for (u32 i = 0; i < KT_FAMILY_COUNT; i++)
		if (families[i]->count)
			families[i]->count(s);
}

u32 kt_families_rows(void)
{
	u32 n = 0;

	for (u32 i = 0; i < kt_script.n_families; i++) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[i]);

		n += ops && ops->arm ? kt_script.families[i].n : 0;
	}
	return n;
}
