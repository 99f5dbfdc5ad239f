/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads call frame information: for each function it runs the little programs that say, from instruction to instruction,
 * where the caller's registers are, and writes a row wherever that changes. Equal rules are kept once: a library has
 * thousands of functions and a few hundred rules.
 *
 * The format is in the DWARF standard (6.4) and, for .eh_frame, in the Linux Standard Base. Not everything it can say is
 * kept: expressions only in the forms that compilers and the C library use (PLT, aligned stacks, signal frames). Where
 * there is another one the row has no rule, and the stack goes on by frame pointer.
 *
 * A function that makes no sense is dropped and counted. A file cannot make us loop or recurse: each byte is read once
 * per function, and what all functions may cost together has a bound.
 */
#include "runtime/loader/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/reader.h"
#include "lib/vec.h"
#include "runtime/arch/i386.h"

enum {
	REMEMBERED_MAX = 16,
	CIE_CODE_MAX = 4096,   /* bytes of initial instructions: each function runs them again */
	WORK_PER_BYTE = 64,    /* instructions for all functions of a section, per byte of it */
};

/* Pointer encodings of .eh_frame: the low half is the format, the high half what it counts from. */
enum {
	PE_ULEB = 1, PE_U2 = 2, PE_U4 = 3, PE_U8 = 4, PE_SLEB = 9, PE_S2 = 10, PE_S4 = 11, PE_S8 = 12,
	PE_FORMAT = 0x0f, PE_PCREL = 0x10, PE_BASE = 0x70, PE_INDIRECT = 0x80,
};

static kt_u64 read_format(struct reader *r, unsigned int encoding, const struct cfi_section *section)
{
	switch (encoding & PE_FORMAT) {
	case 0:
		return read_fixed(r, section->is_32bit ? 4 : 8);
	case PE_U8:
	case PE_S8:
		return read_fixed(r, 8);
	case PE_U4:
		return read_fixed(r, 4);
	case PE_U2:
		return read_fixed(r, 2);
	case PE_S4:
		return (kt_u64)(kt_s64)(kt_s32)read_fixed(r, 4);
	case PE_S2:
		return (kt_u64)(kt_s64)(kt_s16)read_fixed(r, 2);
	case PE_ULEB:
		return read_uleb(r);
	case PE_SLEB:
		return (kt_u64)read_sleb(r);
	}
	r->bad = true;
	return 0;
}

/* A pointer that stands in SECTION. */
static kt_u64 read_pointer(struct reader *r, unsigned int encoding, const struct cfi_section *section)
{
	kt_u64 here = section->address + (kt_u64)(r->at - section->data);
	kt_u64 v = read_format(r, encoding, section);

	if (encoding & PE_INDIRECT || ((encoding & PE_BASE) && (encoding & PE_BASE) != PE_PCREL))
		r->bad = true;
	if ((encoding & PE_BASE) == PE_PCREL)
		v += here;
	return section->is_32bit ? (kt_u32)v : v;
}

/* The machine's number for register NUMBER; one that is not followed is KT_UNWIND_REGS or above. */
static kt_u64 machine_register(const struct cfi_section *section, kt_u64 number)
{
	return section->is_32bit ? kt_i386_register(number) : number;
}

static kt_u64 read_register(struct reader *r, const struct cfi_section *section)
{
	return machine_register(section, read_uleb(r));
}

/* ---- rules ---- */

struct saved {
	kt_u8 kind;      /* enum kt_unwind_saved_kind + 1; 0: unchanged */
	kt_u8 other;
	kt_s32 offset;
};

struct rules {
	kt_u8 cfa_kind, cfa_reg, cfa_limit;
	bool cfa_unknown; /* an expression that we don't keep */
	kt_s32 cfa_offset;
	struct saved reg[KT_UNWIND_REGS];
};

/* A common information entry. */
struct cie {
	size_t at;            /* offset in the section, ~0: none was read */
	bool good, signal;
	bool has_data;        /* augmentation data, in its functions too */
	unsigned int encoding;
	kt_u64 code_align;
	kt_s64 data_align;
	kt_u64 ra;
	struct reader code;
};

/* A function's program under way. */
struct run {
	struct cfi *cfi;
	const struct cfi_section *section;
	const struct cie *cie;
	struct rules now, initial, remembered[REMEMBERED_MAX];
	unsigned int n_remembered;
	kt_u64 pc, end;       /* counted from the base */
	kt_u64 *work;         /* instructions that may still be run */
	bool initial_code;
};

