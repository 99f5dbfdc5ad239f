/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands of marks, as the assemblers write them -> struct location.
 *
 * x86-64:  $CONSTANT  %REGISTER  DISP(%BASE,%INDEX,SCALE)  SYMBOL+DISP(%rip)  SYMBOL
 * i386:    the same without %rip; SYMBOL@GOTOFF(%BASE) in code that can lie anywhere
 * aarch64: CONSTANT  x0 w0 sp  [x0]  [x0, 8]  [x0, x1]  [x0, x1, lsl 3]  [x0, w1, sxtw 3]
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/target/sdt.h"

enum { OPS_MAX = 8, SYMBOL_MAX = 128 };

static struct location none(const char *why)
{
	return (struct location){ .kind = LOC_NONE, .why = why };
}

/* Operations being collected. */
struct ops {
	struct loc_op op[OPS_MAX];
	int n;
};

static void put(struct ops *o, unsigned atom, int64_t a, int64_t b)
{
	o->op[o->n++] = (struct loc_op){ (uint8_t)atom, a, b };
}

static struct location finish(const struct ops *o, enum location_kind kind)
{
	struct loc_op *ops = arena_array(&program_arena, struct loc_op, OPS_MAX);

	memcpy(ops, o->op, sizeof(o->op));
	return (struct location){ .kind = kind, .ops = ops, .n_ops = o->n };
}

static struct location constant(int64_t v)
{
	struct ops o = {};

	put(&o, DW_OP_const8u, v, 0);
	return finish(&o, LOC_VALUE);
}

/* N at *S, which moves after it; false: no number is there. */
static bool number(const char **s, int64_t *ret)
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

/* The WIDTH bytes of register REG above its lowest SHIFT bits, as a value of SIZE bytes. The type cuts what is above SIZE. */
static struct location held(int reg, unsigned shift, unsigned width, unsigned size)
{
	struct ops o = {};

	if (!shift && size <= width)
		return (struct location){ .kind = LOC_REGISTER, .reg = (unsigned)reg };
	put(&o, DW_OP_bregx, reg, 0);
	if (shift) {
		put(&o, DW_OP_const8u, shift, 0);
		put(&o, DW_OP_shr, 0, 0);
	}
	if (size > width)
		put(&o, DW_OP_convert, width, 0);
	return finish(&o, LOC_VALUE);
}

/* ---- x86-64 ---- */
/* Names of one register by width; bits 8 to 15 have names of their own in the first four. */
struct x86_register {
	const char *name[4]; /* 8, 4, 2, 1 bytes */
	const char *high;
};

/* Index: DWARF number. */
static const struct x86_register x86_registers[] = {
	{ { "rax", "eax", "ax", "al" }, "ah" }, { { "rdx", "edx", "dx", "dl" }, "dh" },
	{ { "rcx", "ecx", "cx", "cl" }, "ch" }, { { "rbx", "ebx", "bx", "bl" }, "bh" },
	{ { "rsi", "esi", "si", "sil" }, NULL }, { { "rdi", "edi", "di", "dil" }, NULL },
	{ { "rbp", "ebp", "bp", "bpl" }, NULL }, { { "rsp", "esp", "sp", "spl" }, NULL },
	{ { "r8", "r8d", "r8w", "r8b" }, NULL }, { { "r9", "r9d", "r9w", "r9b" }, NULL },
	{ { "r10", "r10d", "r10w", "r10b" }, NULL }, { { "r11", "r11d", "r11w", "r11b" }, NULL },
	{ { "r12", "r12d", "r12w", "r12b" }, NULL }, { { "r13", "r13d", "r13w", "r13b" }, NULL },
	{ { "r14", "r14d", "r14w", "r14b" }, NULL }, { { "r15", "r15d", "r15w", "r15b" }, NULL },
	{ { "rip", "eip", "ip", NULL }, NULL },
};

enum { X86_RIP = 16 };

struct x86_named {
	int number;
	unsigned width; /* bytes that its name stands for */
	bool high;      /* bits 8 to 15 */
};

