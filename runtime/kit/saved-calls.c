/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values that tasks keep from the entry of a system call to its return.
 *
 * A task is in one call at a time, so a task and a row name what is kept. The place in the table follows from both; what a
 * task that died in its call left behind goes when the task's address is used again.
 */
#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/kit/services.h"

enum {
	SAVED_MAX = 4096, /* calls in flight, a power of two */
	SAVED_TRIES = 16, /* places one may be at */
};

struct kt_saved_call {
	struct task_struct *task; /* NULL: free */
	const void *row;
	struct kt_saved saved;    /* last: its slots follow */
};

static __kprobes struct kt_saved_call *saved_at(const struct kt_saved_calls *calls, const void *row, u32 try)
{
	u32 hash = (u32)((unsigned long)current >> 6) * 2654435761u + (u32)((unsigned long)row >> 3) * 40503u;

	return (struct kt_saved_call *)(calls->table + (size_t)((hash + try) & (SAVED_MAX - 1)) * calls->stride);
}

__kprobes struct kt_saved *kt_saved_find(const struct kt_saved_calls *calls, const void *row)
{
	for (u32 i = 0; calls->table && i < SAVED_TRIES; i++) {
		struct kt_saved_call *s = saved_at(calls, row, i);

		if (READ_ONCE(s->task) == current && s->row == row)
			return &s->saved;
	}
	return NULL;
}

__kprobes struct kt_saved *kt_saved_take(const struct kt_saved_calls *calls, const void *row)
{
	struct kt_saved *old = kt_saved_find(calls, row);
	struct kt_saved_call *s = old ? container_of(old, struct kt_saved_call, saved) : NULL;

	for (u32 i = 0; calls->table && !s && i < SAVED_TRIES; i++)
		if (!cmpxchg(&saved_at(calls, row, i)->task, NULL, current))
			s = saved_at(calls, row, i);
	if (!s)
		return NULL;
	s->row = row;
	memset(&s->saved, 0, sizeof(s->saved));
	return &s->saved;
}

__kprobes void kt_saved_release(struct kt_saved *saved)
{
	smp_store_release(&container_of(saved, struct kt_saved_call, saved)->task, NULL);
}

int kt_saved_calls_create(struct kt_saved_calls *calls, u32 slots)
{
	if (!slots)
		return 0;
	calls->stride = sizeof(struct kt_saved_call) + slots * sizeof(s64);
	calls->table = kvcalloc(SAVED_MAX, calls->stride, GFP_KERNEL);
	return calls->table ? 0 : -ENOMEM;
}

void kt_saved_calls_destroy(struct kt_saved_calls *calls)
{
	kvfree(calls->table);
	calls->table = NULL;
}