/* Rule words of R; their number. */
static kt_u32 encode(const struct run *run, const struct rules *r, kt_u32 *words)
{
	bool end = run->cie->ra < KT_UNWIND_REGS && r->reg[run->cie->ra].kind == KT_SAVED_LOST + 1;
	kt_u32 n = 0;

	for (kt_u32 i = 0; i < KT_UNWIND_REGS && !end; i++) {
		const struct saved *s = &r->reg[i];

		if (!s->kind)
			continue;
		words[2 + 2 * n] = kt_unwind_saved(s->kind - 1u, i, s->other);
		words[3 + 2 * n] = (kt_u32)s->offset;
		n++;
	}
	words[0] = kt_unwind_cfa(end ? KT_CFA_END : r->cfa_kind, r->cfa_reg, n, r->cfa_limit,
				 run->cie->signal ? KT_RULE_SIGNAL : 0);
	words[1] = end ? 0 : (kt_u32)r->cfa_offset;
	return 2 + 2 * n;
}

static size_t hash_words(const kt_u32 *words, kt_u32 n)
{
	kt_u64 h = n;

	for (kt_u32 i = 0; i < n; i++)
		h = (h ^ words[i]) * 0x9e3779b97f4a7c15ull;
	return (size_t)(h ^ h >> 32);
}

static kt_u32 length_of(const kt_u32 *words)
{
	return 2 + 2 * (words[0] >> 16 & 0xff);
}

static void grow_hash(struct cfi *c)
{
	size_t n = c->n_hash ? 2 * c->n_hash : 1024;
	kt_u32 *hash = xmalloc(n * sizeof(*hash));

	memset(hash, 0, n * sizeof(*hash));
	for (size_t i = 0; i < c->n_hash; i++) {
		size_t k;

		if (!c->hash[i])
			continue;
		k = hash_words(&c->words[c->hash[i] - 1], length_of(&c->words[c->hash[i] - 1]));
		while (hash[k & (n - 1)])
			k++;
		hash[k & (n - 1)] = c->hash[i];
	}
	free(c->hash);
	c->hash = hash;
	c->n_hash = n;
}

/* Index of the rule with these words, which are added when they are new. */
static kt_u32 intern_rule(struct cfi *c, const kt_u32 *words, kt_u32 n)
{
	size_t k = hash_words(words, n);

	if (2 * c->n_rules >= c->n_hash)
		grow_hash(c);
	for (; c->hash[k & (c->n_hash - 1)]; k++) {
		const kt_u32 *old = &c->words[c->hash[k & (c->n_hash - 1)] - 1];

		if (length_of(old) == n && !memcmp(old, words, n * sizeof(*words)))
			return (kt_u32)(old - c->words);
	}
	if (c->n_words + n > c->room_words) {
		c->room_words = 2 * c->room_words + 1024;
		c->words = xrealloc(c->words, c->room_words * sizeof(*c->words));
	}
	memcpy(&c->words[c->n_words], words, n * sizeof(*words));
	c->n_words += n;
	c->n_rules++;
	c->hash[k & (c->n_hash - 1)] = (kt_u32)(c->n_words - n) + 1;
	return (kt_u32)(c->n_words - n);
}

static void add_row(struct cfi *c, kt_u64 place, kt_u32 rule)
{
	if (c->n_rows >= KT_UNWIND_ROWS_MAX)
		return;
	*vec_add(c->rows, c->n_rows) = (struct kt_unwind_row){ (kt_u32)place, rule };
}

/* The rules hold from the pc to NEXT. */
static void flush(struct run *run, kt_u64 next)
{
	kt_u32 words[2 + 2 * KT_UNWIND_REGS];

	if (run->initial_code || next <= run->pc)
		return;
	add_row(run->cfi, run->pc,
		run->now.cfa_unknown ? KT_UNWIND_NONE : intern_rule(run->cfi, words, encode(run, &run->now, words)));
	run->pc = next;
}

/* ---- expressions ---- */
enum {
	OP_DEREF = 0x06, OP_PLUS = 0x22, OP_AND = 0x1a, OP_GE = 0x2a, OP_SHL = 0x24,
	OP_LIT0 = 0x30, OP_BREG0 = 0x70, OP_BREG31 = 0x8f,
};

