/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types from DWARF: kinds, names as C writes them, members. A type is its DIE; nothing is read before it is asked for. */
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/type-walk.h"

enum { DIMENSIONS_MAX = 8 };

/* DW_AT_type of DIE or its abstract origin; false: void. With -fdebug-types-section it may be a stub that names a type unit. */
static bool type_die(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, ret))
		return false;
	return !dwarf_attr(ret, DW_AT_signature, &attr) || dwarf_formref_die(&attr, ret);
}

/* DIE without typedefs and qualifiers; false: void (or a circle). */
static bool peel(const Dwarf_Die *die, Dwarf_Die *ret)
{
	*ret = *die;
	for (int i = 0; i < TYPE_DEPTH_MAX; i++) {
		Dwarf_Die next;

		switch (dwarf_tag(ret)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
		case DW_TAG_immutable_type:
			if (!type_die(ret, &next))
				return false;
			*ret = next;
			break;
		default:
			return true;
		}
	}
	return false;
}

/* ---- names ---- */
/* Writes the declaration of INNER with the type DIE: "char const*", "int[4]", "void (*)(int)". LEFT: how many types the
 * whole name may still go through. */
static void put_name(struct text *t, Dwarf_Die *die, const char *inner, int depth, int *left);

static void put_target_name(struct text *t, Dwarf_Die *die, const char *inner, int depth, int *left)
{
	Dwarf_Die next;

	if (type_die(die, &next))
		put_name(t, &next, inner, depth + 1, left);
	else
		text_printf(t, "void%s%s", *inner && *inner != '*' && *inner != ' ' ? " " : "", inner);
}

/* A structure, union or enumeration; those without a name are not spelled out. */
static void put_tagged(struct text *t, const char *tag, Dwarf_Die *die, const char *inner)
{
	const char *name = dwarf_diename(die);

	text_printf(t, "%s %s%s%s", tag, name ? name : "{...}", *inner == '(' ? " " : "", inner);
}

/* Elements of one dimension; "char x[]" and "char x[0]" have 0: the bound is missing or -1. */
static uint64_t range_count(Dwarf_Die *range)
{
	Dwarf_Attribute attr;
	Dwarf_Word n;

	if (dwarf_attr(range, DW_AT_count, &attr) && !dwarf_formudata(&attr, &n))
		return n;
	if (dwarf_attr(range, DW_AT_upper_bound, &attr) && !dwarf_formudata(&attr, &n))
		return n + 1;
	return 0;
}

/* Dimensions of an array type, outermost first; their number. */
static int array_counts(Dwarf_Die *die, uint64_t counts[DIMENSIONS_MAX])
{
	Dwarf_Die range;
	int n = 0;

	dwarf_each_child(die, &range) {
		if (dwarf_tag(&range) == DW_TAG_subrange_type && n < DIMENSIONS_MAX)
			counts[n++] = range_count(&range);
	}
	return n;
}

/* The array without its first FROM dimensions. */
static void put_array(struct text *t, Dwarf_Die *die, int from, const char *inner, int depth, int *left)
{
	uint64_t counts[DIMENSIONS_MAX];
	int n = array_counts(die, counts);
	_cleanup_text_ struct text dims = {};

	text_puts(&dims, inner);
	if (!n)
		text_puts(&dims, "[]");
	for (int i = from; i < n; i++) {
		if (counts[i])
			text_printf(&dims, "[%llu]", (unsigned long long)counts[i]);
		else
			text_puts(&dims, "[]");
	}
	put_target_name(t, die, text_str(&dims), depth, left);
}

/* The declarator of a function: INNER with its parameters, around what it returns. */
static void put_function(struct text *t, Dwarf_Die *die, const char *inner, int depth, int *left)
{
	_cleanup_text_ struct text params = {};
	Dwarf_Die kid, type;
	int n = 0;

	text_printf(&params, "%s(", inner);
	if (!dwarf_child(die, &kid)) {
		do {
			int tag = dwarf_tag(&kid);

			if (tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters)
				continue;
			text_puts(&params, n++ ? ", " : "");
			if (tag == DW_TAG_unspecified_parameters)
				text_puts(&params, "...");
			else if (type_die(&kid, &type))
				put_name(&params, &type, "", depth + 1, left);
		} while (*left > 0 && !dwarf_siblingof(&kid, &kid));
	}
	text_puts(&params, n ? ")" : "void)");
	put_target_name(t, die, text_str(&params), depth, left);
}

