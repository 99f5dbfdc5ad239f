/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where control enters an inlined instance of a program, by the instructions of the function that it was inlined into.
 *
 * clang names no entry of an instance, and its first address is often a block that control reaches late, or filler before a loop. So all
 * instructions of the function are decoded. The entries are those of the instance that a path from the start of the function reaches first.
 * Copies of the call begin with the same instruction of the same statement: where control comes from code around the instance to one like
 * the first, a copy begins. Other ways back into the instance are those of an instruction of the caller that was moved into it.
 */
#include <stdlib.h>

#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/instruction.h"
#include "translator/debuginfo/program.h"

/* Decoding larger functions for each of their instances takes too long. */
enum { FUNCTION_MAX = 1 << 16 };

struct code {
	uint64_t at;
	struct instruction in;
	bool inside;       /* of the instance */
	bool aimed;        /* a direct jump goes here */
	bool orphan;       /* nothing is known to lead here: a case of a switch, or a handler of exceptions */
	bool reached;      /* from the start of the function, by code around the instance */
	bool from_outside; /* control comes here from code around the instance */
	bool seen;         /* in a search for loops */
	int line;          /* of the instance itself; 0: of what was inlined further, or unknown */
};

struct range {
	Dwarf_Addr start, end;
};

struct around {
	struct dwarf_target *t;
	Dwarf_Die instance;
	struct range *ranges; /* of the instance */
	size_t n_ranges;
	Dwarf_Lines *rows;
	size_t n_rows;
	struct code *code;    /* of the function, in order of address */
	size_t n;
	struct code **todo;   /* reached, to be followed */
	size_t n_todo;
};

/* ---- statements ---- */
/* A statement. Line 0: none is known. */
struct position {
	int line, column;
};

/* Returns the statement that the row of ADDRESS names. */
static struct position position_at(const struct around *f, uint64_t address)
{
	size_t i = dwarf_row_from(f->rows, f->n_rows, address + 1);
	Dwarf_Line *row = i ? dwarf_onesrcline(f->rows, i - 1) : NULL;
	struct position ret = {};

	if (!row || dwarf_lineno(row, &ret.line) || dwarf_linecol(row, &ret.column))
		return (struct position){};
	return ret;
}

static bool is_same(struct position a, struct position b)
{
	return a.line && a.line == b.line && a.column == b.column;
}

/* Does a row begin at ADDRESS? */
static bool begins_row(const struct around *f, uint64_t address)
{
	size_t i = dwarf_row_from(f->rows, f->n_rows, address);
	Dwarf_Addr at;

	return i < f->n_rows && !dwarf_lineaddr(dwarf_onesrcline(f->rows, i), &at) && at == address;
}

/* May C, in the statement that FIRST is in, begin it again? One row has all copies of a call whose statement writes a variable, and leaves
 * nothing between them. */
static bool repeats(const struct around *f, const struct code *c, const struct code *first)
{
	return c->in.operation == first->in.operation && is_same(position_at(f, c->at), position_at(f, first->at)) &&
	       (begins_row(f, c->at) || (c->in.written && c->in.written == first->in.written));
}

/* ---- decoding ---- */
/* Decodes the function of the symbol at ADDRESS. The lookup of the function's DIE would read all of its unit. */
static bool decode_function(struct around *f, uint64_t address)
{
	struct elf_lookup l = { .address = address };
	const unsigned char *p;
	struct elf_file *table;
	size_t left = 0;

	for (int i = 0; !l.symbol && (table = program_symbols(&f->t->base, i)); i++)
		elf_find_functions(table, &l, 1);
	p = l.symbol ? program_code(&f->t->base, l.symbol_address, &left) : NULL;
	if (!p || l.symbol_end - l.symbol_address > FUNCTION_MAX || l.symbol_end - l.symbol_address > left)
		return false;
	for (uint64_t at = l.symbol_address; at < l.symbol_end;) {
		struct code c = { .at = at };

		if (!instruction_decode(program_machine(&f->t->base), p + (at - l.symbol_address), l.symbol_end - at, at, &c.in))
			return false;
		*vec_add(f->code, f->n) = c;
		at += c.in.length;
	}
	return f->n > 1;
}

