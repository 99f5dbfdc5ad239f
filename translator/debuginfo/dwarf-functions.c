/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The index of functions, and the places of a query. */
#include <elfutils/libdwelf.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/sha256.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/index.h"

/* Deepest nesting of scopes that is followed. gcc's inlining reaches 30 in a kernel. */
enum { SCOPE_DEPTH_MAX = 256 };

/* ---- the index ---- */
struct folded;

/* State of the walk over all DIEs. */
struct indexer {
	struct dwarf_target *t;
	struct index_builder *b;
	struct dwarf_walk walk;
	bool c_only; /* types hold no code in C: their insides are skipped */
	uint64_t *parts; /* sorted addresses of NAME.part.N */
	size_t n_parts;
	uint64_t *entries; /* addresses of functions that have code in DWARF */
	size_t n_entries;
	struct folded *folded;
	size_t n_folded;
};

/* Finds the parts of functions. When gcc inlines only the beginning of a function, the rest becomes NAME.part.0, which DWARF
 * describes like a copy of the whole. The inlined beginnings are the calls, so a hit in the part would count a call twice. */
static void find_parts(struct indexer *x)
{
	const struct elf_file *e = x->t->elf;
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *name = elf_symbol_name(e, i, &sym);

		if (name && strstr(name, ".part."))
			*vec_add(x->parts, x->n_parts) = sym.st_value;
	}
	sort_rows(x->parts, x->n_parts, by_number);
}

static bool is_part(const struct indexer *x, uint64_t entry)
{
	return x->n_parts && bsearch(&entry, x->parts, x->n_parts, sizeof(*x->parts), by_number);
}

/* ---- folded functions ---- */
/* A function of C that gcc folded into one with equal code (-fipa-icf). DWARF has its name and parameters. What is left of it jumps to the other
 * one, and only a symbol says where it is. */
struct folded {
	uint64_t address; /* first: sorted by it */
	uint64_t die;
	const char *name;
};

/* Takes down DIE, NAME, which has no code in DWARF. Where several symbols have the name, nothing says which is meant. */
static void note_folded(struct indexer *x, const char *name, uint64_t die)
{
	GElf_Sym sym;

	if (x->c_only && elf_function(x->t->elf, name, &sym) == 1)
		*vec_add(x->folded, x->n_folded) = (struct folded){ sym.st_value, die, name };
}

/* Adds the folded functions. One whose symbol is another name of a function, or of another folded one, is left out: calls of both are one. Of
 * definitions of one name, as of a weak function, one is enough. */
static void add_folded(struct indexer *x)
{
	sort_rows(x->folded, x->n_folded, by_number);
	sort_rows(x->entries, x->n_entries, by_number);
	for (size_t i = 0, end; i < x->n_folded; i = end) {
		const struct folded *f = &x->folded[i];
		bool alias = x->n_entries && bsearch(&f->address, x->entries, x->n_entries, sizeof(*x->entries), by_number);

		for (end = i + 1; end < x->n_folded && x->folded[end].address == f->address; end++)
			alias |= strcmp(x->folded[end].name, f->name) != 0;
		if (!alias)
			index_add_place(x->b, f->die, (struct index_place){ .address = f->address, .die = f->die });
	}
}

/* Where DIE is declared; one that does not say, such as those of Go, is where its first instruction is. */
static unsigned declared_line(Dwarf_Die *die)
{
	unsigned line = (unsigned)dwarf_number(die, DW_AT_decl_line, 0);
	uint64_t entry = line ? 0 : dwarf_entry(die);
	Dwarf_Die cu;
	Dwarf_Line *row = entry && dwarf_diecu(die, &cu, NULL, NULL) ? dwarf_getsrc_die(&cu, entry) : NULL;
	int n;

	return row && !dwarf_lineno(row, &n) ? (unsigned)n : line;
}

/* The DIE that says where DIE, in PARENT, is declared: gcc says it of a lambda, not of its call operator. */
static Dwarf_Die *declaring(Dwarf_Die *die, Dwarf_Die *parent)
{
	return dwarf_hasattr_integrate(die, DW_AT_decl_line) || !dwarf_is_scope(parent) ? die : parent;
}

