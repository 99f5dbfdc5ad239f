/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From written probe points to places: aliases, wildcards, ? and !, then the family's resolve.
 *
 * A point is, in this order: a wildcard over names, an alias, a point of a family, an alias with a suffix. Bodies of
 * aliases are put around the body of the script: the prologue of the alias nearest to the place comes first.
 */
#include <string.h>

#include "lib/text.h"
#include "translator/debuginfo/target.h"
#include "translator/platform/needs.h"
#include "translator/sema/alias.h"
#include "translator/sema/glob.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"
#include "translator/syntax/habits.h"

enum { POINTS_DEFAULT = 100000 }; /* without -DMAXPOINTS */
enum { RELATIVES_SHOWN = 8 };

struct expansion {
	struct program *program;
	const struct probe_def *def;
	struct probe_point *written;
	struct probe **tail;   /* end of program->probes */
	struct node *shared;   /* the composed body of aliases, made once for a chain */
	struct trial *of_bodies; /* what bodies are reported to: wildcards are trials of points, not of bodies. NULL: no trial */
	bool unfit;            /* a body could not be computed at its place */
};

/* Each returns the number of probes made, or -1 after an error was reported. */
static int expand_point(struct expansion *x, struct probe_point *pp, const struct alias_step *steps);

/* ---- families ---- */

static bool compute_body(struct expansion *x, struct probe *pr)
{
	struct trial *of_point = trial_switch(x->program->reports, x->of_bodies);
	bool fits = target_expand(x->program, pr);

	trial_switch(x->program->reports, of_point);
	x->unfit |= !fits;
	return fits;
}

/* Own bodies and accesses for probes whose bodies depend on the place. */
static bool finish_probes(struct expansion *x, struct resolve *r)
{
	bool dependent;

	/* Nothing will run: what the bodies of aliases would read is of no interest. */
	if (x->program->output.list)
		return true;
	dependent = target_dependent(x->program, r->body) ||
			 (r->point->condition && target_dependent(x->program, r->point->condition));

	for (struct probe *pr = r->first; pr; pr = pr->next) {
		/* Made while the probe before it was expanded: its body is its own already. */
		if (pr->helper) {
			if (!compute_body(x, pr))
				return false;
			continue;
		}
		if (pr->condition)
			pr->condition = node_clone(pr->condition);
		if (!dependent)
			continue;
		pr->body = node_clone(r->body);
		if (!compute_body(x, pr))
			return false;
	}
	return true;
}

/* Refuses a point of a family that the kernel was built without. */
static bool kernel_has(const struct resolve *r, const struct probe_family *f)
{
	for (const struct need *n = needs; n->option; n++)
		if (n->families & 1u << f->id && n->required && !probe_option(r, n->option))
			return false;
	return true;
}

static int expand_family(struct expansion *x, struct probe_point *pp, const struct alias_step *steps,
			 const struct probe_family *f, const struct probe_pattern *pattern)
{
	struct resolve r = {
		.program = x->program,
		.def = x->def,
		.point = pp,
		.written = x->written,
		.alias_chain = alias_chain_text(steps),
		.pattern = pattern,
	};

	if (x->program->platform.runtime == RUNTIME_USER && !f->user_runtime) {
		error(pp->loc, DIAG_UNSUPPORTED, "'%s' does not exist in --runtime=user",
		      probe_point_text(pp));
		note(pp->loc, "a process has begin, end, error and timer probes");
		return -1;
	}
	if (!f->user_runtime && !kernel_has(&r, f))
		return -1;
	if (steps && !x->shared)
		x->shared = alias_body(x->program, x->def, steps);
	r.body = steps ? x->shared : x->def->body;
	if (!f->resolve(&r) || !finish_probes(x, &r))
		return -1;
	if (r.found) {
		*x->tail = r.first;
		/* Helpers may stand after the last probe of the family. */
		for (x->tail = &r.last->next; *x->tail; x->tail = &(*x->tail)->next)
			;
	}
	return r.found;
}

