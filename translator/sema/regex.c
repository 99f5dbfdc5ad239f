/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions: program -> deterministic automaton -> C tables.
 *
 * A state of the automaton is the set of instructions that wait for a byte, for the end, or have matched. The search
 * is not anchored, so every step also starts the program anew. States are made as they are reached; an accepting one
 * leads nowhere, because the matcher stops there.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/vec.h"
#include "translator/sema/regex-parse.h"

enum {
	TABLE_MAX = 1 << 16,  /* entries of the table of next states */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* a fuzzer would find nothing but ways to reach it */
	WORK_MAX = 20000,
	HASH_SIZE = 256,
#else
	WORK_MAX = 50000000,  /* instructions looked at while building: a fraction of a second */
	HASH_SIZE = 8192,
#endif
	LINE_NUMBERS = 20,    /* numbers on a line of C */
};

struct builder {
	const struct program_text *p;
	kt_u32 words;      /* of a set: one bit an instruction */
	kt_u32 n_classes;
	kt_u8 class_of[256];
	kt_u8 byte_of[256]; /* one byte of each class */
	kt_u64 *sets;      /* of the states */
	kt_u8 *accept;
	kt_u16 *next;
	kt_u32 n;
	kt_u32 *table;     /* hash: states; 0 none */
	kt_u32 *stack, *mark, generation;
	kt_u64 *set;       /* the one being made */
	kt_u64 work;
};

/* Bytes that no set separates get one class. */
static void make_classes(struct builder *b)
{
	int split[512];

	b->n_classes = 1;
	for (kt_u32 s = 0; s < b->p->n_sets; s++) {
		const kt_u8 *set = b->p->sets + 32 * s;
		kt_u32 n = 0;

		memset(split, -1, sizeof(split));
		for (int byte = 0; byte < 256; byte++) {
			int *at = &split[2 * b->class_of[byte] + (set[byte >> 3] >> (byte & 7) & 1)];

			if (*at < 0)
				*at = n++;
			b->class_of[byte] = *at;
		}
		b->n_classes = n;
	}
	for (int byte = 255; byte > 0; byte--)
		b->byte_of[b->class_of[byte]] = byte;
}

/* Adds to b->set what can be reached from FROM without a byte. True if a match can. */
static bool reach(struct builder *b, kt_u32 from, bool at_begin, bool at_end)
{
	kt_u32 depth = 0;
	bool matched = false;

	b->stack[depth++] = from;
	while (depth) {
		kt_u32 pc = b->stack[--depth];
		const struct kt_regex_inst *i = &b->p->inst[pc];

		if (b->mark[pc] == b->generation)
			continue;
		b->mark[pc] = b->generation;
		b->work++;
		switch ((enum kt_regex_op)i->op) {
		case KT_RE_MATCH:
			matched = true;
			__attribute__((fallthrough));
		case KT_RE_SET:
			b->set[pc / 64] |= 1ull << (pc % 64);
			break;
		case KT_RE_SPLIT:
			b->stack[depth++] = i->b;
			b->stack[depth++] = i->a;
			break;
		case KT_RE_JUMP:
			b->stack[depth++] = i->a;
			break;
		case KT_RE_SAVE:
			b->stack[depth++] = pc + 1;
			break;
		case KT_RE_BEGIN:
			if (at_begin)
				b->stack[depth++] = pc + 1;
			break;
		case KT_RE_END:
			b->set[pc / 64] |= 1ull << (pc % 64);
			if (at_end)
				b->stack[depth++] = pc + 1;
			break;
		}
	}
	return matched;
}

static void clear_set(struct builder *b)
{
	memset(b->set, 0, b->words * sizeof(*b->set));
	b->generation++;
}

static kt_u32 hash_set(const struct builder *b)
{
	kt_u64 h = 0;

	for (kt_u32 i = 0; i < b->words; i++)
		h = (h << 23 | h >> 41) ^ kt_hash_long(b->set[i]);
	return (kt_hash_long(h) >> 32) % HASH_SIZE;
}

