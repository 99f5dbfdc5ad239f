/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locations -> C: one statement expression in terms of script.h, a variable per stack entry.
 *
 * The expression stack exists at translation time only: its depth is checked here, so the handler has no stack to
 * overflow. Failures when the handler runs are guarded there: each memory read is kt_deref() followed by
 * KT_CHECK(), each division tests for 0, each shift its count.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/target.h"

enum { STACK_MAX = 64, VALUE_SIZE = 8, TEMPORARIES_MAX = 1000, CHOICES_MAX = 16 };

/* A stack entry: the number of the C variable that holds it, and its type. Values are kept extended to 64 bits as their
 * type says. */
struct slot {
	int var;
	uint8_t size;
	bool is_signed;
	bool generic;     /* an address, as DWARF calls it: some operations take it as signed */
};

struct emitter {
	struct text *t;
	const char *place; /* C: the number of its error place */
	bool user;        /* of a program: its memory, its addresses */
	struct slot address; /* the generic type: of 4 bytes in programs of 32 bits */
	struct slot stack[STACK_MAX];
	int depth;
	int next_var;
	int nesting;      /* of choices around what is being written */
	bool unchecked;   /* a register was read since the last KT_CHECK */
	const char *why;
};

static bool refuse(struct emitter *e, const char *why)
{
	e->why = why;
	return false;
}

/* Starts the definition of a new variable and pushes it: the caller writes its value and ";". */
static bool push(struct emitter *e, struct slot type)
{
	if (e->depth == STACK_MAX)
		return refuse(e, "its location expression needs a deeper stack");
	if (e->next_var == TEMPORARIES_MAX)
		return refuse(e, "its location expression is too long");
	type.var = e->next_var++;
	e->stack[e->depth++] = type;
	text_printf(e->t, " kt_u64 d%d = ", type.var);
	return true;
}

static bool pop(struct emitter *e, struct slot *ret)
{
	if (!e->depth)
		return refuse(e, "its location expression takes more from the stack than is there");
	*ret = e->stack[--e->depth];
	return true;
}

/* Opens and closes the text that brings a 64-bit value into the range of TYPE. */
static void put_narrow(struct text *t, struct slot type)
{
	if (type.size == VALUE_SIZE)
		text_puts(t, "(kt_u64)(");
	else if (type.is_signed)
		text_printf(t, "(kt_u64)(kt_s64)(kt_s%u)(", type.size * 8u);
	else
		text_printf(t, "(kt_u64)(kt_u%u)(", type.size * 8u);
}

/* The value of a register at the probe, plus OFFSET. */
static bool emit_register(struct emitter *e, unsigned number, int64_t offset)
{
	if (!push(e, e->address))
		return false;
	put_narrow(e->t, e->address);
	text_printf(e->t, "kt_register(c, %u)", number);
	if (offset)
		text_printf(e->t, " + %#" PRIx64 "ull", (uint64_t)offset);
	text_puts(e->t, ");");
	e->unchecked = true;
	return true;
}

/* FN is "" or a function to apply: "kt_relocate(". */
static bool emit_constant(struct emitter *e, const char *fn, uint64_t v)
{
	if (!push(e, e->address))
		return false;
	text_printf(e->t, "%s%#" PRIx64 "ull%s;", fn, e->address.size < VALUE_SIZE ? (uint32_t)v : v, *fn ? ")" : "");
	return true;
}

/* One of 64 bits, whatever an address has. */
static bool emit_wide_constant(struct emitter *e, uint64_t v)
{
	if (!push(e, (struct slot){ .size = VALUE_SIZE }))
		return false;
	text_printf(e->t, "%#" PRIx64 "ull;", v);
	return true;
}

