/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the kit share: the session, a CPU's contexts and its ring, and the way into a handler.
 *
 * To add a probe family: its row in families.def and its row struct in abi.h, and a file here that ends in one
 * `const struct kt_family_ops`. Its kernel callback calls kt_handle().
 */
#ifndef KT_KIT_KIT_H
#define KT_KIT_KIT_H

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>

#include "runtime/kit/place.h"

/* ---- ring.c: records of one CPU ---- */
struct kt_ring {
	/* The CPU's own line. */
	char *data;         /* pages mapped twice in a row: a record is always contiguous */
	u64 size;           /* bytes, a power of two; 0: this CPU has no ring */
	u64 half;           /* the reader is called when more is in use; ~0 when it was */
	u64 head;           /* end of what is reserved; counts up for ever */
	u64 committed;      /* end of what the reader may see */
	u32 nest;           /* reservations open on this CPU: more than one when an NMI came between */
	u64 lost_records;
	u64 lost_bytes;
	/* The reader's lines, under kt_read_lock. */
	u64 tail ____cacheline_aligned; /* end of what was read */
	u64 target;         /* all records before it are older than target_time */
	u64 target_time;    /* every record behind it is as young or younger */
	u64 horizon;        /* target_time of the last target that was reached */
	struct page **pages;
	u32 n_pages;
};

/* Whether the kernel has SIZE bytes to spare. */
bool kt_memory_for(u64 size);

/* SIZE: bytes of each, a power of two; 0: what suits the machine. */
int kt_rings_create(u32 size);
u32 kt_rings_size(void);
void kt_rings_destroy(void);
ssize_t kt_rings_read(char __user *buf, size_t len);
bool kt_rings_have_data(void);
/* CPUs that read() reports on: all that the machine may ever have. */
u32 kt_rings_count(void);
/* Creates the rings of CPUs that come online and have none. Context: process, under kt_run.lock. */
int kt_rings_follow(void);

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
	bool exact;         /* the first one is the probed instruction, not what is behind a call */
};

/* A signal that is about to be sent (signal.c). */
struct kt_signal {
	struct irq_work work;
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
	struct kt_stack_calls calls[KT_LEVELS];
	struct kt_signal signals[KT_SIGNALS_UNDER_WAY];
};
extern struct kt_cpu __percpu *kt_cpus;

int kt_contexts_create(void);
void kt_contexts_destroy(void);
/* Puts an end to a handler that raised an error or gave up. Context: the handler's. */
void kt_handler_failed(struct kt_level *l);
/* Sums over CPUs. */
void kt_contexts_count(struct kt_status *s);

/* ---- ledger.c: hits that were missed, and what handled ones lost ---- */
int kt_ledger_create(void);
void kt_ledger_destroy(void);
/* Has handled hits counted. Context: process, before the first handler runs. */
int kt_ledger_count_handled(enum kt_count which);
/* Counts a loss of PROBE. Returns the losses of all probes for that cause. Context: any. */
u64 kt_lose(const struct kt_probe *probe, enum kt_loss cause);
/* Counts a loss of the handler that runs on this CPU. Context: interrupts off. */
void kt_lose_here(enum kt_loss cause);
/* Adds the ledger of PROBE, or of all probes. */
void kt_ledger_read(u32 probe, struct kt_probe_status *s);
void kt_ledger_sum(struct kt_status *s);

/* ---- timing.c: -t ---- */
int kt_timing_create(void);
void kt_timing_destroy(void);
/* Sets what S says about the hits of PROBE. */
void kt_timing_read(u32 probe, struct kt_probe_status *s);

/* ---- guard.c: what handlers take together ---- */
int kt_guard_create(void);
void kt_guard_destroy(void);
/* Around the time when the session runs, in process context. Once it has finished nothing more is stopped. */
void kt_guard_start(void);
void kt_guard_finish(void);
/* What kt_handle_task() does while the session does not run, or is measured. */
void kt_handle_measured(void *instance, u32 ctx_flags, const struct task_struct *task, const struct kt_probe *probe,
			const struct pt_regs *regs, const u64 *user_bias);

/* Runs the handler of a probe that is hit in a task of ours, whatever the state. Work on whole arrays lets interrupts in.
 * Context: process, interrupts on. */
void kt_handle_own(const struct kt_probe *probe, void *instance);

