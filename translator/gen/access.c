/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target values: struct access -> C. A base, then steps that follow pointers and add offsets, then a load.
 *
 * Every read of the target's memory is a statement with its check, in the order of the chain. A value that is loaded
 * is extended to 64 bits as its type says. Writes, which need -g, go the same way up to the last step.
 */
#include "translator/gen/parts.h"

#include <inttypes.h>
#include <string.h>

#include "translator/probe/access.h"
#include "translator/probe/context.h"

static bool is_signed(const struct ctype *ct)
{
	return ct && ct->is_signed;
}

/* A value of SIZE bytes in the low bits of TEXT. */
static const char *extend(const char *text, uint64_t size, bool sign)
{
	const char *type = size == 1 ? "8" : size == 2 ? "16" : size == 4 ? "32" : NULL;

	if (!type)
		return arena_printf(&program_arena, "(kt_s64)%s", text);
	return arena_printf(&program_arena, "(kt_s64)(kt_%s%s)%s", sign ? "s" : "u", type, text);
}

/* Reads memory into a fresh temporary. */
static const char *load(struct gen *g, const struct node *n, const char *address, uint64_t size, bool user)
{
	const char *t = gen_temp(g);

	gen_line(g, "%s = (kt_s64)kt_deref%s(c, (kt_u64)%s, %" PRIu64 ");", t, user ? "_user" : "", address, size);
	gen_check(g, n);
	return t;
}

/* The bitfield A, whose lowest bit is bit FROM of TEXT. */
static const char *cut_bits(const struct access *a, const char *text, unsigned from)
{
	return arena_printf(&program_arena, is_signed(a->type) ? "((kt_s64)((kt_u64)%s << %u) >> %u)"
							       : "(kt_s64)((kt_u64)%s << %u >> %u)",
			    text, 64 - from - a->bit_size, 64 - a->bit_size);
}

/* Is A a bitfield that ends in the ninth byte, as those of packed structures may? */
static bool has_ninth_byte(const struct access *a)
{
	return a->bit_offset + a->bit_size > 64;
}

/* The bitfield A, of which LOW is the first 8 bytes and HIGH the ninth. */
static const char *join_bits(const struct access *a, const char *low, const char *high)
{
	const char *joined = arena_printf(&program_arena, "((kt_u64)%s >> %u | (kt_u64)%s << %u)", low, a->bit_offset, high,
					  64 - a->bit_offset);

	return cut_bits(a, joined, 0);
}

/* Bytes to read for a bitfield in memory, 8 at most. */
static unsigned bits_storage(const struct access *a)
{
	unsigned bytes = (a->bit_offset + a->bit_size + 7) / 8, size = 1;

	while (size < bytes && size < 8)
		size *= 2;
	return size;
}

/* The ninth byte of what is at ADDRESS. */
static const char *ninth(const char *address)
{
	return arena_printf(&program_arena, "(%s + 8)", address);
}

/* A bitfield in memory, from the byte at ADDRESS on. */
static const char *load_bits(struct gen *g, const struct node *n, const struct access *a, const char *address)
{
	const char *low = load(g, n, address, bits_storage(a), a->user_memory);

	if (!has_ninth_byte(a))
		return cut_bits(a, low, a->bit_offset);
	return join_bits(a, low, load(g, n, ninth(address), 1, a->user_memory));
}

/* A variant of an enum with data is read: the discriminant NUMBER must be that variant's. */
static void check_variant(struct gen *g, const struct node *n, const struct access_variant *v, const char *number)
{
	const char *held = gen_hold(g, value_of("%s", extend(number, v->type->size, is_signed(v->type))), TY_LONG).text, *is_not;
	_cleanup_text_ struct text condition = { 0 };
	size_t len;

	for (int i = 0; i < v->n; i++)
		text_printf(&condition, "%s%s %s %s", i ? " || " : "", held, v->other ? "==" : "!=", c_number(v->numbers[i]));
	is_not = arena_printf(&program_arena, "the value is not the variant '%s'", v->name);
	gen_line(g, "if (%s)", text_str(&condition));
	gen_line(g, "\tKT_FAIL(%s, %d);", c_string(g, is_not, strlen(is_not), &len), gen_place(g, n));
}

