/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes in the code of programs and libraries, by the kernel's uprobes.
 *
 * A place belongs to a file, not to a process: it is registered once, and the kernel puts the breakpoint into every process
 * that maps the file, now or later. With a target or a PID the filter keeps it out of all others' memory.
 *
 * Returns are hits of the instructions that return; where the script's compiler did not find all of them, the kernel replaces the
 * return address. A return's handler sees the registers as they are after the return in both cases.
 *
 * What is kept of a call is found by the process, the stack pointer and the return address, which name a call whichever thread or
 * coroutine ends it. A call that is left by longjmp() or an exception leaves its entry behind, which the next call of the same stack pointer
 * replaces, as the oldest entries are when they become too many. A forked child has copies of its parent's.
 *
 * The callbacks run in the task and could sleep, but what they wait for must be bounded. While one waits, the probe cannot
 * be unregistered, and on kernels before v6.12 every other process that hits the probe waits behind the unregistration. So
 * no page fault is taken, no memory is reclaimed, and no lock of the program's is waited for longer than a moment.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"
#include "runtime/kit/services.h"
#include "runtime/kit/user-stack.h"

enum { CALL_BUCKETS_LOG = 10, CALLS_MAX = 1 << 16, CODE_MAX = 8 };

struct uplace {
	struct kt_place place;
	struct kt_breakpoint at;
	const struct kt_uprobe_row *row;
	const struct kt_probe *entry; /* return probes: what fills struct kt_saved, or NULL */
	struct kt_file *program;
};

static struct kt_file *programs;

/* ---- values of the entry ---- */
/* Which call of a function it is, in which process: two calls that are open at once differ. */
struct frame {
	const struct mm_struct *mm;
	pid_t tgid;
	unsigned long stack;   /* Go: the goroutine; else 0 */
	unsigned long sp;      /* at the entry; Go: bytes below the start of the stack, which stay when it moves */
};

/* A call that has not returned. */
struct call {
	struct hlist_node node;
	struct list_head age;
	const struct kt_probe *probe; /* of the return */
	struct frame frame;
	u64 returns_to;        /* 0: unknown */
	bool jumps;            /* just now, to its start or to another function; its return is that of the call there */
	u32 slots;
	struct kt_saved saved; /* last: its slots follow */
};

static struct hlist_head calls[1 << CALL_BUCKETS_LOG];
static LIST_HEAD(calls_by_age);
static u32 n_calls;
/* Raw, as calls_forked() must not sleep. Memory is neither allocated nor freed under it. */
static DEFINE_RAW_SPINLOCK(calls_lock);

/* Calls that are not in use, for calls_forked(), which cannot allocate on PREEMPT_RT. Linked by age, under calls_lock. */
static LIST_HEAD(spares);
static u32 n_spares;
static size_t call_size; /* of a call with the most slots of any row */

static struct hlist_head *bucket_of(const struct kt_probe *probe, const struct frame *f)
{
	return &calls[hash_long((unsigned long)f->mm ^ (unsigned long)probe ^ f->stack ^ f->sp << 3, CALL_BUCKETS_LOG)];
}

/* Sets F to the current task's frame of a function of P whose stack pointer at the entry was SP. False: memory of a goroutine is not there. */
static bool frame_of(const struct uplace *p, const struct pt_regs *regs, unsigned long sp, struct frame *f)
{
	enum { STACK_START = 8 }; /* of struct runtime.g, whose first member is `stack`, with members lo and hi */
	unsigned long start;

	*f = (struct frame){ .mm = current->mm, .tgid = current->tgid, .sp = sp };
	if (!p->row->stack_moves)
		return true;
	f->stack = kt_arch_goroutine(regs);
	if (copy_from_user_nofault(&start, (const void __user *)(f->stack + STACK_START), sizeof(start)))
		return false;
	f->sp = start - sp;
	return true;
}

/* Out of the table, under calls_lock. */
static void call_unlink(struct call *call)
{
	hlist_del(&call->node);
	list_del(&call->age);
	WRITE_ONCE(n_calls, n_calls - 1);
}

/* The newest call F of PROBE's function, one that returns to RETURNS_TO where both addresses are known. NULL: none is kept. Under
 * calls_lock. */
static struct call *call_find(const struct kt_probe *probe, const struct frame *f, u64 returns_to)
{
	struct call *call;

