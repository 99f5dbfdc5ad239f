/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relay as the memory of rings (--transport=relay): the kernel's own channels, with sub-buffers that a record never crosses.
 *
 * Positions count bytes as in ring.c: sub-buffers that were produced, times their size, and the offset in the current one. A gap
 * at the end of a sub-buffer, which relay calls padding, belongs to no record. The channel has no name, so relay creates no files:
 * the kit's read the buffers through ring.c, up to the last record that is committed. Relay's own files would also return
 * records that are reserved and not yet written.
 *
 * Relay's code must not be entered again on a CPU: interrupts are off in it, and a record of an NMI that interrupts it is lost
 * and counted. So is a record that interrupts the writing of another one and needs a new sub-buffer, since the reader takes a sub-buffer
 * that was left to be complete.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/relay.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"

enum { RELAY_PARTS = 16 }; /* sub-buffers of a CPU; one has space for the largest record */

static struct rchan *channel;

/* Relay takes NULL for a failure, and looks at the result only in channels that have a name. */
static struct dentry *relay_no_file(const char *name, struct dentry *parent, umode_t mode, struct rchan_buf *buf, int *is_global)
{
	return (struct dentry *)&channel;
}

static int relay_no_file_removed(struct dentry *dentry)
{
	return 0;
}

int kt_relay_create(u32 size)
{
	static struct rchan_callbacks callbacks = { .create_buf_file = relay_no_file, .remove_buf_file = relay_no_file_removed };

	if (!kt_memory_for((u64)size * num_online_cpus()))
		return -ENOMEM;
	channel = relay_open(NULL, NULL, size / RELAY_PARTS, RELAY_PARTS, &callbacks, NULL);
	if (!IS_ERR_OR_NULL(channel))
		return 0;
	size = channel ? -PTR_ERR(channel) : ENOMEM; /* the stand-in for a function that this kernel lacks returns an error */
	channel = NULL;
	return -(int)size;
}

void kt_relay_destroy(void)
{
	relay_close(channel);
	channel = NULL;
}

bool kt_relay_attach(struct kt_ring *r, int cpu)
{
	struct rchan_buf *buf = *per_cpu_ptr(channel->buf, cpu);

	if (!buf)
		return false;
	r->data = buf->start;
	r->half = kt_ring_size / 2;
	smp_store_release(&r->relay, buf); /* a handler may run there */
	return true;
}

__kprobes void *kt_relay_reserve(struct kt_ring *r, u32 size, u64 *head)
{
	const size_t part = channel->subbuf_size;
	struct rchan_buf *buf = r->relay;
	struct kt_irqs irqs;
	void *at = NULL;

	if (READ_ONCE(r->reserving) || size > part)
		return NULL;
	irqs = kt_irqs_off();
	WRITE_ONCE(r->reserving, true);
	barrier();
	if (r->nest == 1 || buf->offset + size <= part)
		at = relay_reserve(channel, size);
	if (at) {
		*head = (u64)buf->subbufs_produced * part + buf->offset - size;
		WRITE_ONCE(r->head, *head + size);
	}
	barrier();
	WRITE_ONCE(r->reserving, false);
	kt_irqs_restore(irqs);
	return at;
}

u64 kt_relay_contiguous(struct kt_ring *r, int cpu, u64 end)
{
	const size_t part = channel->subbuf_size;

	for (;;) {
		u64 number = r->tail / part, next = (number + 1) * part;
		u64 last = next - READ_ONCE(r->relay->padding[number % RELAY_PARTS]);

		if (number > r->relay->subbufs_consumed) {
			smp_mb(); /* relay may use the sub-buffers again after this, and they were read before */
			relay_subbufs_consumed(channel, (unsigned int)cpu, number - r->relay->subbufs_consumed);
		}
		if (end < next) /* the gap of a sub-buffer lies before END only if END is in a later one */
			return end;
		if (r->tail < last)
			return last;
		smp_store_release(&r->tail, next);
	}
}