/* ---- aliases ---- */

static int count_parts(const struct component *c)
{
	int n = 0;

	for (; c; c = c->next)
		n++;
	return n;
}

/* Number of components of PP that the alias's name takes, 0: it is another one. */
static int alias_head(const struct alias *a, const struct probe_point *pp)
{
	const struct component *c = pp->parts, *name = a->name;
	int n = 0;

	for (; name; name = name->next, c = c->next, n++)
		if (!c || c->name != name->name || c->arg)
			return 0;
	return n;
}

static struct node *both_conditions(struct node *a, struct node *b)
{
	struct node *n;

	if (!a || !b)
		return a ? a : b;
	n = node_new(ND_BINARY, a->loc);
	n->op = OP_LAND;
	n->kid[0] = node_clone(a);
	n->kid[1] = node_clone(b);
	return n;
}

/* Is C the last component and `call`? Nothing may follow that: a suffix chooses the kind of probe itself. */
static bool is_last_call(const struct component *c)
{
	return !c->next && !c->arg && !strcmp(c->name, "call");
}

/* Copies POINT of an alias with the components after the alias's name in PP appended. The `.call` of the library's aliases only keeps
 * inlined copies out, so a suffix replaces it. */
static struct probe_point *apply_suffix(const struct probe_point *point, const struct probe_point *pp,
					int head)
{
	struct probe_point *copy = arena_new(&program_arena, struct probe_point);
	struct component **tail = &copy->parts;
	struct component *rest = pp->parts;

	*copy = *point;
	copy->next = NULL;
	copy->condition = both_conditions(pp->condition, point->condition);
	while (head-- > 0)
		rest = rest->next;
	if (!rest)
		return copy;
	for (const struct component *c = point->parts; c && !is_last_call(c); c = c->next) {
		*tail = arena_new(&program_arena, struct component);
		**tail = *c;
		tail = &(*tail)->next;
	}
	*tail = rest;
	return copy;
}

static bool alias_recurses(const struct alias *a, const struct alias_step *steps, const struct probe_point *pp)
{
	const char *name;
	int depth = steps ? steps->depth : 0;

	while (steps && steps->alias != a)
		steps = steps->outer;
	if (!steps && depth < ALIAS_DEPTH_MAX)
		return false;
	name = probe_point_text(&(struct probe_point){ .parts = a->name });
	if (steps)
		error(a->loc, DIAG_ALIAS_LOOP, "alias '%s' refers to itself", name);
	else
		error(a->loc, DIAG_LIMIT, "aliases are nested more than %d deep at '%s'", ALIAS_DEPTH_MAX, name);
	note(pp->loc, "by this probe point");
	return true;
}

static int expand_alias(struct expansion *x, struct probe_point *pp, const struct alias_step *steps,
			const struct alias *a, int head)
{
	struct alias_step step = {
		.alias = a,
		.point = pp,
		.outer = steps,
		.depth = steps ? steps->depth + 1 : 1,
	};
	struct node *outer_body = x->shared;
	int found = 0;

	if (alias_recurses(a, steps, pp))
		return -1;
	x->shared = NULL;
	for (const struct probe_point *alt = a->points; alt; alt = alt->next) {
		int n = expand_point(x, apply_suffix(alt, pp, head), &step);

		if (n < 0)
			return -1;
		found += n;
		if (n && alt->sufficient)
			break;
	}
	x->shared = outer_body;
	return found;
}

/* All aliases whose name takes exactly HEAD components of PP. */
static int expand_aliases(struct expansion *x, struct probe_point *pp, const struct alias_step *steps, int head)
{
	int found = 0;

	for (const struct alias *a = x->program->aliases; a; a = a->next) {
		int n;

		if (alias_head(a, pp) != head)
			continue;
		n = expand_alias(x, pp, steps, a, head);
		if (n < 0)
			return -1;
		found += n;
	}
	return found;
}

