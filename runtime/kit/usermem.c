/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User memory whose page is not mapped yet: read without a page fault.
 *
 * No handler waits for a page. It may belong to userfaultfd, FUSE or NFS and never come, and a handler of a uprobe that
 * waits holds up the end of the session and every other process that hits the probe. But most memory that a program has not
 * touched yet is constants of its file or of a library, whose pages are usually in the page cache. So: find the mapping
 * of the address, copy from the file's cached page, and check afterwards that it still is that page. Anonymous memory that
 * the program has not written to yet reads as zero.
 *
 * Mappings that ever had private pages are left alone: the cache may differ from what the program sees, and an entry that
 * is missing in the page table proves nothing, since the kernel clears entries for a moment while it replaces a page.
 *
 * The mmap lock is only tried. Its release may wake a waiter and so needs locks of the scheduler, which the probed code
 * may hold: it is put off to a separate interrupt, except where the probed code is a program's. Lockdep sees the lock in
 * kt_find_mapping() only, since the release may happen in another task.
 */
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include <linux/pagemap.h>
#include <linux/ptrace.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/userfaultfd_k.h>
#include <linux/xarray.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"

static const char page_absent[] = ": the page is absent";

enum {
	AT_ONCE_NS = 200000,
	REST_NS = 20000,
	STREAK_MAX = 16,
};

static void unlock(struct kt_unlocker *u)
{
	struct mm_struct *mm = u->mm;

	u->ended = ktime_get_mono_fast_ns();
	up_read_non_owner(&mm->mmap_lock);
	mmdrop(mm);
	smp_store_release(&u->mm, NULL);
}

static void unlock_on_cpu(struct irq_work *work)
{
	unlock(container_of(work, struct kt_unlocker, on_cpu));
}

static void unlock_anywhere(struct kt_deferred *d)
{
	unlock(container_of(d, struct kt_unlocker, anywhere));
}

void kt_unlocker_create(struct kt_cpu *k)
{
	k->unlocker.on_cpu.func = unlock_on_cpu;
	kt_deferred_init(&k->unlocker.anywhere, unlock_anywhere);
}

void kt_unlocker_finish(struct kt_cpu *k)
{
	irq_work_sync(&k->unlocker.on_cpu);
	kt_deferred_finish(&k->unlocker.anywhere);
}

/* While the work is pending the lock is held, and whoever runs on the CPU may use it. */
static __kprobes bool is_pending(struct kt_unlocker *u)
{
	return irq_work_is_pending(&u->on_cpu) || irq_work_is_pending(&u->anywhere.irq);
}

/* Queues the release. A real-time task would starve the thread of unlock_on_cpu(), which has the lowest real-time priority. */
static __kprobes void unlock_later(struct kt_unlocker *u)
{
	if (KT_DEFERS_TO_THREAD && current->prio < MAX_RT_PRIO)
		kt_defer(&u->anywhere);
	else
		irq_work_queue(&u->on_cpu);
}

/* Were interrupts on in the probed code? */
static __kprobes bool irqs_were_on(const struct kt_ctx *c)
{
	if (c->flags & KT_CTX_BREAKPOINT && c->regs)
		return kt_arch_irqs_on(c->regs);
	return !raw_irqs_disabled_flags(kt_level_of(c)->irqs_below);
}

/* Where the way out of unlock_on_cpu()'s interrupt hits the probe again, that interrupt would follow itself for ever, and what it
 * interrupted would not go on. Such hits come with interrupts off, at one depth of the stack, at once after the interrupt, and the task has not
 * slept: after STREAK_MAX of them nobody gets the lock for a moment. */
static __kprobes bool follows_itself(const struct kt_ctx *c, struct kt_unlocker *u)
{
	unsigned long sp = kt_level_of(c)->below.sp;
	unsigned long switches = current->nvcsw + current->nivcsw;
	u64 now = ktime_get_mono_fast_ns();

	if (now - u->rested < REST_NS)
		return true;
	if (sp != u->sp || switches != u->switches || now - u->ended > AT_ONCE_NS || c->flags & KT_CTX_CLOCK || irqs_were_on(c))
		u->streak = 0;
	u->sp = sp;
	u->switches = switches;
	if (++u->streak <= STREAK_MAX)
		return false;
	u->streak = 0;
	u->rested = now;
	return true;
}

static __kprobes bool lock_try(struct mm_struct *mm)
{
	if (!down_read_trylock(&mm->mmap_lock))
		return false;
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	return true;
}

__kprobes bool kt_mmap_hold(const struct kt_ctx *c, struct mm_struct *mm)
{
	struct kt_unlocker *u = &raw_cpu_ptr(kt_cpus)->unlocker;
	struct mm_struct *held = smp_load_acquire(&u->mm);

	if (c->flags & KT_CTX_TASK) {
		if (!u->task_mm && lock_try(mm))
			u->task_mm = mm;
		return u->task_mm;
	}
	if (held)
		return held == mm && is_pending(u);
	if (!kt_irq_work_runs() || follows_itself(c, u) || !lock_try(mm))
		return false;
	WRITE_ONCE(u->mm, mm);
	if (unlikely(is_pending(u))) {
		/* A handler in an NMI came since the first look: it holds the lock, too, so this wakes nobody. */
		up_read_non_owner(&mm->mmap_lock);
		return true;
	}
	mmgrab(mm); /* on PREEMPT_RT a thread does the work: the task may be gone by then */
	unlock_later(u);
	return true;
}

