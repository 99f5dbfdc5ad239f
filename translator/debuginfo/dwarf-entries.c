/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where control enters an inlined instance.
 *
 * DWARF describes a call that was inlined once, and names one entry of it. Loops that are unrolled or peeled, and paths that are copied,
 * leave several copies of the call in the ranges of the one instance, and control enters each of them. gcc puts a mark into the code where
 * a call begins, copies it with the code, and writes a row of the line table for each: a statement begins there at the place where the
 * function is declared. DW_AT_entry_pc is the address of the first row. clang has no such marks.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/program.h"

/* The entries of INSTANCE found so far, in order of address. */
struct entries {
	struct dwarf_target *t;
	Dwarf_Die instance, root;
	int line, column;        /* of the function's declaration */
	const char *file;
	uint64_t *address;
	size_t n;
};

/* Does a statement of the file of the function begin at ROW? */
static bool is_statement(struct entries *e, Dwarf_Line *row)
{
	bool begins = false, ends = false;
	Dwarf_Files *files;
	const char *file;
	size_t number;

	if (dwarf_linebeginstatement(row, &begins) || !begins || dwarf_lineendsequence(row, &ends) || ends ||
	    dwarf_line_file(row, &files, &number))
		return false;
	file = dwarf_row_file(e->t, &e->instance, number);
	return file && !strcmp(file, e->file);
}

/* Does ROW mark the beginning of a call of the function? */
static bool is_mark(struct entries *e, Dwarf_Line *row)
{
	int line, column;

	return !dwarf_lineno(row, &line) && line == e->line && !dwarf_linecol(row, &column) && column == e->column && is_statement(e, row);
}

/* Is ADDRESS in a call of the same function that was inlined into the one at PARENT? */
static bool is_of_inner(struct entries *e, Dwarf_Die *parent, uint64_t address, int depth)
{
	enum { DEPTH_MAX = 256 };
	Dwarf_Die die, root;

	if (depth > DEPTH_MAX)
		return false;
	dwarf_each_child(parent, &die) {
		int tag = dwarf_tag(&die);

		if ((tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine) || dwarf_haspc(&die, address) <= 0)
			continue;
		if (tag == DW_TAG_inlined_subroutine && dwarf_root(&die, &root) && root.addr == e->root.addr)
			return true;
		if (is_of_inner(e, &die, address, depth + 1))
			return true;
	}
	return false;
}

/* ---- to whom a mark belongs ---- */
/* Rows do not name their instance. A range is empty where its mark stands before code of the caller, and also where an instance ends before
 * the mark of the next one; and compilers move code of one instance after the mark of another. So the marks at an address are shared out among
 * the instances that have it in their ranges: to those of which it is the entry, then to those with code there, then in order. */

/* How an instance has an address. */
enum claim { CLAIM_NONE, CLAIM_EMPTY, CLAIM_CODE, CLAIM_ENTRY };

static enum claim claim_of(Dwarf_Die *instance, uint64_t address)
{
	Dwarf_Addr base, start, end, entry;
	Dwarf_Attribute attr;
	enum claim ret = CLAIM_NONE;

	if (dwarf_attr(instance, DW_AT_entry_pc, &attr) && !dwarf_formaddr(&attr, &entry) && entry == address)
		return CLAIM_ENTRY;
	for (ptrdiff_t at = 0; (at = dwarf_ranges(instance, at, &base, &start, &end)) > 0;) {
		if (address >= start && address < end)
			return CLAIM_CODE;
		if (address == start && address == end)
			ret = CLAIM_EMPTY;
	}
	return ret;
}

/* Is the instance in DIE? */
static bool is_in(struct entries *e, const Dwarf_Die *die)
{
	Dwarf_Die up = e->instance;

	while (dwarf_parent(e->t, &up, &up))
		if (up.addr == die->addr)
			return true;
	return false;
}

/* Returns how many instances below PARENT get a mark at ADDRESS before the instance does, whose claim is OWN. */
static size_t claims_below(struct entries *e, Dwarf_Die *parent, uint64_t address, enum claim own, int depth)
{
	enum { DEPTH_MAX = 256 };
	Dwarf_Die die, root;
	size_t ret = 0;

	if (depth > DEPTH_MAX)
		return 0;
	dwarf_each_child(parent, &die) {
		int tag = dwarf_tag(&die);

		if (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine)
			continue;
		if (tag == DW_TAG_inlined_subroutine && dwarf_root(&die, &root) && root.addr == e->root.addr) {
			enum claim claim = claim_of(&die, address);

			/* The ranges of an instance include those of the instances inlined into it. */
			ret += claim > own || (claim == own && (char *)die.addr < (char *)e->instance.addr && !is_in(e, &die));
		}
		ret += claims_below(e, &die, address, own, depth + 1);
	}
	return ret;
}

