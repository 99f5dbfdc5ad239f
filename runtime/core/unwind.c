/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of user objects: checks, look-ups, and steps from a frame to its caller. See unwind.h.
 *
 * Termination: a step looks at one row. Outside of signal frames the stack pointer must grow, and whoever walks bounds
 * the number of frames.
 */
#include "unwind.h"

#include "core.h"

/* ---- checking ---- */

/* The next part of the block: N things of SIZE bytes. NULL: they are not there. */
static const void *take_array(const char **at, kt_u64 *left, kt_u32 n, kt_u32 size)
{
	const void *part = *at;
	kt_u64 bytes = (kt_u64)n * size;

	if (bytes > *left)
		return NULL;
	*at += bytes;
	*left -= bytes;
	return part;
}

static int segments_good(const struct kt_unwind_table *t)
{
	for (kt_u32 i = 0; i < t->n_segments; i++) {
		const struct kt_unwind_segment *s = &t->segments[i];

		if (s->size > KT_UNWIND_NONE - s->place || s->offset + s->size < s->offset)
			return 0;
	}
	return 1;
}

/* A rule that begins at word AT: inside of the words, kinds and registers that exist. */
static int rule_good(const struct kt_unwind_table *t, kt_u32 at)
{
	kt_u32 head, n;

	if (t->n_words < 2 || at > t->n_words - 2)
		return 0;
	head = t->words[at];
	n = head >> 16 & 0xff;
	if ((head & 0xff) >= KT_CFA_KINDS || (head >> 8 & 0xff) >= KT_UNWIND_REGS || n > KT_UNWIND_RULES_MAX ||
	    t->n_words - at - 2 < 2 * n)
		return 0;
	for (kt_u32 i = 0; i < n; i++) {
		kt_u32 w = t->words[at + 2 + 2 * i];

		if ((w & 0xff) >= KT_SAVED_KINDS || (w >> 8 & 0xff) >= KT_UNWIND_REGS || w >> 16 >= KT_UNWIND_REGS)
			return 0;
	}
	return 1;
}

static int rows_good(const struct kt_unwind_table *t)
{
	for (kt_u32 i = 0; i < t->n_rows; i++) {
		const struct kt_unwind_row *r = &t->rows[i];

		if ((i && r->place <= r[-1].place) || (r->rule != KT_UNWIND_NONE && !rule_good(t, r->rule)))
			return 0;
	}
	return 1;
}

static int names_good(const struct kt_unwind_table *t, kt_u32 n_names)
{
	for (kt_u32 i = 0; i < t->n_symbols; i++)
		if (t->symbols[i].name >= n_names || (i && t->symbols[i].place <= t->symbols[i - 1].place))
			return 0;
	for (kt_u32 i = 0; i < t->n_files; i++)
		if (t->files[i] >= n_names)
			return 0;
	return 1;
}

/* The number at *AT, which moves on; one that does not end in the table ends with it. */
static kt_u32 read_number(const struct kt_unwind_table *t, kt_u32 *at)
{
	kt_u32 value = 0;

	for (kt_u32 shift = 0; *at < t->n_line_bytes && shift < 35; shift += 7) {
		kt_u8 byte = t->line_bytes[(*at)++];

		value |= (byte & 0x7fu) << (shift < 32 ? shift : 31);
		if (byte < 0x80)
			break;
	}
	return value;
}

/* From L to the line after it, whose bytes are at *AT. */
static void next_line(const struct kt_unwind_table *t, kt_u32 *at, struct kt_unwind_line *l)
{
	kt_u32 far = read_number(t, at), change = read_number(t, at);

	l->place += far;
	l->line += (change >> 2) ^ -(change >> 1 & 1);
	if (change & 1)
		l->file = read_number(t, at);
}

/* Lines of group I. */
static kt_u32 group_size(const struct kt_unwind_table *t, kt_u32 i)
{
	kt_u32 left = t->n_lines - i * KT_UNWIND_GROUP;

	return left < KT_UNWIND_GROUP ? left : KT_UNWIND_GROUP;
}

static int lines_good(const struct kt_unwind_table *t)
{
	struct kt_unwind_line l = { 0 };

	for (kt_u32 i = 0; i < kt_unwind_groups(t->n_lines); i++) {
		kt_u32 n = group_size(t, i), at = t->groups[i].at;

		for (kt_u32 k = 0; k < n; k++) {
			kt_u32 before = l.place;

			if (k)
				next_line(t, &at, &l);
			else
				l = t->groups[i].first;
			if (l.file >= t->n_files || ((i || k) && l.place <= before))
				return 0;
		}
	}
	return 1;
}