/* A type made of another: the declarator grows around INNER, as C declarations do. */
static void put_derived(struct text *t, Dwarf_Die *die, const char *fmt_before, const char *inner,
			const char *fmt_after, int depth, int *left)
{
	_cleanup_free_ char *next = xasprintf("%s%s%s", fmt_before, inner, fmt_after);

	put_target_name(t, die, next, depth, left);
}

static void put_name(struct text *t, Dwarf_Die *die, const char *inner, int depth, int *left)
{
	const char *name;
	Dwarf_Die target;
	int kind;

	if (depth > TYPE_DEPTH_MAX || (*left)-- <= 0) {
		text_puts(t, "...");
		return;
	}
	switch (dwarf_tag(die)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		kind = type_die(die, &target) ? dwarf_tag(&target) : 0;
		if (kind == DW_TAG_subroutine_type || kind == DW_TAG_array_type)
			put_derived(t, die, "(*", inner, ")", depth, left);
		else
			put_derived(t, die, "*", inner, "", depth, left);
		return;
	case DW_TAG_const_type:
		put_derived(t, die, " const", inner, "", depth, left);
		return;
	case DW_TAG_volatile_type:
		put_derived(t, die, " volatile", inner, "", depth, left);
		return;
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		put_target_name(t, die, inner, depth, left);
		return;
	case DW_TAG_array_type:
		put_array(t, die, 0, inner, depth, left);
		return;
	case DW_TAG_subroutine_type:
		put_function(t, die, inner, depth, left);
		return;
	case DW_TAG_structure_type:
		put_tagged(t, "struct", die, inner);
		return;
	case DW_TAG_class_type:
		put_tagged(t, "class", die, inner);
		return;
	case DW_TAG_union_type:
		put_tagged(t, "union", die, inner);
		return;
	case DW_TAG_enumeration_type:
		put_tagged(t, "enum", die, inner);
		return;
	default:
		name = dwarf_diename(die);
		text_printf(t, "%s%s%s", name ? name : "?", *inner == '(' ? " " : "", inner);
	}
}

/* ---- ctypes ---- */
static bool encoding_kind(Dwarf_Die *die, struct ctype *ct)
{
	switch (dwarf_number(die, DW_AT_encoding, DW_ATE_unsigned)) {
	case DW_ATE_boolean:
		ct->kind = CT_BOOL;
		return true;
	case DW_ATE_signed_char:
		ct->kind = CT_CHAR;
		ct->is_signed = true;
		return true;
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		ct->kind = CT_CHAR;
		return true;
	case DW_ATE_signed:
		ct->kind = CT_INT;
		ct->is_signed = true;
		return true;
	case DW_ATE_unsigned:
	case DW_ATE_address:
		ct->kind = CT_INT;
		return true;
	case DW_ATE_float:
	case DW_ATE_complex_float:
		ct->kind = CT_FLOAT;
		return true;
	}
	return false;
}

/* Is the type that an enumeration is stored in signed? gcc names it; else an enumerator below zero shows it. */
static bool enum_is_signed(Dwarf_Die *die)
{
	Dwarf_Die under, kid;
	Dwarf_Sword v;
	Dwarf_Attribute attr;

	if (type_die(die, &under) && peel(&under, &kid))
		return dwarf_number(&kid, DW_AT_encoding, 0) == DW_ATE_signed;
	dwarf_each_child(die, &kid) {
		if (dwarf_attr(&kid, DW_AT_const_value, &attr) && attr.form == DW_FORM_sdata &&
		    !dwarf_formsdata(&attr, &v) && v < 0)
			return true;
	}
	return false;
}

