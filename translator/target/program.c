/* Programs and libraries: the file that is executed, its debugging information, its symbols.
 *
 * Debugging information is in the file itself, or in one that is found by build-id or by the name in .gnu_debuglink, or on a
 * server. A
 * file without any has its symbol table (.symtab, .dynsym, and the one that is packed in .gnu_debugdata): functions can be
 * probed, variables are not known.
 */
#include "translator/target/program.h"

#include <dwarf.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/paths.h"
#include "translator/target/fetch.h"
#include "translator/target/sdt.h"

/* What is known of one file beside its target. */
struct program_file {
	const char *path;
	struct elf_file *code;
	struct elf_file *symbols[3]; /* tables to look in, best first */
	int n_symbols;
	char *packed;                /* .gnu_debugdata, unpacked */
	struct target *target;
	struct program_file *next;
};

static struct program_file *program_files;

enum { UNPACKED_MAX = 256 << 20 };

/* ---- symbols ---- */
/* Collects the functions that a query asks for, in the order of addresses, each once. */
struct symbol_search {
	struct program_file *f;
	const struct function_query *q;
	struct place **places;
	size_t n, cap;
};

static bool name_matches(const char *name, const char *wanted)
{
	return has_glob(wanted) ? !fnmatch(wanted, name, 0) : !strcmp(name, wanted);
}

/* Calls FN with each function symbol of E that is defined. */
static void each_function(const struct elf_file *e, void (*fn)(const char *name, const GElf_Sym *sym, void *data), void *data)
{
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *name = elf_symbol_name(e, i, &sym);

		if (name && *name && sym.st_value && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			fn(name, &sym, data);
	}
}

static void match_symbol(const char *name, const GElf_Sym *sym, void *data)
{
	struct symbol_search *s = data;
	struct place *p;

	if (!name_matches(name, s->q->func))
		return;
	if (s->n == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 64;
		s->places = xrealloc(s->places, s->cap * sizeof(struct place *));
	}
	p = arena_new(&program_arena, struct place);
	*p = (struct place){ .address = sym->st_value, .func = arena_strdup(&program_arena, name),
			     .symbol_address = sym->st_value, .section = ".text" };
	p->symbol = p->func;
	s->places[s->n++] = p;
}

static int by_address(const void *va, const void *vb)
{
	const struct place *a = *(struct place *const *)va, *b = *(struct place *const *)vb;
	int c = (a->address > b->address) - (a->address < b->address);

	return c ? c : strcmp(a->func, b->func);
}

struct place *target_symbol_functions(struct target *t, const struct function_query *q)
{
	struct symbol_search s = { .f = t->program, .q = q };
	struct place *first = NULL, **end = &first;

	for (int i = 0; i < s.f->n_symbols; i++)
		each_function(s.f->symbols[i], match_symbol, &s);
	if (s.n)
		qsort(s.places, s.n, sizeof(*s.places), by_address);
	for (size_t i = 0; i < s.n; i++) {
		struct place *p = s.places[i], *known;

		/* Aliases are one place. */
		if (i && s.places[i - 1]->address == p->address)
			continue;
		known = t->is_dwarf ? target_place_at(t, p->address) : NULL;
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

struct name_pass {
	void (*fn)(const char *name, void *data);
	void *data;
};

static void pass_name(const char *name, const GElf_Sym *sym, void *data)
{
	struct name_pass *np = data;

	np->fn(name, np->data);
}

void target_symbol_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	for (int i = 0; i < t->program->n_symbols; i++)
		each_function(t->program->symbols[i], pass_name, &(struct name_pass){ fn, data });
}

/* ---- a reader that knows symbols only ---- */
static struct place *symbols_functions(struct target *t, const struct function_query *q)
{
	return q->file || q->line || !q->outlined ? NULL : target_symbol_functions(t, q);
}

static const struct variable *symbols_variable(struct target *t, const struct place *p, const char *name)
{
	return NULL;
}

static const struct variable *symbols_variables(struct target *t, const struct place *p)
{
	return NULL;
}

static const struct ctype *symbols_return_type(struct target *t, const struct place *p)
{
	return NULL;
}

static const struct ctype *symbols_pointee(const struct ctype *ct)
{
	return NULL;
}

static bool symbols_member(const struct ctype *ct, const char *name, struct member *ret)
{
	return false;
}

static void symbols_members(const struct ctype *ct,
			    void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data)
{
}

static void symbols_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data)
{
}

static const struct ctype *symbols_type(struct target *t, const char *name)
{
	return NULL;
}

