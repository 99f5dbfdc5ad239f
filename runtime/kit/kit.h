/* What the files of the kit share: the session, a CPU's contexts and its ring, and the way into a handler.
 *
 * To add a probe family: its id and row in abi.h, a file here that ends in one `const struct kt_family_ops`, its row
 * in families[] (session.c). Its kernel callback calls kt_handle().
 */
#ifndef KT_KIT_KIT_H
#define KT_KIT_KIT_H

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>

#include "runtime/kit/compat.h"
#include "runtime/script.h"

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

int kt_rings_create(u32 size);
void kt_rings_destroy(void);
ssize_t kt_rings_read(char __user *buf, size_t len);
bool kt_rings_have_data(void);
u32 kt_rings_count(void);

/* ---- context.c: running handlers ---- */
enum kt_level_id {
	KT_LEVEL_NORMAL, /* task, softirq and interrupt: one handler at a time, interrupts are off */
	KT_LEVEL_NMI,    /* NMI, and int3 where the kernel treats it as one */
	KT_LEVELS,
};

/* A handler's context and what the kit keeps beside it: in front, so that what a hit touches is in two lines. */
struct kt_level {
	u64 room;           /* of the stack that a handler wants here; KT_ROOM_TAKEN while one runs */
	const struct kt_entry *hooks; /* the probe whose function's return is being hooked (returns.c), or NULL */
	struct kt_ring *ring;
	struct kt_ctx c;
} ____cacheline_aligned;

struct kt_cpu {
	struct kt_level level[KT_LEVELS];
	u64 skipped_reentrant;
	u64 skipped_stack;
	struct kt_ring ring;
};
extern struct kt_cpu __percpu *kt_cpus;

int kt_contexts_create(void);
void kt_contexts_destroy(void);
/* Puts an end to a handler that raised an error or gave up. Context: the handler's. */
void kt_handler_failed(struct kt_level *l);
/* Sums over CPUs. */
void kt_contexts_count(struct kt_status *s);

/* ---- timing.c: -t ---- */
int kt_timing_create(void);
void kt_timing_destroy(void);
/* Sets what S says about the hits of PROBE. */
void kt_timing_read(u32 probe, struct kt_probe_status *s);

/* ---- session.c ---- */
struct kt_session {
	int state;              /* enum kt_state, next to nothing that handlers write */
	s32 target, tz_west;
	char tz_name[16];
	unsigned long slide;    /* run-time address of the kernel minus its linked one */
	/* Written on rare occasions only. */
	struct mutex lock ____cacheline_aligned; /* START, STOP, SET, release */
	int failed;
	s32 exit_code;
	atomic64_t errors;
	atomic64_t skipped_lock;
	u32 armed, refused;     /* places */
	struct kt_probe_status *probes; /* one per kt_script.probes */
};
extern struct kt_session kt_session;

/* Asks for the end: after exit(), a fatal error, a signal. Context: any. */
void kt_session_ask_stop(bool failed);
/* Is arming still wanted? Not after exit(), nor when the loader wants to end or was killed: families with many probes ask
 * before each, as arming them all takes minutes. What is not armed then is no error. Context: of START. */
bool kt_session_starts(void);
int kt_session_start(const struct kt_start *start);
/* Undoes everything; with PROBES end or error probes run. Idempotent. */
void kt_session_stop(bool probes);
void kt_session_status(struct kt_status *ret);
int kt_session_set_global(const struct kt_set_global *set);
/* A place that did not register. */
void kt_session_refused(u32 probe, int error);

/* Arms and disarms places as their conditions say. Under kt_session.lock. */
void kt_session_update(void);

/* ---- condition.c ---- */
/* Evaluates all conditions, and again when they may have changed, until they are stopped. Around arming and disarming,
 * under kt_session.lock. */
int kt_conditions_start(void);
void kt_conditions_stop(void);
/* The probe's places are not to be armed now. Process context, under kt_session.lock. */
bool kt_condition_off(u32 probe);

