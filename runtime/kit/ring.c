/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings: what handlers print, from the CPU that prints to the one reader.
 *
 * One ring per CPU. Its only producer is that CPU, with interrupts off; an NMI may come between a reservation and its
 * commit, so `head` moves by a local cmpxchg and `committed` only when the outermost reservation ends. The consumer
 * copies [tail, committed) to user space, but stops before the records of a handler that still runs, so that what a probed
 * program prints never lands within a line of its probe. The pages are mapped twice in a row, so nothing ever wraps inside a
 * record.
 * Handlers wake nobody: a busy reader looks 50 times a second, and is called when a ring gets half full. One that found nothing for a
 * while sets `half` to 0 and is called by the next record.
 *
 * Relay may have the memory instead (relay.c). The size of such a ring is 0, so what it costs to look is paid only there.
 */
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/ktime.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"

/* A reservation may stay in the store buffer of its CPU for some time after the clock was read for it: 0.3 us were seen. A locked cmpxchg
 * would order them, at the cost of each record. */
enum { UNSEEN_NS = 10000 };

u32 kt_ring_size;
unsigned int kt_output;

/* ---- life ---- */
static struct kt_ring *ring_of_cpu(int cpu)
{
	return &per_cpu_ptr(kt_cpus, cpu)->ring;
}

/* Gives the ring its memory; records are lost until ring_open(). */
static int ring_create(struct kt_ring *r, int cpu)
{
	u32 n = kt_ring_size / PAGE_SIZE;
	int node = cpu_to_node(cpu);

	if (kt_output & KT_OUTPUT_RELAY)
		return cpu_online(cpu) && !kt_relay_attach(r, cpu) ? -ENOMEM : 0;
	if (kt_memory_for(kt_ring_size))
		r->pages = kvcalloc(2 * (size_t)n, sizeof(*r->pages), GFP_KERNEL);
	if (!r->pages)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++) {
		struct page *page = alloc_pages_node(node, GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL, 0);

		if (!page)
			return -ENOMEM;
		r->pages[i] = r->pages[n + i] = page;
		r->n_pages = i + 1;
	}
	r->data = vmap(r->pages, 2 * n, VM_MAP, PAGE_KERNEL);
	return r->data ? 0 : -ENOMEM;
}

/* Context: the ring's CPU, interrupts off; or no handler runs. */
static void ring_open(void *ring)
{
	struct kt_ring *r = ring;

	if (r->relay)
		return;
	r->half = kt_ring_size / 2;
	barrier(); /* an NMI prints as soon as it sees the size */
	WRITE_ONCE(r->size, kt_ring_size);
}

static void ring_destroy(struct kt_ring *r)
{
	if (r->data && !r->relay)
		vunmap(r->data);
	r->data = NULL;
	r->relay = NULL;
	for (u32 i = 0; i < r->n_pages; i++)
		__free_page(r->pages[i]);
	r->n_pages = 0;
	kvfree(r->pages);
	r->pages = NULL;
}

/* Bytes that a CPU may print while the reader is not scheduled: 4 MB, but all CPUs together have no more than 1/64 of the memory, nor
 * 256 MB, which take a good part of a second to allocate. */
static u32 default_size(void)
{
	enum { ALL_MAX = 256 << 20, LEAST = 256 << 10, MOST = 4 << 20 };
	u64 all = min_t(u64, (u64)totalram_pages() * PAGE_SIZE / 64, ALL_MAX);

	return (u32)rounddown_pow_of_two(clamp_t(u64, div_u64(all, num_present_cpus()), LEAST, MOST));
}

static u32 wanted_size(void)
{
	return max_t(u32, kt_script.buffer_size ?: default_size(), PAGE_SIZE);
}

u64 kt_rings_bytes(void)
{
	return (u64)num_present_cpus() * wanted_size();
}