/* The longest head of PP that is an alias's name. */
static int longest_alias(const struct program *p, const struct probe_point *pp)
{
	int best = 0;

	for (const struct alias *a = p->aliases; a; a = a->next) {
		int n = alias_head(a, pp);

		if (n > best)
			best = n;
	}
	return best;
}

/* ---- wildcards ---- */

/* A set of concrete points that a wildcard stands for, each once. */
struct names {
	const struct probe_point *pp;
	struct probe_point *first, **tail;
};

static bool has_wildcard(const struct component *c)
{
	while (c && !strchr(c->name, '*'))
		c = c->next;
	return c;
}

static const char *dotted_name(const struct component *c)
{
	_cleanup_text_ struct text t = { 0 };

	for (; c; c = c->next)
		text_printf(&t, "%s%s", t.len ? "." : "", c->name);
	return intern(text_str(&t));
}

static bool same_points(const struct component *a, const struct component *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->name != b->name || a->arg != b->arg)
			return false;
	return !a && !b;
}

static void add_point(struct names *ns, struct component *parts)
{
	struct probe_point *pp;

	for (pp = ns->first; pp; pp = pp->next)
		if (same_points(pp->parts, parts))
			return;
	pp = arena_new(&program_arena, struct probe_point);
	*pp = *ns->pp;
	pp->parts = parts;
	pp->next = NULL;
	*ns->tail = pp;
	ns->tail = &pp->next;
}

static struct component *new_component(const char *name, size_t len, const struct component *like)
{
	struct component *c = arena_new(&program_arena, struct component);

	c->name = intern_n(name, len);
	c->loc = like->loc;
	return c;
}

/* Matches components from C on with the pattern text S; on success the concrete components. */
static bool match_parts(const struct component *c, const char *s, struct component **ret)
{
	*ret = NULL;
	if (!c || !*s)
		return !c && !*s;
	/* Without ** one component stands for one; with it for as many as agree. */
	for (const char *end = s; ; end++) {
		size_t len;
		const char *after;
		struct component *head, **tail = &head, *rest;
		bool arg, last;

		end += strcspn(end, ".(");
		arg = *end == '(';
		after = arg ? strchr(end, ')') + 1 : end;
		last = !*after;
		after += *after == '.';
		len = (size_t)(end - s);
		if (arg == !!c->arg && glob_dotted(c->name, arena_strndup(&program_arena, s, len), false) &&
		    match_parts(c->next, after, &rest)) {
			for (const char *at = s; at < end; at++) {
				size_t n = strcspn(at, ".(");

				*tail = new_component(at, n, c);
				(*tail)->arg = arg && at + n == end ? c->arg : NULL;
				tail = &(*tail)->next;
				at += n;
			}
			*tail = rest;
			*ret = head;
			return true;
		}
		if (arg || last || !strstr(c->name, "**"))
			return false;
	}
}

/* Does PP match in full, or a head of it with a suffix after it, the alias named NAME? Adds the points. A suffix has no wildcard. */
static void add_alias(struct names *ns, const char *name)
{
	struct component *parts, *head = NULL, **tail = &head;

	if (match_parts(ns->pp->parts, name, &parts))
		add_point(ns, parts);
	for (const struct component *c = ns->pp->parts; c->next; c = c->next) {
		struct component **end = &parts;

		*tail = arena_new(&program_arena, struct component);
		**tail = *c;
		(*tail)->next = NULL;
		tail = &(*tail)->next;
		if (has_wildcard(c->next) || !match_parts(head, name, &parts))
			continue;
		while (*end)
			end = &(*end)->next;
		*end = c->next;
		add_point(ns, parts);
	}
}

static void add_pattern(const struct probe_pattern *pattern, void *data)
{
	struct names *ns = data;
	struct component *parts;

	if (match_parts(ns->pp->parts, pattern->text, &parts))
		add_point(ns, parts);
}

