/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds where functions of programs return: the return instructions in their code, and in the code of functions that they jump to at their
 * end (tail calls).
 *
 * All instructions of a function are decoded, from its start to the end that its symbol tells. A return that is missed would be a lost hit, and
 * a breakpoint inside of an instruction or in data would change the program. So the answer is "unknown" when anything does not fit: bytes that
 * are no instruction, a jump into the middle of one, an indirect jump that may leave the function, code that runs on past its end. In code
 * written in assembly, which may hold data, each return must be reached from the start.
 */
#include "translator/debuginfo/ends.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/vec.h"

/* Of all code that one function leads to. */
enum { BYTES_MAX = 1 << 20, REGIONS_MAX = 64, ENDS_MAX = 1024 };

/* Sets why the ends are unknown. */
static bool give_up(struct ends_search *s, const char *why)
{
	s->unknown = why;
	return false;
}

struct ends_code *ends_code_at(const struct ends_region *r, uint64_t address)
{
	return bsearch(&address, r->code, r->n, sizeof(*r->code), by_number);
}

static struct ends_region *region_at(const struct ends_search *s, uint64_t address)
{
	for (size_t i = 0; i < s->n_regions; i++)
		if (address >= s->regions[i]->start && address < s->regions[i]->end)
			return s->regions[i];
	return NULL;
}

/* ---- regions ---- */
/* The function symbol at ADDRESS, in the first table that has one. */
static bool find_symbol(const struct ends_search *s, uint64_t address, struct elf_lookup *ret)
{
	struct elf_file *table;

	for (int i = 0; (table = program_symbols(s->t, i)); i++) {
		*ret = (struct elf_lookup){ .address = address };
		elf_find_functions(table, ret, 1);
		if (ret->symbol)
			return true;
	}
	return false;
}

/* Debugging information names a file for what compilers and assemblers wrote. */
static bool is_compiled(struct ends_search *s, uint64_t address)
{
	const struct place *p = target_has_lines(s->t) ? target_place_at(s->t, address) : NULL;
	const char *dot = p && p->scope && p->file ? strrchr(p->file, '.') : NULL;

	return dot && strcasecmp(dot, ".s") && strcasecmp(dot, ".asm");
}

/* Decodes R, whose bytes are at P. */
static bool decode(struct ends_search *s, struct ends_region *r, const unsigned char *p)
{
	enum flow last = FLOW_NEXT;

	for (uint64_t at = r->start; at < r->end;) {
		struct ends_code c = { .at = at };
		bool fills;

		if (!instruction_decode(s->machine, p + (at - r->start), r->end - at, at, &c.in))
			return give_up(s, arena_printf(&program_arena, "its bytes at %#llx are no instruction", (unsigned long long)at));
		*vec_add(r->code, r->n) = c;
		/* Between functions. */
		fills = c.in.idle && last != FLOW_NEXT && last != FLOW_BRANCH;
		last = fills ? last : c.in.flow;
		at += c.in.length;
	}
	/* A call at the end is one that does not return. */
	if (last == FLOW_NEXT || last == FLOW_BRANCH)
		return give_up(s, "its code runs on past its end");
	r->code[0].reached = true;
	return true;
}

/* Returns how many bytes the function of the symbol at L has, up to the next one where its symbol has no size. LEFT: to the end of the
 * section. */
static uint64_t size_of(const struct ends_search *s, const struct elf_lookup *l, size_t left)
{
	uint64_t end = l->symbol_address + left;
	struct elf_file *table;

	if (l->symbol_end - l->symbol_address > 1)
		return l->symbol_end - l->symbol_address;
	for (int i = 0; (table = program_symbols(s->t, i)); i++) {
		uint64_t next = elf_next_function(table, l->symbol_address);

		end = next < end ? next : end;
	}
	return end - l->symbol_address;
}

/* Adds the code of the symbol at L. */
static bool add_region(struct ends_search *s, const struct elf_lookup *l, bool followed, bool part)
{
	size_t left = 0;
	const unsigned char *p = program_code(s->t, l->symbol_address, &left);
	uint64_t size = size_of(s, l, left);
	struct ends_region *r;

	if (!p || size > left)
		return give_up(s, arena_printf(&program_arena, "the size of '%s' is not known", l->symbol));
	if (s->n_regions == REGIONS_MAX || (s->n_bytes += size) > BYTES_MAX)
		return give_up(s, "it is too large, or jumps to too many functions");
	r = xmalloc(sizeof(*r));
	*r = (struct ends_region){ .start = l->symbol_address, .end = l->symbol_address + size, .followed = followed, .part = part,
				   .compiled = is_compiled(s, l->symbol_address) };
	*vec_add(s->regions, s->n_regions) = r;
	return decode(s, r, p);
}

/* ---- ends ---- */
static bool add_end(struct ends_search *s, const struct ends_code *c, enum function_end_kind kind)
{
	if (s->n_ends == ENDS_MAX)
		return give_up(s, "it has too many ends");
	if (c->in.no_breakpoint)
		return give_up(s, "the kernel refuses a breakpoint at one of its ends");
	*vec_add(s->ends, s->n_ends) = (struct function_end){ .address = c->at, .pops = c->in.pops, .condition = c->in.condition, .kind = kind };
	return true;
}

static bool add_return(struct ends_search *s, const struct ends_region *r, const struct ends_code *c)
{
	return add_end(s, c, r->followed ? END_FOLLOWED : END_RETURNS);
}

/* The jump C of R leads out of all regions so far: to another function, a cold part of this one, or the thunk that stands for a
 * return instruction. */
