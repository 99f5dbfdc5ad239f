/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks of programs and libraries, and the symbols that operands of marks name.
 *
 * Several files may have a static variable of one name. The variable that an operand means is the one of the file that the mark's
 * code is in. Debugging information shows which one that is. Without it, the symbol table does where the code is in a static
 * function, because the symbol of a source file precedes the local symbols of it.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/vec.h"
#include "translator/debuginfo/program.h"
#include "translator/debuginfo/sdt.h"
#include "translator/debuginfo/tls.h"

/* A symbol of the name that is looked for. */
struct named {
	GElf_Sym sym;
	const char *file; /* source file of a local symbol, NULL: a global one */
	size_t group;     /* number of that file's symbol */
};

struct lookup {
	struct target *t;
	const char *name;
	uint64_t pc;
	struct named *list;
	size_t n;
	size_t group;     /* of the local functions at the pc; 0: none, or several */
};

enum { GROUPS_DIFFER = -1 };

static bool is_local(const GElf_Sym *sym)
{
	return GELF_ST_BIND(sym->st_info) == STB_LOCAL;
}

static void add_named(struct lookup *l, const GElf_Sym *sym, const char *file, size_t group)
{
	bool local = is_local(sym);

	for (size_t i = 0; i < l->n; i++)
		if (l->list[i].sym.st_value == sym->st_value)
			return;
	*vec_add(l->list, l->n) = (struct named){ *sym, local ? file : NULL, local ? group : 0 };
}

/* Reads the symbols of E: those of the name, and in which file's the code at the pc is. */
static void read_symbols(struct lookup *l, const struct elf_file *e)
{
	const char *file = NULL;
	size_t group = 0, own = 0;
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *s = elf_symbol_name(e, i, &sym);
		int type = s ? GELF_ST_TYPE(sym.st_info) : STT_NOTYPE;

		if (s && type == STT_FILE) {
			file = s;
			group = i;
			continue;
		}
		if (s && type == STT_FUNC && is_local(&sym) && l->pc - sym.st_value < sym.st_size)
			own = own && own != group ? (size_t)GROUPS_DIFFER : group;
		if (s && type != STT_SECTION && !strcmp(s, l->name))
			add_named(l, &sym, file, group);
	}
	l->group = own == (size_t)GROUPS_DIFFER ? 0 : own;
}

static bool in_unit(const struct lookup *l, const struct named *n)
{
	const struct target_ops *ops = l->t->ops;

	return ops->unit_defines && ops->unit_defines(l->t, l->pc, n->sym.st_value, GELF_ST_TYPE(n->sym.st_info) == STT_TLS);
}

static bool in_group(const struct lookup *l, const struct named *n)
{
	return l->group && n->file && n->group == l->group;
}

/* A file that has no symbol of the name for itself means the global one. */
static bool is_global(const struct lookup *l, const struct named *n)
{
	return l->group && !n->file;
}

/* The only symbol that IS says true of; NULL: none, or several. */
static const struct named *only(const struct lookup *l, bool (*is)(const struct lookup *l, const struct named *n))
{
	const struct named *found = NULL;

	for (size_t i = 0; i < l->n; i++) {
		if (!is(l, &l->list[i]))
			continue;
		if (found)
			return NULL;
		found = &l->list[i];
	}
	return found;
}

static const struct named *meant(const struct lookup *l)
{
	const struct named *found;

	if (l->n == 1)
		return l->list;
	found = only(l, in_unit);
	if (!found)
		found = only(l, in_group);
	return found ? found : only(l, is_global);
}

/* Returns why none of the symbols is the one that is meant, with the list of them. */
static const char *undecided(const struct lookup *l)
{
	struct text t = {};

	text_printf(&t, "its operand names '%s', of which the file has %zu:", l->name, l->n);
	for (size_t i = 0; i < l->n; i++)
		text_printf(&t, "%s %s at %#llx", i ? "," : "", l->list[i].file ? l->list[i].file : l->list[i].group ? "a static one" : "a global one",
			    (unsigned long long)l->list[i].sym.st_value);
	text_puts(&t, "; debugging information (-g) would tell which one the mark means");
	return text_keep(&t);
}

static bool is_program(const struct target *t)
{
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t n;

	if (!gelf_getehdr(target_elf(t)->elf, &eh) || elf_getphdrnum(target_elf(t)->elf, &n))
		return false;
	for (size_t i = 0; i < n && eh.e_type != ET_EXEC; i++)
		if (gelf_getphdr(target_elf(t)->elf, (int)i, &ph) && ph.p_type == PT_INTERP)
			return true;
	return eh.e_type == ET_EXEC;
}