/* ---- module.c ---- */
int kt_modules_create(void);
/* Where the symbol is now, 0: its module is not loaded, or the kernel keeps no symbols of it. Context: any. */
unsigned long kt_module_symbol(struct kt_module_symbol *s);
/* Sets the address of SYMBOL in the module NAME, 0: it has none, or the kernel keeps no symbols of modules; -ENOENT: the module is
 * not loaded. Context: process. */
int kt_module_find_symbol(const char *name, const char *symbol, unsigned long *ret);

struct module;
/* The loaded module whose code or data ADDRESS is in; NULL: none. Context: interrupts or preemption off while it is used. */
const struct module *kt_module_at(unsigned long address);
/* Are the SIZE bytes at ADDRESS in the loaded module NAME? */
bool kt_module_holds(const char *name, unsigned long address, u32 size);

/* ---- fn-symbols.c ---- */
/* Is AT where the call C returns to? */
bool kt_call_returns_to(const struct kt_kprobe_call *c, unsigned long at);
/* Is the stack of the current task's program, at REGS, as kt_uprobe_row.calls has it in a file that lies BIAS above where it
 * was linked? Context: a uprobe's. */
bool kt_user_stack_matches(struct pt_regs *regs, const struct kt_kprobe_call *c, u64 bias);
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

/* ---- signal.c ---- */
void kt_signals_start(void);
void kt_signals_finish(void);

/* ---- usermem.c ---- */
int kt_usermem_create(void);
void kt_usermem_destroy(void);
/* The rest of a user string, ROOM bytes and a NUL at most, where an ordinary read found a page unmapped. False: not to be
 * had here. */
bool kt_user_string_absent(struct kt_ctx *c, char *to, u32 room, u64 address);
/* N bytes of user memory where an ordinary read found a page unmapped. */
bool kt_user_bytes_absent(struct kt_ctx *c, void *to, u32 n, u64 address);

/* ---- sleeper.c: handlers that may wait for pages ---- */
int kt_sleepers_create(void);
void kt_sleepers_destroy(void);
/* Runs PROBE's handler while the session runs. Context: a task about to return to its program, which may sleep. */
void kt_handle_sleepable(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags, void *instance,
			 u64 user_bias);
/* Between them such a handler's interrupts are on, and it may sleep. */
void kt_sleep_begin(struct kt_ctx *c);
void kt_sleep_end(struct kt_ctx *c);

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
/* Makes a sleeping reader look now. Context: any. */
void kt_control_wake(void);

/* ---- families ---- */
struct kt_family_ops {
	/* Checks rows and registers; on failure it has undone its part. Places that fail one by one are told with
	 * kt_session_refused() and are no failure. */
	int (*arm)(const struct kt_family_rows *rows);
	/* After it no handler of the family runs. */
	void (*disarm)(void);
	/* Arms and disarms places as kt_condition_off() says. NULL: the handlers' test of the condition is all. */
	void (*update)(void);
	/* Adds missed hits to S and sets them in kt_session.probes; NULL: cannot miss any. */
	void (*count)(struct kt_status *s);
};
extern const struct kt_family_ops kt_timer_family, kt_kprobe_family, kt_trace_family, kt_perf_family, kt_syscall_family,
	kt_procfs_family, kt_netfilter_family, kt_data_family, kt_uprobe_family, kt_process_family;

/* ---- perf.c, perf-task.c: events of each CPU, events of threads ---- */
struct perf_event_attr kt_perf_attr(const struct kt_perf_row *row);
/* Those of the N rows that name a program. On failure it has undone its part. */
int kt_perf_tasks_arm(const struct kt_perf_row *rows, u32 n);
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
	atomic64_t *missed;          /* calls whose return was not hooked */
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

/* Arms the places among N rows that ftrace can serve, at the addresses AT, and sets TAKEN for them. MISSED: for each row, to
 * be counted up while it is armed. */
void kt_ftrace_arm(const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken, atomic64_t *missed);
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
/* Bytes of stack a handler may want: its frames, those of the functions it calls, and of the core. */
enum { KT_STACK_MIN = 3072 };

/* More than any stack has. */
#define KT_ROOM_TAKEN (~0ULL)

/* No handler runs at this level, and the task's stack is not nearly used up: one comparison for both. On an interrupt's
 * stack the difference is large, or wraps to large. */
