/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables that are described by what a register held when the function was entered (DW_OP_entry_value): at inlined copies
 * and in the middle of functions.
 *
 * A probe at the entry of the function keeps the register in an array, under the thread and the address of the function's
 * frame, so that each activation has its own. The array, the probe and the functions that read it are written as script
 * text, once for each function and register. A hit in a function that was entered before the session has nothing to read,
 * and is passed over.
 */
#include <stdio.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/machine/machine.h"
#include "translator/probe/context.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"

/* A register that is kept. */
struct kept {
	struct target *target;
	uint64_t entry;
	unsigned reg;
	int number;             /* in the names of what is written for it */
	struct kept *next;
};

/* The register's name, and the function's frame at its entry, as script text. NULL: a probe cannot read the register. */
static const char *register_name(const struct target *t, unsigned reg, const char **ret_frame)
{
	const struct machine *m = target_machine(t);

	if (reg >= m->n_kept)
		return NULL;
	*ret_frame = arena_printf(&program_arena, "register(\"%s\") + %u", machine_register(m, m->stack_pointer), m->return_size);
	return machine_register(m, reg);
}

static bool write_probe(struct program *p, const struct kept *k, const char *reg, const char *frame)
{
	uint64_t base = target_module(k->target) ? target_text(k->target) : 0;
	const char *text = arena_printf(&program_arena,
		"private global kept%%\n"
		"probe %s.statement(%#llx) { kept[tid(), %s] = register(\"%s\") }\n"
		"function __kept_%d:long (frame:long) { return kept[tid(), frame] }\n"
		"function __is_kept_%d:long (frame:long) { return [tid(), frame] in kept }\n",
		target_point(k->target), (unsigned long long)(k->entry - base), frame, reg, k->number, k->number);

	return tapset_parse(p, source_from_text(p, "<values of the entry>", text));
}

/* The row for register REG at ENTRY of T; NULL: it cannot be kept. */
static const struct kept *keep(struct program *p, struct target *t, uint64_t entry, unsigned reg)
{
	const char *frame, *name = register_name(t, reg, &frame);
	struct kept *k;

	for (k = p->kept; k; k = k->next)
		if (k->target == t && k->entry == entry && k->reg == reg)
			return k;
	if (!name)
		return NULL;
	k = arena_new(&program_arena, struct kept);
	*k = (struct kept){ t, entry, reg, p->kept ? p->kept->number + 1 : 1, p->kept };
	if (!write_probe(p, k, name, frame))
		return NULL;
	p->kept = k;
	return k;
}

/* ---- what stands in the body ---- */
/* The value at a location. */
static struct node *value_node(struct loc loc, const struct location *l)
{
	static const struct ctype address = { .kind = CT_INT, .name = "unsigned long", .size = 8 };
	struct node *n = node_new(ND_TARGET, loc);

	n->name = intern("$entry");
	n->access = arena_new(&program_arena, struct access);
	*n->access = (struct access){ .base = ACC_LOCATION, .location = *l, .base_type = &address, .type = &address };
	return n;
}

static struct node *register_node(struct loc loc, unsigned reg)
{
	return value_node(loc, &(struct location){ .kind = LOC_REGISTER, .reg = reg });
}

static struct node *call(struct loc loc, const char *name, int number, struct node *argument)
{
	struct node *n = node_own_call(arena_printf(&program_arena, "%s%d", name, number), loc);

	n->list = argument;
	return n;
}

/* Is the test of K at the head of BODY already? */
static bool is_tested(const struct node *body, const struct kept *k)
{
	const char *name = intern(arena_printf(&program_arena, "__is_kept_%d", k->number));

	for (; body->kind == ND_BLOCK && body->list && body->list->kind == ND_IF; body = body->list->next) {
		const struct node *not = body->list->kid[0];

		if (not->kind != ND_UNARY || not->kid[0]->kind != ND_CALL || strncmp(not->kid[0]->name, "__is_kept_", 10))
			return false;
		if (not->kid[0]->name == name)
			return true;
	}
	return false;
}

/* The handler begins with: next, when nothing was kept. */
static void pass_over(struct probe *pr, const struct kept *k, const struct location *frame)
{
	struct loc loc = pr->def->loc;
	struct node *block = node_new(ND_BLOCK, loc), *test = node_new(ND_IF, loc), *not = node_new(ND_UNARY, loc);

	not->op = OP_NOT;
	not->kid[0] = call(loc, "__is_kept_", k->number, value_node(loc, frame));
	test->kid[0] = not;
	test->kid[1] = node_new(ND_NEXT, loc);
	test->next = pr->body;
	block->list = test;
	pr->body = block;
	pr->resolved = false;
}

static bool unkept(const struct node *n, const char *why)
{
	error(n->loc, DIAG_OPTIMIZED_OUT, "'%s' is described by a register's value at the function's entry, %s", n->name ? n->name : "it",
	      why);
	note(n->loc, "probe the function's .call, and keep the value in a global");
	return false;
}

bool kept_value(struct program *p, struct probe *pr, const struct context_place *cp, struct node *n)
{
	int reg = n->access && n->access->base == ACC_LOCATION ? location_entry_register(&n->access->location) : LOC_ENTRY_NONE;
	const struct kept *k;
	struct location frame;
	uint64_t entry;

	if (reg == LOC_ENTRY_NONE || n->list)
		return true;
	if (reg == LOC_ENTRY_SEVERAL)
		return unkept(n, "and so are two registers");
	if (!target_frame(cp->target, cp->place, &entry, &frame))
		return unkept(n, "and the function's frame is not described");
	if (entry == cp->place->address) {
		n->list = register_node(n->loc, (unsigned)reg);
		return true;
	}
	k = keep(p, cp->target, entry, (unsigned)reg);
	if (!k)
		return unkept(n, "which cannot be kept on this machine");
	n->list = call(n->loc, "__kept_", k->number, value_node(n->loc, &frame));
	if (!is_tested(pr->body, k))
		pass_over(pr, k, &frame);
	return true;
}
