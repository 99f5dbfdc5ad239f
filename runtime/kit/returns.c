/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Returns of functions that ftrace serves: however many there are, they are armed in one step, and a hit is cheaper than a
 * kretprobe's.
 *
 * Returns are still hooked by a kretprobe, the only exported way: one that is registered disabled, so that no code is
 * patched for it and the kernel never calls it. It is a pool of instances and the function that takes one for a call, which
 * the callback of ftrace calls for whatever function was entered. When the function returns the kernel calls
 * call_returned(), which takes the place of the kretprobe's own handler: that would leave no kprobe set behind it, and a
 * kprobe that was being handled meanwhile would find itself gone.
 *
 * The probes of many functions share a pool; each .maxactive(N) has one of its own, of N. Where the kernel keeps instances
 * in one list for all CPUs, a shared pool is a kretprobe for each CPU: an instance goes back to the one it came from.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/kit/function.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"

/* How many calls a shared pool has space for: those of so many threads, each with one of every function open, but not deeper
 * than stacks are, and with no more memory. */
enum {
	THREADS_MIN = 1024,
	THREADS_PER_CPU = 128,
	NESTED_MAX = 16,
	POOL_BYTES_MAX = 32 << 20,
};

/* Shared pools by the size of what they keep of a call: nothing, up to 2^5 bytes, 2^6, ... */
enum { CLASS_BITS_MIN = 4, CLASSES = 10 };

struct kt_pool {
	struct kretprobe *rps; /* one, or one for each CPU */
	struct kretprobe *__percpu *here; /* the one that a CPU asks first */
	u32 n;
	u32 n_functions;
	u32 maxactive;         /* of the row that it belongs to; 0: shared */
	u32 saved;             /* most that is kept of a call */
};

/* The record of a call: struct kretprobe_instance.data. */
struct hooked {
	const struct kt_entry *entry;
	struct kt_saved saved;
};

/* ---- hits ---- */
/* The end of a call. Context: preemption off, interrupts as they were in the function. */
KT_RETHOOK_HANDLER(call_returned, node, regs)
{
	struct hooked *call = (struct hooked *)kt_rethook_instance(node)->data;

	kt_return_begin(regs);
	if (!kt_handle_light(call->entry->probe))
		kt_handle(call->entry->probe, regs, KT_CTX_RETURN, &call->saved);
}
NOKPROBE_SYMBOL(call_returned);

/* An instance was found for the call that is being entered, of which something is kept. Not 0: its return is not waited for. A call
 * whose entry handler was skipped (and counted) has no return handler either: it would print zeroes. Context: of kt_returns_hit(). */
static int notrace call_entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kt_level *l = kt_this_level(KT_CTX_FTRACE);
	const struct kt_entry *e = l->hooks;
	struct hooked *call = (struct hooked *)ri->data;

	call->entry = e;
	WRITE_ONCE(l->hooks, NULL);
	memset(&call->saved, 0, e->saved);
	kt_handle(e->at_entry, regs, KT_CTX_FTRACE, &call->saved);
	return !call->saved.set[0];
}
NOKPROBE_SYMBOL(call_entered);

/* Hooks the return of the call for E, which is in L->hooks, by an instance of RP, and empties L->hooks. False: RP has no instance left.
 * The kernel calls call_entered() where something is kept of a call. Elsewhere the task's newest hook shows which instance was
 * taken: what was hooked meanwhile has returned. */
static __always_inline bool hook_by(struct kt_level *l, const struct kt_entry *e, struct kretprobe *rp, struct pt_regs *regs)
{
	const struct rethook_node *before = kt_rethook_newest();
	struct rethook_node *node;

	rp->kp.pre_handler(&rp->kp, regs);
	if (unlikely(e->at_entry))
		return !READ_ONCE(l->hooks);
	node = kt_rethook_newest();
	if (unlikely(node == before))
		return false;
	((struct hooked *)kt_rethook_instance(node)->data)->entry = e;
	WRITE_ONCE(l->hooks, NULL);
	return true;
}

