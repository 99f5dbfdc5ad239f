/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on tasks by the address of their task_struct, and numbers in memory. An address comes from the script
 * and may be anything: all of it is read with kt_deref(). Context: any.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "runtime/fn.h"
#include "runtime/kit/services.h"

__kprobes kt_s64 kt_fn_task_current(struct kt_ctx *c)
{
	return (kt_s64)(unsigned long)kt_task(c);
}

/* A member of the task_struct at `task`, as the type that it has. */
#define TASK_GET(member)                                                                          \
	((typeof_member(struct task_struct, member))kt_deref(                                     \
		c, (u64)task + offsetof(struct task_struct, member),                              \
		sizeof_field(struct task_struct, member)))
#define TASK_FUNCTION(name, value)                               \
	__kprobes kt_s64 kt_fn_##name(struct kt_ctx *c, kt_s64 task) \
	{                                                        \
		return (kt_s64)(value);                          \
	}
TASK_FUNCTION(task_pid, TASK_GET(tgid))
TASK_FUNCTION(task_tid, TASK_GET(pid))
TASK_FUNCTION(task_parent, (unsigned long)TASK_GET(real_parent))
TASK_FUNCTION(task_state, TASK_GET(__state))
TASK_FUNCTION(task_cpu, TASK_GET(thread_info.cpu))
TASK_FUNCTION(task_prio, TASK_GET(prio) - MAX_RT_PRIO)
TASK_FUNCTION(task_nice, TASK_GET(static_prio) - DEFAULT_PRIO)
TASK_FUNCTION(__task_comm, (u64)task + offsetof(struct task_struct, comm))

/* The id at OFFSET of the task's credentials. */
static __kprobes u32 credential(struct kt_ctx *c, kt_s64 task, u32 offset)
{
	u64 cred = (unsigned long)TASK_GET(cred);

	return c->error ? 0 : (u32)kt_deref(c, cred + offset, sizeof(u32));
}
#define TASK_UID(member) from_kuid_munged(current_user_ns(), KUIDT_INIT(credential(c, task, offsetof(struct cred, member))))
#define TASK_GID(member) from_kgid_munged(current_user_ns(), KGIDT_INIT(credential(c, task, offsetof(struct cred, member))))
TASK_FUNCTION(task_uid, TASK_UID(uid))
TASK_FUNCTION(task_euid, TASK_UID(euid))
TASK_FUNCTION(task_gid, TASK_GID(gid))
TASK_FUNCTION(task_egid, TASK_GID(egid))

/* The task may end as soon as we return: what is read of it later is guarded. */
__kprobes kt_s64 kt_fn_pid2task(struct kt_ctx *c, kt_s64 pid)
{
	struct task_struct *t;

	rcu_read_lock();
	t = pid_task(find_pid_ns((int)pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return (kt_s64)(unsigned long)t;
}

__kprobes kt_s64 kt_fn_pgrp(struct kt_ctx *c)
{
	return task_pgrp_nr_ns(kt_task(c), &init_pid_ns);
}

__kprobes kt_s64 kt_fn_sid(struct kt_ctx *c)
{
	return task_session_nr_ns(kt_task(c), &init_pid_ns);
}

__kprobes kt_s64 kt_fn_task_utime(struct kt_ctx *c)
{
	return (kt_s64)kt_task(c)->utime;
}

__kprobes kt_s64 kt_fn_task_stime(struct kt_ctx *c)
{
	return (kt_s64)kt_task(c)->stime;
}

/* SIZE comes from our own tapset: 1, 2, 4 or 8. */
static __kprobes kt_s64 number(u64 word, kt_s64 size, kt_s64 sign)
{
	u32 unused = 64 - 8 * (u32)size;

	return sign ? (s64)(word << unused) >> unused : (s64)word;
}

__kprobes kt_s64 kt_fn___kernel_number(struct kt_ctx *c, kt_s64 address, kt_s64 size, kt_s64 sign)
{
	return number(kt_deref(c, (u64)address, (u32)size), size, sign);
}

__kprobes kt_s64 kt_fn___user_number(struct kt_ctx *c, kt_s64 address, kt_s64 size, kt_s64 sign)
{
	return number(kt_deref_user(c, (u64)address, (u32)size), size, sign);
}
