/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes tables of user objects: their call frame information, symbols and lines. A file that is not for this machine has no
 * tables, and stacks end there. Scripts may name any file: nothing in one is trusted.
 */
#include "runtime/loader/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/arena.h"
#include "lib/demangler.h"
#include "lib/rows.h"
#include "lib/vec.h"
#include "runtime/loader/lines.h"

enum { VDSO_SIZE_MAX = 1 << 16 };

/* ---- what a block is made of ---- */

struct parts {
	struct kt_unwind_segment segments[KT_UNWIND_SEGMENTS_MAX];
	kt_u32 n_segments;
	kt_u64 base, end;
	struct cfi cfi;
	struct lines lines;
	struct symbol *symbols;
	size_t n_symbols;
	char build_id[BUILD_ID_SIZE];
};

/* A symbol before names are laid out. */
struct symbol {
	kt_u32 place, size;
	kt_u32 room;          /* up to the end of its section */
	kt_u32 rank;          /* of those at one place the lowest wins */
	kt_u32 length;
	const char *name;
	char *readable;       /* to be freed */
};

static bool find_segments(struct parts *p, const struct elf *e)
{
	const Elf64_Phdr *ph = e->segments;

	p->base = ~0ull;
	for (size_t i = 0; i < e->n_segments; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_vaddr < p->base)
			p->base = ph[i].p_vaddr;
	for (size_t i = 0; i < e->n_segments; i++) {
		kt_u64 place = ph[i].p_vaddr - p->base;

		if (ph[i].p_type != PT_LOAD || p->n_segments == KT_UNWIND_SEGMENTS_MAX)
			continue;
		if (place >= KT_UNWIND_NONE || ph[i].p_filesz > KT_UNWIND_NONE - place ||
		    ph[i].p_offset + ph[i].p_filesz < ph[i].p_offset)
			return false;
		p->segments[p->n_segments++] =
			(struct kt_unwind_segment){ ph[i].p_offset, (kt_u32)place, (kt_u32)ph[i].p_filesz };
		if (place + ph[i].p_filesz > p->end)
			p->end = place + ph[i].p_filesz;
	}
	return p->n_segments > 0;
}

static void add_cfi(struct parts *p, const struct elf *e, const char *name)
{
	const Elf64_Shdr *s = elf_section(e, name);
	struct span data = elf_data_of(e, name);

	if (data.at)
		cfi_add(&p->cfi, &(struct cfi_section){ data.at, data.size, s->sh_addr, name[1] == 'd', e->is_32bit }, p->base);
}

/* Which of the names of one place to print: one with a size, a global one, one that is not the library's own. */
static kt_u32 symbol_rank(const Elf64_Sym *s, const char *name)
{
	unsigned int bind = ELF64_ST_BIND(s->st_info);

	return (s->st_size ? 0 : 8) + (bind == STB_LOCAL ? 4 : bind == STB_GLOBAL ? 0 : 1) + (name[0] == '_' ? 2 : 0);
}

/* Is it a function, a label of code, or a variable? */
static bool is_named(const struct elf *e, const Elf64_Sym *s)
{
	unsigned int type = ELF64_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF || s->st_shndx >= e->n_sections)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT ||
	       (type == STT_NOTYPE && e->sections[s->st_shndx].sh_flags & SHF_EXECINSTR);
}

/* SECTION_END: where the symbol's section ends. */
static void add_symbol(struct parts *p, const Elf64_Sym *s, kt_u64 section_end, const char *name, size_t room)
{
	size_t length = strnlen(name, room);
	kt_u64 place = s->st_value - p->base;

	if (length == room || !length || place >= p->end || s->st_value >= section_end || p->n_symbols >= KT_UNWIND_ROWS_MAX)
		return;
	length = strcspn(name, "@"); /* versions are the linker's business */
	*vec_add(p->symbols, p->n_symbols) = (struct symbol){
		.place = (kt_u32)place,
		.size = s->st_size > p->end - place ? (kt_u32)(p->end - place) : (kt_u32)s->st_size,
		.room = section_end - s->st_value < p->end - place ? (kt_u32)(section_end - s->st_value) :
			(kt_u32)(p->end - place),
		.rank = symbol_rank(s, name),
		.length = (kt_u32)length,
		.name = name,
	};
}

/* ---- names of C++ and Rust ---- */
enum { MANGLED_MAX = 512, READABLE_MAX = 200 };