/* Sets the kind of a type whose DIE has no typedefs and qualifiers left. */
static void set_kind(struct ctype *ct, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		if (!encoding_kind(die, ct))
			ct->kind = CT_INT;
		return;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		ct->kind = CT_POINTER;
		ct->size = dwarf_number(die, DW_AT_byte_size, ct->target->is_32bit ? 4 : 8);
		return;
	case DW_TAG_array_type:
		ct->kind = CT_ARRAY;
		return;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		ct->kind = CT_STRUCT;
		return;
	case DW_TAG_union_type:
		ct->kind = CT_UNION;
		return;
	case DW_TAG_enumeration_type:
		ct->kind = CT_ENUM;
		ct->is_signed = enum_is_signed(die);
		return;
	case DW_TAG_subroutine_type:
		ct->kind = CT_FUNCTION;
		return;
	default:
		ct->kind = CT_VOID;
	}
}

/* Count and size of an array from its first dimension that is left. */
static void set_array(struct ctype *ct, struct dwarf_type *type)
{
	uint64_t counts[DIMENSIONS_MAX], size = 0;
	int n = array_counts(&type->die, counts);
	Dwarf_Die element;
	Dwarf_Word bytes;

	if (type->dimension >= n)
		return;
	ct->count = counts[type->dimension];
	if (type_die(&type->die, &element) && !dwarf_aggregate_size(&element, &bytes))
		size = bytes;
	for (int i = type->dimension; i < n; i++)
		if (__builtin_mul_overflow(size, counts[i], &size))
			size = 0;
	ct->size = size;
}

static struct ctype *new_type(const struct dwarf_target *t, Dwarf_Die *plain, int dimension, struct text *name)
{
	struct ctype *ct = arena_new(&program_arena, struct ctype);
	struct dwarf_type *type = arena_new(&program_arena, struct dwarf_type);
	Dwarf_Word size;

	*type = (struct dwarf_type){ *plain, dimension };
	ct->name = text_keep(name);
	ct->target = &t->base;
	ct->type = type;
	set_kind(ct, &type->die);
	if (ct->kind == CT_ARRAY)
		set_array(ct, type);
	else if (!ct->size && !dwarf_aggregate_size(&type->die, &size))
		ct->size = size;
	return ct;
}

/* The name keeps typedefs and qualifiers, the kind and the members do not. */
static const struct ctype *make_type(const struct dwarf_target *t, Dwarf_Die *die)
{
	struct text name = {};
	Dwarf_Die plain;
	int left = TYPE_NAMES_MAX;

	if (!peel(die, &plain))
		return NULL;
	put_name(&name, die, "", 0, &left);
	return new_type(t, &plain, 0, &name);
}

const struct ctype *dwarf_type_of(struct dwarf_target *t, Dwarf_Die *die)
{
	Dwarf_Die type;

	return type_die(die, &type) ? make_type(t, &type) : NULL;
}

const struct ctype *dwarf_return_type(struct target *t, const struct place *p)
{
	Dwarf_Die die = ((const struct dwarf_scope *)p->scope)->die;

	return dwarf_type_of((struct dwarf_target *)t, &die);
}

const struct ctype *dwarf_pointee(const struct ctype *ct)
{
	const struct dwarf_target *t = (const struct dwarf_target *)ct->target;
	struct dwarf_type type = *(const struct dwarf_type *)ct->type;
	uint64_t counts[DIMENSIONS_MAX];
	struct text name = {};
	Dwarf_Die to;
	int left = TYPE_NAMES_MAX;

	if (ct->kind == CT_ARRAY && type.dimension + 1 < array_counts(&type.die, counts)) {
			put_array(&name, &type.die, type.dimension + 1, "", 0, &left);
		return new_type(t, &type.die, type.dimension + 1, &name);
	}
	if (ct->kind != CT_POINTER && ct->kind != CT_ARRAY)
		return NULL;
	return type_die(&type.die, &to) ? make_type(t, &to) : NULL;
}

