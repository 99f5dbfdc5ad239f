/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers: their contexts, the records that they write, what is counted of them, and the way into one. */
#ifndef KT_KIT_HANDLER_H
#define KT_KIT_HANDLER_H

#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "runtime/kit/deferred.h"
#include "runtime/kit/ring.h"
#include "runtime/kit/state.h"

/* ---- relay.c: the memory of rings, when relay has it ---- */
int kt_relay_create(u32 size);
void kt_relay_destroy(void);
/* Gives R the buffer of CPU. False: relay has no buffer for it. */
bool kt_relay_attach(struct kt_ring *r, int cpu);
/* Reserves SIZE bytes and sets *HEAD to where they begin. NULL: there is no space, or this interrupts a reservation. Context: a
 * handler's, in an open reservation of R. */
void *kt_relay_reserve(struct kt_ring *r, u32 size, u64 *head);
/* Returns the end of the records before END that follow each other from the tail on, after moving the tail past a gap. */
u64 kt_relay_contiguous(struct kt_ring *r, int cpu, u64 end);

/* ---- cpu-files.c: a file for each CPU's records ---- */
int kt_cpu_files_create(void);
void kt_cpu_files_destroy(void);

/* ---- context.c: running handlers ---- */
/* A handler's context and what the kit keeps beside it: in front, so that what a hit touches is in two lines. It stands at
 * the top of the stack that the level's handlers run on. */
struct kt_level {
	struct kt_arch_frame below; /* the interrupted code's stack; must be first */
	const struct kt_entry *hooks; /* the probe whose function's return is being hooked (returns.c), or NULL */
	const struct pt_regs *returning; /* registers of the last return handled here; see kt_in_return() */
	unsigned long returns_to;     /* where that return goes on */
	unsigned long return_slot;    /* what stood above those registers */
	struct kt_ring *ring;
	u64 record_time;            /* of the handler's first record; 0: it wrote none */
	u64 record_head;            /* where that record begins in the ring */
	u64 irqs_off_since;         /* in a task of ours: as of the handler's first look at the clock, or a later one */
	unsigned long irqs_below;   /* the processor's flags in the probed code, or in the exception of its breakpoint */
	struct kt_ctx c;            /* c.probe is NULL while no handler runs */
	const char *absent_cause;   /* see kt_absent_cause() */
	u8 id;                      /* enum kt_level_id */
} ____cacheline_aligned;

/* Calls of the kernel that led to the probe (fn-symbols.c). */
enum {
	KT_STACK_DEPTH = 48,  /* calls that are kept */
	KT_STACK_OURS = 20,   /* calls between the probe and the unwinder */
};
struct kt_stack_calls {
	unsigned long entry[KT_STACK_DEPTH + KT_STACK_OURS];
	u32 first, n;
	bool exact;         /* the first one is the probed instruction, not what is after a call */
};

/* A walk through calls that was made before (trail.c). */
enum { KT_TRAILS_LOG2 = 4 }; /* how many a CPU keeps */
enum kt_trail_state {
	KT_TRAIL_SEEN,      /* found once */
	KT_TRAIL_SURE,      /* follows from the addresses alone */
	KT_TRAIL_SYSCALL,   /* so do all but the outermost address, where it ends the stack of a system call */
	KT_TRAIL_UNSURE,    /* does not follow */
};
struct kt_trail {
	unsigned long ip;   /* where it begins; 0: no trail */
	unsigned long depth; /* bytes from there to the program's registers at the end of the stack */
	u32 generation;     /* of the modules */
	u16 n;              /* return addresses */
	u16 state;          /* enum kt_trail_state */
	u16 at[KT_ARCH_SLOTS]; /* bytes from there to the address on the stack; unused for the last one */
	unsigned long address[KT_ARCH_SLOTS];
};

/* The mmap lock that a CPU has to release (usermem.c). */
struct kt_unlocker {
	struct irq_work on_cpu;      /* releases it; on PREEMPT_RT in a thread that is bound to the CPU */
	struct kt_deferred anywhere; /* or this does, where a task may be in the thread's way for ever */
	struct mm_struct *mm;        /* held; NULL: none */
	struct mm_struct *task_mm; /* held for a handler with KT_CTX_TASK; NULL: none */
	unsigned long sp, switches; /* of the hit that queued the work last, and of its task */
	u64 ended, rested;         /* when the work was done; when the lock was last refused, see follows_itself() */
	u32 streak;
};