/* An address in a module, which is looked up when the handler runs. */
static bool emit_module(struct emitter *e, const struct loc_op *op)
{
	const char *text = (const char *)(uintptr_t)op->a, *colon = strchr(text, ':');

	if (!push(e, e->address))
		return false;
	text_puts(e->t, "({ static struct kt_module_symbol kt_at = { ");
	text_quote(e->t, text, (size_t)(colon - text));
	text_puts(e->t, ", ");
	text_quote(e->t, colon + 1, strlen(colon + 1));
	text_printf(e->t, ", %#" PRIx64 "ull }; kt_module_address(c, &kt_at); }); KT_CHECK(%s);", (uint64_t)op->b, e->place);
	e->unchecked = false;
	return true;
}

static bool emit_plain(struct emitter *e, const char *text)
{
	if (!push(e, e->address))
		return false;
	text_puts(e->t, text);
	return true;
}

/* An address in a file of the current process, which is looked up when the handler runs. */
static bool emit_object(struct emitter *e, const struct loc_op *op)
{
	const struct loc_object *o = (const struct loc_object *)(uintptr_t)op->a;

	if (!push(e, e->address))
		return false;
	text_puts(e->t, "({ static const struct kt_user_object kt_at = { ");
	text_quote(e->t, o->path, strlen(o->path));
	text_printf(e->t, ", %#" PRIx64 "ull, %#" PRIx64 "ull }; kt_object_address(c, &kt_at, %#" PRIx64 "ull); }); KT_CHECK(%s);",
		    o->offset, o->start, (uint64_t)op->b, e->place);
	e->unchecked = false;
	return true;
}

static bool emit_return(struct emitter *e)
{
	if (!push(e, e->address))
		return false;
	text_puts(e->t, "kt_return_value(c);");
	e->unchecked = true;
	return true;
}

/* Reads SIZE bytes, zero-extended; a fault ends the handler there. */
static bool emit_deref(struct emitter *e, uint64_t size)
{
	struct slot a;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return refuse(e, "it is read from memory in an odd size");
	if (!pop(e, &a) || !push(e, size > e->address.size ? (struct slot){ .size = VALUE_SIZE } : e->address))
		return false;
	text_printf(e->t, "kt_deref%s(c, d%d, %u); KT_CHECK(%s);", e->user ? "_user" : "", a.var, (unsigned)size,
		    e->place);
	e->unchecked = false;
	return true;
}

/* Operators with two operands: %a and %b are the variables, in the order they were pushed. The signed text serves the
 * generic type where DWARF says so. */
struct binary {
	uint8_t atom;
	bool compares;      /* the result is of the generic type */
	bool divides;
	bool generic_signed;
	const char *unsigned_text, *signed_text; /* signed NULL: the same */
};

static const struct binary binaries[] = {
	{ DW_OP_and, false, false, false, "%a & %b", NULL },
	{ DW_OP_or, false, false, false, "%a | %b", NULL },
	{ DW_OP_xor, false, false, false, "%a ^ %b", NULL },
	{ DW_OP_plus, false, false, false, "%a + %b", NULL },
	{ DW_OP_minus, false, false, false, "%a - %b", NULL },
	{ DW_OP_mul, false, false, false, "%a * %b", NULL },
	{ DW_OP_div, false, true, true, "%a / %b", "kt_div_nonzero((kt_s64)%a, (kt_s64)%b)" },
	{ DW_OP_mod, false, true, false, "%a % %b", "kt_mod_nonzero((kt_s64)%a, (kt_s64)%b)" },
	{ DW_OP_shl, false, false, false, "%b < 64 ? %a << %b : 0", NULL },
	{ DW_OP_shr, false, false, false, "%b < 64 ? %a >> %b : 0", NULL },
	{ DW_OP_shra, false, false, true, "(kt_s64)%a >> (%b < 64 ? %b : 63)", NULL },
	{ DW_OP_eq, true, false, true, "%a == %b", NULL },
	{ DW_OP_ne, true, false, true, "%a != %b", NULL },
	{ DW_OP_lt, true, false, true, "%a < %b", "(kt_s64)%a < (kt_s64)%b" },
	{ DW_OP_le, true, false, true, "%a <= %b", "(kt_s64)%a <= (kt_s64)%b" },
	{ DW_OP_gt, true, false, true, "%a > %b", "(kt_s64)%a > (kt_s64)%b" },
	{ DW_OP_ge, true, false, true, "%a >= %b", "(kt_s64)%a >= (kt_s64)%b" },
};