int kt_unwind_open(struct kt_unwind_table *t, const void *block, kt_u64 size)
{
	const struct kt_unwind_head *h = block;
	const char *at = block;

	if (!take_array(&at, &size, 1, sizeof(*h)) || h->magic != KT_UNWIND_MAGIC || h->n_rows > KT_UNWIND_ROWS_MAX ||
	    h->n_symbols > KT_UNWIND_ROWS_MAX || h->n_lines > KT_UNWIND_LINES_MAX ||
	    h->n_segments > KT_UNWIND_SEGMENTS_MAX || h->n_names > KT_UNWIND_NAMES_MAX || h->name >= h->n_names ||
	    h->build_id >= h->n_names)
		return -1;
	*t = (struct kt_unwind_table){
		.n_segments = h->n_segments,
		.n_rows = h->n_rows,
		.n_words = h->n_words,
		.n_symbols = h->n_symbols,
		.n_lines = h->n_lines,
		.n_files = h->n_files,
		.n_line_bytes = h->n_line_bytes,
		.base = h->base,
	};
	t->segments = take_array(&at, &size, h->n_segments, sizeof(*t->segments));
	t->rows = t->segments ? take_array(&at, &size, h->n_rows, sizeof(*t->rows)) : NULL;
	t->words = t->rows ? take_array(&at, &size, h->n_words, sizeof(*t->words)) : NULL;
	t->symbols = t->words ? take_array(&at, &size, h->n_symbols, sizeof(*t->symbols)) : NULL;
	t->groups = t->symbols ? take_array(&at, &size, kt_unwind_groups(h->n_lines), sizeof(*t->groups)) : NULL;
	t->files = t->groups ? take_array(&at, &size, h->n_files, sizeof(*t->files)) : NULL;
	t->names = t->files ? take_array(&at, &size, h->n_names, 1) : NULL;
	t->line_bytes = t->names ? take_array(&at, &size, h->n_line_bytes, 1) : NULL;
	if (!t->line_bytes || size || t->names[h->n_names - 1])
		return -1;
	t->name = t->names + h->name;
	t->build_id = t->names + h->build_id;
	return segments_good(t) && rows_good(t) && names_good(t, h->n_names) && lines_good(t) ? 0 : -1;
}

/* ---- look-ups ---- */

kt_u32 kt_unwind_place(const struct kt_unwind_table *t, kt_u64 offset)
{
	for (kt_u32 i = 0; i < t->n_segments; i++) {
		const struct kt_unwind_segment *s = &t->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size)
			return s->place + (kt_u32)(offset - s->offset);
	}
	return KT_UNWIND_NONE;
}