int kt_rings_create(void)
{
	int cpu, err = 0;

	kt_ring_size = wanted_size();
	if (kt_ring_size & (kt_ring_size - 1))
		return -EINVAL;
	for_each_possible_cpu (cpu)
		mutex_init(&ring_of_cpu(cpu)->lock);
	if (kt_output & KT_OUTPUT_RELAY)
		err = kt_relay_create(kt_ring_size);
	for_each_present_cpu (cpu) {
		err = err ?: ring_create(ring_of_cpu(cpu), cpu);
		if (!err && !(kt_output & KT_OUTPUT_RELAY))
			ring_open(ring_of_cpu(cpu));
	}
	return err;
}

void kt_rings_destroy(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		ring_destroy(ring_of_cpu(cpu));
	kt_relay_destroy();
}

static bool rings_lack(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		if (!ring_of_cpu(cpu)->data)
			return true;
	return false;
}

/* Creates the rings of CPUs that are online and have none. One that finds no memory goes on losing records, which it counts.
 * Context: process, sleeps. */
static void rings_complete(void)
{
	int cpu;

	for_each_online_cpu (cpu) {
		struct kt_ring *r = ring_of_cpu(cpu);

		if (r->size || r->relay)
			continue;
		if (!r->data && ring_create(r, cpu))
			ring_destroy(r);
		else
			smp_call_function_single(cpu, ring_open, r, 1); /* or again when the CPU, which went, is back */
	}
}

int kt_rings_follow(void)
{
	return rings_lack() ? kt_cpus_follow(rings_complete) : 0;
}

/* ---- producer ---- */
/* Ends the innermost reservation. The outermost one publishes all that was reserved meanwhile. */
static __always_inline void ring_put(struct kt_ring *r)
{
	u64 head;

	if (unlikely(r->nest > 1)) {
		r->nest--;
		return;
	}
	for (;;) {
		/* An NMI here sees nest 1 and leaves the publishing to us; after nest = 0 it publishes by itself. */
		barrier();
		head = READ_ONCE(r->head);
		smp_store_release(&r->committed, head);
		barrier();
		r->nest = 0;
		barrier();
		if (likely(head == READ_ONCE(r->head)))
			return;
		r->nest = 1;
	}
}

static noinline __kprobes void *ring_lost(struct kt_ring *r, u32 size)
{
	r->lost_records++;
	r->lost_bytes += size;
	kt_lose_here(KT_LOSS_RECORD);
	ring_put(r);
	return NULL;
}

static noinline __kprobes void ring_half_full(struct kt_ring *r)
{
	r->half = U64_MAX;
	kt_reader_wake();
}

/* Writes the header of a record of SIZE bytes for which HEAD was reserved. Returns where its arguments go. */
static __always_inline void *ring_begin(struct kt_level *l, struct kt_record *rec, u64 head, u32 size, u8 kind, u16 number)
{
	u64 time;

	rec->size = size;
	rec->kind = kind;
	rec->level = l->id;
	rec->number = number;
	time = l->record_time;
	if (!time) {
		WRITE_ONCE(l->record_head, head);
		time = ktime_get_mono_fast_ns(); /* after the reservation: see ring_aim() */
		WRITE_ONCE(l->record_time, time);
	}
	rec->time = time;
	return rec + 1;
}

/* The ring of L has no space, or relay has its memory. */
static noinline __kprobes void *ring_elsewhere(struct kt_level *l, u32 size, u8 kind, u16 number)
{
	struct kt_ring *r = l->ring;
	u64 head = 0;
	void *rec = r->relay ? kt_relay_reserve(r, size, &head) : NULL;

	if (!rec)
		return ring_lost(r, size);
	if (unlikely(head + size - READ_ONCE(r->tail) > READ_ONCE(r->half)))
		ring_half_full(r);
	return ring_begin(l, rec, head, size, kind, number);
}