/* ---- members ---- */
static bool constant(Dwarf_Die *die, unsigned at, Dwarf_Word *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, at, &attr) && !dwarf_formudata(&attr, ret);
}

/* Offset of a member: a number, or (DWARF 2) an expression that adds one. */
static bool member_offset(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	Dwarf_Word v = 0;

	if (!dwarf_attr(die, DW_AT_data_member_location, &attr)) {
		*ret = 0; /* members of unions, and bitfields with DW_AT_data_bit_offset */
		return true;
	}
	if (!dwarf_formudata(&attr, &v)) {
		*ret = v;
		return true;
	}
	if (dwarf_getlocation(&attr, &ops, &n) || n != 1 || ops->atom != DW_OP_plus_uconst)
		return false;
	*ret = ops->number;
	return true;
}

/* The bits of the bitfield DIE in a storage unit of STORAGE bytes; false: it says of no bits. Both forms: counted from the start of the
 * structure, or down from the top of the unit. In packed structures the second is below zero where the field reaches above the unit. */
static bool bits_said(Dwarf_Die *die, Dwarf_Word storage, Dwarf_Word *ret_from, Dwarf_Word *ret_size)
{
	*ret_from = 0;
	if (!constant(die, DW_AT_bit_size, ret_size) || !*ret_size || *ret_size > 64)
		return false;
	if (!constant(die, DW_AT_data_bit_offset, ret_from) && constant(die, DW_AT_bit_offset, ret_from)) {
		constant(die, DW_AT_byte_size, &storage);
		*ret_from = storage * 8 - *ret_from - *ret_size;
	}
	return true;
}

/* Where a member is. */
struct spot {
	uint64_t offset;
	Dwarf_Word from, size; /* bits from OFFSET on, where that is known although DIE does not say so; size 0: it is not */
};

static void set_bits(Dwarf_Die *die, const struct spot *at, struct member *m)
{
	Dwarf_Word from = at->from, size = at->size;

	if (!size && !bits_said(die, m->type->size, &from, &size))
		return;
	if (from > INT64_MAX) /* damaged */
		m->type = NULL;
	else
		member_bits(m, from, (unsigned)size);
}

/* The structure member of a variant. */
static bool variant_member(Dwarf_Die *variant, Dwarf_Die *ret)
{
	if (dwarf_child(variant, ret))
		return false;
	while (dwarf_tag(ret) != DW_TAG_member)
		if (dwarf_siblingof(ret, ret))
			return false;
	return true;
}

typedef bool member_fn(const struct dwarf_target *t, Dwarf_Die *m, const char *name, const struct spot *at, void *data);

/* A walk over the members of a structure. FN returns true to stop. */
struct walk {
	const struct dwarf_target *t;
	member_fn *fn;
	void *data;
	struct type_walk types;
};

static bool walk_members(struct walk *w, Dwarf_Die *die, uint64_t base, int depth);

/* The members of KID, an unnamed member or a base class. */
static bool walk_inside(struct walk *w, Dwarf_Die *kid, uint64_t offset, int depth)
{
	Dwarf_Die type, peeled;

	return type_die(kid, &type) && peel(&type, &peeled) && walk_members(w, &peeled, offset, depth + 1);
}

/* Makes the members of a Rust enum with data: __variant, the discriminant, and a structure for each variant. */
static bool walk_variants(struct walk *w, Dwarf_Die *part, uint64_t base)
{
	Dwarf_Die kid, member;
	uint64_t offset;

	dwarf_each_child(part, &kid) {
		int tag = dwarf_tag(&kid);
		const char *name;

		if (tag == DW_TAG_member && member_offset(&kid, &offset) &&
		    w->fn(w->t, part, "__variant", &(struct spot){ .offset = base + offset }, w->data))
			return true;
		if (tag != DW_TAG_variant || !variant_member(&kid, &member))
			continue;
		name = dwarf_diename(&member);
		if (name && member_offset(&member, &offset) &&
		    w->fn(w->t, &member, name, &(struct spot){ .offset = base + offset }, w->data))
			return true;
	}
	return false;
}

