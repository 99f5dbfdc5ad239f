/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control: must compile everywhere. A no here means that questions are not answered by their subject. */
#include <linux/kprobes.h>

int kt_question(struct kprobe *kp)
{
	return register_kprobe(kp);
}