/* Whether the state, at the end of the text, matches. Spoils b->set. */
static bool accepts_at_end(struct builder *b, kt_u32 state, bool at_begin)
{
	bool matched = false;

	clear_set(b);
	for (kt_u32 pc = 0; pc < b->p->n; pc++) {
		if (b->p->inst[pc].op == KT_RE_END && b->sets[state * b->words + pc / 64] >> (pc % 64) & 1)
			matched |= reach(b, pc, at_begin, true);
	}
	return matched;
}

/* A new state with b->set. */
static kt_u32 add_state(struct builder *b, bool matched, bool at_begin)
{
	kt_u32 state = b->n++;

	b->sets = vec_room(b->sets, state, b->words * sizeof(*b->sets));
	b->accept = vec_room(b->accept, state, sizeof(*b->accept));
	b->next = vec_room(b->next, state, b->n_classes * sizeof(*b->next));
	memcpy(b->sets + state * b->words, b->set, b->words * sizeof(*b->set));
	memset(b->next + state * b->n_classes, 0, b->n_classes * sizeof(*b->next));
	b->accept[state] = matched ? KT_RE_ACCEPT : 0;
	if (!matched && accepts_at_end(b, state, at_begin))
		b->accept[state] = KT_RE_ACCEPT_AT_END;
	return state;
}

/* The state with b->set, made if need be. The empty set is state 0. */
static kt_u32 find_state(struct builder *b, bool matched)
{
	kt_u32 at = hash_set(b);

	while (b->table[at]) {
		if (!memcmp(b->sets + b->table[at] * b->words, b->set, b->words * sizeof(*b->set)))
			return b->table[at];
		at = (at + 1) % HASH_SIZE;
	}
	for (kt_u32 i = 0; i < b->words; i++) {
		if (b->set[i])
			return b->table[at] = add_state(b, matched, false);
	}
	return 0;
}

static kt_u32 step(struct builder *b, kt_u32 state, kt_u32 class)
{
	int byte = b->byte_of[class];
	bool matched;

	clear_set(b);
	matched = reach(b, 0, false, false);
	for (kt_u32 w = 0; w < b->words; w++) {
		for (kt_u64 bits = b->sets[state * b->words + w]; bits; bits &= bits - 1) {
			kt_u32 pc = w * 64 + __builtin_ctzll(bits);
			const struct kt_regex_inst *i = &b->p->inst[pc];

			b->work++;
			if (i->op == KT_RE_SET && b->p->sets[32 * i->a + (byte >> 3)] >> (byte & 7) & 1)
				matched |= reach(b, pc + 1, false, false);
		}
	}
	return find_state(b, matched);
}

static bool build(struct builder *b, struct loc loc)
{
	bool matched;

	clear_set(b);
	add_state(b, false, false); /* 0 is dead */
	matched = reach(b, 0, true, false);
	add_state(b, matched, true); /* the start: not found again, as ^ holds only here */
	for (kt_u32 state = 1; state < b->n; state++) {
		if (b->accept[state] & KT_RE_ACCEPT)
			continue;
		for (kt_u32 class = 0; class < b->n_classes; class++) {
			kt_u32 to;

			if (!b->byte_of[class]) /* NUL alone */
				continue;
			to = step(b, state, class);
			b->next[state * b->n_classes + class] = to;
		}
		if (b->n > REGEX_STATES_MAX || b->n * b->n_classes > TABLE_MAX || b->work > WORK_MAX)
			return error(loc, DIAG_REGEX, "the regular expression is too complex: its automaton has more than "
				     "%u states; make it simpler or split it in two", b->n - 1);
	}
	return true;
}

static void *keep(const void *from, size_t size)
{
	void *to = arena_alloc(&program_arena, size + 1);

	return size ? memcpy(to, from, size) : to;
}

static void take_result(const struct builder *b, bool groups, struct regex *ret)
{
	const struct program_text *p = b->p;

	*ret = (struct regex){ .n_states = b->n, .n_sets = groups ? p->n_sets : 0 };
	ret->tables = (struct kt_regex){
		.class_of = keep(b->class_of, sizeof(b->class_of)),
		.next = keep(b->next, (size_t)b->n * b->n_classes * sizeof(*b->next)),
		.accept = keep(b->accept, b->n), .n_classes = b->n_classes, .start = 1, .n_groups = p->n_groups,
	};
	if (!groups)
		return;
	ret->tables.program = keep(p->inst, p->n * sizeof(*p->inst));
	ret->tables.sets = keep(p->sets, 32 * p->n_sets);
	ret->tables.n_insts = p->n;
}