/* The same of a value in registers. */
static void check_location(struct gen *g, const struct node *n, const struct access *a, const struct access_variant *v)
{
	const char *t = gen_temp(g), *why = NULL;
	_cleanup_text_ struct text text = { 0 };

	if (location_emit(&text, &v->location, v->type->size, gen_datum(g, gen_place(g, n)), a->user_memory, &why)) {
		gen_line(g, "%s = (kt_s64)%s;", t, text_str(&text));
		gen_check(g, n);
		if (v->location.kind == LOC_ADDRESS)
			t = load(g, n, t, v->type->size, a->user_memory);
		check_variant(g, n, v, t);
	} else {
		error(n->loc, DIAG_OPTIMIZED_OUT, "it is not known whether the value is the variant '%s': %s", v->name, why);
		g->failed = true;
	}
}

/* ---- locations ---- */
/* How a value is read from a location: SIZE bytes at its address, or with 0 the location's own value, are shifted LEFT and then RIGHT,
 * signed or not. */
struct reading {
	unsigned size, left, right;
	bool is_signed;
};

/* Returns how A is read when it needs no step. The value is that of loaded(). */
static struct reading reading_of(const struct access *a)
{
	struct reading r = { .is_signed = is_signed(a->type) };

	if (a->address)
		return (struct reading){ 0 };
	if (a->bit_size) {
		r.left = 64 - a->bit_offset - a->bit_size;
		r.right = 64 - a->bit_size;
	} else if (a->type->size == 1 || a->type->size == 2 || a->type->size == 4) {
		r.left = r.right = 64 - 8 * (unsigned)a->type->size;
	}
	if (a->location.kind == LOC_ADDRESS)
		r.size = a->bit_size ? bits_storage(a) : (unsigned)a->type->size;
	return r;
}

/* Writes C that replaces the value or address of a location in T by the value that R reads. */
static void put_reading(struct text *out, const char *t, const struct access *a, struct reading r)
{
	if (r.size)
		emit_line(out, "if (kt_likely(!c->error)) %s = (kt_s64)kt_deref%s(c, (kt_u64)%s, %u);", t, a->user_memory ? "_user" : "", t,
			  r.size);
	if (a->bit_size && r.right)
		emit_line(out, "%s = %s;", t, cut_bits(a, t, a->bit_offset));
	else if (r.right)
		emit_line(out, "%s = %s;", t, extend(t, a->type->size, r.is_signed));
}

/* Sets *RET to the word for A's location read as R. False: the location is not a sum, or does not fit. */
static bool sum_word(const struct access *a, struct reading r, struct location_sum *sum, uint64_t *ret)
{
	unsigned reg;

	if (r.size > 8 || !location_sum(&a->location, sum) || sum->reg >= KT_WORD_NO_REGISTER || sum->number != (int32_t)sum->number ||
	    (sum->relocated && a->user_memory))
		return false;
	reg = sum->reg < 0 ? KT_WORD_NO_REGISTER : (unsigned)sum->reg;
	*ret = (uint64_t)sum->number << KT_WORD_NUMBER_SHIFT | (uint64_t)r.right << KT_WORD_RIGHT_SHIFT | r.left << KT_WORD_LEFT_SHIFT |
	       (sum->relocated ? KT_WORD_RELOCATED : 0) | (r.is_signed && r.right ? KT_WORD_SIGNED : 0) |
	       (a->user_memory && r.size ? KT_WORD_USER : 0) | r.size << KT_WORD_SIZE_SHIFT | reg;
	return true;
}

/* Writes C that sets T to SUM. */
static void put_sum(struct text *out, const char *t, const struct location_sum *sum)
{
	const char *number = c_number(sum->number);

	if (sum->relocated)
		emit_line(out, "%s = (kt_s64)kt_relocate((kt_u64)%s);", t, number);
	else if (sum->reg < 0)
		emit_line(out, "%s = %s;", t, number);
	else
		emit_line(out, "%s = (kt_s64)kt_register(c, %d) + %s;", t, sum->reg, number);
}

/* Bytes that A's location describes as a value. */
static uint64_t location_size(const struct access *a)
{
	if (a->bit_size)
		return (a->bit_offset + a->bit_size + 7) / 8;
	return a->base_type ? a->base_type->size : 8;
}

