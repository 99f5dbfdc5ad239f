/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lays out arguments and results by the convention of a machine. */
#include "translator/debuginfo/abi.h"

#include <dwarf.h>
#include <string.h>

#include "lib/arena.h"

enum { WORD = 8, SIZE_MAX_PASSED = 1 << 20 };

struct abi_layout abi_layout(const struct machine *m)
{
	return (struct abi_layout){ .machine = m && m->convention ? m : NULL };
}

void abi_skip_result(struct abi_layout *l)
{
	if (l->machine && l->machine->convention->passes_result)
		l->reg++;
}

struct location abi_in_memory(const struct abi_layout *l, int64_t offset)
{
	struct loc_op *op = arena_new(&program_arena, struct loc_op);

	/* OFFSET may be anything that a file says. */
	*op = (struct loc_op){ DW_OP_bregx, l->machine->stack_pointer, (int64_t)((uint64_t)offset + l->machine->return_size) };
	return (struct location){ .kind = LOC_ADDRESS, .ops = op, .n_ops = 1 };
}

static struct location no_convention(void)
{
	return location_none("the calling convention of this machine is not known");
}

/* On the stack, in whole words. */
static struct location in_memory(struct abi_layout *l, uint64_t size)
{
	struct location ret = abi_in_memory(l, (int64_t)l->word * WORD);

	l->word += (int)((size + WORD - 1) / WORD);
	return ret;
}

static struct location in_register(struct abi_layout *l)
{
	return (struct location){ .kind = LOC_REGISTER, .reg = l->machine->convention->args[l->reg++] };
}

/* A structure of 9 to 16 bytes: two registers, or the last one and the stack. */
static struct location two_words(struct abi_layout *l, uint64_t size)
{
	struct location *first = arena_new(&program_arena, struct location);
	struct location *second = arena_new(&program_arena, struct location);

	*first = in_register(l);
	*second = l->reg < l->machine->convention->n_args ? in_register(l) : in_memory(l, size - WORD);
	first->piece_size = WORD;
	second->piece_size = size - WORD;
	first->next = second;
	return (struct location){ .kind = LOC_PIECES, .next = first };
}

/* A structure whose address is the next argument. */
static struct location by_address(struct abi_layout *l)
{
	const struct convention *c = l->machine->convention;
	struct loc_op *ops = arena_array(&program_arena, struct loc_op, 2);

	if (l->reg < c->n_args) {
		ops[0] = (struct loc_op){ DW_OP_bregx, c->args[l->reg++], 0 };
		return (struct location){ .kind = LOC_ADDRESS, .ops = ops, .n_ops = 1 };
	}
	ops[0] = in_memory(l, WORD).ops[0];
	ops[1] = (struct loc_op){ DW_OP_deref, 0, 0 };
	return (struct location){ .kind = LOC_ADDRESS, .ops = ops, .n_ops = 2 };
}

struct location abi_next_address(struct abi_layout *l)
{
	return l->machine ? by_address(l) : no_convention();
}

struct location abi_next(struct abi_layout *l, const struct ctype *type)
{
	const struct convention *c = l->machine ? l->machine->convention : NULL;
	uint64_t size = type ? type->size : 0;

	if (!c)
		return no_convention();
	/* Nobody passes megabytes by value: the file is damaged. */
	l->lost |= !size || size > SIZE_MAX_PASSED || l->word > SIZE_MAX_PASSED;
	if (l->lost)
		return location_none("its size is unknown");
	if (type->kind == CT_FLOAT)
		return location_none("it is a floating point number");
	if (c->by_address && size > 2 * WORD && (type->kind == CT_STRUCT || type->kind == CT_UNION))
		return by_address(l);
	if (size <= WORD && l->reg < c->n_args)
		return in_register(l);
	if (size > WORD && size <= 2 * WORD && l->reg + (c->splits ? 1 : 2) <= c->n_args)
		return two_words(l, size);
	if (c->by_address && !c->splits)
		l->reg = c->n_args;
	return in_memory(l, size);
}

struct location abi_next_misaligned(struct abi_layout *l, const struct ctype *type)
{
	bool in_words = l->machine && !l->machine->convention->by_address && !l->lost && type->size && type->size <= SIZE_MAX_PASSED;

	return in_words ? in_memory(l, type->size) : abi_next(l, type);
}

/* ---- results ---- */
enum { RESULT_WORDS = 2, RECORD_DEPTH_MAX = 8, ELEMENTS_MAX = 16, MEMBERS_MAX = 1000 };

/* The words of a result: which of them have a number that is no floating point number, and which have one. A result with a number that its size does
 * not align is in memory. */
