/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the instances of kretprobes in a list of each task, and does get_kretprobe() return the probe of one? d741bf41d7c7 "kprobes:
 * Remove kretprobe hash", v5.11. */
#include <linux/kprobes.h>

struct kretprobe *kt_question(struct kretprobe_instance *ri)
{
	return current->kretprobe_instances.first ? get_kretprobe(ri) : NULL;
}