/* A subprogram: it has a name, is a copy of an abstract one, or both. Declarations are neither. */
static void index_function(struct indexer *x, Dwarf_Die *die, Dwarf_Die *parent)
{
	Dwarf_Die *declared = declaring(die, parent);
	uint64_t entry, off = dwarf_die_number(&x->walk, die);
	Dwarf_Die root;
	const char *name = NULL;

	if (dwarf_hasattr(die, DW_AT_declaration) || !dwarf_root(die, &root))
		return;
	if (root.addr == die->addr) {
		name = dwarf_diename(die);
		if (!name)
			return;
		index_add_function(x->b, name, dwarf_file(x->t, declared, dwarf_number(declared, DW_AT_decl_file, ~0u)),
				   declared_line(declared), off);
		/* An abstract DIE has no code of its own. */
		if (dwarf_hasattr(die, DW_AT_inline))
			return;
	}
	entry = dwarf_entry(die);
	if (!entry) {
		if (root.addr == die->addr)
			note_folded(x, name, off);
		return;
	}
	*vec_add(x->entries, x->n_entries) = entry;
	index_add_place(x->b, dwarf_die_number(&x->walk, &root),
			(struct index_place){ .address = entry, .die = off, .part = is_part(x, entry) });
}

static void index_instance(struct indexer *x, Dwarf_Die *die)
{
	uint64_t entry = dwarf_entry(die);
	Dwarf_Die root;

	if (entry && dwarf_root(die, &root))
		index_add_place(x->b, dwarf_die_number(&x->walk, &root),
				(struct index_place){ .address = entry, .die = dwarf_die_number(&x->walk, die), .inlined = true });
}

static void index_children(struct indexer *x, Dwarf_Die *parent, Dwarf_Die *around, int depth);

/* DIE is inlined into AROUND. Where that is no call, what was inlined further is inlined into AROUND. */
static void index_inlined(struct indexer *x, Dwarf_Die *die, Dwarf_Die *around, int depth)
{
	bool call = !around || dwarf_inlined(x->t, die, around) == INLINED_CALL;

	if (call)
		index_instance(x, die);
	index_children(x, die, call ? die : around, depth);
}

/* Everything below PARENT that can hold code; AROUND: the function or instance that it is in, or NULL. Recursion is as deep as scopes
 * are nested, which is bounded. */
static void index_children(struct indexer *x, Dwarf_Die *parent, Dwarf_Die *around, int depth)
{
	Dwarf_Die die;

	if (depth > SCOPE_DEPTH_MAX)
		return;
	dwarf_each_child(parent, &die) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			index_function(x, &die, parent);
			index_children(x, &die, &die, depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			index_inlined(x, &die, around, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			index_children(x, &die, around, depth + 1);
			break;
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			if (!x->c_only)
				index_children(x, &die, around, depth + 1);
			break;
		default: /* tags are open-ended: the others hold no code */
			break;
		}
	}
}

/* Returns the name of T's index: the build-id, and what tells this file from others of that build-id, as dwz(1) or an attacker makes
 * them. NULL: none is kept, as other files belong to the DWARF, which come and go: those of split units, or what dwz shares, which is
 * missing. */
static const char *index_id(struct dwarf_target *t)
{
	const char *alt;
	const void *alt_id;
	struct sha256 sum;
	struct stat st;

	if (t->n_split || !t->base.build_id || (dwelf_dwarf_gnu_debugaltlink(t->dw, &alt, &alt_id) > 0 && !t->shared) ||
	    stat(t->elf->path, &st))
		return NULL;
	sha256_init(&sum);
	/* Only root can choose a file's ctime. Its device has another number in a VM. */
	sha256_add(&sum, &st.st_ino, sizeof(st.st_ino));
	sha256_add(&sum, &st.st_size, sizeof(st.st_size));
	sha256_add(&sum, &st.st_mtim, sizeof(st.st_mtim));
	sha256_add(&sum, &st.st_ctim, sizeof(st.st_ctim));
	return arena_printf(&program_arena, "%s-%.16s", t->base.build_id, sha256_hex(&sum));
}

/* The index of T: kept from an earlier run, else built by one walk (0.7 s for a 6.1 kernel) and kept. */
static struct index *index_of(struct dwarf_target *t)
{
	enum { WINDOW = 16 << 20 };
	struct indexer x = { .t = t };
	Dwarf_Off released = 0;
	const char *id;
	Dwarf_Die die;

	if (t->index)
		return t->index;
	id = index_id(t);
	t->index = index_open(id);
	if (t->index)
		return t->index;
	x.b = index_builder_create();
	find_parts(&x);
	while (dwarf_unit_next(t, &x.walk, &die)) {
		/* In C no function is inside a type, which spares the walk most DIEs: structures are the bulk of them. */
		x.c_only = dwarf_is_c(&die);
		index_children(&x, &die, NULL, 0);
		if (!x.walk.split && dwarf_dieoffset(&die) - released > WINDOW) {
			released = dwarf_dieoffset(&die);
			elf_release_pages(t->elf);
		}
	}
	elf_release_pages(t->elf);
	add_folded(&x);
	free(x.parts);
	free(x.entries);
	free(x.folded);
	t->index = index_finish(x.b, id);
	return t->index;
}

