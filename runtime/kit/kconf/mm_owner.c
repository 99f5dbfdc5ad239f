/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does an address space know a task of its process, since cf475ad28ac3 "cgroups: add an owner to the mm_struct", v2.6.26? No: CONFIG_MEMCG is
 * off. */
#include <linux/mm_types.h>

const struct task_struct *kt_question(const struct mm_struct *mm)
{
	return rcu_dereference(mm->owner);
}
