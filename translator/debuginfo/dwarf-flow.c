/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where control enters an inlined instance of a program, by the instructions of the function that it was inlined into.
 *
 * clang names no entry of an instance, and its first address is often a block that control reaches late, or filler before a loop. So all
 * instructions of the function are decoded. The entries are those of the instance that a path from the start of the function reaches first.
 * Copies of the call begin with the same instruction of the same statement: where control comes from code around the instance to one like
 * the first, a copy begins. Other ways back into the instance are those of an instruction of the caller that was moved into it.
 */
#include <stdlib.h>

#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/machine/instruction.h"
#include "translator/debuginfo/program.h"

/* Decoding larger functions for each of their instances takes too long. */
enum { FUNCTION_MAX = 1 << 16 };

/* A loop that is unrolled has 8 copies or fewer, and loops in loops as many of each. */
enum { EFFECTS_MAX = 64 };

/* A statement. Line 0: none is known. */
struct position {
	int line, column;
};

struct code {
	uint64_t at;
	struct instruction in;
	bool inside;       /* of the instance */
	bool aimed;        /* a direct jump goes here */
	bool orphan;       /* nothing is known to lead here: a case of a switch, or a handler of exceptions */
	bool reached;      /* from the start of the function, by code around the instance */
	bool from_outside; /* control comes here from code around the instance */
	bool seen;         /* in a search */
	bool mark;         /* the compiler says that a call begins here */
	bool late;         /* the mark ends the code before it, and does not count where control jumps here */
	int ahead;         /* in a search: effects on the way here, less marks */
	bool effect;       /* a candidate for the place of a call, and then a place */
	struct position own; /* of the instance itself; line 0: of what was inlined further, or unknown */
	struct position statement; /* the same, or where that was called */
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
	struct position declared;  /* where the function is declared; column 0: unknown */
	struct position statement; /* in a search: of the effect it began at */
	int line;             /* of the first statement, if its effect is in the instance; else 0 */
	bool unsure;          /* it has effects, and they are not known to be the calls */
	bool balanced;        /* in a search: all paths so far have as many effects as marks */
	uint64_t store;       /* that effect, as instruction_store() returns it; 0: it is a call, or unknown */
};

/* ---- statements ---- */
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

/* Returns the statement of the instance that the code at ADDRESS is of, and as *RET_OWN the same unless it was inlined further. */
static struct position statement_at(const struct around *f, uint64_t address, struct position *ret_own)
{
	Dwarf_Die instance = f->instance, inner;

	*ret_own = (struct position){};
	if (dwarf_inlined_at(f->t, &instance, address, false, &inner))
		return (struct position){ (int)dwarf_number(&inner, DW_AT_call_line, 0), (int)dwarf_number(&inner, DW_AT_call_column, 0) };
	*ret_own = position_at(f, address);
	return *ret_own;
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

/* Does the copy of a statement's effect at C belong to that at LIKE? */
static bool is_alike(const struct code *c, const struct code *like)
{
	return c->in.effect && c->in.effect == like->in.effect && c->in.operation == like->in.operation && is_same(c->statement, like->statement);
}

/* ---- decoding ---- */
/* Decodes the code from START to END. */
static bool decode_range(struct around *f, uint64_t start, uint64_t end)
{
	size_t left = 0;
	const unsigned char *p = program_code(&f->t->base, start, &left);

	if (!p || end - start > FUNCTION_MAX || end - start > left)
		return false;
	for (uint64_t at = start; at < end;) {
		struct code c = { .at = at };

		if (!instruction_decode(program_machine(&f->t->base), p + (at - start), end - at, at, &c.in))
			return false;
		*vec_add(f->code, f->n) = c;
		at += c.in.length;
	}
	return true;
}

/* Decodes the function of the symbol at ADDRESS. The lookup of the function's DIE would read all of its unit. */
static bool decode_function(struct around *f, uint64_t address)
{
	struct elf_lookup l = { .address = address };
	struct elf_file *table;

	for (int i = 0; !l.symbol && (table = program_symbols(&f->t->base, i)); i++)
		elf_find_functions(table, &l, 1);
	return l.symbol && decode_range(f, l.symbol_address, l.symbol_end) && f->n > 1;
}

static struct code *code_at(const struct around *f, uint64_t address)
{
	return bsearch(&address, f->code, f->n, sizeof(*f->code), by_number);
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
static bool is_plain(struct around *f)
{
	const struct range *r = &f->ranges[0];
	struct code first = {}, effect = {}, c = { .at = r->start };
	int line = 0;
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
		c.statement = statement_at(f, c.at, &c.own);
		if (c.statement.line && (!line || c.statement.line < line)) {
			line = c.statement.line;
			effect.in.effect = 0;
		}
		if (!line || c.statement.line != line || !c.in.effect)
			continue;
		if (is_alike(&c, &effect))
			return false;
		if (!effect.in.effect)
			effect = c;
	}
	f->line = effect.in.effect ? line : 0;
	f->store = instruction_store(&effect.in);
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
	to->from_outside |= !from->inside;
}

static void reach(struct around *f, const struct code *from, struct code *to)
{
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
/* Sets the statement of each instruction of the instance. */
static void find_statements(struct around *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].inside && !f->code[i].in.idle)
			f->code[i].statement = statement_at(f, f->code[i].at, &f->code[i].own);
}

