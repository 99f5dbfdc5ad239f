/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types from BTF, with the same names and rules as dwarf-types.c. struct ctype.type is the number of the type. */
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/debuginfo/btf-reader.h"
#include "translator/debuginfo/type-walk.h"

static unsigned id_of(const struct ctype *ct)
{
	return (unsigned)(uintptr_t)ct->type;
}

static const struct btf_target *target_of(const struct ctype *ct)
{
	return (const struct btf_target *)ct->target;
}

/* ID without typedefs and qualifiers; 0: void. */
static unsigned peel(const struct btf *btf, unsigned id)
{
	for (int i = 0; i < TYPE_DEPTH_MAX; i++) {
		const struct btf_type *ty = btf__type_by_id(btf, id);

		if (!ty)
			return 0;
		if (!btf_is_mod(ty) && !btf_is_typedef(ty) && !btf_is_type_tag(ty))
			return id;
		id = ty->type;
	}
	return 0;
}

/* "": damaged. */
static const char *name_at(const struct btf *btf, uint32_t offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name ? name : "";
}

/* ---- names ---- */
/* Writes the declaration of INNER with the type ID. LEFT: how many types the whole name may still go through. */
static void put_name(struct text *t, const struct btf *btf, unsigned id, const char *inner, int depth, int *left);

/* A type made of another: the declarator grows around INNER. */
static void put_derived(struct text *t, const struct btf *btf, unsigned id, const char *before, const char *inner,
			const char *after, int depth, int *left)
{
	_cleanup_free_ char *next = xasprintf("%s%s%s", before, inner, after);

	put_name(t, btf, id, next, depth + 1, left);
}

/* A structure, union or enumeration; those without a name are not spelled out. */
static void put_tagged(struct text *t, const char *tag, const char *name, const char *inner)
{
	text_printf(t, "%s %s%s%s", tag, *name ? name : "{...}", *inner == '(' ? " " : "", inner);
}

/* The declarator of a function; a parameter of no type is the dots. */
static void put_function(struct text *t, const struct btf *btf, const struct btf_type *ty, const char *inner, int depth, int *left)
{
	const struct btf_param *p = btf_params(ty);
	_cleanup_text_ struct text params = {};

	text_printf(&params, "%s(", inner);
	for (int i = 0; i < btf_vlen(ty) && *left > 0; i++) {
		text_puts(&params, i ? ", " : "");
		if (p[i].type)
			put_name(&params, btf, p[i].type, "", depth + 1, left);
		else
			text_puts(&params, "...");
	}
	text_puts(&params, btf_vlen(ty) ? ")" : "void)");
	put_name(t, btf, ty->type, text_str(&params), depth + 1, left);
}

static void put_pointer(struct text *t, const struct btf *btf, const struct btf_type *ty, const char *inner, int depth, int *left)
{
	const struct btf_type *to = ty->type ? btf__type_by_id(btf, ty->type) : NULL;

	if (to && (btf_is_func_proto(to) || btf_is_array(to)))
		put_derived(t, btf, ty->type, "(*", inner, ")", depth, left);
	else
		put_derived(t, btf, ty->type, "*", inner, "", depth, left);
}

static void put_name(struct text *t, const struct btf *btf, unsigned id, const char *inner, int depth, int *left)
{
	const struct btf_type *ty = id ? btf__type_by_id(btf, id) : NULL;
	const char *name = ty ? name_at(btf, ty->name_off) : "void";
	char count[32] = "[]";

	if (depth > TYPE_DEPTH_MAX || (*left)-- <= 0) {
		text_puts(t, "...");
		return;
	}
	switch (ty ? btf_kind(ty) : BTF_KIND_UNKN) {
	case BTF_KIND_PTR:
		put_pointer(t, btf, ty, inner, depth, left);
		return;
	case BTF_KIND_CONST:
		put_derived(t, btf, ty->type, " const", inner, "", depth, left);
		return;
	case BTF_KIND_VOLATILE:
		put_derived(t, btf, ty->type, " volatile", inner, "", depth, left);
		return;
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		put_name(t, btf, ty->type, inner, depth + 1, left);
		return;
	case BTF_KIND_ARRAY:
		if (btf_array(ty)->nelems)
			snprintf(count, sizeof(count), "[%u]", btf_array(ty)->nelems);
		put_derived(t, btf, btf_array(ty)->type, "", inner, count, depth, left);
		return;
	case BTF_KIND_FUNC_PROTO:
		put_function(t, btf, ty, inner, depth, left);
		return;
	case BTF_KIND_STRUCT:
		put_tagged(t, "struct", name, inner);
		return;
	case BTF_KIND_UNION:
		put_tagged(t, "union", name, inner);
		return;
	case BTF_KIND_FWD:
		put_tagged(t, btf_kflag(ty) ? "union" : "struct", name, inner);
		return;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		put_tagged(t, "enum", name, inner);
		return;
	default:
		text_printf(t, "%s%s%s", *name ? name : "?", *inner == '(' ? " " : "", inner);
	}
}