/* A signal that is about to be sent (signal.c). */
struct kt_signal {
	struct kt_deferred deferred;
	struct task_struct *task; /* NULL: free */
	int number;
};
enum { KT_SIGNALS_UNDER_WAY = 4 }; /* of one CPU */

/* All that a CPU has of the session. It is allocated: the kernel has 8 KiB for the static per-CPU data of all modules
 * together, so a module of ours has none. */
struct kt_cpu {
	struct kt_level *level[KT_LEVELS];
	struct kt_ring ring;
	u64 random;         /* state of the generator, 0: not seeded */
	bool hooking;       /* the return of a call is being hooked by a kretprobe and has no instance yet: see kprobe.c */
	struct kt_stack_calls calls[KT_LEVELS];
	struct kt_trail trails[1 << KT_TRAILS_LOG2];
	struct kt_signal signals[KT_SIGNALS_UNDER_WAY];
	struct kt_unlocker unlocker;
};
extern struct kt_cpu __percpu *kt_cpus;

int kt_contexts_create(void);
u64 kt_contexts_bytes(void);
void kt_contexts_destroy(void);
/* Puts an end to a handler that raised an error or gave up. Context: the handler's. */
void kt_handler_failed(struct kt_level *l);
/* Sums over CPUs. */
void kt_contexts_count(struct kt_status *s);

/* ---- signal.c, usermem.c: deferred work of a CPU; its end waits for all that is under way ---- */
void kt_signals_create(struct kt_cpu *k);
void kt_signals_finish(struct kt_cpu *k);
void kt_unlocker_create(struct kt_cpu *k);
void kt_unlocker_finish(struct kt_cpu *k);

/* ---- ledger.c: hits that were missed, and what handled ones lost ---- */
int kt_ledger_create(void);
void kt_ledger_destroy(void);
/* Has handled hits counted. Context: process, before the first handler runs. */
int kt_ledger_count_handled(enum kt_count which);
/* Counts a loss of PROBE. Returns the losses of all probes for that cause. Context: any. */
u64 kt_lose(const struct kt_probe *probe, enum kt_loss cause);
/* Counts how long a handler of PROBE waited. Context: any. */
void kt_lose_time(const struct kt_probe *probe, u64 ns);
/* Counts a loss of the handler that runs on this CPU. Context: interrupts off. */
void kt_lose_here(enum kt_loss cause);
/* Adds the ledger of PROBE, or of all probes. */
void kt_ledger_read(u32 probe, struct kt_probe_status *s);
void kt_ledger_sum(struct kt_status *s);

/* ---- timing.c: -t ---- */
int kt_timing_create(void);
u64 kt_timing_bytes(void);
void kt_timing_destroy(void);
/* Sets what S says about the hits of PROBE. */
void kt_timing_read(u32 probe, struct kt_probe_status *s);

/* ---- guard.c: what handlers take together ---- */
int kt_guard_create(void);
u64 kt_guard_bytes(void);
/* Writes the load of handlers into the page BUF, for other sessions. Returns its length. Context: process. */
int kt_guard_show(char *buf);
/* Returns the load of handlers on the CPU of which they take most, in thousandths. */
u32 kt_guard_load(void);
void kt_guard_destroy(void);
/* Around the time when the session runs, in process context. Once it has finished nothing more is stopped. */
void kt_guard_start(void);
void kt_guard_finish(void);
/* The part of kt_handle_task() for a session that does not run, or is measured. */
void kt_handle_measured(void *instance, u32 ctx_flags, const struct task_struct *task, const struct kt_probe *probe,
			const struct pt_regs *regs, const u64 *user_bias);

/* Runs the handler of a probe that is hit in a task of ours, whatever the state. Work on whole arrays lets interrupts in.
 * Context: process, interrupts on. */
void kt_handle_own(const struct kt_probe *probe, void *instance);

/* ---- the way into a handler ---- */
/* Bytes of a handler's stack that belong to the kernel: its functions that a handler calls, a fault in one of them, and the
 * probes of others there. An NMI has as much for all it does. */
enum { KT_STACK_KERNEL = THREAD_SIZE / 2 };