static uint64_t symbols_symbol(struct target *t, const char *name)
{
	for (int i = 0; i < t->program->n_symbols; i++) {
		uint64_t address = elf_symbol(t->program->symbols[i], name);

		if (address)
			return address;
	}
	return 0;
}

static bool symbols_is_global(struct target *t, const char *symbol)
{
	for (int i = 0; i < t->program->n_symbols; i++)
		if (elf_is_global(t->program->symbols[i], symbol))
			return true;
	return false;
}

static void symbols_close(struct target *t)
{
	free(t);
}

static const struct target_ops symbol_ops = {
	.close = symbols_close,
	.functions = symbols_functions,
	.function_names = target_symbol_names,
	.variable = symbols_variable,
	.variables = symbols_variables,
	.return_type = symbols_return_type,
	.pointee = symbols_pointee,
	.member = symbols_member,
	.members = symbols_members,
	.member_names = symbols_member_names,
	.type = symbols_type,
	.symbol = symbols_symbol,
	.is_global = symbols_is_global,
};

/* ---- finding debugging information ---- */
static bool has_debug(const struct elf_file *e)
{
	return elf_has_section(e, ".debug_info") || elf_has_section(e, ".zdebug_info");
}

/* The file at PATH, or in another place of it, when it holds debugging information of the build of CODE. */
static struct elf_file *try_debug(const char *path, const struct elf_file *code)
{
	const char *place;

	for (unsigned i = 0; (place = debug_place(path, i)); i++) {
		struct elf_file *e = elf_open(place);

		if (e && has_debug(e) && (!code->build_id || !e->build_id || !strcmp(code->build_id, e->build_id)))
			return e;
		elf_close(e);
	}
	return NULL;
}

/* Name in .gnu_debuglink, NULL: there is none. A name, never a path. */
static const char *debug_link(const struct elf_file *code)
{
	const void *data;
	size_t size;

	if (!elf_section(code, ".gnu_debuglink", &data, &size) || !memchr(data, 0, size) || strchr(data, '/') || !*(const char *)data)
		return NULL;
	return data;
}

static struct elf_file *find_installed(const struct elf_file *code)
{
	const char *id = code->build_id, *link = debug_link(code), *slash = strrchr(code->path, '/');
	_cleanup_free_ char *real = realpath(code->path, NULL);
	struct elf_file *e = NULL;
	const char *dir;

	if (id && strlen(id) > 2)
		e = try_debug(arena_printf(&program_arena, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2), code);
	if (e || !link || !slash)
		return e;
	slash = real ? strrchr(real, '/') : slash;
	dir = real ? arena_strndup(&program_arena, real, (size_t)(slash - real))
		   : arena_strndup(&program_arena, code->path, (size_t)(slash - code->path));
	e = try_debug(arena_printf(&program_arena, "%s/%s", dir, link), code);
	if (!e)
		e = try_debug(arena_printf(&program_arena, "%s/.debug/%s", dir, link), code);
	return e ? e : try_debug(arena_printf(&program_arena, "/usr/lib/debug%s/%s", dir, link), code);
}

static struct elf_file *find_debug(const struct elf_file *code)
{
	struct elf_file *e = find_installed(code);
	const char *path = e ? NULL : fetch_debuginfo(code->build_id);

	return path ? try_debug(path, code) : e;
}

/* The symbols that were packed into the file, for programs whose symbol table was taken away. */
static struct elf_file *open_packed(struct program_file *f)
{
	uint64_t limit = UNPACKED_MAX;
	size_t size, room, in = 0, out = 0;
	struct elf_file *e;
	const void *data;
	lzma_ret rc;

	if (!elf_section(f->code, ".gnu_debugdata", &data, &size))
		return NULL;
	for (room = 8 * size + 4096;; room *= 2) {
		f->packed = xrealloc(f->packed, room);
		in = out = 0;
		rc = lzma_stream_buffer_decode(&limit, 0, NULL, data, &in, size, (uint8_t *)f->packed, &out, room);
		if (rc != LZMA_BUF_ERROR || room > UNPACKED_MAX)
			break;
	}
	e = rc == LZMA_OK ? elf_in_memory(f->path, f->packed, out) : NULL;
	if (!e) {
		free(f->packed);
		f->packed = NULL;
	}
	return e;
}

/* ---- opening ---- */
static bool has_symtab(const struct elf_file *e)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

static int own_machine(void)
{
	struct utsname uts;

	return !uname(&uts) && !strcmp(uts.machine, "aarch64") ? EM_AARCH64 : EM_X86_64;
}

/* A machine of x86_64 runs programs of i386 too, if its kernel was built so. */
static bool machine_is_known(unsigned machine, unsigned class, bool *ret_is_32bit)
{
	*ret_is_32bit = class == ELFCLASS32;
	return class == ELFCLASS64 ? machine == (unsigned)own_machine()
				   : class == ELFCLASS32 && machine == EM_386 && own_machine() == EM_X86_64;
}

