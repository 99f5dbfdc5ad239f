/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of CPUs and of threads: perf.*.counter("NAME"), perf.*.process().counter("NAME"), and @perf("NAME").
 *
 * A counter is one point of the script, of several programs where that has a wildcard. Any probe may read that of its CPU. A probe
 * that reads a thread's must run in a thread that may have it: probes in programs and at their system calls, and the functions
 * they call.
 */
#include <string.h>

#include "translator/probe/perf.h"
#include "translator/probe/process.h"
#include "translator/sema/pass.h"

struct counters {
	struct program *program;
	const struct probe *reader; /* NULL: a function that is no probe's */
	bool ok;
};

/* The probe that declares NAME first. */
static struct probe *find_counter(struct program *p, const char *name)
{
	for (struct probe *pr = p->probes; pr; pr = pr->next)
		if (perf_counter(pr) && !strcmp(perf_counter(pr), name))
			return pr;
	return NULL;
}

static bool report_unknown(struct program *p, const struct node *n)
{
	struct nearest near = { .word = n->text };
	const char *any = NULL;

	error(n->loc, DIAG_PERF_COUNTER, "no probe declares a counter '%s'", n->text);
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		if (perf_counter(pr)) {
			any = perf_counter(pr);
			nearest_add(&near, any);
		}
	if (nearest_get(&near))
		note(n->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(n->loc, "probe perf.sw.page_faults.counter(\"%s\") {} would declare one", n->text);
	return false;
}

/* Does the handler run in the thread it is about, while that has its events? A process that begins has none yet; one that
 * ends has lost them. */
static bool may_read(const struct probe *pr)
{
	return pr && (pr->family == &probe_family_process ||
		      (pr->family == &probe_family_process_event && process_part(pr->point, "syscall")));
}

static bool visit(struct node *n, void *data)
{
	struct counters *c = data;
	const struct probe *pr;

	if (n->kind != ND_PERF)
		return true;
	pr = find_counter(c->program, n->text);
	if (!pr) {
		c->ok = report_unknown(c->program, n);
	} else if (!perf_counts_cpu(pr) && !may_read(c->reader)) {
		c->ok = error(n->loc, DIAG_PERF_COUNTER, "'%s' does not run in a thread that has a counter",
			      c->reader ? c->reader->pp : "a function that other probes call");
		note(n->loc, "@perf can be read in process(\"PROGRAM\") probes on code and on .syscall, and in functions that "
		     "those alone call");
	} else {
		n->num = perf_number(pr);
	}
	return true;
}

/* Aliases have blocks of their own. */
static const struct node *first_statement(const struct node *n)
{
	const struct node *found = NULL;

	if (!n || n->kind == ND_NULL_STMT)
		return NULL;
	if (n->kind != ND_BLOCK)
		return n;
	for (const struct node *s = n->list; s && !found; s = s->next)
		found = first_statement(s);
	return found;
}

static void check_handler(const struct probe *pr)
{
	const struct node *first = first_statement(pr->body);

	if (!first)
		return;
	warning(first->loc, DIAG_UNREACHABLE, "the handler of a counter never runs");
	note(first->loc, perf_counts_cpu(pr) ? "@perf(\"%s\") reads it in other probes" :
	     "@perf(\"%s\") reads it in a probe process(\"PROGRAM\")", perf_counter(pr));
}

bool counters_number(struct program *p)
{
	struct counters c = { .program = p, .ok = true };
	unsigned n = 0;

	for (struct probe *pr = p->probes; pr; pr = pr->next) {
		struct probe *first = perf_counter(pr) ? find_counter(p, perf_counter(pr)) : NULL;

		if (!first)
			continue;
		if (first == pr)
			check_handler(pr);
		if (first->point != pr->point) {
			c.ok = error(process_part(pr->point, "counter")->arg->loc, DIAG_DUPLICATE, "the counter '%s' is declared twice",
				     perf_counter(pr));
			note(process_part(first->point, "counter")->arg->loc, "first here");
			continue;
		}
		perf_set_number(pr, first == pr ? ++n : perf_number(first));
	}
	for (struct function *f = p->functions; f; f = f->next) {
		c.reader = f->probe;
		if (f->used && f->body)
			node_visit(f->body, visit, &c);
	}
	for (struct probe *pr = p->probes; pr; pr = pr->next) {
		c.reader = pr;
		if (pr->condition)
			node_visit(pr->condition, visit, &c);
		node_visit(pr->body, visit, &c);
	}
	return c.ok;
}