/* The spot of the member KID at OFFSET of the structure at BASE, where bitfields before it fill *FILLED bits. A member that begins within
 * those is a bitfield too: clang writes one that is as wide as its type, in a packed structure, without its bits and with the byte that it
 * begins in. */
static struct spot spot_of(Dwarf_Die *kid, uint64_t base, uint64_t offset, Dwarf_Word *filled)
{
	Dwarf_Word from, size, bytes = 0;
	Dwarf_Die type, number;

	if (dwarf_hasattr(kid, DW_AT_data_member_location) && type_die(kid, &type) && peel(&type, &number) &&
	    (dwarf_tag(&number) == DW_TAG_base_type || dwarf_tag(&number) == DW_TAG_enumeration_type))
		dwarf_aggregate_size(&number, &bytes);
	if (bits_said(kid, bytes, &from, &size)) {
		*filled = offset * 8 + from + size;
	} else if (offset * 8 < *filled && bytes && bytes <= 8) {
		from = *filled;
		*filled += bytes * 8;
		return (struct spot){ base, from, bytes * 8 };
	} else {
		*filled = 0;
	}
	return (struct spot){ .offset = base + offset };
}

/* The members of DIE itself; with INHERITED those of its base classes. */
static bool walk_scope(struct walk *w, Dwarf_Die *die, uint64_t base, int depth, bool inherited)
{
	bool overlaps = dwarf_tag(die) == DW_TAG_union_type || inherited;
	Dwarf_Word filled = 0;
	Dwarf_Die kid;
	uint64_t offset;

	dwarf_each_child(die, &kid) {
		const char *name = dwarf_diename(&kid);
		int tag = dwarf_tag(&kid);
		struct spot at;

		if (tag == DW_TAG_variant_part && !inherited && walk_variants(w, &kid, base))
			return true;
		if (tag != (inherited ? DW_TAG_inheritance : DW_TAG_member) &&
		    (inherited || tag != DW_TAG_variable || !name))
			continue;
		if (!member_offset(&kid, &offset))
			continue;
		at = overlaps ? (struct spot){ .offset = base + offset } : spot_of(&kid, base, offset, &filled);
		if (name ? w->fn(w->t, &kid, name, &at, w->data) : walk_inside(w, &kid, base + offset, depth))
			return true;
	}
	return false;
}

/* DIE's members in turn, through unnamed ones, and then those of its bases: a member hides those of its name in bases.
 * Static members are among them. */
static bool walk_members(struct walk *w, Dwarf_Die *die, uint64_t base, int depth)
{
	return type_walk_enters(&w->types, die->addr, depth) &&
	       (walk_scope(w, die, base, depth, false) || walk_scope(w, die, base, depth, true));
}

/* Calls FN with each member of CT, until it returns true; false: it never did. */
static bool each_member(const struct ctype *ct, Dwarf_Die *die, member_fn *fn, void *data)
{
	struct walk w = { .t = (const struct dwarf_target *)ct->target, .fn = fn, .data = data };
	bool stopped = walk_members(&w, die, 0, 0);

	type_walk_end(&w.types, ct);
	return stopped;
}

/* A static member has no place in the structure. */
static bool is_static_member(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable || dwarf_hasattr(die, DW_AT_declaration);
}

/* A structure that is only declared in this unit is defined in another, under the name of the structure: CT may have that of a
 * typedef. */
static bool complete(const struct ctype *ct, Dwarf_Die *ret)
{
	Dwarf_Die die = ((const struct dwarf_type *)ct->type)->die;
	const char *name;

	*ret = die;
	if (ct->kind != CT_STRUCT && ct->kind != CT_UNION)
		return false;
	if (!dwarf_hasattr(&die, DW_AT_declaration))
		return true;
	name = dwarf_diename(&die);
	if (!name)
		return false;
	name = arena_printf(&program_arena, "%s%s", dwarf_scope_path((struct dwarf_target *)ct->target, &die), name);
	return dwarf_name_find((struct dwarf_target *)ct->target, name, dwarf_type_tag(&die), ret);
}

