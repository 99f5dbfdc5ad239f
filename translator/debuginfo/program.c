/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open programs and libraries: symbols and files. program-open.c opens them. */
#include "translator/debuginfo/program.h"

#include <dwarf.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/packages.h"
#include "lib/rows.h"
#include "lib/vec.h"

/* ---- symbols ---- */
/* Collects the functions that a query asks for, in the order of addresses, each once. */
struct symbol_search {
	const struct target *t;
	struct program_file *f;
	const struct function_query *q;
	struct place **places;
	size_t n;
	const char *ifunc; /* the one whose implementations are collected */
};

/* Returns NAME, of a symbol, without the version that the linker writes behind it: "memcpy@GLIBC_2.2.5". */
static const char *unversioned(const char *name)
{
	size_t length = strcspn(name, "@");

	return name[length] && length ? arena_strndup(&program_arena, name, length) : name;
}

static bool name_matches(const char *name, const char *wanted)
{
	return has_glob(wanted) ? !fnmatch(wanted, name, 0) : !strcmp(name, wanted);
}

/* Calls FN with each symbol of E that is defined and of TYPE. */
static void each_symbol(const struct elf_file *e, int type, void (*fn)(const char *name, const GElf_Sym *sym, void *data), void *data)
{
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *name = elf_symbol_name(e, i, &sym);

		if (name && *name && sym.st_value && GELF_ST_TYPE(sym.st_info) == type)
			fn(unversioned(name), &sym, data);
	}
}

static struct place *put_symbol(struct symbol_search *s, const char *name, uint64_t address)
{
	struct place *p = arena_new(&program_arena, struct place);

	*p = (struct place){ .address = address, .func = arena_strdup(&program_arena, name), .symbol_address = address,
			     .section = ".text" };
	p->symbol = p->func;
	*vec_add(s->places, s->n) = p;
	return p;
}

static void match_symbol(const char *name, const GElf_Sym *sym, void *data)
{
	struct symbol_search *s = data;

	if (name_matches(name, s->q->func))
		put_symbol(s, name, sym->st_value);
}

static void put_implementation(uint64_t address, void *data)
{
	struct symbol_search *s = data;

	put_symbol(s, s->ifunc, address)->chosen = true;
}

static void match_ifunc(const char *name, const GElf_Sym *sym, void *data)
{
	struct symbol_search *s = data;

	if (!name_matches(name, s->q->func))
		return;
	s->ifunc = name;
	program_implementations(s->t, sym->st_value, sym->st_size, put_implementation, s);
}

struct place *target_symbol_functions(struct target *t, const struct function_query *q)
{
	struct symbol_search s = { .t = t, .f = t->program, .q = q };
	struct place *first = NULL, **end = &first;

	for (int i = 0; i < s.f->n_symbols; i++) {
		each_symbol(s.f->symbols[i], STT_FUNC, match_symbol, &s);
		each_symbol(s.f->symbols[i], STT_GNU_IFUNC, match_ifunc, &s);
	}
	sort_rows(s.places, s.n, place_order);
	for (size_t i = 0; i < s.n; i++) {
		struct place *p = s.places[i], *known;

		/* Aliases are one place. */
		if (i && s.places[i - 1]->address == p->address)
			continue;
		known = t->is_dwarf && !p->chosen ? target_place_at(t, p->address) : NULL;
		if (known) {
			p->scope = known->scope;
			p->func = known->func;
			p->file = known->file;
			p->line = known->line;
		}
		*end = p;
		end = &p->next;
	}
	free(s.places);
	return first;
}

static void compare_name(const char *name, const GElf_Sym *sym, void *data)
{
	const char **wanted = data;

	if (*wanted && !strcmp(name, *wanted))
		*wanted = NULL;
}

bool target_is_ifunc(const struct target *t, const char *name)
{
	for (int i = 0; i < t->program->n_symbols; i++)
		each_symbol(t->program->symbols[i], STT_GNU_IFUNC, compare_name, &name);
	return !name;
}

static void pass_name(const char *name, const GElf_Sym *sym, void *data)
{
	const struct name_call *c = data;

	c->fn(name, c->data);
}

