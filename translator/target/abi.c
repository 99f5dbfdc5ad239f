/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System V ABI, AMD64 supplement, 3.2.3; Procedure Call Standard for the Arm 64-bit Architecture, 6.4 and 6.8. */
#include "translator/target/abi.h"

#include <dwarf.h>
#include <string.h>

#include "translator/base/arena.h"

enum { WORD = 8, ARGUMENT_WORDS_MAX = 8, SIZE_MAX_PASSED = 1 << 20 };

static const struct abi {
	const char *arch;
	unsigned char args[ARGUMENT_WORDS_MAX]; /* DWARF numbers */
	int n_args;
	unsigned char stack;     /* stack pointer */
	int stack_offset;        /* of the first argument in memory: after the return address */
	unsigned char second;    /* the upper half of a result */
	bool returns_address;    /* of a result in memory, which the caller passes as the first argument */
	bool by_address;         /* structures of more than two words are passed by address; after an argument in memory all are there */
} abis[] = {
	{ "x86_64", { 5, 4, 1, 2, 8, 9 }, 6, 7, 8, 1, true, false },
	{ "aarch64", { 0, 1, 2, 3, 4, 5, 6, 7 }, 8, 31, 0, 1, false, true },
};

struct abi_layout abi_layout(const char *arch)
{
	for (size_t i = 0; i < sizeof(abis) / sizeof(*abis); i++)
		if (!strcmp(abis[i].arch, arch))
			return (struct abi_layout){ .abi = &abis[i] };
	return (struct abi_layout){};
}

void abi_skip_result(struct abi_layout *l)
{
	if (l->abi && l->abi->returns_address)
		l->reg++;
}

struct location abi_in_memory(const struct abi_layout *l, int64_t offset)
{
	struct loc_op *op = arena_new(&program_arena, struct loc_op);

	/* OFFSET may be anything that a file says. */
	*op = (struct loc_op){ DW_OP_bregx, l->abi->stack, (int64_t)((uint64_t)offset + (uint64_t)l->abi->stack_offset) };
	return (struct location){ .kind = LOC_ADDRESS, .ops = op, .n_ops = 1 };
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
	return (struct location){ .kind = LOC_REGISTER, .reg = l->abi->args[l->reg++] };
}

/* A structure of 9 to 16 bytes: two registers, or none. */
static struct location two_registers(struct abi_layout *l, uint64_t size)
{
	struct location *first = arena_new(&program_arena, struct location);
	struct location *second = arena_new(&program_arena, struct location);

	*first = in_register(l);
	*second = in_register(l);
	first->piece_size = WORD;
	second->piece_size = size - WORD;
	first->next = second;
	return (struct location){ .kind = LOC_PIECES, .next = first };
}

/* A structure whose address is the next argument. */
static struct location by_address(struct abi_layout *l)
{
	struct loc_op *ops = arena_array(&program_arena, struct loc_op, 2);

	if (l->reg < l->abi->n_args) {
		ops[0] = (struct loc_op){ DW_OP_bregx, l->abi->args[l->reg++], 0 };
		return (struct location){ .kind = LOC_ADDRESS, .ops = ops, .n_ops = 1 };
	}
	ops[0] = in_memory(l, WORD).ops[0];
	ops[1] = (struct loc_op){ DW_OP_deref, 0, 0 };
	return (struct location){ .kind = LOC_ADDRESS, .ops = ops, .n_ops = 2 };
}

struct location abi_next(struct abi_layout *l, const struct ctype *type)
{
	uint64_t size = type ? type->size : 0;

	if (!l->abi)
		return (struct location){ .kind = LOC_NONE, .why = "the calling convention of this machine is not known" };
	/* Nobody passes megabytes by value: the file is damaged. */
	l->lost |= !size || size > SIZE_MAX_PASSED || l->word > SIZE_MAX_PASSED;
	if (l->lost)
		return (struct location){ .kind = LOC_NONE, .why = "its size is unknown" };
	if (type->kind == CT_FLOAT)
		return (struct location){ .kind = LOC_NONE, .why = "it is a floating point number" };
	if (l->abi->by_address && size > 2 * WORD && (type->kind == CT_STRUCT || type->kind == CT_UNION))
		return by_address(l);
	if (size <= WORD && l->reg < l->abi->n_args)
		return in_register(l);
	if (size > WORD && size <= 2 * WORD && l->reg + 2 <= l->abi->n_args)
		return two_registers(l, size);
	if (l->abi->by_address)
		l->reg = l->abi->n_args;
	return in_memory(l, size);
}

struct location abi_next_misaligned(struct abi_layout *l, const struct ctype *type)
{
	return l->abi && !l->abi->by_address && !l->lost && type->size && type->size <= SIZE_MAX_PASSED ? in_memory(l, type->size) :
														abi_next(l, type);
}

struct location abi_result(const char *arch, const struct ctype *type)
{
	static const struct loc_op value = { LOC_OP_RETURN, 0, 0 };
	struct location whole = { .kind = LOC_VALUE, .ops = &value, .n_ops = 1 };
	struct location *first, *second;
	struct abi_layout l = abi_layout(arch);

	if (!l.abi)
		return (struct location){ .kind = LOC_NONE, .why = "the calling convention of this machine is not known" };
	if (type->size <= WORD)
		return whole;
	if (type->size > 2 * WORD) {
		whole.kind = LOC_ADDRESS;
		return l.abi->returns_address ? whole : (struct location){ .kind = LOC_NONE, .why = "the caller said where to put it" };
	}
	first = arena_new(&program_arena, struct location);
	second = arena_new(&program_arena, struct location);
	*second = (struct location){ .kind = LOC_REGISTER, .reg = l.abi->second, .piece_size = type->size - WORD };
	*first = whole;
	first->piece_size = WORD;
	first->next = second;
	return (struct location){ .kind = LOC_PIECES, .next = first };
}