static bool leave(struct ends_search *s, const struct ends_region *r, const struct ends_code *c)
{
	unsigned long long to = c->in.to;
	const char *section = elf_section_at(target_elf(s->t), c->in.to);
	struct elf_lookup l;

	if (section && !strncmp(section, ".plt", 4))
		return give_up(s, "it ends in a jump to a function of a library");
	if (!find_symbol(s, c->in.to, &l))
		return give_up(s, arena_printf(&program_arena, "it jumps to %#llx, where no function is known", to));
	if (l.symbol_address != c->in.to)
		return give_up(s, arena_printf(&program_arena, "it jumps into the middle of '%s'", l.symbol));
	if (s->machine->return_thunk && !strcmp(l.symbol, s->machine->return_thunk))
		return c->in.flow == FLOW_JUMP ? add_return(s, r, c) : give_up(s, "it returns by a conditional jump");
	if (strstr(l.symbol, ".cold"))
		return add_region(s, &l, r->followed, true);
	if (!s->follow)
		return give_up(s, arena_printf(&program_arena, "it ends in a jump to '%s'", l.symbol));
	return add_region(s, &l, true, false) && add_end(s, c, END_JUMPS) &&
	       add_end(s, &s->regions[s->n_regions - 1]->code[0], END_STARTS);
}

/* Looks at instruction I of R. */
static bool read_instruction(struct ends_search *s, struct ends_region *r, size_t i)
{
	const struct ends_code *c = &r->code[i];
	const struct ends_region *to = c->in.direct ? region_at(s, c->in.to) : NULL;

	switch (c->in.flow) {
	case FLOW_NEXT:
	case FLOW_STOP:
		return true;
	case FLOW_CALL:
		/* A call into the own code is a way to jump, and a return instruction there is none of the function. */
		return to != r || c->in.to == r->start || give_up(s, "it calls an address inside of itself");
	case FLOW_RETURN:
		return add_return(s, r, c);
	case FLOW_OTHER:
		return give_up(s, "it ends in another way than by a return");
	case FLOW_JUMP:
	case FLOW_BRANCH:
		if (!c->in.direct)
			return ends_is_switch(s, r, i) || give_up(s, "it may end in a jump through a pointer");
		if (!to)
			return leave(s, r, c);
		/* A function of Go whose stack was too small begins again. */
		if (to == r && c->in.to == r->start && target_is_go(s->t))
			return true;
		if (c->in.to == to->start && !to->part)
			return add_end(s, c, END_JUMPS);
		return ends_code_at(to, c->in.to) || give_up(s, "it jumps into the middle of an instruction");
	}
	return give_up(s, "it has an unknown instruction");
}

/* Marks what is reached from the start of R; CHANGED when that is more. */
static void reach(struct ends_search *s, struct ends_region *r, bool *changed)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct instruction *in = &r->code[i].in;
		struct ends_region *to = in->direct && in->flow != FLOW_CALL ? region_at(s, in->to) : NULL;
		struct ends_code *next[] = {
			in->flow == FLOW_NEXT || in->flow == FLOW_CALL || in->flow == FLOW_BRANCH ? &r->code[i + 1] : NULL,
			to ? ends_code_at(to, in->to) : NULL,
		};

		for (size_t k = 0; r->code[i].reached && k < 2; k++)
			if (next[k] && next[k] != &r->code[r->n] && !next[k]->reached)
				next[k]->reached = *changed = true;
	}
}

static bool returns(const struct function_end *end)
{
	return end->kind == END_RETURNS || end->kind == END_FOLLOWED;
}

/* Is each end that may be data reached? */
static bool check_reached(struct ends_search *s)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < s->n_regions; i++)
			reach(s, s->regions[i], &changed);
	}
	for (size_t i = 0; i < s->n_ends; i++) {
		const struct ends_region *r = region_at(s, s->ends[i].address);

		if (returns(&s->ends[i]) && !r->compiled && !ends_code_at(r, s->ends[i].address)->reached)
			return give_up(s, "it may have data among its code");
	}
	return true;
}

/* Follows all code of the function at ADDRESS. */
static bool search(struct ends_search *s, uint64_t address)
{
	struct elf_lookup l;

	if (!find_symbol(s, address, &l))
		return give_up(s, "its size is not known");
	if (l.symbol_address != address)
		return give_up(s, "the address is not the start of a function");
	if (!add_region(s, &l, false, false))
		return false;
	for (size_t i = 0; i < s->n_regions; i++)
		for (size_t k = 0; k < s->regions[i]->n; k++)
			if (!read_instruction(s, s->regions[i], k))
				return false;
	return check_reached(s);
}

const struct function_ends *target_function_ends(struct target *t, uint64_t address, bool follow)
{
	struct ends_search s = { .t = t, .machine = program_machine(t), .word = target_is_32bit(t) ? 4 : 8, .follow = follow };
	struct function_ends *ret = arena_new(&program_arena, struct function_ends);

	if (search(&s, address)) {
		struct function_end *end = arena_array(&program_arena, struct function_end, s.n_ends + 1);

		ret->n = s.n_ends;
		ret->end = end;
		for (size_t i = 0; i < s.n_ends; i++) {
			end[i] = s.ends[i];
			ret->returns |= returns(&end[i]);
			ret->followed |= end[i].kind == END_FOLLOWED;
		}
	}
	ret->unknown = s.unknown;
	for (size_t i = 0; i < s.n_regions; i++) {
		free(s.regions[i]->code);
		free(s.regions[i]);
	}
	free(s.regions);
	free(s.ends);
	if (s.cfi)
		dwarf_cfi_end(s.cfi);
	return ret;
}
