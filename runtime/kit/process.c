/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of processes: begin, end, threads, system calls; and the set of the target's processes.
 *
 * All of it comes from tracepoints: fork, exec and exit of the scheduler, entry and return of system calls. The handler of a
 * fork is about the child while the parent runs it, so is that of a process which exists when the session starts: their
 * contexts name the task (kt_task).
 *
 * A bitmap indexed by pid marks the target's processes; fork sets the child's bit before the child can run.
 */
#include <linux/binfmts.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/threads.h>
#include <linux/vmalloc.h>
#include <asm/syscall.h>

#include "runtime/kit/compat.h"
#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"
#include "runtime/kit/value.h"

/* ---- tracepoints ---- */
static void forked(void *data, struct task_struct *parent, struct task_struct *child);
static void executed(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *file);
static KT_TASK_EXITED(exited);
static void syscall_entered(void *data, struct pt_regs *regs, long number);
static void syscall_left(void *data, struct pt_regs *regs, long result);

enum { ON_FORK, ON_EXEC, ON_EXIT, ON_SYSCALL, ON_SYSCALL_RETURN };
static struct kt_listener listeners[] = {
	[ON_FORK] = { "sched_process_fork", (void *)forked },
	[ON_EXEC] = { "sched_process_exec", (void *)executed },
	[ON_EXIT] = { "sched_process_exit", (void *)exited },
	[ON_SYSCALL] = { "sys_enter", (void *)syscall_entered },
	[ON_SYSCALL_RETURN] = { "sys_exit", (void *)syscall_left },
};

/* ---- the target's processes ---- */
unsigned long *kt_targets;

static __kprobes void target_set(pid_t tgid, bool is)
{
	if (!kt_targets || (u32)tgid >= PID_MAX_LIMIT)
		return;
	if (is)
		set_bit(tgid, kt_targets);
	else
		clear_bit(tgid, kt_targets);
}

/* Adds TASK, which may be ending: its number, whose bit exited() has cleared before, would be that of another process later. */
static void target_add(const struct task_struct *task)
{
	target_set(task->tgid, true);
	smp_mb__after_atomic();
	if (!atomic_read(&task->signal->live))
		target_set(task->tgid, false);
}

/* The target may have children already: whoever descends from it. Under rcu_read_lock(). */
static bool descends_from_target(const struct task_struct *task)
{
	for (; task->pid > 1; task = rcu_dereference(task->real_parent))
		if (kt_is_target(task->tgid))
			return true;
	return false;
}

int kt_targets_start(void)
{
	const struct task_struct *task;
	int err;

	if (!kt_run.target)
		return 0;
	kt_targets = vzalloc(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long));
	if (!kt_targets)
		return -ENOMEM;
	err = kt_listen(&listeners[ON_FORK]) ?: kt_listen(&listeners[ON_EXIT]);
	if (err == -EOPNOTSUPP) {
		kt_warn("later children of the target are not followed: this kernel has no tracepoints");
		err = 0;
	}
	if (err) {
		kt_targets_stop();
		return err;
	}
	rcu_read_lock();
	/* The loader may be in another pid namespace than the one whose numbers pid() returns. */
	task = pid_task(find_vpid(kt_run.target), PIDTYPE_PID);
	if (task) {
		kt_run.target = task->pid;
		target_add(task);
	}
	for_each_process (task)
		if (descends_from_target(task))
			target_add(task);
	rcu_read_unlock();
	return 0;
}

void kt_targets_stop(void)
{
	kt_listen_no_more(listeners, ARRAY_SIZE(listeners));
	vfree(kt_targets);
	kt_targets = NULL;
}

/* Context: a handler's. */
KT_NUMBER(target_set_pid, kt_targets && pid > 0 && pid < PID_MAX_LIMIT && test_bit(pid, kt_targets), kt_s64 pid)

/* The next number in the set above PID, 0: none. */
__kprobes kt_s64 kt_fn___target_set_after(struct kt_ctx *c, kt_s64 pid)
{
	unsigned long next;

	if (!kt_targets || pid < 0 || pid >= PID_MAX_LIMIT)
		return 0;
	next = find_next_bit(kt_targets, PID_MAX_LIMIT, pid + 1);
	return next < PID_MAX_LIMIT ? (kt_s64)next : 0;
}

/* ---- rows ---- */
enum {
	EXEC_TRIES = 100, /* for tasks that execute while the session begins; a file may never come */
	EXEC_PAUSE_US = 1000,
};

