/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the readers of all machines' operands share. */
#include "translator/machine/operand.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

const char operand_not_understood[] = "its operand is not understood";

void operand_put(struct ops *o, unsigned atom, int64_t a, int64_t b)
{
	o->op[o->n++] = (struct loc_op){ (uint8_t)atom, a, b };
}

struct location operand_finish(const struct sdt_file *f, const struct ops *o, enum location_kind kind)
{
	struct loc_op *ops = arena_array(&program_arena, struct loc_op, OPERAND_OPS_MAX);

	memcpy(ops, o->op, sizeof(o->op));
	return (struct location){ .kind = kind, .is_32bit = f && f->is_32bit, .ops = ops, .n_ops = o->n };
}

struct location operand_constant(int64_t v)
{
	struct ops o = {};

	operand_put(&o, DW_OP_const8u, v, 0);
	return operand_finish(NULL, &o, LOC_VALUE);
}

bool operand_number(const char **s, int64_t *ret)
{
	const char *p = *s + (**s == '-' || **s == '+');
	char *end;

	if (*p < '0' || *p > '9')
		return false;
	*ret = (int64_t)strtoull(p, &end, 0);
	if (**s == '-')
		*ret = (int64_t)-(uint64_t)*ret;
	*s = end;
	return true;
}

int64_t operand_symbol(const struct sdt_file *f, const struct sdt_operand *o, const char *name, enum sdt_relation relation,
		      const char **ret_why)
{
	int64_t value = 0;
	const char *why = f->symbol(name, relation, o->pc, &value, f->data);

	if (why)
		*ret_why = why;
	return value;
}
