/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is there system_dfl_wq? 128ea9f6ccfb "workqueue: Add system_percpu_wq and system_dfl_wq", v6.17. */
#include <linux/workqueue.h>

void kt_question(struct work_struct *work);

void kt_question(struct work_struct *work)
{
	queue_work(system_dfl_wq, work);
}