/* Adds a function that reads A's location as R. Returns its number; -1: the location cannot be computed, which was reported. */
static int add_locator(struct gen *g, const struct node *n, const struct access *a, struct reading r)
{
	_cleanup_text_ struct text text = { 0 }, body = { .indent = 1 };
	const char *why = NULL;
	int ret = -1;

	if (location_emit(&text, &a->location, location_size(a), "KT_NO_PLACE", a->user_memory, &why)) {
		emit_line(&body, "kt_s64 t = (kt_s64)%s;", text_str(&text));
		text_puts(&body, "\n");
		put_reading(&body, "t", a, r);
		emit_line(&body, "return (kt_u64)t;");
		ret = table_add(&g->locators, text_str(&body));
	} else {
		error(n->loc, DIAG_OPTIMIZED_OUT, "the value is not available at this place: %s", why);
		g->failed = true;
	}
	return ret;
}

/* Reads A's location as R into a fresh temporary. */
static const char *located(struct gen *g, const struct node *n, const struct access *a, struct reading r)
{
	const char *t = gen_temp(g);
	struct location_sum sum;
	uint64_t word;
	int number;

	if (sum_word(a, r, &sum, &word)) {
		gen_region(g);
		put_sum(&g->u->code, t, &sum);
		put_reading(&g->u->code, t, a, r);
	} else {
		number = add_locator(g, n, a, r);
		if (number < 0)
			return "0";
		word = (uint64_t)number << KT_WORD_NUMBER_SHIFT | KT_WORD_FUNCTION;
		gen_region(g);
		gen_line(g, "%s = (kt_s64)l_%d(c);", t, number);
	}
	gen_region_end(g, word, t);
	gen_check(g, n);
	return t;
}

/* Computes A's location, which needs a value from the function's entry, into a fresh temporary. */
static const char *located_at_entry(struct gen *g, const struct node *n, const struct access *a)
{
	const char *entry = gen_hold(g, gen_expr(g, n->list), TY_LONG).text, *t, *why = NULL;
	_cleanup_text_ struct text text = { 0 };

	if (!location_emit(&text, &a->location, location_size(a), gen_datum(g, gen_place(g, n)), a->user_memory, &why)) {
		error(n->loc, DIAG_OPTIMIZED_OUT, "the value is not available at this place: %s", why);
		g->failed = true;
		return "0";
	}
	t = gen_temp(g);
	gen_line(g, "%s = (kt_s64)({ kt_u64 kt_entry = (kt_u64)%s; %s; });", t, entry, text_str(&text));
	gen_check(g, n);
	return t;
}

/* SIZE bytes at OFFSET of the value at A's location. */
static const char *located_part(struct gen *g, const struct node *n, const struct access *a, uint64_t offset, uint64_t size)
{
	const struct ctype type = { .kind = CT_INT, .size = size };
	const struct access part = { .base = ACC_LOCATION, .location = location_part(&a->location, offset, size), .base_type = &type,
				     .type = &type, .user_memory = a->user_memory };

	return n->list ? located_at_entry(g, n, &part) : located(g, n, &part, (struct reading){ 0 });
}

/* ---- the chain ---- */
/* The base: an address, or a value that is in no memory. */
static const char *base(struct gen *g, const struct node *n, const struct access *a, bool *ret_in_memory)
{
	const char *t;

	*ret_in_memory = a->base == ACC_EXPR || (a->base == ACC_LOCATION && a->location.kind == LOC_ADDRESS);
	switch (a->base) {
	case ACC_EXPR:
		return gen_hold(g, gen_expr(g, n->kid[0]), TY_LONG).text;
	case ACC_LOCATION:
		return n->list ? located_at_entry(g, n, a) : located(g, n, a, (struct reading){ 0 });
	case ACC_RETURN:
		break;
	}
	t = gen_temp(g);
	gen_line(g, "%s = (kt_s64)kt_return_%s(c);", t, a->wide ? "wide" : "value");
	gen_check(g, n);
	return t;
}