	hlist_for_each_entry (call, bucket_of(probe, f), node)
		if (call->probe == probe && call->frame.mm == f->mm && call->frame.tgid == f->tgid && call->frame.stack == f->stack &&
		    call->frame.sp == f->sp && (!returns_to || !call->returns_to || call->returns_to == returns_to))
			return call;
	return NULL;
}

/* Takes that call out. NULL: none is kept. */
static struct call *call_take(const struct kt_probe *probe, const struct frame *f, u64 returns_to)
{
	struct call *call;

	raw_spin_lock(&calls_lock);
	call = call_find(probe, f, returns_to);
	if (call)
		call_unlink(call);
	raw_spin_unlock(&calls_lock);
	return call;
}

/* Marks the call F of PROBE's function. */
static void call_jumps(const struct kt_probe *probe, const struct frame *f)
{
	struct call *call;

	raw_spin_lock(&calls_lock);
	call = call_find(probe, f, 0);
	if (call)
		call->jumps = true;
	raw_spin_unlock(&calls_lock);
}

/* A function starts at the frame F. Drops the calls of PROBE's function of that frame, which were left without a return, unless the newest
 * one has just jumped there. */
static void calls_left(const struct kt_probe *probe, const struct frame *f)
{
	struct call *call;

	do {
		raw_spin_lock(&calls_lock);
		call = call_find(probe, f, 0);
		if (call && call->jumps) {
			call->jumps = false;
			call = NULL;
		}
		if (call)
			call_unlink(call);
		raw_spin_unlock(&calls_lock);
		kfree(call);
	} while (call);
}

/* Puts the call into the table, under calls_lock. */
static void call_link(struct call *call)
{
	hlist_add_head(&call->node, bucket_of(call->probe, &call->frame));
	list_add_tail(&call->age, &calls_by_age);
	WRITE_ONCE(n_calls, n_calls + 1);
}

static void call_keep(struct call *call)
{
	struct call *oldest = NULL;

	raw_spin_lock(&calls_lock);
	if (n_calls == CALLS_MAX) {
		oldest = list_first_entry(&calls_by_age, struct call, age);
		call_unlink(oldest);
		kt_lose(oldest->probe, KT_LOSS_CALL);
	}
	call_link(call);
	raw_spin_unlock(&calls_lock);
	kfree(oldest);
}

/* ---- calls of forked processes ---- */
/* How many spares there should be on PREEMPT_RT: one for each call, so that the calls of any process can be copied. Elsewhere a fork
 * allocates as many as the parent has calls. */
static u32 spares_wanted(void)
{
	enum { SPARES_MIN = 256 };

	return IS_ENABLED(CONFIG_PREEMPT_RT) ? max_t(u32, READ_ONCE(n_calls), SPARES_MIN) : 0;
}

/* Makes spares until there are WANTED, or no memory is free to GFP. */
static void spares_fill(u32 wanted, gfp_t gfp)
{
	struct call *call;

	while (READ_ONCE(n_spares) < wanted) {
		call = kmalloc(call_size, gfp | __GFP_NOWARN);
		if (!call)
			return;
		raw_spin_lock(&calls_lock);
		list_add(&call->age, &spares);
		WRITE_ONCE(n_spares, n_spares + 1);
		raw_spin_unlock(&calls_lock);
	}
}

static void spares_refill(struct work_struct *work)
{
	spares_fill(spares_wanted(), GFP_KERNEL);
}

static DECLARE_WORK(spares_work, spares_refill);

/* How many calls the process of MM has. */
static u32 calls_of(const struct mm_struct *mm)
{
	const struct call *call;
	u32 n = 0;

	raw_spin_lock(&calls_lock);
	list_for_each_entry (call, &calls_by_age, age)
		n += call->frame.mm == mm;
	raw_spin_unlock(&calls_lock);
	return n;
}

/* Makes a spare the copy of CALL for CHILD. Under calls_lock. */
static void call_copy(const struct call *call, const struct task_struct *child)
{
	struct call *copy = n_calls < CALLS_MAX ? list_first_entry_or_null(&spares, struct call, age) : NULL;

	if (!copy) {
		kt_lose(call->probe, KT_LOSS_CALL);
		return;
	}
	list_del(&copy->age);
	WRITE_ONCE(n_spares, n_spares - 1);
	memcpy(copy, call, struct_size(call, saved.slot, call->slots));
	copy->frame.mm = child->mm;
	copy->frame.tgid = child->tgid;
	call_link(copy);
}

/* Gives CHILD, a process that has just been forked, copies of its parent's calls, which it returns from too. Context: sched_process_fork,
 * preemption off. */