/* Copies TMPL with %a and %b replaced by variables. */
static void put_operands(struct text *t, const char *tmpl, int a, int b)
{
	for (; *tmpl; tmpl++) {
		if (tmpl[0] == '%' && (tmpl[1] == 'a' || tmpl[1] == 'b'))
			text_printf(t, "d%d", *++tmpl == 'a' ? a : b);
		else
			text_append(t, tmpl, 1);
	}
}

/* S extended to 64 bits another way than its type says: a logical shift of a signed value works on its own width, a signed
 * operation on an address of 32 bits needs its sign. */
static bool extend_as(struct emitter *e, struct slot *s, bool is_signed)
{
	struct slot other = { .size = s->size, .is_signed = is_signed };

	if (s->is_signed == is_signed || s->size == VALUE_SIZE)
		return true;
	if (!push(e, *s))
		return false;
	put_narrow(e->t, other);
	text_printf(e->t, "d%d);", s->var);
	s->var = e->stack[--e->depth].var;
	return true;
}

static bool emit_binary(struct emitter *e, const struct binary *op)
{
	struct slot a, b, type;
	bool is_signed;

	if (!pop(e, &b) || !pop(e, &a))
		return false;
	/* A shift count may have another type; the others must agree, and gcc converts where they do not. */
	type = a;
	is_signed = type.is_signed || (op->generic_signed && type.generic);
	if (op->atom == DW_OP_shr && !extend_as(e, &a, false))
		return false;
	if (is_signed && type.generic && !(extend_as(e, &a, true) && extend_as(e, &b, true)))
		return false;
	if (op->divides)
		text_printf(e->t, " if (kt_unlikely(!d%d)) KT_FAIL(\"division by 0 in a location\", %s);",
			    b.var, e->place);
	if (!push(e, op->compares ? e->address : type))
		return false;
	put_narrow(e->t, op->compares ? e->address : type);
	put_operands(e->t, is_signed && op->signed_text ? op->signed_text : op->unsigned_text, a.var, b.var);
	text_puts(e->t, ");");
	return true;
}

static bool emit_unary(struct emitter *e, const char *fmt)
{
	struct slot a, type;

	if (!pop(e, &a))
		return false;
	type = a;
	if (a.generic && !extend_as(e, &a, true))
		return false;
	if (!push(e, type))
		return false;
	put_narrow(e->t, type);
	put_operands(e->t, fmt, a.var, a.var);
	text_puts(e->t, ");");
	return true;
}

/* DW_OP_convert between integer types, size 0 being the generic one: the value is cut and extended as the new type says. */
static bool emit_convert(struct emitter *e, const struct loc_op *op)
{
	struct slot a, type = { .size = (uint8_t)op->a, .is_signed = op->b != 0 };

	if (!op->a)
		type = e->address;
	if (!pop(e, &a) || !push(e, type))
		return false;
	put_narrow(e->t, type);
	text_printf(e->t, "d%d);", a.var);
	return true;
}

/* Entry INDEX from the top once more on top. */
static bool copy(struct emitter *e, int64_t index)
{
	if (index < 0 || index >= e->depth)
		return refuse(e, "its location expression takes more from the stack than is there");
	if (e->depth == STACK_MAX)
		return refuse(e, "its location expression needs a deeper stack");
	e->stack[e->depth] = e->stack[e->depth - 1 - index];
	e->depth++;
	return true;
}

