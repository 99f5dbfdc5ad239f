/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions: pattern -> program, by recursive descent. Each level appends the code of what it read; an
 * alternative or repetition makes space in front of code that is already there.
 *
 * Jumps in the code are absolute, so code that is moved or copied is relocated: copy_code(), make_room().
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/vec.h"
#include "translator/sema/regex-parse.h"

enum { NESTING_MAX = 200, REPEAT_MAX = 12345 };

struct parser {
	const char *pattern, *at, *end;
	struct loc loc;
	struct program_text *p;
	int nesting;
	bool failed;
};

/* Reports once, at the position AT of the pattern. */
static bool fail(struct parser *s, const char *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool fail(struct parser *s, const char *at, const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;

	if (!s->failed) {
		va_start(ap, fmt);
		text_vprintf(&t, fmt, ap);
		va_end(ap);
		error(s->loc, DIAG_REGEX, "%s at position %d of the regular expression", text_str(&t),
		      (int)(at - s->pattern) + 1);
		text_deinit(&t);
	}
	s->failed = true;
	return false;
}

/* ---- code ---- */

static kt_u32 emit(struct parser *s, enum kt_regex_op op, kt_u32 a, kt_u32 b)
{
	struct program_text *p = s->p;

	if (p->n == REGEX_INSTS_MAX) {
		fail(s, s->at, "more than %d states are needed", REGEX_INSTS_MAX);
		return p->n - 1;
	}
	*vec_add(p->inst, p->n) = (struct kt_regex_inst){ .op = op, .a = a, .b = b };
	return p->n - 1;
}

static void relocate(struct kt_regex_inst *i, kt_u32 from, kt_u32 by)
{
	if (i->op != KT_RE_SPLIT && i->op != KT_RE_JUMP)
		return;
	if (i->a >= from)
		i->a += by;
	if (i->op == KT_RE_SPLIT && i->b >= from)
		i->b += by;
}

/* An instruction in front of the code from FROM on, to be written by the caller; false: there are too many. */
static bool make_room(struct parser *s, kt_u32 from)
{
	struct program_text *p = s->p;

	emit(s, KT_RE_MATCH, 0, 0);
	if (s->failed)
		return false;
	memmove(&p->inst[from + 1], &p->inst[from], (p->n - 1 - from) * sizeof(*p->inst));
	for (kt_u32 i = from + 1; i < p->n; i++)
		relocate(&p->inst[i], from, 1);
	return true;
}

/* Appends a copy of the code [FROM, TO). */
static void copy_code(struct parser *s, const struct kt_regex_inst *code, kt_u32 from, kt_u32 n)
{
	kt_u32 by = s->p->n - from;

	for (kt_u32 i = 0; i < n && !s->failed; i++) {
		struct kt_regex_inst copy = code[i];

		relocate(&copy, from, by);
		emit(s, copy.op, copy.a, copy.b);
	}
}

/* ---- sets of bytes ---- */

static void set_add(kt_u8 *set, int byte)
{
	set[byte >> 3] |= 1 << (byte & 7);
}

static void emit_set(struct parser *s, const kt_u8 *set)
{
	struct program_text *p = s->p;
	kt_u32 i = 0;

	while (i < p->n_sets && memcmp(p->sets + 32 * i, set, 32))
		i++;
	if (i == p->n_sets) {
		p->sets = vec_room(p->sets, p->n_sets, 32);
		memcpy(p->sets + 32 * p->n_sets++, set, 32);
	}
	emit(s, KT_RE_SET, i, 0);
}

static void emit_byte(struct parser *s, int byte)
{
	kt_u8 set[32] = { 0 };

	set_add(set, byte);
	emit_set(s, set);
}

/* Classes as ranges, two bytes each. */
static const struct {
	const char *name, *ranges;
} classes[] = {
	{ "alpha", "AZaz" }, { "alnum", "09AZaz" }, { "blank", "  \t\t" }, { "cntrl", "\1\37\177\177" },
	{ "digit", "09" }, { "d", "09" }, { "xdigit", "09AFaf" }, { "graph", "!~" }, { "lower", "az" },
	{ "l", "az" }, { "print", " ~" }, { "punct", "!/:@[`{~" }, { "space", "\t\r  " }, { "s", "\t\r  " },
	{ "upper", "AZ" }, { "u", "AZ" },
};

/* [:name:], the opening `[:` read. */
static bool read_class(struct parser *s, kt_u8 *set)
{
	const char *name = s->at, *colon = name;

	while (colon + 1 < s->end && !(colon[0] == ':' && colon[1] == ']'))
		colon++;
	if (colon + 1 >= s->end)
		return fail(s, name - 2, "'[:' without ':]'");
	s->at = colon + 2;
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strlen(classes[i].name) != (size_t)(colon - name) || memcmp(classes[i].name, name, colon - name))
			continue;
		for (const char *r = classes[i].ranges; *r; r += 2) {
			for (int byte = (unsigned char)r[0]; byte <= (unsigned char)r[1]; byte++)
				set_add(set, byte);
		}
		return true;
	}
	return fail(s, name, "unknown character class '%.*s'", (int)(colon - name), name);
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the escape after a backslash and returns its byte, as in strings. -1: reported. */
static int read_escape(struct parser *s)
{
	static const char named[] = "a\ab\bf\fn\nr\rt\tv\v";
	int value = 0, digits = 0;
	char c;

	if (s->at == s->end) {
		fail(s, s->at - 1, "'\\' without a character after it");
		return -1;
	}
	c = *s->at++;
	for (const char *n = named; *n; n += 2) {
		if (*n == c)
			return n[1];
	}
	if (c == 'x' && s->at < s->end && hex_value(*s->at) >= 0) {
		for (; digits < 2 && s->at < s->end && hex_value(*s->at) >= 0; digits++)
			value = 16 * value + hex_value(*s->at++);
		return value;
	}
	if (c < '0' || c > '7')
		return (unsigned char)c;
	value = c - '0';
	for (digits = 1; digits < 3 && s->at < s->end && *s->at >= '0' && *s->at <= '7'; digits++)
		value = 8 * value + (*s->at++ - '0');
	return value & 255;
}