/* The register at *S, "%rax", which moves after it; false: none is there. */
static bool x86_register(const char **s, struct x86_named *ret)
{
	size_t len;

	if (**s != '%')
		return false;
	len = strspn(*s + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
	for (int i = 0; i < (int)(sizeof(x86_registers) / sizeof(*x86_registers)); i++)
		for (int k = 0; k < 5; k++) {
			const char *name = k < 4 ? x86_registers[i].name[k] : x86_registers[i].high;

			if (!name || strlen(name) != len || memcmp(name, *s + 1, len))
				continue;
			*ret = (struct x86_named){ i, k < 4 ? 8u >> k : 1, k == 4 };
			*s += 1 + len;
			return true;
		}
	return false;
}

static bool ends_in(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(s + len - n, end, n);
}

/* SYMBOL at *S, which moves after it; *RET: its address. False: there is no such symbol. */
static bool symbol(const struct sdt_file *f, const char **s, int64_t *ret)
{
	size_t len = strcspn(*s, "+-(, "), name_len = ends_in(*s, len, "@GOTOFF") ? len - strlen("@GOTOFF") : len;
	char name[SYMBOL_MAX];

	if (!len || len >= sizeof(name))
		return false;
	memcpy(name, *s, name_len);
	name[name_len] = 0;
	*ret = (int64_t)f->symbol(name, f->data);
	if (!*ret)
		return false;
	*s += len;
	return true;
}

/* (BASE,INDEX,SCALE) at *S, each of which may be missing. */
struct x86_memory {
	bool has_base, has_index;
	struct x86_named base, index;
	int64_t scale;
};

static bool x86_memory(const char **s, struct x86_memory *m)
{
	*m = (struct x86_memory){ .scale = 1 };
	++*s;
	m->has_base = x86_register(s, &m->base);
	if (**s == ',') {
		++*s;
		m->has_index = x86_register(s, &m->index);
		if (**s == ',') {
			++*s;
			if (!number(s, &m->scale))
				return false;
		}
	}
	if (**s != ')' || (!m->has_base && !m->has_index))
		return false;
	++*s;
	return !m->base.high && !m->index.high && m->index.number != X86_RIP;
}

struct location sdt_operand_x86_64(const struct sdt_file *f, const char *text, unsigned size, unsigned *ret_width)
{
	struct x86_memory m = {};
	struct x86_named r;
	bool immediate = *text == '$', has_symbol = false, from_table = false;
	const char *s = text + immediate;
	int64_t disp = 0, more;
	struct ops o = {};

	if (x86_register(&s, &r)) {
		if (*s)
			return none("it is relative to a segment, or its operand is not understood");
		*ret_width = r.width;
		return held(r.number, r.high ? 8 : 0, r.width, size);
	}
	if (*s == '%')
		return none("it is in a register that is not saved");
	if (!number(&s, &disp) && *s != '(') {
		has_symbol = symbol(f, &s, &disp);
		from_table = ends_in(text, (size_t)(s - text), "@GOTOFF");
		if (!has_symbol)
			return none("its operand names a symbol that is not in the file");
	}
	while ((*s == '+' || *s == '-') && number(&s, &more))
		disp = (int64_t)((uint64_t)disp + (uint64_t)more);
	if (*s == '(' && !immediate && !x86_memory(&s, &m))
		return none("its operand is not understood");
	if (*s)
		return none("its operand is not understood");
	if (immediate && !has_symbol)
		return constant(disp);
	if (m.has_base && m.base.number == X86_RIP && !has_symbol)
		return none("its operand is relative to an unknown address");
	/* The base holds the table's address, from which the operand counts: together they are the symbol. */
	if (from_table && !m.has_base)
		return none("its operand is not understood");
	m.has_base &= !from_table;
	/* rip stands for the address of the symbol itself. */
	put(&o, has_symbol ? DW_OP_addr : DW_OP_const8u, disp, 0);
	if (m.has_base && m.base.number != X86_RIP) {
		put(&o, DW_OP_bregx, m.base.number, 0);
		put(&o, DW_OP_plus, 0, 0);
	}
	if (m.has_index) {
		put(&o, DW_OP_bregx, m.index.number, 0);
		put(&o, DW_OP_const8u, m.scale, 0);
		put(&o, DW_OP_mul, 0, 0);
		put(&o, DW_OP_plus, 0, 0);
	}
	return finish(&o, immediate ? LOC_VALUE : LOC_ADDRESS);
}

/* ---- aarch64 ---- */
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
	if (*p == '-' || *p == '+' || !number(&p, &n) || n < 0 || n > 30)
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
		if (**s != ']' && (!number(s, &shift) || shift < 0 || shift > 4))
			return false;
		if (narrow)
			put(o, DW_OP_convert, 4, sign);
	} else if (narrow) {
		return false;
	}
	put(o, DW_OP_const8u, shift, 0);
	put(o, DW_OP_shl, 0, 0);
	put(o, DW_OP_convert, 8, 0);
	put(o, DW_OP_plus, 0, 0);
	return true;
}

struct location sdt_operand_aarch64(const struct sdt_file *f, const char *text, unsigned size, unsigned *ret_width)
{
	const char *s = text;
	struct ops o = {};
	int64_t v;
	int reg, index;
	bool narrow;

	if (a64_register(&s, &reg, &narrow) && !*s) {
		*ret_width = narrow ? 4 : 8;
		return held(reg, 0, *ret_width, size);
	}
	s = text + (*text == '#');
	if (number(&s, &v) && !*s)
		return constant(v);
	s = text;
	if (*s != '[') {
		if (!symbol(f, &s, &v) || *s)
			return none("its operand is not understood");
		put(&o, DW_OP_addr, v, 0);
		return finish(&o, LOC_ADDRESS);
	}
	s += 1 + strspn(s + 1, " ");
	if (!a64_register(&s, &reg, &narrow) || narrow)
		return none("its operand is not understood");
	put(&o, DW_OP_bregx, reg, 0);
	if (*s == ',') {
		s += 1 + strspn(s + 1, " #");
		if (number(&s, &v)) {
			put(&o, DW_OP_plus_uconst, v, 0);
		} else if (a64_register(&s, &index, &narrow)) {
			put(&o, DW_OP_bregx, index, 0);
			if (!a64_extend(&o, &s, narrow))
				return none("its operand is not understood");
		} else {
			return none("its operand is not understood");
		}
	}
	return *s == ']' && !s[1] ? finish(&o, LOC_ADDRESS) : none("its operand is not understood");
}
