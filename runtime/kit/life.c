/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes begin, end and error: run by the session itself, in process context, in the order of their priority. */
#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"

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

/* The session runs the handlers itself: there are no places. */
const struct kt_family_ops kt_life_family = {};
