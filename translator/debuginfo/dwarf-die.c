/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for single DIEs: attributes, entries, names. They know no target and call no other file of the reader. */
#include "translator/debuginfo/dwarf-reader.h"

enum { ORIGIN_MAX = 8 };

uint64_t dwarf_number(Dwarf_Die *die, unsigned at, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr_integrate(die, at, &attr) || dwarf_formudata(&attr, &v))
		return otherwise;
	return v;
}

bool dwarf_place(Dwarf_Die *die, unsigned at, Dwarf_Attribute *ret)
{
	enum { LONG = 0x80 };

	if (!dwarf_attr_integrate(die, at, ret))
		return false;
	/* A length of one byte is the same number in either form. */
	if (ret->form == DW_FORM_block1 && *ret->valp < LONG)
		ret->form = DW_FORM_exprloc;
	return true;
}

uint64_t dwarf_entry(Dwarf_Die *die)
{
	Dwarf_Addr pc, base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t at = 0;

	/* The abstract origin's own attributes do not count: no dwarf_entrypc() here. */
	if (dwarf_attr(die, DW_AT_entry_pc, &attr)) {
		Dwarf_Word offset;

		if (!dwarf_formaddr(&attr, &pc))
			return pc;
		if (!dwarf_formudata(&attr, &offset) && !dwarf_lowpc(die, &pc))
			return pc + offset;
	}
	if (dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_lowpc(die, &pc))
		return pc;
	if (!dwarf_hasattr(die, DW_AT_ranges))
		return 0;
	/* The hot part comes first; a function's cold part is never its entry. */
	at = dwarf_ranges(die, at, &base, &start, &end);
	return at > 0 ? start : 0;
}

bool dwarf_root(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	*ret = *die;
	for (int i = 0; i < ORIGIN_MAX; i++) {
		Dwarf_Die next;

		if (!dwarf_attr(ret, DW_AT_abstract_origin, &attr))
			return true;
		if (!dwarf_formref_die(&attr, &next))
			return false;
		*ret = next;
	}
	return false;
}

bool dwarf_is_external(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool external;

	return dwarf_attr_integrate(die, DW_AT_external, &attr) && !dwarf_formflag(&attr, &external) && external;
}

bool dwarf_is_c(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return true;
	default: /* languages are open-ended too */
		return false;
	}
}

bool dwarf_is_scope(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

enum { SCOPE_DEPTH_MAX = 32 };

/* The function below SCOPE that has code at PC. Rust defines functions inside of their namespaces; with LOCAL, those inside of classes
 * and functions are looked for too, as gcc describes lambdas. */
static bool function_below(Dwarf_Die *scope, uint64_t pc, bool local, int depth, Dwarf_Die *ret)
{
	Dwarf_Die child;

	if (depth > SCOPE_DEPTH_MAX)
		return false;
	dwarf_each_child(scope, &child) {
		int tag = dwarf_tag(&child);
		bool around = tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || dwarf_is_scope(&child);

		*ret = child;
		if (tag == DW_TAG_subprogram && !dwarf_hasattr(&child, DW_AT_declaration) && dwarf_haspc(&child, pc) > 0)
			return true;
		if ((tag == DW_TAG_namespace || (local && around)) && function_below(&child, pc, local, depth + 1, ret))
			return true;
	}
	return false;
}

bool dwarf_function_at(Dwarf_Die *die, uint64_t pc, Dwarf_Die *ret)
{
	Dwarf_Die cu;

	return dwarf_diecu(die, &cu, NULL, NULL) &&
	       (function_below(&cu, pc, false, 0, ret) || (!dwarf_is_c(&cu) && function_below(&cu, pc, true, 0, ret)));
}

struct bytes dwarf_section(const struct elf_file *e, const char *name)
{
	struct bytes b = {};
	const void *p;

	if (elf_section(e, name, &p, &b.size))
		b.p = p;
	return b;
}

unsigned dwarf_type_tag(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return TAG_STRUCT;
	case DW_TAG_union_type:
		return TAG_UNION;
	case DW_TAG_enumeration_type:
		return TAG_ENUM;
	case DW_TAG_typedef:
		return TAG_TYPEDEF;
	case DW_TAG_base_type:
		return TAG_BASE;
	}
	return 0;
}

size_t dwarf_row_from(Dwarf_Lines *rows, size_t n, uint64_t pc)
{
	size_t lo = 0;

	while (n) {
		size_t half = n / 2;
		Dwarf_Addr address = 0;

		dwarf_lineaddr(dwarf_onesrcline(rows, lo + half), &address);
		if (address < pc) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}
