/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places that debug registers watch, in the kernel and in programs.
 *
 *	process(...).data(ADDRESS)[.length(N)].write|.rw    an address of the process
 *	process(...).data("SYMBOL")...                      a variable of the program by name, wherever the program lies
 *
 * The perf family has the probes in programs: they are events of the threads.
 */
#include "translator/probe/watch.h"

#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/program.h"
#include "translator/machine/machine.h"

/* Debug registers of a processor of the architectures that we know, and the bytes that one watches. */
enum {
	WATCH_REGISTERS = 4,
	WATCH_BYTES_MAX = 8,
};

static bool is_length(uint64_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

/* The most bytes from ADDRESS on, SIZE at most, that one register can watch. */
static unsigned longest(uint64_t address, uint64_t size)
{
	unsigned length = WATCH_BYTES_MAX;

	while (length > 1 && (length > size || address % length))
		length /= 2;
	return length;
}

/* Registers that the script's points have taken so far. */
static int n_taken(const struct resolve *r)
{
	int n = 0;

	for (const struct probe *pr = r->program->probes; pr; pr = pr->next)
		n += data_watch(pr) || perf_watch(pr);
	return n;
}

/* Some kernels (arm64) step over a watched access for perf's own events only. With a handler of ours the exception would come again
 * for ever. */
static bool is_stepped_over(const struct resolve *r, const struct node *arg)
{
	const struct machine *m = platform_machine(&r->program->platform);

	if (!m->hangs_on_watchpoints)
		return true;
	error(arg->loc, DIAG_NO_FEATURE, "an %s kernel has no watchpoints for '%s'", m->script, probe_point_text(r->point));
	note(arg->loc, "it does not step over the access, and the machine would hang; probe the functions that write there");
	return false;
}

bool watch_settle(const struct resolve *r, struct watch *w, const struct node *arg, uint64_t size)
{
	const struct component *c = process_part(r->point, "length");
	const struct node *length = c ? c->arg : NULL;

	if (!is_stepped_over(r, arg))
		return false;
	if (length && !is_length((uint64_t)length->num)) {
		error(length->loc, DIAG_PROBE_ARG, "the length is %lld, expected 1, 2, 4 or 8", length->num);
		return false;
	}
	w->length = length ? (unsigned)length->num : longest(w->address, size);
	if (w->address % w->length) {
		error((length ? length : arg)->loc, DIAG_PROBE_ARG, "%#llx is not a multiple of the length %u",
		      (unsigned long long)w->address, w->length);
		note(arg->loc, "one debug register watches %u byte%s here; use several probes for more",
		     longest(w->address, WATCH_BYTES_MAX), longest(w->address, WATCH_BYTES_MAX) == 1 ? "" : "s");
		return false;
	}
	if (n_taken(r) >= WATCH_REGISTERS) {
		error(r->point->loc, DIAG_PROBE_POINT, "this is watchpoint %d of the script, and a processor has %d",
		      n_taken(r) + 1, WATCH_REGISTERS);
		note(r->point->loc, "watch fewer places, or adjacent ones by one probe with a larger .length()");
		return false;
	}
	return true;
}

bool watch_one_of_name(const struct node *arg, unsigned n, const char *where)
{
	if (n == 1)
		return true;
	error(arg->loc, DIAG_PROBE_ARG, "%u static variables of %s are called '%s'", n, where, arg->text);
	note(arg->loc, "give the address of one of them");
	return false;
}

void watch_describe(struct text *t, const struct watch *w)
{
	text_printf(t, "%#llx ", (unsigned long long)w->address);
	if (w->symbol)
		text_printf(t, "%s ", w->symbol);
	text_printf(t, "%s of %u byte%s, debug register", w->reads ? "reads and writes" : "writes", w->length,
		    w->length == 1 ? "" : "s");
}

/* ---- programs ---- */
static bool find_variable(const struct resolve *r, struct target *t, const struct node *arg, struct watch *ret, uint64_t *ret_size)
{
	struct nearest near = { .word = arg->text };
	const struct elf_file *e;

	for (int i = 0; (e = program_symbols(t, i)); i++) {
		GElf_Sym sym;
		unsigned n = elf_object(e, arg->text, &sym);

		if (!n)
			continue;
		ret->address = sym.st_value;
		*ret_size = sym.st_size;
		return watch_one_of_name(arg, n, target_path(t));
	}
	if (r->point->optional)
		return false;
	error(arg->loc, DIAG_NO_MATCH, "'%s' is not a variable in the symbol table of %s", arg->text, target_path(t));
	for (int i = 0; (e = program_symbols(t, i)); i++)
		elf_object_names(e, nearest_add_name, &near);
	if (nearest_get(&near))
		note(arg->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(arg->loc, "give the address that the process has it at");
	return false;
}

bool process_watch(const struct resolve *r, const struct process_file *f, struct watch *ret)
{
	const struct node *arg = process_part(r->point, "data")->arg;
	struct target *t = target_open_program(context_opened(r->program), f->path, r->point->loc);
	uint64_t size = 1;

	if (!t)
		return false;
	if (arg->kind == ND_NUM) {
		ret->address = (uint64_t)arg->num;
		if (ret->address >> 47)
			return error(arg->loc, DIAG_PROBE_ARG, "%#llx is not an address of a program", (unsigned long long)ret->address);
	} else {
		if (!find_variable(r, t, arg, ret, &size))
			return false;
		ret->symbol = arg->text;
		ret->code = elf_code_start(target_elf(t));
	}
	return watch_settle(r, ret, arg, size);
}
