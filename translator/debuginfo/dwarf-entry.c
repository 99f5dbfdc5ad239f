/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables at a function's first instruction.
 *
 * An unoptimized variable lives in the function's frame from its first line to its last, and so does a parameter whose address is
 * taken in any code: DWARF gives one expression for it, and no list. At the first instruction nothing was stored there yet.
 * A parameter is then where the calling convention puts it; any other variable has no value.
 */
#include <gelf.h>
#include <string.h>

#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/type-walk.h"

enum { REGISTERS_MAX_SIZE = 16, RECORD_DEPTH_MAX = 8 };

/* ---- the frame ---- */
/* Where the frame base of FUNCTION is, counted from the stack pointer before the call. False: that depends. */
static bool frame_base(Dwarf_Die *function, int64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_place(function, DW_AT_frame_base, &attr) || dwarf_getlocation(&attr, &ops, &n) || n != 1)
		return false;
	/* gcc; clang: the frame pointer of x86_64, below which are the caller's and the return address. */
	*ret = ops->atom == DW_OP_reg6 ? -16 : 0;
	return ops->atom == DW_OP_call_frame_cfa || ops->atom == DW_OP_reg6;
}

/* Does the operation count from the stack pointer, or from a register that points into the frame? */
static bool is_of_frame(const struct dwarf_target *t, const Dwarf_Op *op)
{
	const struct machine *m = target_machine(&t->base);

	return op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31 && m->frame_registers >> (op->atom - DW_OP_breg0) & 1;
}

/* Is DIE in the frame for all of the function? Sets *RET to its place, counted from the stack pointer before the call; below 0
 * when that is not known. */
static bool is_in_frame(const struct dwarf_target *t, Dwarf_Die *function, Dwarf_Die *die, int64_t *ret,
			bool *ret_is_plain)
{
	Dwarf_Attribute attr;
	int64_t base;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_place(die, DW_AT_location, &attr) || dwarf_whatform(&attr) == DW_FORM_sec_offset ||
	    dwarf_whatform(&attr) == DW_FORM_loclistx || dwarf_getlocation(&attr, &ops, &n) || !n ||
	    (ops->atom != DW_OP_fbreg && !is_of_frame(t, ops)))
		return false;
	*ret = ops->atom == DW_OP_fbreg && frame_base(function, &base) ? base + (int64_t)ops->number : -1;
	*ret_is_plain = n == 1;
	return true;
}

/* ---- parameters ---- */
/* Is TYPE a floating-point type, or has it a member of one? True also where that is not known. */
static bool has_float(struct type_walk *w, Dwarf_Die *type, int depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, member;

	if (depth > RECORD_DEPTH_MAX || dwarf_peel_type(type, &die))
		return true;
	if (!type_walk_enters(w, die.addr, depth))
		return false; /* it had none */
	if (dwarf_tag(&die) == DW_TAG_base_type)
		return dwarf_number(&die, DW_AT_encoding, DW_ATE_float) == DW_ATE_float;
	if (dwarf_tag(&die) == DW_TAG_array_type)
		return !dwarf_attr(&die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &member) || has_float(w, &member, depth + 1);
	if ((dwarf_tag(&die) != DW_TAG_structure_type && dwarf_tag(&die) != DW_TAG_class_type && dwarf_tag(&die) != DW_TAG_union_type))
		return false;
	dwarf_each_child(&die, &member) {
		Dwarf_Die inner;

		if ((dwarf_tag(&member) == DW_TAG_member || dwarf_tag(&member) == DW_TAG_inheritance) && dwarf_attr(&member, DW_AT_type, &attr) &&
		    dwarf_formref_die(&attr, &inner) && has_float(w, &inner, depth + 1))
			return true;
	}
	return false;
}

/* Has the record TYPE of VARIABLE a floating-point member? Such a member is passed in a register of another kind. */
static bool passes_float(Dwarf_Die *variable, const struct ctype *type)
{
	struct type_walk w = {};
	Dwarf_Attribute attr;
	Dwarf_Die of;
	bool ret = !dwarf_attr_integrate(variable, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &of) || has_float(&w, &of, 0);

	type_walk_end(&w, type);
	return ret;
}