enum { PROCESS_WORDS = BITS_TO_LONGS(PID_MAX_LIMIT) };

/* An executable that rows name, or all executables; and the processes that run it and their threads, by number. A number has the bit of
 * `ended` only beside that of `running`. Both stay when it ends: the last threads of a process are reported after it, and those who look at
 * all tasks find some whose end was reported. */
struct image {
	struct kt_file file;                  /* without a name: all */
	unsigned long running[PROCESS_WORDS]; /* bit: its beginning was reported */
	unsigned long ended[PROCESS_WORDS];   /* bit: so was its end */
	pid_t telling;                        /* whose beginning a task that looks at all reports now; negative: it ended meanwhile */
};

struct event {
	struct kt_place place;
	const struct kt_process_row *row;
	struct image *image;
	bool on;
};

static struct event *events;
static u32 n_events; /* 0: nobody is to look at them */
static struct kt_file *images;

#define for_each_image(g) for (struct image *g = (struct image *)images; g; g = (struct image *)g->file.next)

/* Another task may end and its memory be reused meanwhile: nothing read is trusted, and the result is only
 * compared. */
__kprobes const struct inode *kt_executable_of(const struct task_struct *task)
{
	const struct mm_struct *mm = READ_ONCE(task->mm);
	struct inode *inode;
	struct file *file;

	if (!mm || task->flags & PF_KTHREAD || get_kernel_nofault(file, (struct file *__force const *)&mm->exe_file) || !file ||
	    get_kernel_nofault(inode, &file->f_inode))
		return NULL;
	return inode;
}

static __kprobes bool event_wants(const struct event *e, const struct image *image, const struct task_struct *task)
{
	return e->image == image && e->on && kt_is_process(e->row->pid, task);
}

/* Runs the probes of EVENT and IMAGE that want TASK. */
static __kprobes void event_run(enum kt_process_event event, const struct image *image, const struct task_struct *task)
{
	for (u32 i = 0; i < n_events; i++)
		if (events[i].row->event == event && event_wants(&events[i], image, task))
			kt_handle_task(events[i].place.probe, NULL, 0, NULL, task, NULL);
}

/* Notes that the process or thread NUMBER begins. False: that was reported. FRESH: it was just made or executes another program, so that an end
 * is that of the one which had the number before. */
static __kprobes bool begin_once(struct image *g, pid_t number, bool fresh)
{
	return !test_and_set_bit(number, g->running) || (fresh && test_and_clear_bit(number, g->ended));
}

/* Notes that it ends. False: that was reported, or not even its beginning was. */
static __kprobes bool end_once(struct image *g, pid_t number)
{
	return test_bit(number, g->running) && !test_and_set_bit(number, g->ended);
}

static __kprobes void image_begin(struct image *g, const struct task_struct *task, bool fresh)
{
	const struct inode *exe = kt_executable_of(task);

	/* Before that the probes would not run: kt_process_tell() comes back to it. */
	if (kt_run_state() != KT_RUNNING)
		return;
	if (!exe || g->file.error || (g->file.name && g->file.inode != exe) || !kt_is_target(task->tgid)) {
		if (fresh) {
			clear_bit(task->tgid, g->ended);
			clear_bit(task->tgid, g->running);
		}
		return;
	}
	if (begin_once(g, task->tgid, fresh))
		event_run(KT_PROCESS_BEGIN, g, task);
}

static __kprobes void image_end(struct image *g, const struct task_struct *task)
{
	if (end_once(g, task->tgid))
		event_run(KT_PROCESS_END, g, task);
}

/* A thread of a process whose beginning was reported. */
static __kprobes void thread_begin(struct image *g, const struct task_struct *thread, bool fresh)
{
	if (kt_run_state() == KT_RUNNING && test_bit(thread->tgid, g->running) && begin_once(g, thread->pid, fresh))
		event_run(KT_PROCESS_THREAD_BEGIN, g, thread);
}

/* It may end before tell_threads() comes to it. */
static __kprobes void thread_end(struct image *g, const struct task_struct *thread)
{
	thread_begin(g, thread, false);
	if (test_bit(thread->tgid, g->running) && end_once(g, thread->pid))
		event_run(KT_PROCESS_THREAD_END, g, thread);
}