/* [...], the opening bracket read. */
static bool read_bracket(struct parser *s)
{
	const char *open = s->at - 1, *first;
	kt_u8 set[32] = { 0 };
	bool negated = s->at < s->end && *s->at == '^';

	s->at += negated;
	for (first = s->at; s->at < s->end && (*s->at != ']' || s->at == first);) {
		const char *start = s->at;
		int from, to;

		if (start + 1 < s->end && start[0] == '[' && start[1] == ':') {
			s->at += 2;
			if (!read_class(s, set))
				return false;
			continue;
		}
		from = to = (unsigned char)*s->at++;
		if (from == '\\' && (from = to = read_escape(s)) < 0)
			return false;
		if (s->at + 1 < s->end && s->at[0] == '-' && s->at[1] != ']') {
			s->at++;
			to = (unsigned char)*s->at++;
			if (to == '\\' && (to = read_escape(s)) < 0)
				return false;
		}
		if (to < from)
			return fail(s, start, "inverted range '%.*s'", (int)(s->at - start), start);
		for (; from <= to; from++)
			set_add(set, from);
	}
	if (s->at >= s->end)
		return fail(s, open, "'[' without ']'");
	s->at++;
	for (int i = 0; negated && i < 32; i++)
		set[i] = ~set[i];
	set[0] &= ~1; /* texts hold no NUL */
	emit_set(s, set);
	return true;
}

/* ---- grammar ---- */

static bool read_alternatives(struct parser *s);

/* (...) or (?:...), the opening parenthesis read. */
static bool read_group(struct parser *s)
{
	const char *open = s->at - 1;
	bool captures = !(s->at + 1 < s->end && s->at[0] == '?' && s->at[1] == ':');
	kt_u32 group = 0;

	if (++s->nesting > NESTING_MAX)
		return fail(s, open, "parentheses are nested deeper than %d", NESTING_MAX);
	if (!captures) {
		s->at += 2;
	} else {
		group = ++s->p->n_groups;
		if (group > REGEX_GROUPS_MAX)
			return fail(s, open, "more than %d groups", REGEX_GROUPS_MAX);
		emit(s, KT_RE_SAVE, 2 * group, 0);
	}
	if (!read_alternatives(s))
		return false;
	if (s->at == s->end)
		return fail(s, open, "'(' without ')'");
	s->at++;
	s->nesting--;
	if (captures)
		emit(s, KT_RE_SAVE, 2 * group + 1, 0);
	return !s->failed;
}

/* One thing that can be repeated. Sets *ANCHOR for what cannot. */
static bool read_atom(struct parser *s, bool *anchor)
{
	char c = *s->at++;
	kt_u8 any[32];
	int byte;

	*anchor = false;
	switch (c) {
	case '(':
		return read_group(s);
	case '[':
		return read_bracket(s);
	case '^':
	case '$':
		*anchor = true;
		emit(s, c == '^' ? KT_RE_BEGIN : KT_RE_END, 0, 0);
		return !s->failed;
	case '.':
		memset(any, 255, sizeof(any));
		any[0] &= ~1;
		emit_set(s, any);
		return !s->failed;
	case '*':
	case '+':
	case '?':
		return fail(s, s->at - 1, "nothing to repeat before '%c'", c);
	case '\\':
		byte = read_escape(s);
		if (byte < 0)
			return false;
		emit_byte(s, byte);
		return !s->failed;
	default:
		emit_byte(s, (unsigned char)c);
		return !s->failed;
	}
}