/* The same in one section of relocations. */
static bool slot_in(const struct elf_file *e, Elf_Scn *scn, const GElf_Shdr *sh, const char *name, int64_t *ret)
{
	Elf_Scn *table = elf_getscn(e->elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = table ? elf_getdata(table, NULL) : NULL;
	const struct machine *m = elf_machine(e);
	GElf_Rela rela;
	GElf_Shdr names;

	if (!m || !data || !symbols || !gelf_getshdr(table, &names))
		return false;
	for (int i = 0; elf_relocation(data, i, sh->sh_type, &rela); i++) {
		const char *s;
		GElf_Sym sym;

		if (GELF_R_TYPE(rela.r_info) != m->slot_relocation || !gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym))
			continue;
		s = elf_strptr(e->elf, names.sh_link, sym.st_name);
		*ret = (int64_t)rela.r_offset;
		if (s && !strcmp(s, name))
			return true;
	}
	return false;
}

/* Finds the word that the dynamic linker sets to the address of the symbol NAME. False: there is none. */
static bool find_slot(const struct elf_file *e, const char *name, int64_t *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e->elf, scn)))
		if (gelf_getshdr(scn, &sh) && (sh.sh_type == SHT_REL || sh.sh_type == SHT_RELA) && slot_in(e, scn, &sh, name, ret))
			return true;
	return false;
}

/* The table with all symbols, also local ones; NULL: it was stripped. */
static const struct elf_file *whole_table(const struct target *t)
{
	const struct elf_file *e;

	for (int i = 0; (e = program_symbols(t, i)); i++)
		if (elf_has_section(e, ".symtab"))
			return e;
	return NULL;
}

/* The number of N, which NAME means. Returns why it is unknown, or NULL. */
static const char *number_of(const struct lookup *l, const struct named *n, enum sdt_relation relation, int64_t *ret)
{
	bool thread = GELF_ST_TYPE(n->sym.st_info) == STT_TLS;
	struct tls tls;

	*ret = (int64_t)n->sym.st_value;
	if (thread != (relation == SDT_DISTANCE))
		return "its operand is not understood";
	if (relation == SDT_FINAL_ADDRESS && !n->file && GELF_ST_VISIBILITY(n->sym.st_other) == STV_DEFAULT && !is_program(l->t))
		return arena_printf(&program_arena, "it is the address of '%s', which another file of the program may define", l->name);
	if (!thread)
		return NULL;
	tls = program_tls(l->t);
	*ret = (int64_t)((uint64_t)*ret + (uint64_t)tls.distance);
	return tls.kind == TLS_DISTANCE ? NULL : tls.why;
}

/* Implements struct sdt_file.symbol. */
static const char *find_symbol(const char *name, enum sdt_relation relation, uint64_t pc, int64_t *ret, void *data)
{
	struct lookup l = { .t = data, .name = name, .pc = pc };
	const struct elf_file *e = whole_table(data);
	const struct named *found;
	const char *why = NULL;

	if (relation == SDT_SLOT)
		return find_slot(target_elf(data), name, ret) ? NULL : "the table of addresses does not have it";
	if (!e)
		return arena_printf(&program_arena, "its operand names '%s', and the symbol table was stripped from the file", name);
	read_symbols(&l, e);
	found = l.n ? meant(&l) : NULL;
	if (!l.n)
		why = arena_printf(&program_arena, "its operand names '%s', which is no symbol of the file", name);
	else if (!found)
		why = undecided(&l);
	else
		why = number_of(&l, found, relation, ret);
	free(l.list);
	return why;
}

/* Did gcc alone compile the program, as far as the program says? */
static bool is_of_gcc(const struct elf_file *e)
{
	const void *comment;
	size_t size;

	return elf_section(e, ".comment", &comment, &size) && memmem(comment, size, "GCC:", 4) && !memmem(comment, size, "clang", 5);
}

const struct sdt_mark *target_marks(struct target *t)
{
	struct elf_file *e = target_elf(t);
	struct sdt_file f = { .symbol = find_symbol, .data = t };
	struct sdt_mark *marks = NULL, **end = &marks;
	const void *data;
	size_t size;

	f.is_32bit = t->is_32bit;
	f.pairs = f.is_32bit && is_of_gcc(e);
	f.machine = elf_machine(e);
	f.base = elf_section_address(e, ".stapsdt.base");
	if (elf_section(e, ".note.stapsdt", &data, &size))
		marks = sdt_read(&f, data, size);
	while (*end)
		end = &(*end)->next;
	*end = sdt_read_table(&f, e);
	return marks;
}
