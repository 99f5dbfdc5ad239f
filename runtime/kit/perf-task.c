/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes perf.*.process, process.data and counters: events of the kernel's perf on the threads of programs.
 *
 * Threads that are there at the start are looked for. A process that executes the program later is met at its very first
 * instruction, that of the dynamic loader or of the program itself, by a uprobe which stands in the memory of such
 * processes only: there the task may sleep, as making an event needs. Whatever they fork and clone inherits the
 * events before it runs, by the kernel's own means; what executes something else loses them.
 *
 * So an event we made (a root) has descendants in other tasks, which the kernel takes back when these end. A root is
 * released when its task is gone and it has no descendant left, and all of them at the end.
 *
 * Where two tasks inherited the same events, or one from the other, the kernel swaps their contexts instead of switching.
 * With inherit_stat it swaps the counts back, pairing the events of both by their order. Heirs have the order that the
 * kernel inherits in, since v6.2 by struct pmu first; a task that was given events has that in which they came, from
 * several sessions perhaps: a count would become that of another event. So it is also given one that is not inherited:
 * then the kernel swaps its context with nobody's.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"

enum { SCANS_MAX = 8, ROOTS_MIN = 64 };

/* A program that rows name, and where its processes start. */
struct perf_program {
	struct kt_file file;
	struct kt_breakpoint at;
	struct file *start; /* the dynamic loader's file, or its own; NULL: the loader did not find it */
	bool on;
};

struct perf_root {
	struct perf_event *event;
	struct perf_root *next;
};

static struct kt_perf_place *thread_places;
static u32 n_thread_places; /* 0: nobody is to look at them */
static struct kt_file *perf_programs;
static DEFINE_MUTEX(roots_lock);
static struct perf_root *roots;
static u32 n_roots, roots_swept; /* so many were left when they were last looked through */

static __kprobes const struct kt_perf_row *row_of(const struct kt_perf_place *p)
{
	return p->events.place.row;
}

/* ---- events ---- */
/* Identifies our events: this function, even where nothing ever calls it. */
static __kprobes void task_event_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct kt_perf_place *p = event->overflow_handler_context;

	/* The children of that one process inherit the event, too. */
	if (!row_of(p)->counter && kt_is_process(row_of(p)->pid, current))
		kt_perf_hit(p->events.place.probe, event, row_of(p)->type, row_of(p)->config, regs);
}

/* Identifies the event that keeps a task's context private: it never happens. */
static __kprobes void keeper_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
}

static struct perf_event *keeper_create(struct task_struct *task)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
	};

	if (!kt_perf_until_exec(&attr))
		return ERR_PTR(-ENOSYS);
	return perf_event_create_kernel_counter(&attr, -1, task, keeper_hit, NULL);
}

/* Where TASK has the variable that is watched. Its program may lie anywhere; a task that ended has none. */
static u64 watched_address(const struct kt_perf_row *row, struct task_struct *task)
{
	struct mm_struct *mm = row->code ? get_task_mm(task) : NULL;
	u64 address = row->watch;

	if (mm) {
		address += mm->start_code - row->code;
		mmput(mm);
	}
	return address;
}

static struct perf_event *task_event_create(struct kt_perf_place *p, struct task_struct *task, bool off)
{
	struct perf_event_attr attr = kt_perf_attr(row_of(p));

	if (row_of(p)->length)
		kt_watch_attr(&attr, watched_address(row_of(p), task), row_of(p)->length, row_of(p)->reads);
	if (!kt_perf_until_exec(&attr))
		return ERR_PTR(-ENOSYS);
	attr.inherit = 1;
	attr.inherit_stat = 1;
	attr.disabled = off;
	return perf_event_create_kernel_counter(&attr, -1, task, task_event_hit, p);
}

