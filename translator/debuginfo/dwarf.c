/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF through libdw: opening a file, and the table of what the reader answers. Nothing else of the reader calls this file. */
#include <stdlib.h>

#include "lib/arena.h"
#include "translator/debuginfo/denied.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/index.h"

static const char *dwarf_qualified_name(struct target *base, const struct place *p)
{
	const struct dwarf_scope *scope = p->scope;
	Dwarf_Die start = scope->die, die;

	if (!dwarf_declaration(&start, &die) || !dwarf_diename(&die))
		return NULL;
	return arena_printf(&program_arena, "%s%s", dwarf_scope_names((struct dwarf_target *)base, &start), dwarf_diename(&die));
}

static uint64_t dwarf_symbol(struct target *base, const char *name)
{
	return elf_symbol(((struct dwarf_target *)base)->elf, name);
}

/* A static function may have a global alias, such as init_module. */
static bool dwarf_is_global(struct target *base, const struct place *p)
{
	const struct dwarf_scope *scope = p->scope;
	Dwarf_Die die;

	if (scope) {
		die = scope->die;
		if (!dwarf_is_external(&die))
			return false;
	}
	return elf_is_global(((struct dwarf_target *)base)->elf, p->symbol ? p->symbol : p->func);
}

static const char *dwarf_denied(struct target *base, uint64_t address)
{
	struct dwarf_target *t = (struct dwarf_target *)base;

	/* A module has no fences around such code, it has a section of it. */
	if (base->module) {
		const char *section = elf_section_at(t->elf, address);

		return section ? denied_in_module(section) : NULL;
	}
	if (!t->denied)
		t->denied = denied_create(t->elf);
	return denied_why(t->denied, address);
}

static uint64_t dwarf_text(struct target *base)
{
	return elf_section_address(((struct dwarf_target *)base)->elf, ".text");
}

static bool dwarf_anchor(struct target *base, uint64_t address, const char **ret_symbol, uint64_t *ret_offset)
{
	return elf_anchor(((struct dwarf_target *)base)->elf, address, ret_symbol, ret_offset);
}

struct elf_file *dwarf_forget(struct target *base)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	struct elf_file *e = t->elf;

	denied_destroy(t->denied);
	index_close(t->index);
	dwarf_names_free(t->names);
	for (size_t i = 0; i < 2; i++)
		line_files_deinit(&t->files[i].names);
	free(t->split);
	free(t->ranges);
	dwarf_parents_free(t);
	dwarf_merged_free(t);
	if (t->eh_frame)
		dwarf_cfi_end(t->eh_frame);
	dwarf_end(t->dw);
	if (t->beside) {
		dwarf_end(t->shared);
		elf_close(t->beside);
	}
	if (t->empty) {
		Elf *elf = dwarf_getelf(t->empty);

		dwarf_end(t->empty);
		elf_end(elf);
	}
	free(t);
	return e;
}

static void dwarf_close(struct target *base)
{
	elf_close(dwarf_forget(base));
}

static const struct target_ops dwarf_ops = {
	.close = dwarf_close,
	.functions = dwarf_functions,
	.lines = dwarf_lines,
	.labels = dwarf_labels,
	.callees = dwarf_callees,
	.place_at = dwarf_place_at,
	.function_names = dwarf_function_names,
	.variable = dwarf_variable,
	.variables = dwarf_variables,
	.frame = dwarf_frame,
	.return_type = dwarf_return_type,
	.pointee = dwarf_pointee,
	.member = dwarf_member,
	.members = dwarf_members,
	.member_names = dwarf_member_names,
	.type = dwarf_type_by_name,
	.type_at = dwarf_type_at,
	.type_names = dwarf_type_names,
	.symbol = dwarf_symbol,
	.is_global = dwarf_is_global,
	.qualified_name = dwarf_qualified_name,
	.global = dwarf_global,
	.global_names = dwarf_global_names,
	.unit_defines = dwarf_unit_defines,
	.enumerator = dwarf_enumerator,
	.enumerators = dwarf_enumerators,
	.enumerator_of = dwarf_enumerator_of,
	.variant = dwarf_variant,
	.passing = dwarf_passing,
	.denied = dwarf_denied,
	.anchor = dwarf_anchor,
	.text = dwarf_text,
};

struct target *dwarf_open(struct elf_file *e)
{
	Dwarf *dw = dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
	struct dwarf_target *t;

	if (!dw)
		return NULL;
	t = xmalloc(sizeof(*t));
	*t = (struct dwarf_target){
		.base = { .ops = &dwarf_ops, .name = e->path, .build_id = e->build_id, .is_dwarf = true },
		.elf = e, .dw = dw,
	};
	t->lines.line = dwarf_section(e, ".debug_line");
	t->lines.line_str = dwarf_section(e, ".debug_line_str");
	t->lines.str = dwarf_section(e, ".debug_str");
	dwarf_find_shared(t);
	dwarf_find_split(t);
	return &t->base;
}