static int compare_code(const void *va, const void *vb)
{
	const struct code *a = va, *b = vb;

	return (a->at > b->at) - (a->at < b->at);
}

static struct code *code_at(const struct around *f, uint64_t address)
{
	struct code wanted = { .at = address };

	return bsearch(&wanted, f->code, f->n, sizeof(*f->code), compare_code);
}

/* Does control go on from C to the instruction after it? */
static bool falls_through(const struct code *c)
{
	return c->in.flow == FLOW_NEXT || c->in.flow == FLOW_CALL || c->in.flow == FLOW_BRANCH;
}

static bool is_inside(const struct around *f, uint64_t address)
{
	for (size_t i = 0; i < f->n_ranges; i++)
		if (address >= f->ranges[i].start && address < f->ranges[i].end)
			return true;
	return false;
}

/* Is the instance one piece of code without jumps and copies? It has one entry then, its first address, as most have: they are small. */
static bool is_plain(const struct around *f)
{
	const struct range *r = &f->ranges[0];
	struct code first = {}, c = { .at = r->start };
	size_t left = 0;
	const unsigned char *p = program_code(&f->t->base, r->start, &left);

	if (f->n_ranges != 1 || !p || left < r->end - r->start)
		return false;
	for (; c.at < r->end; c.at += c.in.length) {
		if (!instruction_decode(program_machine(&f->t->base), p + (c.at - r->start), r->end - c.at, c.at, &c.in) || c.in.idle ||
		    c.in.flow == FLOW_BRANCH || c.in.flow == FLOW_JUMP || (c.at > r->start && repeats(f, &c, &first)))
			return false;
		if (c.at == r->start)
			first = c;
	}
	return true;
}

/* Decodes the function around the instance. */
static bool decode(struct around *f)
{
	if (!decode_function(f, dwarf_entry(&f->instance)))
		return false;
	for (size_t i = 0; i < f->n; i++) {
		struct code *c = &f->code[i], *to = c->in.direct && c->in.flow != FLOW_CALL ? code_at(f, c->in.to) : NULL;

		if (to)
			to->aimed = true;
		/* Filler before a loop belongs to the code that runs through it. */
		c->inside = c->in.idle ? i && c[-1].inside && falls_through(&c[-1]) : is_inside(f, c->at);
	}
	for (size_t i = 1; i < f->n; i++) {
		struct code *c = &f->code[i];

		/* Filler that nothing runs through comes before it. */
		c->orphan = !c->aimed && !c->in.idle && !falls_through(&c[-1]) && (!c[-1].in.idle || !c[-1].orphan);
	}
	return true;
}

/* ---- edges ---- */
static void visit(struct around *f, const struct code *from, struct code *to, void (*fn)(struct around *f, const struct code *from, struct code *to))
{
	if (to)
		fn(f, from, to);
}

/* Calls FN with each instruction that control may go to from C. */
static void each_next(struct around *f, struct code *c, void (*fn)(struct around *f, const struct code *from, struct code *to))
{
	bool jumps = c->in.flow == FLOW_JUMP || c->in.flow == FLOW_BRANCH;

	if (falls_through(c) && c + 1 < f->code + f->n)
		visit(f, c, c + 1, fn);
	if (jumps && c->in.direct)
		visit(f, c, code_at(f, c->in.to), fn);
	for (size_t i = 0; jumps && !c->in.direct && i < f->n; i++)
		if (f->code[i].orphan)
			visit(f, c, &f->code[i], fn);
}

static void mark_outside(struct around *f, const struct code *from, struct code *to)
{
	(void)f;
	to->from_outside |= !from->inside;
}

