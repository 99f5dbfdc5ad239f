/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of script globals: readers and one writer in a 32-bit word, tried kt_script.max_trylock times and then given
 * up. No kernel lock: those may trace, sleep on PREEMPT_RT, or spin for ever. Context: a handler's.
 */
#include <asm/processor.h>

#include "runtime/kit/state.h"

enum { READER = 1 };
#define WRITER 0x80000000u

static noinline __kprobes int give_up(struct kt_ctx *c)
{
	c->flags |= KT_CTX_SKIP;
	kt_error(c, "a lock was busy"); /* so that kt_handle_at() looks at one word only; the flag makes it no error */
	return 0;
}

/* Adds ADD to the word once no bit of BUSY is set. */
static __always_inline int take(struct kt_ctx *c, struct kt_lock *l, u32 busy, u32 add)
{
	for (u32 i = kt_script.max_trylock + 1; i > 0; i--) {
		u32 old = busy == ~0u ? 0 : __atomic_load_n(&l->word, __ATOMIC_RELAXED);

		if (likely(!(old & busy)) &&
		    likely(__atomic_compare_exchange_n(&l->word, &old, old + add, false, __ATOMIC_ACQUIRE,
						       __ATOMIC_RELAXED)))
			return 1;
		cpu_relax();
	}
	return give_up(c);
}

__kprobes int kt_lock_read(struct kt_ctx *c, struct kt_lock *l)
{
	return take(c, l, WRITER, READER);
}

__kprobes int kt_lock_write(struct kt_ctx *c, struct kt_lock *l)
{
	return take(c, l, ~0u, WRITER);
}

__kprobes void kt_unlock_read(struct kt_lock *l)
{
	__atomic_fetch_sub(&l->word, READER, __ATOMIC_RELEASE);
}

__kprobes void kt_unlock_write(struct kt_lock *l)
{
	__atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
}
