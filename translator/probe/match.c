/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the family and pattern of a probe point, or says why there is none.
 *
 * A pattern is text such as "timer.s(number).randomize(number)". A point matches when the names of all components are
 * equal and each argument has the kind that the pattern gives.
 */
#include "translator/probe/probe.h"

#include <string.h>

#include "translator/syntax/habits.h"

/* One component of a pattern. */
struct piece {
	const char *name;
	size_t len;
	char arg; /* 0 none, 'n' number, 's' string */
};

/* Splits the first component off *s. False at the end of the pattern. */
static bool next_piece(const char **s, struct piece *ret)
{
	const char *p = *s;

	if (!*p)
		return false;
	ret->name = p;
	ret->len = strcspn(p, ".(");
	ret->arg = 0;
	p += ret->len;
	if (*p == '(') {
		ret->arg = p[1];
		p = strchr(p, ')') + 1;
	}
	*s = *p == '.' ? p + 1 : p;
	return true;
}

static char arg_kind(const struct component *c)
{
	return !c->arg ? 0 : c->arg->kind == ND_STR ? 's' : 'n';
}

static bool same_name(const struct piece *piece, const struct component *c)
{
	return strlen(c->name) == piece->len && !memcmp(c->name, piece->name, piece->len);
}

/* How far a point agrees with a pattern. */
struct agreement {
	int depth;                 /* components that agree from the start */
	const struct component *at; /* the first that does not; NULL: the point ended */
	struct piece expected;     /* of the pattern there; len 0: the pattern ended */
	bool only_arg;             /* the name agrees there, the argument does not */
};

static bool agrees(const char *pattern, const struct probe_point *pp, struct agreement *ret)
{
	const struct component *c = pp->parts;
	struct piece piece;
	bool more;

	*ret = (struct agreement){ 0 };
	while ((more = next_piece(&pattern, &piece)) && c) {
		if (!same_name(&piece, c))
			break;
		if (piece.arg != arg_kind(c)) {
			ret->only_arg = true;
			break;
		}
		ret->depth++;
		c = c->next;
	}
	ret->at = c;
	if (more)
		ret->expected = piece;
	else
		ret->expected.len = 0;
	return !c && !more;
}

/* The longest match of a point, and the components that patterns allow after it. */
struct diagnosis {
	const struct probe_point *pp;
	int depth;
	const struct component *at;
	struct nearest near;
	struct text follow;   /* "'.s(number)', '.ms(number)'" */
	int n_follow;
	struct text args;     /* "a number", "no argument" */
	bool name_known;
};

static const char *piece_text(const struct piece *p)
{
	return arena_printf(&program_arena, "%.*s%s", (int)p->len, p->name,
			    p->arg == 'n' ? "(number)" : p->arg == 's' ? "(string)" : "");
}

/* Adds S once, separated by SEP. */
static void add_once(struct text *t, const char *sep, const char *s)
{
	size_t len = strlen(s), n = strlen(sep);

	for (const char *have = text_str(t); (have = strstr(have, s)); have += len)
		if ((have == text_str(t) || !strncmp(have - n, sep, n)) && (!have[len] || !strncmp(have + len, sep, n)))
			return;
	if (t->len)
		text_puts(t, sep);
	text_puts(t, s);
}

static void diagnose(const struct probe_pattern *pattern, void *data)
{
	struct diagnosis *d = data;
	struct agreement a;

	agrees(pattern->text, d->pp, &a);
	if (a.depth < d->depth)
		return;
	if (a.depth > d->depth) {
		text_clear(&d->follow);
		text_clear(&d->args);
		d->n_follow = 0;
		d->name_known = false;
		d->depth = a.depth;
	}
	d->at = a.at;
	if (a.only_arg) {
		d->name_known = true;
		add_once(&d->args, " or ",
			 a.expected.arg == 'n' ? "a number" :
			 a.expected.arg == 's' ? "a string" : "no argument");
	}
	if (a.expected.len) {
		add_once(&d->follow, ", ", piece_text(&a.expected));
		d->n_follow++;
	}
}

static void add_name(const struct probe_pattern *pattern, void *data)
{
	struct diagnosis *d = data;
	struct agreement a;

	agrees(pattern->text, d->pp, &a);
	if (a.depth == d->depth && a.expected.len)
		nearest_add(&d->near, arena_strndup(&program_arena, a.expected.name, a.expected.len));
}

/* The point up to and without component C. */
static const char *head_text(const struct probe_point *pp, const struct component *c)
{
	const char *all = probe_point_text(pp);
	struct component *last = pp->parts, *rest;

	if (c == pp->parts)
		return "";
	if (!c)
		return all;
	while (last->next != c)
		last = last->next;
	rest = last->next;
	last->next = NULL;
	all = probe_point_text(pp);
	last->next = rest;
	return all;
}

void probe_report_mismatch(const struct probe_point *pp)
{
	struct diagnosis d = { .pp = pp };
	const char *head, *near;

	probe_patterns(diagnose, &d);
	head = head_text(pp, d.at);
	if (!d.at) {
		error(pp->loc, DIAG_PROBE_POINT, "probe point '%s' is not complete", head);
		note(pp->loc, "it is followed by one of: %s", text_str(&d.follow));
	} else if (d.name_known) {
		error(d.at->arg ? d.at->arg->loc : d.at->loc, DIAG_PROBE_ARG,
		      "'%s' takes %s here, not %s", d.at->name, text_str(&d.args),
		      !d.at->arg ? "nothing" : d.at->arg->kind == ND_STR ? "a string" : "a number");
		if (!habit_note(HABIT_POINT, pp->loc))
			note(d.at->loc, "write %s%s%s%s", head, *head ? "." : "", d.at->name,
			     strstr(text_str(&d.args), "string") ? "(\"NAME\")" : strstr(text_str(&d.args), "number") ? "(N)" : "");
	} else if (!d.n_follow) {
		error(d.at->loc, DIAG_PROBE_POINT, "nothing may follow '%s', but '.%s' does", head,
		      d.at->name);
	} else {
		d.near.word = d.at->name;
		probe_patterns(add_name, &d);
		near = nearest_get(&d.near);
		if (*head)
			error(d.at->loc, DIAG_PROBE_POINT, "'%s' is not known after '%s'", d.at->name,
			      head);
		else
			error(d.at->loc, DIAG_PROBE_POINT, "no probe point begins with '%s'",
			      d.at->name);
		if (habit_note(HABIT_POINT, pp->loc) || (!*head && !near && habit_note(HABIT_HEADER, d.at->loc)))
			;
		else if (near)
			note(d.at->loc, "did you mean '%s'?", near);
		else
			note(d.at->loc, "known here: %s", text_str(&d.follow));
	}
	text_deinit(&d.follow);
	text_deinit(&d.args);
}

const struct probe_family *probe_match(const struct probe_point *pp, const struct probe_pattern **ret)
{
	struct agreement a;

	for (const struct probe_family *const *f = probe_families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++)
			if (agrees(p->text, pp, &a)) {
				*ret = p;
				return *f;
			}
	return NULL;
}
