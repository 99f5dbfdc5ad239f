/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family process events: begin, end, threads and system calls of processes, reported by the scheduler and at system calls.
 *
 *	process[("path"|PID)].begin .end .thread.begin .thread.end    no argument: every process, or those of -c and -x
 *	process[("path"|PID)].syscall, .syscall.return                $syscall, $arg1 to $arg6, $return
 */
#include <string.h>

#include "translator/probe/entry.h"
#include "translator/probe/process.h"

static const struct probe_pattern patterns[] = {
#define FORMS(base)                                                 \
	{ base ".begin", KT_PROCESS_BEGIN },                        \
	{ base ".end", KT_PROCESS_END },                            \
	{ base ".thread.begin", KT_PROCESS_THREAD_BEGIN },          \
	{ base ".thread.end", KT_PROCESS_THREAD_END },              \
	{ base ".syscall", KT_PROCESS_SYSCALL },                    \
	{ base ".syscall.return", KT_PROCESS_SYSCALL_RETURN }
	FORMS("process"),
	FORMS("process(string)"),
	FORMS("process(number)"),
	{ NULL, 0 },
};

/* Words of kt_argument(). */
enum { WORD_NUMBER, WORD_ARGUMENTS, N_ARGUMENTS = 6, WORD_RESULT = WORD_ARGUMENTS + N_ARGUMENTS };

struct event_probe {
	struct context_place cp;
	const char *path;   /* NULL: all, or a process */
	int pid;
	int event;                 /* enum kt_process_event */
	struct entry_values entry; /* of a return */
};

static const struct ctype type_long = { .kind = CT_INT, .name = "long", .size = 8, .is_signed = true };

static const struct variable *add_variable(const struct variable *rest, const char *name, unsigned word, bool parameter)
{
	struct variable *v = arena_new(&program_arena, struct variable);

	*v = (struct variable){ .name = intern(name), .type = &type_long, .parameter = parameter, .next = (void *)rest,
				.location = { .kind = LOC_ARGUMENT, .reg = word } };
	return v;
}

static const struct variable *arguments(int event)
{
	const struct variable *list = NULL;

	if (event != KT_PROCESS_SYSCALL && event != KT_PROCESS_SYSCALL_RETURN)
		return NULL;
	for (unsigned i = N_ARGUMENTS; i > 0; i--)
		list = add_variable(list, arena_printf(&program_arena, "arg%u", i), WORD_ARGUMENTS + i - 1, true);
	if (event == KT_PROCESS_SYSCALL_RETURN)
		list = add_variable(list, "return", WORD_RESULT, false);
	return add_variable(list, "syscall", WORD_NUMBER, false);
}

static void add(struct resolve *r, const struct process_file *f)
{
	struct event_probe *ep = arena_new(&program_arena, struct event_probe);
	struct place *place = arena_new(&program_arena, struct place);
	const struct component *c = r->point->parts->next;
	const char *pp = f ? f->point : "process";

	for (; c; c = c->next)
		pp = arena_printf(&program_arena, "%s.%s", pp, c->name);
	place->func = pp;
	ep->cp = (struct context_place){ .place = place, .is_tracepoint = true, .arguments = arguments(r->pattern->id) };
	ep->path = f && !f->pid ? f->path : NULL;
	ep->pid = f ? f->pid : 0;
	ep->event = r->pattern->id;
	probe_add(r, &probe_family_process_event, pp, ep);
}

/* One process, whose program need not be readable. */
static bool add_process(struct resolve *r, const struct node *pid)
{
	const struct process_file *f;
	struct trial trial = { 0 };

	if (r->point->optional)
		trial_begin(r->program->reports, &trial, TRIAL_DROPS);
	f = process_by_id(pid->num, pid->loc);
	trial_end(&trial);
	if (f)
		add(r, f);
	return f || r->point->optional;
}

static bool resolve(struct resolve *r)
{
	const struct process_file *f;
	bool optional;

	if (!r->point->parts->arg) {
		add(r, NULL);
		return true;
	}
	if (r->point->parts->arg->kind == ND_NUM)
		return add_process(r, r->point->parts->arg);
	f = process_files(r, &optional);
	if (!f)
		return optional;
	for (; f; f = f->next)
		add(r, f);
	return true;
}

/* The arguments are known at the return too: only @entry() needs what was kept. */
static void make_entry(const struct probe *pr, struct probe *helper)
{
	const struct event_probe *ep = pr->data;
	struct event_probe *own = arena_new(&program_arena, struct event_probe);

	*own = *ep;
	own->event = KT_PROCESS_SYSCALL;
	own->entry = (struct entry_values){};
	own->cp.arguments = arguments(own->event);
	helper->data = own;
	helper->pp = arena_printf(&program_arena, "%.*s", (int)(strlen(pr->pp) - strlen(".return")), pr->pp);
}

static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	struct event_probe *ep = pr->data;
	struct context_place cp = ep->cp;
	struct node *n = *np;

	cp.at_return = ep->event == KT_PROCESS_SYSCALL_RETURN;
	if (n->kind == ND_ENTRY)
		return entry_variable(p, pr, &ep->entry, &cp, make_entry, np, asked);
	if (!ep->cp.arguments) {
		error(n->loc, DIAG_TARGET_VAR, "probe '%s' has no target variables", pr->pp);
		note(n->loc, "functions such as pid() and execname() tell about the process");
		return false;
	}
	return context_variable(p, &ep->cp, np, asked);
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct event_probe *ep = pr->data;
	static const char *const events[] = {
		"KT_PROCESS_BEGIN", "KT_PROCESS_END", "KT_PROCESS_THREAD_BEGIN", "KT_PROCESS_THREAD_END",
		"KT_PROCESS_SYSCALL", "KT_PROCESS_SYSCALL_RETURN",
	};

	text_printf(t, "{ .probe = %d, .event = %s", pr->index, events[ep->event]);
	if (ep->path) {
		text_puts(t, ", .path = ");
		text_quote(t, ep->path, strlen(ep->path));
	}
	if (ep->entry.helper)
		text_printf(t, ", .entry_probe = %d, .entry_slots = %d", ep->entry.helper->index, ep->entry.room);
	text_printf(t, ", .pid = %d },", ep->pid);
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct event_probe *ep = pr->data;

	text_printf(t, "%s, tracepoint", ep->path ? ep->path : ep->pid ? "one process" : "all processes");
}

static void list_variables(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	const struct event_probe *ep = pr->data;

	if (ep->cp.arguments)
		context_list(&ep->cp, fn, data);
}

const struct probe_family probe_family_process_event = {
	.name = "process event",
	.id = KT_FAMILY_PROCESS,
	.in_programs = true,
	.patterns = patterns,
	.resolve = resolve,
	.variable = variable,
	.emit_row = emit_row,
	.describe = describe,
	.attached = "tracepoint",
	.list_variables = list_variables,
};