/* ---- session.c ---- */
int kt_session_start(const struct kt_start *start);
/* Undoes everything; with PROBES end or error probes run. Idempotent. */
void kt_session_stop(bool probes);
void kt_session_status(struct kt_status *ret);
int kt_session_set_global(const struct kt_set_global *set);

/* ---- log.c ---- */
/* Sends a warning to the loader. Context: process, outside of handlers. */
__printf(1, 2) void kt_warn(const char *format, ...);

/* ---- hotplug.c: CPUs that come and go ---- */
/* Has CHANGED called whenever a CPU came or went, until kt_cpus_unfollow(). Both may be called twice. Context: process, under
 * kt_run.lock. */
int kt_cpus_follow(void (*changed)(void));
void kt_cpus_unfollow(void);

/* ---- cpu-events.c: a perf event on each CPU ---- */
struct kt_cpu_events {
	struct perf_event_attr attr;
	perf_overflow_handler_t hit;
	void *context;              /* what `hit` finds in the event */
	const struct kt_probe *probe; /* for messages */
	bool on;                    /* the events count */
	struct perf_event **events; /* by CPU number, NULL for a CPU without an event; NULL until created */
	struct kt_cpu_events *next;
};

/* Creates the events of E on every online CPU, and on CPUs that come online later. On an error none is left. Context: process,
 * without the lock of CPU hotplug. */
int kt_cpu_events_create(struct kt_cpu_events *e);
/* Does nothing when E was not created. */
void kt_cpu_events_release(struct kt_cpu_events *e);
void kt_cpu_events_switch(struct kt_cpu_events *e, bool on);

/* ---- condition.c ---- */
/* Evaluates all conditions, and again when they may have changed, until they are stopped. Around arming and disarming,
 * under kt_run.lock. */
int kt_conditions_start(void);
void kt_conditions_stop(void);

/* ---- module.c ---- */
struct module;
/* GOING is called for each module that goes. */
int kt_modules_create(void (*going)(const struct module *mod));
/* Where the symbol is now, 0: its module is not loaded, or the kernel keeps no symbols of it. Context: any. */
unsigned long kt_module_symbol(struct kt_module_symbol *s);
/* Sets the address of SYMBOL in the module NAME, 0: it has none, or the kernel keeps no symbols of modules; -ENOENT: the module is
 * not loaded. Context: process. */
int kt_module_find_symbol(const char *name, const char *symbol, unsigned long *ret);

/* The loaded module whose code or data ADDRESS is in; NULL: none. Context: interrupts or preemption off while it is used. */
const struct module *kt_module_at(unsigned long address);
/* Are the SIZE bytes at ADDRESS in the loaded module NAME? */
bool kt_module_holds(const char *name, unsigned long address, u32 size);

/* ---- fn-symbols.c ---- */
/* Return addresses of the calls that led to the handler C, the innermost first; at most MAX. Returns how many. */
u32 kt_callers(const struct kt_ctx *c, unsigned long *ret, u32 max);
/* Is AT where the call C returns to? */
bool kt_call_returns_to(const struct kt_kprobe_call *c, unsigned long at);
/* Returns 1 if the stack of the current task's program, at REGS, is as kt_uprobe_row.calls has it in a file that lies BIAS
 * above its linked address, 0 if it is not, -EBUSY if the mappings stayed locked. Context: a uprobe's; sleeps, for some
 * 20 ms at most. */
int kt_user_stack_matches(struct pt_regs *regs, const struct kt_kprobe_call *c, u64 bias);
/* Is the stack below the probed ADDRESS as kt_kprobe_row.calls has it? Context: where the probe was hit. */
bool kt_stack_matches(const struct kt_kprobe_call *c, unsigned long address);

void kt_modules_destroy(void);

/* ---- mem.c ---- */
void kt_mem_init(void);
/* N bytes of the current process; not 0: they cannot be read. */
long kt_read_user(struct kt_ctx *c, void *to, u64 from, u32 n);
/* The string at ADDRESS, at most MAX bytes of it, into SIZE bytes; false: a byte of it is not there. */
bool kt_user_string(struct kt_ctx *c, char *to, u32 size, u64 address, u64 max);

/* Values that a call's entry handler keeps for its return handler. The handler saves slot 0 first, so its bit tells that the
 * handler ran, and its value how many slots there are before the texts; the bit of another is clear when its value could not
 * be read. */
struct kt_saved {
	u64 set[KT_ENTRY_SLOTS_MAX / 64];
	s64 slot[];
};

