/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands of marks on x86:
 *
 * x86-64:  $CONSTANT  $SYMBOL  %REGISTER  DISP(%BASE,%INDEX,SCALE)  SYMBOL+DISP(%rip)  DISP+SYMBOL(%rip)  SYMBOL
 *          SYMBOL@GOTPCREL(%rip)  %fs:SYMBOL@tpoff
 * i386:    the same without %rip; DISP+SYMBOL@GOTOFF(%BASE) and SYMBOL@GOT(%BASE) in code that can lie anywhere
 */
#include <dwarf.h>
#include <string.h>
#include <strings.h>

#include "lib/arena.h"
#include "translator/machine/operand.h"
#include "translator/machine/x86.h"

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

/* The meaning of a symbol in an operand, by the relocation that the assembler would make of it. */
enum x86_relocation { X86_PLAIN, X86_GOTOFF, X86_GOT, X86_TPOFF };

static const struct {
	const char *suffix;
	enum x86_relocation relocation;
} x86_relocations[] = {
	{ "", X86_PLAIN }, { "@GOTOFF", X86_GOTOFF }, { "@GOT", X86_GOT }, { "@GOTPCREL", X86_GOT }, { "@tpoff", X86_TPOFF },
	{ "@ntpoff", X86_TPOFF },
};

/* The displacement of an operand: 8, 4+SYMBOL, SYMBOL@GOTOFF-4. */
struct x86_sum {
	int64_t number;
	char name[OPERAND_SYMBOL_MAX]; /* empty: it has no symbol */
	enum x86_relocation relocation;
};

/* SYMBOL or SYMBOL@RELOCATION at *S, which moves after it; false: it is not understood. */
static bool x86_symbol(const char **s, struct x86_sum *sum)
{
	size_t len = strcspn(*s, "+-(, "), name_len = strcspn(*s, "+-(, @");

	if (!name_len || name_len >= sizeof(sum->name) || *sum->name)
		return false;
	for (size_t i = 0; i < sizeof(x86_relocations) / sizeof(*x86_relocations); i++) {
		const char *suffix = x86_relocations[i].suffix;

		/* gcc writes tpoff, and clang TPOFF. */
		if (strlen(suffix) != len - name_len || strncasecmp(suffix, *s + name_len, len - name_len))
			continue;
		memcpy(sum->name, *s, name_len);
		sum->relocation = x86_relocations[i].relocation;
		*s += len;
		return true;
	}
	return false;
}

/* The sum at *S, which moves after it, of numbers and at most one symbol in any order; false: it is not understood. */
static bool x86_sum(const char **s, struct x86_sum *sum)
{
	*sum = (struct x86_sum){};
	for (bool first = true; first || **s == '+' || **s == '-'; first = false) {
		int64_t n;

		if (operand_number(s, &n)) {
			sum->number = (int64_t)((uint64_t)sum->number + (uint64_t)n);
			continue;
		}
		*s += **s == '+';
		if (!x86_symbol(s, sum))
			return false;
	}
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
			if (!operand_number(s, &m->scale))
				return false;
		}
	}
	if (**s != ')' || (!m->has_base && !m->has_index))
		return false;
	++*s;
	return !m->base.high && !m->index.high && m->index.number != X86_RIP;
}

/* A value in a register. The size before the @ governs: the register's name may be that of a part (sys/sdt.h, PR24541). Compilers
 * have 8 bytes of an i386 program in two registers and name the first. With gcc, the second follows it in gcc's order, which is DWARF's;
 * with clang it may be any. */
static struct location x86_held(const struct sdt_file *f, const struct sdt_operand *op, const struct x86_named *r)
{
	enum { LAST_OF_PAIRS = 5, HALF = 4 };
	struct location *half;
	struct ops o = {};

	if (r->high) {
		operand_put(&o, DW_OP_bregx, r->number, 0);
		operand_put(&o, DW_OP_const8u, 8, 0);
		operand_put(&o, DW_OP_shr, 0, 0);
		return operand_finish(f, &o, LOC_VALUE);
	}
	if (!f->is_32bit || op->size <= HALF)
		return (struct location){ .kind = LOC_REGISTER, .is_32bit = f->is_32bit, .reg = (unsigned)r->number };
	if (!f->pairs || r->number > LAST_OF_PAIRS)
		return location_none("it is in two registers, of which its operand names one");
	half = arena_array(&program_arena, struct location, 2);
	for (int i = 0; i < 2; i++)
		half[i] = (struct location){ .kind = LOC_REGISTER, .is_32bit = true, .reg = (unsigned)(r->number + i), .piece_size = HALF };
	half[0].next = &half[1];
	return (struct location){ .kind = LOC_PIECES, .is_32bit = true, .next = half };
}

/* Puts the displacement of an operand in memory. Returns why it is unknown, or NULL. *RET_KIND: LOC_VALUE where the operand
 * is the address of the symbol itself. */