static bool is_record(const struct ctype *type)
{
	return type && (type->kind == CT_STRUCT || type->kind == CT_UNION);
}

/* Is the function one that the compiler made from another, with other parameters: f.isra.0? */
static bool is_changed(struct dwarf_target *t, uint64_t address)
{
	struct elf_lookup l = { .address = address };

	elf_find_functions(t->elf, &l, 1);
	return l.symbol && strchr(l.symbol, '.');
}

static void see_member(const char *name, void *data)
{
	*(bool *)data = true;
}

/* Where the parameter DIE of TYPE, a structure, is, and what comes after it in L. An empty class takes no place. */
static struct location record(struct abi_layout *l, Dwarf_Die *die, const struct ctype *type)
{
	bool any = false;

	switch (ctype_passing(type)) {
	case PASSED_BY_ADDRESS:
		return abi_next_address(l);
	case PASSED_UNKNOWN:
		l->lost = true;
		break;
	case PASSED_BY_VALUE:
		ctype_member_names(type, see_member, &any);
		if (!any && type->size == 1)
			return location_none("it has no members");
		l->lost |= type->size <= REGISTERS_MAX_SIZE && passes_float(die, type);
		break;
	}
	return type->size <= REGISTERS_MAX_SIZE && abi_is_misaligned(type) ? abi_next_misaligned(l, type) : abi_next(l, type);
}

static struct location parameter(struct dwarf_target *t, Dwarf_Die *function, Dwarf_Die *wanted)
{
	struct abi_layout l = abi_layout(target_machine(&t->base));
	const struct ctype *type = dwarf_type_of(t, function);
	Dwarf_Die die;

	if (is_record(type)) {
		enum passing passing = ctype_passing(type);

		l.lost = passing == PASSED_UNKNOWN;
		if (passing == PASSED_BY_ADDRESS || type->size > REGISTERS_MAX_SIZE)
			abi_skip_result(&l);
	}
	if (dwarf_child(function, &die))
		return location_none("optimized out");
	do {
		struct location place;

		if (dwarf_tag(&die) != DW_TAG_formal_parameter)
			continue;
		type = dwarf_type_of(t, &die);
		place = is_record(type) ? record(&l, &die, type) : abi_next(&l, type);
		if (die.addr == wanted->addr)
			return l.lost ? location_none("at the first instruction it is where the calling convention puts it, which "
					     "depends on a structure that is passed") : place;
	} while (!dwarf_siblingof(&die, &die));
	return location_none("it is no parameter of this copy");
}

/* Is the parameter DIE a structure of which the address is passed? */
static bool is_address(struct dwarf_target *t, Dwarf_Die *die)
{
	const struct ctype *type = dwarf_type_of(t, die);

	return is_record(type) && ctype_passing(type) == PASSED_BY_ADDRESS;
}

bool dwarf_entry_location(struct dwarf_target *t, const struct dwarf_scope *scope, Dwarf_Die *die, struct location *ret)
{
	Dwarf_Die function = scope->die;
	int64_t place;
	bool is_plain;

	if (!scope->at_entry || dwarf_tag(&function) != DW_TAG_subprogram)
		return false;
	/* A function that was folded into another (see dwarf-functions.c) has no code in DWARF, and its parameters have no location. */
	if (!dwarf_entry(&function) && dwarf_tag(die) == DW_TAG_formal_parameter && target_machine(&t->base)->convention) {
		*ret = parameter(t, &function, die);
		return true;
	}
	if (!is_in_frame(t, &function, die, &place, &is_plain))
		return false;
	/* In the caller's frame: the usual reading works where it starts from the stack pointer. */
	if (place >= 0 && !target_machine(&t->base)->convention)
		return false;
	if (place >= 0 && is_plain) {
		struct abi_layout l = abi_layout(target_machine(&t->base));

		*ret = abi_in_memory(&l, place);
	} else if (dwarf_tag(die) != DW_TAG_formal_parameter) {
		*ret = location_none("it has no value yet at the function's first instruction");
	} else if (is_changed(t, scope->pc) || (!is_plain && !is_address(t, die))) {
		*ret = location_none("at the function's first instruction it is not where it is described");
	} else {
		*ret = parameter(t, &function, die);
	}
	return true;
}