/* Is it over with the event and all that came from it? Under roots_lock. */
static bool is_dead(const struct perf_event *event)
{
	return READ_ONCE(event->state) <= PERF_EVENT_STATE_EXIT && list_empty_careful(&event->child_list);
}

static void roots_sweep(bool all)
{
	struct perf_root **end = &roots, *r;

	while ((r = *end)) {
		if (!all && !is_dead(r->event)) {
			end = &r->next;
			continue;
		}
		*end = r->next;
		perf_event_release_kernel(r->event);
		kfree(r);
		n_roots--;
		cond_resched();
	}
	roots_swept = n_roots;
}

/* The event of CTX, which is that of the current task, that counts for the counter. */
static __kprobes struct perf_event *counter_in(const struct perf_event_context *ctx, u32 counter)
{
	struct perf_event *event;

	list_for_each_entry (event, &ctx->event_list, event_entry) {
		const struct kt_perf_place *of = event->overflow_handler_context;

		if (event->overflow_handler == task_event_hit && row_of(of)->counter == counter &&
		    kt_is_process(row_of(of)->pid, current))
			return event;
	}
	return NULL;
}

static bool is_in(const struct perf_event_context *ctx, const struct kt_perf_place *p)
{
	const struct perf_event *event;

	list_for_each_entry (event, &ctx->event_list, event_entry)
		if (event->overflow_handler == (p ? task_event_hit : keeper_hit) && event->overflow_handler_context == p)
			return true;
	return false;
}

/* Has TASK the event of P; without P, the keeper? */
static bool has_event(const struct task_struct *task, const struct kt_perf_place *p)
{
	bool found = false;

	rcu_read_lock();
	for (u32 i = 0; i < KT_PERF_CONTEXTS && !found; i++) {
		struct perf_event_context *ctx = kt_perf_context(task, i);
		unsigned long flags;

		if (!ctx)
			continue;
		raw_spin_lock_irqsave(&ctx->lock, flags);
		found = is_in(ctx, p);
		raw_spin_unlock_irqrestore(&ctx->lock, flags);
	}
	rcu_read_unlock();
	return found;
}

/* Is TASK one that P counts in? */
static bool is_of(const struct task_struct *task, const struct kt_perf_place *p)
{
	bool is;

	rcu_read_lock();
	is = p->program && !p->error && kt_executable_of(task) == p->program->file.inode && kt_is_target(task->tgid) &&
	     kt_is_process(row_of(p)->pid, task);
	rcu_read_unlock();
	return is;
}

/* Reports once for P that a task lacks its event. Reading a counter reports that by itself. Under roots_lock. */
static void report_missed(struct kt_perf_place *p, const struct task_struct *task, int err)
{
	if (p->reported || row_of(p)->counter || task->flags & PF_EXITING || err == -ESRCH)
		return;
	p->reported = true;
	kt_warn("probe %s does not fire in thread %d, and perhaps in others (rc %d)", p->events.place.probe->pp, task->pid, err);
}

/* Gives TASK the event of P; without P, the keeper. Returns 0 or -errno. Under roots_lock. */
static int attach_one(struct kt_perf_place *p, struct task_struct *task)
{
	struct perf_root *r = kzalloc(sizeof(*r), GFP_KERNEL);
	int err;

	if (!r)
		return -ENOMEM;
	r->event = p ? task_event_create(p, task, false) : keeper_create(task);
	if (IS_ERR(r->event)) {
		err = (int)PTR_ERR(r->event);
		kfree(r);
		return err;
	}
	/* The task may have exec'd before the event existed. */
	if (p && !is_of(task, p)) {
		perf_event_release_kernel(r->event);
		kfree(r);
		return -ESRCH;
	}
	/* The keeper, which is made first, is released last. */
	r->next = roots;
	roots = r;
	n_roots++;
	return 0;
}