/* Moves the top entry below the N - 1 next ones. */
static bool rotate(struct emitter *e, int n)
{
	struct slot top;

	if (e->depth < n)
		return refuse(e, "its location expression takes more from the stack than is there");
	top = e->stack[e->depth - 1];
	for (int i = 1; i < n; i++)
		e->stack[e->depth - i] = e->stack[e->depth - i - 1];
	e->stack[e->depth - n] = top;
	return true;
}

/* One operation: pops and pushes slots, writes the statements for them. */
static bool emit_op(struct emitter *e, const struct loc_op *op)
{
	struct slot s;

	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++)
		if (binaries[i].atom == op->atom)
			return emit_binary(e, &binaries[i]);
	switch (op->atom) {
	case DW_OP_addr:
		return emit_constant(e, e->user ? "kt_relocate_user(c, " : "kt_relocate(", (uint64_t)op->a);
	case LOC_OP_THIS_CPU:
		return emit_constant(e, "kt_this_cpu(", (uint64_t)op->a);
	case LOC_OP_MODULE:
		return emit_module(e, op);
	case LOC_OP_OBJECT:
		return emit_object(e, op);
	case LOC_OP_THREAD:
		return emit_plain(e, "kt_thread_pointer();");
	case LOC_OP_RETURN:
		return emit_return(e);
	case LOC_OP_ENTRY:
		return emit_plain(e, "kt_entry;");
	case DW_OP_const8u:
		return op->b ? emit_wide_constant(e, (uint64_t)op->a) : emit_constant(e, "", (uint64_t)op->a);
	case DW_OP_bregx:
		return emit_register(e, (unsigned)op->a, op->b);
	case DW_OP_deref:
		return emit_deref(e, e->address.size);
	case DW_OP_deref_size:
		return emit_deref(e, (uint64_t)op->a);
	case DW_OP_plus_uconst:
		return emit_constant(e, "", (uint64_t)op->a) &&
		       emit_op(e, &(struct loc_op){ .atom = DW_OP_plus });
	case DW_OP_convert:
		return emit_convert(e, op);
	case DW_OP_neg:
		return emit_unary(e, "-%a");
	case DW_OP_not:
		return emit_unary(e, "~%a");
	case DW_OP_abs:
		return emit_unary(e, "(kt_s64)%a < 0 ? -%a : %a");
	case DW_OP_dup:
		return copy(e, 0);
	case DW_OP_over:
		return copy(e, 1);
	case DW_OP_pick:
		return copy(e, op->a);
	case DW_OP_drop:
		return pop(e, &s);
	case DW_OP_swap:
		return rotate(e, 2);
	case DW_OP_rot:
		return rotate(e, 3);
	case DW_OP_call2:
	case DW_OP_call4:
	case DW_OP_call_ref:
		return refuse(e, "its location expression calls another");
	}
	return refuse(e, "its location uses an operation that this version does not compute");
}

/* ---- choices ---- */
/* The operations FROM to TO of an expression. */
struct range {
	const struct loc_op *ops;
	int from, to;
};

static bool emit_range(struct emitter *e, struct range r);

/* One way of a choice: the operations of R, written to T, on the stack as E has it. */
static bool emit_way(struct emitter *e, struct range r, struct text *t)
{
	struct text *outside = e->t;
	bool ok;

	if (e->nesting == CHOICES_MAX)
		return refuse(e, "its location expression branches too often");
	e->t = t;
	e->nesting++;
	ok = emit_range(e, r);
	e->nesting--;
	e->t = outside;
	return ok;
}