static void calls_forked(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct call *call, *last;
	u32 n;

	if (!child->mm || child->mm == parent->mm || !READ_ONCE(n_calls))
		return;
	n = calls_of(parent->mm);
	if (!n)
		return;
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		spares_fill(n, GFP_ATOMIC);
	raw_spin_lock(&calls_lock);
	last = n_calls ? list_last_entry(&calls_by_age, struct call, age) : NULL;
	list_for_each_entry (call, &calls_by_age, age) {
		if (call->frame.mm == parent->mm)
			call_copy(call, child);
		if (call == last)
			break;
	}
	raw_spin_unlock(&calls_lock);
	if (READ_ONCE(n_spares) < spares_wanted())
		kt_queue_unbound(&spares_work);
}

static struct kt_listener forks = { "sched_process_fork", (void *)calls_forked };

static void calls_drop(void)
{
	struct call *call, *next;

	list_for_each_entry_safe (call, next, &calls_by_age, age) {
		call_unlink(call);
		kfree(call);
	}
	cancel_work_sync(&spares_work);
	list_for_each_entry_safe (call, next, &spares, age)
		kfree(call);
	INIT_LIST_HEAD(&spares);
	n_spares = 0;
}

/* ---- hits ---- */
static bool wanted(const struct uplace *p)
{
	return kt_is_target(current->tgid) && kt_is_process(p->row->pid, current);
}

/* May the breakpoint stand in MM? The hit decides where this cannot. */
KT_UPROBE_FILTER(filter)
{
	const struct uplace *p = container_of(uc, struct uplace, at.uc);
	const struct task_struct *owner;
	bool ok;

	rcu_read_lock();
	owner = kt_mm_owner(mm);
	ok = !owner || (kt_is_target(owner->tgid) && kt_is_process(p->row->pid, owner));
	rcu_read_unlock();
	return ok;
}

static bool user_return_address(struct pt_regs *regs, u64 *ret)
{
	unsigned long at = kt_arch_user_return_at(regs);

	if (at) {
		*ret = 0;
		return !copy_from_user_nofault(ret, (const void __user *)at, kt_arch_is_64bit(regs) ? 8 : 4);
	}
	*ret = kt_arch_return_address(regs);
	return true;
}

/* Returns whether the calls that the row asks for have led to the hit; counts the hit as missed if that cannot be known.
 * At the entry of a function the top of the stack holds the last of them, tables find those before. */
static bool user_was_called(struct uplace *p, struct pt_regs *regs)
{
	u64 bias = instruction_pointer(regs) - (unsigned long)p->row->address, to;
	const struct kt_kprobe_call *c = p->row->calls;
	bool known = false;
	int matches;

	if (!c)
		return true;
	if (p->row->at_entry) {
		if (!user_return_address(regs, &to)) {
			kt_lose(p->place.probe, KT_LOSS_CALL);
			return false;
		}
		for (; c->address; c++)
			known |= c->address + bias == to;
		if (!known || !c[1].address)
			return known;
	}
	matches = kt_user_stack_matches(regs, p->row->calls, bias);
	if (matches < 0)
		kt_lose(p->place.probe, KT_LOSS_CALL);
	return matches > 0;
}

/* Runs PROBE's handler while the session runs. BIAS: see kt_ctx.user_bias. */
static void handle_user(const struct kt_probe *probe, const struct pt_regs *regs, u32 flags, void *instance, u64 bias)
{
	preempt_disable();
	kt_handle_task(probe, regs, KT_CTX_USER_REGS | KT_CTX_TASK | flags, instance, NULL, &bias);
	kt_mmap_release();
	preempt_enable();
}

/* Context: a task on its way back to the program. */
KT_UPROBE_HIT(hit_user)
{
	struct uplace *p = container_of(uc, struct uplace, at.uc);

	if (wanted(p) && user_was_called(p, regs))
		handle_user(p->place.probe, regs, 0, NULL, instruction_pointer(regs) - (unsigned long)p->row->address);
	return 0;
}

/* The return address of the function whose entry or return instruction REGS are at, as it was before another return probe replaced it;
 * 0: unknown. */
static u64 returns_to(struct pt_regs *regs)
{
	enum { REPLACED_MAX = 64 };
	u64 to;

	if (!user_return_address(regs, &to))
		return 0;
	return unlikely(kt_uprobe_returns_replaced()) ? kt_uprobe_replaced(user_stack_pointer(regs), to, REPLACED_MAX) : to;
}