/* ---- ctypes ---- */
static void set_kind(struct ctype *ct, const struct btf *btf, const struct btf_type *ty)
{
	switch (btf_kind(ty)) {
	case BTF_KIND_INT:
		ct->is_signed = btf_int_encoding(ty) & BTF_INT_SIGNED;
		ct->kind = btf_int_encoding(ty) & BTF_INT_BOOL ? CT_BOOL : CT_INT;
		/* pahole does not set BTF_INT_CHAR. */
		if (strstr(name_at(btf, ty->name_off), "char"))
			ct->kind = CT_CHAR;
		return;
	case BTF_KIND_FLOAT:
		ct->kind = CT_FLOAT;
		return;
	case BTF_KIND_PTR:
		ct->kind = CT_POINTER;
		return;
	case BTF_KIND_ARRAY:
		ct->kind = CT_ARRAY;
		ct->count = btf_array(ty)->nelems;
		return;
	case BTF_KIND_STRUCT:
		ct->kind = CT_STRUCT;
		return;
	case BTF_KIND_UNION:
		ct->kind = CT_UNION;
		return;
	case BTF_KIND_FWD:
		ct->kind = btf_kflag(ty) ? CT_UNION : CT_STRUCT;
		return;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		ct->kind = CT_ENUM;
		ct->is_signed = btf_kflag(ty);
		if (btf_is_enum(ty))
			for (int i = 0; i < btf_vlen(ty); i++)
				ct->is_signed |= btf_enum(ty)[i].val < 0 && !btf_kflag(ty);
		return;
	case BTF_KIND_FUNC_PROTO:
		ct->kind = CT_FUNCTION;
		return;
	default:
		ct->kind = CT_VOID;
	}
}

const struct ctype *btf_make_type(const struct btf_target *t, unsigned id)
{
	unsigned plain = peel(t->btf, id);
	struct text name = {};
	struct ctype *ct;
	long long size;
	int left = TYPE_NAMES_MAX;

	if (!plain)
		return NULL;
	ct = arena_new(&program_arena, struct ctype);
	put_name(&name, t->btf, id, "", 0, &left);
	ct->name = text_keep(&name);
	ct->target = &t->base;
	ct->type = (void *)(uintptr_t)plain;
	set_kind(ct, t->btf, btf__type_by_id(t->btf, plain));
	size = ct->kind == CT_FUNCTION || ct->kind == CT_VOID ? 0 : btf__resolve_size(t->btf, plain);
	ct->size = size > 0 ? (uint64_t)size : 0;
	return ct;
}

const struct ctype *btf_pointee(const struct ctype *ct)
{
	const struct btf_type *ty = btf__type_by_id(target_of(ct)->btf, id_of(ct));

	if (ct->kind == CT_POINTER)
		return btf_make_type(target_of(ct), ty->type);
	return ct->kind == CT_ARRAY ? btf_make_type(target_of(ct), btf_array(ty)->type) : NULL;
}

/* ---- members ---- */
typedef bool member_fn(unsigned type, const char *name, uint64_t offset, unsigned bits, void *data);

/* A walk over the members of a structure. FN returns true to stop; its OFFSET is in bits. */
struct walk {
	const struct btf *btf;
	member_fn *fn;
	void *data;
	struct type_walk types;
};