static bool is_program(const char *path, bool *ret_is_32bit)
{
	FILE *in = fopen(path, "re");
	Elf32_Ehdr eh = {};
	bool ok = in && fread(&eh, sizeof(eh), 1, in) == 1;

	if (in)
		fclose(in);
	/* The fields that are read here are at the same places in files of 64 bits. */
	return ok && !memcmp(eh.e_ident, ELFMAG, SELFMAG) && machine_is_known(eh.e_machine, eh.e_ident[EI_CLASS], ret_is_32bit) &&
	       (eh.e_type == ET_EXEC || eh.e_type == ET_DYN);
}

bool program_is_ours(const char *path)
{
	bool is_32bit = false;

	return is_program(path, &is_32bit);
}

bool program_is_native(const char *path)
{
	bool is_32bit = false;

	return is_program(path, &is_32bit) && !is_32bit;
}

bool program_is_compat(const char *path)
{
	bool is_32bit = false;

	return is_program(path, &is_32bit) && is_32bit;
}

/* Something that can be mapped and run here? */
static bool check_code_file(const struct elf_file *e, bool *ret_is_32bit, struct loc loc)
{
	GElf_Ehdr eh;

	if (!gelf_getehdr(e->elf, &eh))
		return error(loc, DIAG_NO_PROGRAM, "'%s' is a damaged ELF file", e->path);
	if (!machine_is_known(eh.e_machine, eh.e_ident[EI_CLASS], ret_is_32bit)) {
		error(loc, DIAG_NO_PROGRAM, "'%s' is a program of another architecture (ELF machine %u, %s bits)", e->path,
		      eh.e_machine, eh.e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32");
		note(loc, "only programs that the machine itself runs can be probed: of 64 bits, and on x86_64 those of i386");
		return false;
	}
	if (eh.e_type == ET_EXEC || eh.e_type == ET_DYN)
		return true;
	error(loc, DIAG_NO_PROGRAM, "'%s' is no program and no shared library", e->path);
	note(loc, eh.e_type == ET_REL ? "it is an object file: name the program that it is linked into" :
					"ELF type %u", eh.e_type);
	return false;
}

/* WHAT the file is that is not ELF: the next step depends on it. */
static bool report_not_elf(const char *path, int err, struct loc loc)
{
	struct text head = {};
	struct stat st;
	size_t len;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		error(loc, DIAG_NO_PROGRAM, "'%s' is no file", path);
		note(loc, "name the file of a program or library");
		return false;
	}
	if (err != ENOEXEC) {
		error(loc, DIAG_NO_PROGRAM, "cannot read '%s': %s", path, strerror(err));
		note(loc, "the path is that of the file that is executed, or a name to be found in PATH");
		return false;
	}
	error(loc, DIAG_NO_PROGRAM, "'%s' is not an ELF file", path);
	if (text_read_file(&head, path) && head.len > 2 && !strncmp(text_str(&head), "#!", 2)) {
		const char *s = text_str(&head) + 2;

		s += strspn(s, " \t");
		len = strcspn(s, " \t\n");
		note(loc, "it is a script: what runs is its interpreter, process(\"%.*s\")", len > 200 ? 200 : (int)len, s);
	} else {
		note(loc, "name the program itself");
	}
	text_deinit(&head);
	return false;
}

static void open_symbols(struct program_file *f, struct elf_file *debug)
{
	struct elf_file *packed;

	if (debug && has_symtab(debug))
		f->symbols[f->n_symbols++] = debug;
	f->symbols[f->n_symbols++] = f->code;
	if (f->n_symbols > 1 || has_symtab(f->code))
		return;
	packed = open_packed(f);
	if (packed)
		f->symbols[f->n_symbols++] = packed;
}

/* The target of F, whose code is open. */
static struct target *make_target(struct program_file *f, bool is_32bit)
{
	struct elf_file *debug = has_debug(f->code) ? f->code : find_debug(f->code);
	struct target *t;

	if (debug && debug != f->code)
		debug->of = f->code->path;
	t = debug ? dwarf_open(debug) : NULL;
	if (t && dwarf_split_lost(t, (struct loc){}, false)) {
		note((struct loc){}, "its functions are known by their symbols, without variables; the files are where it was "
				     "compiled with -gsplit-dwarf");
		dwarf_forget(t);
		t = NULL;
	}
	if (!t) {
		if (debug && debug != f->code)
			elf_close(debug);
		t = xmalloc(sizeof(*t));
		*t = (struct target){ .ops = &symbol_ops, .name = f->path, .build_id = f->code->build_id };
		debug = NULL;
	}
	open_symbols(f, debug != f->code ? debug : NULL);
	t->code = f->code;
	t->program = f;
	t->is_32bit = is_32bit;
	return t;
}

