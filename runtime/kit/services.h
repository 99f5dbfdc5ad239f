/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Services for handlers and families: messages, CPUs, modules, stacks, lines, processes, and values kept of calls. */
#ifndef KT_KIT_SERVICES_H
#define KT_KIT_SERVICES_H

#include <linux/path.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/uprobes.h>

#include "runtime/kit/place.h"

/* ---- log.c ---- */
/* Sends a warning to the loader. Context: process, outside of handlers. */
__printf(1, 2) void kt_warn(const char *format, ...);

/* ---- listen.c: tracepoints of the kernel ---- */
struct kt_listener {
	const char *name;
	void *hit, *data;      /* it is called with the data first */
	struct tracepoint *tp; /* set by kt_listen() */
	bool on;
};

/* Returns the tracepoint of the kernel itself, or NULL. Context: process. */
struct tracepoint *kt_tracepoint(const char *name);
/* Does nothing when L listens already. Returns -EOPNOTSUPP where the kernel has no such tracepoint: it is built without CONFIG_TRACEPOINTS or
 * does not export what finds or registers them, see translator/module/lacks.c. Context: process. */
int kt_listen(struct kt_listener *l);
/* Ends what the N listeners at L do, and waits for calls under way. */
void kt_listen_no_more(struct kt_listener *l, u32 n);

/* ---- files.c: files that rows name ---- */
/* The first member of a family's own struct. */
struct kt_file {
	const char *name;    /* NULL: it stands for no file, or for any */
	struct path path;
	struct inode *inode; /* the file as mm_struct has it; NULL: it was not found */
	int error;           /* why the family cannot use it */
	struct kt_file *next;
};
/* Returns the file NAME of LIST. A name that LIST does not have is added, in SIZE bytes. NULL: no memory. Context: process. */
void *kt_file_of(struct kt_file **list, const char *name, size_t size);
/* Frees all of LIST. */
void kt_files_close(struct kt_file **list);

/* ---- breakpoint.c: uprobes ---- */
struct kt_breakpoint {
	struct uprobe_consumer uc;
	struct uprobe *uprobe;
	struct inode *inode; /* what uprobes know the file by; the caller holds its path */
	loff_t offset;       /* in the file */
	loff_t semaphore;    /* likewise, of the counter of those who listen to a mark; 0: none */
	bool cut;            /* SIGKILL ended its registration: programs may still have the breakpoint */
};
/* Registers B; 0 or -errno. Context: process. */
int kt_breakpoint_set(struct kt_breakpoint *b);
/* Unregisters B, which is registered: handlers may still run until kt_uprobe_sync(). Context: process. */
void kt_breakpoint_clear(struct kt_breakpoint *b);
/* Removes the breakpoints that the kernel could not remove in a task that was killed. Ends as kt_breakpoint_clear() does. Context:
 * a thread of the kernel. */
void kt_breakpoint_mend(struct kt_breakpoint *b);

/* ---- hotplug.c: CPUs that come and go ---- */
/* Has CHANGED called whenever a CPU came or went, until kt_cpus_unfollow(). Both may be called twice. Context: process, under
 * kt_run.lock. */
int kt_cpus_follow(void (*changed)(void));
void kt_cpus_unfollow(void);

/* ---- cpu-events.c: a perf event on each CPU ---- */
/* A place of such events: what `hit` finds in them is its address. */
struct kt_cpu_events {
	struct kt_place place;
	struct perf_event_attr attr;
	perf_overflow_handler_t hit;
	bool on;                    /* the events count */
	struct perf_event **events; /* by CPU number, NULL for a CPU without an event; NULL until created */
	struct kt_cpu_events *next;
};

/* Creates the events of E on every online CPU, and on CPUs that come online later. On an error none is left. Context: process,
 * without the lock of CPU hotplug. */
int kt_cpu_events_create(struct kt_cpu_events *e);
/* Do the events of E, which are created, count outside of the processors? Reading such a one may take a lock, as Intel's in PCI
 * configuration space do. Context: process. */