/* {n}, {n,}, {n,m} at the brace; *MAX is -1 for no limit. False without a report: it is an ordinary brace. */
static bool read_counts(struct parser *s, long *min, long *max)
{
	const char *at = s->at + 1;
	char *end;

	if (at >= s->end || *at < '0' || *at > '9')
		return false;
	*min = *max = strtol(at, &end, 10);
	if (*end == ',') {
		at = end + 1;
		*max = -1;
		end = (char *)at;
		if (at < s->end && *at >= '0' && *at <= '9')
			*max = strtol(at, &end, 10);
	}
	if (end >= s->end || *end != '}')
		return false;
	if (*min > REPEAT_MAX || *max > REPEAT_MAX)
		fail(s, s->at, "a repetition of more than %d", REPEAT_MAX);
	else if (*max >= 0 && *max < *min)
		fail(s, s->at, "an inverted repetition {%ld,%ld}", *min, *max);
	s->at = end + 1;
	return true;
}

/* e* in place of the code of e, from FROM on: L: split e, out; e; jump L. */
static void star(struct parser *s, kt_u32 from)
{
	if (!make_room(s, from))
		return;
	emit(s, KT_RE_JUMP, from, 0);
	s->p->inst[from] = (struct kt_regex_inst){ KT_RE_SPLIT, from + 1, s->p->n };
}

static void optional(struct parser *s, kt_u32 from)
{
	if (make_room(s, from))
		s->p->inst[from] = (struct kt_regex_inst){ KT_RE_SPLIT, from + 1, s->p->n };
}

/* The splits at (e(e(e)?)?)? all lead to the end, which is known when all copies are there. */
static void optional_copies(struct parser *s, const struct kt_regex_inst *code, kt_u32 from, kt_u32 n, long copies)
{
	_cleanup_free_ kt_u32 *splits = xmalloc(copies * sizeof(*splits));
	kt_u32 n_splits = 0;

	while (copies-- && !s->failed) {
		splits[n_splits++] = emit(s, KT_RE_SPLIT, s->p->n + 1, 0);
		copy_code(s, code, from, n);
	}
	for (kt_u32 i = 0; i < n_splits; i++)
		s->p->inst[splits[i]].b = s->p->n;
}

/* e{min,max} in place of the code of e, from FROM on: MIN copies, then the last of them again and again, or MAX - MIN
 * optional ones. */
static void repeat(struct parser *s, kt_u32 from, long min, long max)
{
	kt_u32 n = s->p->n - from;
	struct kt_regex_inst *code;

	if (max < 0 && !min) {
		star(s, from);
		return;
	}
	code = xmalloc((n + 1) * sizeof(*code));
	memcpy(code, s->p->inst + from, n * sizeof(*code));
	if (!min)
		s->p->n = from;
	for (long i = 1; i < min && !s->failed; i++)
		copy_code(s, code, from, n);
	if (max < 0)
		emit(s, KT_RE_SPLIT, s->p->n - n, s->p->n + 1);
	else if (max > min)
		optional_copies(s, code, from, n, max - min);
	free(code);
}

/* An atom with everything that repeats it. */
static bool read_piece(struct parser *s)
{
	kt_u32 from = s->p->n;
	bool anchor;
	long min, max;

	if (!read_atom(s, &anchor))
		return false;
	while (s->at < s->end && !s->failed) {
		char c = *s->at;

		if (c == '{') {
			if (!read_counts(s, &min, &max))
				return !s->failed;
		} else if (c == '*' || c == '+' || c == '?') {
			s->at++;
			min = c == '+';
			max = c == '?' ? 1 : -1;
		} else {
			return true;
		}
		if (s->failed)
			return false;
		if (anchor)
			return fail(s, s->at - 1, "'%c' repeats an anchor", c);
		if (c == '?')
			optional(s, from);
		else
			repeat(s, from, min, max);
	}
	return !s->failed;
}

/* a|b|c: split a, L; a; jump out; L: split b, M; ... */
static bool read_alternatives(struct parser *s)
{
	kt_u32 from = s->p->n, *jumps = NULL, n_jumps = 0;

	for (;;) {
		while (!s->failed && s->at < s->end && *s->at != '|' && *s->at != ')')
			read_piece(s);
		if (s->failed || s->at == s->end || *s->at == ')')
			break;
		s->at++;
		if (!make_room(s, from))
			break;
		*vec_add(jumps, n_jumps) = emit(s, KT_RE_JUMP, 0, 0);
		s->p->inst[from] = (struct kt_regex_inst){ KT_RE_SPLIT, from + 1, s->p->n };
		from = s->p->n;
	}
	for (kt_u32 i = 0; i < n_jumps; i++)
		s->p->inst[jumps[i]].a = s->p->n;
	free(jumps);
	return !s->failed;
}

bool regex_parse(struct loc loc, const char *pattern, size_t n, struct program_text *ret)
{
	struct parser s = { .pattern = pattern, .at = pattern, .end = pattern + n, .loc = loc, .p = ret };

	*ret = (struct program_text){ 0 };
	emit(&s, KT_RE_SAVE, 0, 0);
	if (read_alternatives(&s) && s.at < s.end)
		fail(&s, s.at, "')' without '('");
	emit(&s, KT_RE_SAVE, 1, 0);
	emit(&s, KT_RE_MATCH, 0, 0);
	return !s.failed;
}

void program_text_deinit(struct program_text *p)
{
	free(p->inst);
	free(p->sets);
}
