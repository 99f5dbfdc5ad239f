/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of script globals: readers and one writer in a 32-bit word. No kernel lock: those may trace, sleep on PREEMPT_RT, or spin for
 * ever.
 *
 * A handler that finds a lock taken waits for kt_script.lock_wait nanoseconds, then gives up. The bound is a time, as a number of tries
 * takes 26 us on one processor and 1 us on another.
 *
 * A writer that waits sets WAITING, which keeps new readers out. The bit belongs to nobody: any writer that takes the lock or gives up
 * clears it, and the others that wait set it again. Context: a handler's.
 */
#include <linux/processor.h>
#include <linux/timekeeping.h>

#include "runtime/kit/handler.h"

enum {
	READER = 1,
	WAITING = 1 << 30,
	INTERRUPTER_NS = 20000, /* what a handler waits whose CPU may be the one that holds the lock */
};
#define WRITER 0x80000000u

/* ---- waiting ---- */
/* Does the handler C run on top of another one? That may hold what C waits for, and cannot release it meanwhile. */
static __kprobes bool interrupts_handler(const struct kt_ctx *c)
{
	for (int i = 0; i < KT_LEVELS; i++) {
		const struct kt_level *l = kt_level_here(i);

		if (l != kt_level_of(c) && l->c.probe)
			return true;
	}
	return false;
}

static __kprobes u64 patience(const struct kt_ctx *c)
{
	return interrupts_handler(c) ? min_t(u64, kt_script.lock_wait, INTERRUPTER_NS) : kt_script.lock_wait;
}

__kprobes int kt_wait_more(struct kt_ctx *c, struct kt_wait *w)
{
	u64 now = ktime_get_mono_fast_ns();

	if (!w->since) {
		w->since = now;
		w->most = w->most ?: patience(c);
	}
	if (now - w->since >= w->most)
		return 0;
	cpu_relax();
	return 1;
}

__kprobes void kt_wait_end(struct kt_ctx *c, const struct kt_wait *w)
{
	if (w->since)
		kt_lose_time(c->probe, ktime_get_mono_fast_ns() - w->since);
}

/* ---- locks ---- */
static __kprobes int give_up(struct kt_ctx *c)
{
	c->flags |= KT_CTX_SKIP;
	kt_error(c, "a lock was busy"); /* so that kt_handle_at() looks at one word only; the flag makes it no error */
	return 0;
}

/* Replaces OLD, in which no bit of BUSY is set, by NEW. */
static __always_inline bool take(struct kt_lock *l, u32 old, u32 busy, u32 new)
{
	return likely(!(old & busy)) &&
	       likely(__atomic_compare_exchange_n(&l->word, &old, new, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

/* On top of another handler a waiting writer is no hindrance: it may be that one. */
static noinline __kprobes int wait_read(struct kt_ctx *c, struct kt_lock *l)
{
	u32 busy = interrupts_handler(c) ? WRITER : WRITER | WAITING;
	struct kt_wait w = { 0 };
	bool taken;
	u32 old;

	do {
		old = READ_ONCE(l->word);
		taken = take(l, old, busy, old + READER);
	} while (!taken && kt_wait_more(c, &w));
	kt_wait_end(c, &w);
	return taken ? 1 : give_up(c);
}

static noinline __kprobes int wait_write(struct kt_ctx *c, struct kt_lock *l)
{
	struct kt_wait w = { 0 };
	u32 old;

	while (old = READ_ONCE(l->word), !take(l, old, ~(u32)WAITING, WRITER)) {
		if (!kt_wait_more(c, &w)) {
			__atomic_fetch_and(&l->word, ~(u32)WAITING, __ATOMIC_RELAXED);
			kt_wait_end(c, &w);
			return give_up(c);
		}
		if (!(old & WAITING))
			__atomic_fetch_or(&l->word, WAITING, __ATOMIC_RELAXED);
	}
	kt_wait_end(c, &w);
	return 1;
}

__kprobes int kt_lock_read(struct kt_ctx *c, struct kt_lock *l)
{
	u32 old = READ_ONCE(l->word);

	return take(l, old, WRITER | WAITING, old + READER) || wait_read(c, l);
}

__kprobes int kt_lock_write(struct kt_ctx *c, struct kt_lock *l)
{
	return take(l, 0, 0, WRITER) || wait_write(c, l);
}

__kprobes void kt_unlock_read(struct kt_lock *l)
{
	__atomic_fetch_sub(&l->word, READER, __ATOMIC_RELEASE);
}

__kprobes void kt_unlock_write(struct kt_lock *l)
{
	__atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
}
