/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Composes the sprintf that prints a value as C would write it: {.a=1, .b={...}}, [1, 2, ...], 'c', "text", 0x1234.
 *
 * The arguments are target values again ($x->a, $x->b[0], ...): they are computed as if the script had written them.
 */
#include "translator/probe/pretty.h"
#include "runtime/abi.h"
#include "translator/probe/enumerators.h"
#include "translator/probe/variant.h"

#include <string.h>

enum { ITEMS_MAX = KT_ARRAY_ITEMS, DEPTH_MAX = 16, RECORDS_MAX = 1000, ARGUMENTS_MAX = 32, VARIANTS_MAX = 64 };

void pretty_start(struct pretty *p, struct loc loc)
{
	*p = (struct pretty){ .print = node_new(ND_PRINT, loc) };
	p->print->op = OP_SPRINTF;
	p->end = &p->print->list;
}

struct node *pretty_finish(struct pretty *p)
{
	struct node *n = p->print, *both;

	n->text_len = p->format.len;
	n->text = text_keep(&p->format);
	if (!p->before)
		return n;
	both = node_new(ND_BINARY, n->loc);
	both->op = OP_CAT;
	both->kid[0] = p->before;
	both->kid[1] = n;
	return both;
}

void pretty_name(struct pretty *p, const char *name)
{
	for (; *name; name++)
		text_printf(&p->format, *name == '%' ? "%%%%" : "%c", *name);
}

void pretty_add(struct pretty *p, const char *directive, struct node *argument)
{
	/* A sprintf takes no more: what there is so far becomes the left side of a concatenation. */
	if (p->n_arguments == ARGUMENTS_MAX) {
		struct node *before = pretty_finish(p);
		struct pretty done = *p;

		pretty_start(p, before->loc);
		p->before = before;
		p->program = done.program;
		p->pieces = done.pieces;
		p->items = done.items;
		p->records = done.records;
	}
	text_puts(&p->format, directive);
	*p->end = argument;
	p->end = &argument->next;
	p->n_arguments++;
}

static struct node *member_of(const struct node *base, const char *name)
{
	struct node *n = node_new(ND_ARROW, base->loc);

	n->kid[0] = node_clone(base);
	n->name = intern(name);
	return n;
}

static struct node *element_of(const struct node *base, uint64_t i)
{
	struct node *n = node_new(ND_SUBSCRIPT, base->loc);

	n->kid[0] = node_clone(base);
	n->kid[1] = node_new(ND_NUM, base->loc);
	n->kid[1]->num = (long long)i;
	return n;
}

static struct node *call(const char *name, struct node *address, struct node *second)
{
	struct node *n = node_own_call(name, address->loc);

	n->list = address;
	address->next = second;
	return n;
}

/* The string at ADDRESS, in quotes. A pointer of the kernel may lead to the kernel or to the program: its type does not say which. */
static struct node *text_at(const struct node *address, const struct ctype *pointer)
{
	const char *name = target_is_user(pointer->target) ? "user_string_quoted" : "kernel_or_user_string_quoted";

	return call(name, node_clone(address), NULL);
}

static void put(struct pretty *p, const struct node *expr, const struct ctype *ct, int depth, bool deep);

/* State of a walk over the members of a structure. */
struct members {
	struct pretty *p;
	const struct node *base;
	const struct ctype *ct;
	int depth, n;
	bool deep, full;
};

/* After the limit the rest of what is being shown is three dots, on each level. */
static bool is_full(struct pretty *p)
{
	if (p->items < ITEMS_MAX)
		return false;
	text_puts(&p->format, "...");
	return true;
}

static void put_record(struct pretty *p, const struct node *expr, const struct ctype *ct, int depth, bool deep);

static void put_member(const char *name, const struct ctype *unnamed, void *data)
{
	struct members *m = data;
	struct member member;

	if (m->full || (name && !ctype_member(m->ct, name, &member) && !member.unplaced))
		return;
	text_puts(&m->p->format, m->n++ ? ", " : "");
	m->full = is_full(m->p);
	if (m->full)
		return;
	if (name) {
		text_puts(&m->p->format, ".");
		pretty_name(m->p, name);
		text_puts(&m->p->format, member.unplaced ? "=?" : "=");
		if (member.unplaced)
			return;
		put(m->p, member_of(m->base, name), member.type, m->depth + 1, m->deep);
	} else {
		/* Its members are reached as those of what is around it. */
		text_puts(&m->p->format, unnamed->kind == CT_UNION ? "<union>=" : "<class>=");
		put_record(m->p, m->base, unnamed, m->depth + 1, m->deep);
	}
}