/* ---- what happens: the scheduler's tracepoints, preemption off ---- */
static __kprobes void forked(void *data, struct task_struct *parent, struct task_struct *child)
{
	bool thread = child->tgid != child->pid;

	if (!thread && kt_targets && kt_is_target(parent->tgid))
		target_set(child->tgid, true);
	for_each_image (g) {
		if (thread)
			thread_begin(g, child, true);
		else
			image_begin(g, child, true);
	}
}

/* The process goes on as another program: to scripts one ends and one begins. A thread that executes has the number of the process then, and its
 * own is free. */
static __kprobes void executed(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *file)
{
	for_each_image (g) {
		if (old_pid != task->pid)
			end_once(g, old_pid);
		image_end(g, task);
		image_begin(g, task, true);
	}
}

/* Returns whether the beginning of NUMBER is being reported on another CPU, where tell_begin() then reports its end, too. */
static __kprobes bool end_later(struct image *g, pid_t number)
{
	return READ_ONCE(g->telling) == number && cmpxchg(&g->telling, number, -number) == number;
}

/* The memory of the process is gone by now: what it executed is known from its beginning. */
static __kprobes KT_TASK_EXITED(exited)
{
	bool last = !atomic_read(&task->signal->live);

	for_each_image (g) {
		if (task->pid != task->tgid && !end_later(g, task->pid))
			thread_end(g, task);
		if (last && !end_later(g, task->tgid))
			image_end(g, task);
	}
	if (last)
		target_set(task->tgid, false);
}

/* ---- system calls ---- */
static struct kt_saved_calls saved_calls; /* values of the entry */

static __kprobes void event_call_entered(const struct event *e, struct pt_regs *regs, struct kt_event_hit *hit)
{
	if (e->row->event == KT_PROCESS_SYSCALL) {
		kt_handle_task(e->place.probe, regs, KT_CTX_USER_REGS | KT_CTX_EVENT, hit, current, NULL);
		return;
	}
	if (!e->row->entry_slots || kt_arch_ends_task((long)hit->words[KT_EVENT_NUMBER], in_compat_syscall()))
		return;
	hit->saved = kt_saved_take(&saved_calls, e->row);
	if (hit->saved)
		kt_handle_task(&kt_script.probes[e->row->entry_probe], regs, KT_CTX_USER_REGS | KT_CTX_EVENT, hit, current, NULL);
	else
		kt_lose(e->place.probe, KT_LOSS_RETURN);
}

/* A call whose entry handler did not run has no return handler either. */
static __kprobes void event_call_left(const struct event *e, struct pt_regs *regs, struct kt_event_hit *hit)
{
	if (e->row->event != KT_PROCESS_SYSCALL_RETURN)
		return;
	if (e->row->entry_slots) {
		hit->saved = kt_saved_find(&saved_calls, e->row);
		if (!hit->saved)
			return;
	}
	if (!hit->saved || hit->saved->set[0])
		kt_handle_task(e->place.probe, regs, KT_CTX_USER_REGS | KT_CTX_EVENT, hit, current, NULL);
	if (hit->saved)
		kt_saved_release(hit->saved);
	hit->saved = NULL;
}

static __kprobes void run_call(struct pt_regs *regs, long number, long result,
			       void (*run)(const struct event *e, struct pt_regs *regs, struct kt_event_hit *hit))
{
	struct kt_event_hit hit = { .words = { [KT_EVENT_NUMBER] = (u64)number, [KT_EVENT_RESULT] = (u64)result } };
	unsigned long arguments[6];

	if (!kt_is_target(current->tgid))
		return;
	syscall_get_arguments(current, regs, arguments);
	for (u32 i = 0; i < ARRAY_SIZE(arguments); i++)
		hit.words[KT_EVENT_ARGUMENTS + i] = arguments[i];
	for_each_image (g)
		for (u32 i = 0; i < n_events && test_bit(current->tgid, g->running); i++)
			if (event_wants(&events[i], g, current))
				run(&events[i], regs, &hit);
}

static __kprobes void syscall_entered(void *data, struct pt_regs *regs, long number)
{
	run_call(regs, number, 0, event_call_entered);
}

static __kprobes void syscall_left(void *data, struct pt_regs *regs, long result)
{
	run_call(regs, syscall_get_nr(current, regs), result, event_call_left);
}

/* ---- arming ---- */
/* Has BEGIN report that TASK, a process or a thread, has begun, and END that it ended, if it does meanwhile. Without preemption, so that
 * nothing else here takes its place. */
