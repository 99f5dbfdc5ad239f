/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on namespaces, and on the loader, whose namespaces are the ones that numbers are told in: what it
 * was when it started the session. Context: any.
 */
#include <linux/cred.h>
#include <linux/nsproxy.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "runtime/fn.h"
#include "runtime/kit/services.h"

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

__kprobes kt_s64 kt_fn_stp_pid(struct kt_ctx *c)
{
	return loader.tgid;
}

/* ---- the current task, as the loader's namespaces have it ---- */
#define LOADER_FUNCTION(name, value)               \
	__kprobes kt_s64 kt_fn_##name(struct kt_ctx *c) \
	{                                          \
		struct task_struct *t = kt_task(c); \
						   \
		return (kt_s64)(value);            \
	}
LOADER_FUNCTION(ns_pid, task_tgid_nr_ns(t, loader.pids))
LOADER_FUNCTION(ns_tid, task_pid_nr_ns(t, loader.pids))
LOADER_FUNCTION(ns_pgrp, task_pgrp_nr_ns(t, loader.pids))
LOADER_FUNCTION(ns_sid, task_session_nr_ns(t, loader.pids))
LOADER_FUNCTION(ns_uid, from_kuid_munged(loader.users, task_cred_xxx(t, uid)))
LOADER_FUNCTION(ns_euid, from_kuid_munged(loader.users, task_cred_xxx(t, euid)))
LOADER_FUNCTION(ns_gid, from_kgid_munged(loader.users, task_cred_xxx(t, gid)))
LOADER_FUNCTION(ns_egid, from_kgid_munged(loader.users, task_cred_xxx(t, egid)))

__kprobes kt_s64 kt_fn_ns_ppid(struct kt_ctx *c)
{
	kt_s64 id;

	rcu_read_lock();
	id = task_tgid_nr_ns(rcu_dereference(kt_task(c)->real_parent), loader.pids);
	rcu_read_unlock();
	return id;
}

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

__kprobes kt_s64 kt_fn_task_ns_tid(struct kt_ctx *c, kt_s64 task)
{
	return id_in_loader(c, kt_deref(c, (u64)task + offsetof(struct task_struct, thread_pid), 8));
}

__kprobes kt_s64 kt_fn_task_ns_pid(struct kt_ctx *c, kt_s64 task)
{
	u64 leader = kt_deref(c, (u64)task + offsetof(struct task_struct, group_leader), 8);

	return c->error ? 0 : kt_fn_task_ns_tid(c, (kt_s64)leader);
}

static __kprobes u32 task_credential(struct kt_ctx *c, kt_s64 task, u32 offset)
{
	u64 cred = kt_deref(c, (u64)task + offsetof(struct task_struct, cred), 8);

	return c->error ? 0 : (u32)kt_deref(c, cred + offset, sizeof(u32));
}
#define LOADER_TASK(name, value)                                     \
	__kprobes kt_s64 kt_fn_##name(struct kt_ctx *c, kt_s64 task) \
	{                                                            \
		return (kt_s64)(value);                              \
	}
#define LOADER_UID(member) \
	from_kuid_munged(loader.users, KUIDT_INIT(task_credential(c, task, offsetof(struct cred, member))))
#define LOADER_GID(member) \
	from_kgid_munged(loader.users, KGIDT_INIT(task_credential(c, task, offsetof(struct cred, member))))
LOADER_TASK(task_ns_uid, LOADER_UID(uid))
LOADER_TASK(task_ns_euid, LOADER_UID(euid))
LOADER_TASK(task_ns_gid, LOADER_GID(gid))
LOADER_TASK(task_ns_egid, LOADER_GID(egid))