/* Is the hit in an NMI, on top of whatever ran here? The exception of a breakpoint counts as one itself. What it interrupts goes on
 * only after it, so a handler that it interrupted has led here by its own calls. FLAGS: KT_CTX_BREAKPOINT, where it comes by one,
 * or by a jump; a jump within an NMI is then taken for no NMI, which is safe: it is skipped if a handler runs below it, and
 * leaves the level as it found it if none does. */
static __always_inline bool kt_in_nmi(u32 flags)
{
	return flags & KT_CTX_BREAKPOINT ? (preempt_count() & NMI_MASK) > NMI_OFFSET : in_nmi();
}

/* Level WHICH of this CPU. */
static __always_inline struct kt_level *kt_level_here(enum kt_level_id which)
{
	return raw_cpu_read(kt_cpus->level[which]);
}

/* The level that the handler C runs at. Its id says which of a CPU's work areas the handler uses. */
static __always_inline struct kt_level *kt_level_of(const struct kt_ctx *c)
{
	return container_of((struct kt_ctx *)c, struct kt_level, c);
}

/* Whether the hit came straight out of the current program: then the CPU sees the memory of the program, which is not certain in code of
 * the kernel. */
static __always_inline bool kt_from_program(const struct kt_ctx *c)
{
	return c->regs && user_mode((struct pt_regs *)c->regs);
}

/* Stands for the probe while no handler, but other code of ours keeps a level busy. */
extern const struct kt_probe kt_no_probe;

/* A task's own code uses this CPU's parts between these: what it calls may be probed, and those hits are skipped, as within a
 * handler. Interrupts are off, and no handler runs below it. */
static inline void kt_level_hold(void)
{
	WRITE_ONCE(kt_level_here(KT_LEVEL_NORMAL)->c.probe, &kt_no_probe);
	barrier();
	WRITE_ONCE(kt_level_here(KT_LEVEL_NORMAL)->record_time, 0);
}

static inline void kt_level_let_go(void)
{
	barrier();
	WRITE_ONCE(kt_level_here(KT_LEVEL_NORMAL)->c.probe, NULL);
}

/* The level of a hit with FLAGS on this CPU. Context: interrupts off. */
static __always_inline struct kt_level *kt_this_level(u32 flags)
{
	if (unlikely(kt_in_nmi(flags)))
		return kt_level_here(KT_LEVEL_NMI);
	return kt_level_here(KT_LEVEL_NORMAL);
}

/* The state that kt_irqs_off() saves. */
struct kt_irqs {
	unsigned long flags;
	bool lockdep_on; /* lockdep took interrupts to be on */
};

/* Disables interrupts as raw_local_irq_save() does, without the tracepoints of local_irq_save(): the caller may be a probe on
 * those. Lockdep is informed: it would otherwise see an exception in a handler disable them, and nothing enable them again.
 * Without CONFIG_PROVE_LOCKING that costs no instruction. Context: any. */
static __always_inline struct kt_irqs kt_irqs_off(void)
{
	struct kt_irqs irqs = { .lockdep_on = false };

	raw_local_irq_save(irqs.flags);
	if (IS_ENABLED(CONFIG_PROVE_LOCKING)) {
		irqs.lockdep_on = lockdep_hardirqs_enabled();
		if (irqs.lockdep_on)
			lockdep_hardirqs_off(_THIS_IP_);
	}
	return irqs;
}

static __always_inline void kt_irqs_restore(struct kt_irqs irqs)
{
	if (IS_ENABLED(CONFIG_PROVE_LOCKING) && irqs.lockdep_on) {
		kt_lockdep_on_prepare();
		lockdep_hardirqs_on(_THIS_IP_);
	}
	raw_local_irq_restore(irqs.flags);
}

/* Notes that the kernel's code for hooked returns has called a handler with REGS. Context: of that handler. */
static __always_inline void kt_return_begin(const struct pt_regs *regs)
{
	struct kt_level *l = kt_this_level(KT_CTX_FTRACE);

	l->returning = regs;
	l->returns_to = instruction_pointer((struct pt_regs *)regs); /* from v6.12 on it takes no const */
	l->return_slot = kt_arch_return_slot(regs);
}

/* Returns whether the code with the registers HIT was called by a handler, or by the kernel's code for hooked returns after it
 * called one. Hooking a return there would never end: that return runs the same code again. Functions that are called before the
 * handler are refused by name (denied_returns[] in kprobe.c).
 *
 * The registers lie on the stack and show whether their frame is still there. A hit above them means that it was popped. Other
 * frames have other contents there; the slot above them has the hook's address first and the caller's in the end. A hit on
 * another stack is in an interrupt or in another task, and proves nothing. Stacks are aligned to their size.
 * Context: interrupts off. */