/* Makes names of C++ and Rust readable; very long ones stay as they are. */
static void demangle(struct parts *p)
{
	for (size_t i = 0; i < p->n_symbols; i++) {
		struct symbol *s = &p->symbols[i];
		char mangled[MANGLED_MAX];

		if (s->length < 3 || s->length >= MANGLED_MAX || s->name[0] != '_' ||
		    (s->name[1] != 'Z' && s->name[1] != 'R'))
			continue;
		memcpy(mangled, s->name, s->length);
		mangled[s->length] = 0;
		s->readable = demangle_name(mangled);
		if (!s->readable || strlen(s->readable) > READABLE_MAX)
			continue;
		s->name = s->readable;
		s->length = (kt_u32)strlen(s->readable);
	}
}

/* Adds the symbols of section NAME; false: it is not there. */
static bool add_symbols(struct parts *p, const struct elf *e, const char *name)
{
	const Elf64_Shdr *section = elf_section(e, name);
	struct span data = section ? elf_data(e, section) : (struct span){ 0 }, names;
	size_t size = e->is_32bit ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);

	if (!data.at || section->sh_offset % (e->is_32bit ? 4 : 8) || section->sh_link >= e->n_sections)
		return false;
	names = elf_data(e, &e->sections[section->sh_link]);
	for (size_t i = 1; names.at && i < data.size / size; i++) {
		Elf64_Sym s = elf_symbol(e, data, i);

		if (is_named(e, &s) && s.st_name < names.size)
			add_symbol(p, &s, e->sections[s.st_shndx].sh_addr + e->sections[s.st_shndx].sh_size,
				   (const char *)names.at + s.st_name, names.size - s.st_name);
	}
	return names.at;
}

static int by_place(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return memcmp(x->name, y->name, x->length);
}

/* A symbol without a size, such as a label of assembly, goes up to the next one or the end of its section. */
static void end_labels(struct parts *p)
{
	for (size_t i = 0; i < p->n_symbols; i++) {
		struct symbol *s = &p->symbols[i];

		if (s->size)
			continue;
		s->size = s->room;
		if (i + 1 < p->n_symbols && s[1].place - s->place < s->room)
			s->size = s[1].place - s->place;
	}
}

/* In order, one for each place. */
static void sort_symbols(struct parts *p)
{
	size_t n = 0;

	sort_rows(p->symbols, p->n_symbols, by_place);
	for (size_t i = 0; i < p->n_symbols; i++)
		if (!n || p->symbols[i].place != p->symbols[n - 1].place)
			p->symbols[n++] = p->symbols[i];
	p->n_symbols = n;
	end_labels(p);
}

/* ---- the block ---- */

static char *put(char *at, const void *from, size_t size)
{
	if (size)
		memcpy(at, from, size);
	return at + size;
}

static const char *make_block(struct object *o, struct parts *p, const char *name)
{
	struct kt_unwind_head h = {
		.magic = KT_UNWIND_MAGIC,
		.n_segments = p->n_segments,
		.n_rows = (kt_u32)p->cfi.n_rows,
		.n_words = (kt_u32)p->cfi.n_words,
		.n_symbols = (kt_u32)p->n_symbols,
		.n_lines = (kt_u32)p->lines.n,
		.n_files = (kt_u32)p->lines.n_files,
		.n_line_bytes = (kt_u32)p->lines.n_bytes,
		.build_id = (kt_u32)strlen(name) + 1,
		.base = p->base,
	};
	size_t n_names = strlen(name) + strlen(p->build_id) + 2;
	size_t groups = kt_unwind_groups(h.n_lines) * sizeof(p->lines.groups[0]), files = h.n_files * sizeof(kt_u32);
	char *at, *names, *first_name;

	n_names += p->lines.n_names;
	for (size_t i = 0; i < p->n_symbols; i++)
		n_names += p->symbols[i].length + 1ul;
	if (n_names > KT_UNWIND_NAMES_MAX)
		return "its symbols are too many";
	h.n_names = (kt_u32)n_names;
	o->size = sizeof(h) + p->n_segments * sizeof(p->segments[0]) + p->cfi.n_rows * sizeof(p->cfi.rows[0]) +
		  p->cfi.n_words * sizeof(p->cfi.words[0]) + p->n_symbols * sizeof(struct kt_unwind_symbol) +
		  groups + files + n_names + p->lines.n_bytes;
	o->block = xmalloc(o->size);
	first_name = (char *)o->block + o->size - p->lines.n_bytes - n_names;
	at = put(o->block, &h, sizeof(h));
	at = put(at, p->segments, p->n_segments * sizeof(p->segments[0]));
	at = put(at, p->cfi.rows, p->cfi.n_rows * sizeof(p->cfi.rows[0]));
	at = put(at, p->cfi.words, p->cfi.n_words * sizeof(p->cfi.words[0]));
	names = put(first_name, name, strlen(name) + 1);
	names = put(names, p->build_id, strlen(p->build_id) + 1);
	for (size_t i = 0; i < p->n_symbols; i++) {
		const struct symbol *s = &p->symbols[i];
		const struct kt_unwind_symbol out = { s->place, s->size, (kt_u32)(names - first_name) };

		at = put(at, &out, sizeof(out));
		names = put(names, s->name, s->length);
		*names++ = 0;
	}
	for (size_t i = 0; i < p->lines.n_files; i++)
		p->lines.files[i] += (kt_u32)(names - first_name);
	at = put(at, p->lines.groups, groups);
	put(at, p->lines.files, files);
	names = put(names, p->lines.names, p->lines.n_names);
	put(names, p->lines.bytes, p->lines.n_bytes);
	return NULL;
}