/* The members of type ID in turn, through anonymous ones. */
static bool walk_members(struct walk *w, unsigned id, uint64_t offset, int depth)
{
	const struct btf_type *ty = btf__type_by_id(w->btf, id);

	if (!ty || !btf_is_composite(ty) || !type_walk_enters(&w->types, (void *)(uintptr_t)id, depth))
		return false;
	for (int i = 0; i < btf_vlen(ty); i++) {
		const struct btf_member *m = &btf_members(ty)[i];
		const char *name = btf__name_by_offset(w->btf, m->name_off);
		uint64_t at = offset + btf_member_bit_offset(ty, (unsigned)i);

		if (name && *name) {
			if (w->fn(m->type, name, at, btf_member_bitfield_size(ty, (unsigned)i), w->data))
				return true;
		} else if (walk_members(w, peel(w->btf, m->type), at, depth + 1)) {
			return true;
		}
	}
	return false;
}

/* A structure that is only declared: its definition has the same name. */
static unsigned complete(const struct ctype *ct)
{
	const struct btf *btf = target_of(ct)->btf;
	const struct btf_type *ty = btf__type_by_id(btf, id_of(ct));
	int id;

	if (!btf_is_fwd(ty))
		return id_of(ct);
	id = btf__find_by_name_kind(btf, name_at(btf, ty->name_off),
				    btf_kflag(ty) ? BTF_KIND_UNION : BTF_KIND_STRUCT);
	return id > 0 ? (unsigned)id : id_of(ct);
}

/* Calls FN with each member of CT, until it returns true; false: it never did. */
static bool each_member(const struct ctype *ct, member_fn *fn, void *data)
{
	struct walk w = { .btf = target_of(ct)->btf, .fn = fn, .data = data };
	bool stopped = walk_members(&w, complete(ct), 0, 0);

	type_walk_end(&w.types, ct);
	return stopped;
}

struct member_search {
	const struct btf_target *t;
	const char *name;
	struct member *ret;
};

static bool member_is(unsigned type, const char *name, uint64_t offset, unsigned bits, void *data)
{
	struct member_search *s = data;

	if (strcmp(name, s->name))
		return false;
	s->ret->type = btf_make_type(s->t, type);
	if (!s->ret->type)
		return false;
	s->ret->offset = bits ? 0 : offset / 8;
	s->ret->bit_offset = s->ret->bit_size = 0;
	if (bits)
		member_bits(s->ret, offset, bits);
	return true;
}

bool btf_find_member(const struct ctype *ct, const char *name, struct member *ret)
{
	struct member_search s = { target_of(ct), name, ret };

	return each_member(ct, member_is, &s);
}

void btf_members_of(const struct ctype *ct, void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data)
{
	const struct btf_target *t = target_of(ct);
	const struct btf_type *ty = btf__type_by_id(t->btf, complete(ct));

	if (!ty || !btf_is_composite(ty))
		return;
	for (int i = 0; i < btf_vlen(ty); i++) {
		const struct btf_member *m = &btf_members(ty)[i];
		const char *name = name_at(t->btf, m->name_off);
		const struct ctype *unnamed = *name ? NULL : btf_make_type(t, m->type);

		if (*name)
			fn(name, NULL, data);
		else if (unnamed && (unnamed->kind == CT_STRUCT || unnamed->kind == CT_UNION))
			fn(NULL, unnamed, data);
	}
}

static bool member_name(unsigned type, const char *name, uint64_t offset, unsigned bits, void *data)
{
	const struct name_call *c = data;

	c->fn(name, c->data);
	return false;
}

void btf_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data)
{
	struct name_call c = { fn, data };

	each_member(ct, member_name, &c);
}

/* Number of the first type that the name asks for, of any kind where it names none, structures first; 0: no type has the name. */
static unsigned find_type(const struct btf *btf, const char *name)
{
	static const struct {
		const char *prefix;
		unsigned kind;
	} kinds[] = {
		{ "struct ", BTF_KIND_STRUCT }, { "union ", BTF_KIND_UNION }, { "enum ", BTF_KIND_ENUM },
		{ "enum ", BTF_KIND_ENUM64 }, { "", BTF_KIND_STRUCT }, { "", BTF_KIND_UNION },
		{ "", BTF_KIND_TYPEDEF }, { "", BTF_KIND_ENUM }, { "", BTF_KIND_INT },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t n = strlen(kinds[i].prefix);
		int id;

		if (strncmp(name, kinds[i].prefix, n))
			continue;
		id = btf__find_by_name_kind(btf, name + n, kinds[i].kind);
		if (id > 0)
			return (unsigned)id;
	}
	return 0;
}

