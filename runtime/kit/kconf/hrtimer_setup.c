/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is there hrtimer_setup()? 908a1d775422 "hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()", v6.13. */
#include <linux/hrtimer.h>

void kt_question(struct hrtimer *timer, enum hrtimer_restart (*fn)(struct hrtimer *))
{
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