/* ---- places ---- */
struct search {
	struct dwarf_target *t;
	const struct function_query *q;
	struct place **places;
	size_t n;
	int statement; /* line of the first statement of the function at hand, as some instance has it; 0: none so far */
	struct store *stores; /* of first statements of the function at hand */
	size_t n_stores;
};

struct store {
	uint64_t key;  /* as instruction_store() returns it */
	int statement; /* the line; 0: unknown */
};

static void put_place(struct search *s, struct place *p)
{
	*vec_add(s->places, s->n) = p;
}

/* Adds the place of DIE, a copy or an instance of F, at ADDRESS. */
static struct place *add_entry(struct search *s, const struct index_function *f, Dwarf_Die *die, bool inlined, uint64_t address)
{
	struct dwarf_scope *scope = arena_new(&program_arena, struct dwarf_scope);
	struct place *p = arena_new(&program_arena, struct place);

	*scope = (struct dwarf_scope){ .die = *die, .pc = address, .at_entry = !inlined };
	*p = (struct place){
		.address = address, .line = (int)f->line, .inlined = inlined, .scope = scope,
		.func = arena_strdup(&program_arena, f->name),
		.file = f->file ? arena_strdup(&program_arena, f->file) : NULL,
	};
	if (inlined) {
		p->call_line = (int)dwarf_number(die, DW_AT_call_line, 0);
		p->call_file = dwarf_file(s->t, die, dwarf_number(die, DW_AT_call_file, ~0u));
	}
	put_place(s, p);
	return p;
}

/* Only the DIE says where an instance was inlined, so it is opened here, once for each place that matches. */
static void add_place(struct search *s, const struct index_function *f, const struct index_place *ip)
{
	struct dwarf_entries e = { .address = &ip->address, .n = 1, .marked = true };
	Dwarf_Die die;

	if (!dwarf_die_at(s->t, ip->die, &die))
		return;
	if (ip->inlined && s->q->entries)
		e = dwarf_entries(s->t, &die);
	for (size_t i = 0; i < e.n; i++) {
		struct place *p = add_entry(s, f, &die, ip->inlined, e.address[i]);

		p->statement = e.statement;
		p->unsure = e.unsure;
		p->merged = !e.marked;
	}
	if (e.statement && (!s->statement || e.statement < s->statement))
		s->statement = e.statement;
	if (e.store)
		*vec_add(s->stores, s->n_stores) = (struct store){ e.store, e.statement };
}

/* Decides which of the places from number FIRST on, of one function, lack the effect of its first statement, which others have: the compiler
 * made one piece of code of that for several calls. */
static void find_merged(struct search *s, size_t first)
{
	for (size_t i = first; i < s->n; i++)
		s->places[i]->merged &= s->places[i]->unsure || (s->statement && s->places[i]->statement != s->statement);
}

/* Adds the store of the out-of-line copy P. */
static void add_store(struct search *s, const struct place *p)
{
	const struct dwarf_scope *scope = p->scope;
	Dwarf_Die die = scope->die, unit;
	Dwarf_Lines *rows;
	uint64_t store;
	size_t n;

	if (p->inlined || !dwarf_diecu(&die, &unit, NULL, NULL) || dwarf_getsrclines(&unit, &rows, &n))
		return;
	store = dwarf_flow_store(s->t, &die, rows, n);
	if (store)
		*vec_add(s->stores, s->n_stores) = (struct store){ store, 0 };
}

/* Returns the name of a function with merged code that has the store of the function at hand, in the unit of SCOPE. */
static const char *lost_in(struct search *s, const struct dwarf_scope *scope)
{
	Dwarf_Die die = scope->die;
	const char *ret = NULL;

	for (size_t i = 0; i < s->n_stores && !ret; i++)
		if (s->stores[i].statement == s->statement)
			ret = dwarf_merged_in(s->t, &die, s->stores[i].key);
	return ret;
}

/* Decides whether calls of a function have no place, where its places from number FIRST on are known. */
static void find_lost(struct search *s, size_t first)
{
	const struct Dwarf_CU *unit = NULL;
	const char *lost = NULL;

	/* No instance shows what the first statement does. */
	for (size_t i = first; !s->statement && i < s->n; i++)
		add_store(s, s->places[i]);
	for (size_t i = first; i < s->n && !lost; i++) {
		const struct dwarf_scope *scope = s->places[i]->scope;

		if (scope->die.cu != unit)
			lost = lost_in(s, scope);
		unit = scope->die.cu;
	}
	for (size_t i = first; i < s->n && lost; i++)
		s->places[i]->lost = lost;
}

/* A place for a listing: a function is in it once, whatever the number of units that have it from a header. False: the
 * function cannot be probed there. */