static __always_inline bool kt_in_return(struct kt_level *l, struct pt_regs *hit)
{
	const struct pt_regs *regs = l->returning;
	unsigned long sp = kernel_stack_pointer(hit);

	if (unlikely(l->c.probe))
		return true;
	if ((sp ^ (unsigned long)regs) >= THREAD_SIZE)
		return false;
	if (sp < (unsigned long)regs && instruction_pointer((struct pt_regs *)regs) == l->returns_to) {
		unsigned long slot = kt_arch_return_slot(regs);

		if ((slot == l->returns_to || slot == l->return_slot) && kt_arch_return_is_open(regs, hit))
			return true;
	}
	l->returning = NULL;
	return false;
}

/* The script's code of PROBE runs at the level L between these two. Context: interrupts off; nothing runs at the level. */
static __always_inline void kt_level_enter(struct kt_level *l, const struct kt_probe *probe, const struct pt_regs *regs, u32 flags)
{
	WRITE_ONCE(l->c.probe, probe);
	barrier();
	WRITE_ONCE(l->record_time, 0);
	l->c.nesting = 0;
	l->c.flags = flags;
	l->c.regs = regs;
}

static __always_inline void kt_level_leave(struct kt_level *l)
{
	smp_store_release(&l->c.probe, NULL); /* after its last record: see ring.c */
}

/* Runs PROBE's handler at the level L whatever the state. A handler that is running there already means recursion: counted and
 * skipped. Context: interrupts off; IRQS_BELOW are the processor's flags before that. CTX_FLAGS, INSTANCE, TASK and USER_BIAS
 * are constants where they are not used, and cost nothing then.
 * Every instruction counts (testsuite/bench): what is rare is out of line, and two values live across the handler. */
static __always_inline void kt_handle_at(struct kt_level *l, const struct kt_probe *probe, const struct pt_regs *regs,
					 u32 ctx_flags, unsigned long irqs_below, void *instance,
					 const struct task_struct *task, const u64 *user_bias)
{
	if (likely(!l->c.probe)) {
		kt_level_enter(l, probe, regs, ctx_flags);
		if (!(ctx_flags & (KT_CTX_TASK | KT_CTX_CLOCK)))
			l->irqs_below = irqs_below;
		if (instance)
			l->c.instance = instance;
		if (task)
			l->c.task = task;
		if (user_bias)
			l->c.user_bias = *user_bias;
		kt_arch_run(&l->below, probe->handler, &l->c);
		if (task)
			l->c.task = NULL;
		if (unlikely(l->c.error)) /* also when it gave up on a lock */
			kt_handler_failed(l);
		kt_level_leave(l);
	} else {
		kt_lose(probe, KT_LOSS_RECURSION);
	}
}

/* The same on the level of the hit, with interrupts off, if the session runs. Context: any. */
static __always_inline void kt_handle_task(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
					   void *instance, const struct task_struct *task, const u64 *user_bias)
{
	if (likely(kt_run_quickly())) {
		struct kt_irqs irqs = kt_irqs_off();

		kt_handle_at(kt_this_level(ctx_flags), probe, regs, ctx_flags, irqs.flags, instance, task, user_bias);
		kt_irqs_restore(irqs);
	} else {
		/* The registers of the call are chosen here: the quick way does not move its values for it. */
		OPTIMIZER_HIDE_VAR(probe);
		OPTIMIZER_HIDE_VAR(regs);
		kt_handle_measured(instance, ctx_flags, task, probe, regs, user_bias);
	}
}

/* Does the work of a light handler without a context, if the session runs and no other handler took its place: one that counts hits, or
 * stops the probe. It may interrupt any other hit, and be interrupted. False: kt_handle() is to be called. Context: any. */
static __always_inline bool kt_handle_light(const struct kt_probe *probe)
{
	if (unlikely(!kt_run_quickly() || probe->handler != probe->light))
		return false;
	this_cpu_add(*(s64 __percpu *)(unsigned long)probe->at, probe->add);
	return true;
}

static __always_inline void kt_handle(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
				      void *instance)
{
	kt_handle_task(probe, regs, ctx_flags, instance, NULL, NULL);
}

#endif