/* ---- saved-calls.c ---- */
/* A hit of process.syscall: what kt_ctx.instance points at under KT_CTX_EVENT. */
enum { KT_EVENT_NUMBER, KT_EVENT_ARGUMENTS, KT_EVENT_RESULT = KT_EVENT_ARGUMENTS + 6, KT_EVENT_WORDS };
struct kt_event_hit {
	u64 words[KT_EVENT_WORDS]; /* first: kt_argument() reads them */
	struct kt_saved *saved;
};

/* What the tasks keep of the system calls that they are in, a struct kt_saved for each row. */
struct kt_saved_calls {
	char *table; /* NULL: nothing is kept */
	u32 stride;
};
/* A table for rows with at most SLOTS slots; 0: none is needed. */
int kt_saved_calls_create(struct kt_saved_calls *calls, u32 slots);
void kt_saved_calls_destroy(struct kt_saved_calls *calls);
/* What the current task keeps for ROW; NULL: nothing. Only the task itself looks at it. Context: any. */
struct kt_saved *kt_saved_find(const struct kt_saved_calls *calls, const void *row);
/* The same, emptied, or a new one; NULL: the table is full. */
struct kt_saved *kt_saved_take(const struct kt_saved_calls *calls, const void *row);
void kt_saved_release(struct kt_saved *saved);

/* ---- signal.c ---- */
/* Between kt_contexts_create() and kt_contexts_destroy(). */
void kt_signals_start(void);
void kt_signals_finish(void);

/* ---- signal-probe.c ---- */
/* Has the handlers of signal NUMBER run soon. Context: process. */
void kt_signal_came(u32 number);
/* Returns the signals of the script's probes: bit N is signal N. */
u64 kt_signals_wanted(void);

/* ---- usermem.c ---- */
int kt_usermem_create(void);
void kt_usermem_destroy(void);
/* Reads what an ordinary read of user memory could not, without waiting for a page. False: that is impossible, and
 * kt_absent_cause() says why. Context: a handler's. */
bool kt_user_bytes_absent(struct kt_ctx *c, void *to, u32 n, u64 address);
/* Reads a string up to its NUL, or ROOM bytes and adds a NUL. */
bool kt_user_string_absent(struct kt_ctx *c, char *to, u32 room, u64 address);
/* Returns the end of the message about the fault that one of the two reported last; "": the address is not mapped. */
const char *kt_absent_cause(const struct kt_ctx *c);

/* ---- process.c ---- */
/* The processes of -c or -x: the target and all that descend from it. Around a session, in process context. */
int kt_targets_start(void);
void kt_targets_stop(void);
/* Once the session runs: process.begin of the processes that were there before it. */
void kt_process_tell(void);
/* Is TGID one of them? Without a target all are. Context: any. */
bool kt_is_target(pid_t tgid);
/* The file that TASK executes; NULL: none (a kernel thread, or it has let go of it). Preemption off, or under
 * rcu_read_lock(). */
const struct inode *kt_executable_of(const struct task_struct *task);
/* Is PID, as the loader's user wrote it, the process TASK? 0: all are. */
static inline bool kt_is_process(s32 pid, const struct task_struct *task)
{
	return !pid || task->tgid == pid;
}
/* The task that the probe is about. */
static __always_inline struct task_struct *kt_task(const struct kt_ctx *c)
{
	return c->task ? (struct task_struct *)c->task : current;
}

/* Holds the mmap lock of MM, which is the current task's, until interrupts are on again; false: not to be had. Not from
 * probes in interrupts, but for those of a clock: a probe in what the release calls would queue it anew for ever. */
bool kt_mmap_hold(struct mm_struct *mm);
/* Returns the mapping that contains ADDRESS, or NULL. Context: kt_mmap_hold(MM) returned true, or MM is locked. */
struct vm_area_struct *kt_find_mapping(struct mm_struct *mm, unsigned long address);
/* Returns the first mapping that ends behind ADDRESS, or NULL. */
struct vm_area_struct *kt_next_mapping(struct mm_struct *mm, unsigned long address);

/* ---- fn-loader.c ---- */
/* Notes who starts the session: the current task. Around a session, in process context. */
void kt_loader_start(void);
void kt_loader_stop(void);

