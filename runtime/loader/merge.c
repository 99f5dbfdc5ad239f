/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the CPUs' streams of records by time. The number of CPUs is small, so the smallest head is found by looking at
 * all of them, once per run of records from one stream.
 */
#include "runtime/loader/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

void merge_init(struct merge *m, kt_u32 n_cpus, size_t limit)
{
	*m = (struct merge){ .n_max = n_cpus, .limit = limit };
	m->cpus = xmalloc((n_cpus + 1) * sizeof(*m->cpus));
}

void merge_deinit(struct merge *m)
{
	for (kt_u32 i = 0; i < m->n; i++)
		for (int level = 0; level < KT_LEVELS; level++)
			free(m->cpus[i].levels[level].buf);
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
		if (rec.size < sizeof(rec) || rec.size % 8 || rec.size > len - at || rec.level >= KT_LEVELS)
			return false;
	}
	return true;
}

static void append(struct merge_stream *s, const char *records, size_t len)
{
	if (!len)
		return;
	if (s->from) {
		memmove(s->buf, s->buf + s->from, s->to - s->from);
		s->to -= s->from;
		s->from = 0;
	}
	if (s->to + len > s->cap) {
		s->cap = 2 * (s->to + len);
		s->buf = xrealloc(s->buf, s->cap);
	}
	memcpy(s->buf + s->to, records, len);
	s->to += len;
}

/* Takes well-formed RECORDS apart into the streams of their levels. */
static void distribute(struct merge_cpu *c, const char *records, size_t len)
{
	struct kt_record rec;
	size_t from = 0;
	kt_u8 level = 0;

	for (size_t at = 0; at < len; at += rec.size) {
		memcpy(&rec, records + at, sizeof(rec));
		if (rec.level != level) {
			append(&c->levels[level], records + from, at - from);
			from = at;
			level = rec.level;
		}
	}
	append(&c->levels[level], records + from, len - from);
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
		distribute(c, chunks + at, chunk.size);
		m->waiting += chunk.size;
		c->horizon = chunk.horizon;
		c->lost_records = chunk.lost_records;
		c->lost_bytes = chunk.lost_bytes;
	}
	return 0;
}

/* ---- out ---- */

static const struct kt_record *head_of(const struct merge_stream *s)
{
	return s->from < s->to ? (const struct kt_record *)(s->buf + s->from) : NULL;
}

static kt_u64 head_time(const struct merge_stream *s)
{
	kt_u64 time = head_of(s)->time;

	return time > s->last ? time : s->last;
}

static kt_u64 min_u64(kt_u64 a, kt_u64 b)
{
	return a < b ? a : b;
}

/* Looks at S for the run, and for LIMIT, the time until which the run goes on. */
static void consider(struct merge *m, struct merge_stream *s, kt_u64 *limit)
{
	if (!m->run) {
		m->run = s;
	} else if (head_time(s) < head_time(m->run)) {
		*limit = min_u64(*limit, head_time(m->run));
		m->run = s;
	} else {
		*limit = min_u64(*limit, head_time(s));
	}
}

/* Chooses the stream with the oldest head, and until when it stays the oldest. */
static void choose_run(struct merge *m, bool all)
{
	kt_u64 limit = m->n < m->n_max && !all ? 0 : ~0ull;

	m->run = NULL;
	for (kt_u32 i = 0; i < m->n; i++) {
		struct merge_cpu *c = &m->cpus[i];

		for (int level = 0; level < KT_LEVELS; level++) {
			if (head_of(&c->levels[level]))
				consider(m, &c->levels[level], &limit);
			else if (!all)
				limit = min_u64(limit, c->horizon);
		}
	}
	m->until = limit;
}

static const struct kt_record *take(struct merge *m, struct merge_stream *s)
{
	const struct kt_record *rec = head_of(s);

	s->last = head_time(s);
	s->from += rec->size;
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
