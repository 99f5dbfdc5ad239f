/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel functions: what kprobe.c, ftrace.c and returns.c share. */
#ifndef KT_KIT_FUNCTION_H
#define KT_KIT_FUNCTION_H

#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kprobes.h>

#include "runtime/kit/place.h"

/* ---- kprobe.c, ftrace.c, returns.c: kernel functions ---- */
/* Did an interrupt come meanwhile? A breakpoint counts as one interrupt that cannot be masked and one that can. */
static __always_inline bool kt_is_interrupted(void)
{
	unsigned int count = preempt_count();

	return count & SOFTIRQ_MASK || (count & HARDIRQ_MASK) >> HARDIRQ_SHIFT > (count & NMI_MASK) >> NMI_SHIFT;
}

/* The machine is about to be suspended, or just came back: see suspend.c. */
extern bool kt_machine_sleeps;

/* The kernel hooks returns where RCU is watching. One that checks its own use of RCU complains of being asked elsewhere, and where a
 * hooked function returns, which is in the idle task. A breakpoint makes RCU watch while it is handled, so that task itself is what to
 * ask for: there such a kernel hooks nothing. Context: any. */
static __always_inline bool kt_can_hook(void)
{
	if (unlikely(READ_ONCE(kt_machine_sleeps)))
		return false;
	if (!IS_ENABLED(CONFIG_PROVE_RCU))
		return true;
	return rcu_is_watching() && (!is_idle_task(current) || kt_is_interrupted());
}

/* Sees to it that no return is hooked while the machine is suspended, until kt_sleep_unfollow(). Context: process. */
int kt_sleep_follow(void);
void kt_sleep_unfollow(void);

/* Is the place a function's entry that we let be probed? */
bool kt_kprobe_is_entry(const struct kt_kprobe_row *row);
/* Is it the return of such a function? */
bool kt_kprobe_is_return(const struct kt_kprobe_row *row);
/* Unregisters N return probes. A call that returns later makes the kernel call call_rcu() where it returns, or free memory. That
 * deadlocks under a lock that call_rcu() takes. So the probes are first disabled, and calls without preemption are waited
 * for. Context: process, sleeps. */
void kt_kretprobes_release(struct kretprobe **rps, u32 n);
/* Makes KP a probe of the kernel's function NAME. Context: the lock of the places is held. */
void kt_kprobe_set_symbol(struct kprobe *kp, const char *name);
/* Bytes that the row's entry handler, if it has one, keeps of a call. */
size_t kt_kprobe_saved_size(const struct kt_kprobe_row *row);
/* Run-time addresses of the rows' functions, to be freed by kvfree(); 0: not for ftrace, or the kernel does not let us have
 * it. Symbols are looked up by registering kprobes that are never armed, which is what modules have for that. NULL: no
 * memory, or no ftrace. */
unsigned long *kt_ftrace_addresses(const struct kt_kprobe_row *rows, u32 n);

/* Maps functions to their handlers: open addressing, keys are both addresses that ftrace may report for it. Not written
 * while a callback may read it. */
struct kt_function {
	unsigned long ip;            /* 0: empty */
	const struct kt_probe *only; /* the function's probe, when it has one probe alone */
	struct kt_entry *entry;      /* the first of its probes; NULL: ftrace refused it */
};

struct kt_functions {
	struct kt_function *slots;
	u32 shift;                   /* 64 - log2 of their number */
};

/* Where IP is, if nothing else took the place: else kt_functions_find(). */
static __always_inline u32 kt_functions_slot(const struct kt_functions *f, unsigned long ip)
{
	return (u32)(ip * GOLDEN_RATIO_64 >> f->shift);
}

/* The slot of IP, or the empty one where it belongs. */
struct kt_function *kt_functions_find(const struct kt_functions *f, unsigned long ip);

/* One probe on a function that ftrace serves. */
struct kt_entry {
	unsigned long address;       /* of the function */
	const struct kt_probe *probe;
	struct kt_entry *next;       /* another probe on the same function */
	bool on;                     /* its condition allows it */
	/* Of returns only. */
	u32 saved;                   /* bytes that are kept of a call for PROBE */
	const struct kt_probe *at_entry; /* what fills them; NULL: nothing is kept */
	const struct kt_pool *pool;  /* of its calls */
	const struct kt_kprobe_row *row;
};

/* A set of functions that one ftrace_ops serves. */
struct kt_group {
	struct ftrace_ops ops;
	const struct kt_probe *only; /* of all functions, when there is one alone */
	struct kt_functions functions;
	struct kt_entry *entries;
	u32 n;
	unsigned long *ips;          /* filter: one per function */
	bool returns;                /* what is probed are the functions' returns */
	bool armed;                  /* there is something to disarm */
	bool registered;             /* not while all conditions are false */
	/* Of returns only. */
	struct kt_pool *pools;
	struct kretprobe *rps, **batch; /* of all pools */
	u32 n_pools, n_rps;
	u32 anchor;                  /* the entry whose function they are registered at */
};

/* Arms the places among N rows that ftrace can serve, at the addresses AT, and sets TAKEN for them. */
void kt_ftrace_arm(const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken);
void kt_ftrace_disarm(void);
void kt_ftrace_update(void);

/* Makes the pools of calls for the entries of G; false: no memory, or the kernel refuses. */
bool kt_returns_create(struct kt_group *g);
/* After it no return handler of G runs, also of calls that are still open. */
void kt_returns_destroy(struct kt_group *g);
/* The callbacks of ftrace: for a group with one probe, and with many. */
void kt_returns_hit_one(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs);
void kt_returns_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs);

#endif