/* ---- unwind.c ---- */
int kt_unwind_create(void);
void kt_unwind_destroy(void);
/* The objects that the loader is to make tables of before the start: those of the script, and those it has probes in. */
u32 kt_unwind_object_paths(void);
const char *kt_unwind_object_path(u32 index);
/* Tables of an object, from the loader. Any time while the module is in. */
int kt_unwind_add(const struct kt_object *object);

/* ---- lines.c ---- */
/* Tables of the kernel's lines or a module's, from the loader. Any time while the module is in. */
int kt_lines_add(const struct kt_object *object);
/* MOD is going. Context: a task. */
void kt_lines_forget(const struct module *mod);
/* After all handlers have ended. */
void kt_lines_destroy(void);

/* ---- control.c ---- */
int kt_control_create(void);
void kt_control_destroy(void);

/* ---- family.c: the families of the script ---- */
/* Sets the places of each family, by enum kt_family. Before all others. */
void kt_families_use(struct kt_places *families);
/* Arms the script's families in the order of its table. On failure those before the failed one are armed. Context: START. */
int kt_families_arm(void);
/* Disarms what is armed, in reverse. */
void kt_families_disarm(void);
/* Arms and disarms places as kt_probe_off() says. Under kt_run.lock. */
void kt_families_update(void);
/* Adds the hits that the kernel counted as missed. Under kt_run.lock. */
void kt_families_count(struct kt_status *s);
/* Returns how many places START arms; begin and end probes have none. */
u32 kt_families_rows(void);

/* ---- perf.c, perf-task.c: events of each CPU, events of threads ---- */
struct perf_event_attr kt_perf_attr(const struct kt_perf_row *row);
/* Arms the places whose rows name a program. After a failure too it is to be disarmed. */
int kt_perf_tasks_arm(struct kt_places *all);
void kt_perf_tasks_disarm(void);

/* ---- procfs.c ---- */
/* What was written to the control file is standard input. The bytes taken, or -errno. Process context. */
ssize_t kt_procfs_input(const char __user *from, size_t len);
/* KT_INFO_STDIN and the like, as the script's rows want it. */
u32 kt_procfs_flags(void);

/* ---- kprobe.c, ftrace.c, returns.c: kernel functions ---- */
/* Is the place a function's entry that we let be probed? */
bool kt_kprobe_is_entry(const struct kt_kprobe_row *row);
/* Is it the return of such a function? */
bool kt_kprobe_is_return(const struct kt_kprobe_row *row);
/* Unregisters N return probes. A call that returns later makes the kernel call call_rcu() where it returns, or free memory. That
 * deadlocks under a lock that call_rcu() takes. So the probes are first disabled, and calls without preemption are waited
 * for. Context: process, sleeps. */
void kt_kretprobes_release(struct kretprobe **rps, u32 n);
/* What the row's entry handler, if it has one, keeps of a call: bytes. */
size_t kt_kprobe_saved_size(const struct kt_kprobe_row *row);
/* Run-time addresses of the rows' functions, to be freed by kvfree(); 0: not for ftrace, or the kernel does not let us have
 * it. Symbols are looked up by registering kprobes that are never armed, which is what modules have for that. NULL: no
 * memory, or no ftrace. */
unsigned long *kt_ftrace_addresses(const struct kt_kprobe_row *rows, u32 n);

/* What to run at which function: open addressing, keys are both addresses that ftrace may report for it. Not written
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
/* The callback of ftrace. */
void kt_returns_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs);

/* Runs the begin, end or error probes, in order. */
void kt_life_run(enum kt_life when);

/* ---- the way into a handler ---- */
/* Bytes of a handler's stack that belong to the kernel: its functions that a handler calls, a fault in one of them, and the
 * probes of others there. An NMI has as much for all it does. */
enum { KT_STACK_KERNEL = THREAD_SIZE / 2 };

/* Is the hit in an NMI, on top of whatever ran here? The exception of a breakpoint counts as one itself: what it interrupts goes on
 * only behind it, so a handler below it is one whose own calls have led here. FLAGS: KT_CTX_BREAKPOINT, where it comes by one,
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

/* Stands for the probe while no handler, but other code of ours keeps a level busy. */
extern const struct kt_probe kt_no_probe;

/* A task's own code uses this CPU's parts between these: what it calls may be probed, and those hits are skipped, as within a
 * handler. Interrupts are off, and no handler runs below it. */
