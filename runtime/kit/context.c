/* Contexts of running handlers: one per CPU and level, allocated at load, and the end of a handler that failed.
 *
 * A handler runs with interrupts off, so a CPU has at most two at a time: an ordinary one and one in an NMI on top of
 * it. A third would be recursion: a probe on something a handler uses. It is counted and skipped.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>

#include "runtime/core/map.h"
#include "runtime/kit/kit.h"

struct kt_cpu __percpu *kt_cpus;

static int create_one(int cpu)
{
	struct kt_cpu *k = per_cpu_ptr(kt_cpus, cpu);
	void *globals = NULL;

	if (kt_script.percpu_size) {
		globals = kt_alloc(kt_script.percpu_size, cpu);
		if (!globals)
			return -ENOMEM;
	}
	for (int i = 0; i < KT_LEVELS; i++) {
		k->level[i].c.cpu = globals;
		k->level[i].ring = &k->ring;
		k->level[i].room = KT_STACK_MIN;
		if (!kt_script.frame_size)
			continue;
		k->level[i].c.frame_base = kt_alloc(kt_script.frame_size, cpu);
		if (!k->level[i].c.frame_base)
			return -ENOMEM;
	}
	return 0;
}

int kt_contexts_create(void)
{
	int cpu, err;

	kt_cpus = alloc_percpu(struct kt_cpu);
	if (!kt_cpus)
		return -ENOMEM;
	for_each_possible_cpu (cpu) {
		err = create_one(cpu);
		if (err) {
			kt_contexts_destroy();
			return err;
		}
	}
	return 0;
}

void kt_contexts_destroy(void)
{
	int cpu;

	if (!kt_cpus)
		return;
	for_each_possible_cpu (cpu) {
		struct kt_cpu *k = per_cpu_ptr(kt_cpus, cpu);

		kt_free(k->level[0].c.cpu); /* the levels share it */
		for (int i = 0; i < KT_LEVELS; i++)
			kt_free(k->level[i].c.frame_base);
	}
	free_percpu(kt_cpus);
	kt_cpus = NULL;
}

void kt_contexts_count(struct kt_status *s)
{
	int cpu;

	for_each_possible_cpu (cpu) {
		s->skipped_reentrant += READ_ONCE(per_cpu_ptr(kt_cpus, cpu)->skipped_reentrant);
		s->skipped_stack += READ_ONCE(per_cpu_ptr(kt_cpus, cpu)->skipped_stack);
	}
}

__kprobes noinline void kt_handler_skipped(const struct kt_level *l)
{
	struct kt_cpu *cpu = raw_cpu_ptr(kt_cpus);

	if (l->room == KT_ROOM_TAKEN)
		cpu->skipped_reentrant++;
	else
		cpu->skipped_stack++;
}

kt_s64 kt_percpu_sum(kt_u32 offset)
{
	kt_u64 sum = 0;
	int cpu;

	for_each_possible_cpu (cpu)
		sum += READ_ONCE(*(kt_u64 *)((char *)per_cpu_ptr(kt_cpus, cpu)->level[0].c.cpu + offset));
	return (kt_s64)sum;
}

/* A record of KIND with the message and, if PP, the probe point. */
static __kprobes void report(struct kt_ctx *c, u32 kind, u32 place, const char *message, const char *pp)
{
	u32 len = kt_strlen(message), pp_len = pp ? kt_strlen(pp) : 0;
	void *at = kt_reserve(c, kind, place, kt_string_room(len) + (pp ? kt_string_room(pp_len) : 0));

	if (!at)
		return;
	at = kt_put_string(at, message, len);
	if (pp)
		kt_put_string(at, pp, pp_len);
	kt_commit(c);
}

__kprobes noinline void kt_handler_failed(struct kt_level *l)
{
	struct kt_ctx *c = &l->c;

	if (c->flags & KT_CTX_ABORT) {
		/* Its handler asked for it. */
	} else if (!(c->flags & KT_CTX_SKIP)) {
		u64 n = atomic64_inc_return(&kt_session.errors);

		report(c, KT_REC_ERROR, c->error_place, c->error, c->probe->pp);
		if (n > kt_script.max_errors)
			kt_session_ask_stop(true);
	} else if (atomic64_inc_return(&kt_session.skipped_lock) == (s64)kt_script.max_skipped + 1) {
		report(c, KT_REC_ERROR, KT_NO_PLACE,
		       "too many hits were skipped because a lock on a global was busy; raise -DMAXSKIPPED=N or "
		       "-DMAXTRYLOCK=N",
		       c->probe->pp);
		kt_session_ask_stop(true);
	}
	c->error = NULL; /* the next handler finds it so */
}
