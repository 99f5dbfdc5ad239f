/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of inlined functions that the debugging information lacks.
 *
 * LLVM makes one instruction of equal ones in two branches, and gives it line 0. Where they belonged to two calls of an inlined function, that
 * instruction belongs to the caller, and neither call has an instance. Such code is found by the variable that it writes: the one that the first
 * statement of the inlined function writes. Calls in such statements do not help: other code calls the same functions.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/program.h"
#include "translator/machine/instruction.h"

/* A store of line 0. */
struct merged_code {
	uint64_t store;    /* as instruction_store() returns it; rows are sorted by it */
	uint64_t address;
};

struct dwarf_merged {
	struct Dwarf_CU *unit;
	struct merged_code *code;
	size_t n;
};

/* Adds the stores from START to END. */
static void add_range(struct dwarf_target *t, struct dwarf_merged *m, uint64_t start, uint64_t end)
{
	size_t left = 0;
	const unsigned char *p = program_code(&t->base, start, &left);
	struct instruction in;

	if (!p || left < end - start)
		return;
	for (uint64_t at = start; at < end; at += in.length) {
		if (!instruction_decode(program_machine(&t->base), p + (at - start), end - at, at, &in))
			return;
		if (instruction_store(&in))
			*vec_add(m->code, m->n) = (struct merged_code){ instruction_store(&in), at };
	}
}

/* Adds those of line 0. */
static void add_rows(struct dwarf_target *t, struct dwarf_merged *m, Dwarf_Lines *rows, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		Dwarf_Addr start, end;
		bool ends = false;
		int line;

		if (!dwarf_lineno(row, &line) && !line && !dwarf_lineendsequence(row, &ends) && !ends && !dwarf_lineaddr(row, &start) &&
		    !dwarf_lineaddr(dwarf_onesrcline(rows, i + 1), &end) && start < end)
			add_range(t, m, start, end);
	}
}

/* Returns the stores of line 0 in the unit of DIE, which is decoded when it is asked for first. */
static const struct dwarf_merged *merged_of(struct dwarf_target *t, Dwarf_Die *die)
{
	struct dwarf_merged m = { .unit = die->cu };
	Dwarf_Lines *rows;
	Dwarf_Die unit;
	size_t n;

	for (size_t i = t->n_merged; i--;)
		if (t->merged[i].unit == die->cu)
			return &t->merged[i];
	if (dwarf_diecu(die, &unit, NULL, NULL) && !dwarf_getsrclines(&unit, &rows, &n))
		add_rows(t, &m, rows, n);
	sort_rows(m.code, m.n, by_number);
	*vec_add(t->merged, t->n_merged) = m;
	return &t->merged[t->n_merged - 1];
}

/* Is DIE a copy or an instance of the function that ROOT declares? Functions made from one template, and those of a header that several units
 * include, have a declaration each. */
static bool is_of(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Die *root)
{
	uint64_t line = dwarf_number(root, DW_AT_decl_line, 0);
	const char *file, *other;
	Dwarf_Die own;

	if (!dwarf_root(die, &own) || own.addr == root->addr)
		return true;
	if (dwarf_number(&own, DW_AT_decl_line, 0) != line)
		return false;
	file = dwarf_file(t, root, dwarf_number(root, DW_AT_decl_file, ~0u));
	other = dwarf_file(t, &own, dwarf_number(&own, DW_AT_decl_file, ~0u));
	return file && other && !strcmp(file, other);
}

/* Returns the innermost function or instance that has the code at ADDRESS, in the unit of DIE. False: that is unknown, or one of those around it
 * is of the function that ROOT declares. */
static bool find_outside(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Die *root, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Die around;

	if (!dwarf_function_at(die, address, &around))
		return false;
	while (!is_of(t, &around, root)) {
		*ret = around;
		if (!dwarf_inlined_at(t, ret, address, false, &around))
			return true;
	}
	return false;
}

bool dwarf_merged_has(struct dwarf_target *t, Dwarf_Die *die, uint64_t store)
{
	const struct dwarf_merged *m = store ? merged_of(t, die) : NULL;

	return m && m->n && bsearch(&store, m->code, m->n, sizeof(*m->code), by_number);
}

const char *dwarf_merged_in(struct dwarf_target *t, Dwarf_Die *die, uint64_t store)
{
	const struct dwarf_merged *m = merged_of(t, die);
	Dwarf_Die root, in;

	if (!dwarf_root(die, &root))
		return NULL;
	for (size_t i = rows_before(&store, m->code, m->n, sizeof(*m->code), by_number); i < m->n && m->code[i].store == store; i++)
		if (find_outside(t, die, &root, m->code[i].address, &in))
			return arena_strdup(&program_arena, dwarf_diename(&in) ? dwarf_diename(&in) : "?");
	return NULL;
}

void dwarf_merged_free(struct dwarf_target *t)
{
	for (size_t i = 0; i < t->n_merged; i++)
		free(t->merged[i].code);
	free(t->merged);
}