/* Gives TASK the events of its program. True: it lacked one. Context: process, sleeps. */
static bool attach(struct task_struct *task)
{
	bool any = false;
	int err;

	mutex_lock(&roots_lock);
	for (u32 i = 0; i < n_thread_places; i++) {
		struct kt_perf_place *p = &thread_places[i];

		if (!is_of(task, p) || has_event(task, p))
			continue;
		any = true;
		err = has_event(task, NULL) ? 0 : attach_one(NULL, task);
		err = err ?: attach_one(p, task);
		if (err)
			report_missed(p, task, err);
	}
	if (n_roots > 2 * roots_swept + ROOTS_MIN)
		roots_sweep(false);
	mutex_unlock(&roots_lock);
	return any;
}

/* Says why the thread has no event of the counter. */
static __kprobes void tell_why(struct kt_ctx *c, u32 counter)
{
	bool of_threads = false;
	int err = 0;

	for (u32 i = 0; i < n_thread_places; i++) {
		if (!row_of(&thread_places[i])->path || row_of(&thread_places[i])->counter != counter)
			continue;
		of_threads = true;
		err = thread_places[i].error;
		if (!err)
			break;
	}
	if (err)
		kt_errorf(c, "the counter could not be opened (rc %d)", (kt_s64)err);
	else if (!of_threads)
		kt_error(c, "counters count while the session runs, not in begin and end");
	else
		kt_error(c, "the counter does not count in this thread: its program or its process is another");
}

/* Interrupts are off: the context is neither switched nor changed, as all that changes that of a running task comes by an
 * interrupt of its CPU. */
__kprobes kt_s64 kt_perf_counter(struct kt_ctx *c, kt_u32 counter)
{
	struct perf_event *event = NULL;
	struct kt_cpu_events *of_cpu = kt_perf_cpu_counter(counter);
	kt_s64 count = 0;

	if (of_cpu) {
		if (!kt_cpu_events_read(of_cpu, &count))
			kt_error(c, "the counter could not be opened on this CPU");
		return count;
	}
	for (u32 i = 0; i < KT_PERF_CONTEXTS && !event && kt_task(c) == current; i++) {
		const struct perf_event_context *ctx = kt_perf_context(current, i);

		event = ctx ? counter_in(ctx, counter) : NULL;
	}
	if (!event) {
		tell_why(c, counter);
		return 0;
	}
	return kt_perf_count(event);
}

/* ---- programs ---- */
KT_UPROBE_FILTER(start_filter)
{
	const struct perf_program *g = container_of(uc, struct perf_program, at.uc);
	const struct file *file;
	bool is;

	rcu_read_lock();
	file = rcu_dereference(mm->exe_file);
	is = file && file_inode(file) == g->file.inode;
	rcu_read_unlock();
	return is;
}

/* Context: a task that is about to run its first instruction; it may sleep. */
KT_UPROBE_HIT(start_hit)
{
	attach(current);
	return 0;
}

/* Under kt_run.lock. */
static int take_start(const struct kt_program_start *at)
{
	const struct kt_family_rows *rows = kt_rows_of(KT_FAMILY_PERF);
	const struct kt_perf_row *row = rows->rows;
	struct perf_program *g = NULL;

	if (kt_run_state() != KT_LOADED)
		return -EBUSY;
	if (at->index < rows->n && row[at->index].path)
		g = kt_file_of(&perf_programs, row[at->index].path, sizeof(*g));
	if (!g || g->start)
		return g ? -EEXIST : -ENOENT;
	g->start = fget_raw(at->fd); /* it may be found and not open (O_PATH) */
	if (!g->start)
		return -EBADF;
	g->at.inode = d_real_inode(g->start->f_path.dentry);
	g->at.offset = (loff_t)at->offset;
	return 0;
}

int kt_perf_program_starts(const struct kt_program_start *at)
{
	int err;

	mutex_lock(&kt_run.lock);
	err = take_start(at);
	mutex_unlock(&kt_run.lock);
	return err;
}