bool regex_compile(struct loc loc, const char *pattern, size_t n, bool groups, struct regex *ret)
{
	struct program_text p;
	struct builder b = { .p = &p };
	bool good = regex_parse(loc, pattern, n, &p);

	if (good && groups && p.n > REGEX_GROUP_INSTS_MAX)
		good = error(loc, DIAG_REGEX, "the regular expression needs %u states, more than the %d that matched() "
			     "can follow", p.n, REGEX_GROUP_INSTS_MAX);
	if (good) {
		b.words = p.n / 64 + 1;
		b.stack = xmalloc((2 * p.n + 2) * sizeof(*b.stack));
		b.mark = xmalloc(p.n * sizeof(*b.mark));
		memset(b.mark, 0, p.n * sizeof(*b.mark));
		b.set = xmalloc(b.words * sizeof(*b.set));
		b.table = xmalloc(HASH_SIZE * sizeof(*b.table));
		memset(b.table, 0, HASH_SIZE * sizeof(*b.table));
		make_classes(&b);
		good = build(&b, loc);
		if (good)
			take_result(&b, groups, ret);
	}
	free(b.sets);
	free(b.accept);
	free(b.next);
	free(b.table);
	free(b.stack);
	free(b.mark);
	free(b.set);
	program_text_deinit(&p);
	return good;
}

/* ---- C ---- */

static void emit_bytes(struct text *t, const char *name, int number, const kt_u8 *v, kt_u32 n)
{
	emit_open(t, "static const kt_u8 re_%d_%s[] = {", number, name);
	for (kt_u32 i = 0; i < n; i += LINE_NUMBERS) {
		_cleanup_text_ struct text line = { 0 };

		for (kt_u32 j = i; j < n && j < i + LINE_NUMBERS; j++)
			text_printf(&line, "%u,", v[j]);
		emit_line(t, "%s", text_str(&line));
	}
	emit_close(t, "};");
}

static void emit_next(struct text *t, int number, const struct kt_regex *re, kt_u32 n_states)
{
	emit_open(t, "static const kt_u16 re_%d_next[] = {", number);
	for (kt_u32 state = 0; state < n_states; state++) {
		_cleanup_text_ struct text line = { 0 };

		for (kt_u32 class = 0; class < re->n_classes; class++)
			text_printf(&line, "%u,", re->next[state * re->n_classes + class]);
		emit_line(t, "%s", text_str(&line));
	}
	emit_close(t, "};");
}

static void emit_program(struct text *t, int number, const struct kt_regex *re)
{
	emit_open(t, "static const struct kt_regex_inst re_%d_program[] = {", number);
	for (kt_u32 i = 0; i < re->n_insts; i++)
		emit_line(t, "{ %u, %u, %u },", re->program[i].op, re->program[i].a, re->program[i].b);
	emit_close(t, "};");
}

void regex_emit(struct text *t, int number, const struct regex *re)
{
	const struct kt_regex *tables = &re->tables;

	emit_bytes(t, "class", number, tables->class_of, 256);
	emit_bytes(t, "accept", number, tables->accept, re->n_states);
	emit_next(t, number, tables, re->n_states);
	if (tables->n_insts) {
		emit_program(t, number, tables);
		/* Never empty: C has no such arrays. */
		emit_bytes(t, "sets", number, re->n_sets ? tables->sets : (const kt_u8 *)"", re->n_sets ? 32 * re->n_sets : 1);
	}
	emit_open(t, "static const struct kt_regex re_%d = {", number);
	emit_line(t, ".class_of = re_%d_class, .next = re_%d_next, .accept = re_%d_accept,", number, number, number);
	emit_line(t, ".n_classes = %u, .start = %u, .n_groups = %u,", tables->n_classes, tables->start, tables->n_groups);
	if (tables->n_insts)
		emit_line(t, ".program = re_%d_program, .sets = re_%d_sets, .n_insts = %u,", number, number,
			  tables->n_insts);
	emit_close(t, "};");
}