struct target *target_open_program(const char *path, struct loc loc)
{
	struct program_file *f;
	struct elf_file *e;
	bool is_32bit = false;

	for (f = program_files; f; f = f->next)
		if (!strcmp(f->path, path))
			return f->target;
	e = elf_open(path);
	if (!e) {
		report_not_elf(path, errno, loc);
		return NULL;
	}
	if (!check_code_file(e, &is_32bit, loc)) {
		elf_close(e);
		return NULL;
	}
	f = arena_new(&program_arena, struct program_file);
	*f = (struct program_file){ .path = arena_strdup(&program_arena, path), .code = e, .next = program_files };
	program_files = f;
	f->target = make_target(f, is_32bit);
	return f->target;
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

struct elf_file *target_elf(const struct target *t)
{
	return t->program->code;
}

bool target_file_offset(const struct target *t, uint64_t address, uint64_t *ret)
{
	Elf *elf = t->program->code->elf;
	GElf_Phdr ph;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && address >= ph.p_vaddr &&
		    address - ph.p_vaddr < ph.p_filesz) {
			*ret = address - ph.p_vaddr + ph.p_offset;
			return true;
		}
	return false;
}

bool program_tls(const struct target *t, int64_t *ret)
{
	enum { AARCH64_HEAD = 16 }; /* what is at the thread pointer */
	Elf *elf = t->program->code->elf;
	bool is_program = false, found = false;
	GElf_Ehdr header;
	GElf_Phdr ph;
	size_t n;

	if (!gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &n))
		return false;
	is_program = header.e_type == ET_EXEC;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph))
			return false;
		is_program |= ph.p_type == PT_INTERP;
		if (ph.p_type != PT_TLS || !ph.p_align || (ph.p_align & (ph.p_align - 1)))
			continue;
		found = true;
		*ret = header.e_machine == EM_AARCH64 ? (int64_t)((AARCH64_HEAD + ph.p_align - 1) & -ph.p_align)
						      : -(int64_t)((ph.p_memsz + ph.p_align - 1) & -ph.p_align);
	}
	return is_program && found;
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

struct location target_in_process(struct target *t, const struct location *l)
{
	const struct loc_object *o = object_of(t);
	struct loc_op *ops = arena_array(&program_arena, struct loc_op, (size_t)l->n_ops + 1);
	struct location moved = *l;

	if (!o)
		return (struct location){ .kind = LOC_NONE, .why = "the file has no segments" };
	for (int i = 0; i < l->n_ops; i++) {
		ops[i] = l->ops[i];
		if (ops[i].atom == LOC_OP_THREAD)
			return (struct location){ .kind = LOC_NONE, .why = "it is thread-local: a probe of the program itself can read it" };
		if (ops[i].atom == DW_OP_addr)
			ops[i] = (struct loc_op){ LOC_OP_OBJECT, (int64_t)(uintptr_t)o, l->ops[i].a };
	}
	moved.ops = ops;
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

const struct elf_file *program_symbols(const struct target *t, int i)
{
	return i < t->program->n_symbols ? t->program->symbols[i] : NULL;
}

/* ---- marks ---- */
static uint64_t symbol_of(const char *name, void *data)
{
	return target_symbol(data, name);
}

const struct sdt_mark *target_marks(struct target *t)
{
	struct elf_file *e = target_elf(t);
	struct sdt_file f = { .symbol = symbol_of, .data = t };
	struct sdt_mark *marks = NULL, **end = &marks;
	const void *data;
	GElf_Ehdr eh;
	size_t size;

	f.is_32bit = t->is_32bit;
	f.aarch64 = gelf_getehdr(e->elf, &eh) && eh.e_machine == EM_AARCH64;
	f.base = elf_section_address(e, ".stapsdt.base");
	if (elf_section(e, ".note.stapsdt", &data, &size))
		marks = sdt_read(&f, data, size);
	while (*end)
		end = &(*end)->next;
	*end = sdt_read_table(&f, e);
	return marks;
}

void program_note_install(const struct target *t, struct loc loc)
{
	const char *id = t->program->code->build_id;

	note(loc, "'%s' has no debugging information here: compile it with -g, or install the -dbgsym package that has "
	     "%s%.2s/%s%s", t->program->path, id ? "/usr/lib/debug/.build-id/" : "it", id ? id : "",
	     id ? id + 2 : "", id ? ".debug" : "");
}