static void reach(struct around *f, const struct code *from, struct code *to)
{
	(void)from;
	if (to->reached)
		return;
	to->reached = true;
	if (!to->inside)
		*vec_add(f->todo, f->n_todo) = to;
}

/* Finds what is reached without a pass through the instance, and where control comes to the instance. */
static void follow(struct around *f)
{
	struct code *start = &f->code[0];

	start->from_outside = true;
	reach(f, NULL, start);
	while (f->n_todo)
		each_next(f, f->todo[--f->n_todo], reach);
	for (size_t i = 0; i < f->n; i++)
		each_next(f, &f->code[i], mark_outside);
}

/* ---- entries ---- */
/* Is C of the instance itself, and not of what was inlined further? */
static bool is_own(struct around *f, const struct code *c)
{
	Dwarf_Die inner;

	return c->inside && !c->in.idle && !dwarf_inlined_at(f->t, &f->instance, c->at, false, &inner);
}

/* Sets the line of each instruction of the instance itself, and returns the first one in the source. A load of a later line that was
 * moved before the call is no entry. */
static int first_line(struct around *f)
{
	int first = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct code *c = &f->code[i];

		c->line = is_own(f, c) ? position_at(f, c->at).line : 0;
		if (c->line && (!first || c->line < first))
			first = c->line;
	}
	return first;
}

/* Returns the first entry on LINE that paths reach first. Without one it is the first on LINE; without that, the first that paths reach. */
static struct code *first_entry(struct around *f, int line)
{
	struct code *on_line = NULL, *any = NULL;

	for (size_t i = 0; i < f->n; i++) {
		struct code *c = &f->code[i];

		if (!c->inside || !c->from_outside || c->in.idle)
			continue;
		if (c->reached && c->line == line)
			return c;
		if (!on_line && c->line == line)
			on_line = c;
		if (!any && c->reached)
			any = c;
	}
	return on_line ? on_line : any;
}

static void reach_inside(struct around *f, const struct code *from, struct code *to)
{
	(void)from;
	if (!to->inside || to->seen)
		return;
	to->seen = true;
	*vec_add(f->todo, f->n_todo) = to;
}

/* Does a path within the instance lead from C to C again? */
static bool is_in_loop(struct around *f, struct code *c)
{
	for (size_t i = 0; i < f->n; i++)
		f->code[i].seen = false;
	each_next(f, c, reach_inside);
	while (f->n_todo)
		each_next(f, f->todo[--f->n_todo], reach_inside);
	return c->seen;
}

/* Does the call, or a copy of it, begin at C, where it begins at FIRST? */
static bool is_entry(struct around *f, struct code *c, const struct code *first)
{
	if (c == first)
		return true;
	if (!c->inside || c->line != first->line || c->in.operation != first->in.operation)
		return false;
	/* Paths that reach the instance first. */
	if (c->reached && c->from_outside)
		return true;
	return (c->from_outside && is_same(position_at(f, c->at), position_at(f, first->at))) || (repeats(f, c, first) && !is_in_loop(f, c));
}

/* Adds the entries that were found. */
static void add_entries(struct around *f, uint64_t **address, size_t *n)
{
	const struct code *first = first_entry(f, first_line(f));

	for (size_t i = 0; first && i < f->n; i++)
		if (is_entry(f, &f->code[i], first))
			*vec_add(*address, *n) = f->code[i].at;
}

bool dwarf_flow_entries(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n_rows, uint64_t **address, size_t *n)
{
	struct around f = { .t = t, .instance = *instance, .rows = rows, .n_rows = n_rows };
	size_t before = *n;
	struct range r;
	Dwarf_Addr base;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(instance, at, &base, &r.start, &r.end)) > 0;)
		*vec_add(f.ranges, f.n_ranges) = r;
	if (f.n_ranges && !is_plain(&f) && decode(&f)) {
		follow(&f);
		add_entries(&f, address, n);
	}
	free(f.ranges);
	free(f.code);
	free(f.todo);
	return *n > before;
}