/* An enum with data, in braces: the variant NAME of it. */
static struct node *variant_text(struct pretty *p, const struct members *m, const char *name)
{
	struct pretty one;
	struct node *ret;

	pretty_start(&one, m->base->loc);
	one.program = p->program;
	one.pieces = p->pieces;
	one.items = p->items;
	one.records = p->records;
	text_puts(&one.format, "{");
	put_member(name, NULL, &(struct members){ .p = &one, .base = m->base, .ct = m->ct, .depth = m->depth, .deep = m->deep });
	text_puts(&one.format, "}");
	ret = pretty_finish(&one);
	p->records = one.records;
	return ret;
}

/* The text for a discriminant that no variant has. */
static struct node *no_variant(const struct members *m)
{
	struct pretty one;

	pretty_start(&one, m->base->loc);
	pretty_add(&one, "{.__variant=%i}", member_of(m->base, "__variant"));
	return pretty_finish(&one);
}

/* `$x->__variant == NUMBER ? THEN : OTHERWISE` */
static struct node *if_variant(const struct members *m, int64_t number, struct node *then, struct node *otherwise)
{
	struct node *n = node_new(ND_COND, m->base->loc), *equal = node_new(ND_BINARY, m->base->loc);

	equal->op = OP_EQ;
	equal->kid[0] = member_of(m->base, "__variant");
	equal->kid[1] = node_number(m->base->loc, number);
	n->kid[0] = equal;
	n->kid[1] = then;
	n->kid[2] = otherwise;
	return n;
}

/* An enum with data, whose discriminant is of TYPE: the variant that is there, and no other. */
static void put_variants(struct members *m, const struct ctype *type)
{
	struct node *choice = NULL;
	const char *name;
	int64_t number;
	bool other;

	for (int i = 0; i < VARIANTS_MAX && (name = ctype_variant(type, i, &other, &number)); i++)
		if (other)
			choice = variant_text(m->p, m, name);
	if (!choice)
		choice = no_variant(m);
	for (int i = 0; i < VARIANTS_MAX && (name = ctype_variant(type, i, &other, &number)); i++)
		if (!other)
			choice = if_variant(m, number, variant_text(m->p, m, name), choice);
	pretty_add(m->p, "%s", choice);
	m->p->items++;
}

/* Only DEEP goes below the first level. */
static void put_record(struct pretty *p, const struct node *expr, const struct ctype *ct, int depth, bool deep)
{
	struct members m = { .p = p, .base = expr, .ct = ct, .depth = depth, .deep = deep };
	struct member discriminant;

	/* Damaged debugging information may describe endless nesting. */
	if (depth && (!deep || depth > DEPTH_MAX || ++p->records > RECORDS_MAX)) {
		text_puts(&p->format, "{...}");
		return;
	}
	if (variant_discriminant(ct, &discriminant)) {
		put_variants(&m, discriminant.type);
		return;
	}
	text_puts(&p->format, "{");
	ctype_members(ct, put_member, &m);
	text_puts(&p->format, "}");
}

/* Bytes of which an array may be a string. */
static bool is_byte(const struct ctype *ct)
{
	return ct && ct->kind == CT_CHAR && ct->size == 1;
}

/* The COUNT bytes at EXPR: a string if they are one, else numbers. */
static struct node *bytes_at(const struct node *expr, const struct ctype *element, uint64_t count)
{
	int how = (target_is_user(element->target) ? KT_ARRAY_USER : 0) | (element->is_signed ? KT_ARRAY_SIGNED : 0) |
		  (ctype_is_text(element) ? KT_ARRAY_TEXT : 0) |
		  (ctype_is_text(element) && !strstr(element->name, "signed") ? KT_ARRAY_BUFFER : 0);
	struct node *n = node_number(expr->loc, count < INT32_MAX ? (int64_t)count : INT32_MAX);

	n->next = node_number(expr->loc, how);
	return call("__array_text", node_clone(expr), n);
}

