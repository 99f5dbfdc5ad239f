/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line table: statements of functions, and what is at an address.
 *
 * A row of the table belongs to a copy of a function when it lies in the copy, names the file that the function is in, and
 * lies in nothing that was inlined into it, or where that starts. A line is often in pieces; a debugger stops where the
 * first one starts, and so does a probe: one address for each line and copy. The compiler marks where a statement begins;
 * of code that it moved and did not mark, such as a return of an error at the function's end, the first piece is taken.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"

enum { DEPTH_MAX = 256 };

/* The places found so far, and the copy that is looked at. */
struct lines {
	struct dwarf_target *t;
	const struct line_query *q;
	const struct place *copy;
	Dwarf_Die die;
	const char *file;        /* of the function, as the tables name it */
	int first, last;         /* wanted, as lines of the file */
	struct place **places;
	size_t n;
	size_t own;              /* the first place of this copy */
	struct dwarf_entries entries; /* of an instance; its copies begin there */
	int caller, call;        /* lines of the function that the copy was inlined into, and of its call there */
};

static void put(struct lines *ls, struct place *p)
{
	*vec_add(ls->places, ls->n) = p;
}

/* Like COPY, at another address. */
static struct place *place_at(const struct place *copy, Dwarf_Die *die, uint64_t address, int line)
{
	struct dwarf_scope *scope = arena_new(&program_arena, struct dwarf_scope);
	struct place *p = arena_new(&program_arena, struct place);

	*p = *copy;
	p->next = NULL;
	p->address = address;
	p->at_line = line;
	p->scope = scope;
	scope->die = *die;
	scope->pc = address;
	scope->at_entry = !copy->inlined && address == copy->address;
	return p;
}

/* ---- rows ---- */
/* Does a piece of the instance DIE start at ADDRESS? */
static bool starts_at(Dwarf_Die *die, uint64_t address)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (start == address)
			return true;
	return false;
}

/* Is the row, which names the function's file, of the copy itself? Where an instance starts, or a piece of it that was moved up,
 * rows of the caller come first: those of the statements before the call, and the call's. */
static bool is_own(struct lines *ls, uint64_t address, int line)
{
	Dwarf_Die instance;

	if (ls->copy->inlined && ls->caller && line >= ls->caller && line <= ls->call && starts_at(&ls->die, address))
		return false;
	if (!dwarf_inlined_at(ls->t, &ls->die, address, false, &instance))
		return true;
	return line >= ls->copy->line && line <= (int)dwarf_number(&instance, DW_AT_call_line, 0) &&
	       starts_at(&instance, address);
}

/* Where the copy was inlined, when that is the file of its function: rows of both are then alike but for the line. */
static void find_caller(struct lines *ls)
{
	Dwarf_Die die = ls->die;

	ls->caller = ls->call = 0;
	if (!ls->copy->inlined || !ls->copy->call_file || strcmp(ls->copy->call_file, ls->file))
		return;
	while (!ls->caller && dwarf_parent(ls->t, &die, &die)) {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
			ls->caller = (int)dwarf_number(&die, DW_AT_decl_line, 0);
	}
	if (ls->caller)
		ls->call = ls->copy->call_line;
}

/* Is the row of the copy, on a line that is wanted, and a place where a STATEMENT begins, or is it not? */
static bool is_wanted(struct lines *ls, Dwarf_Line *row, uint64_t address, int line, bool statement)
{
	Dwarf_Files *files;
	const char *file;
	size_t number;
	bool is_stmt = false, ends = false;

	if (line < ls->first || line > ls->last || dwarf_linebeginstatement(row, &is_stmt) || is_stmt != statement ||
	    dwarf_lineendsequence(row, &ends) || ends || dwarf_line_file(row, &files, &number))
		return false;
	file = dwarf_row_file(ls->t, &ls->die, number);
	return file && !strcmp(file, ls->file) && is_own(ls, address, line);
}