bool kt_cpu_events_are_outside(struct kt_cpu_events *e);
/* Does nothing when E was not created. */
void kt_cpu_events_release(struct kt_cpu_events *e);
void kt_cpu_events_switch(struct kt_cpu_events *e, bool on);
/* Reads what this CPU's event has counted. False: this CPU has no event. Context: a handler. */
bool kt_cpu_events_read(struct kt_cpu_events *e, kt_s64 *ret);
/* What EVENT, of this CPU or of the current task, has counted. Context: a handler. */
static inline kt_s64 kt_perf_count(struct perf_event *event)
{
	if (event->oncpu == raw_smp_processor_id())
		event->pmu->read(event);
	return local64_read(&event->count);
}

/* ---- module.c ---- */
struct module;
/* GOING is called for each module that goes. */
int kt_modules_create(void (*going)(const struct module *mod));
/* Where the symbol is now, 0: its module is not loaded, or the kernel keeps no symbols of it. Context: any. */
unsigned long kt_module_symbol(struct kt_module_symbol *s);
/* Sets the address of SYMBOL in the module NAME, 0: it has none, or the kernel keeps no symbols of modules; -ENOENT: the module is
 * not loaded. Context: process. */
int kt_module_find_symbol(const char *name, const char *symbol, unsigned long *ret);

/* Is the loaded module NAME another build than the one whose debugging information the script was compiled with? Context: process. */
bool kt_module_is_foreign(const char *name);

/* Is the module NAME loaded, and did its init function end? Context: process. */
bool kt_module_is_live(const char *name);

/* The loaded module whose code or data ADDRESS is in; NULL: none. Context: interrupts or preemption off while it is used. */
const struct module *kt_module_at(unsigned long address);
/* Grows when a module comes or goes; never 0. */
u32 kt_modules_generation(void);
/* Are the SIZE bytes at ADDRESS in the loaded module NAME? */
bool kt_module_holds(const char *name, unsigned long address, u32 size);
void kt_modules_destroy(void);

/* ---- trail.c ---- */
/* Return addresses of the calls that led to where REGS are, on the current task's stack or another; at most MAX. Returns how many. */
u32 kt_walk(const struct kt_ctx *c, struct pt_regs *regs, unsigned long *ret, u32 max);

/* ---- fn-symbols.c ---- */
/* Writes the name of KIND (enum kt_name_kind) of what is at ADDRESS. Context: any. */
void kt_name_text(char *ret, u32 size, u64 address, u32 kind);
/* The address of the kernel's function of the call that a system call's probe is at; 0: it is unknown. */
u64 kt_call_function(const struct kt_ctx *c);
/* Return addresses of the calls that led to the handler C, the innermost first; at most MAX. Returns how many. */
u32 kt_callers(const struct kt_ctx *c, unsigned long *ret, u32 max);
/* Is AT where the call C returns to? */
bool kt_call_returns_to(const struct kt_kprobe_call *c, unsigned long at);
/* Returns 1 if the stack of the current task's program, at REGS, is as kt_uprobe_row.calls has it in a file that lies BIAS
 * above its linked address, 0 if it is not, -EBUSY if the mappings stayed locked. Context: a uprobe's; sleeps, for some
 * 20 ms at most. */
int kt_user_stack_matches(struct pt_regs *regs, const struct kt_kprobe_call *c, u64 bias);
/* Is the stack below the probed ADDRESS as kt_kprobe_row.calls has it? Context: where the probe was hit. */
bool kt_stack_matches(const struct kt_kprobe_call *c, const struct pt_regs *regs, unsigned long address, bool at_entry);

/* ---- saved-calls.c ---- */
/* Values that a call's entry handler keeps for its return handler. The handler saves slot 0 first, so its bit says that the
 * handler ran, and its value how many slots there are before the texts; the bit of another is clear when its value could not
 * be read. */
struct kt_saved {
	u64 set[KT_ENTRY_SLOTS_MAX / 64];
	s64 slot[];
};

/* A hit of process.syscall: what kt_ctx.instance points at under KT_CTX_EVENT. */
enum { KT_EVENT_NUMBER, KT_EVENT_ARGUMENTS, KT_EVENT_RESULT = KT_EVENT_ARGUMENTS + 6, KT_EVENT_WORDS };
struct kt_event_hit {
	u64 words[KT_EVENT_WORDS]; /* first: kt_argument() reads them */
	struct kt_saved *saved;
};

