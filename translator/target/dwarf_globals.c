/* Variables and enumerators by name, in all units of a file: what @var and @enum ask for.
 *
 * Nothing of it is indexed: a look over the top level of all units of a kernel takes some tenths of a second.
 */
#include <string.h>

#include "translator/base/arena.h"
#include "translator/target/dwarf_reader.h"

/* Calls FN for each DIE at the top level of each unit whose file matches; true from it stops. */
static bool walk_units(struct dwarf_target *t, const char *file, bool (*fn)(Dwarf_Die *die, void *data), void *data)
{
	struct dwarf_walk walk = {};
	Dwarf_Die unit, die;

	while (dwarf_unit_next(t, &walk, &unit)) {
		if (dwarf_child(&unit, &die) || !file_matches(dwarf_diename(&unit), file))
			continue;
		do {
			if (fn(&die, data))
				return true;
		} while (!dwarf_siblingof(&die, &die));
	}
	return false;
}

/* ---- variables ---- */
/* The name of DIE is that of what it completes when it has none of its own: DW_AT_specification. */
static const char *variable_name(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable ? dwarf_diename(die) : NULL;
}

struct global_search {
	const char *name;
	Dwarf_Die declared, defined;
	bool is_declared;
};

static bool global_is(Dwarf_Die *die, void *data)
{
	struct global_search *s = data;
	const char *name = variable_name(die);

	if (!name || strcmp(name, s->name))
		return false;
	if (dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value)) {
		s->defined = *die;
		return true;
	}
	if (!s->is_declared)
		s->declared = *die;
	s->is_declared = true;
	return false;
}

/* One that no unit defines, as what assembler files hold, may have a symbol. */
static struct location by_symbol(struct dwarf_target *t, const char *name)
{
	uint64_t address = elf_symbol(t->elf, name);
	struct loc_op *op = arena_new(&program_arena, struct loc_op);

	if (!address)
		return (struct location){ .kind = LOC_NONE, .why = "it is only declared" };
	*op = (struct loc_op){ elf_is_per_cpu(t->elf, address) ? LOC_OP_THIS_CPU : DW_OP_addr, (int64_t)address, 0 };
	return (struct location){ .kind = LOC_ADDRESS, .ops = op, .n_ops = 1 };
}

const struct variable *dwarf_global(struct target *base, const char *name, const char *file)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	struct global_search s = { .name = name };
	bool defined = walk_units(t, file, global_is, &s);
	struct dwarf_scope scope = { .die = defined ? s.defined : s.declared };
	struct variable *v;

	if (!defined && !s.is_declared)
		return NULL;
	v = arena_new(&program_arena, struct variable);
	v->name = intern(name);
	v->type = dwarf_type_of(t, &scope.die);
	v->location = defined ? dwarf_location(t, &scope, &s.defined) : by_symbol(t, name);
	return v;
}

struct name_call {
	void (*fn)(const char *name, void *data);
	void *data;
};

static bool call_global(Dwarf_Die *die, void *data)
{
	const struct name_call *c = data;
	const char *name = variable_name(die);

	if (name)
		c->fn(name, c->data);
	return false;
}

void dwarf_global_names(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	struct name_call c = { fn, data };

	walk_units((struct dwarf_target *)base, NULL, call_global, &c);
}

/* ---- enumerators ---- */
static bool enum_has(Dwarf_Die *die, void *data)
{
	return dwarf_tag(die) == DW_TAG_enumeration_type && dwarf_each_enumerator(die, enumerator_is, data);
}

bool dwarf_enumerator(struct target *base, const char *name, int64_t *ret)
{
	struct enumerator_search s = { name, ret };

	return walk_units((struct dwarf_target *)base, NULL, enum_has, &s);
}

static bool call_enumerator(const char *name, int64_t value, void *data)
{
	const struct name_call *c = data;

	(void)value;
	c->fn(name, c->data);
	return false;
}

static bool call_enumerators(Dwarf_Die *die, void *data)
{
	return dwarf_tag(die) == DW_TAG_enumeration_type && dwarf_each_enumerator(die, call_enumerator, data);
}

void dwarf_enumerators(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	struct name_call c = { fn, data };

	walk_units((struct dwarf_target *)base, NULL, call_enumerators, &c);
}
