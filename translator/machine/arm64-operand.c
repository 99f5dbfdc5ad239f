/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands of marks on arm64: CONSTANT  x0 w0 sp  [x0]  [x0, 8]  [x0, x1]  [x0, x1, lsl 3]  [x0, w1, sxtw 3] */
#include <dwarf.h>
#include <string.h>

#include "translator/machine/arm64.h"
#include "translator/machine/operand.h"

enum { A64_SP = 31 };

/* The register at *S, which moves after it; false: none is there. */
static bool a64_register(const char **s, int *ret, bool *ret_narrow)
{
	const char *p = *s;
	int64_t n;

	*ret_narrow = *p == 'w';
	if (!strncmp(p, "sp", 2) || !strncmp(p, "wsp", 3)) {
		*ret = A64_SP;
		*s = p + (*p == 'w' ? 3 : 2);
		return true;
	}
	if (*p != 'x' && *p != 'w')
		return false;
	p++;
	if (*p == '-' || *p == '+' || !operand_number(&p, &n) || n < 0 || n > 30)
		return false;
	*ret = (int)n;
	*s = p;
	return true;
}

/* The part after an index register: lsl N, uxtw [N], sxtw [N]. */
static bool a64_extend(struct ops *o, const char **s, bool narrow)
{
	int64_t shift = 0;
	bool sign;

	if (**s == ',') {
		*s += 1 + strspn(*s + 1, " ");
		sign = !strncmp(*s, "sxt", 3);
		if (strncmp(*s, "lsl", 3) && strncmp(*s, "uxt", 3) && !sign)
			return false;
		*s += strcspn(*s, " #]0123456789");
		*s += strspn(*s, " #");
		if (**s != ']' && (!operand_number(s, &shift) || shift < 0 || shift > 4))
			return false;
		if (narrow)
			operand_put(o, DW_OP_convert, 4, sign);
	} else if (narrow) {
		return false;
	}
	operand_put(o, DW_OP_const8u, shift, 0);
	operand_put(o, DW_OP_shl, 0, 0);
	operand_put(o, DW_OP_convert, 8, 0);
	operand_put(o, DW_OP_plus, 0, 0);
	return true;
}

struct location arm64_operand(const struct sdt_file *f, const struct sdt_operand *op, unsigned *ret_width)
{
	const char *text = op->text, *s = text, *why = NULL;
	struct ops o = {};
	int64_t v;
	int reg, index;
	bool narrow;

	if (a64_register(&s, &reg, &narrow) && !*s) {
		*ret_width = narrow ? 4 : 8;
		return (struct location){ .kind = LOC_REGISTER, .reg = (unsigned)reg };
	}
	s = text + (*text == '#');
	if (operand_number(&s, &v) && !*s)
		return operand_constant(v);
	s = text;
	if (*s != '[') {
		if (!*s || s[strcspn(s, " ,+-([")])
			return location_none(operand_not_understood);
		v = operand_symbol(f, op, s, SDT_ADDRESS, &why);
		if (why)
			return location_none(why);
		operand_put(&o, DW_OP_addr, v, 0);
		return operand_finish(f, &o, LOC_ADDRESS);
	}
	s += 1 + strspn(s + 1, " ");
	if (!a64_register(&s, &reg, &narrow) || narrow)
		return location_none(operand_not_understood);
	operand_put(&o, DW_OP_bregx, reg, 0);
	if (*s == ',') {
		s += 1 + strspn(s + 1, " #");
		if (operand_number(&s, &v)) {
			operand_put(&o, DW_OP_plus_uconst, v, 0);
		} else if (a64_register(&s, &index, &narrow)) {
			operand_put(&o, DW_OP_bregx, index, 0);
			if (!a64_extend(&o, &s, narrow))
				return location_none(operand_not_understood);
		} else {
			return location_none(operand_not_understood);
		}
	}
	return *s == ']' && !s[1] ? operand_finish(f, &o, LOC_ADDRESS) : location_none(operand_not_understood);
}
