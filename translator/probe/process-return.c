/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Returns of functions in programs: where they are probed.
 *
 * A return is probed at the instructions that return, which changes nothing that the program could see. Where they are not all known
 * the kernel replaces the return address on the stack (a uretprobe). A program that unwinds its stack, or has several, may break by it:
 * the script's author is warned, and the point is refused in Go, which moves stacks at any time, and for functions that note or unwind the
 * return address themselves.
 */
#include <string.h>

#include "translator/probe/places.h"
#include "translator/probe/process.h"

/* Functions that save the address that they return to, or unwind the stack from there. */
static const char *const address_readers[] = {
	"__cxa_rethrow", "__cxa_throw", "__sigsetjmp", "_Unwind_Backtrace", "_Unwind_ForcedUnwind", "_Unwind_RaiseException",
	"_Unwind_Resume", "_Unwind_Resume_or_Rethrow", "_setjmp", "backtrace", "getcontext", "pthread_exit", "setjmp", "sigsetjmp",
	"swapcontext", "thrd_exit",
};

static bool reads_address(const char *func)
{
	for (size_t i = 0; i < sizeof(address_readers) / sizeof(address_readers[0]); i++)
		if (!strcmp(func, address_readers[i]))
			return true;
	return false;
}

/* Returns what shows that the file F, or the program that loads it as a library, unwinds its stack. NULL: nothing does. */
static const char *unwinds(struct program *p, const struct process_file *f, const struct target *t, struct loc loc)
{
	const char *why = target_unwinds(t);
	struct target *loader;
	struct trial trial;

	if (why || !f->program)
		return why;
	trial_begin(p->reports, &trial, TRIAL_DROPS);
	loader = target_open_program(context_opened(p), f->program, loc);
	trial_end(&trial);
	return loader ? target_unwinds(loader) : NULL;
}

void process_return_find(struct program *program, struct process_probe *up, struct loc loc)
{
	struct target *t = up->cp.target;
	const struct place *p = up->cp.place;
	const struct function_ends *ends;
	bool stub = p->section && !strncmp(p->section, ".plt", 4), go = target_is_go(t);

	up->unwinds = unwinds(program, up->file, t, loc);
	if (stub) {
		up->hooked = "it is a stub, and the function in a library is not known";
	} else {
		ends = target_function_ends(t, p->address, go || up->unwinds);
		up->hooked = ends->unknown;
		if (!ends->unknown)
			up->ends = ends;
	}
	up->refused = go || reads_address(p->func) ? up->hooked : NULL;
}

/* ---- what is said ---- */
/* Takes the refused probes after BEFORE, which may be NULL, off the list. Returns the first of them. */
static const struct process_probe *drop_refused(struct resolve *r, struct probe *before)
{
	struct probe **at = before ? &before->next : &r->first;
	const struct process_probe *first = NULL;

	r->last = before;
	while (*at) {
		const struct process_probe *up = (*at)->data;

		if (!up->refused) {
			r->last = *at;
			at = &(*at)->next;
			continue;
		}
		first = first ? first : up;
		places_leave_out(r, up->cp.place, up->refused);
		*at = (*at)->next;
		r->found--;
	}
	return first;
}

static void report_place(const struct process_probe *up, bool all, struct loc loc)
{
	const char *func = context_place_name(up->cp.place), *path = target_path(up->cp.target);

	if (all)
		error(loc, DIAG_NO_MATCH, "'%s' in %s cannot be probed: %s", func, path, up->refused);
	else
		warning(loc, DIAG_NO_MATCH, "some places in %s are not probed, as '%s': %s", path, func, up->refused);
	note(loc, "probe the line after it: ktap -l 'process(\"%s\").statement(\"%s@*:*\")' lists the lines", path, up->cp.place->func);
}

static void report_refused(const struct resolve *r, const struct process_probe *up, bool all, struct loc loc)
{
	const char *func = context_place_name(up->cp.place);
	struct target *t = up->cp.target;
	bool go = target_is_go(t);

	if (all && r->point->optional)
		return;
	if (!up->hooked) {
		report_place(up, all, loc);
		return;
	}
	if (all)
		error(loc, go ? DIAG_GO_RETURN : DIAG_RETURN, "the return of '%s' in %s cannot be probed: %s", func, target_path(t), up->hooked);
	else
		warning(loc, go ? DIAG_GO_RETURN : DIAG_RETURN, "some returns in %s are not probed, as that of '%s': %s", target_path(t), func,
			up->hooked);
	if (go)
		note(loc, "to replace its return address would break the program when Go moves the stack; probe the lines where it ends: "
		     "ktap -l 'process(\"%s\").statement(\"%s@*:*\")' lists its lines", target_path(t), up->cp.place->func);
	else
		note(loc, "'%s' uses its return address, and one that was replaced would end the program", up->cp.place->func);
}

