/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on the current task and CPU. Context: any; the current task's own fields need no lock. */
#include <linux/cred.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "runtime/kit/services.h"
#include "runtime/kit/value.h"

__kprobes void kt_fn_execname(struct kt_ctx *c, char *ret, kt_u32 size)
{
	const char *comm = kt_task(c)->comm;

	if (likely(size >= TASK_COMM_LEN)) {
		memcpy(ret, comm, TASK_COMM_LEN); /* of constant size: two words */
		ret[TASK_COMM_LEN - 1] = 0;
	} else {
		kt_strcpy(ret, comm, size);
	}
}

KT_NUMBER(pid, kt_task(c)->tgid)
KT_NUMBER(tid, kt_task(c)->pid)

/* The parent may exit meanwhile; with interrupts off its task struct stays until we are done with it. A task that is gone from
 * the lists, and runs its last steps, may have a parent that is freed. */
KT_NUMBER(ppid, pid_alive(kt_task(c)) ? rcu_dereference_raw(kt_task(c)->real_parent)->tgid : 0)

/* Ids as the current task's user namespace has them. The initial namespace maps each valid id to itself, without a search. */
static __always_inline kt_s64 here_uid(kuid_t id)
{
	struct user_namespace *ns = current_user_ns();

	return likely(ns == &init_user_ns && uid_valid(id)) ? __kuid_val(id) : from_kuid_munged(ns, id);
}

static __always_inline kt_s64 here_gid(kgid_t id)
{
	struct user_namespace *ns = current_user_ns();

	return likely(ns == &init_user_ns && gid_valid(id)) ? __kgid_val(id) : from_kgid_munged(ns, id);
}

/* The current task's own may be overridden for a while: those count. */
#define ID(name) (c->task ? task_cred_xxx(kt_task(c), name) : current_##name())
KT_NUMBER(uid, here_uid(ID(uid)))
KT_NUMBER(euid, here_uid(ID(euid)))
KT_NUMBER(gid, here_gid(ID(gid)))
KT_NUMBER(egid, here_gid(ID(egid)))

KT_NUMBER(cpu, raw_smp_processor_id())
KT_NUMBER(target, kt_run.target)