static const char *put_displacement(struct ops *o, const struct sdt_file *f, const struct sdt_operand *op,
				    const struct x86_sum *sum, struct x86_memory *m, enum location_kind *ret_kind)
{
	const char *why = NULL;
	int64_t value;

	switch (sum->relocation) {
	case X86_PLAIN:
		operand_put(o, DW_OP_addr, (int64_t)((uint64_t)operand_symbol(f, op, sum->name, SDT_ADDRESS, &why) + (uint64_t)sum->number), 0);
		break;
	case X86_GOTOFF:
		/* A register holds the table's address, and which one it is does not matter. */
		value = operand_symbol(f, op, sum->name, SDT_ADDRESS, &why) - operand_symbol(f, op, "_GLOBAL_OFFSET_TABLE_", SDT_ADDRESS, &why);
		operand_put(o, DW_OP_const8u, value + sum->number, 0);
		break;
	case X86_GOT:
		/* The base leads to the table's slot that holds the address. There is none if no instruction reads it. */
		if (sum->number || m->has_index || !m->has_base)
			return operand_not_understood;
		m->has_base = false;
		value = operand_symbol(f, op, sum->name, SDT_SLOT, &why);
		if (why) {
			why = NULL;
			value = operand_symbol(f, op, sum->name, SDT_FINAL_ADDRESS, &why);
			*ret_kind = LOC_VALUE;
		}
		operand_put(o, DW_OP_addr, value, 0);
		break;
	case X86_TPOFF:
		operand_put(o, DW_OP_const8u, operand_symbol(f, op, sum->name, SDT_DISTANCE, &why) + sum->number, 0);
		break;
	}
	return why;
}

/* DISP(BASE,INDEX,SCALE) at S, after the thread's segment if THREAD. */
static struct location x86_in_memory(const struct sdt_file *f, const struct sdt_operand *op, const char *s, bool thread)
{
	enum location_kind kind = LOC_ADDRESS;
	struct x86_memory m = {};
	struct x86_sum sum = {};
	const char *why = NULL;
	struct ops o = {};

	if (*s != '(' && !x86_sum(&s, &sum))
		return location_none(operand_not_understood);
	if (*s == '(' && !x86_memory(&s, &m))
		return location_none(operand_not_understood);
	if (*s)
		return location_none(operand_not_understood);
	if (m.has_base && m.base.number == X86_RIP && !*sum.name)
		return location_none("its operand is relative to an unknown address");
	/* Alone, a distance is no address. */
	if (*sum.name && (sum.relocation == X86_TPOFF || sum.relocation == X86_GOTOFF) && !thread && !m.has_base && !m.has_index)
		return location_none(operand_not_understood);
	if (*sum.name)
		why = put_displacement(&o, f, op, &sum, &m, &kind);
	else
		operand_put(&o, DW_OP_const8u, sum.number, 0);
	if (why)
		return location_none(why);
	if (thread) {
		operand_put(&o, LOC_OP_THREAD, 0, 0);
		operand_put(&o, DW_OP_plus, 0, 0);
	}
	/* rip stands for the address of the symbol itself. */
	if (m.has_base && m.base.number != X86_RIP) {
		operand_put(&o, DW_OP_bregx, m.base.number, 0);
		operand_put(&o, DW_OP_plus, 0, 0);
	}
	if (m.has_index) {
		operand_put(&o, DW_OP_bregx, m.index.number, 0);
		operand_put(&o, DW_OP_const8u, m.scale, 0);
		operand_put(&o, DW_OP_mul, 0, 0);
		operand_put(&o, DW_OP_plus, 0, 0);
	}
	return operand_finish(f, &o, kind);
}

/* $CONSTANT, $SYMBOL+DISP; S is after the $. */
static struct location x86_immediate(const struct sdt_file *f, const struct sdt_operand *op, const char *s)
{
	const char *why = NULL;
	struct ops o = {};
	struct x86_sum sum;
	int64_t address;

	if (!x86_sum(&s, &sum) || *s || sum.relocation != X86_PLAIN)
		return location_none(operand_not_understood);
	if (!*sum.name)
		return operand_constant(sum.number);
	address = operand_symbol(f, op, sum.name, SDT_ADDRESS, &why);
	if (why)
		return location_none(why);
	operand_put(&o, DW_OP_addr, (int64_t)((uint64_t)address + (uint64_t)sum.number), 0);
	return operand_finish(f, &o, LOC_VALUE);
}

struct location x86_operand(const struct sdt_file *f, const struct sdt_operand *op, unsigned *ret_width)
{
	const char *s = op->text;
	struct x86_named r;
	bool thread;

	if (x86_register(&s, &r)) {
		if (*s)
			return location_none(operand_not_understood);
		*ret_width = r.width;
		return x86_held(f, op, &r);
	}
	if (*s == '$')
		return x86_immediate(f, op, s + 1);
	thread = !f->is_32bit && !strncmp(s, "%fs:", 4);
	if (*s == '%' && !thread)
		return location_none(s[strspn(s, "%abcdefghijklmnopqrstuvwxyz0123456789")] == ':' ? "it is relative to a segment"
											   : "it is in a register that is not saved");
	return x86_in_memory(f, op, s + (thread ? 4 : 0), thread);
}