/* Returns the first line of the instance itself in the source. A load of a later line that was moved before the call is no entry. */
static int first_line(const struct around *f)
{
	int ret = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].own.line && (!ret || f->code[i].own.line < ret))
			ret = f->code[i].own.line;
	return ret;
}

/* Returns the first entry on LINE that paths reach first. Without one it is the first on LINE; without that, the first that paths reach. */
static struct code *first_entry(struct around *f, int line)
{
	struct code *on_line = NULL, *any = NULL;

	for (size_t i = 0; i < f->n; i++) {
		struct code *c = &f->code[i];

		if (!c->inside || !c->from_outside || c->in.idle)
			continue;
		if (c->reached && c->own.line == line)
			return c;
		if (!on_line && c->own.line == line)
			on_line = c;
		if (!any && c->reached)
			any = c;
	}
	return on_line ? on_line : any;
}

static void clear_seen(struct around *f)
{
	for (size_t i = 0; i < f->n; i++)
		f->code[i].seen = false;
}

static void reach_inside(struct around *f, const struct code *from, struct code *to)
{
	if (!to->inside || to->seen)
		return;
	to->seen = true;
	*vec_add(f->todo, f->n_todo) = to;
}

/* Does a path within the instance lead from C to C again? */
static bool is_in_loop(struct around *f, struct code *c)
{
	clear_seen(f);
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
	if (!c->inside || c->own.line != first->own.line || c->in.operation != first->in.operation)
		return false;
	/* Paths that reach the instance first. */
	if (c->reached && c->from_outside)
		return true;
	return (c->from_outside && is_same(position_at(f, c->at), position_at(f, first->at))) || (repeats(f, c, first) && !is_in_loop(f, c));
}

/* ---- effects ---- */
/* Compilers move and copy what only computes a value. A store or a call stays, once for each time that the source executes it. So where the
 * first statement of the function has one, and each call comes to it once, its copies are the calls. */

/* Does control leave the function after C? */
static bool leaves(struct around *f, const struct code *c)
{
	bool jumps = (c->in.flow == FLOW_JUMP || c->in.flow == FLOW_BRANCH) && c->in.direct;

	return c->in.flow == FLOW_RETURN || c->in.flow == FLOW_OTHER || (jumps && !code_at(f, c->in.to));
}

static void see_next(struct around *f, struct code *to)
{
	if (to->seen)
		return;
	to->seen = true;
	*vec_add(f->todo, f->n_todo) = to;
}

static void reach_before_effect(struct around *f, const struct code *from, struct code *to)
{
	if (!to->effect)
		see_next(f, to);
}

/* Sees all that paths from FROM reach before an effect. Returns whether one of them leaves the function. */
static bool leaves_without_effect(struct around *f, struct code *from)
{
	bool ret = false;

	clear_seen(f);
	if (from->effect)
		return false;
	*vec_add(f->todo, f->n_todo) = from;
	while (f->n_todo) {
		struct code *c = f->todo[--f->n_todo];

		ret |= leaves(f, c);
		each_next(f, c, reach_before_effect);
	}
	return ret;
}