void kt_mmap_release(void)
{
	struct kt_unlocker *u = &raw_cpu_ptr(kt_cpus)->unlocker;
	struct mm_struct *mm = u->task_mm;

	u->task_mm = NULL;
	if (unlikely(mm))
		up_read_non_owner(&mm->mmap_lock);
}

__kprobes struct vm_area_struct *kt_next_mapping(struct mm_struct *mm, unsigned long address)
{
	struct vm_area_struct *vma;

	rwsem_acquire_read(&mm->mmap_lock.dep_map, 0, 1, _RET_IP_);
	vma = find_vma(mm, address);
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	return vma;
}

__kprobes struct vm_area_struct *kt_find_mapping(struct mm_struct *mm, unsigned long address)
{
	struct vm_area_struct *vma = kt_next_mapping(mm, address);

	return vma && vma->vm_start <= address ? vma : NULL;
}

/* Copies N bytes within one page of the file that VMA maps. Needs the mmap lock. */
static __kprobes bool copy_cached(const struct vm_area_struct *vma, void *to, unsigned long address, u32 n)
{
	struct address_space *mapping = vma->vm_file->f_mapping;
	pgoff_t index = vma->vm_pgoff + ((address - vma->vm_start) >> PAGE_SHIFT);
	void *entry = xa_load(&mapping->i_pages, index);
	struct page *page = !entry || xa_is_value(entry) ? NULL : kt_cached_page(entry, index);

	if (!page)
		return false;
	/* No reference is taken: dropping it might be the last one. The page may change its owner under us, and then
	 * the second look shows it; even a wrong address is only a fault that is caught. */
	if (copy_from_kernel_nofault(to, (char *)page_address(page) + offset_in_page(address), n))
		return false;
	smp_rmb();
	return xa_load(&mapping->i_pages, index) == entry;
}

/* Copies N bytes within one page that the program has not touched yet. Returns NULL, or why they cannot be read. Needs the
 * mmap lock. */
static __kprobes const char *copy_untouched(struct mm_struct *mm, void *to, unsigned long address, u32 n)
{
	struct vm_area_struct *vma = kt_find_mapping(mm, address);

	if (!vma || !vma_is_accessible(vma))
		return "";
	if (vma->anon_vma || vma->vm_flags & (VM_IO | VM_PFNMAP | VM_HUGETLB) || userfaultfd_armed(vma))
		return page_absent;
	if (!vma_is_anonymous(vma))
		return vma->vm_file && copy_cached(vma, to, address, n) ? NULL : page_absent;
	memset(to, 0, n);
	return NULL;
}

/* The probe is in an interrupt. The memory of the task below it is no business of the interrupt's; and a probe in what
 * unlock_now() calls would queue it again for ever. An int3 counts as NMI and interrupt itself. */
static __kprobes bool in_interrupt_proper(void)
{
	return hardirq_count() != (in_nmi() ? HARDIRQ_OFFSET : 0);
}

/* Notes in C why the address cannot be read. */
static __kprobes bool absent_because(struct kt_ctx *c, const char *cause)
{
	kt_level_of(c)->absent_cause = cause;
	return false;
}

__kprobes const char *kt_absent_cause(const struct kt_ctx *c)
{
	return kt_level_of(c)->absent_cause;
}

/* Prepares for read_piece() at ADDRESS. */
static __kprobes bool may_look(struct kt_ctx *c, u64 address)
{
	struct mm_struct *mm = current->mm;

	if (!mm || address >= TASK_SIZE_MAX || in_interrupt_proper())
		return absent_because(c, "");
	return kt_mmap_hold(c, mm) || absent_because(c, ": its mapping is being changed");
}

/* Reads N bytes within one page. */
static __kprobes bool read_piece(struct kt_ctx *c, void *to, u64 address, u32 n)
{
	const char *cause;

	if (!copy_from_user_nofault(to, (const void __user *)(unsigned long)address, n))
		return true;
	cause = address < TASK_SIZE_MAX ? copy_untouched(current->mm, to, (unsigned long)address, n) : "";
	return !cause || absent_because(c, cause);
}

static __kprobes u32 piece_at(u64 address, u32 n)
{
	return min_t(u32, n, PAGE_SIZE - offset_in_page(address));
}

__kprobes bool kt_user_bytes_absent(struct kt_ctx *c, void *to, u32 n, u64 address)
{
	if (!may_look(c, address))
		return false;
	for (u32 piece; n > 0; n -= piece, to += piece, address += piece) {
		piece = piece_at(address, n);
		if (!read_piece(c, to, address, piece))
			return false;
	}
	return true;
}

__kprobes bool kt_user_string_absent(struct kt_ctx *c, char *to, u32 room, u64 address)
{
	if (!may_look(c, address))
		return false;
	while (room > 0) {
		u32 n = piece_at(address, room);

		if (!read_piece(c, to, address, n)) {
			to[0] = 0;
			return false;
		}
		address += n;
		room -= n;
		for (; n > 0; n--)
			if (!*to++)
				return true;
	}
	*to = 0;
	return true;
}
