/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger: for each probe the hits that its handler handled, those that were missed, and why.
 *
 * A loss is counted where it happens, in a table that all CPUs share: a hit that is not lost pays nothing. Handled hits are
 * counted only when the loader asks for it. Every handler in the script's table is then replaced by count_run(), which calls
 * the handler, or by note_run(), which also puts it back. What the kernel itself counts as missed is in
 * kt_run.probes; see kt_family_ops.count.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include <asm/local.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"

struct losses {
	atomic64_t n[KT_LOSS_COUNT];
	atomic64_t begun; /* of its own handler, which count_run() has counted */
};

static struct losses *losses; /* by probe; the last one is the sum */
static void (**handlers)(struct kt_ctx *c); /* by probe, NULL: handled hits are not counted */
static void *__percpu *runs; /* local_t by probe */

int kt_ledger_create(void)
{
	losses = kvcalloc(kt_script.n_probes + 1ul, sizeof(*losses), GFP_KERNEL);
	return losses ? 0 : -ENOMEM;
}

void kt_ledger_destroy(void)
{
	kt_percpu_free(runs);
	kvfree(handlers);
	kvfree(losses);
}

/* ---- handled hits ---- */
/* The handler of every probe. Context: a handler's. */
static __kprobes void count_run(struct kt_ctx *c)
{
	u32 probe = c->probe->index;

	local_inc((local_t *)*raw_cpu_ptr(runs) + probe);
	handlers[probe](c);
}

static __kprobes void note_run(struct kt_ctx *c)
{
	u32 probe = c->probe->index;

	/* Another one may have come meanwhile: guard.c, switch.c. */
	cmpxchg(&kt_script.probes[probe].handler, note_run, handlers[probe]);
	count_run(c);
}

int kt_ledger_count_handled(enum kt_count which)
{
	size_t n = max_t(size_t, kt_script.n_probes, 1);

	handlers = kvcalloc(n, sizeof(*handlers), GFP_KERNEL);
	runs = kt_percpu_alloc(n * sizeof(local_t));
	if (!handlers || !runs)
		return -ENOMEM;
	for (u32 i = 0; i < kt_script.n_probes; i++) {
		handlers[i] = kt_script.probes[i].handler;
		kt_script.probes[i].handler = which == KT_COUNT_ALL ? count_run : note_run;
	}
	return 0;
}

static u64 runs_of(u32 probe)
{
	u64 sum = 0;
	int cpu;

	if (runs)
		for_each_possible_cpu (cpu)
			sum += (u64)local_read((local_t *)*per_cpu_ptr(runs, cpu) + probe);
	return sum;
}

/* ---- losses ---- */
noinline notrace u64 kt_lose(const struct kt_probe *probe, enum kt_loss cause)
{
	struct losses *l = &losses[probe->index];

	if (probe == &kt_no_probe)
		return 0;
	if (probe->flags & KT_PROBE_ENTRY)
		l--; /* the return probe */
	else if (cause < KT_LOSS_BEGUN)
		atomic64_inc(&l->begun);
	atomic64_inc(&l->n[cause]);
	return (u64)atomic64_inc_return(&losses[kt_script.n_probes].n[cause]);
}
NOKPROBE_SYMBOL(kt_lose);

noinline notrace void kt_lose_time(const struct kt_probe *probe, u64 ns)
{
	struct losses *l = &losses[probe->index];

	if (probe == &kt_no_probe)
		return;
	if (probe->flags & KT_PROBE_ENTRY)
		l--;
	atomic64_add(ns, &l->n[KT_LOSS_WAIT]);
	atomic64_add(ns, &losses[kt_script.n_probes].n[KT_LOSS_WAIT]);
}
NOKPROBE_SYMBOL(kt_lose_time);

/* A handler in an NMI runs on top of the others, which go on when it has ended. */
noinline notrace void kt_lose_here(enum kt_loss cause)
{
	static const enum kt_level_id on_top[] = { KT_LEVEL_NMI, KT_LEVEL_NORMAL, KT_LEVEL_OWN };

	for (u32 i = 0; i < ARRAY_SIZE(on_top); i++) {
		const struct kt_probe *probe = kt_level_here(on_top[i])->c.probe;

		if (!probe)
			continue;
		kt_lose(probe, cause);
		return;
	}
}
NOKPROBE_SYMBOL(kt_lose_here);

__kprobes void kt_string_cut(void)
{
	kt_lose_here(KT_LOSS_STRING);
}

/* ---- reports ---- */
static void add_losses(u64 *lost, const struct losses *l)
{
	for (u32 i = 0; i < KT_LOSS_COUNT; i++) {
		u64 n = (u64)atomic64_read(&l->n[i]);

		lost[i] += i == KT_LOSS_WAIT ? div_u64(n, NSEC_PER_USEC) : n;
	}
}

void kt_ledger_read(u32 probe, struct kt_probe_status *s)
{
	const struct losses *l = &losses[probe];
	u64 began = runs_of(probe), ended = (u64)atomic64_read(&l->begun);

	s->handled = began > ended ? began - ended : 0;
	add_losses(s->lost, l);
}

void kt_ledger_sum(struct kt_status *s)
{
	add_losses(s->lost, &losses[kt_script.n_probes]);
}