static __always_inline bool kt_level_is_free(const struct kt_level *l)
{
	return current_stack_pointer - (unsigned long)task_stack_page(current) >= l->room;
}

/* Is the hit in an NMI, on top of whatever ran here? The exception of a breakpoint counts as one itself: what it interrupts goes on
 * only behind it, so a handler below it is one whose own calls have led here. FLAGS: KT_CTX_BREAKPOINT, where it comes by one,
 * or by a jump; a jump within an NMI is then taken for no NMI, which is safe: it is skipped if a handler runs below it, and
 * leaves the level as it found it if none does. */
static __always_inline bool kt_in_nmi(u32 flags)
{
	return flags & KT_CTX_BREAKPOINT ? (preempt_count() & NMI_MASK) > NMI_OFFSET : in_nmi();
}

/* The level of the handler C: which of a CPU's two pieces of room to work in is its own. One that may sleep has the ordinary. */
static __always_inline u32 kt_level_number(const struct kt_ctx *c)
{
	return c == &raw_cpu_ptr(kt_cpus)->level[KT_LEVEL_NMI].c ? KT_LEVEL_NMI : KT_LEVEL_NORMAL;
}

/* A task's own code uses this CPU's parts between these: what it calls may be probed, and those hits are skipped, as within a
 * handler. Interrupts are off, and no handler runs below it. */
static inline void kt_level_hold(void)
{
	raw_cpu_ptr(kt_cpus)->level[KT_LEVEL_NORMAL].room = KT_ROOM_TAKEN;
	barrier();
}

static inline void kt_level_let_go(void)
{
	barrier();
	raw_cpu_ptr(kt_cpus)->level[KT_LEVEL_NORMAL].room = KT_STACK_MIN;
}

/* Counts a hit that found L busy, or the stack nearly used up. Context: the hit's, interrupts off. */
void kt_handler_skipped(const struct kt_level *l);

/* The level of a hit with FLAGS on this CPU. Context: interrupts off. */
static __always_inline struct kt_level *kt_this_level(u32 flags)
{
	struct kt_level *l = &raw_cpu_ptr(kt_cpus)->level[KT_LEVEL_NORMAL];

	if (unlikely(kt_in_nmi(flags))) {
		l += KT_LEVEL_NMI - KT_LEVEL_NORMAL;
		OPTIMIZER_HIDE_VAR(l); /* a branch, not a computation on every hit */
	}
	return l;
}

/* Runs PROBE's handler whatever the state, with interrupts off. A handler that is running here already means recursion:
 * counted and skipped. Context: any. FLAGS, INSTANCE and TASK are constants where they are not used, and cost nothing
 * then.
 * Every instruction counts (testsuite/bench): what is rare is out of line, and two values live across the handler. */
static __always_inline void kt_handle_task(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
					   void *instance, const struct task_struct *task)
{
	struct kt_level *l;
	unsigned long flags;

	raw_local_irq_save(flags);
	l = kt_this_level(ctx_flags);
	if (likely(kt_level_is_free(l))) {
		l->room = KT_ROOM_TAKEN;
		barrier();
		l->c.nesting = 0;
		l->c.flags = ctx_flags;
		l->c.regs = regs;
		l->c.probe = probe;
		if (instance)
			l->c.instance = instance;
		if (task)
			l->c.task = task;
		probe->handler(&l->c);
		if (task)
			l->c.task = NULL;
		if (unlikely(l->c.error)) /* also when it gave up on a lock */
			kt_handler_failed(l);
		barrier();
		l->room = KT_STACK_MIN;
	} else {
		kt_handler_skipped(l);
	}
	raw_local_irq_restore(flags);
}

static __always_inline void kt_handle_always(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
					     void *instance)
{
	kt_handle_task(probe, regs, ctx_flags, instance, NULL);
}

/* The same for the probes that run while the session runs, and at no other time. */
static __always_inline void kt_handle(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags,
				      void *instance)
{
	/* No READ_ONCE(): it would be two instructions, and there is no loop to hoist it from. */
	if (likely(kt_session.state == KT_RUNNING))
		kt_handle_always(probe, regs, ctx_flags, instance);
}

#endif