/* This CPU has no instance left: those of the others. */
static noinline void notrace hook_elsewhere(struct kt_level *l, struct pt_regs *regs)
{
	const struct kt_entry *e = l->hooks;
	const struct kt_pool *pool = e->pool;

	for (u32 i = 0; i < pool->n; i++)
		if (hook_by(l, e, &pool->rps[i], regs))
			return;
	WRITE_ONCE(l->hooks, NULL);
	kt_lose(e->probe, KT_LOSS_RETURN);
}
NOKPROBE_SYMBOL(hook_elsewhere);

/* A function that takes an instance may itself be probed: on the way there all hits of the level are recursion. */
static __always_inline void hook(struct kt_level *l, const struct kt_entry *e, struct pt_regs *regs)
{
	if (unlikely(!kt_can_hook())) {
		kt_lose(e->probe, KT_LOSS_HOOK);
		return;
	}
	if (unlikely(l->hooks || kt_in_return(l, regs))) {
		kt_lose(e->probe, KT_LOSS_RECURSION);
		return;
	}
	WRITE_ONCE(l->hooks, e);
	if (unlikely(!hook_by(l, e, raw_cpu_read(*e->pool->here), regs)))
		hook_elsewhere(l, regs);
}

/* Hooks the return for E and, if MANY, for the probes after it. */
static __always_inline void hook_all(const struct kt_entry *e, bool many, struct pt_regs *regs)
{
	struct kt_irqs irqs = kt_irqs_off();
	struct kt_level *l = kt_this_level(KT_CTX_FTRACE);

	do {
		if (likely(e->on))
			hook(l, e, regs);
		e = e->next;
	} while (many && e);
	kt_irqs_restore(irqs);
}

/* The callback of a group with one probe. Context: the function's entry, interrupts as they were there. */
void notrace kt_returns_hit_one(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (likely(kt_run_quickly()) || kt_run_state() == KT_RUNNING)
		hook_all(container_of(ops, struct kt_group, ops)->entries, false, (struct pt_regs *)kt_ftrace_regs(fregs));
}
NOKPROBE_SYMBOL(kt_returns_hit_one);

/* The callback of a group with many. Context: any function's entry, interrupts as they were there. */
void notrace kt_returns_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct kt_group *g = container_of(ops, struct kt_group, ops);
	const struct kt_function *s = &g->functions.slots[kt_functions_slot(&g->functions, ip)];

	if (unlikely(!kt_run_quickly()) && kt_run_state() != KT_RUNNING)
		return;
	if (unlikely(s->ip != ip))
		s = kt_functions_find(&g->functions, ip);
	if (likely(s->entry))
		hook_all(s->entry, true, (struct pt_regs *)kt_ftrace_regs(fregs));
}
NOKPROBE_SYMBOL(kt_returns_hit);

/* ---- pools ---- */
static u32 class_of(u32 saved)
{
	return saved ? clamp_t(u32, order_base_2(saved), CLASS_BITS_MIN + 1, CLASS_BITS_MIN + CLASSES - 1) - CLASS_BITS_MIN : 0;
}

static size_t pool_data_size(const struct kt_pool *pool)
{
	return offsetof(struct hooked, saved) + pool->saved;
}

/* Bytes that an instance takes. Each CPU's ring has a place for every instance. */
static size_t pool_instance_size(const struct kt_pool *pool)
{
	size_t rings = KT_RETHOOK_OBJPOOL ? nr_cpu_ids * sizeof(void *) : 0;

	return roundup_pow_of_two(sizeof(struct kretprobe_instance) + pool_data_size(pool)) + rings;
}

static u32 pool_calls(const struct kt_pool *pool)
{
	size_t each = pool_instance_size(pool);
	u32 threads = max_t(u32, THREADS_MIN, THREADS_PER_CPU * num_possible_cpus());
	u32 wanted = min_t(u32, pool->n_functions, NESTED_MAX) * threads;

	return pool->maxactive ? pool->maxactive : rounddown_pow_of_two(min_t(u32, wanted, POOL_BYTES_MAX / each));
}

