/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a function gets and returns a structure: its bytes, or the address of a copy that the caller made.
 *
 * In C it is the bytes. In C++ it is the address where copying or destroying the class runs code (Itanium C++ ABI, 3.1.1: "non-trivial for the
 * purposes of calls"). clang, and gcc from 15 on, say which in DW_AT_calling_convention. For other gcc the members of the class tell.
 *
 * On x86-64 a packed structure is in memory if a member is not aligned, but for bitfields. clang counts more as such members than gcc, and does not
 * say of each bitfield that it is one, so where its packed structures are is not known.
 */
#include <string.h>

#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/type-walk.h"

enum { CLASS_DEPTH_MAX = 16, REGISTERS_MAX_SIZE = 16 };

enum { CONVENTION_REFERENCE = 4, CONVENTION_VALUE = 5, DEFAULTED_IN_CLASS = 1 };

static bool is_class(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static bool type_die(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret) && !dwarf_peel_type(ret, ret);
}

/* The parameters of METHOD after `this`: sets *RET to the first and returns how many there are. */
static unsigned parameters(Dwarf_Die *method, Dwarf_Die *ret)
{
	unsigned n = 0;
	Dwarf_Die die;

	dwarf_each_child(method, &die) {
		if (dwarf_tag(&die) != DW_TAG_formal_parameter || dwarf_hasattr(&die, DW_AT_artificial))
			continue;
		if (!n++)
			*ret = die;
	}
	return n;
}

/* Is METHOD a constructor of CLASS that copies or moves? */
static bool copies(Dwarf_Die *method, Dwarf_Die *class)
{
	const char *name = dwarf_diename(method), *of = dwarf_diename(class);
	size_t len = of ? strcspn(of, "<") : 0;
	Dwarf_Die parameter, type;

	if (!name || !len || strncmp(name, of, len) || (name[len] && name[len] != '<') || parameters(method, &parameter) != 1 ||
	    !type_die(&parameter, &type))
		return false;
	if (dwarf_tag(&type) != DW_TAG_reference_type && dwarf_tag(&type) != DW_TAG_rvalue_reference_type)
		return false;
	return type_die(&type, &type) && type.addr == class->addr;
}

/* What METHOD of CLASS says. */
static enum passing of_method(Dwarf_Die *method, Dwarf_Die *class)
{
	const char *name = dwarf_diename(method);
	bool destroys = name && *name == '~';

	if (dwarf_hasattr(method, DW_AT_artificial) || dwarf_number(method, DW_AT_defaulted, 0) == DEFAULTED_IN_CLASS ||
	    (!destroys && !copies(method, class)))
		return PASSED_BY_VALUE;
	return dwarf_hasattr(method, DW_AT_deleted) ? PASSED_UNKNOWN : PASSED_BY_ADDRESS;
}

static enum passing of_class(struct type_walk *w, Dwarf_Die *class, int depth);

/* What the member or base PART says. */
static enum passing of_part(struct type_walk *w, Dwarf_Die *part, int depth)
{
	const char *name = dwarf_diename(part);
	Dwarf_Die type;

	if (dwarf_number(part, DW_AT_virtuality, 0) || (name && !strncmp(name, "_vptr", 5)))
		return PASSED_BY_ADDRESS;
	if (dwarf_hasattr(part, DW_AT_external) || !type_die(part, &type))
		return PASSED_BY_VALUE;
	while (dwarf_tag(&type) == DW_TAG_array_type)
		if (!type_die(&type, &type))
			return PASSED_UNKNOWN;
	return is_class(&type) ? of_class(w, &type, depth + 1) : PASSED_BY_VALUE;
}

static enum passing of_class(struct type_walk *w, Dwarf_Die *class, int depth)
{
	enum passing ret = PASSED_BY_VALUE;
	Dwarf_Die kid;

	if (depth > CLASS_DEPTH_MAX || dwarf_hasattr(class, DW_AT_declaration))
		return PASSED_UNKNOWN;
	if (!type_walk_enters(w, class->addr, depth) || dwarf_child(class, &kid))
		return PASSED_BY_VALUE;
	do {
		int tag = dwarf_tag(&kid);

		if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
			ret = of_part(w, &kid, depth);
		else if (tag == DW_TAG_subprogram)
			ret = of_method(&kid, class);
	} while (ret == PASSED_BY_VALUE && !dwarf_siblingof(&kid, &kid));
	return ret;
}

static bool is_cplus(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default: /* a number of the file */
		return false;
	}
}

