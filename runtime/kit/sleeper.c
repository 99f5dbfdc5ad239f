/* Handlers that may wait for a page of the program: those of probes in programs.
 *
 * Where a uprobe is hit the task may sleep, but a handler runs with interrupts off and on this CPU's part of everything. So
 * these handlers have contexts of their own, which belong to no CPU. Where one finds a page absent it gives up the CPU
 * (kt_sleep_begin), waits, and goes on with the parts of the CPU it is then on (kt_sleep_end). Between the two it is between
 * two statements of generated C that touch per-CPU parts, since every read of memory is a statement of its own. A lock on
 * globals stays held: that others give up after a bounded number of tries is counted, and the page is there the next time.
 *
 * A CPU keeps one context in reserve, others are in a list. There are as many as handlers ever slept at once.
 */
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "runtime/core/map.h"
#include "runtime/kit/kit.h"

struct sleeper {
	struct kt_level level; /* first: its kt_ctx leads back to us */
	struct sleeper *next;  /* of the free ones */
	struct sleeper *older; /* of all */
};

static struct sleeper *__percpu *spare_sleepers;
static struct sleeper *free_sleepers, *all_sleepers;
static DEFINE_SPINLOCK(sleepers_lock);

int kt_sleepers_create(void)
{
	if (!spare_sleepers)
		spare_sleepers = alloc_percpu(struct sleeper *);
	return spare_sleepers ? 0 : -ENOMEM;
}

/* After all handlers have ended. */
void kt_sleepers_destroy(void)
{
	struct sleeper *s, *older;

	for (s = all_sleepers; s; s = older) {
		older = s->older;
		kt_free(s->level.c.frame_base);
		kfree(s);
	}
	all_sleepers = free_sleepers = NULL;
	free_percpu(spare_sleepers);
	spare_sleepers = NULL;
}

/* Context: process, sleeps. */
static struct sleeper *sleeper_create(void)
{
	struct sleeper *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return NULL;
	if (kt_script.frame_size)
		s->level.c.frame_base = kt_alloc(kt_script.frame_size, -1);
	if (kt_script.frame_size && !s->level.c.frame_base) {
		kfree(s);
		return NULL;
	}
	spin_lock(&sleepers_lock);
	s->older = all_sleepers;
	all_sleepers = s;
	spin_unlock(&sleepers_lock);
	return s;
}

static struct sleeper *sleeper_take(void)
{
	struct sleeper *s = this_cpu_xchg(*spare_sleepers, NULL);

	if (s)
		return s;
	spin_lock(&sleepers_lock);
	s = free_sleepers;
	if (s)
		free_sleepers = s->next;
	spin_unlock(&sleepers_lock);
	return s ?: sleeper_create();
}

static void sleeper_put(struct sleeper *s)
{
	s = this_cpu_xchg(*spare_sleepers, s);
	if (!s)
		return;
	spin_lock(&sleepers_lock);
	s->next = free_sleepers;
	free_sleepers = s;
	spin_unlock(&sleepers_lock);
}

/* The context uses this CPU's parts from now on, until kt_level_let_go(). Interrupts are off. */
static void bind(struct kt_level *l)
{
	struct kt_cpu *cpu = raw_cpu_ptr(kt_cpus);

	kt_level_hold();
	l->c.cpu = cpu->level[KT_LEVEL_NORMAL].c.cpu;
	l->ring = &cpu->ring;
}

void kt_sleep_begin(struct kt_ctx *c)
{
	kt_level_let_go();
	raw_local_irq_enable();
}

void kt_sleep_end(struct kt_ctx *c)
{
	raw_local_irq_disable();
	bind(container_of(c, struct kt_level, c));
}

void kt_handle_sleepable(const struct kt_probe *probe, const struct pt_regs *regs, u32 ctx_flags, void *instance,
			 u64 user_bias)
{
	struct sleeper *s;
	struct kt_ctx *c;

	if (READ_ONCE(kt_session.state) != KT_RUNNING)
		return;
	s = sleeper_take();
	if (unlikely(!s)) {
		raw_cpu_inc(kt_cpus->skipped_stack);
		return;
	}
	c = &s->level.c;
	raw_local_irq_disable();
	bind(&s->level);
	c->nesting = 0;
	c->flags = ctx_flags | KT_CTX_MAY_SLEEP;
	c->regs = regs;
	c->probe = probe;
	c->instance = instance;
	c->user_bias = user_bias;
	probe->handler(c);
	if (unlikely(c->error)) /* also when it gave up on a lock */
		kt_handler_failed(&s->level);
	kt_level_let_go();
	raw_local_irq_enable();
	sleeper_put(s);
}