/* Does each pass through FROM, where a call begins, have an effect, after which only another effect follows? */
static bool has_effect(struct around *f, struct code *from, int line)
{
	bool leaves = leaves_without_effect(f, from), repeats = from->seen;

	/* In a loop of the caller without it: the compiler made one effect of all. */
	if (repeats && !is_in_loop(f, from))
		return false;
	if (!leaves || from->mark)
		return !leaves;
	leaves_without_effect(f, &f->code[0]);
	/* It is in a call that has had its effect: paths lead to it, and all by one. */
	if (from != &f->code[0] && !from->orphan && !from->seen)
		return true;
	/* FROM may be executed where no call is. Then nothing else of the function is. */
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].seen && f->code[i].statement.line > line)
			return false;
	return true;
}

static void reach_in_statement(struct around *f, const struct code *from, struct code *to)
{
	if (to->inside && !to->mark && (!to->statement.line || is_same(to->statement, f->statement)))
		see_next(f, to);
}

/* Does one execution of the statement have the effect twice: at C and, in another copy, after it? Calls that follow each other directly
 * write one place. */
static bool is_twofold(struct around *f, struct code *c)
{
	clear_seen(f);
	f->statement = c->statement;
	each_next(f, c, reach_in_statement);
	while (f->n_todo)
		each_next(f, f->todo[--f->n_todo], reach_in_statement);
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].seen && f->code[i].effect && (!c->in.written || f->code[i].in.written != c->in.written))
			return true;
	return false;
}

/* Returns the instruction to probe for the effect at C. Where the kernel refuses a breakpoint at C, it is the one before. NULL: both are refused. */
static const struct code *place_of(const struct around *f, const struct code *c)
{
	if (!c->in.no_breakpoint)
		return c;
	return c > f->code && !c->aimed && !c->orphan && c[-1].in.flow == FLOW_NEXT && !c[-1].in.no_breakpoint ? c - 1 : NULL;
}

/* Is each of the effects that are tried one call? FROM: where calls begin, N of them. */
static bool are_calls(struct around *f, struct code **from, size_t n, int line)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].effect && (!place_of(f, &f->code[i]) || is_in_loop(f, &f->code[i]) || is_twofold(f, &f->code[i])))
			return false;
	for (size_t i = 0; i < n; i++)
		if (!has_effect(f, from[i], line))
			return false;
	return true;
}

/* Tries the effects that are like LIKE, and returns how many there are. */
static size_t try_effects(struct around *f, const struct code *like)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		f->code[i].effect = like && is_alike(&f->code[i], like);
		n += f->code[i].effect;
	}
	return n;
}

/* Returns the first line that a statement is on. Code that has the place of the mark is of none, but functions that the compiler made have no
 * other. */
static int first_statement(const struct around *f)
{
	int ret = 0, declared = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct position at = f->code[i].statement;

		if (is_same(at, f->declared))
			declared = at.line;
		else if (at.line && (!ret || at.line < ret))
			ret = at.line;
	}
	return ret ? ret : declared;
}

/* Chooses the effects in the first statement of the function that are calls: the most frequent of them. False: there are none. */
static bool choose_effects(struct around *f, struct code **from, size_t n_from)
{
	const struct code *best = NULL;
	int line = first_statement(f);
	size_t most = 0;
	bool tried = false;

	for (size_t i = 0; i < f->n; i++) {
		const struct code *c = &f->code[i];
		size_t n;

		if (c->statement.line != line || !c->in.effect)
			continue;
		tried = true;
		n = try_effects(f, c);
		if (n > most && n <= EFFECTS_MAX && are_calls(f, from, n_from, line)) {
			most = n;
			best = c;
		}
	}
	try_effects(f, best);
	f->line = best ? line : 0;
	f->store = best ? instruction_store(&best->in) : 0;
	f->unsure = tried && !best;
	return best;
}

static void add_effects(struct around *f, uint64_t **address, size_t *n)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].effect)
			*vec_add(*address, *n) = place_of(f, &f->code[i])->at;
}

static void reach_before_mark(struct around *f, const struct code *from, struct code *to)
{
	if (!to->mark)
		see_next(f, to);
}