KT_UPROBE_HIT(hit_entry)
{
	struct uplace *p = container_of(uc, struct uplace, at.uc);
	struct frame frame;
	struct call *call;

	if (!wanted(p) || !user_was_called(p, regs))
		return 0;
	call = kzalloc(struct_size(call, saved.slot, p->row->entry_slots), GFP_NOWAIT | __GFP_NOWARN);
	if (!call || !frame_of(p, regs, user_stack_pointer(regs), &frame)) {
		kt_lose(p->place.probe, KT_LOSS_CALL);
		kfree(call);
		return 0;
	}
	calls_left(p->place.probe, &frame);
	call->probe = p->place.probe;
	call->frame = frame;
	call->returns_to = returns_to(regs);
	call->slots = p->row->entry_slots;
	if (p->entry)
		handle_user(p->entry, regs, 0, &call->saved, instruction_pointer(regs) - (unsigned long)p->row->address);
	/* A call whose entry handler was skipped has no return handler either: it would print zeroes. */
	if (!p->entry || call->saved.set[0])
		call_keep(call);
	else
		kfree(call);
	spares_fill(spares_wanted(), GFP_NOWAIT);
	return 0;
}

/* A jump to the start of a function. */
KT_UPROBE_HIT(hit_jump)
{
	const struct uplace *p = container_of(uc, struct uplace, at.uc);
	struct frame frame;

	if (wanted(p) && kt_arch_user_jumps(regs, p->row->condition) && frame_of(p, regs, user_stack_pointer(regs), &frame))
		call_jumps(p->place.probe, &frame);
	return 0;
}

KT_UPROBE_HIT(hit_reached)
{
	const struct uplace *p = container_of(uc, struct uplace, at.uc);
	struct frame frame;

	if (wanted(p) && frame_of(p, regs, user_stack_pointer(regs), &frame))
		calls_left(p->place.probe, &frame);
	return 0;
}

/* Runs the handler of P for the return of CALL (NULL: none was kept), as if the instruction had been executed. */
static void handle_return(const struct uplace *p, struct pt_regs *regs, u64 to, struct call *call)
{
	unsigned long ip = instruction_pointer(regs), sp = user_stack_pointer(regs);

	if (to)
		kt_arch_user_return(regs, to, p->row->pops);
	handle_user(p->place.probe, regs, KT_CTX_RETURN, call ? &call->saved : NULL, ip - (unsigned long)p->row->address);
	kt_arch_set_user_place(regs, ip, sp);
}

/* A return instruction. It ends the calls within the call, too. */
KT_UPROBE_HIT(hit_return)
{
	const struct uplace *p = container_of(uc, struct uplace, at.uc);
	struct call *call = NULL;
	struct frame frame;
	u64 to;

	if (!wanted(p))
		return 0;
	to = returns_to(regs);
	if (p->row->call != KT_UPROBE_CALL_NONE && frame_of(p, regs, user_stack_pointer(regs), &frame))
		call = call_take(p->place.probe, &frame, to);
	if (!call && p->row->call != KT_UPROBE_CALL_NEEDED)
		handle_return(p, regs, to, NULL);
	while (call) {
		handle_return(p, regs, to, call);
		kfree(call);
		call = call_take(p->place.probe, &frame, to);
	}
	return 0;
}

KT_UPROBE_RETURNED(returned_user)
{
	const struct uplace *p = container_of(uc, struct uplace, at.uc);
	u64 bias = func - (unsigned long)p->row->address;
	unsigned long highest, lowest;
	struct call *call = NULL;
	struct frame frame;

	if (!wanted(p))
		return 0;
	if (!p->entry && !p->row->calls) {
		handle_user(p->place.probe, regs, KT_CTX_RETURN, NULL, bias);
		return 0;
	}
	/* By distance: a program can return with any stack pointer, 0 too. */
	highest = kt_arch_entry_stack(regs, &lowest);
	for (unsigned long down = 0; !call && down <= highest - lowest; down += sizeof(u32))
		if (frame_of(p, regs, highest - down, &frame))
			call = call_take(p->place.probe, &frame, 0);
	if (call)
		handle_user(p->place.probe, regs, KT_CTX_RETURN, &call->saved, bias);
	kfree(call);
	return 0;
}

/* ---- files ---- */
/* Does the file hold what it held when the script was compiled? A breakpoint in the middle of an instruction would change
 * what the program does. */