/* "register + offset" at the start of an expression. */
static bool read_breg(struct reader *r, const struct cfi_section *section, kt_u8 *ret_reg, kt_s32 *ret_offset)
{
	kt_u64 op = read_fixed(r, 1), number;
	kt_s64 offset = read_sleb(r);

	if (r->bad || op < OP_BREG0 || op > OP_BREG31 || offset != (kt_s32)offset)
		return false;
	number = machine_register(section, op - OP_BREG0);
	*ret_reg = (kt_u8)number;
	*ret_offset = (kt_s32)offset;
	return number < KT_UNWIND_REGS;
}

/* The rest of a PLT's expression: + (((pc & 15) >= limit) << 3), of i386 << 2. */
static bool read_plt(struct reader *r, const struct cfi_section *section, kt_u8 *ret_limit)
{
	kt_u8 pc, limit;
	kt_s32 zero;

	if (r->end - r->at != 9 || !read_breg(r, section, &pc, &zero) || zero || pc != 16)
		return false;
	if (r->at[0] != OP_LIT0 + 15 || r->at[1] != OP_AND || r->at[3] != OP_GE || r->at[4] != OP_LIT0 + (section->is_32bit ? 2 : 3) ||
	    r->at[5] != OP_SHL || r->at[6] != OP_PLUS)
		return false;
	limit = (kt_u8)(r->at[2] - OP_LIT0);
	*ret_limit = limit;
	return limit < 16;
}

static void set_cfa_expression(struct rules *rules, const struct cfi_section *section, struct reader r)
{
	rules->cfa_unknown = true;
	if (!read_breg(&r, section, &rules->cfa_reg, &rules->cfa_offset))
		return;
	if (r.at == r.end) {
		rules->cfa_kind = KT_CFA_SUM;
	} else if (r.end - r.at == 1 && *r.at == OP_DEREF) {
		rules->cfa_kind = KT_CFA_DEREF;
	} else {
		rules->cfa_kind = KT_CFA_PLT;
		if (!read_plt(&r, section, &rules->cfa_limit))
			return;
	}
	rules->cfa_unknown = false;
}

/* A register's expression; VALUE: it gives the value, not where it is stored. */
static void set_expression(struct rules *rules, const struct cfi_section *section, kt_u64 reg, struct reader r, bool value)
{
	struct saved s = { .kind = (value ? KT_SAVED_SUM : KT_SAVED_AT) + 1 };

	if (reg >= KT_UNWIND_REGS)
		return;
	if (!read_breg(&r, section, &s.other, &s.offset))
		s.kind = 0;
	else if (value && r.end - r.at == 1 && *r.at == OP_DEREF)
		s.kind = KT_SAVED_AT + 1;
	else if (r.at != r.end)
		s.kind = 0;
	rules->reg[reg] = s.kind ? s : (struct saved){ .kind = KT_SAVED_LOST + 1 };
}

/* ---- programs ---- */
enum {
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0, CFA_HIGH = 0xc0,
	CFA_NOP = 0, CFA_SET_LOC, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED, CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED, CFA_SAME_VALUE, CFA_REGISTER, CFA_REMEMBER, CFA_RESTORE_STATE, CFA_DEF_CFA, CFA_DEF_CFA_REGISTER,
	CFA_DEF_CFA_OFFSET, CFA_DEF_CFA_EXPRESSION, CFA_EXPRESSION, CFA_OFFSET_EXTENDED_SF, CFA_DEF_CFA_SF,
	CFA_DEF_CFA_OFFSET_SF, CFA_VAL_OFFSET, CFA_VAL_OFFSET_SF, CFA_VAL_EXPRESSION,
	CFA_NEGATE_RA_STATE = 0x2d, CFA_ARGS_SIZE = 0x2e, CFA_OFFSET_NEGATIVE = 0x2f,
};

static bool advance(struct run *run, kt_u64 delta)
{
	kt_u64 next = run->pc + delta * run->cie->code_align;

	if (run->initial_code || next < run->pc || next > run->end)
		return false;
	flush(run, next);
	return true;
}

static bool set_saved(struct run *run, kt_u64 reg, kt_u32 kind, kt_u64 other, kt_s64 offset)
{
	if (offset != (kt_s32)offset || other >= KT_UNWIND_REGS)
		return false;
	if (reg < KT_UNWIND_REGS) /* vector registers are nobody's pc */
		run->now.reg[reg] = (struct saved){ (kt_u8)(kind + 1), (kt_u8)other, (kt_s32)offset };
	return true;
}