struct words {
	bool integer[RESULT_WORDS], floating[RESULT_WORDS], misaligned;
	int left; /* members to look at: in a damaged file records contain themselves in many ways */
};

/* A walk over the members of a record, which begins at byte BASE of the result. */
struct record {
	struct words *words;
	const struct ctype *type;
	uint64_t base;
	int depth;
};

static void add_value(struct words *w, const struct ctype *type, uint64_t base, int depth);

static void add_member(const char *name, void *data)
{
	const struct record *r = data;
	struct member m;

	if (r->depth > RECORD_DEPTH_MAX || --r->words->left < 0 || !ctype_member(r->type, name, &m))
		return;
	if (!m.bit_size)
		add_value(r->words, m.type, r->base + m.offset, r->depth + 1);
	for (unsigned bit = m.bit_offset; m.bit_size && bit < m.bit_offset + m.bit_size; bit++)
		if ((r->base + m.offset + bit / 8) / WORD < RESULT_WORDS)
			r->words->integer[(r->base + m.offset + bit / 8) / WORD] = true;
}

static void add_value(struct words *w, const struct ctype *type, uint64_t base, int depth)
{
	struct record r = { w, type, base, depth };

	if (!type || !type->size || base >= RESULT_WORDS * WORD)
		return;
	if (type->kind == CT_STRUCT || type->kind == CT_UNION) {
		ctype_member_names(type, add_member, &r);
	} else if (type->kind == CT_ARRAY) {
		const struct ctype *element = ctype_pointee(type);

		for (uint64_t i = 0; element && depth <= RECORD_DEPTH_MAX && i < type->count && i < ELEMENTS_MAX; i++)
			add_value(w, element, base + i * element->size, depth + 1);
	} else {
		w->misaligned |= base % type->size != 0;
		for (uint64_t i = base / WORD; i < RESULT_WORDS && i * WORD < base + type->size; i++)
			*(type->kind == CT_FLOAT ? &w->floating[i] : &w->integer[i]) = true;
	}
}

bool abi_is_misaligned(const struct ctype *type)
{
	struct words w = { .left = MEMBERS_MAX };

	add_value(&w, type, 0, 0);
	return w.misaligned;
}

/* The words of a result in registers. Those of numbers come one after the other, whatever lies between them. */
static struct location result_words(const struct convention *c, const struct ctype *type, const struct words *w)
{
	static const struct loc_op value = { LOC_OP_RETURN, 0, 0 };
	struct location *word[RESULT_WORDS] = { 0 };
	uint64_t n = (type->size + WORD - 1) / WORD;
	bool taken = false;

	for (uint64_t i = 0; i < n; i++) {
		word[i] = arena_new(&program_arena, struct location);
		if (w->floating[i] && !w->integer[i])
			*word[i] = location_none("it is in a register for floating point numbers, which probes cannot read");
		else if (taken)
			*word[i] = (struct location){ .kind = LOC_REGISTER, .reg = c->second };
		else
			*word[i] = (struct location){ .kind = LOC_VALUE, .ops = &value, .n_ops = 1 };
		taken |= w->integer[i];
		if (n == 1)
			return *word[i];
		word[i]->piece_size = i + 1 < n ? WORD : type->size - i * WORD;
		if (i)
			word[i - 1]->next = word[i];
	}
	return (struct location){ .kind = LOC_PIECES, .next = word[0] };
}

struct location abi_result(const struct machine *m, const struct ctype *type, enum passing passing)
{
	static const struct loc_op value = { LOC_OP_RETURN, 0, 0 };
	const struct convention *c = m ? m->convention : NULL;
	struct words w = { .left = MEMBERS_MAX };

	if (!c)
		return no_convention();
	if (passing == PASSED_UNKNOWN)
		return location_none("how it is returned is up to its language, or to how clang packed it");
	if (!type->size)
		return location_none("its size is unknown");
	add_value(&w, type, 0, 0);
	if (passing == PASSED_BY_ADDRESS || type->size > RESULT_WORDS * WORD || (c->returns_address && w.misaligned))
		return c->returns_address ? (struct location){ .kind = LOC_ADDRESS, .ops = &value, .n_ops = 1 } :
					    location_none("the caller said where to put it");
	/* On arm64 a structure is in registers for floating point numbers if it has up to four of one size, and nothing else. */
	if (!c->returns_address && (w.floating[0] || w.floating[1])) {
		if (!w.integer[0] && !w.integer[1])
			return location_none("it is in registers for floating point numbers, which probes cannot read");
		w.integer[0] = w.integer[1] = true;
	}
	return result_words(c, type, &w);
}