/* Values that tasks keep of the system calls that they are in, a struct kt_saved for each row. */
struct kt_saved_calls {
	char *table; /* NULL: nothing is kept */
	u32 stride;
};
/* A table for rows with at most SLOTS slots; 0: none is needed. */
int kt_saved_calls_create(struct kt_saved_calls *calls, u32 slots);
void kt_saved_calls_destroy(struct kt_saved_calls *calls);
/* Returns the values that the current task keeps for ROW, or NULL. Only the task itself looks at it. Context: any. */
struct kt_saved *kt_saved_find(const struct kt_saved_calls *calls, const void *row);
/* The same, emptied, or a new one; NULL: the table is full. */
struct kt_saved *kt_saved_take(const struct kt_saved_calls *calls, const void *row);
void kt_saved_release(struct kt_saved *saved);

/* ---- process.c ---- */
/* The processes of -c or -x: the target and all that descend from it. Around a session, in process context. */
int kt_targets_start(void);
void kt_targets_stop(void);
extern unsigned long *kt_targets; /* bit: process number; NULL: there is no target */
/* Is TGID one of them? Without a target all are. Context: any. */
static inline bool kt_is_target(pid_t tgid)
{
	return !kt_targets || ((u32)tgid < PID_MAX_LIMIT && test_bit(tgid, kt_targets));
}
/* The file that TASK executes; NULL: none (a kernel thread, or it has let go of it). Preemption off, or under
 * rcu_read_lock(). */
const struct inode *kt_executable_of(const struct task_struct *task);
/* The task that the probe is about. */
static __always_inline struct task_struct *kt_task(const struct kt_ctx *c)
{
	return c->task ? (struct task_struct *)c->task : current;
}

/* Holds the mmap lock of MM, which is the current task's, until interrupts are on again, or with KT_CTX_TASK until
 * kt_mmap_release(). False: the lock is busy, or the probe is in an interrupt that is no clock: a probe in what the release
 * calls would queue it again for ever. */
bool kt_mmap_hold(const struct kt_ctx *c, struct mm_struct *mm);
/* Releases what a handler with KT_CTX_TASK has held. Context: the task, preemption disabled since before the handler. */
void kt_mmap_release(void);
/* Returns the mapping that contains ADDRESS, or NULL. Context: kt_mmap_hold() returned true, or MM is locked. */
struct vm_area_struct *kt_find_mapping(struct mm_struct *mm, unsigned long address);
/* Returns the first mapping that ends after ADDRESS, or NULL. */
struct vm_area_struct *kt_next_mapping(struct mm_struct *mm, unsigned long address);

/* ---- fn-task.c ---- */
/* Notes who starts the session: the current task. Around a session, in process context. */
void kt_loader_start(void);
void kt_loader_stop(void);
/* Returns the number of TASK's process in the loader's pid namespace, 0: it is not in there. Context: any. */
pid_t kt_loader_tgid(const struct task_struct *task);
/* Is PID, a number in the loader's pid namespace, the process TASK? 0: all are. */
static inline bool kt_is_process(s32 pid, const struct task_struct *task)
{
	return !pid || kt_loader_tgid(task) == pid;
}

/* ---- unwind.c ---- */
int kt_unwind_create(void);
void kt_unwind_start(void);
void kt_unwind_destroy(void);
/* Tables of an object, from the loader. Any time while the module is in. */
int kt_unwind_add(const struct kt_object *object);

/* ---- lines.c ---- */
struct kt_unwind_table;
/* Reads the table of O into *BLOCK, which the caller frees with vfree(), after a failure too. */
int kt_table_read(const struct kt_object *o, struct kt_unwind_table *ret, void **block);
/* When objects without tables may be reported again, by a hash of their addresses: the process may have ended, or the ring been full. */
struct kt_missing {
	u64 again[2048];
};
/* Reports an OBJECT (its address; 0: none) without a table to the loader, at most once in a second. Context: a handler's. */
void kt_tell_missing(struct kt_ctx *c, struct kt_missing *m, unsigned long object, kt_s64 process, u64 address, const char *name);
/* Tables of the kernel's lines or a module's, from the loader. Any time while the module is in. */
int kt_lines_add(const struct kt_object *object);
/* MOD is going. Context: a task. */
void kt_lines_forget(const struct module *mod);
/* After all handlers have ended. */
void kt_lines_destroy(void);

#endif
