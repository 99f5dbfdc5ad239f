/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Indirect jumps: within the function, to a case of a switch, or out of it, to a function that returns to the caller.
 *
 * A jump out of the function happens where the stack is as it was at the entry. So one that happens deeper in the stack, as call frame
 * information tells, stays inside. At the depth of the entry, a table is looked for whose first word leads into the function.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/ends.h"

/* Compilers load the word of a table so many instructions before the jump, at most. CASES_MAX: of one table. */
enum { LOAD_BEFORE = 8, CASES_MAX = 4096 };

/* ---- depth of the stack ---- */
/* Sets where the frame begins at ADDRESS: a register of DWARF and an offset. */
static bool find_frame(struct ends_search *s, uint64_t address, uint64_t *ret_register, int64_t *ret_offset)
{
	const struct place *p;
	_cleanup_free_ Dwarf_Frame *frame = NULL;
	struct location where;
	struct location_sum sum;
	uint64_t entry;
	Dwarf_Op *op;
	size_t n;
	bool ok;

	if (!s->cfi_read)
		s->cfi = dwarf_getcfi_elf(target_elf(s->t)->elf);
	s->cfi_read = true;
	if (s->cfi && !dwarf_cfi_addrframe(s->cfi, address, &frame)) {
		ok = !dwarf_frame_cfa(frame, &op, &n) && n == 1;
		if (ok && op->atom == DW_OP_bregx) {
			*ret_register = op->number;
			*ret_offset = (int64_t)op->number2;
		} else if (ok && op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
			*ret_register = op->atom - DW_OP_breg0;
			*ret_offset = (int64_t)op->number;
		} else {
			ok = false;
		}
		return ok;
	}
	/* Go's is in .debug_frame. */
	p = target_has_lines(s->t) ? target_place_at(s->t, address) : NULL;
	if (!p || !target_frame(s->t, p, &entry, &where) || !location_sum(&where, &sum) || sum.reg < 0)
		return false;
	*ret_register = (uint64_t)sum.reg;
	*ret_offset = sum.number;
	return true;
}

/* Is the frame at ADDRESS known not to be that of the entry? */
static bool is_deeper(struct ends_search *s, uint64_t address)
{
	uint64_t reg;
	int64_t offset;

	return s->machine && find_frame(s, address, &reg, &offset) &&
	       (reg != s->machine->stack_pointer || offset != (int64_t)s->machine->return_size);
}

/* ---- tables ---- */
static bool read_word(const struct ends_search *s, uint64_t address, unsigned size, int64_t *ret)
{
	const void *p = elf_bytes(target_elf(s->t), address, size);
	int32_t narrow;

	if (!p)
		return false;
	if (size == 8) {
		memcpy(ret, p, size);
		return true;
	}
	memcpy(&narrow, p, sizeof(narrow));
	*ret = narrow;
	return true;
}

/* Marks the instructions of R that the table at TABLE leads to. False: its first word leads to none, or to the function's start, as that of
 * a table of functions may. */
static bool mark_cases(const struct ends_search *s, struct ends_region *r, uint64_t table, enum table_use use)
{
	unsigned size = use == TABLE_DISTANCES ? 4 : s->word;
	unsigned n = 0;

	for (; n < CASES_MAX; n++) {
		struct ends_code *to;
		int64_t word;

		if (!read_word(s, table + n * size, size, &word))
			break;
		to = ends_code_at(r, use == TABLE_DISTANCES ? table + (uint64_t)word : s->word == 4 ? (uint32_t)word : (uint64_t)word);
		if (!to || to->at == r->start)
			break;
		to->reached = true;
	}
	return n > 0;
}

bool ends_is_switch(struct ends_search *s, struct ends_region *r, size_t i)
{
	const struct instruction *jump = &r->code[i].in;
	bool found = false;

	/* The jump itself uses the table, or an instruction before it has loaded the word. */
	for (size_t k = i + 1; k-- > 0 && i - k <= LOAD_BEFORE && !found;) {
		const struct instruction *load = &r->code[k].in;

		if (load->use != TABLE_ADDRESSES && load->use != TABLE_DISTANCES)
			continue;
		found = load->table && mark_cases(s, r, load->table, load->use);
		/* The table's address was computed anywhere before. */
		for (size_t j = 0; j < r->n && !load->table; j++)
			if (r->code[j].in.use == TABLE_POINTS)
				found |= mark_cases(s, r, r->code[j].in.table, load->use);
	}
	return found || jump->tracked_not || is_deeper(s, r->code[i].at);
}
