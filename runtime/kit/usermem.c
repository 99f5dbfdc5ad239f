/* User memory whose page is not mapped yet: waited for where the context may sleep, else read from the page cache.
 *
 * Most handlers cannot wait for a page fault. But most of what a program has not touched yet are constants of its own file
 * or of a library, and those pages are usually in memory already. So: find the mapping of the address, and copy from the
 * file's cached page, checking afterwards that it still is that page. Mappings that ever had private pages are left
 * alone: the cache may differ from what the program sees.
 *
 * The mmap lock is only tried. Its release may wake a waiter and so needs locks of the scheduler, which the probed code
 * may hold: it is put off to an interrupt of its own.
 */
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include "runtime/kit/kit.h"

/* The lock this CPU has to release. While the work is pending it is still held, and whoever runs here may use it. */
struct unlocker {
	struct irq_work work;
	struct mm_struct *mm;
};

static struct unlocker __percpu *unlockers;

static void unlock_now(struct irq_work *work)
{
	struct mm_struct *mm = container_of(work, struct unlocker, work)->mm;

	up_read_non_owner(&mm->mmap_lock);
	mmdrop(mm);
}

int kt_usermem_create(void)
{
	int cpu;

	unlockers = alloc_percpu(struct unlocker);
	if (!unlockers)
		return -ENOMEM;
	for_each_possible_cpu (cpu)
		init_irq_work(&per_cpu_ptr(unlockers, cpu)->work, unlock_now);
	return 0;
}

/* After all handlers have ended. */
void kt_usermem_destroy(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		irq_work_sync(&per_cpu_ptr(unlockers, cpu)->work);
	free_percpu(unlockers);
}

__kprobes bool kt_mmap_hold(struct mm_struct *mm)
{
	struct unlocker *u = raw_cpu_ptr(unlockers);

	if (irq_work_is_busy(&u->work))
		return irq_work_is_pending(&u->work) && u->mm == mm;
	if (!down_read_trylock(&mm->mmap_lock))
		return false;
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_); /* for lockdep it changes hands here */
	mmgrab(mm); /* on PREEMPT_RT a thread does the work: the task may be gone by then */
	u->mm = mm;
	irq_work_queue(&u->work);
	return true;
}

/* Copies N bytes within one page of a file mapping. Needs the mmap lock. */
static __kprobes bool copy_cached(struct mm_struct *mm, void *to, u64 address, u32 n)
{
	struct vm_area_struct *vma = find_vma(mm, address);
	struct address_space *mapping;
	struct folio *folio;
	pgoff_t index;

	if (!vma || vma->vm_start > address || !vma->vm_file || vma->anon_vma ||
	    vma->vm_flags & (VM_IO | VM_PFNMAP | VM_HUGETLB))
		return false;
	mapping = vma->vm_file->f_mapping;
	index = linear_page_index(vma, address);
	folio = xa_load(&mapping->i_pages, index);
	if (!folio || xa_is_value(folio) || !folio_test_uptodate(folio))
		return false;
	/* No reference is taken: dropping it might be the last one. The page may change its owner under us, and then
	 * the second look tells; even a wrong address is only a fault that is caught. */
	if (copy_from_kernel_nofault(to, (char *)page_address(folio_file_page(folio, index)) + offset_in_page(address),
				     n))
		return false;
	smp_rmb();
	return xa_load(&mapping->i_pages, index) == folio;
}

/* The probe is in an interrupt. The memory of the task below it is no business of the interrupt's; and a probe in what
 * unlock_now() calls would queue it anew for ever. An int3 counts as NMI and interrupt itself. */
static __kprobes bool in_interrupt_proper(void)
{
	return hardirq_count() != (in_nmi() ? HARDIRQ_OFFSET : 0);
}

/* Context: a handler's. */
__kprobes bool kt_user_bytes_absent(struct kt_ctx *c, void *to, u32 n, u64 address)
{
	bool ok;

	if (!(c->flags & KT_CTX_MAY_SLEEP))
		return false;
	kt_sleep_begin(c);
	ok = !copy_from_user(to, (const void __user *)(unsigned long)address, n);
	kt_sleep_end(c);
	return ok;
}

static bool string_slowly(struct kt_ctx *c, char *to, u32 room, u64 address)
{
	long n;

	kt_sleep_begin(c);
	n = strncpy_from_user(to, (const char __user *)(unsigned long)address, room);
	kt_sleep_end(c);
	to[n < 0 ? 0 : n] = 0;
	return n >= 0;
}

/* Context: a handler's. */
__kprobes bool kt_user_string_absent(struct kt_ctx *c, char *to, u32 room, u64 address)
{
	struct mm_struct *mm = current->mm;

	if (c->flags & KT_CTX_MAY_SLEEP)
		return string_slowly(c, to, room, address);
	if (!mm || address >= TASK_SIZE_MAX || in_interrupt_proper() || !kt_mmap_hold(mm))
		return false;
	while (room > 0) {
		u32 n = min_t(u32, room, PAGE_SIZE - offset_in_page(address));

		if (copy_from_user_nofault(to, (const void __user *)(unsigned long)address, n) &&
		    !copy_cached(mm, to, address, n)) {
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