/* Does LINE lie in a function that is declared below that of the copy? */
static bool is_below(struct lines *ls, int line)
{
	Dwarf_Die die;

	if (!dwarf_diecu(&ls->die, &die, NULL, NULL))
		return false;
	dwarf_each_child(&die, &die) {
		int declared = (int)dwarf_number(&die, DW_AT_decl_line, 0);
		const char *file;

		if (dwarf_tag(&die) != DW_TAG_subprogram || declared <= ls->copy->line || declared > line)
			continue;
		file = dwarf_file(ls->t, &die, dwarf_number(&die, DW_AT_decl_file, ~0u));
		if (file && !strcmp(file, ls->copy->file))
			return true;
	}
	return false;
}

/* Is row I, at the start of a range, without code? What lies before the range may end in such a row, after a call that does not
 * return. */
static bool is_empty(Dwarf_Lines *rows, size_t n, size_t i, uint64_t start)
{
	Dwarf_Addr next;

	return i + 1 < n && !dwarf_lineaddr(dwarf_onesrcline(rows, i + 1), &next) && next == start;
}

/* Returns which copy of an inlined call ADDRESS is in, by the entries before it. */
static size_t copy_at(const struct lines *ls, uint64_t address)
{
	size_t n = 0;

	while (n < ls->entries.n && ls->entries.address[n] <= address)
		n++;
	/* Code that was moved up; that of most copies is moved down. */
	return n ? n : ls->entries.n;
}

/* Does P stand for LINE at ADDRESS, too? */
static bool is_same(const struct lines *ls, const struct place *p, int line, uint64_t address)
{
	return p->at_line == line && copy_at(ls, p->address) == copy_at(ls, address);
}

/* The lines that have no place in the copy yet, in one range of it. */
static void scan_range(struct lines *ls, Dwarf_Lines *rows, size_t n, uint64_t start, uint64_t end, bool statement)
{
	for (size_t i = dwarf_row_from(rows, n, start); i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		Dwarf_Addr address;
		size_t have = ls->own;
		int line;

		if (dwarf_lineaddr(row, &address) || dwarf_lineno(row, &line))
			continue;
		if (address >= end)
			break;
		while (have < ls->n && !is_same(ls, ls->places[have], line, address))
			have++;
		if (have == ls->n && is_wanted(ls, row, address, line, statement) &&
		    !(address == start && is_empty(rows, n, i, start) && is_below(ls, line)))
			put(ls, place_at(ls->copy, &ls->die, address, line));
	}
}

static void scan_copy(struct lines *ls, const struct place *copy)
{
	const struct line_query *q = ls->q;
	Dwarf_Addr base, start, end;
	Dwarf_Lines *rows;
	Dwarf_Die cu;
	size_t n;

	ls->copy = copy;
	ls->die = ((const struct dwarf_scope *)copy->scope)->die;
	ls->file = copy->file;
	ls->first = q->relative ? copy->line + q->first : q->first;
	ls->last = q->relative ? copy->line + q->last : q->last;
	/* Code that moved into the function from above it was a macro or an inlined call. */
	if (ls->first < copy->line)
		ls->first = copy->line;
	ls->own = ls->n;
	if (!copy->file || !dwarf_diecu(&ls->die, &cu, NULL, NULL) || dwarf_getsrclines(&cu, &rows, &n))
		return;
	find_caller(ls);
	ls->entries = copy->inlined ? dwarf_entries(ls->t, &ls->die) : (struct dwarf_entries){};
	/* The hot part comes first: a line that is in both is probed there. */
	for (int statement = 1; statement >= 0; statement--)
		for (ptrdiff_t at = 0; (at = dwarf_ranges(&ls->die, at, &base, &start, &end)) > 0;)
			scan_range(ls, rows, n, start, end, statement);
}

/* ---- results ---- */
static int compare_places(const void *va, const void *vb)
{
	const struct place *a = *(struct place *const *)va, *b = *(struct place *const *)vb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->at_line - b->at_line;
}

/* Sorted, with the ELF symbols of the addresses. */
static struct place *finish(struct lines *ls)
{
	_cleanup_free_ struct elf_lookup *l = xmalloc((ls->n + 1) * sizeof(*l));
	struct place *first = NULL, **end = &first;