/* Do paths come to an effect without a mark since the last one? */
static bool is_unmarked(struct around *f)
{
	clear_seen(f);
	*vec_add(f->todo, f->n_todo) = &f->code[0];
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].effect)
			*vec_add(f->todo, f->n_todo) = &f->code[i];
	while (f->n_todo)
		each_next(f, f->todo[--f->n_todo], reach_before_mark);
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].seen && f->code[i].effect)
			return true;
	return false;
}

/* ---- misplaced marks ---- */
/* gcc moves code of a call before its mark. A mark at the end of a block has the address of the next block then, and paths that jump there pass
 * it without a call. So where paths have more marks than effects, such marks are tried without the paths that jump. */

/* The marks that are tried, each for both. */
enum { LATE_MAX = 6 };

static int ahead_after(const struct code *c)
{
	return c->ahead + c->effect - (c->mark && !c->late);
}

static void balance(struct around *f, const struct code *from, struct code *to)
{
	int ahead = ahead_after(from) - (to->late && from + 1 == to);

	if (to->seen && to->ahead != ahead)
		f->balanced = false;
	if (!to->seen)
		to->ahead = ahead;
	see_next(f, to);
}

/* Have all paths as many effects as marks? */
static bool are_balanced(struct around *f)
{
	clear_seen(f);
	f->balanced = true;
	f->code[0].ahead = 0;
	see_next(f, &f->code[0]);
	while (f->n_todo) {
		struct code *c = f->todo[--f->n_todo];

		if (leaves(f, c) && ahead_after(c))
			f->balanced = false;
		if (f->balanced)
			each_next(f, c, balance);
	}
	return f->balanced;
}

/* Finds the marks that may belong to the code before them. Returns how many there are; 0: more than can be tried. */
static size_t find_late(struct around *f, struct code **late)
{
	size_t n = 0;

	for (size_t i = 1; i < f->n; i++) {
		struct code *c = &f->code[i];

		if (!c->mark || !c->aimed || (c[-1].in.flow != FLOW_NEXT && c[-1].in.flow != FLOW_CALL))
			continue;
		if (n == LATE_MAX)
			return 0;
		late[n++] = c;
	}
	return n;
}

/* Does a branch decide about a part of the first statement, which is on LINE? */
static bool is_conditional(const struct around *f, int line)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].statement.line == line && f->code[i].in.flow == FLOW_BRANCH)
			return true;
	return false;
}

/* Do paths lead from a mark to the same without an effect? The compiler made one effect of those of all calls in a loop. */
static bool is_outside_loop(struct around *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (!f->code[i].mark)
			continue;
		leaves_without_effect(f, &f->code[i]);
		if (f->code[i].seen)
			return true;
	}
	return false;
}

/* Have all paths as many effects as marks if some of the N marks LATE are late? */
static bool are_balanced_late(struct around *f, struct code **late, size_t n)
{
	for (unsigned tried = 1; tried < 1u << n; tried++) {
		for (size_t i = 0; i < n; i++)
			late[i]->late = tried >> i & 1;
		if (are_balanced(f))
			return true;
	}
	for (size_t i = 0; i < n; i++)
		late[i]->late = false;
	return false;
}

/* Chooses stores of the first statement, which each call executes, where paths have as many of them as marks only if some marks are late. Sets
 * `unsure` if there are stores that disagree with the marks in another way. Calls do not show how often the statement is executed: callers may
 * decide about them, and those of pure functions leave loops. False: there are none. */
static bool choose_late(struct around *f)
{
	struct code *late[LATE_MAX];
	size_t n_late = find_late(f, late);
	int line = first_statement(f);
	bool disagree = false;

	f->unsure = false;
	if (is_conditional(f, line))
		return false;
	try_effects(f, NULL);
	for (size_t i = 0; i < f->n; i++) {
		const struct code *c = &f->code[i];

		if (c->own.line != line || c->effect || !c->in.written || c->in.flow == FLOW_CALL || try_effects(f, c) > EFFECTS_MAX ||
		    !are_calls(f, NULL, 0, line))
			continue;
		if (are_balanced(f) || !dwarf_begins_at(f->t, &f->instance, f->rows, f->n_rows, line))
			return false;
		if (is_outside_loop(f))
			continue;
		disagree = true;
		if (are_balanced_late(f, late, n_late))
			return true;
	}
	f->unsure = disagree;
	return false;
}