/* Returns the index of the last of N rows that is not after PLACE, or N. A row has SIZE bytes and begins with its place. */
static kt_u32 last_before(const void *things, kt_u32 n, kt_u32 size, kt_u32 place)
{
	kt_u32 low = 0, high = n;

	while (low < high) {
		kt_u32 middle = low + (high - low) / 2;

		if (*(const kt_u32 *)((const char *)things + (kt_u64)middle * size) <= place)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : n;
}

const struct kt_unwind_symbol *kt_unwind_symbol(const struct kt_unwind_table *t, kt_u32 place)
{
	kt_u32 i = last_before(t->symbols, t->n_symbols, sizeof(*t->symbols), place);
	const struct kt_unwind_symbol *s = &t->symbols[i];

	return i < t->n_symbols && place - s->place < s->size ? s : NULL;
}

kt_u32 kt_unwind_line(const struct kt_unwind_table *t, kt_u32 place, const char **file)
{
	kt_u32 n = kt_unwind_groups(t->n_lines), i = last_before(t->groups, n, sizeof(*t->groups), place), at;
	struct kt_unwind_line l, next;

	if (i == n)
		return 0;
	l = next = t->groups[i].first;
	at = t->groups[i].at;
	for (kt_u32 k = 1; k < group_size(t, i); k++) {
		next_line(t, &at, &next);
		if (next.place > place)
			break;
		l = next;
	}
	*file = t->names + t->files[l.file];
	return l.line;
}

/* ---- steps ---- */

/* A step under way: the frame, and what was found about its caller. */
struct step {
	const struct kt_unwind_machine *m;
	const struct kt_unwind_state *from;
	struct kt_unwind_state to;
	kt_unwind_read_fn *read;
	void *data;
	kt_u64 cfa;
};

static kt_u64 signed_word(kt_u32 word)
{
	return (kt_u64)(kt_s64)(kt_s32)word;
}

/* Addresses wrap as those of the machine do. */
static kt_u64 narrow(const struct kt_unwind_machine *m, kt_u64 address)
{
	return m->word == 4 ? (kt_u32)address : address;
}

static int is_known(const struct kt_unwind_state *s, kt_u32 reg)
{
	return (int)(s->known >> reg & 1);
}

static void set_register(struct kt_unwind_state *s, kt_u32 reg, kt_u64 value)
{
	s->reg[reg] = value;
	s->known |= 1ull << reg;
}

static enum kt_unwind_step find_cfa(struct step *p, kt_u32 head, kt_u32 offset)
{
	kt_u32 reg = head >> 8 & 0xff;
	kt_u64 sum = narrow(p->m, p->from->reg[reg] + signed_word(offset));

	if ((head & 0xff) == KT_CFA_END)
		return KT_STEP_END;
	if (!is_known(p->from, reg))
		return KT_STEP_BAD;
	switch ((enum kt_unwind_cfa_kind)(head & 0xff)) {
	case KT_CFA_DEREF:
		if (p->read(p->data, sum, p->m->word, &sum))
			return KT_STEP_FAULT;
		break;
	case KT_CFA_PLT:
		sum += (p->from->reg[p->m->ip] & 15) >= head >> 25 ? p->m->word : 0;
		break;
	case KT_CFA_SUM:
	case KT_CFA_END:
	case KT_CFA_KINDS:
		break;
	}
	p->cfa = sum;
	return KT_STEP_OK;
}

/* What register the rule word W is about held in the caller. A register that cannot be read is not known; whether that
 * matters is seen when it is needed. */
static void restore_register(struct step *p, kt_u32 w, kt_u32 offset)
{
	kt_u32 reg = w >> 8 & 0xff, other = w >> 16;
	kt_u64 value = p->cfa;

	p->to.known &= ~(1ull << reg);
	if ((w & 0xff) == KT_SAVED_AT || (w & 0xff) == KT_SAVED_SUM) {
		if (!is_known(p->from, other))
			return;
		value = p->from->reg[other];
	}
	value = narrow(p->m, value + signed_word(offset));
	switch ((enum kt_unwind_saved_kind)(w & 0xff)) {
	case KT_SAVED_AT:
	case KT_SAVED_AT_CFA:
		if (reg == p->m->ra)
			p->to.ra_at = value;
		if (!p->read(p->data, value, p->m->word, &value))
			set_register(&p->to, reg, value);
		break;
	case KT_SAVED_CFA:
	case KT_SAVED_SUM:
		set_register(&p->to, reg, value);
		break;
	case KT_SAVED_LOST:
	case KT_SAVED_KINDS:
		break;
	}
}

/* Is the caller's frame one that can be? Then it becomes the state. */
static enum kt_unwind_step arrive(struct step *p, struct kt_unwind_state *s, kt_u32 signal)
{
	kt_u64 sp = p->to.reg[p->m->sp], old = s->reg[p->m->sp];

	if (!is_known(&p->to, p->m->ra))
		return p->to.ra_at ? KT_STEP_FAULT : KT_STEP_BAD;
	if (!is_known(&p->to, p->m->sp) || (sp <= old && !signal && !(s->first && sp == old)))
		return KT_STEP_BAD;
	set_register(&p->to, p->m->ip, p->to.reg[p->m->ra]);
	p->to.first = 0;
	p->to.exact = !!signal;
	*s = p->to;
	return p->to.reg[p->m->ip] ? KT_STEP_OK : KT_STEP_END;
}

const kt_u32 *kt_unwind_rule(const struct kt_unwind_table *t, kt_u32 place)
{
	kt_u32 i = last_before(t->rows, t->n_rows, sizeof(*t->rows), place);

	return i == t->n_rows || t->rows[i].rule == KT_UNWIND_NONE ? NULL : &t->words[t->rows[i].rule];
}

enum kt_unwind_step kt_unwind_step(const struct kt_unwind_table *t, kt_u32 place, const struct kt_unwind_machine *m,
				   struct kt_unwind_state *s, kt_unwind_read_fn *read, void *data)
{
	const kt_u32 *rule = kt_unwind_rule(t, place);

	return rule ? kt_unwind_step_rule(rule, m, s, read, data) : KT_STEP_NONE;
}

enum kt_unwind_step kt_unwind_step_rule(const kt_u32 *rule, const struct kt_unwind_machine *m, struct kt_unwind_state *s,
					kt_unwind_read_fn *read, void *data)
{
	struct step p = { .m = m, .from = s, .to = *s, .read = read, .data = data };
	enum kt_unwind_step result;
	kt_u32 n;

	result = find_cfa(&p, rule[0], rule[1]);
	if (result != KT_STEP_OK)
		return result;
	p.to.ra_at = 0;
	set_register(&p.to, m->sp, p.cfa);
	n = rule[0] >> 16 & 0xff;
	for (kt_u32 k = 0; k < n; k++)
		restore_register(&p, rule[2 + 2 * k], rule[3 + 2 * k]);
	return arrive(&p, s, rule[0] & KT_RULE_SIGNAL);
}

enum kt_unwind_step kt_unwind_step_fp(const struct kt_unwind_machine *m, struct kt_unwind_state *s,
				      kt_unwind_read_fn *read, void *data)
{
	struct step p = { .m = m, .from = s, .to = *s };
	kt_u64 fp = s->reg[m->fp], saved, ra;
	kt_u32 word = m->word;

	if (!is_known(s, m->fp) || fp & (word - 1) || fp < s->reg[m->sp] || narrow(m, fp + 2 * word) < fp)
		return KT_STEP_BAD;
	if (read(data, fp, word, &saved) || read(data, fp + word, word, &ra))
		return KT_STEP_FAULT;
	p.to.known = 0;
	p.to.ra_at = fp + word;
	set_register(&p.to, m->fp, saved);
	set_register(&p.to, m->sp, fp + 2 * word);
	set_register(&p.to, m->ra, ra);
	return arrive(&p, s, 0);
}