static bool restore(struct run *run, kt_u64 reg)
{
	if (reg < KT_UNWIND_REGS)
		run->now.reg[reg] = run->initial.reg[reg];
	return !run->initial_code;
}

static bool set_cfa(struct run *run, kt_u64 reg, kt_s64 offset)
{
	run->now.cfa_kind = KT_CFA_SUM;
	run->now.cfa_limit = 0;
	run->now.cfa_reg = (kt_u8)reg;
	run->now.cfa_offset = (kt_s32)offset;
	run->now.cfa_unknown = false;
	return reg < KT_UNWIND_REGS && offset == (kt_s32)offset;
}

static bool remember(struct run *run)
{
	if (run->n_remembered == REMEMBERED_MAX)
		return false;
	run->remembered[run->n_remembered++] = run->now;
	return true;
}

static bool recall(struct run *run)
{
	if (!run->n_remembered)
		return false;
	run->now = run->remembered[--run->n_remembered];
	return true;
}

/* Instructions whose number stands in all 8 bits. */
static bool instruct(struct run *run, unsigned int op, struct reader *r)
{
	const struct cfi_section *section = run->section;
	kt_s64 scale = run->cie->data_align;
	kt_u64 reg;

	switch (op) {
	case CFA_NOP:
	case CFA_NEGATE_RA_STATE:
		return true;
	case CFA_SET_LOC:
		return false; /* no compiler writes it */
	case CFA_ADVANCE1:
		return advance(run, read_fixed(r, 1));
	case CFA_ADVANCE2:
		return advance(run, read_fixed(r, 2));
	case CFA_ADVANCE4:
		return advance(run, read_fixed(r, 4));
	case CFA_OFFSET_EXTENDED:
		reg = read_register(r, section);
		return set_saved(run, reg, KT_SAVED_AT_CFA, 0, (kt_s64)(read_uleb(r) * (kt_u64)scale));
	case CFA_OFFSET_EXTENDED_SF:
		reg = read_register(r, section);
		return set_saved(run, reg, KT_SAVED_AT_CFA, 0, (kt_s64)((kt_u64)read_sleb(r) * (kt_u64)scale));
	case CFA_OFFSET_NEGATIVE:
		reg = read_register(r, section);
		return set_saved(run, reg, KT_SAVED_AT_CFA, 0, (kt_s64)(-read_uleb(r) * (kt_u64)scale));
	case CFA_VAL_OFFSET:
		reg = read_register(r, section);
		return set_saved(run, reg, KT_SAVED_CFA, 0, (kt_s64)(read_uleb(r) * (kt_u64)scale));
	case CFA_VAL_OFFSET_SF:
		reg = read_register(r, section);
		return set_saved(run, reg, KT_SAVED_CFA, 0, (kt_s64)((kt_u64)read_sleb(r) * (kt_u64)scale));
	case CFA_RESTORE_EXTENDED:
		return restore(run, read_register(r, section));
	case CFA_UNDEFINED:
		return set_saved(run, read_register(r, section), KT_SAVED_LOST, 0, 0);
	case CFA_SAME_VALUE:
		reg = read_register(r, section);
		if (reg < KT_UNWIND_REGS)
			run->now.reg[reg] = (struct saved){ 0 };
		return true;
	case CFA_REGISTER:
		reg = read_register(r, section);
		return set_saved(run, reg, KT_SAVED_SUM, read_register(r, section), 0);
	case CFA_REMEMBER:
		return remember(run);
	case CFA_RESTORE_STATE:
		return recall(run);
	case CFA_DEF_CFA:
		reg = read_register(r, section);
		return set_cfa(run, reg, (kt_s64)read_uleb(r));
	case CFA_DEF_CFA_SF:
		reg = read_register(r, section);
		return set_cfa(run, reg, (kt_s64)((kt_u64)read_sleb(r) * (kt_u64)scale));
	case CFA_DEF_CFA_REGISTER:
		return set_cfa(run, read_register(r, section), run->now.cfa_offset);
	case CFA_DEF_CFA_OFFSET:
		return set_cfa(run, run->now.cfa_reg, (kt_s64)read_uleb(r));
	case CFA_DEF_CFA_OFFSET_SF:
		return set_cfa(run, run->now.cfa_reg, (kt_s64)((kt_u64)read_sleb(r) * (kt_u64)scale));
	case CFA_DEF_CFA_EXPRESSION:
		set_cfa_expression(&run->now, section, read_part(r, read_uleb(r)));
		return true;
	case CFA_EXPRESSION:
	case CFA_VAL_EXPRESSION:
		reg = read_register(r, section);
		set_expression(&run->now, section, reg, read_part(r, read_uleb(r)), op == CFA_VAL_EXPRESSION);
		return true;
	case CFA_ARGS_SIZE:
		read_uleb(r);
		return true;
	}
	return false;
}