static int expand_wildcard(struct expansion *x, struct probe_point *pp, const struct alias_step *steps)
{
	struct names ns = { .pp = pp, .tail = &ns.first };
	int found = 0;

	tapset_need_alias(x->program, dotted_name(pp->parts));
	for (const struct alias *a = x->program->aliases; a; a = a->next)
		add_alias(&ns, dotted_name(a->name));
	probe_patterns(add_pattern, &ns);
	if (!ns.first) {
		error(pp->loc, DIAG_NO_MATCH, "no probe point is named like '%s'", probe_point_text(pp));
		note(pp->loc, "* stands for one component or part of it, ** for several");
		return -1;
	}
	for (struct probe_point *one = ns.first; one; one = one->next) {
		int n;

		/* Of several those count that exist: vfs_read may not be .inline. A listing shows those. */
		one->variant = ns.first->next;
		one->optional |= x->program->output.list != NULL;
		n = expand_point(x, one, steps);
		if (n < 0)
			return -1;
		found += n;
	}
	if (found || !ns.first->variant)
		return found;
	ns.first->variant = false;
	return expand_point(x, ns.first, steps);
}

/* ---- points ---- */

/* Dotted names A and B have the same first part, or the same rest: else one is hardly a slip of the other. */
static bool alike(const char *a, const char *b)
{
	size_t n = strcspn(a, "."), m = strcspn(b, ".");

	return !strcmp(a + n, b + m) || (n == m && !strncmp(a, b, n));
}

/* The names of aliases that begin like a point, of which some are shown. */
struct relatives {
	const char *head; /* first component of the point */
	bool family;      /* a family's points begin so too */
	struct text list;
	int n;
};

static void add_relative(const char *name, void *data)
{
	struct relatives *r = data;
	size_t len = strlen(r->head);

	if (strncmp(name, r->head, len) || name[len] != '.' || strpbrk(name, "*?") || r->n++ >= RELATIVES_SHOWN)
		return;
	text_printf(&r->list, "%s%s", r->n > 1 ? ", " : "", name);
}

static void find_family(const struct probe_pattern *pattern, void *data)
{
	struct relatives *r = data;
	size_t len = strlen(r->head);

	r->family |= !strncmp(pattern->text, r->head, len) && (!pattern->text[len] || strchr(".(", pattern->text[len]));
}

/* Reports a point of a group of aliases that has none of its name; false: there is no such group. */
static bool report_relatives(struct program *p, const struct probe_point *pp, const char *name)
{
	struct relatives r = { .head = pp->parts->name };

	probe_patterns(find_family, &r);
	for (const struct alias *a = p->aliases; a && !r.family; a = a->next)
		add_relative(dotted_name(a->name), &r);
	if (!r.family)
		tapset_alias_names(p, add_relative, &r);
	if (r.n) {
		error(pp->loc, DIAG_PROBE_POINT, "no probe point or alias is named '%s'", name);
		note(pp->loc, "there are: %s%s", text_str(&r.list), r.n > RELATIVES_SHOWN ? ", ..." : "");
		note(pp->loc, "ktap -l '%s.**' lists them", r.head);
	}
	text_deinit(&r.list);
	return r.n > 0;
}

static void report_unknown(struct program *p, const struct probe_point *pp)
{
	const char *name = dotted_name(pp->parts);
	struct nearest near = { .word = name };

	for (const struct alias *a = p->aliases; a; a = a->next)
		nearest_add(&near, dotted_name(a->name));
	tapset_alias_names(p, nearest_add_name, &near);
	if (nearest_get(&near) && alike(name, nearest_get(&near))) {
		error(pp->loc, DIAG_PROBE_POINT, "no probe point or alias is named '%s'", name);
		if (!habit_note(HABIT_POINT, pp->loc) && !tapset_note_alias(p, name, pp->loc))
			note(pp->loc, "did you mean '%s'?", nearest_get(&near));
	} else if (!report_relatives(p, pp, name)) {
		probe_report_mismatch(pp);
		tapset_note_alias(p, name, pp->loc);
	}
}

