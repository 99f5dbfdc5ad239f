/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family data: watchpoints on the kernel's memory, by the processor's debug registers.
 *
 *	kernel.data(ADDRESS)[.length(N)].write    handlers run when something was written there
 *	kernel.data(ADDRESS)[.length(N)].rw       or read
 *	kernel.data("SYMBOL")[.length(N)]...      a variable of the kernel by name
 *
 * An address is one of the running kernel. A symbol comes from the kernel's System.map, which must therefore belong to
 * the running kernel; without a length all of it is watched, as far as one register reaches.
 */
#include <string.h>

#include "lib/packages.h"
#include "translator/probe/context.h"
#include "translator/probe/probe.h"
#include "translator/probe/watch.h"

enum variant {
	DATA_WRITE,
	DATA_RW,
};

#define DATA_PATTERNS(argument) \
	{ "kernel.data(" argument ").write", DATA_WRITE }, { "kernel.data(" argument ").rw", DATA_RW }, \
	{ "kernel.data(" argument ").length(number).write", DATA_WRITE }, \
	{ "kernel.data(" argument ").length(number).rw", DATA_RW }

static const struct probe_pattern patterns[] = {
	DATA_PATTERNS("number"),
	DATA_PATTERNS("string"),
	{ NULL, 0 },
};

/* ---- the place ---- */
/* Finds the symbol; false: reported, or there is none and the caller says so. */
static bool find_symbol(const struct resolve *r, const struct node *arg, struct kernel_variable *ret)
{
	const struct kernel *k = kernel_find(r->program->reports, r->program->platform.release);
	struct nearest near = { .word = arg->text };

	if (!k)
		return false;
	if (!k->system_map) {
		error(arg->loc, DIAG_NO_DEBUGINFO, "variables of kernel %s cannot be found: its System.map %s", k->release,
		      kernel_unreadable_map(k) ? "cannot be read" : "is not installed");
		kernel_note_unreadable(k, r->program->reports);
		note(arg->loc, "give the address that /proc/kallsyms shows, or install it");
		package_note(r->program->reports, PACKAGE_DEBUGINFO, k->release, "the kernel's debugging information");
		return false;
	}
	if (kernel_variable(k, arg->text, ret, &near))
		return watch_one_of_name(arg, ret->number, "the kernel") && context_kernel(r->program);
	if (ret->per_cpu) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' is a per-CPU variable, which has an address on each CPU", arg->text);
		note(arg->loc, "give the address of one CPU's copy");
		return false;
	}
	if (r->point->optional)
		return false;
	error(arg->loc, DIAG_NO_MATCH, "'%s' is no variable of the kernel", arg->text);
	if (nearest_get(&near))
		note(arg->loc, "did you mean '%s'?", nearest_get(&near));
	return false;
}

static bool resolve(struct resolve *r)
{
	const struct node *arg = probe_arg(r->point, 1);
	struct watch *w = arena_new(&program_arena, struct watch);
	uint64_t size = 1;

	w->reads = r->pattern->id == DATA_RW;
	if (arg->kind == ND_NUM) {
		w->address = (uint64_t)arg->num;
	} else {
		struct kernel_variable v;

		if (!find_symbol(r, arg, &v))
			return r->point->optional;
		w->symbol = arg->text;
		w->address = v.address;
		size = v.size;
	}
	if (w->address >> 63 == 0) {
		error(arg->loc, DIAG_PROBE_ARG, "%#llx is no address of the kernel", (unsigned long long)w->address);
		note(arg->loc, "the kernel's half begins at 0x8000000000000000; process(\"PROGRAM\").data watches a program");
		return false;
	}
	if (!watch_settle(r, w, arg, size))
		return false;
	probe_add(r, &probe_family_data, probe_point_text(r->point), w);
	return true;
}

const struct watch *data_watch(const struct probe *pr)
{
	return pr->family == &probe_family_data ? pr->data : NULL;
}

/* ---- output ---- */
static void emit_row(struct text *t, const struct probe *pr)
{
	const struct watch *w = pr->data;

	text_printf(t, "{ .probe = %d, .reads = %d, .address = %#llxULL, .length = %u, .linked = %d },", pr->index, w->reads,
		    (unsigned long long)w->address, w->length, w->symbol != NULL);
}

static void describe(struct text *t, const struct probe *pr)
{
	watch_describe(t, pr->data);
}

const struct probe_family probe_family_data = {
	.name = "data",
	.id = KT_FAMILY_DATA,
	.patterns = patterns,
	.resolve = resolve,
	.emit_row = emit_row,
	.describe = describe,
	.attached = "watchpoint",
};
