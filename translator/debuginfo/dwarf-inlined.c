/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which inlined instances are calls of the source.
 *
 * gcc splits a function after its first test, so that callers can inline the test alone. Where the rest is inlined again, in the function
 * or in a caller, DWARF describes it as the function inlined into itself. Two functions that end alike share one rest, and of two that are
 * equal one calls the other: DWARF then has a function inlined into one that never calls it. The source has no such calls, so gcc knows no
 * location of them and writes the place where the function is declared. A function that really calls itself does so below that place.
 *
 * In the kernels 6.1 and 6.12 of Debian, 18,275 instances of 694,455 are inlined into their own function; all but 256 of these are
 * called at the declaration, and those 256 are recursive in the source. clang makes no such calls, and gives declarations no column.
 */
#include <string.h>

#include "translator/debuginfo/dwarf-reader.h"

enum { DEPTH_MAX = 256 };

/* Line and column of a declaration or a call. */
struct position {
	uint64_t line, column;
};

static struct position declaration(Dwarf_Die *die)
{
	return (struct position){ dwarf_number(die, DW_AT_decl_line, 0), dwarf_number(die, DW_AT_decl_column, 0) };
}

static bool is_same(struct position a, struct position b)
{
	return a.line == b.line && a.column == b.column;
}

/* Returns whether attribute AT of A and attribute BT of B name one file. */
static bool is_same_file(struct dwarf_target *t, Dwarf_Die *a, unsigned at, Dwarf_Die *b, unsigned bt)
{
	const char *one = dwarf_file(t, a, dwarf_number(a, at, ~0u)), *other = one ? dwarf_file(t, b, dwarf_number(b, bt, ~0u)) : NULL;

	return other && !strcmp(one, other);
}

enum inlined dwarf_inlined(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Die *around)
{
	struct position call = { dwarf_number(instance, DW_AT_call_line, 0), dwarf_number(instance, DW_AT_call_column, 0) };
	Dwarf_Die root, outer;

	/* Files are compared last: their names are read from the line table. */
	if (!call.line || !dwarf_root(instance, &root) || !is_same(call, declaration(&root)) || !dwarf_root(around, &outer) ||
	    !is_same_file(t, instance, DW_AT_call_file, &root, DW_AT_decl_file))
		return INLINED_CALL;
	if (root.addr == outer.addr)
		return INLINED_REST;
	/* One macro made both functions, and the call: all have the place where the macro is used. */
	if (is_same(call, declaration(&outer)) && is_same_file(t, instance, DW_AT_call_file, &outer, DW_AT_decl_file))
		return INLINED_CALL;
	return INLINED_SHARED;
}

/* The same below PARENT, a scope of the function or instance AROUND. */
static bool instance_at(struct dwarf_target *t, Dwarf_Die *around, Dwarf_Die *parent, uint64_t pc, bool innermost, Dwarf_Die *ret,
			int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX)
		return false;
	dwarf_each_child(parent, &die) {
		int tag = dwarf_tag(&die);
		bool block = tag == DW_TAG_lexical_block;

		if ((!block && tag != DW_TAG_inlined_subroutine) || dwarf_haspc(&die, pc) <= 0)
			continue;
		block |= !block && dwarf_inlined(t, &die, around) == INLINED_REST;
		if ((innermost || block) && instance_at(t, block ? around : &die, &die, pc, innermost, ret, depth + 1))
			return true;
		if (!block) {
			*ret = die;
			return true;
		}
	}
	return false;
}

bool dwarf_inlined_at(struct dwarf_target *t, Dwarf_Die *around, uint64_t pc, bool innermost, Dwarf_Die *ret)
{
	return instance_at(t, around, around, pc, innermost, ret, 0);
}