void target_symbol_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	for (int i = 0; i < t->program->n_symbols; i++) {
		each_symbol(t->program->symbols[i], STT_FUNC, pass_name, &(struct name_call){ fn, data });
		each_symbol(t->program->symbols[i], STT_GNU_IFUNC, pass_name, &(struct name_call){ fn, data });
	}
}

/* ---- what the file is ---- */
bool target_is_user(const struct target *t)
{
	return t && t->program;
}

bool target_is_32bit(const struct target *t)
{
	return t && t->is_32bit;
}

const char *target_path(const struct target *t)
{
	return t->program->path;
}

bool target_is_go(const struct target *t)
{
	const struct elf_file *code = t->program->code;

	return elf_has_section(code, ".note.go.buildid") || elf_has_section(code, ".go.buildinfo");
}

struct elf_file *target_elf(const struct target *t)
{
	return t->program->code;
}

bool target_file_offset(const struct target *t, uint64_t address, uint64_t *ret)
{
	GElf_Phdr ph;

	if (!elf_segment(t->program->code, PT_LOAD, address, &ph) || address - ph.p_vaddr >= ph.p_filesz)
		return false;
	*ret = address - ph.p_vaddr + ph.p_offset;
	return true;
}

static const struct loc_object *object_of(const struct target *t)
{
	struct loc_object *o = arena_new(&program_arena, struct loc_object);
	Elf *elf = t->program->code->elf;
	GElf_Phdr ph;
	size_t n;

	o->path = target_path(t);
	if (elf_getphdrnum(elf, &n))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		o->offset = ph.p_offset;
		o->start = ph.p_vaddr;
		return o;
	}
	return NULL;
}

static bool reads_thread(const struct location *l)
{
	for (int i = 0; i < l->n_ops; i++)
		if (l->ops[i].atom == LOC_OP_THREAD)
			return true;
	return false;
}

struct location target_in_process(struct target *t, const struct location *l)
{
	const struct loc_object *o = object_of(t);
	struct loc_op *ops = arena_array(&program_arena, struct loc_op, (size_t)l->n_ops + 2);
	struct location moved = *l;
	int n = 0;

	if (!o)
		return location_none("the file has no segments");
	/* Thread-local data alone would be read in any process. */
	if (reads_thread(l)) {
		ops[n++] = (struct loc_op){ LOC_OP_OBJECT, (int64_t)(uintptr_t)o, (int64_t)o->start };
		ops[n++] = (struct loc_op){ DW_OP_drop, 0, 0 };
	}
	for (int i = 0; i < l->n_ops; i++, n++) {
		ops[n] = l->ops[i];
		if (ops[n].atom == DW_OP_addr)
			ops[n] = (struct loc_op){ LOC_OP_OBJECT, (int64_t)(uintptr_t)o, l->ops[i].a };
	}
	moved.ops = ops;
	moved.n_ops = n;
	return moved;
}

uint64_t target_code(const struct target *t, uint64_t address, unsigned size, unsigned *ret_size)
{
	uint64_t code = 0;

	for (*ret_size = 0; *ret_size < size; ++*ret_size) {
		const unsigned char *p = elf_bytes(t->program->code, address + *ret_size, 1);

		if (!p)
			break;
		code |= (uint64_t)*p << 8 * *ret_size;
	}
	return code;
}

const struct machine *program_machine(const struct target *t)
{
	return elf_machine(t->program->code);
}

const unsigned char *program_code(const struct target *t, uint64_t address, size_t *ret_left)
{
	return elf_bytes_from(t->program->code, address, ret_left);
}

struct elf_file *program_symbols(const struct target *t, int i)
{
	return i < t->program->n_symbols ? t->program->symbols[i] : NULL;
}

void program_note_install(const struct target *t, struct loc loc)
{
	const char *id = t->program->code->build_id;
	const char *command = id ? package_command(PACKAGE_BUILD_ID, id) : NULL;

	if (command)
		note(loc, "'%s' has no debugging information here: compile it with -g, or run: %s", t->program->path, command);
	else
		note(loc, "'%s' has no debugging information here: compile it with -g, or install the package (-dbgsym, -debuginfo) that has %s%.2s/%s%s",
		     t->program->path, id ? "/usr/lib/debug/.build-id/" : "it", id ? id : "", id ? id + 2 : "", id ? ".debug" : "");
}