/* Writes both ways; an entry that they left different gets a separate variable, which each sets at its end. */
static bool join(struct emitter *e, int condition, const struct emitter *no, struct text *no_text, struct text *yes_text)
{
	if (e->depth != no->depth)
		return refuse(e, "the ways of its location expression leave different stacks");
	for (int i = 0; i < e->depth; i++) {
		struct slot *yes = &e->stack[i];
		const struct slot *other = &no->stack[i];

		if (yes->var == other->var)
			continue;
		if (yes->size != other->size || yes->is_signed != other->is_signed || yes->generic != other->generic)
			return refuse(e, "the ways of its location expression leave different types");
		text_printf(yes_text, " d%d = d%d;", e->next_var, yes->var);
		text_printf(no_text, " d%d = d%d;", e->next_var, other->var);
		text_printf(e->t, " kt_u64 d%d;", e->next_var);
		yes->var = e->next_var++;
	}
	e->unchecked |= no->unchecked;
	text_printf(e->t, " if (d%d) {%s } else {%s }", condition, text_str(yes_text), text_str(no_text));
	return true;
}

/* DW_OP_bra at R.from: what stands between it and its target is done when the branch is not taken. A skip there makes it the
 * "else" of what stands between the target and the skip's. Sets *RET_END after both. */
static bool emit_choice(struct emitter *e, struct range r, int *ret_end)
{
	int64_t target = r.from + 1 + r.ops[r.from].a, end = target;
	struct range no = { r.ops, r.from + 1, (int)target };
	_cleanup_text_ struct text no_text = {}, yes_text = {};
	struct emitter before, left;
	struct slot condition;
	bool ok;

	if (no.to > no.from && r.ops[no.to - 1].atom == DW_OP_skip)
		end += r.ops[--no.to].a;
	if (end > r.to)
		return refuse(e, "its location expression branches into the middle of a choice");
	if (!pop(e, &condition))
		return false;
	before = *e;
	ok = emit_way(e, no, &no_text);
	if (ok) {
		left = *e;
		*e = before;
		e->next_var = left.next_var;
		ok = emit_way(e, (struct range){ r.ops, (int)target, (int)end }, &yes_text) &&
		     join(e, condition.var, &left, &no_text, &yes_text);
	}
	*ret_end = (int)end;
	return ok;
}

static bool emit_range(struct emitter *e, struct range r)
{
	while (r.from < r.to) {
		const struct loc_op *op = &r.ops[r.from];
		bool branches = op->atom == DW_OP_bra || op->atom == DW_OP_skip;

		/* Back would be a loop. */
		if (branches && (op->a < 0 || op->a > r.to - r.from - 1))
			return refuse(e, "its location expression branches back, or out of a choice");
		if (op->atom == DW_OP_bra) {
			if (!emit_choice(e, r, &r.from))
				return false;
			continue;
		}
		if (!branches && !emit_op(e, op))
			return false;
		r.from += 1 + (op->atom == DW_OP_skip ? (int)op->a : 0);
	}
	return true;
}

/* The whole of a simple location; leaves the result as the last expression. */
static bool emit_simple(struct emitter *e, const struct location *l)
{
	struct slot top;

	if (l->kind == LOC_ARGUMENT) {
		text_printf(e->t, "kt_argument(c, %u)", l->reg);
		return true;
	}
	e->address = (struct slot){ .size = l->is_32bit ? 4 : VALUE_SIZE, .generic = true };
	text_puts(e->t, "({");
	if (l->kind == LOC_REGISTER && !emit_register(e, l->reg, 0))
		return false;
	if (l->kind != LOC_REGISTER && !emit_range(e, (struct range){ l->ops, 0, l->n_ops }))
		return false;
	if (!pop(e, &top))
		return refuse(e, "its location expression leaves nothing");
	if (e->unchecked)
		text_printf(e->t, " KT_CHECK(%s);", e->place);
	e->unchecked = false;
	e->depth = 0;
	text_printf(e->t, " d%d; })", top.var);
	return true;
}