static void put_array(struct pretty *p, const struct node *expr, const struct ctype *ct, int depth, bool deep)
{
	const struct ctype *element = ctype_pointee(ct);

	if (element && is_byte(element) && (ct->count || ctype_is_text(element)) && (!depth || deep)) {
		pretty_add(p, "%s", ct->count ? bytes_at(expr, element, ct->count) : text_at(expr, element));
		p->items++;
		return;
	}
	if (!element || !ct->count || (depth && !deep)) {
		text_puts(&p->format, "[...]");
		return;
	}
	text_puts(&p->format, "[");
	for (uint64_t i = 0; i < ct->count; i++) {
		text_puts(&p->format, i ? ", " : "");
		if (is_full(p))
			break;
		put(p, element_of(expr, i), element, depth + 1, deep);
	}
	text_puts(&p->format, "]");
}

/* A pointer to a function: its name when DEEP. */
static void put_function(struct pretty *p, struct node *expr, const struct ctype *to, int depth, bool deep)
{
	text_puts(&p->format, depth ? "" : "<function>:");
	if (deep)
		pretty_add(p, "%s", call(target_is_user(to->target) ? "usymname" : "symname", expr, NULL));
	else
		pretty_add(p, "%p", expr);
}

/* The outermost pointer to a structure is followed, others are shown. */
static void put_pointer(struct pretty *p, struct node *expr, const struct ctype *ct, int depth, bool deep)
{
	const struct ctype *to = ctype_pointee(ct);

	if (to && !depth && (to->kind == CT_STRUCT || to->kind == CT_UNION)) {
		put_record(p, expr, to, depth, deep);
		return;
	}
	if (is_byte(to))
		pretty_add(p, "%s", text_at(expr, to));
	else if (to && to->kind == CT_FUNCTION)
		put_function(p, expr, to, depth, deep);
	else
		pretty_add(p, "%p", expr);
	p->items++;
}

/* Is EXPR in a piece of the structure that is unavailable? A text needs an address, which pieces do not have. */
static bool is_missing(const struct pretty *p, struct node *expr, const struct ctype *ct)
{
	const struct ctype *element = ct->kind == CT_ARRAY ? ctype_pointee(ct) : NULL;

	if (!p->pieces || ct->kind == CT_STRUCT || ct->kind == CT_UNION)
		return false;
	return element ? is_byte(element) : !context_printable(p->program, p->pieces, expr);
}

/* EXPR, of the enumeration CT: its name when DEEP. */
static void put_enum(struct pretty *p, struct node *expr, const struct ctype *ct, bool deep)
{
	struct node *n = node_new(ND_ENUMNAME, expr->loc);

	n->kid[0] = expr;
	enumerators_of(n, ct);
	if (deep && n->list)
		pretty_add(p, "%s", n);
	else
		pretty_add(p, ct->is_signed ? "%i" : "%u", expr);
}

static void put(struct pretty *p, const struct node *expr, const struct ctype *ct, int depth, bool deep)
{
	struct node *own = node_clone(expr);

	if (is_missing(p, own, ct)) {
		text_puts(&p->format, "?");
		p->items++;
		return;
	}
	switch (ct->kind) {
	case CT_STRUCT:
	case CT_UNION:
		put_record(p, expr, ct, depth, deep);
		return;
	case CT_ARRAY:
		put_array(p, expr, ct, depth, deep);
		return;
	case CT_POINTER:
		put_pointer(p, own, ct, depth, deep);
		return;
	case CT_CHAR:
	case CT_INT:
	case CT_BOOL:
	case CT_ENUM:
		if (!context_is_held(ct))
			text_puts(&p->format, "?");
		else if (ct->kind == CT_ENUM)
			put_enum(p, own, ct, deep);
		else
			pretty_add(p, ct->kind == CT_CHAR ? "'%#c'" : ct->is_signed ? "%i" : "%u", own);
		break;
	case CT_FLOAT:
	case CT_FUNCTION:
	case CT_VOID:
		text_puts(&p->format, "?");
		break;
	}
	p->items++;
}

struct node *pretty_value(struct program *program, struct node *expr, const struct ctype *ct, bool deep, const struct context_place *pieces)
{
	struct node *whole = node_new(ND_PRINT, expr->loc);
	struct pretty p;

	pretty_start(&p, expr->loc);
	p.program = program;
	p.pieces = pieces;
	put(&p, expr, ct, 0, deep);
	whole->op = OP_SPRINTF;
	whole->text = "%s";
	whole->text_len = strlen(whole->text);
	whole->list = pretty_finish(&p);
	whole->or_error = true;
	return whole;
}
