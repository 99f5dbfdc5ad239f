/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contexts and stacks of running handlers: one of each per CPU and level, allocated at load.
 *
 * A handler runs with interrupts off, so a CPU has at most two at a time: an ordinary one and one in an NMI on top of
 * it. Another would be recursion: a probe on something a handler uses. It is counted and skipped. Below them may be one in a
 * task of ours, which lets interrupts in while it works on whole arrays.
 *
 * Nobody knows how much is left of the stack that a probe was hit on: a task's, an interrupt's or an exception's. So each
 * level has a stack, as large as the script was proven to need at its build (kt_script_stack) and KT_STACK_KERNEL more. Its
 * memory is as the kernel's own stacks': virtually mapped where those are, with an unmapped page below.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/kit/handler.h"

struct kt_cpu __percpu *kt_cpus;
static char __percpu *globals; /* of the script; NULL: more than the kernel's allocator gives, so each CPU's are apart */

const struct kt_probe kt_no_probe;

/* Bytes of a level's stack. */
static u32 stack_size(void)
{
	return ALIGN(kt_script_stack + KT_STACK_KERNEL, SMP_CACHE_BYTES);
}

/* The bottom of the stack of L, where its memory begins. */
static char *stack_bottom(struct kt_level *l)
{
	return (char *)l - stack_size();
}

/* Bytes of the stack of L that were ever written: it begins as zeroes. */
static u32 stack_used(struct kt_level *l)
{
	char *lowest = memchr_inv(stack_bottom(l), 0, stack_size());

	return lowest ? (u32)((char *)l - lowest) : 0;
}

static struct kt_level *level_create(int cpu)
{
	char *bottom = kt_arch_stack_alloc(stack_size() + sizeof(struct kt_level), cpu_to_node(cpu));
	struct kt_level *l = bottom ? (struct kt_level *)(bottom + stack_size()) : NULL;

	if (l && kt_script.frame_size) {
		l->c.frame_base = kt_alloc(kt_script.frame_size, cpu);
		if (!l->c.frame_base) {
			kvfree(bottom);
			return NULL;
		}
	}
	return l;
}

static void level_destroy(struct kt_level *l)
{
	if (!l)
		return;
	kt_free(l->c.frame_base);
	kvfree(stack_bottom(l));
}

static int create_one(int cpu)
{
	struct kt_cpu *k = per_cpu_ptr(kt_cpus, cpu);
	void *area;

	for (int i = 0; i < KT_LEVELS; i++) {
		k->level[i] = level_create(cpu);
		if (!k->level[i])
			return -ENOMEM;
		k->level[i]->ring = &k->ring;
		k->level[i]->id = (u8)i;
		k->level[i]->c.level = (u64)i;
	}
	area = globals ? per_cpu_ptr(globals, cpu) : kt_alloc(kt_script.percpu_size, cpu);
	for (int i = 0; i < KT_LEVELS; i++)
		k->level[i]->c.cpu = area;
	return area ? 0 : -ENOMEM;
}

/* Light handlers need one address for the globals of all CPUs. */
static void lights_relocate(void)
{
	for (u32 i = 0; i < kt_script.n_probes; i++) {
		struct kt_probe *p = &kt_script.probes[i];

		p->at += (unsigned long)globals;
		if (!globals)
			p->light = NULL;
	}
}

u64 kt_contexts_bytes(void)
{
	return (u64)num_possible_cpus() *
	       (kt_script.percpu_size + KT_LEVELS * (stack_size() + sizeof(struct kt_level) + (u64)kt_script.frame_size));
}

int kt_contexts_create(void)
{
	int cpu, err = 0;

	kt_cpus = alloc_percpu(struct kt_cpu);
	if (!kt_cpus)
		return -ENOMEM;
	if (kt_script.percpu_size <= PCPU_MIN_UNIT_SIZE)
		globals = __alloc_percpu(max_t(size_t, kt_script.percpu_size, sizeof(s64)), SMP_CACHE_BYTES);
	lights_relocate();
	for_each_possible_cpu (cpu) {
		kt_unlocker_create(per_cpu_ptr(kt_cpus, cpu));
		kt_signals_create(per_cpu_ptr(kt_cpus, cpu));
		err = err ?: create_one(cpu);
	}
	return err;
}

void kt_contexts_destroy(void)
{
	int cpu;

	if (!kt_cpus)
		return;
	for_each_possible_cpu (cpu) {
		struct kt_cpu *k = per_cpu_ptr(kt_cpus, cpu);

		kt_unlocker_finish(k);
		kt_signals_finish(k);
		if (k->level[0] && !globals)
			kt_free(k->level[0]->c.cpu); /* the levels share it */
		for (int i = 0; i < KT_LEVELS; i++)
			level_destroy(k->level[i]);
	}
	free_percpu(globals);
	free_percpu(kt_cpus);
}

void kt_contexts_count(struct kt_status *s)
{
	int cpu;

	s->stack_size = stack_size();
	for_each_possible_cpu (cpu) {
		const struct kt_cpu *k = per_cpu_ptr(kt_cpus, cpu);

		for (int i = 0; i < KT_LEVELS && s->state == KT_STOPPED; i++)
			s->stack_used = max(s->stack_used, stack_used(k->level[i]));
	}
}

/* Context: any, between kt_contexts_create() and kt_contexts_destroy(). */
void *kt_cpu_area(kt_u32 cpu)
{
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return NULL;
	return per_cpu_ptr(kt_cpus, cpu)->level[0]->c.cpu;
}

kt_s64 kt_percpu_sum(kt_u32 offset)
{
	kt_u64 sum = 0;
	int cpu;

	for_each_possible_cpu (cpu)
		sum += READ_ONCE(*(kt_u64 *)((char *)per_cpu_ptr(kt_cpus, cpu)->level[0]->c.cpu + offset));
	return (kt_s64)sum;
}

/* Of the handlers that run on this CPU, the innermost one is asked for. */
__kprobes struct kt_ctx *kt_embedded_context(void)
{
	struct kt_ctx *nmi = &kt_level_here(KT_LEVEL_NMI)->c, *normal = &kt_level_here(KT_LEVEL_NORMAL)->c;

	if (nmi->probe)
		return nmi;
	return normal->probe ? normal : &kt_level_here(KT_LEVEL_OWN)->c;
}