/* The type of the discriminant of PART, a DW_TAG_variant_part: an enumeration of its variants. NULL: it has none, or a damaged one. */
static const struct ctype *variant_type(const struct dwarf_target *t, Dwarf_Die *part)
{
	Dwarf_Attribute attr;
	Dwarf_Die member, type;
	const struct ctype *number;
	struct dwarf_type *of;
	struct ctype *ct;

	if (!dwarf_attr(part, DW_AT_discr, &attr) || !dwarf_formref_die(&attr, &member) || !type_die(&member, &type))
		return NULL;
	number = make_type(t, &type);
	if (!number || !number->size || number->size > 8)
		return NULL;
	ct = arena_new(&program_arena, struct ctype);
	*ct = *number;
	ct->kind = CT_ENUM;
	of = arena_new(&program_arena, struct dwarf_type);
	of->die = *part;
	ct->type = of;
	return ct;
}

/* Looking for one member by name. */
struct member_search {
	const char *name;
	struct member *ret;
};

static bool member_is(const struct dwarf_target *t, Dwarf_Die *die, const char *name, const struct spot *at, void *data)
{
	struct member_search *s = data;
	Dwarf_Die type;

	if (strcmp(name, s->name))
		return false;
	s->ret->variant = dwarf_tag(die) == DW_TAG_variant_part;
	if (s->ret->variant)
		s->ret->type = variant_type(t, die);
	else if (type_die(die, &type))
		s->ret->type = is_static_member(die) ? NULL : make_type(t, &type);
	else
		return false;
	if (!s->ret->type)
		return true;
	s->ret->offset = at->offset;
	set_bits(die, at, s->ret);
	return true;
}

bool dwarf_member_as_said(const struct ctype *ct, const char *name, Dwarf_Die *ret_structure, struct member *ret)
{
	struct member_search s = { name, ret };

	*ret = (struct member){ 0 };
	return complete(ct, ret_structure) && each_member(ct, ret_structure, member_is, &s) && ret->type;
}

void dwarf_members(const struct ctype *ct, void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data)
{
	const struct dwarf_target *t = (const struct dwarf_target *)ct->target;
	Dwarf_Die die, kid, type;

	if (!complete(ct, &die))
		return;
	dwarf_each_child(&die, &kid) {
		const char *name = dwarf_diename(&kid);
		int tag = dwarf_tag(&kid);
		const struct ctype *unnamed;

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || is_static_member(&kid))
			continue;
		if (name) {
			fn(name, NULL, data);
			continue;
		}
		unnamed = type_die(&kid, &type) ? make_type(t, &type) : NULL;
		if (unnamed && (unnamed->kind == CT_STRUCT || unnamed->kind == CT_UNION))
			fn(NULL, unnamed, data);
	}
}

static bool member_name(const struct dwarf_target *t, Dwarf_Die *die, const char *name, const struct spot *at, void *data)
{
	const struct name_call *c = data;

	if (!is_static_member(die))
		c->fn(name, c->data);
	return false;
}

void dwarf_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data)
{
	struct name_call c = { fn, data };
	Dwarf_Die die;

	if (complete(ct, &die))
		each_member(ct, &die, member_name, &c);
}

/* ---- variants ---- */
/* The number of a variant as its discriminant of TYPE reads. */
static bool variant_number(const struct ctype *type, Dwarf_Die *variant, int64_t *ret)
{
	int unused = type->size < 8 ? 64 - 8 * (int)type->size : 0;
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr(variant, DW_AT_discr_value, &attr) || dwarf_formudata(&attr, &v))
		return false;
	v <<= unused;
	*ret = type->is_signed ? (int64_t)v >> unused : (int64_t)(v >> unused);
	return true;
}