static int check_code(const struct kt_file *g, const struct kt_uprobe_row *row)
{
	u64 code = 0;
	u32 n = min_t(u32, row->code_size, CODE_MAX);
	loff_t at = (loff_t)row->offset;
	struct file *file;
	ssize_t got;

	if (!d_is_reg(g->path.dentry))
		return -EINVAL;
	file = dentry_open(&g->path, O_RDONLY | O_LARGEFILE, current_cred());
	if (IS_ERR(file))
		return PTR_ERR(file);
	got = kernel_read(file, &code, n, &at);
	fput(file);
	if (got < 0)
		return (int)got;
	return got == n && code == row->code ? 0 : -ESTALE;
}

/* ---- places ---- */
static bool unregistered; /* a place, since the last kt_uprobe_sync() */

static void uplace_prepare(struct uplace *p)
{
	const struct kt_uprobe_row *row = p->place.row;

	p->row = row;
	p->at.offset = (loff_t)row->offset;
	p->at.semaphore = (loff_t)row->semaphore;
	p->entry = row->entry_slots ? &kt_script.probes[row->entry_probe] : NULL;
	switch ((enum kt_uprobe_kind)row->kind) {
	case KT_UPROBE_AT:
		p->at.uc.handler = hit_user;
		break;
	case KT_UPROBE_RETURN:
		p->at.uc.ret_handler = returned_user;
		if (p->entry || row->calls)
			p->at.uc.handler = hit_entry;
		break;
	case KT_UPROBE_ENTRY:
		p->at.uc.handler = hit_entry;
		break;
	case KT_UPROBE_END:
		p->at.uc.handler = hit_return;
		break;
	case KT_UPROBE_JUMP:
		p->at.uc.handler = hit_jump;
		break;
	case KT_UPROBE_REACHED:
		p->at.uc.handler = hit_reached;
		break;
	}
	if (kt_run.target || row->pid)
		p->at.uc.filter = filter;
}

static int uprobe_prepare(struct kt_places *all)
{
	bool keeps = false;

	for (u32 i = 0; i < all->n && kt_run_starts(); i++) {
		struct uplace *p = KT_PLACE_AS(struct uplace, kt_place_at(all, i));

		uplace_prepare(p);
		keeps |= p->at.uc.handler == hit_entry;
		call_size = max(call_size, sizeof(struct call) + p->row->entry_slots * sizeof(s64));
		p->program = kt_file_of(&programs, p->row->path, sizeof(*p->program));
		if (!p->program)
			return -ENOMEM;
		cond_resched();
	}
	if (!keeps)
		return 0;
	spares_fill(spares_wanted(), GFP_KERNEL);
	/* A kernel without tracepoints: children return from calls of their parents unseen. */
	kt_listen(&forks);
	return 0;
}

static int uprobe_find(struct kt_place *p, const struct module *mod)
{
	struct uplace *u = KT_PLACE_AS(struct uplace, p);
	struct kt_file *g = u->program;
	int err = g->error;

	if (err)
		return err;
	/* On an overlay, the inode of the layer that has the data. A copy-up changes the layer; the overlay holds the old inode, too. */
	u->at.inode = d_real_inode(g->path.dentry);
	err = check_code(g, u->row);
	if (err == -ESTALE)
		g->error = err;
	return err;
}

/* A consumer that was just unregistered may still be in use: kt_uprobe_sync() waits before it is registered again. */
static int uprobe_attach(struct kt_place *p)
{
	if (unregistered)
		kt_uprobe_sync();
	unregistered = false;
	return kt_breakpoint_set(&KT_PLACE_AS(struct uplace, p)->at);
}

static int uprobe_detach(struct kt_place *p)
{
	kt_breakpoint_clear(&KT_PLACE_AS(struct uplace, p)->at);
	unregistered = true;
	return 0;
}

static void uprobe_finish(struct kt_places *all)
{
	for (u32 i = 0; i < all->n; i++)
		kt_breakpoint_mend(&KT_PLACE_AS(struct uplace, kt_place_at(all, i))->at);
	kt_uprobe_sync();
	kt_listen_no_more(&forks, 1);
	calls_drop();
	kt_files_close(&programs);
}

const struct kt_family_ops kt_uprobe_family = {
	.size = sizeof(struct uplace),
	.row_size = sizeof(struct kt_uprobe_row),
	.prepare = uprobe_prepare,
	.find = uprobe_find,
	.attach = uprobe_attach,
	.detach = uprobe_detach,
	.finish = uprobe_finish,
};