static void tell_begin(struct image *g, const struct task_struct *task, void (*begin)(struct image *g, const struct task_struct *task, bool fresh),
		       void (*end)(struct image *g, const struct task_struct *task))
{
	preempt_disable();
	xchg(&g->telling, task->pid);
	begin(g, task, false);
	if (xchg(&g->telling, 0) < 0)
		end(g, task);
	preempt_enable();
}

/* Reports that TASK, which runs already, has begun, unless that was done. The loader's own processes are left out: the command of -c is one until it
 * executes. */
static void tell_process(const struct inode *loader, const struct task_struct *task)
{
	if (kt_executable_of(task) == loader)
		return;
	for_each_image (g) {
		tell_begin(g, task, image_begin, image_end);
		/* It ended before that. */
		if (!atomic_read(&task->signal->live))
			image_end(g, task);
	}
}

/* Returns whether some are reported later: one that executes has its new program before executed() hears of it, which would
 * end and begin it once more. */
static bool tell_processes(bool executing_too)
{
	const struct inode *loader = kt_executable_of(current);
	struct task_struct *task;
	bool later = false;

	rcu_read_lock();
	for_each_process (task) {
		preempt_disable();
		if (!task->in_execve || executing_too)
			tell_process(loader, task);
		else
			later = true;
		preempt_enable();
	}
	rcu_read_unlock();
	return later;
}

static void tell_threads(void)
{
	struct task_struct *task, *thread;

	rcu_read_lock();
	for_each_process_thread (task, thread)
		for_each_image (g)
			if (thread != task)
				tell_begin(g, thread, thread_begin, thread_end);
	rcu_read_unlock();
}

static int listen_for(const struct kt_process_row *row)
{
	int err = 0;

	if (row->event == KT_PROCESS_SYSCALL || row->entry_slots)
		err = kt_listen(&listeners[ON_SYSCALL]);
	if (!err && row->event == KT_PROCESS_SYSCALL_RETURN)
		err = kt_listen(&listeners[ON_SYSCALL_RETURN]);
	return err;
}

static void process_finish(struct kt_places *all)
{
	n_events = 0;
	kt_listen_no_more(listeners, ARRAY_SIZE(listeners));
	kt_files_close(&images);
	kt_saved_calls_destroy(&saved_calls);
}

/* Nobody listens for others than the target's processes yet: the tables are made in peace. */
static int process_prepare(struct kt_places *all)
{
	u32 slots = 0;
	int err;

	events = all->array;
	for (u32 i = 0; i < all->n; i++) {
		events[i].row = events[i].place.row;
		slots = max(slots, events[i].row->entry_slots);
	}
	err = kt_saved_calls_create(&saved_calls, slots);
	for (u32 i = 0; i < all->n && !err; i++) {
		events[i].image = kt_file_of(&images, events[i].row->path, sizeof(struct image));
		if (!events[i].image)
			err = -ENOMEM;
	}
	return err;
}

static int process_find(struct kt_place *p, const struct module *mod)
{
	return KT_PLACE_AS(struct event, p)->image->file.error;
}

static int process_attach_many(struct kt_places *all)
{
	int err;

	smp_store_release(&n_events, all->n);
	err = kt_listen(&listeners[ON_FORK]) ?: kt_listen(&listeners[ON_EXEC]) ?: kt_listen(&listeners[ON_EXIT]);
	for (u32 i = 0; i < all->n && !err; i++)
		err = listen_for(events[i].row);
	return err;
}

static int process_attach(struct kt_place *p)
{
	WRITE_ONCE(KT_PLACE_AS(struct event, p)->on, true);
	return 0;
}

static int process_detach(struct kt_place *p)
{
	WRITE_ONCE(KT_PLACE_AS(struct event, p)->on, false);
	return 0;
}

/* Once the session runs: probes of what began before it. */
void kt_process_tell(void)
{
	if (!n_events)
		return;
	for (u32 i = 0; tell_processes(i == EXEC_TRIES) && i < EXEC_TRIES; i++)
		usleep_range(EXEC_PAUSE_US, 2 * EXEC_PAUSE_US);
	tell_threads();
}

const struct kt_family_ops kt_process_family = {
	.size = sizeof(struct event),
	.row_size = sizeof(struct kt_process_row),
	.prepare = process_prepare,
	.find = process_find,
	.attach_many = process_attach_many,
	.attach = process_attach,
	.detach = process_detach,
	.finish = process_finish,
};
