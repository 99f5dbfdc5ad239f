/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface of target.h: passes every question on to the reader. Readers use its helpers, so it calls none of them by name. */
#include <fnmatch.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/reader.h"
#include "translator/machine/machine.h"

bool has_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

bool file_matches(const char *file, const char *wanted)
{
	if (!wanted)
		return true;
	if (!file)
		return false;
	/* At each component from the end: "open.c", "fs/open.c", ... */
	for (const char *p = file + strlen(file); p >= file; p--) {
		if (p > file && p[-1] != '/')
			continue;
		if (has_glob(wanted) ? !fnmatch(wanted, p, 0) : !strcmp(wanted, p))
			return true;
	}
	return false;
}

int place_order(const void *va, const void *vb)
{
	const struct place *a = *(struct place *const *)va, *b = *(struct place *const *)vb;
	int c = order_of(a->address, b->address);

	if (!c)
		c = strcmp(a->func, b->func);
	/* An out-of-line copy before an instance at its first instruction. */
	return c ? c : a->inlined - b->inlined;
}

struct location target_result(const struct target *t, const struct ctype *type)
{
	return abi_result(target_machine(t), type, ctype_passing(type));
}

const struct machine *target_machine(const struct target *t)
{
	return t->kernel ? t->kernel->machine : t->machine ? t->machine : machine_host();
}

bool target_has_lines(const struct target *t)
{
	return t->is_dwarf;
}

const char *target_module_file(const struct target *t)
{
	return t && t->written && strchr(t->written, '/') ? t->written : NULL;
}

const char *target_module(const struct target *t)
{
	return t->module;
}

uint64_t target_text(struct target *t)
{
	return t->ops->text ? t->ops->text(t) : 0;
}

bool target_anchor(struct target *t, uint64_t address, const char **ret_symbol, uint64_t *ret_offset)
{
	if (!t->module || !t->ops->anchor || !t->ops->anchor(t, address, ret_symbol, ret_offset))
		return false;
	*ret_symbol = arena_printf(&program_arena, "%s:%s", t->module, *ret_symbol);
	return true;
}

void target_close(struct target *t)
{
	if (!t)
		return;
	target_close(t->btf);
	t->ops->close(t);
}

struct place *target_functions(struct target *t, const struct function_query *q)
{
	return t->ops->functions(t, q);
}

struct place *target_lines(struct target *t, const struct line_query *q)
{
	return t->ops->lines ? t->ops->lines(t, q) : NULL;
}

struct place *target_callees(struct target *t, const struct function_query *callers, const struct callee_query *q)
{
	return t->ops->callees ? t->ops->callees(t, callers, q) : NULL;
}

struct place *target_labels(struct target *t, const struct function_query *q, const char *name)
{
	return t->ops->labels ? t->ops->labels(t, q, name) : NULL;
}

struct place *target_place_at(struct target *t, uint64_t address)
{
	return t->ops->place_at ? t->ops->place_at(t, address) : NULL;
}

void target_function_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	t->ops->function_names(t, fn, data);
}

const struct variable *target_variable(struct target *t, const struct place *p, const char *name)
{
	return p->scope ? t->ops->variable(t, p, name) : NULL;
}

const struct variable *target_variables(struct target *t, const struct place *p)
{
	return p->scope ? t->ops->variables(t, p) : NULL;
}

bool target_frame(struct target *t, const struct place *p, uint64_t *ret_entry, struct location *ret_frame)
{
	return t->ops->frame && p->scope && t->ops->frame(t, p, ret_entry, ret_frame);
}

const struct ctype *target_return_type(struct target *t, const struct place *p)
{
	return p->scope ? t->ops->return_type(t, p) : NULL;
}

const struct ctype *ctype_pointee(const struct ctype *ct)
{
	return ct->target->ops->pointee(ct);
}

bool ctype_member(const struct ctype *ct, const char *name, struct member *ret)
{
	*ret = (struct member){ 0 };
	return ct->target->ops->member(ct, name, ret);
}

void ctype_members(const struct ctype *ct, void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data)
{
	ct->target->ops->members(ct, fn, data);
}

void ctype_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data)
{
	ct->target->ops->member_names(ct, fn, data);
}

const struct ctype *target_type(struct target *t, const char *name)
{
	return t->ops->type ? t->ops->type(t, name) : NULL;
}

const struct ctype *target_type_at(struct target *t, const struct place *p, const char *name)
{
	return t->ops->type_at && p->scope ? t->ops->type_at(t, p, name) : NULL;
}

void target_type_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	if (t->ops->type_names)
		t->ops->type_names(t, fn, data);
}

const struct variable *target_global(struct target *t, const char *name, const char *file)
{
	return t->ops->global ? t->ops->global(t, name, file) : NULL;
}

bool target_has_globals(const struct target *t)
{
	return t->ops->global != NULL;
}

void target_global_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	if (t->ops->global_names)
		t->ops->global_names(t, fn, data);
}

bool target_enumerator(struct target *t, const struct place *p, const char *name, int64_t *ret)
{
	return t->ops->enumerator && t->ops->enumerator(t, p, name, ret);
}

void target_enumerators(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	if (t->ops->enumerators)
		t->ops->enumerators(t, fn, data);
}

const char *ctype_enumerator(const struct ctype *ct, int index, int64_t *ret)
{
	return ct->kind == CT_ENUM && ct->target->ops->enumerator_of ? ct->target->ops->enumerator_of(ct, index, ret) : NULL;
}

const char *ctype_variant(const struct ctype *ct, int index, bool *ret_other, int64_t *ret)
{
	return ct->kind == CT_ENUM && ct->target->ops->variant ? ct->target->ops->variant(ct, index, ret_other, ret) : NULL;
}

enum passing ctype_passing(const struct ctype *ct)
{
	return ct->target->ops->passing ? ct->target->ops->passing(ct) : PASSED_BY_VALUE;
}

uint64_t target_symbol(struct target *t, const char *name)
{
	return t->ops->symbol(t, name);
}

bool target_is_global(struct target *t, const struct place *p)
{
	return t->ops->is_global && t->ops->is_global(t, p);
}

const char *target_denied(struct target *t, uint64_t address)
{
	return t->ops->denied && !t->program && address ? t->ops->denied(t, address) : NULL;
}

const char *target_qualified_name(struct target *t, const struct place *p)
{
	return t->ops->qualified_name && p->scope ? t->ops->qualified_name(t, p) : NULL;
}

const char *target_build_id(const struct target *t)
{
	return t->build_id;
}

bool enumerator_is(const char *name, int64_t value, void *data)
{
	const struct enumerator_search *s = data;

	if (strcmp(name, s->name))
		return false;
	*s->ret = value;
	return true;
}

bool ctype_is_text(const struct ctype *ct)
{
	return ct->kind == CT_CHAR && ct->size == 1 && strstr(ct->name, "char");
}

void member_bits(struct member *m, uint64_t from, unsigned size)
{
	uint64_t bytes = m->type->size, unit = bytes && bytes <= 8 ? bytes * 8 : 8, start = from / unit * unit;

	if (from + size > start + unit)
		start = from / 8 * 8;
	m->offset += start / 8;
	m->bit_offset = (unsigned)(from - start);
	m->bit_size = size;
}
