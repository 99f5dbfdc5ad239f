/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on tasks by the address of their task_struct, numbers in memory, and the loader's namespaces, as of the start
 * of the session. An address comes from the script and may be anything: all of it is read with kt_deref(). Context: any.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"
#include "runtime/kit/value.h"

KT_NUMBER(task_current, (kt_s64)(unsigned long)kt_task(c))

/* A member of the task_struct at `task`, as the type that it has. */
#define TASK_GET(member)                                                                          \
	((typeof_member(struct task_struct, member))kt_deref(                                     \
		c, (u64)task + offsetof(struct task_struct, member),                              \
		sizeof_field(struct task_struct, member)))
KT_NUMBER(task_pid, TASK_GET(tgid), kt_s64 task)
KT_NUMBER(task_tid, TASK_GET(pid), kt_s64 task)
KT_NUMBER(task_parent, (unsigned long)TASK_GET(real_parent), kt_s64 task)
KT_NUMBER(task_state, TASK_GET(KT_TASK_STATE), kt_s64 task)
KT_NUMBER(task_cpu, TASK_GET(KT_TASK_CPU), kt_s64 task)
KT_NUMBER(task_prio, TASK_GET(prio) - MAX_RT_PRIO, kt_s64 task)
KT_NUMBER(task_nice, TASK_GET(static_prio) - DEFAULT_PRIO, kt_s64 task)
KT_NUMBER(__task_comm, (u64)task + offsetof(struct task_struct, comm), kt_s64 task)

/* The id at OFFSET of the task's credentials. */
static __kprobes u32 credential(struct kt_ctx *c, kt_s64 task, u32 offset)
{
	u64 cred = (unsigned long)TASK_GET(cred);

	return c->error ? 0 : (u32)kt_deref(c, cred + offset, sizeof(u32));
}
#define TASK_UID(ns, member) from_kuid_munged(ns, KUIDT_INIT(credential(c, task, offsetof(struct cred, member))))
#define TASK_GID(ns, member) from_kgid_munged(ns, KGIDT_INIT(credential(c, task, offsetof(struct cred, member))))
KT_NUMBER(task_uid, TASK_UID(current_user_ns(), uid), kt_s64 task)
KT_NUMBER(task_euid, TASK_UID(current_user_ns(), euid), kt_s64 task)
KT_NUMBER(task_gid, TASK_GID(current_user_ns(), gid), kt_s64 task)
KT_NUMBER(task_egid, TASK_GID(current_user_ns(), egid), kt_s64 task)

/* The task may end as soon as we return: what is read of it later is guarded. */
__kprobes kt_s64 kt_fn_pid2task(struct kt_ctx *c, kt_s64 pid)
{
	struct task_struct *t;

	rcu_read_lock();
	t = pid_task(find_pid_ns((int)pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return (kt_s64)(unsigned long)t;
}

/* ---- the task that the probe is about ---- */
KT_NUMBER(pgrp, task_pgrp_nr_ns(kt_task(c), &init_pid_ns))
KT_NUMBER(sid, task_session_nr_ns(kt_task(c), &init_pid_ns))
KT_NUMBER(task_utime, kt_task(c)->utime)
KT_NUMBER(task_stime, kt_task(c)->stime)

KT_NUMBER(__kernel_number, kt_extend(kt_deref(c, (u64)address, (u32)size), size, sign), kt_s64 address, kt_s64 size, kt_s64 sign)
KT_NUMBER(__user_number, kt_extend(kt_deref_user(c, (u64)address, (u32)size), size, sign), kt_s64 address, kt_s64 size, kt_s64 sign)

/* ---- the loader ---- */
static struct {
	pid_t tgid;
	struct pid_namespace *pids;
	struct user_namespace *users;
} loader;

void kt_loader_start(void)
{
	loader.tgid = current->tgid;
	loader.pids = get_pid_ns(task_active_pid_ns(current));
	loader.users = get_user_ns(current_user_ns());
}

void kt_loader_stop(void)
{
	if (!loader.pids)
		return;
	put_pid_ns(loader.pids);
	put_user_ns(loader.users);
	loader.pids = NULL;
}

__kprobes pid_t kt_loader_tgid(const struct task_struct *task)
{
	if (!loader.pids || loader.pids == &init_pid_ns)
		return task->tgid;
	return task_tgid_nr_ns((struct task_struct *)task, loader.pids);
}

KT_NUMBER(stp_pid, loader.tgid)

/* ---- the current task, as the loader's namespaces have it ---- */
KT_NUMBER(ns_pid, task_tgid_nr_ns(kt_task(c), loader.pids))
KT_NUMBER(ns_tid, task_pid_nr_ns(kt_task(c), loader.pids))
KT_NUMBER(ns_pgrp, task_pgrp_nr_ns(kt_task(c), loader.pids))
KT_NUMBER(ns_sid, task_session_nr_ns(kt_task(c), loader.pids))
KT_NUMBER(ns_ppid, task_ppid_nr_ns(kt_task(c), loader.pids))
KT_NUMBER(ns_uid, from_kuid_munged(loader.users, task_cred_xxx(kt_task(c), uid)))
KT_NUMBER(ns_euid, from_kuid_munged(loader.users, task_cred_xxx(kt_task(c), euid)))
KT_NUMBER(ns_gid, from_kgid_munged(loader.users, task_cred_xxx(kt_task(c), gid)))
KT_NUMBER(ns_egid, from_kgid_munged(loader.users, task_cred_xxx(kt_task(c), egid)))

/* ---- tasks by address: the script vouches that it is one, and needs -g ---- */
/* The id of PID in the loader's namespace, read with guards all the way; 0: it is not in it. */
static __kprobes kt_s64 id_in_loader(struct kt_ctx *c, u64 pid)
{
	u32 level = loader.pids->level;
	u64 upid = pid + offsetof(struct pid, numbers) + level * sizeof(struct upid);

	if (c->error || !pid || (u32)kt_deref(c, pid + offsetof(struct pid, level), 4) < level || c->error)
		return 0;
	if (kt_deref(c, upid + offsetof(struct upid, ns), 8) != (unsigned long)loader.pids)
		return 0;
	return (int)kt_deref(c, upid + offsetof(struct upid, nr), 4);
}

KT_NUMBER(task_ns_tid, id_in_loader(c, kt_deref(c, (u64)task + offsetof(struct task_struct, thread_pid), 8)), kt_s64 task)

__kprobes kt_s64 kt_fn_task_ns_pid(struct kt_ctx *c, kt_s64 task)
{
	u64 leader = kt_deref(c, (u64)task + offsetof(struct task_struct, group_leader), 8);

	return c->error ? 0 : kt_fn_task_ns_tid(c, (kt_s64)leader);
}

KT_NUMBER(task_ns_uid, TASK_UID(loader.users, uid), kt_s64 task)
KT_NUMBER(task_ns_euid, TASK_UID(loader.users, euid), kt_s64 task)
KT_NUMBER(task_ns_gid, TASK_GID(loader.users, gid), kt_s64 task)
KT_NUMBER(task_ns_egid, TASK_GID(loader.users, egid), kt_s64 task)