static bool add_name(struct search *s, const struct index_function *f, const struct index_place *ip)
{
	const struct place *last = s->n ? s->places[s->n - 1] : NULL;
	const char *section = elf_section_at(s->t->elf, ip->address);
	const char *file = f->file ? f->file : "";
	struct place *p;

	if (!section || target_denied(&s->t->base, ip->address))
		return false;
	if (last && last->line == (int)f->line && !strcmp(last->func, f->name) && !strcmp(last->file ? last->file : "", file))
		return true;
	p = arena_new(&program_arena, struct place);
	/* The index stays open as long as the target. */
	*p = (struct place){ .address = ip->address, .line = (int)f->line, .inlined = ip->inlined, .func = f->name,
			     .file = f->file, .section = section };
	put_place(s, p);
	return true;
}

/* True if NAME is left out. C++ has quotes in names: operator""_km. */
static bool is_odd(const struct dwarf_target *t, const char *name)
{
	return t->base.kernel ? kernel_name_is_odd(name) : text_has_control(name);
}

/* Callback of index_find(): the names match, files and lines are compared here. */
static void match_function(const struct index_function *f, void *data)
{
	struct search *s = data;
	size_t first = s->n;
	struct index_place ip;

	s->statement = 0;
	s->n_stores = 0;
	if (is_odd(s->t, f->name) || !file_matches(f->file, s->q->file) || (s->q->line && s->q->line != (int)f->line))
		return;
	for (unsigned i = 0; i < f->n; i++)
		if (index_place_get(s->t->index, f->first + i, &ip) &&
		    (ip.inlined ? s->q->inlined : s->q->outlined && (!ip.part || s->q->parts))) {
			if (!s->q->names_only)
				add_place(s, f, &ip);
			else if (add_name(s, f, &ip))
				return;
		}
	if (!s->q->names_only)
		find_merged(s, first);
	if (s->q->entries && s->q->inlined && s->t->base.program)
		find_lost(s, first);
}

/* Name of the function that SYMBOL was made from: without .isra.0, .cold and the like. */
static const char *plain_name(const char *symbol)
{
	return symbol ? arena_strndup(&program_arena, symbol, strcspn(symbol, ".")) : NULL;
}

/* ELF symbols of all places at once; needs them in order of address. */
static void fill_symbols(struct search *s)
{
	_cleanup_free_ struct elf_lookup *l = xmalloc((s->n + 1) * sizeof(*l));

	for (size_t i = 0; i < s->n; i++)
		l[i] = (struct elf_lookup){ .address = s->places[i]->address };
	elf_find_functions(s->t->elf, l, s->n);
	for (size_t i = 0; i < s->n; i++) {
		struct place *p = s->places[i];

		p->symbol = l[i].symbol;
		p->symbol_address = l[i].symbol ? l[i].symbol_address : 0;
		if (p->inlined)
			p->container = plain_name(p->symbol);
		p->section = elf_section_at(s->t->elf, p->address);
	}
}

/* Is B the place A again, from another unit that has the function from a header? Calls that were inlined may begin at one instruction:
 * each is a hit. */
static bool is_again(const struct place *a, const struct place *b)
{
	const struct dwarf_scope *in = a->scope, *other = b->scope;

	return a->address == b->address && !strcmp(a->func, b->func) &&
	       (!in || !a->inlined || !b->inlined || in->die.cu != other->die.cu);
}

static struct place *find_functions(struct target *base, const struct function_query *q)
{
	struct search s = { .t = (struct dwarf_target *)base, .q = q };
	struct place *first = NULL, **end = &first;

	index_find(index_of(s.t), q->func, match_function, &s);
	sort_rows(s.places, s.n, place_order);
	if (!q->names_only)
		fill_symbols(&s);
	for (size_t i = 0; i < s.n; i++) {
		struct place *p = s.places[i];

		if (i && is_again(s.places[i - 1], p))
			continue;
		/* Not in the linked file: the linker dropped the section. */
		if (!p->section)
			continue;
		*end = p;
		end = &p->next;
	}
	free(s.places);
	free(s.stores);
	return first;
}

/* A name like "f.isra.0", which stacks and symbol tables have, is the copy of f that has this symbol. */
struct place *dwarf_functions(struct target *base, const struct function_query *q)
{
	struct place *first = find_functions(base, q), **p = &first;
	struct function_query copies = *q;

	if (first || !q->outlined || !strchr(q->func, '.'))
		return first;
	copies.func = plain_name(q->func);
	copies.parts = true;
	copies.inlined = copies.names_only = false;
	first = *copies.func ? find_functions(base, &copies) : NULL;
	while (*p)
		if ((*p)->symbol && (*p)->symbol_address == (*p)->address && !fnmatch(q->func, (*p)->symbol, 0))
			p = &(*p)->next;
		else
			*p = (*p)->next;
	return first;
}

void dwarf_function_names(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	index_names(index_of((struct dwarf_target *)base), fn, data);
}
