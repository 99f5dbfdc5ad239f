/* Merges the CPUs' streams of records by time. The number of CPUs is small, so the smallest head is found by looking at
 * all of them, once per run of records from one CPU.
 */
#include "runtime/loader/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"

void merge_init(struct merge *m, kt_u32 n_cpus, size_t limit)
{
	*m = (struct merge){ .n_max = n_cpus, .limit = limit };
	m->cpus = xmalloc((n_cpus + 1) * sizeof(*m->cpus));
}

void merge_deinit(struct merge *m)
{
	for (kt_u32 i = 0; i < m->n; i++)
		free(m->cpus[i].buf);
	free(m->cpus);
	*m = (struct merge){ 0 };
}

/* ---- in ---- */

static struct merge_cpu *find_cpu(struct merge *m, kt_u32 cpu)
{
	for (kt_u32 i = 0; i < m->n; i++)
		if (m->cpus[i].cpu == cpu)
			return &m->cpus[i];
	if (m->n == m->n_max)
		return NULL;
	m->cpus[m->n] = (struct merge_cpu){ .cpu = cpu };
	return &m->cpus[m->n++];
}

static bool well_formed(const char *records, size_t len)
{
	struct kt_record rec;

	for (size_t at = 0; at < len; at += rec.size) {
		if (len - at < sizeof(rec))
			return false;
		memcpy(&rec, records + at, sizeof(rec));
		if (rec.size < sizeof(rec) || rec.size % 8 || rec.size > len - at)
			return false;
	}
	return true;
}

static void append(struct merge_cpu *c, const char *records, size_t len)
{
	if (c->from) {
		memmove(c->buf, c->buf + c->from, c->to - c->from);
		c->to -= c->from;
		c->from = 0;
	}
	if (c->to + len > c->cap) {
		c->cap = 2 * (c->to + len);
		c->buf = xrealloc(c->buf, c->cap);
	}
	memcpy(c->buf + c->to, records, len);
	c->to += len;
}

int merge_add(struct merge *m, const char *chunks, size_t len)
{
	struct kt_chunk chunk;

	m->run = NULL;
	for (size_t at = 0; at < len; at += chunk.size) {
		struct merge_cpu *c;

		if (len - at < sizeof(chunk))
			return -EPROTO;
		memcpy(&chunk, chunks + at, sizeof(chunk));
		at += sizeof(chunk);
		c = find_cpu(m, chunk.cpu);
		if (!c || chunk.size > len - at || !well_formed(chunks + at, chunk.size))
			return -EPROTO;
		if (chunk.size)
			append(c, chunks + at, chunk.size);
		m->waiting += chunk.size;
		c->horizon = chunk.horizon;
		c->lost_records = chunk.lost_records;
		c->lost_bytes = chunk.lost_bytes;
	}
	return 0;
}

/* ---- out ---- */

static const struct kt_record *head_of(const struct merge_cpu *c)
{
	return c->from < c->to ? (const struct kt_record *)(c->buf + c->from) : NULL;
}

static kt_u64 head_time(const struct merge_cpu *c)
{
	kt_u64 time = head_of(c)->time;

	return time > c->last ? time : c->last;
}

static kt_u64 min_u64(kt_u64 a, kt_u64 b)
{
	return a < b ? a : b;
}

/* Chooses the CPU with the oldest head, and until when it stays the oldest. */
static void choose_run(struct merge *m, bool all)
{
	kt_u64 limit = m->n < m->n_max && !all ? 0 : ~0ull;

	m->run = NULL;
	for (kt_u32 i = 0; i < m->n; i++) {
		struct merge_cpu *c = &m->cpus[i];

		if (!head_of(c)) {
			if (!all)
				limit = min_u64(limit, c->horizon);
			continue;
		}
		if (!m->run) {
			m->run = c;
		} else if (head_time(c) < head_time(m->run)) {
			limit = min_u64(limit, head_time(m->run));
			m->run = c;
		} else {
			limit = min_u64(limit, head_time(c));
		}
	}
	m->until = limit;
}

static const struct kt_record *take(struct merge *m, struct merge_cpu *c)
{
	const struct kt_record *rec = head_of(c);

	c->last = head_time(c);
	c->from += rec->size;
	m->waiting -= rec->size;
	return rec;
}

const struct kt_record *merge_next(struct merge *m, bool all)
{
	const struct kt_record *rec;

	do {
		if (!m->run || !head_of(m->run) || head_time(m->run) > m->until)
			choose_run(m, all);
		if (!m->run)
			return NULL;
		if (head_time(m->run) > m->until) {
			if (m->waiting <= m->limit)
				return NULL;
			m->disordered++;
		}
		rec = take(m, m->run);
	} while (rec->kind == KT_REC_PAD);
	return rec;
}