/* A walk over what a record of x86-64 is made of. */
struct packing {
	int left;    /* members to look at: in a damaged file records contain themselves in many ways */
	bool packed; /* a member or a size is not as the members' alignment would have it */
};

enum { PACKING_MEMBERS_MAX = 1000, PACKING_DEPTH_MAX = 16 };

/* What TYPE, without typedefs, is aligned to when nothing packs it. */
static Dwarf_Word alignment_of(struct packing *p, Dwarf_Die *type, int depth)
{
	Dwarf_Word most = 1, size = 0;
	Dwarf_Die kid, inner;

	if (depth > PACKING_DEPTH_MAX || --p->left < 0)
		return 1;
	if (dwarf_tag(type) == DW_TAG_array_type)
		return type_die(type, &inner) ? alignment_of(p, &inner, depth + 1) : 1;
	dwarf_aggregate_size(type, &size);
	if (!is_class(type)) {
		bool two = dwarf_number(type, DW_AT_encoding, 0) == DW_ATE_complex_float;

		return size < 2 ? 1 : two ? size / 2 : size;
	}
	dwarf_each_child(type, &kid) {
		Dwarf_Word align;

		if ((dwarf_tag(&kid) != DW_TAG_member && dwarf_tag(&kid) != DW_TAG_inheritance) || !type_die(&kid, &inner))
			continue;
		align = alignment_of(p, &inner, depth + 1);
		p->packed |= !dwarf_hasattr(&kid, DW_AT_bit_size) && dwarf_number(&kid, DW_AT_data_member_location, 0) % align;
		most = align > most ? align : most;
	}
	p->packed |= size % most != 0;
	return most;
}

static bool packs_itself(const struct machine *m)
{
	return m->convention && m->convention->clang_packs;
}

/* Is the record DIE packed by clang, and small enough for registers? */
static bool is_packed_by_clang(const struct ctype *ct, Dwarf_Die *die, Dwarf_Die *cu)
{
	struct packing p = { .left = PACKING_MEMBERS_MAX };
	Dwarf_Attribute attr;
	const char *producer = dwarf_attr(cu, DW_AT_producer, &attr) ? dwarf_formstring(&attr) : NULL;

	if (ct->size > REGISTERS_MAX_SIZE || !packs_itself(target_machine(ct->target)) || !producer || !strstr(producer, "clang"))
		return false;
	alignment_of(&p, die, 0);
	return p.packed;
}

enum passing dwarf_passing(const struct ctype *ct)
{
	Dwarf_Die die = ((const struct dwarf_type *)ct->type)->die, cu;
	struct type_walk w = {};
	enum passing ret;

	if (!dwarf_diecu(&die, &cu, NULL, NULL))
		return PASSED_UNKNOWN;
	if (is_packed_by_clang(ct, &die, &cu))
		return PASSED_UNKNOWN;
	if (dwarf_is_c(&cu))
		return PASSED_BY_VALUE;
	switch (dwarf_number(&die, DW_AT_calling_convention, 0)) {
	case CONVENTION_REFERENCE:
		return PASSED_BY_ADDRESS;
	case CONVENTION_VALUE:
		return PASSED_BY_VALUE;
	default: /* it says nothing */
		break;
	}
	ret = is_cplus(&cu) ? of_class(&w, &die, 0) : PASSED_UNKNOWN;
	type_walk_end(&w, ct);
	return ret;
}