const struct ctype *btf_type_by_name(struct target *base, const char *name)
{
	const struct btf_target *t = (const struct btf_target *)base;
	unsigned id = find_type(t->btf, name);

	return id ? btf_make_type(t, id) : NULL;
}

/* pahole keeps one of the types that units have in common, so two of a name differ. */
unsigned btf_types_named(struct target *base, const char *name)
{
	const struct btf *btf = ((const struct btf_target *)base)->btf;
	unsigned first = find_type(btf, name), n = btf__type_cnt(btf), found = 0;
	const struct btf_type *type = first ? btf__type_by_id(btf, first) : NULL;

	for (unsigned id = first; type && id < n; id++) {
		const struct btf_type *other = btf__type_by_id(btf, id);

		found += btf_kind(other) == btf_kind(type) && other->name_off == type->name_off;
	}
	return found;
}

void btf_type_names(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	const struct btf *btf = ((const struct btf_target *)base)->btf;
	unsigned n = btf__type_cnt(btf);

	for (unsigned id = 1; id < n; id++) {
		const struct btf_type *ty = btf__type_by_id(btf, id);
		const char *name = btf_is_composite(ty) || btf_is_any_enum(ty) || btf_is_typedef(ty) || btf_is_int(ty)
					   ? btf__name_by_offset(btf, ty->name_off) : NULL;

		if (name && *name)
			fn(name, data);
	}
}

/* ---- enumerators ---- */
/* Value of enumerator I of an enumeration. */
static int64_t enumerator_value(const struct btf_type *ty, int i)
{
	if (btf_is_enum64(ty))
		return (int64_t)btf_enum64_value(&btf_enum64(ty)[i]);
	/* Without the flag a value is unsigned, unless some value of the type is below zero: see set_kind(). */
	for (int k = 0; !btf_kflag(ty) && k < btf_vlen(ty); k++)
		if (btf_enum(ty)[k].val < 0)
			return btf_enum(ty)[i].val;
	return btf_kflag(ty) ? btf_enum(ty)[i].val : (int64_t)(uint32_t)btf_enum(ty)[i].val;
}

static const char *enumerator_name(const struct btf *btf, const struct btf_type *ty, int i)
{
	return btf__name_by_offset(btf, btf_is_enum64(ty) ? btf_enum64(ty)[i].name_off : btf_enum(ty)[i].name_off);
}

const char *btf_enumerator_of(const struct ctype *ct, int index, int64_t *ret)
{
	const struct btf *btf = target_of(ct)->btf;
	const struct btf_type *ty = btf__type_by_id(btf, id_of(ct));

	if (index >= btf_vlen(ty))
		return NULL;
	*ret = enumerator_value(ty, index);
	return enumerator_name(btf, ty, index);
}

/* Every enumerator of every enumeration; FN returns true to stop. */
static bool walk_enumerators(const struct btf *btf,
			     bool (*fn)(const char *name, int64_t value, void *data), void *data)
{
	unsigned n = btf__type_cnt(btf);

	for (unsigned id = 1; id < n; id++) {
		const struct btf_type *ty = btf__type_by_id(btf, id);

		for (int i = 0; btf_is_any_enum(ty) && i < btf_vlen(ty); i++) {
			const char *name = enumerator_name(btf, ty, i);

			if (name && fn(name, enumerator_value(ty, i), data))
				return true;
		}
	}
	return false;
}

bool btf_enumerator(struct target *base, const struct place *p, const char *name, int64_t *ret)
{
	struct enumerator_search s = { name, ret };

	return walk_enumerators(((const struct btf_target *)base)->btf, enumerator_is, &s);
}

static bool enumerator_call(const char *name, int64_t value, void *data)
{
	return member_name(0, name, 0, 0, data);
}

void btf_enumerators(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	struct name_call c = { fn, data };

	walk_enumerators(((const struct btf_target *)base)->btf, enumerator_call, &c);
}