/* Runs a program. False: it makes no sense. */
static bool run_code(struct run *run, struct reader r)
{
	while (r.at < r.end) {
		unsigned int op = (unsigned int)read_fixed(&r, 1);
		bool good;

		if (!*run->work)
			return false;
		--*run->work;
		switch (op & CFA_HIGH) {
		case CFA_ADVANCE:
			good = advance(run, op & 0x3f);
			break;
		case CFA_OFFSET:
			good = set_saved(run, machine_register(run->section, op & 0x3f), KT_SAVED_AT_CFA, 0,
					 (kt_s64)(read_uleb(&r) * (kt_u64)run->cie->data_align));
			break;
		case CFA_RESTORE:
			good = restore(run, machine_register(run->section, op & 0x3f));
			break;
		default:
			good = instruct(run, op, &r);
		}
		if (!good || r.bad)
			return false;
	}
	return true;
}

/* ---- entries ---- */

/* The decoded augmentation string of a CIE. */
static void read_augmentation(struct cie *cie, struct reader *r, const char *letters, const struct cfi_section *section)
{
	struct reader data;

	if (*letters != 'z') {
		cie->good = !*letters; /* "eh" of the last century, or one of another kind */
		return;
	}
	cie->has_data = true;
	data = read_part(r, read_uleb(r));
	for (letters++; *letters && cie->good; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = (unsigned int)read_fixed(&data, 1);
			break;
		case 'P': {
			unsigned int encoding = (unsigned int)read_fixed(&data, 1) & ~(unsigned int)PE_INDIRECT;

			read_pointer(&data, encoding, section);
			break;
		}
		case 'L':
			read_fixed(&data, 1);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'B': /* aarch64: return addresses are signed with the other key */
		case 'G':
			break;
		default:
			cie->good = false;
		}
	}
	cie->good = cie->good && !data.bad;
}

/* Length of the entry at R and the entry itself, after it. False: the end, or it reaches beyond. */
static bool read_entry(struct reader *r, struct reader *ret, bool *ret_wide)
{
	kt_u64 length = read_fixed(r, 4);

	*ret_wide = length == 0xffffffff;
	if (*ret_wide)
		length = read_fixed(r, 8);
	if (r->bad)
		return false;
	*ret = read_part(r, length);
	return !ret->bad;
}

static void read_cie(struct cie *cie, const struct cfi_section *section, size_t at)
{
	struct reader r = { section->data + at, section->data + section->size, false }, e = r;
	const char *letters;
	kt_u64 version, id;
	bool wide;

	*cie = (struct cie){ .at = at };
	if (!read_entry(&r, &e, &wide))
		return;
	id = read_fixed(&e, wide && section->debug ? 8 : 4);
	if (id != (!section->debug ? 0 : wide ? ~0ull : 0xffffffff))
		return;
	version = read_fixed(&e, 1);
	letters = (const char *)e.at;
	while (read_fixed(&e, 1))
		;
	if (e.bad || (version != 1 && version != 3 && version != 4))
		return;
	/* Version 4 has the size of an address and of a segment. */
	if (version == 4 && (read_fixed(&e, 1) != (section->is_32bit ? 4 : 8) || read_fixed(&e, 1) != 0))
		return;
	cie->code_align = read_uleb(&e);
	cie->data_align = read_sleb(&e);
	cie->ra = machine_register(section, version == 1 ? read_fixed(&e, 1) : read_uleb(&e));
	cie->good = true;
	read_augmentation(cie, &e, letters, section);
	cie->code = e;
	cie->good = cie->good && !e.bad && cie->ra < KT_UNWIND_REGS && e.end - e.at <= CIE_CODE_MAX;
}

