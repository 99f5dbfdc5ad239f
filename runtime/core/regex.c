/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The matcher of regular expressions: see regex.h. Context of everything here: any.
 */
#include "core.h"
#include "regex.h"

int kt_regex_match(const struct kt_regex *re, const char *s)
{
	kt_u32 state = re->start;

	for (; state; s++) {
		if (re->accept[state] & KT_RE_ACCEPT)
			return 1;
		if (!*s)
			return re->accept[state] & KT_RE_ACCEPT_AT_END ? 1 : 0;
		state = re->next[state * re->n_classes + re->class_of[(unsigned char)*s]];
	}
	return 0;
}

/* ---- groups ---- */

/* Threads that wait at an instruction each, best first. An instruction is in the list when sparse[] leads to it. */
struct threads {
	kt_u16 *dense;  /* instructions, in order */
	kt_u16 *sparse; /* by instruction: index in dense[], if that agrees */
	kt_u16 *slots;  /* by index in dense[]: n_slots positions */
	kt_u32 n;
};

struct machine {
	const struct kt_regex *re;
	kt_u32 n_slots;
	kt_u16 *stack;  /* pairs: an instruction to follow, or RESTORE + slot and its old position */
	kt_u16 *slots;  /* of the thread that is being followed */
	kt_u16 *best;   /* c->match_at */
	int matched;
	kt_u32 work;    /* threads that were followed since the last look at the clock */
};

enum {
	RESTORE = 0x8000,
	WORK_MOST = 2000, /* some 100 microseconds */
};

static kt_u16 *carve(kt_u16 **room, kt_u32 words)
{
	kt_u16 *at = *room;

	*room += words;
	return at;
}

static int is_member(const struct threads *t, kt_u32 inst)
{
	return t->sparse[inst] < t->n && t->dense[t->sparse[inst]] == inst;
}

/* A match that ends at END with the machine's slots: better when it starts earlier, or as early and ends later. */
static void take_match(struct machine *m)
{
	if (m->matched && (m->slots[0] > m->best[0] || (m->slots[0] == m->best[0] && m->slots[1] <= m->best[1])))
		return;
	memcpy(m->best, m->slots, m->n_slots * sizeof(*m->best));
	m->matched = 1;
}

/* Follows everything that needs no byte from INST on, and leaves threads in T. POS: position; LAST: the text ends. */
static void follow(struct machine *m, struct threads *t, kt_u32 inst, kt_u32 pos, int last)
{
	kt_u32 depth = 0;

	m->stack[depth++] = inst;
	m->stack[depth++] = 0;
	while (depth) {
		kt_u16 old = m->stack[--depth];
		kt_u16 pc = m->stack[--depth];
		const struct kt_regex_inst *i;

		if (pc & RESTORE) {
			m->slots[pc & ~RESTORE] = old;
			continue;
		}
		if (is_member(t, pc))
			continue;
		i = &m->re->program[pc];
		t->sparse[pc] = t->n;
		t->dense[t->n] = pc;
		memcpy(t->slots + t->n * m->n_slots, m->slots, m->n_slots * sizeof(*m->slots));
		t->n++;
		switch ((enum kt_regex_op)i->op) {
		case KT_RE_SET:
			break;
		case KT_RE_SPLIT:
			m->stack[depth++] = i->b;
			m->stack[depth++] = 0;
			m->stack[depth++] = i->a;
			m->stack[depth++] = 0;
			break;
		case KT_RE_JUMP:
			m->stack[depth++] = i->a;
			m->stack[depth++] = 0;
			break;
		case KT_RE_SAVE:
			m->stack[depth++] = RESTORE | i->a;
			m->stack[depth++] = m->slots[i->a];
			m->slots[i->a] = pos;
			m->stack[depth++] = pc + 1;
			m->stack[depth++] = 0;
			break;
		case KT_RE_BEGIN:
		case KT_RE_END:
			if (i->op == KT_RE_BEGIN ? pos == 0 : last) {
				m->stack[depth++] = pc + 1;
				m->stack[depth++] = 0;
			}
			break;
		case KT_RE_MATCH:
			take_match(m);
			break;
		}
	}
}