static inline void kt_level_hold(void)
{
	kt_level_here(KT_LEVEL_NORMAL)->c.probe = &kt_no_probe;
	barrier();
}

static inline void kt_level_let_go(void)
{
	barrier();
	kt_level_here(KT_LEVEL_NORMAL)->c.probe = NULL;
}

/* The level of a hit with FLAGS on this CPU. Context: interrupts off. */
static __always_inline struct kt_level *kt_this_level(u32 flags)
{
	if (unlikely(kt_in_nmi(flags)))
		return kt_level_here(KT_LEVEL_NMI);
	return kt_level_here(KT_LEVEL_NORMAL);
}

/* What kt_irqs_off() saves. */
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
		lockdep_hardirqs_on_prepare();
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

/* Returns whether the code with stack pointer SP was called by a handler, or by the kernel's code for hooked returns after it
 * called one. Hooking a return there would never end: that return runs the same code again. Functions that are called before the
 * handler are refused by name (denied_returns[] in kprobe.c).
 *
 * The registers lie on the stack and show whether their frame is still there. A hit above them means that it was popped. Other
 * frames have other contents there; the slot above them has the hook's address first and the caller's in the end. A hit on
 * another stack is in an interrupt or in another task, and proves nothing. Stacks are aligned to their size.
 * Context: interrupts off. */
static __always_inline bool kt_in_return(struct kt_level *l, unsigned long sp)
{
	const struct pt_regs *regs = l->returning;
	unsigned long slot;

	if (unlikely(l->c.probe))
		return true;
	if (likely((sp ^ (unsigned long)regs) >= THREAD_SIZE))
		return false;
	slot = kt_arch_return_slot(regs);
	if (sp < (unsigned long)regs && instruction_pointer((struct pt_regs *)regs) == l->returns_to &&
	    (slot == l->returns_to || slot == l->return_slot))
		return true;
	l->returning = NULL;
	return false;
}

/* The script's code of PROBE runs at the level L between these two. Context: interrupts off; nothing runs at the level. */
static __always_inline void kt_level_enter(struct kt_level *l, const struct kt_probe *probe, const struct pt_regs *regs, u32 flags)
{
	l->c.probe = probe;
	barrier();
	l->record_time = 0;
	l->c.nesting = 0;
	l->c.flags = flags;
	l->c.regs = regs;
}

static __always_inline void kt_level_leave(struct kt_level *l)
{
	smp_store_release(&l->c.probe, NULL); /* after its last record: see ring.c */
}

/* Runs PROBE's handler at the level L whatever the state. A handler that is running there already means recursion: counted and
 * skipped. Context: interrupts off. FLAGS, INSTANCE, TASK and USER_BIAS are constants where they are not used, and cost
 * nothing then.
 * Every instruction counts (testsuite/bench): what is rare is out of line, and two values live across the handler. */
static __always_inline void kt_handle_at(struct kt_level *l, const struct kt_probe *probe, const struct pt_regs *regs,
					 u32 ctx_flags, void *instance, const struct task_struct *task, const u64 *user_bias)
{
	if (likely(!l->c.probe)) {
		kt_level_enter(l, probe, regs, ctx_flags);
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

/* The same on the level of the hit, with interrupts off. Context: any. */
static __always_inline void kt_handle_always(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
					     void *instance, const struct task_struct *task, const u64 *user_bias)
{
	struct kt_irqs irqs = kt_irqs_off();

	kt_handle_at(kt_this_level(ctx_flags), probe, regs, ctx_flags, instance, task, user_bias);
	kt_irqs_restore(irqs);
}

/* The same for the probes that run while the session runs, and at no other time. */
static __always_inline void kt_handle_task(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
					   void *instance, const struct task_struct *task, const u64 *user_bias)
{
	/* No READ_ONCE(): it would be two instructions, and there is no loop to hoist it from. */
	if (likely(kt_run.state == KT_RUNNING)) {
		kt_handle_always(probe, regs, ctx_flags, instance, task, user_bias);
	} else {
		/* The registers of the call are chosen here: the quick way does not move its values for it. */
		OPTIMIZER_HIDE_VAR(probe);
		OPTIMIZER_HIDE_VAR(regs);
		kt_handle_measured(instance, ctx_flags, task, probe, regs, user_bias);
	}
}

static __always_inline void kt_handle(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
				      void *instance)
{
	kt_handle_task(probe, regs, ctx_flags, instance, NULL, NULL);
}

#endif