/* A function of which PLACE, SIZE and program are known. */
static bool add_function(struct run *run, kt_u64 place, kt_u64 size, struct reader code)
{
	size_t n_rows = run->cfi->n_rows;

	run->pc = place;
	run->end = place + size;
	run->n_remembered = 0;
	run->now = (struct rules){ .cfa_unknown = true };
	run->initial_code = true;
	if (!run_code(run, run->cie->code))
		return false;
	run->initial = run->now;
	run->initial_code = false;
	if (!run_code(run, code)) {
		run->cfi->n_rows = n_rows;
		return false;
	}
	flush(run, run->end);
	add_row(run->cfi, run->end, KT_UNWIND_NONE);
	return true;
}

/* The entry E of a function, whose offset is AT. */
static bool read_fde(struct run *run, struct cie *cie, struct reader e, kt_u64 id, size_t at, kt_u64 base)
{
	const struct cfi_section *section = run->section;
	kt_u64 start, size, cie_at = section->debug ? id : at - id;
	struct reader r = e;

	if (cie_at >= section->size)
		return false;
	if (cie->at != cie_at)
		read_cie(cie, section, (size_t)cie_at);
	if (!cie->good)
		return false;
	start = read_pointer(&r, cie->encoding, section);
	size = read_format(&r, cie->encoding, section);
	if (cie->has_data)
		read_part(&r, read_uleb(&r));
	if (r.bad)
		return false;
	if (!start || !size) /* the linker threw the function away */
		return true;
	if (start < base || start - base >= KT_UNWIND_NONE || size >= KT_UNWIND_NONE - (start - base))
		return false;
	run->cie = cie;
	return add_function(run, start - base, size, r);
}

void cfi_add(struct cfi *c, const struct cfi_section *section, kt_u64 base)
{
	struct reader r = { section->data, section->data + section->size, false }, e;
	kt_u64 work = (kt_u64)section->size * WORK_PER_BYTE;
	struct run *run = xmalloc(sizeof(*run));
	struct cie cie = { .at = ~(size_t)0 };
	bool wide;

	*run = (struct run){ .cfi = c, .section = section, .work = &work };
	while (r.at < r.end && read_entry(&r, &e, &wide)) {
		size_t at;
		kt_u64 id;

		if (e.at == e.end)
			continue; /* the terminator of one input file */
		at = (size_t)(e.at - section->data);
		id = read_fixed(&e, wide && section->debug ? 8 : 4);
		if (e.bad || id == (!section->debug ? 0 : wide ? ~0ull : 0xffffffff))
			continue;
		if (!read_fde(run, &cie, e, id, at, base))
			c->dropped++;
	}
	free(run);
}

/* ---- order ---- */

/* Rows of one function stand together and ascend up to one without a rule: this is such a run of rows. */
struct piece {
	size_t first, n;
	kt_u32 start;
};

static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static struct piece *find_pieces(const struct cfi *c, size_t *ret_n)
{
	struct piece *pieces = xmalloc((c->n_rows + 1) * sizeof(*pieces));
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++) {
		if (i && c->rows[i].place > c->rows[i - 1].place && c->rows[i - 1].rule != KT_UNWIND_NONE) {
			pieces[n - 1].n++;
			continue;
		}
		pieces[n++] = (struct piece){ i, 1, c->rows[i].place };
	}
	*ret_n = n;
	return pieces;
}

void cfi_finish(struct cfi *c)
{
	struct kt_unwind_row *rows = xmalloc((c->n_rows + 1) * sizeof(*rows));
	size_t n_pieces, n = 0;
	_cleanup_free_ struct piece *pieces = find_pieces(c, &n_pieces);

	qsort(pieces, n_pieces, sizeof(*pieces), by_start);
	for (size_t i = 0; i < n_pieces; i++) {
		const struct kt_unwind_row *from = &c->rows[pieces[i].first];

		for (size_t k = 0; k < pieces[i].n; k++) {
			if (n && from[k].place == rows[n - 1].place && rows[n - 1].rule == KT_UNWIND_NONE)
				n--; /* where one function ends the next one begins */
			if (n && from[k].place <= rows[n - 1].place)
				continue;
			if (n && from[k].rule == rows[n - 1].rule)
				continue;
			rows[n++] = from[k];
		}
	}
	free(c->rows);
	c->rows = rows;
	c->n_rows = n;
}

void cfi_deinit(struct cfi *c)
{
	free(c->rows);
	free(c->words);
	free(c->hash);
	*c = (struct cfi){ 0 };
}