	sort_rows(ls->places, ls->n, compare_places);
	for (size_t i = 0; i < ls->n; i++)
		l[i] = (struct elf_lookup){ .address = ls->places[i]->address };
	elf_find_functions(ls->t->elf, l, ls->n);
	for (size_t i = 0; i < ls->n; i++) {
		struct place *p = ls->places[i];

		p->symbol = l[i].symbol;
		p->symbol_address = l[i].symbol ? l[i].symbol_address : 0;
		p->section = elf_section_at(ls->t->elf, p->address);
		if (!p->section)
			continue;
		*end = p;
		end = &p->next;
	}
	free(ls->places);
	return first;
}

struct place *dwarf_lines(struct target *base, const struct line_query *q)
{
	struct lines ls = { .t = (struct dwarf_target *)base, .q = q };
	struct function_query fq = { .func = q->func, .file = q->file, .inlined = true, .outlined = true, .parts = true };

	for (const struct place *p = dwarf_functions(base, &fq); p; p = p->next)
		scan_copy(&ls, p);
	return finish(&ls);
}

/* ---- labels ---- */
/* The labels below PARENT that are called like NAME; those of inlined instances are not the function's. */
static void scan_labels(struct lines *ls, Dwarf_Die *parent, const char *name, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX)
		return;
	dwarf_each_child(parent, &die) {
		const char *label;
		struct place *p;
		Dwarf_Addr pc;

		if (dwarf_tag(&die) == DW_TAG_lexical_block)
			scan_labels(ls, &die, name, depth + 1);
		/* One whose code is gone has no address. */
		if (dwarf_tag(&die) != DW_TAG_label || !dwarf_hasattr(&die, DW_AT_low_pc) || dwarf_lowpc(&die, &pc))
			continue;
		label = dwarf_diename(&die);
		if (!label || fnmatch(name, label, 0) || text_has_control(label))
			continue;
		p = place_at(ls->copy, &ls->die, pc, (int)dwarf_number(&die, DW_AT_decl_line, 0));
		p->label = label;
		put(ls, p);
	}
}

struct place *dwarf_labels(struct target *base, const struct function_query *q, const char *name)
{
	struct lines ls = { .t = (struct dwarf_target *)base };
	struct function_query all = *q;

	all.parts = true;
	all.entries = false;
	for (const struct place *p = dwarf_functions(base, &all); p; p = p->next) {
		ls.copy = p;
		ls.die = ((const struct dwarf_scope *)p->scope)->die;
		scan_labels(&ls, &ls.die, name, 0);
	}
	return finish(&ls);
}

/* ---- addresses ---- */
/* The unit's row for PC: the last one at or before it. */
static int line_at(Dwarf_Die *cu, uint64_t pc)
{
	Dwarf_Line *row = dwarf_getsrc_die(cu, pc);
	int line = 0;

	return row && !dwarf_lineno(row, &line) ? line : 0;
}

struct place *dwarf_place_at(struct target *base, uint64_t address)
{
	struct lines ls = { .t = (struct dwarf_target *)base };
	Dwarf_Die cu, function, inner;
	struct place copy = {}, *p;
	Dwarf_Addr entry = 0;

	/* Any DIE of the unit does for dwarf_function_at(). */
	if (!dwarf_unit_at(ls.t, address, &cu) || !dwarf_function_at(&cu, address, &function))
		return NULL;
	copy.inlined = dwarf_inlined_at(ls.t, &function, address, true, &inner);
	if (!copy.inlined) {
		inner = function;
		if (!dwarf_entrypc(&inner, &entry))
			copy.address = entry;
	} else {
		copy.container = dwarf_diename(&function);
		copy.call_line = (int)dwarf_number(&inner, DW_AT_call_line, 0);
		copy.call_file = dwarf_file(ls.t, &inner, dwarf_number(&inner, DW_AT_call_file, ~0u));
	}
	copy.func = dwarf_diename(&inner);
	if (!copy.func)
		return NULL;
	copy.file = dwarf_file(ls.t, &inner, dwarf_number(&inner, DW_AT_decl_file, ~0u));
	copy.line = (int)dwarf_number(&inner, DW_AT_decl_line, 0);
	p = place_at(&copy, &inner, address, line_at(&cu, address));
	put(&ls, p);
	return finish(&ls);
}