/* ---- results ---- */
/* Adds the entries that were found. */
static void add_entries(struct around *f, uint64_t **address, size_t *n)
{
	struct code *first = first_entry(f, first_line(f));

	if (first && choose_effects(f, &first, 1)) {
		add_effects(f, address, n);
		return;
	}
	for (size_t i = 0; first && i < f->n; i++)
		if (is_entry(f, &f->code[i], first))
			*vec_add(*address, *n) = f->code[i].at;
}

/* Replaces the marks by effects where some copies of the call have none, or paths without a call have some. */
static void replace_marks(struct around *f, uint64_t **address, size_t *n)
{
	_cleanup_free_ struct code **from = NULL;
	size_t n_from = 0;

	for (size_t i = 0; i < *n; i++) {
		struct code *c = code_at(f, (*address)[i]);

		if (!c)
			return;
		c->mark = true;
		*vec_add(from, n_from) = c;
	}
	if ((choose_effects(f, from, n_from) && is_unmarked(f)) || choose_late(f)) {
		*n = 0;
		add_effects(f, address, n);
	}
}

/* Calls FN with the code around the instance, if that has several ways in. Sets `statement`, `unsure` and `store` of RET. */
static void around(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n_rows,
		   void (*fn)(struct around *f, uint64_t **address, size_t *n), uint64_t **address, size_t *n, struct dwarf_entries *ret)
{
	struct around f = { .t = t, .instance = *instance, .rows = rows, .n_rows = n_rows };
	Dwarf_Die root;
	struct range r;
	Dwarf_Addr base;

	if (dwarf_root(instance, &root))
		f.declared = (struct position){ (int)dwarf_number(&root, DW_AT_decl_line, 0), (int)dwarf_number(&root, DW_AT_decl_column, 0) };
	for (ptrdiff_t at = 0; (at = dwarf_ranges(instance, at, &base, &r.start, &r.end)) > 0;)
		*vec_add(f.ranges, f.n_ranges) = r;
	if (f.n_ranges && !is_plain(&f) && decode(&f)) {
		follow(&f);
		find_statements(&f);
		fn(&f, address, n);
	}
	ret->statement = f.line;
	ret->unsure = f.unsure;
	ret->store = f.store;
	free(f.ranges);
	free(f.code);
	free(f.todo);
}

bool dwarf_flow_entries(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n_rows, uint64_t **address, size_t *n,
			struct dwarf_entries *ret)
{
	size_t before = *n;

	around(t, instance, rows, n_rows, add_entries, address, n, ret);
	return *n > before;
}

bool dwarf_flow_marks(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n_rows, uint64_t **address, size_t *n)
{
	struct dwarf_entries found = { 0 };

	around(t, instance, rows, n_rows, replace_marks, address, n, &found);
	return !found.unsure;
}

uint64_t dwarf_flow_store(struct dwarf_target *t, Dwarf_Die *function, Dwarf_Lines *rows, size_t n_rows)
{
	struct around f = { .t = t, .instance = *function, .rows = rows, .n_rows = n_rows };
	int brace = position_at(&f, dwarf_entry(function)).line, at = 0, line = 0;
	Dwarf_Addr base, start, end;
	bool merged = false;
	uint64_t ret = 0;

	for (ptrdiff_t i = 0; (i = dwarf_ranges(function, i, &base, &start, &end)) > 0;)
		decode_range(&f, start, end);
	for (size_t i = 0; i < f.n && !merged; i++)
		merged = dwarf_merged_has(t, function, instruction_store(&f.code[i].in));
	for (size_t i = 0; i < f.n && merged; i++) {
		struct code *c = &f.code[i];
		uint64_t store = instruction_store(&c->in);

		/* A row is of one statement, which takes long to find. */
		if (!i || begins_row(&f, c->at))
			at = statement_at(&f, c->at, &c->own).line;
		if (at < brace || (at == brace && !store) || (line && at > line))
			continue;
		if (at < line || !ret)
			ret = store;
		line = at;
	}
	free(f.code);
	return ret;
}