/* SIZE bytes of one piece as a value. */
static bool emit_piece(struct emitter *e, const struct location *l, uint64_t size)
{
	if (l->kind == LOC_NONE)
		return refuse(e, "a part of it is optimized out");
	if (l->kind == LOC_PIECES)
		return refuse(e, "its location is malformed");
	if (l->kind == LOC_ADDRESS) {
		if (size != 1 && size != 2 && size != 4 && size != 8)
			return refuse(e, "a part of it is in memory in an odd size");
		text_printf(e->t, "({ kt_u64 p = kt_deref%s(c, ", e->user ? "_user" : "");
		if (!emit_simple(e, l))
			return false;
		text_printf(e->t, ", %u); KT_CHECK(%s); p; })", (unsigned)size, e->place);
		return true;
	}
	if (!emit_simple(e, l))
		return false;
	if (size < VALUE_SIZE)
		text_printf(e->t, " & %#" PRIx64 "ull", ((uint64_t)1 << 8 * size) - 1);
	return true;
}

/* A value of at most 8 bytes put together; pieces come lowest address first. */
static bool emit_pieces(struct emitter *e, const struct location *l, uint64_t size)
{
	uint64_t at = 0;

	if (size > VALUE_SIZE)
		return refuse(e, "it is spread over several places: use its members");
	text_puts(e->t, "(");
	for (l = l->next; l && at < size; l = l->next) {
		uint64_t part = l->piece_size < size - at ? l->piece_size : size - at;

		if (!part)
			continue;
		text_puts(e->t, at ? " | (" : "(");
		if (!emit_piece(e, l, part))
			return false;
		text_puts(e->t, ")");
		if (at)
			text_printf(e->t, " << %u", (unsigned)at * 8);
		at += part;
	}
	text_puts(e->t, ")");
	return at == size ? true : refuse(e, "a part of it is optimized out");
}

bool location_emit(struct text *t, const struct location *l, uint64_t size, const char *place, bool user, const char **why)
{
	_cleanup_text_ struct text out = {};
	struct emitter e = { .t = &out, .place = place, .user = user };
	bool ok = false;

	switch (l->kind) {
	case LOC_NONE:
		e.why = l->why ? l->why : "optimized out";
		break;
	case LOC_ADDRESS:
	case LOC_REGISTER:
	case LOC_ARGUMENT:
	case LOC_VALUE:
		ok = emit_simple(&e, l);
		break;
	case LOC_PIECES:
		ok = emit_pieces(&e, l, size);
		break;
	}
	/* Half an expression must not reach the generated C. */
	if (ok)
		text_append(t, text_str(&out), out.len);
	else
		*why = e.why;
	return ok;
}

/* ---- sums ---- */
static bool start_sum(const struct loc_op *op, struct location_sum *ret)
{
	*ret = (struct location_sum){ .reg = -1 };
	if (op->atom == DW_OP_bregx)
		*ret = (struct location_sum){ .reg = (int)op->a, .number = op->b };
	else if (op->atom == DW_OP_const8u || op->atom == DW_OP_addr)
		*ret = (struct location_sum){ .reg = -1, .relocated = op->atom == DW_OP_addr, .number = op->a };
	else
		return false;
	return true;
}

bool location_sum(const struct location *l, struct location_sum *ret)
{
	if (l->is_32bit)
		return false;
	*ret = (struct location_sum){ .reg = (int)l->reg };
	if (l->kind == LOC_REGISTER)
		return true;
	if ((l->kind != LOC_ADDRESS && l->kind != LOC_VALUE) || !l->n_ops || !start_sum(&l->ops[0], ret))
		return false;
	for (int i = 1; i < l->n_ops; i++) {
		const struct loc_op *op = &l->ops[i];
		bool adds = op->atom == DW_OP_const8u && i + 1 < l->n_ops && l->ops[i + 1].atom == DW_OP_plus;

		if (!adds && op->atom != DW_OP_plus_uconst)
			return false;
		ret->number = (int64_t)((uint64_t)ret->number + (uint64_t)op->a);
		i += adds;
	}
	return true;
}

/* ---- parts ---- */
/* The value of L (in a register or computed) shifted right by OFFSET bytes. */
static struct location shifted(const struct location *l, uint64_t offset)
{
	int n = l->kind == LOC_REGISTER ? 1 : l->n_ops;
	struct loc_op *ops = arena_array(&program_arena, struct loc_op, (size_t)n + 2);

