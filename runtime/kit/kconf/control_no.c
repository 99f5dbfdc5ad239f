/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control: must fail everywhere. A yes here means that errors go unnoticed. */
#include <linux/kprobes.h>

int kt_question(struct kprobe *kp)
{
	return register_kprobe_of_no_kernel(kp);
}