/* Context: a handler's. */
__kprobes void *kt_reserve(struct kt_ctx *c, kt_u32 kind, kt_u32 number, kt_u32 payload)
{
	struct kt_level *l = kt_level_of(c);
	struct kt_ring *r = l->ring;
	u64 head, used, size = sizeof(struct kt_record) + payload;
	void *at;

	r->nest++;
	barrier();
	do {
		head = READ_ONCE(r->head);
		used = head + size - READ_ONCE(r->tail);
		if (unlikely(used > r->size))
			return ring_elsewhere(l, (u32)size, (u8)kind, (u16)number);
	} while (unlikely(cmpxchg_local(&r->head, head, head + size) != head));
	at = ring_begin(l, (struct kt_record *)(r->data + (head & (r->size - 1))), head, (u32)size, (u8)kind, (u16)number);
	if (unlikely(used > r->half))
		ring_half_full(r);
	return at;
}

/* Context: a handler's, after kt_reserve() gave space. */
__kprobes void kt_commit(struct kt_ctx *c)
{
	ring_put(kt_level_of(c)->ring);
}

/* ---- consumer ---- */
/* Lowers *HEAD to the first record of the handlers that run now, and *TIME to the lowest time that a record after *HEAD can
 * have, which is *TIME itself if no handler runs. A handler gives all its records the time of the first. Of a handler that begins
 * meanwhile this may see the values of the one before it, which are lower. */
static void spare_open_handlers(const struct kt_ring *r, u64 *head, u64 *time)
{
	const struct kt_cpu *k = container_of(r, struct kt_cpu, ring);

	for (int i = 0; i < KT_LEVELS; i++) {
		const struct kt_level *l = k->level[i];
		u64 first = smp_load_acquire(&l->c.probe) ? READ_ONCE(l->record_time) : 0;

		if (!first)
			continue;
		*time = min(*time, first);
		*head = min(*head, READ_ONCE(l->record_head));
	}
}

/* Whether the records up to COMMITTED are to be read whatever runs: it could be too late next time. */
static bool filling(const struct kt_ring *r, u64 committed)
{
	return committed - r->tail > kt_ring_size / 4;
}

/* Sets the end of the next read, and the lowest time that a record after it can have. Does neither while a reservation is open: its
 * record may be older than now. Returns false then, and when records came meanwhile: they may be the last of a handler. */
static bool aim_once(struct kt_ring *r)
{
	u64 now = ktime_get_mono_fast_ns() - UNSEEN_NS, committed, whole;

	smp_mb(); /* the clock before head: a reservation that is not seen here takes its time later, or was made in the last UNSEEN_NS */
	whole = committed = smp_load_acquire(&r->committed);
	if (READ_ONCE(r->head) != committed)
		return false;
	spare_open_handlers(r, &whole, &now);
	smp_rmb();
	if (READ_ONCE(r->committed) != committed)
		return false;
	r->target = filling(r, committed) ? committed : max(whole, r->tail);
	r->target_time = now;
	return true;
}

static void ring_aim(struct kt_ring *r)
{
	enum { TRIES = 8 };

	for (int i = 0; i < TRIES && r->tail == r->target; i++)
		if (aim_once(r))
			return;
}

/* How many of the N bytes after tail are whole records that fit in ROOM. */
static u64 whole_records(const struct kt_ring *r, u64 n, u64 room)
{
	u64 len = 0;

	if (n <= room)
		return n;
	while (len < n) {
		const struct kt_record *rec = (void *)(r->data + ((r->tail + len) & (kt_ring_size - 1)));

		if (len + rec->size > room)
			break;
		len += rec->size;
	}
	return len;
}

/* Copies whole records up to END, at most ROOM bytes of them. Returns how many bytes, or -EFAULT. */
static ssize_t copy_records(struct kt_ring *r, int cpu, char __user *buf, size_t room, u64 end)
{
	size_t done = 0;
	u64 n;

	do {
		u64 stop = r->relay ? kt_relay_contiguous(r, cpu, end) : end;

		n = whole_records(r, stop - r->tail, room - done);
		if (n && copy_to_user(buf + done, r->data + (r->tail & (kt_ring_size - 1)), n))
			return -EFAULT;
		done += n;
		smp_store_release(&r->tail, r->tail + n);
	} while (n && r->tail < end);
	return (ssize_t)done;
}

