/* What the core's arrays and aggregates ask of a port: memory before probes are armed, and the CPUs' globals.
 */
#include <linux/cpumask.h>
#include <linux/numa.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "runtime/kit/kit.h"

/* Context: process, sleeps. */
void *kt_alloc(kt_u64 size, int cpu)
{
	void *p = vmalloc_node(size, cpu < 0 ? NUMA_NO_NODE : cpu_to_node(cpu));

	if (p)
		memset(p, 0, size);
	return p;
}

void kt_free(void *p)
{
	vfree(p);
}

kt_u32 kt_n_cpus(void)
{
	return nr_cpu_ids;
}

/* Context: any, between kt_contexts_create() and kt_contexts_destroy(). */
void *kt_cpu_area(kt_u32 cpu)
{
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return NULL;
	return per_cpu_ptr(kt_cpus, cpu)->level[0]->c.cpu;
}
