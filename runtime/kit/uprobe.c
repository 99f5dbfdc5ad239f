/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes in the code of programs and libraries, by the kernel's uprobes.
 *
 * A place belongs to a file, not to a process: it is registered once, and the kernel puts the breakpoint into every process
 * that maps the file, now or later. With a target or a PID the filter keeps it out of all others' memory.
 *
 * Values of the entry are kept by task and stack pointer, which name a call: a call that is left by longjmp() or a thread
 * that dies leaves its entry behind, and the oldest entries are replaced.
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

#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"
#include "runtime/kit/services.h"

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
/* A call that has not returned. */
struct call {
	struct hlist_node node;
	struct list_head age;
	struct uplace *place;
	const struct task_struct *task;
	unsigned long sp;
	struct kt_saved saved; /* last: its slots follow */
};

static struct hlist_head calls[1 << CALL_BUCKETS_LOG];
static LIST_HEAD(calls_by_age);
static u32 n_calls;
static DEFINE_SPINLOCK(calls_lock);

static struct hlist_head *bucket_of(const struct uplace *p, unsigned long sp)
{
	return &calls[hash_long((unsigned long)current ^ (unsigned long)p ^ sp << 3, CALL_BUCKETS_LOG)];
}

/* Out of the table, under calls_lock. */
static void call_unlink(struct call *call)
{
	hlist_del(&call->node);
	list_del(&call->age);
	n_calls--;
}

/* The current task's call of the function at P whose stack pointer at the entry was SP: taken out, NULL: none. */
static struct call *call_take(const struct uplace *p, unsigned long sp)
{
	struct call *call, *found = NULL;

	spin_lock(&calls_lock);
	hlist_for_each_entry (call, bucket_of(p, sp), node)
		if (call->place == p && call->task == current && call->sp == sp) {
			call_unlink(call);
			found = call;
			break;
		}
	spin_unlock(&calls_lock);
	return found;
}

static void call_keep(struct call *call)
{
	struct call *oldest = NULL;

	spin_lock(&calls_lock);
	if (n_calls == CALLS_MAX) {
		oldest = list_first_entry(&calls_by_age, struct call, age);
		call_unlink(oldest);
		kt_lose(oldest->place->place.probe, KT_LOSS_CALL);
	}
	hlist_add_head(&call->node, bucket_of(call->place, call->sp));
	list_add_tail(&call->age, &calls_by_age);
	n_calls++;
	spin_unlock(&calls_lock);
	kfree(oldest);
}

static void calls_drop(void)
{
	struct call *call, *next;

	list_for_each_entry_safe (call, next, &calls_by_age, age) {
		call_unlink(call);
		kfree(call);
	}
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

KT_UPROBE_HIT(hit_entry)
{
	struct uplace *p = container_of(uc, struct uplace, at.uc);
	struct call *call;

	if (!wanted(p) || !user_was_called(p, regs))
		return 0;
	/* One of the same stack pointer was left without a return. */
	kfree(call_take(p, user_stack_pointer(regs)));
	call = kzalloc(struct_size(call, saved.slot, p->row->entry_slots), GFP_NOWAIT | __GFP_NOWARN);
	if (!call) {
		kt_lose(p->place.probe, KT_LOSS_CALL);
		return 0;
	}
	call->place = p;
	call->task = current;
	call->sp = user_stack_pointer(regs);
	if (p->entry)
		handle_user(p->entry, regs, 0, &call->saved, instruction_pointer(regs) - (unsigned long)p->row->address);
	/* A call whose entry handler was skipped has no return handler either: it would print zeroes. */
	if (!p->entry || call->saved.set[0])
		call_keep(call);
	else
		kfree(call);
	return 0;
}

KT_UPROBE_RETURNED(returned_user)
{
	const struct uplace *p = container_of(uc, struct uplace, at.uc);
	u64 bias = func - (unsigned long)p->row->address;
	unsigned long highest, lowest;
	struct call *call = NULL;

	if (!wanted(p))
		return 0;
	if (!p->entry && !p->row->calls) {
		handle_user(p->place.probe, regs, KT_CTX_RETURN, NULL, bias);
		return 0;
	}
	/* By distance: a program can return with any stack pointer, 0 too. */
	highest = kt_arch_entry_stack(regs, &lowest);
	for (unsigned long down = 0; !call && down <= highest - lowest; down += sizeof(u32))
		call = call_take(p, highest - down);
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
	if (row->kind == KT_UPROBE_AT)
		p->at.uc.handler = hit_user;
	else
		p->at.uc.ret_handler = returned_user;
	if (p->entry || (row->calls && row->kind == KT_UPROBE_RETURN))
		p->at.uc.handler = hit_entry;
	if (kt_run.target || row->pid)
		p->at.uc.filter = filter;
}

static int uprobe_prepare(struct kt_places *all)
{
	for (u32 i = 0; i < all->n && kt_run_starts(); i++) {
		struct uplace *p = KT_PLACE_AS(struct uplace, kt_place_at(all, i));

		uplace_prepare(p);
		p->program = kt_file_of(&programs, p->row->path, sizeof(*p->program));
		if (!p->program)
			return -ENOMEM;
		cond_resched();
	}
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