/* Writes one chunk of at most LEN bytes, its header included. Returns its size, or -EFAULT. Sets *CUT when there is a record
 * and not even the oldest one fits. */
static ssize_t ring_read(struct kt_ring *r, int cpu, char __user *buf, size_t len, bool *cut)
{
	struct kt_chunk chunk = { .cpu = cpu };
	u64 committed, end;
	ssize_t n;

	ring_aim(r);
	committed = smp_load_acquire(&r->committed);
	end = r->tail == r->target && filling(r, committed) ? committed : r->target;
	n = copy_records(r, cpu, buf + sizeof(chunk), len - sizeof(chunk), end);
	if (n < 0)
		return n;
	*cut |= !n && end != r->tail;
	if (r->tail >= r->target) {
		if (r->tail == r->target)
			r->horizon = r->target_time;
		r->target = r->tail;
	}
	WRITE_ONCE(r->half, kt_ring_size / 2);
	chunk.size = (u32)n;
	chunk.horizon = r->horizon;
	chunk.lost_records = READ_ONCE(r->lost_records);
	chunk.lost_bytes = READ_ONCE(r->lost_bytes);
	if (copy_to_user(buf, &chunk, sizeof(chunk)))
		return -EFAULT;
	return (ssize_t)sizeof(chunk) + n;
}

bool kt_ring_has_data(int cpu)
{
	const struct kt_ring *r = ring_of_cpu(cpu);

	return READ_ONCE(r->committed) != READ_ONCE(r->tail);
}

bool kt_rings_have_data(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		if (kt_ring_has_data(cpu))
			return true;
	return false;
}

bool kt_ring_called(int cpu)
{
	return READ_ONCE(ring_of_cpu(cpu)->half) == U64_MAX;
}

/* A record that is under way may not see this, as its CPU orders nothing here: the reader looks once more before it sleeps long. */
void kt_ring_await(int cpu)
{
	if (!kt_ring_called(cpu))
		WRITE_ONCE(ring_of_cpu(cpu)->half, 0);
	smp_mb();
}

void kt_rings_await(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		kt_ring_await(cpu);
}

bool kt_ring_open_reader(int cpu, bool open)
{
	return xchg(&ring_of_cpu(cpu)->opened, open) != open;
}

ssize_t kt_ring_read(int cpu, char __user *buf, size_t len)
{
	struct kt_ring *r = ring_of_cpu(cpu);
	bool cut = false;
	ssize_t n;

	if (len < sizeof(struct kt_chunk) + KT_READ_MIN)
		return -EINVAL;
	if (mutex_lock_interruptible(&r->lock))
		return -ERESTARTSYS;
	n = ring_read(r, cpu, buf, len, &cut);
	mutex_unlock(&r->lock);
	return n >= 0 && cut ? -EMSGSIZE : n;
}

/* One chunk per CPU. The first gets the space the others leave, so each call begins with another CPU. */
ssize_t kt_rings_read(char __user *buf, size_t len)
{
	static int last = -1;
	const size_t all_headers = num_possible_cpus() * sizeof(struct kt_chunk);
	size_t headers = all_headers, done = 0;
	bool cut = false;
	ssize_t n = 0;
	int cpu;

	if (len < headers + KT_READ_MIN)
		return -EINVAL;
	cpu = last;
	for (u32 i = num_possible_cpus(); i > 0 && n >= 0; i--) {
		cpu = cpumask_next(cpu, cpu_possible_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_possible_mask);
		headers -= sizeof(struct kt_chunk);
		mutex_lock(&ring_of_cpu(cpu)->lock);
		n = ring_read(ring_of_cpu(cpu), cpu, buf + done, len - done - headers, &cut);
		mutex_unlock(&ring_of_cpu(cpu)->lock);
		if (n > 0)
			done += n;
	}
	if (n >= 0 && cut && done == all_headers)
		n = -EMSGSIZE;
	last = cpumask_next(last, cpu_possible_mask);
	if (last >= nr_cpu_ids)
		last = -1;
	return n < 0 ? n : (ssize_t)done;
}