/* Counts the probes after BEFORE whose return address is replaced while the program unwinds. */
static unsigned count_hooked(const struct resolve *r, const struct probe *before, const struct process_probe **ret_first)
{
	unsigned n = 0;

	for (const struct probe *pr = before ? before->next : r->first; pr; pr = pr->next) {
		const struct process_probe *up = pr->data;

		if (up->hooked && up->unwinds && !n++)
			*ret_first = up;
	}
	return n;
}

static void warn_hooked(const struct process_probe *up, unsigned n, struct loc loc)
{
	const char *path = target_path(up->cp.target), *func = up->cp.place->func;

	if (n == 1)
		warning(loc, DIAG_RETURN, "the return address of '%s' in %s is replaced while it runs: %s", func, path, up->hooked);
	else
		warning(loc, DIAG_RETURN, "the return addresses of %u functions in %s are replaced while they run, as that of '%s': %s", n, path,
			func, up->hooked);
	note(loc, "the program may notice (%s): an exception, a panic, a cancelled thread or a switch of stacks that meets such a call ends it, "
	     "or skips destructors", up->unwinds);
}

/* One function that was asked for by its name has no return instruction. */
static void warn_endless(const struct resolve *r, const struct probe *before, struct loc loc)
{
	const struct probe *pr = before ? before->next : r->first;
	const struct process_probe *up = pr && !pr->next ? pr->data : NULL;

	if (up && up->ends && !up->ends->returns)
		warning(loc, DIAG_RETURN, "'%s' never returns: its code has no return instruction", up->cp.place->func);
}

bool process_check(struct resolve *r, struct probe *before)
{
	const struct component *c = process_part(r->point, "return");
	struct loc loc = c ? c->loc : r->point->loc;
	const struct process_probe *refused = drop_refused(r, before), *first = NULL;
	bool all = refused && (before ? !before->next : !r->first);
	unsigned n = count_hooked(r, before, &first);

	if (refused)
		report_refused(r, refused, all, loc);
	if (all)
		return r->point->optional;
	if (n)
		warn_hooked(first, n, loc);
	warn_endless(r, before, loc);
	return true;
}

/* ---- rows ---- */
static bool needs_call(const struct process_probe *up)
{
	return up->entry.helper || up->cp.place->calls;
}

bool process_return_keeps(const struct process_probe *up)
{
	return needs_call(up) || (up->ends && up->ends->followed);
}

const char *process_return_kind(const struct process_probe *up, const struct function_end *end)
{
	switch (end->kind) {
	case END_RETURNS:
	case END_FOLLOWED:
		return "KT_UPROBE_END";
	case END_JUMPS:
		return process_return_keeps(up) ? "KT_UPROBE_JUMP" : NULL;
	case END_STARTS:
		return process_return_keeps(up) ? "KT_UPROBE_REACHED" : NULL;
	}
	bug("end %d", end->kind);
}

void process_return_emit_end(struct text *t, const struct process_probe *up, const struct function_end *end)
{
	if (end->condition)
		text_printf(t, ", .condition = %u", end->condition);
	if (end->pops)
		text_printf(t, ", .pops = %u", end->pops);
	if (process_return_keeps(up) && (end->kind == END_RETURNS || end->kind == END_FOLLOWED))
		text_printf(t, ", .call = %s", needs_call(up) || end->kind == END_FOLLOWED ? "KT_UPROBE_CALL_NEEDED" : "KT_UPROBE_CALL_ENDS");
}

void process_return_describe(struct text *t, const struct process_probe *up)
{
	const char *between = " at";

	if (!up->ends) {
		text_printf(t, ", uretprobe: %s", up->hooked);
		return;
	}
	text_puts(t, up->ends->returns ? ", uprobe" : ", never returns");
	for (size_t i = 0; i < up->ends->n; i++) {
		if (up->ends->end[i].kind != END_RETURNS && up->ends->end[i].kind != END_FOLLOWED)
			continue;
		text_printf(t, "%s %#llx", between, (unsigned long long)up->ends->end[i].address);
		between = ",";
	}
}