/* Is one of the N_MARKS at ADDRESS the instance's? */
static bool is_own(struct entries *e, uint64_t address, size_t n_marks)
{
	enum claim own = claim_of(&e->instance, address);
	Dwarf_Die around = e->instance;

	if (own == CLAIM_ENTRY)
		return true;
	while (dwarf_parent(e->t, &around, &around))
		if (dwarf_tag(&around) == DW_TAG_subprogram)
			return claims_below(e, &around, address, own, 0) < n_marks;
	return own == CLAIM_CODE;
}

/* Adds the marks in one range of the instance. */
static void scan_range(struct entries *e, Dwarf_Lines *rows, size_t n, uint64_t start, uint64_t end)
{
	size_t i = dwarf_row_from(rows, n, start);

	while (i < n) {
		Dwarf_Addr address, at;
		size_t marks = 0;

		if (dwarf_lineaddr(dwarf_onesrcline(rows, i), &address) || (address >= end && address > start))
			break;
		for (; i < n && !dwarf_lineaddr(dwarf_onesrcline(rows, i), &at) && at == address; i++)
			marks += is_mark(e, dwarf_onesrcline(rows, i));
		if (marks && !is_of_inner(e, &e->instance, address, 0) && is_own(e, address, marks))
			*vec_add(e->address, e->n) = address;
	}
}

/* Is the place of the declaration known well enough to tell a mark from other rows? */
static bool find_declaration(struct entries *e)
{
	if (!dwarf_root(&e->instance, &e->root))
		return false;
	e->line = (int)dwarf_number(&e->root, DW_AT_decl_line, 0);
	e->column = (int)dwarf_number(&e->root, DW_AT_decl_column, 0);
	if (!e->line || !e->column)
		return false;
	e->file = dwarf_file(e->t, &e->root, dwarf_number(&e->root, DW_AT_decl_file, ~0u));
	return e->file;
}

struct dwarf_entries dwarf_entries(struct dwarf_target *t, Dwarf_Die *instance)
{
	struct dwarf_entries ret = {};
	struct entries e = { .t = t, .instance = *instance };
	uint64_t entry = dwarf_entry(instance), *kept;
	Dwarf_Addr base, start, end;
	size_t n = 0;
	Dwarf_Lines *rows;
	bool declared;
	Dwarf_Die cu;

	if (!dwarf_diecu(instance, &cu, NULL, NULL) || dwarf_getsrclines(&cu, &rows, &n))
		n = 0;
	declared = n && find_declaration(&e);
	for (ptrdiff_t at = 0; declared && (at = dwarf_ranges(instance, at, &base, &start, &end)) > 0;)
		scan_range(&e, rows, n, start, end);
	ret.marked = e.n || dwarf_hasattr(instance, DW_AT_entry_pc);
	if (ret.marked ? dwarf_hasattr(instance, DW_AT_entry_pc) :
			 !t->base.program || !dwarf_flow_entries(t, instance, rows, n, &e.address, &e.n, &ret))
		*vec_add(e.address, e.n) = entry;
	if (ret.marked && t->base.program && !dwarf_flow_marks(t, instance, rows, n, &e.address, &e.n)) {
		ret.marked = false;
		ret.unsure = true;
	}
	qsort(e.address, e.n, sizeof(*e.address), by_number);
	kept = arena_array(&program_arena, uint64_t, e.n);
	for (size_t i = 0; i < e.n; i++)
		if (!ret.n || kept[ret.n - 1] != e.address[i])
			kept[ret.n++] = e.address[i];
	free(e.address);
	ret.address = kept;
	return ret;
}

/* Is ROW the first of a function? It names the brace where the function's body begins. */
static bool is_brace(struct entries *e, Dwarf_Line *row)
{
	struct elf_lookup l = {};
	struct elf_file *table;
	Dwarf_Addr address;

	if (dwarf_lineaddr(row, &address))
		return false;
	l.address = address;
	for (int i = 0; !l.symbol && (table = program_symbols(&e->t->base, i)); i++)
		elf_find_functions(table, &l, 1);
	return l.symbol && l.symbol_address == address;
}

bool dwarf_begins_at(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n, int line)
{
	struct entries e = { .t = t, .instance = *instance };
	int found = 0;

	if (!find_declaration(&e))
		return false;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		int at, column;

		if (dwarf_lineno(row, &at) || at < e.line || at > line || dwarf_linecol(row, &column) || (at == e.line && column <= e.column) ||
		    !is_statement(&e, row) || (at < line && is_brace(&e, row)))
			continue;
		if (at < line || (found && column != found))
			return false;
		found = column;
	}
	return found;
}