const char *dwarf_variant(const struct ctype *ct, int index, bool *ret_other, int64_t *ret)
{
	Dwarf_Die part = ((const struct dwarf_type *)ct->type)->die, kid, member;

	if (dwarf_tag(&part) != DW_TAG_variant_part)
		return NULL;
	dwarf_each_child(&part, &kid) {
		if (dwarf_tag(&kid) != DW_TAG_variant || !variant_member(&kid, &member) || !dwarf_diename(&member) || index--)
			continue;
		*ret_other = !variant_number(ct, &kid, ret);
		return dwarf_diename(&member);
	}
	return NULL;
}

/* ---- enumerators ---- */
/* The number of an enumerator whose type has SIZE bytes. gcc writes 200 of a signed type as the one byte 0xc8. */
static bool enumerator_number(Dwarf_Die *die, bool is_signed, uint64_t size, int64_t *ret)
{
	int unused = size && size < 8 ? 64 - 8 * (int)size : 0;
	Dwarf_Attribute attr;
	Dwarf_Sword s;
	Dwarf_Word u;

	if (!dwarf_attr(die, DW_AT_const_value, &attr))
		return false;
	if (is_signed && (attr.form == DW_FORM_sdata || attr.form == DW_FORM_implicit_const)) {
		if (dwarf_formsdata(&attr, &s))
			return false;
		*ret = s;
		return true;
	}
	if (dwarf_formudata(&attr, &u))
		return false;
	*ret = is_signed ? (int64_t)(u << unused) >> unused : (int64_t)u;
	return true;
}

bool dwarf_each_enumerator(Dwarf_Die *die, bool (*fn)(const char *name, int64_t value, void *data), void *data)
{
	bool is_signed = enum_is_signed(die);
	uint64_t size = dwarf_number(die, DW_AT_byte_size, 4);
	Dwarf_Die kid;

	dwarf_each_child(die, &kid) {
		const char *name = dwarf_tag(&kid) == DW_TAG_enumerator ? dwarf_diename(&kid) : NULL;
		int64_t value;

		if (name && enumerator_number(&kid, is_signed, size, &value) && fn(name, value, data))
			return true;
	}
	return false;
}

/* Looking for one enumerator by its number. */
struct enumerator_at {
	int left;
	const char *name;
	int64_t value;
};

static bool count_enumerator(const char *name, int64_t value, void *data)
{
	struct enumerator_at *s = data;

	if (s->left--)
		return false;
	s->name = name;
	s->value = value;
	return true;
}

const char *dwarf_enumerator_of(const struct ctype *ct, int index, int64_t *ret)
{
	Dwarf_Die die = ((const struct dwarf_type *)ct->type)->die;
	struct enumerator_at s = { .left = index };

	if (!dwarf_each_enumerator(&die, count_enumerator, &s))
		return NULL;
	*ret = s.value;
	return s.name;
}

/* ---- by name ---- */
struct type_query {
	const char *name;
	unsigned tags; /* bits of enum type_tag */
};

/* "struct file" asks for one kind; a bare name may be of any. */
static struct type_query parse_type(const char *name)
{
	static const struct {
		const char *prefix;
		unsigned tags;
	} prefixes[] = {
		{ "struct ", TAG_STRUCT }, { "class ", TAG_STRUCT }, { "union ", TAG_UNION }, { "enum ", TAG_ENUM },
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t n = strlen(prefixes[i].prefix);

		if (!strncmp(name, prefixes[i].prefix, n))
			return (struct type_query){ name + n, prefixes[i].tags };
	}
	return (struct type_query){ name, TAG_STRUCT | TAG_UNION | TAG_ENUM | TAG_TYPEDEF | TAG_BASE };
}

/* The first definition in any unit. */
const struct ctype *dwarf_type_by_name(struct target *base, const char *name)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	struct type_query q = parse_type(name);
	Dwarf_Die die;

	return dwarf_name_find(t, q.name, q.tags, &die) ? make_type(t, &die) : NULL;
}

const struct ctype *dwarf_type_at(struct target *base, const struct place *p, const char *name)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	struct type_query q = parse_type(name);
	Dwarf_Die code = ((const struct dwarf_scope *)p->scope)->die, die;

	return dwarf_name_find_in_unit(t, &code, q.name, q.tags, &die) ? make_type(t, &die) : NULL;
}