/* Gives each entry its pool; how many kretprobes that takes. */
static u32 pools_assign(struct kt_group *g)
{
	u32 n_rps = 0;

	g->n_pools = CLASSES;
	for (u32 i = 0; i < g->n; i++) {
		struct kt_entry *e = &g->entries[i];
		u32 at = e->row->maxactive ? g->n_pools++ : class_of(e->saved);
		struct kt_pool *pool = &g->pools[at];

		e->pool = pool;
		pool->maxactive = e->row->maxactive;
		pool->saved = max(pool->saved, e->saved);
		pool->n_functions++;
	}
	for (u32 i = 0; i < g->n_pools; i++) {
		struct kt_pool *pool = &g->pools[i];

		if (pool->n_functions)
			pool->n = KT_RETHOOK_OBJPOOL || pool->maxactive ? 1 : nr_cpu_ids;
		n_rps += pool->n;
	}
	return n_rps;
}

/* Registers a kretprobe of POOL at the function of an entry, which is any that kprobes can be at. */
static int pool_register(struct kt_group *g, const struct kt_pool *pool, struct kretprobe *rp)
{
	u32 calls = DIV_ROUND_UP(pool_calls(pool), pool->n);
	int err = -ENOENT;

	if (!kt_memory_for((u64)calls * pool_instance_size(pool)))
		return -ENOMEM;
	for (; g->anchor < g->n; g->anchor++) {
		*rp = (struct kretprobe){
			.kp.addr = (kprobe_opcode_t *)g->entries[g->anchor].address,
			.kp.flags = KPROBE_FLAG_DISABLED,
			.entry_handler = pool->saved ? call_entered : NULL,
			.maxactive = (int)calls,
			.data_size = pool_data_size(pool),
		};
		err = register_kretprobe(rp);
		if (!err)
			kt_rethook_handle(rp, call_returned);
		if (!err || err == -ENOMEM)
			break;
	}
	return err;
}

/* Tells each CPU which kretprobe of POOL it asks first. */
static bool pool_spread(struct kt_pool *pool)
{
	int cpu;

	pool->here = alloc_percpu(struct kretprobe *);
	if (!pool->here)
		return false;
	for_each_possible_cpu (cpu)
		*per_cpu_ptr(pool->here, cpu) = &pool->rps[(u32)cpu < pool->n ? cpu : 0];
	return true;
}

bool kt_returns_create(struct kt_group *g)
{
	u32 n_rps;

	g->pools = kvcalloc(CLASSES + g->n, sizeof(*g->pools), GFP_KERNEL);
	if (!g->pools)
		return false;
	n_rps = pools_assign(g);
	g->rps = kvcalloc(n_rps, sizeof(*g->rps), GFP_KERNEL);
	g->batch = kvcalloc(n_rps, sizeof(*g->batch), GFP_KERNEL);
	if (!g->rps || !g->batch)
		return false;
	for (u32 i = 0; i < g->n_pools; i++) {
		struct kt_pool *pool = &g->pools[i];

		pool->rps = &g->rps[g->n_rps];
		if (pool->n && !pool_spread(pool))
			return false;
		for (u32 k = 0; k < pool->n; k++) {
			struct kretprobe *rp = &g->rps[g->n_rps];

			if (!kt_run_starts() || pool_register(g, pool, rp))
				return false;
			g->batch[g->n_rps++] = rp;
		}
		cond_resched();
	}
	/* For a non-maskable interrupt such pools are busy for ever. */
	if (KT_RETHOOK_OBJPOOL) {
		int cpu;

		for_each_possible_cpu (cpu)
			per_cpu_ptr(kt_cpus, cpu)->level[KT_LEVEL_NMI]->hooks = g->entries;
	}
	return true;
}

void kt_returns_destroy(struct kt_group *g)
{
	/* Calls that are open have their instances, which the kernel frees as they end, and no handler. */
	kt_kretprobes_release(g->batch, g->n_rps);
	kvfree(g->batch);
	for (u32 i = 0; i < g->n_pools; i++)
		free_percpu(g->pools[i].here);
	kvfree(g->rps);
	kvfree(g->pools);
	g->batch = NULL;
	g->rps = NULL;
	g->pools = NULL;
	g->n_rps = g->n_pools = g->anchor = 0;
}