	if (l->kind == LOC_REGISTER)
		ops[0] = (struct loc_op){ DW_OP_bregx, l->reg, 0 };
	else
		memcpy(ops, l->ops, (size_t)n * sizeof(*ops));
	ops[n] = (struct loc_op){ DW_OP_const8u, (int64_t)offset * 8, 0 };
	ops[n + 1] = (struct loc_op){ DW_OP_shr, 0, 0 };
	return (struct location){ .kind = LOC_VALUE, .ops = ops, .n_ops = n + 2, .is_32bit = l->is_32bit };
}

static struct location part_of_piece(const struct location *p, uint64_t offset, uint64_t size)
{
	struct location alone = *p;

	alone.next = NULL;
	return location_part(&alone, offset, size);
}

/* SIZE bytes at OFFSET of P and the pieces after it: a part of one of them, or pieces again. */
static struct location part_of_pieces(const struct location *p, uint64_t offset, uint64_t size)
{
	struct location ret = { .kind = LOC_PIECES };
	const struct location **end = &ret.next;

	for (; p && offset >= p->piece_size; p = p->next)
		offset -= p->piece_size;
	if (!p)
		return location_none("optimized out");
	if (size <= p->piece_size - offset)
		return part_of_piece(p, offset, size);
	for (; p && size; p = p->next) {
		uint64_t part = size < p->piece_size - offset ? size : p->piece_size - offset;
		struct location *piece = arena_new(&program_arena, struct location);

		*piece = part_of_piece(p, offset, part);
		piece->piece_size = part;
		*end = piece;
		end = &piece->next;
		size -= part;
		offset = 0;
	}
	return ret;
}

struct location location_part(const struct location *l, uint64_t offset, uint64_t size)
{
	struct loc_op *ops;

	switch (l->kind) {
	case LOC_NONE:
		return *l;
	case LOC_ADDRESS:
		ops = arena_array(&program_arena, struct loc_op, (size_t)l->n_ops + 1);
		memcpy(ops, l->ops, (size_t)l->n_ops * sizeof(*ops));
		ops[l->n_ops] = (struct loc_op){ DW_OP_plus_uconst, (int64_t)offset, 0 };
		return (struct location){ .kind = LOC_ADDRESS, .ops = ops, .n_ops = l->n_ops + 1, .is_32bit = l->is_32bit };
	case LOC_ARGUMENT:
		if (offset)
			return location_none("it is a part of an argument passed by value");
		return *l;
	case LOC_REGISTER:
	case LOC_VALUE:
		if (size > VALUE_SIZE || offset > VALUE_SIZE - size)
			return location_none("it crosses the parts its variable was split into");
		return offset ? shifted(l, offset) : *l;
	case LOC_PIECES:
		return part_of_pieces(l->next, offset, size);
	}
	bug("location kind %d", (int)l->kind);
}

static uint32_t register_bit(int64_t number)
{
	return number < 32 ? 1u << number : UINT32_MAX;
}

int location_entry_register(const struct location *l)
{
	int found = LOC_ENTRY_NONE;

	for (; l; l = l->next)
		for (int i = 0; i < l->n_ops; i++) {
			if (l->ops[i].atom != LOC_OP_ENTRY || l->ops[i].a == found)
				continue;
			if (found != LOC_ENTRY_NONE)
				return LOC_ENTRY_SEVERAL;
			found = (int)l->ops[i].a;
		}
	return found;
}

uint32_t location_registers(const struct location *l)
{
	uint32_t mask = 0;

	for (; l; l = l->next) {
		if (l->kind == LOC_REGISTER)
			mask |= register_bit(l->reg);
		for (int i = 0; i < l->n_ops; i++)
			if (l->ops[i].atom == DW_OP_bregx)
				mask |= register_bit(l->ops[i].a);
	}
	return mask;
}