static int expand_concrete(struct expansion *x, struct probe_point *pp, const struct alias_step *steps)
{
	const struct probe_pattern *pattern;
	const struct probe_family *f;
	int head;

	tapset_need_alias(x->program, dotted_name(pp->parts));
	head = longest_alias(x->program, pp);
	if (head && head == count_parts(pp->parts))
		return expand_aliases(x, pp, steps, head);
	f = probe_match(pp, &pattern);
	if (f)
		return expand_family(x, pp, steps, f, pattern);
	if (head)
		return expand_aliases(x, pp, steps, head);
	report_unknown(x->program, pp);
	return -1;
}

/* Counts PP. False: it is one too many, which was reported; ? and wildcards do not go on after that. */
static bool count_point(struct program *p, const struct expansion *x)
{
	int64_t most = language_limit(&p->language, "MAXPOINTS", POINTS_DEFAULT);
	struct trial *trial;

	if (p->full || p->points++ < most)
		return !p->full;
	p->full = true;
	trial = trial_switch(p->reports, NULL);
	error(x->written->loc, DIAG_LIMIT, "aliases and wildcards stand for more than %lld probe points", (long long)most);
	note(x->written->loc, "name fewer of them, or allow more with -DMAXPOINTS=%lld", (long long)most * 10);
	trial_switch(p->reports, trial);
	return false;
}

static int expand_point(struct expansion *x, struct probe_point *pp, const struct alias_step *steps)
{
	bool optional = pp->optional || pp->sufficient, tolerant = optional || pp->variant;
	struct reports *reports = program_reports(x->program);
	struct trial trial = { 0 }, *of_bodies = x->of_bodies;
	struct probe **tail = x->tail;
	int errors = reports->errors, n;

	if (!count_point(x->program, x))
		return -1;
	if (tolerant)
		trial_begin(reports, &trial, TRIAL_DROPS);
	if (optional)
		x->of_bodies = &trial;
	n = has_wildcard(pp->parts) ? expand_wildcard(x, pp, steps) : expand_concrete(x, pp, steps);
	if (n == 0 && !tolerant) {
		error(pp->loc, DIAG_NO_MATCH, "'%s' matches nothing in the target", probe_point_text(pp));
		note(pp->loc, "append ? to the point to go on without it");
		n = -1;
	}
	trial_end(&trial);
	x->of_bodies = of_bodies;
	if (n < 0 && !x->program->full && (optional || (tolerant && reports->errors == errors))) {
		/* The results of a failed alternative go with it. */
		x->tail = tail;
		*tail = NULL;
		n = 0;
		if (x->unfit && pp == x->written) {
			warning(pp->loc, DIAG_TARGET_VAR, "'%s' is left out: the handler cannot run there",
				probe_point_text(pp));
			note(pp->loc, "without the %c, the reason is reported", pp->sufficient ? '!' : '?');
		}
	}
	return n;
}

bool expand_probes(struct program *p, struct probe_def *def)
{
	struct expansion x = { .program = p, .tail = &p->probes, .of_bodies = program_reports(p)->trial };
	bool ok = true;

	while (*x.tail)
		x.tail = &(*x.tail)->next;
	for (; def && !p->full; def = def->next) {
		const struct probe_point *passed = NULL; /* the first alternative that gave no probe */

		if (def->expanded)
			continue;
		def->expanded = true;
		x.def = def;
		for (struct probe_point *pp = def->points; pp; pp = pp->next) {
			int n;

			x.written = pp;
			p->current = pp->loc;
			x.shared = NULL;
			x.unfit = false;
			n = expand_point(&x, pp, NULL);
			if (n < 0) {
				ok = false;
				if (passed)
					note(passed->loc, "nor is there a probe for '%s': without its ! the reason is reported",
					     probe_point_text(passed));
				passed = NULL;
			}
			if (n > 0 && pp->sufficient)
				break;
			if (n == 0 && pp->sufficient && !passed)
				passed = pp;
		}
	}
	return ok;
}