/* Line tables of E; false: it has none. */
static bool add_lines(struct parts *p, const struct elf *e)
{
	const struct span strings[2] = { elf_data_of(e, ".debug_line_str"), elf_data_of(e, ".debug_str") };
	struct span data = elf_data_of(e, ".debug_line");

	if (!data.at)
		return false;
	lines_add(&p->lines, data, strings, p->base, (kt_u32)p->end);
	return true;
}

const char *object_of_elf(struct object *o, const struct elf *e, const struct elf *d, const char *name, bool lines)
{
	struct parts p = { 0 };
	const char *wrong;

	*o = (struct object){ 0 };
	if (e->type != ET_EXEC && e->type != ET_DYN)
		return "it is neither a program nor a shared library";
	if (!find_segments(&p, e))
		return "it has nothing to be mapped";
	add_cfi(&p, e, ".eh_frame");
	add_cfi(&p, e, ".debug_frame");
	if (elf_is_open(d))
		add_cfi(&p, d, ".debug_frame");
	cfi_finish(&p.cfi);
	if (!add_symbols(&p, e, ".symtab") && !(elf_is_open(d) && add_symbols(&p, d, ".symtab")))
		add_symbols(&p, e, ".dynsym");
	sort_symbols(&p);
	demangle(&p);
	elf_build_id(elf_data_of(e, ".note.gnu.build-id"), p.build_id);
	if (lines && !add_lines(&p, e) && elf_is_open(d))
		add_lines(&p, d);
	lines_finish(&p.lines);
	lines_pack(&p.lines);
	wrong = make_block(o, &p, name);
	o->dropped = p.cfi.dropped;
	o->partial = elf_too_large(e) || elf_too_large(d);
	cfi_deinit(&p.cfi);
	lines_deinit(&p.lines);
	for (size_t i = 0; i < p.n_symbols; i++)
		free(p.symbols[i].readable);
	free(p.symbols);
	return wrong;
}

const char *object_parse(struct object *o, struct span image, struct span debug, const char *name, bool lines, struct libraries *l)
{
	struct elf e, d = { 0 };
	const char *wrong = elf_open(&e, image, l);

	*o = (struct object){ 0 };
	if (!wrong && debug.at && elf_open(&d, debug, l))
		elf_close(&d);
	if (!wrong)
		wrong = object_of_elf(o, &e, &d, name, lines);
	elf_close(&e);
	elf_close(&d);
	return wrong;
}

const char *object_of_lines(struct object *o, const struct kt_unwind_segment *segments, kt_u32 n, struct lines *l,
			    const char *name)
{
	struct parts p = { .n_segments = n };
	const char *wrong;

	*o = (struct object){ 0 };
	memcpy(p.segments, segments, n * sizeof(*segments));
	lines_finish(l);
	lines_pack(l);
	p.lines = *l;
	wrong = make_block(o, &p, name);
	lines_deinit(l);
	return wrong;
}

void object_deinit(struct object *o)
{
	free(o->block);
	*o = (struct object){ 0 };
}

/* ---- the vdso ---- */

/* Its end is that of its section headers, which are the last thing in it. */
const char *object_read_vdso(struct object *o)
{
	const Elf64_Ehdr *h = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t size = h ? h->e_shoff + h->e_shnum * sizeof(Elf64_Shdr) : 0;

	*o = (struct object){ 0 };
	if (!h || size > VDSO_SIZE_MAX)
		return "there is none";
	return object_parse(o, (struct span){ (const void *)h, size }, (struct span){ 0 }, "vdso", false, NULL);
}