static struct perf_program *perf_program_of(const char *path)
{
	struct perf_program *g = kt_file_of(&perf_programs, path, sizeof(*g));

	if (!g || g->on || g->file.error)
		return g;
	g->at.uc.handler = start_hit;
	g->at.uc.filter = start_filter;
	g->file.error = g->start ? kt_breakpoint_set(&g->at) : -ENOEXEC;
	g->on = !g->file.error;
	return g;
}

#define for_each_program(g) \
	for (struct perf_program *g = (struct perf_program *)perf_programs; g; g = (struct perf_program *)g->file.next)

static void perf_programs_off(void)
{
	for_each_program (g) {
		if (g->on)
			kt_breakpoint_clear(&g->at);
		kt_breakpoint_mend(&g->at);
	}
	if (perf_programs)
		kt_uprobe_sync();
}

void kt_perf_programs_destroy(void)
{
	for_each_program (g)
		if (g->start)
			fput(g->start);
	kt_files_close(&perf_programs);
}

/* ---- threads that are there already ---- */
static bool is_wanted(const struct task_struct *task)
{
	for (u32 i = 0; i < n_thread_places; i++)
		if (is_of(task, &thread_places[i]) && !has_event(task, &thread_places[i]))
			return true;
	return false;
}

/* Fills TASKS, an array of N, with tasks that lack an event, and takes a reference to each. Returns their number. */
static u32 threads_lacking(struct task_struct **tasks, u32 n)
{
	struct task_struct *process, *thread;
	u32 found = 0;

	rcu_read_lock();
	for_each_process_thread (process, thread) {
		if (!is_wanted(thread))
			continue;
		if (found < n)
			tasks[found] = get_task_struct(thread);
		found++;
	}
	rcu_read_unlock();
	return found;
}

/* A thread that was passed by may have cloned others before it got its events: until none is left without. */
static int attach_all(void)
{
	for (u32 scan = 0; scan < SCANS_MAX; scan++) {
		u32 n = threads_lacking(NULL, 0);
		struct task_struct **tasks = n ? kvcalloc(n, sizeof(*tasks), GFP_KERNEL) : NULL;
		bool any = false;

		if (!n)
			return 0;
		if (!tasks)
			return -ENOMEM;
		n = min(n, threads_lacking(tasks, n));
		for (u32 i = 0; i < n; i++) {
			any |= attach(tasks[i]);
			put_task_struct(tasks[i]);
		}
		kvfree(tasks);
		if (!any)
			return 0;
	}
	return 0;
}

/* ---- arming ---- */
/* Can the event be had here? The loader's own process tries. */
static int try_event(struct kt_perf_place *p)
{
	struct perf_event *event = task_event_create(p, current, true);

	if (IS_ERR(event))
		return PTR_ERR(event);
	perf_event_release_kernel(event);
	return 0;
}

void kt_perf_tasks_disarm(void)
{
	perf_programs_off();
	mutex_lock(&roots_lock);
	roots_sweep(true);
	n_thread_places = 0;
	mutex_unlock(&roots_lock);
	kt_perf_programs_destroy();
}

int kt_perf_tasks_arm(struct kt_places *all)
{
	int err = 0;

	thread_places = all->array;
	for (u32 i = 0; i < all->n && !err; i++) {
		struct kt_perf_place *p = &thread_places[i];

		if (!row_of(p)->path)
			continue;
		p->error = try_event(p);
		p->program = perf_program_of(row_of(p)->path);
		if (!p->program)
			err = -ENOMEM;
		else if (!p->error && p->program->file.error)
			p->error = -ENXIO;
		if (p->error)
			kt_place_refused(&p->events.place, p->error);
		else
			kt_place_taken(&p->events.place);
	}
	if (err || !perf_programs)
		return err;
	mutex_lock(&roots_lock);
	n_thread_places = all->n;
	mutex_unlock(&roots_lock);
	return attach_all();
}