/* The base and the steps: where the value is, or the value itself when it is in no memory. */
static const char *locate(struct gen *g, const struct node *n, const struct access *a, bool *ret_in_memory)
{
	const char *at, *number;
	bool in_memory;

	for (const struct access_variant *v = a->variants; v; v = v->next)
		check_location(g, n, a, v);
	at = base(g, n, a, &in_memory);

	for (const struct access_step *s = a->steps; s; s = s->next) {
		switch (s->kind) {
		case STEP_DEREF:
			if (in_memory)
				at = load(g, n, at, s->size, a->user_memory);
			in_memory = true;
			break;
		case STEP_MEMBER:
			if (s->offset)
				at = arena_printf(&program_arena, "(%s + %" PRIu64 ")", at, s->offset);
			break;
		case STEP_VARIANT:
			at = gen_hold(g, value_of("%s", at), TY_LONG).text;
			number = arena_printf(&program_arena, "(%s + %" PRIu64 ")", at, s->variant->offset);
			check_variant(g, n, s->variant, load(g, n, number, s->variant->type->size, a->user_memory));
			break;
		case STEP_CPU:
			at = gen_hold(g, value_of("%s", at), TY_LONG).text;
			number = gen_hold(g, gen_expr(g, s->index), TY_LONG).text;
			at = gen_hold(g, value_of("(kt_s64)kt_cpu_copy(c, (kt_u64)%s, %s)", at, number), TY_LONG).text;
			gen_check(g, n);
			break;
		case STEP_INDEX:
			at = gen_hold(g, value_of("%s", at), TY_LONG).text;
			at = arena_printf(&program_arena, "(%s + %s * %" PRIu64 ")", at, gen_expr(g, s->index).text,
					  s->size);
			break;
		}
	}
	*ret_in_memory = in_memory;
	return at;
}

/* The value that locate() found, as a number. */
static struct value loaded(struct gen *g, const struct node *n, const struct access *a, const char *at, bool in_memory)
{
	if (a->address)
		return (struct value){ .text = at };
	if (a->bit_size)
		return gen_hold(g, value_of("%s", in_memory ? load_bits(g, n, a, at) : cut_bits(a, at, a->bit_offset)), TY_LONG);
	if (in_memory)
		at = load(g, n, at, a->type->size, a->user_memory);
	return value_of("%s", extend(at, a->type->size, is_signed(a->type)));
}

struct value gen_access(struct gen *g, const struct node *n)
{
	const struct access *a = n->access;
	bool in_memory;
	const char *at;

	if (!a) {
		error(n->loc, DIAG_UNSUPPORTED, "'%s' has no meaning in this probe", node_kind_name(n->kind));
		g->failed = true;
		return gen_constant(0);
	}
	if (has_ninth_byte(a) && a->base == ACC_LOCATION && a->location.kind == LOC_PIECES) {
		const char *low = located_part(g, n, a, 0, 8);

		return gen_hold(g, value_of("%s", join_bits(a, low, located_part(g, n, a, 8, 1))), TY_LONG);
	}
	if (a->base == ACC_LOCATION && !n->list && !a->steps && !a->variants && !has_ninth_byte(a))
		return value_of("%s", located(g, n, a, reading_of(a)));
	at = locate(g, n, a, &in_memory);
	return loaded(g, n, a, at, in_memory);
}

struct value gen_char_array(struct gen *g, const struct node *n, const struct ctype *array)
{
	struct value address = n->kind == ND_CALL ? gen_call(g, n, true) : gen_access(g, n), ret = { .text = gen_slot(g), .slot = true };
	const char *memory = target_is_user(array->target) ? "user" : "kernel";

	/* Structures with an array of one byte at their end are longer than their type. */
	if (array->count > 1)
		gen_line(g, "kt_fn_%s_string_n(c, %s, KT_STR, %s, %" PRIu64 ");", memory, ret.text, address.text, array->count);
	else
		gen_line(g, "kt_fn_%s_string(c, %s, KT_STR, %s);", memory, ret.text, address.text);
	gen_check(g, n);
	return ret;
}

/* Writes SIZE bytes of storage at AT, of which only the bits of MASK change: to those of BITS. */
static void store_masked(struct gen *g, const struct node *n, const struct access *a, const char *at, const char *bits, uint64_t mask,
			 unsigned size)
{
	const char *user = a->user_memory ? "_user" : "", *old = load(g, n, at, size, a->user_memory);

	gen_line(g, "kt_store%s(c, (kt_u64)%s, ((kt_u64)%s & ~%#" PRIx64 "ull) | (%s & %#" PRIx64 "ull), %u);", user, at, old, mask, bits,
		 mask, size);
}

/* Writes VALUE to the bitfield A, whose storage is at AT. */
static void store_bits(struct gen *g, const struct node *n, const struct access *a, const char *at, const char *value)
{
	uint64_t mask = a->bit_size < 64 ? ((uint64_t)1 << a->bit_size) - 1 : UINT64_MAX;

	store_masked(g, n, a, at, arena_printf(&program_arena, "((kt_u64)%s << %u)", value, a->bit_offset), mask << a->bit_offset,
		     bits_storage(a));
	if (!has_ninth_byte(a))
		return;
	gen_check(g, n);
	store_masked(g, n, a, ninth(at), arena_printf(&program_arena, "((kt_u64)%s >> %u)", value, 64 - a->bit_offset),
		     mask >> (64 - a->bit_offset), 1);
}

