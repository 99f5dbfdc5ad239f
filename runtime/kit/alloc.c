/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the core's arrays and aggregates, allocated before probes are armed.
 *
 * A script may want more than there is. The module is refused then, before it makes the kernel reclaim for minutes or kill programs: a
 * part of the memory stays free, and an allocation fails rather than wait for the OOM killer.
 */
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/numa.h>
#include <linux/percpu.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "runtime/kit/memory.h"

enum { RESERVE_SHARE = 16, RESERVE_MAX = 256 << 20 }; /* of the memory; bytes */

bool kt_memory_for(u64 size)
{
	u64 reserve = min_t(u64, totalram_pages() / RESERVE_SHARE, RESERVE_MAX >> PAGE_SHIFT);

	return (size >> PAGE_SHIFT) + reserve < (u64)max(si_mem_available(), 0L);
}

/* Returns N zeroed pages of NODE, to be freed by vfree(), or NULL. vmalloc_node() would not fail: it takes no flags. */
static void *pages_alloc(u32 n, int node)
{
	const gfp_t flags = GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL;
	struct page **pages = __vmalloc(array_size(n, sizeof(*pages)), flags);
	void *p = NULL;
	u32 have;

	for (have = 0; pages && have < n; have++) {
		pages[have] = alloc_pages_node(node, flags | __GFP_ZERO, 0);
		if (!pages[have])
			break;
		if (!(have % 1024))
			cond_resched();
	}
	if (pages && have == n)
		p = vmap(pages, n, VM_MAP | VM_MAP_PUT_PAGES, PAGE_KERNEL);
	if (p || !pages)
		return p;
	while (have > 0)
		__free_page(pages[--have]);
	vfree(pages);
	return NULL;
}

/* Context: process, sleeps. */
void *kt_alloc(kt_u64 size, int cpu)
{
	u64 n = size / PAGE_SIZE + !!(size % PAGE_SIZE);

	return n <= U32_MAX && kt_memory_for(size) ? pages_alloc((u32)max(n, 1ull), cpu < 0 ? NUMA_NO_NODE : cpu_to_node(cpu)) : NULL;
}

void kt_free(void *p)
{
	vfree(p);
}

void *__percpu *kt_percpu_alloc(u64 size)
{
	void *__percpu *ret = alloc_percpu(void *);
	bool all = ret;
	int cpu;

	for_each_possible_cpu (cpu) {
		if (all)
			*per_cpu_ptr(ret, cpu) = kt_alloc(size, cpu);
		all = all && *per_cpu_ptr(ret, cpu);
	}
	if (!all)
		kt_percpu_free(ret);
	return all ? ret : NULL;
}

void kt_percpu_free(void *__percpu *memory)
{
	int cpu;

	if (memory)
		for_each_possible_cpu (cpu)
			kt_free(*per_cpu_ptr(memory, cpu));
	free_percpu(memory);
}

kt_u32 kt_n_cpus(void)
{
	return nr_cpu_ids;
}
