/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens programs and libraries: finds their debugging information and their tables of symbols.
 *
 * Debugging information is in the file itself, in a file that is found by build-id or by the name in .gnu_debuglink, or on a
 * server. A file without any has its symbol table (.symtab, .dynsym, and the one that is packed in .gnu_debugdata): functions can
 * be probed, variables are not known.
 */
#include "translator/debuginfo/program.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/paths.h"
#include "lib/regular.h"
#include "translator/debuginfo/opened.h"
#include "translator/machine/machine.h"

enum { UNPACKED_MAX = 256 << 20, LINE_SHOWN = 200 };

/* ---- a reader that knows symbols only ---- */
static struct place *symbols_functions(struct target *t, const struct function_query *q)
{
	return q->file || q->line || !q->outlined ? NULL : target_symbol_functions(t, q);
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

static bool symbols_is_global(struct target *t, const struct place *p)
{
	for (int i = 0; i < t->program->n_symbols; i++)
		if (elf_is_global(t->program->symbols[i], p->symbol))
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

static struct elf_file *find_debug(struct fetch *fetch, const struct elf_file *code, struct reports *r)
{
	struct elf_file *e = find_installed(code);
	const char *path = e ? NULL : fetch_debuginfo(fetch, r, code->build_id, code->path);

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

/* A machine also runs 32-bit programs of a narrower one, if its kernel was built so. */
static bool machine_is_known(const struct machine *m, unsigned machine, unsigned class, bool *ret_is_32bit)
{
	*ret_is_32bit = class == ELFCLASS32;
	return class == ELFCLASS64 ? machine == m->elf : class == ELFCLASS32 && m->narrow && machine == m->narrow->elf;
}

static bool is_program(const char *root, const char *path, const struct machine *m, bool *ret_is_32bit)
{
	_cleanup_close_ int fd = open_regular(guest_file(root, path));
	Elf32_Ehdr eh = {};
	bool ok = fd >= 0 && read(fd, &eh, sizeof(eh)) == sizeof(eh);

	/* The fields that are read here are at the same places in files of 64 bits. */
	return ok && !memcmp(eh.e_ident, ELFMAG, SELFMAG) && machine_is_known(m, eh.e_machine, eh.e_ident[EI_CLASS], ret_is_32bit) &&
	       (eh.e_type == ET_EXEC || eh.e_type == ET_DYN);
}

bool program_is_ours(const char *root, const char *path, const struct machine *m)
{
	bool is_32bit = false;

	return is_program(root, path, m, &is_32bit);
}

bool program_is_native(const char *root, const char *path, const struct machine *m)
{
	bool is_32bit = false;

	return is_program(root, path, m, &is_32bit) && !is_32bit;
}

bool program_is_compat(const char *root, const char *path, const struct machine *m)
{
	bool is_32bit = false;

	return is_program(root, path, m, &is_32bit) && is_32bit;
}

/* Something that can be mapped and run here? */
static bool check_code_file(const struct elf_file *e, const struct machine *m, bool *ret_is_32bit, struct loc loc)
{
	GElf_Ehdr eh;

	if (!gelf_getehdr(e->elf, &eh))
		return error(loc, DIAG_NO_PROGRAM, "'%s' is a damaged ELF file", e->path);
	if (!machine_is_known(m, eh.e_machine, eh.e_ident[EI_CLASS], ret_is_32bit)) {
		error(loc, DIAG_NO_PROGRAM, "'%s' is a program of another architecture (ELF machine %u, %s bits)", e->path,
		      eh.e_machine, eh.e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32");
		note(loc, "only programs that the machine itself runs can be probed: those of %s%s%s", m->script,
		     m->narrow ? " and of " : "", m->narrow ? m->narrow->script : "");
		return false;
	}
	if (eh.e_type == ET_EXEC || eh.e_type == ET_DYN)
		return true;
	error(loc, DIAG_NO_PROGRAM, "'%s' is no program and no shared library", e->path);
	note(loc, eh.e_type == ET_REL ? "it is an object file: name the program that it is linked into" :
					"ELF type %u", eh.e_type);
	return false;
}

/* Reads the beginning of the file PATH, which may be of any size. */
static void read_head(const char *path, char *ret, size_t size)
{
	_cleanup_close_ int fd = open_regular(path);
	ssize_t n = fd < 0 ? -1 : read(fd, ret, size - 1);

	ret[n > 0 ? n : 0] = 0;
}

/* WHAT the file is that is not ELF: the next step depends on it. */
static bool report_not_elf(const char *path, int err, struct loc loc)
{
	char head[LINE_SHOWN] = "";

	if (err == EINVAL) {
		error(loc, DIAG_NO_PROGRAM, "'%s' is not a regular file", path);
		note(loc, "name the file of a program or library");
		return false;
	}
	if (err != ENOEXEC) {
		error(loc, DIAG_NO_PROGRAM, "cannot read '%s': %s", path, strerror(err));
		note(loc, "the path is that of the file that is executed, or a name to be found in PATH");
		return false;
	}
	error(loc, DIAG_NO_PROGRAM, "'%s' is not an ELF file", path);
	read_head(path, head, sizeof(head));
	if (!strncmp(head, "#!", 2)) {
		const char *s = head + 2 + strspn(head + 2, " \t");

		note(loc, "it is a script: what runs is its interpreter, process(\"%.*s\")", (int)strcspn(s, " \t\n"), s);
	} else {
		note(loc, "name the program itself");
	}
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
static struct target *make_target(struct opened *o, struct program_file *f, bool is_32bit, struct reports *r)
{
	struct elf_file *debug = has_debug(f->code) ? f->code : find_debug(&o->fetch, f->code, r);
	struct target *t;

	if (debug && debug != f->code)
		debug->of = f->code->path;
	t = debug ? dwarf_open(debug) : NULL;
	if (t && dwarf_split_lost(t, diag_nowhere(r), false)) {
		note(diag_nowhere(r), "its functions are known by their symbols, without variables; the files are where it was "
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
	t->machine = is_32bit ? o->machine->narrow : o->machine;
	t->is_32bit = is_32bit;
	return t;
}

struct target *target_open_program(struct opened *o, const char *path, struct loc loc)
{
	struct program_file *f;
	struct elf_file *e;
	bool is_32bit = false;

	for (f = o->programs; f; f = f->next)
		if (!strcmp(f->path, path))
			return f->target;
	e = elf_open(guest_file(o->guest_root, path));
	if (!e) {
		report_not_elf(path, errno, loc);
		return NULL;
	}
	if (!check_code_file(e, o->machine, &is_32bit, loc)) {
		elf_close(e);
		return NULL;
	}
	f = arena_new(&program_arena, struct program_file);
	*f = (struct program_file){ .path = arena_strdup(&program_arena, path), .code = e, .next = o->programs };
	o->programs = f;
	f->target = make_target(o, f, is_32bit, diag_reports(loc));
	return f->target;
}
