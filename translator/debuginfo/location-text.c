/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locations -> text for people: "in rdi", "in memory at [rsp+8]", "the value of r12 - 0x10". */
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/target.h"

enum { DEPTH_MAX = 64, TEXT_MAX = 400 };

static const struct {
	uint8_t atom;
	const char *sign;
} binaries[] = {
	{ DW_OP_and, "&" }, { DW_OP_or, "|" }, { DW_OP_xor, "^" }, { DW_OP_plus, "+" }, { DW_OP_minus, "-" },
	{ DW_OP_mul, "*" }, { DW_OP_div, "/" }, { DW_OP_mod, "%" }, { DW_OP_shl, "<<" }, { DW_OP_shr, ">>>" },
	{ DW_OP_shra, ">>" }, { DW_OP_eq, "==" }, { DW_OP_ne, "!=" }, { DW_OP_lt, "<" }, { DW_OP_le, "<=" },
	{ DW_OP_gt, ">" }, { DW_OP_ge, ">=" },
};

static const char *sign_of(uint8_t atom)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++)
		if (binaries[i].atom == atom)
			return binaries[i].sign;
	return NULL;
}

/* A register with an offset already gets the sum. */
static const char *plus(const char *what, int64_t offset)
{
	size_t name = strcspn(what, "+-");

	if (what[name] && name && strspn(what, "abcdefghijklmnopqrstuvwxyz0123456789") == name) {
		offset += strtoll(what + name, NULL, 10);
		what = arena_strndup(&program_arena, what, name);
	}
	return offset ? arena_printf(&program_arena, "%s%+" PRId64, what, offset) : what;
}

/* The one operand that an operation makes of nothing; NULL: it is of another kind. */
static const char *leaf(const struct loc_op *op, const struct machine *m)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return arena_printf(&program_arena, "%d", op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return plus(machine_register(m, (unsigned)(op->atom - DW_OP_breg0)), op->a);
	switch (op->atom) {
	case DW_OP_bregx:
		return plus(machine_register(m, (unsigned)op->a), op->b);
	case LOC_OP_THIS_CPU:
		return arena_printf(&program_arena, "this CPU's %#" PRIx64, (uint64_t)op->a);
	case LOC_OP_RETURN:
		return "the result";
	case LOC_OP_ENTRY:
		return arena_printf(&program_arena, "%s at the function's entry", machine_register(m, (unsigned)op->a));
	case DW_OP_addr:
		return arena_printf(&program_arena, "%#" PRIx64, (uint64_t)op->a);
	case DW_OP_const1u: case DW_OP_const2u: case DW_OP_const4u: case DW_OP_const8u: case DW_OP_constu:
	case DW_OP_const1s: case DW_OP_const2s: case DW_OP_const4s: case DW_OP_const8s: case DW_OP_consts:
		return arena_printf(&program_arena, "%" PRId64, op->a);
	default: /* operations are open-ended */
		return NULL;
	}
}

/* The expression with operators between their operands; NULL: it has an operation that this text is no place for. */
static const char *infix(const struct location *l, const struct machine *m)
{
	const char *stack[DEPTH_MAX];
	int n = 0;

	for (int i = 0; i < l->n_ops; i++) {
		const struct loc_op *op = &l->ops[i];
		const char *text = leaf(op, m), *sign = sign_of(op->atom);

		if (n == DEPTH_MAX || (n && strlen(stack[n - 1]) > TEXT_MAX))
			return NULL;
		if (text) {
			stack[n++] = text;
		} else if (op->atom == DW_OP_plus_uconst && n) {
			stack[n - 1] = plus(stack[n - 1], op->a);
		} else if (op->atom == DW_OP_deref && n) {
			stack[n - 1] = arena_printf(&program_arena, "[%s]", stack[n - 1]);
		} else if (sign && n >= 2) {
			n--;
			stack[n - 1] = arena_printf(&program_arena, "(%s %s %s)", stack[n - 1], sign, stack[n]);
		} else {
			return NULL;
		}
	}
	return n ? stack[n - 1] : NULL;
}

void location_describe(struct text *t, const struct location *l, const struct machine *m)
{
	const char *expression = infix(l, m);

	switch (l->kind) {
	case LOC_NONE:
		text_printf(t, "not here: %s", l->why);
		break;
	case LOC_REGISTER:
		text_printf(t, "in %s", machine_register(m, l->reg));
		break;
	case LOC_ARGUMENT:
		text_printf(t, "argument %u", l->reg + 1);
		break;
	case LOC_ADDRESS:
		if (expression)
			text_printf(t, "in memory at [%s]", expression);
		else
			text_printf(t, "in memory, at an address of %d operations", l->n_ops);
		break;
	case LOC_VALUE:
		if (expression)
			text_printf(t, "the value of %s", expression);
		else
			text_printf(t, "a value of %d operations", l->n_ops);
		break;
	case LOC_PIECES:
		for (const struct location *p = l->next; p; p = p->next) {
			text_puts(t, p == l->next ? "in pieces: " : "; ");
			text_printf(t, "%llu bytes ", (unsigned long long)p->piece_size);
			location_describe(t, p, m);
		}
		break;
	}
}