static void store(struct gen *g, const struct node *n, const struct access *a, const char *at, const char *value)
{
	uint64_t size = a->type->size;

	switch (access_store(a)) {
	case STORE_NOWHERE:
		bug("a value that has no place is written");
	case STORE_REGISTER:
		gen_line(g, "kt_set_register(c, %u, (kt_u64)%s);", a->location.reg,
			 extend(value, size, is_signed(a->type)));
		break;
	case STORE_RETURN:
		gen_line(g, "kt_set_return_%s(c, (kt_u64)%s);", a->wide ? "wide" : "value", extend(value, size, is_signed(a->type)));
		break;
	case STORE_MEMORY:
		if (a->bit_size) {
			store_bits(g, n, a, at, value);
			break;
		}
		gen_line(g, "kt_store%s(c, (kt_u64)%s, (kt_u64)%s, %" PRIu64 ");", a->user_memory ? "_user" : "", at,
			 value, size);
		break;
	}
	gen_check(g, n);
}

/* = += ++ and the like: the place once, then what is there where it is wanted, the other side, the write. */
struct value gen_access_assign(struct gen *g, const struct node *n, bool wanted)
{
	const struct node *to = n->kid[0];
	const struct access *a = to->access;
	bool in_memory, step = n->kind == ND_INCDEC, post = n->op == OP_POSTINC || n->op == OP_POSTDEC, fails;
	struct value old = { 0 }, v;
	const char *at = gen_hold(g, value_of("%s", locate(g, to, a, &in_memory)), TY_LONG).text;

	if (step || n->op != OP_ASSIGN)
		old = gen_hold(g, loaded(g, to, a, at, in_memory), TY_LONG);
	if (step)
		v = value_of("(%s %s 1)", old.text, n->op == OP_PREINC || n->op == OP_POSTINC ? "+" : "-");
	else
		v = gen_expr(g, n->kid[1]);
	if (!step && n->op != OP_ASSIGN)
		v.text = gen_template(g, n, old.text, v.text, &fails);
	v = gen_hold(g, v, TY_LONG);
	store(g, to, a, at, v.text);
	return wanted && post ? old : v;
}

/* @enumname(value, "type"): a switch over its numbers; another number prints as one. */
struct value gen_enum_name(struct gen *g, const struct node *n)
{
	const char *value = gen_hold(g, gen_expr(g, n->kid[0]), TY_LONG).text, *slot = gen_slot(g);
	size_t len;

	gen_open(g, "switch (%s) {", value);
	for (const struct node *name = n->list; name; name = name->next)
		gen_line(g, "case %s: kt_strcpy(%s, %s, KT_STR); break;", c_number(name->num), slot,
			 c_string(g, name->text, name->text_len, &len));
	if (n->kid[1])
		gen_line(g, "default: kt_strcpy(%s, %s, KT_STR); break;", slot,
			 c_string(g, n->kid[1]->text, n->kid[1]->text_len, &len));
	else
		gen_line(g, "default: kt_format(%s, KT_STR, \"%%d\", &(struct kt_arg){ .number = %s }, 1); break;", slot,
			 value);
	gen_close(g, "}");
	return (struct value){ .text = slot, .slot = true };
}

/* @kderef(size, address), @uderef: the size is a literal. */
struct value gen_deref(struct gen *g, const struct node *n)
{
	struct value address = gen_expr(g, n->kid[0]);

	return (struct value){ .text = load(g, n, address.text, (uint64_t)n->num, n->user) };
}

/* @perf("name"): the number is its counter's. */
struct value gen_counter(struct gen *g, const struct node *n)
{
	const char *t = gen_temp(g);

	gen_line(g, "%s = kt_perf_counter(c, %lld);", t, n->num);
	gen_check(g, n);
	return (struct value){ .text = t };
}

/* @kregister(n), @uregister(n): by DWARF number. */
struct value gen_register(struct gen *g, const struct node *n)
{
	const char *t = gen_temp(g);

	gen_line(g, "%s = (kt_s64)kt_%sregister(c, %lld);", t, n->user ? "user_" : "", n->num);
	gen_check(g, n);
	return (struct value){ .text = t };
}
