/* The variables visible at a place: parameters, locals of the blocks around the pc, then the unit's globals. */
#include <string.h>

#include "translator/base/arena.h"
#include "translator/target/dwarf_reader.h"

enum { BLOCK_DEPTH_MAX = 64 };

/* A growing list in order of discovery: a name found later is nearer to the pc. */
struct found {
	struct dwarf_target *t;
	const struct dwarf_scope *scope;
	const char *only;          /* NULL: all */
	struct variable *first, **end;
};

/* LOCATED false: the DIE is the abstract one, it describes no place. */
static void add(struct found *f, Dwarf_Die *die, const char *name, bool located)
{
	struct variable *v = arena_new(&program_arena, struct variable);

	v->name = intern(name);
	v->type = dwarf_type_of(f->t, die);
	v->parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	v->location = located ? dwarf_location(f->t, f->scope, die)
			      : (struct location){ .kind = LOC_NONE, .why = "optimized out" };
	*f->end = v;
	f->end = &v->next;
}

/* Parameters and variables of BLOCK, then those of the blocks inside it that hold the pc. */
static void scan_block(struct found *f, Dwarf_Die *block, int depth)
{
	Dwarf_Die die;

	if (depth > BLOCK_DEPTH_MAX || dwarf_child(block, &die))
		return;
	do {
		const char *name;
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_lexical_block && dwarf_haspc(&die, f->scope->pc) > 0)
			scan_block(f, &die, depth + 1);
		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		name = dwarf_diename(&die);
		if (name && (!f->only || !strcmp(name, f->only)))
			add(f, &die, name, true);
	} while (!dwarf_siblingof(&die, &die));
}

/* Is the name in the list already? */
static bool has(const struct found *f, const char *name)
{
	for (const struct variable *v = f->first; v; v = v->next)
		if (!strcmp(v->name, name))
			return true;
	return false;
}

/* Parameters and locals of the abstract function that this copy has no trace of. */
static void scan_origin(struct found *f, Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin, die;

	if (!dwarf_attr(function, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin) ||
	    dwarf_child(&origin, &die))
		return;
	do {
		const char *name;
		int tag = dwarf_tag(&die);

		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		name = dwarf_diename(&die);
		if (name && (!f->only || !strcmp(name, f->only)) && !has(f, name))
			add(f, &die, name, dwarf_hasattr(&die, DW_AT_location) ||
					   dwarf_hasattr(&die, DW_AT_const_value));
	} while (!dwarf_siblingof(&die, &die));
}

/* A global of the unit; one that is only declared here is found by its symbol. */
static const struct variable *unit_variable(struct found *f, const char *name)
{
	Dwarf_Die function = f->scope->die, cu, die;

	if (!dwarf_diecu(&function, &cu, NULL, NULL) || dwarf_child(&cu, &die))
		return NULL;
	do {
		const char *s;
		struct loc_op *op;
		uint64_t address;

		if (dwarf_tag(&die) != DW_TAG_variable)
			continue;
		s = dwarf_diename(&die);
		if (!s || strcmp(s, name))
			continue;
		if (dwarf_hasattr(&die, DW_AT_location) || dwarf_hasattr(&die, DW_AT_const_value)) {
			add(f, &die, name, true);
			return f->first;
		}
		address = elf_symbol(f->t->elf, name);
		add(f, &die, name, false);
		if (address) {
			op = arena_new(&program_arena, struct loc_op);
			*op = (struct loc_op){ elf_is_per_cpu(f->t->elf, address) ? LOC_OP_THIS_CPU : DW_OP_addr,
					       (int64_t)address, 0 };
			f->first->location = (struct location){ .kind = LOC_ADDRESS, .ops = op, .n_ops = 1 };
		}
		return f->first;
	} while (!dwarf_siblingof(&die, &die));
	return NULL;
}

const struct variable *dwarf_variable(struct target *t, const struct place *p, const char *name)
{
	struct found f = { .t = (struct dwarf_target *)t, .scope = p->scope, .only = name };
	Dwarf_Die die = f.scope->die;
	const struct variable *best = NULL;

	f.end = &f.first;
	scan_block(&f, &die, 0);
	scan_origin(&f, &die);
	/* The innermost block that has it. */
	for (const struct variable *v = f.first; v; v = v->next)
		if (!best || v->location.kind != LOC_NONE || best->location.kind == LOC_NONE)
			best = v;
	return best ? best : unit_variable(&f, name);
}

/* Globals are left out: a unit sees thousands. */
const struct variable *dwarf_variables(struct target *t, const struct place *p)
{
	struct found f = { .t = (struct dwarf_target *)t, .scope = p->scope };
	Dwarf_Die die = f.scope->die;
	struct variable *params = NULL, **params_end = &params, *locals = NULL, **locals_end = &locals;

	f.end = &f.first;
	scan_block(&f, &die, 0);
	scan_origin(&f, &die);
	for (struct variable *v = f.first, *next; v; v = next) {
		struct variable ***end = v->parameter ? &params_end : &locals_end;

		next = v->next;
		v->next = NULL;
		**end = v;
		*end = &v->next;
	}
	*params_end = locals;
	return params;
}