static void clear_slots(struct machine *m)
{
	for (kt_u32 i = 0; i < m->n_slots; i++)
		m->slots[i] = KT_NO_PLACE;
}

/* Whether the thread with SLOTS can still win: it has not begun after the best match. */
static int is_alive(const struct machine *m, const kt_u16 *slots)
{
	return !m->matched || slots[0] <= m->best[0];
}

/* Counts a byte at which threads are. Returns 0, with an error raised, if the handler has used up its time. */
static int take_time(struct kt_ctx *c, struct machine *m, const struct threads *t)
{
	m->work += 1 + t->n;
	if (kt_likely(m->work < WORK_MOST))
		return 1;
	m->work = 0;
	return kt_took_long(c);
}

static void run(struct kt_ctx *c, struct machine *m, struct threads *now, struct threads *then, const char *s)
{
	now->n = 0;
	for (kt_u32 pos = 0;; pos++) {
		unsigned char byte = s[pos];
		struct threads *swap = now;

		if (!m->matched) {
			clear_slots(m);
			follow(m, now, 0, pos, !byte);
		}
		if (!byte || !now->n || !take_time(c, m, now))
			break;
		then->n = 0;
		for (kt_u32 k = 0; k < now->n; k++) {
			const struct kt_regex_inst *i = &m->re->program[now->dense[k]];
			const kt_u16 *slots = now->slots + k * m->n_slots;

			if (i->op != KT_RE_SET || !is_alive(m, slots) ||
			    !(m->re->sets[32 * i->a + (byte >> 3)] >> (byte & 7) & 1))
				continue;
			memcpy(m->slots, slots, m->n_slots * sizeof(*slots));
			follow(m, then, now->dense[k] + 1, pos + 1, !s[pos + 1]);
		}
		now = then;
		then = swap;
	}
}

int kt_regex_groups(struct kt_ctx *c, const struct kt_regex *re, const char *s, kt_u32 size, kt_u16 *room)
{
	kt_u32 n = re->n_insts, n_slots = 2 * (re->n_groups + 1);
	struct machine m = { .re = re, .n_slots = n_slots, .best = c->match_at };
	struct threads now, then;

	c->match_groups = -1;
	if (!kt_regex_match(re, s))
		return 0;
	now = (struct threads){ carve(&room, n), carve(&room, n), carve(&room, n * n_slots), 0 };
	then = (struct threads){ carve(&room, n), carve(&room, n), carve(&room, n * n_slots), 0 };
	m.stack = carve(&room, 8 * n);
	m.slots = carve(&room, n_slots);
	memset(now.sparse, 0, n * sizeof(*now.sparse));
	memset(then.sparse, 0, n * sizeof(*then.sparse));
	kt_strcpy(c->match_text, s, size);
	run(c, &m, &now, &then, c->match_text);
	if (m.matched)
		c->match_groups = re->n_groups;
	return m.matched;
}

void kt_fn_matched(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n)
{
	kt_u32 from, to;

	ret[0] = 0;
	if (c->match_groups < 0) {
		kt_errorf(c, "matched(%d) after an =~ that did not match", n);
		return;
	}
	if (n < 0 || n > c->match_groups) {
		kt_errorf(c, "matched(%d): the regular expression has %d groups", n, (kt_s64)c->match_groups);
		return;
	}
	from = c->match_at[2 * n];
	to = c->match_at[2 * n + 1];
	if (from != KT_NO_PLACE && to != KT_NO_PLACE)
		kt_strpart(ret, c->match_text + from, kt_min_u32(size, to - from + 1));
}

kt_s64 kt_fn_ngroups(struct kt_ctx *c)
{
	if (c->match_groups < 0) {
		kt_error(c, "ngroups() after an =~ that did not match");
		return 0;
	}
	return c->match_groups + 1;
}
