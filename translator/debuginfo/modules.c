/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of a kernel: which there are, where their files are, and opening what describes one.
 *
 * A module is named as the kernel names it (- and _ are the same) or by the path of its file, which need not be
 * installed. Its debugging information is in that file, or in another one of the same build: where distributions put
 * it, where the file's .gnu_debuglink says, or under its build-id. Without DWARF the file's own BTF serves, which builds
 * on the kernel's.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/regular.h"
#include "lib/text.h"
#include "translator/debuginfo/denied.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/opened.h"
#include "translator/debuginfo/reader.h"
#include "translator/debuginfo/store.h"
#include "translator/debuginfo/vmlinuz.h"

/* A module that was looked for, found or not: files are opened, and failures reported, once. */
struct module_memo {
	const char *written;
	struct target *target;
	struct module_memo *next;
};

/* ---- names ---- */
const char *kernel_module_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	char *s;

	if (slash)
		name = slash + 1;
	s = arena_strndup(&program_arena, name, slash || strstr(name, ".ko") ? strcspn(name, ".") : strlen(name));
	for (char *c = s; *c; c++)
		if (*c == '-')
			*c = '_';
	return s;
}

/* Calls FN with each path in modules.dep, FILE of K; true ends the walk. */
static bool each_path(const struct kernel *k, const char *file, bool (*fn)(const char *path, void *data), void *data)
{
	_cleanup_free_ char *path = xasprintf("/lib/modules/%s/%s", k->release, file);
	struct text t = {};
	bool stop = false;

	if (text_read_file(&t, path)) {
		char *s = t.buf;

		for (char *line; !stop && (line = strsep(&s, "\n"));) {
			line[strcspn(line, ":")] = 0;
			if (*line)
				stop = fn(line, data);
		}
	}
	text_deinit(&t);
	return stop;
}

struct match {
	const char *glob;
	void (*fn)(const char *name, void *data);
	void *data;
};

static bool match_path(const char *path, void *data)
{
	const struct match *m = data;
	const char *name = kernel_module_name(strchr(path, '/') ? path : arena_printf(&program_arena, "./%s", path));

	if (!fnmatch(m->glob, name, 0))
		m->fn(name, m->data);
	return false;
}

void kernel_modules(const struct kernel *k, const char *glob, void (*fn)(const char *name, void *data), void *data)
{
	struct match m = { kernel_module_name(glob), fn, data };

	each_path(k, "modules.dep", match_path, &m);
}

struct wanted {
	const char *name;
	const char *path;
};

static bool is_wanted(const char *path, void *data)
{
	struct wanted *w = data;

	if (strcmp(kernel_module_name(strchr(path, '/') ? path : arena_printf(&program_arena, "./%s", path)), w->name))
		return false;
	w->path = arena_strdup(&program_arena, path);
	return true;
}

/* PATH as modules.dep has it, from the root. */
static const char *whole_path(const struct kernel *k, const char *path)
{
	return *path == '/' ? path : arena_printf(&program_arena, "/lib/modules/%s/%s", k->release, path);
}

/* Path of the module's file; NULL: the kernel has none of that name. */
static const char *find_file(const struct kernel *k, const char *module)
{
	struct wanted w = { .name = kernel_module_name(module) };

	if (strchr(module, '/'))
		return module;
	if (!each_path(k, "modules.dep", is_wanted, &w))
		return NULL;
	return whole_path(k, w.path);
}

static bool report_unknown(const struct kernel *k, const char *module, struct loc loc)
{
	struct nearest near = { .word = kernel_module_name(module) };
	struct wanted w = { .name = kernel_module_name(module) };

	error(loc, DIAG_NO_MATCH, "kernel %s has no module '%s'", k->release, module);
	kernel_modules(k, "*", nearest_add_name, &near);
	if (each_path(k, "modules.builtin", is_wanted, &w))
		note(loc, "it is built into the kernel: kernel.function() and kernel.statement() reach it");
	else if (nearest_get(&near))
		note(loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(loc, "a module that is not installed is named by its file: module(\"/path/NAME.ko\")");
	return false;
}

/* ---- files with debugging information ---- */
/* Where the file with the DWARF of PATH may be; %d its directory, %p the whole up to .xz, %l its .gnu_debuglink. */
static const char *const debug_paths[] = {
	"/usr/lib/debug%p", "/usr/lib/debug%p.debug", "%d/%l", "%d/.debug/%l", "/usr/lib/debug%d/%l", "/usr/lib/debug/usr%p",
};

static const char *debug_path(const char *form, const char *path, const char *link)
{
	int dir = (int)(strrchr(path, '/') - path), whole = dir + (int)strcspn(path + dir, ".");
	struct text t = {};

	if (!strncmp(path + whole, ".ko", 3))
		whole += 3;
	for (; *form; form++) {
		if (*form != '%')
			text_append(&t, form, 1);
		else if (*++form == 'd')
			text_printf(&t, "%.*s", dir, path);
		else if (*form == 'p')
			text_printf(&t, "%.*s", whole, path);
		else
			text_puts(&t, link);
	}
	return text_keep(&t);
}

static bool has_dwarf(const struct elf_file *e)
{
	const void *p;
	size_t size;

	return e && elf_section(e, ".debug_info", &p, &size);
}

/* The file PATH, or one in another place of it, that has DWARF. */
static struct elf_file *open_with_dwarf(const char *path)
{
	const char *place;

	for (unsigned i = 0; (place = debug_place(path, i)); i++) {
		struct elf_file *e = elf_open(place);

		if (has_dwarf(e))
			return e;
		elf_close(e);
	}
	return NULL;
}

/* The separate file with the DWARF of KO, which is at PATH; NULL: none. */
static struct elf_file *find_separate(struct fetch *fetch, const struct elf_file *ko, const char *path, struct reports *r)
{
	const char *link = NULL, *id = ko ? ko->build_id : NULL;
	struct elf_file *e = NULL;
	const void *p;
	size_t size;

	if (ko && elf_section(ko, ".gnu_debuglink", &p, &size) && size && memchr(p, 0, size))
		link = p;
	if (id && strlen(id) > 2)
		e = open_with_dwarf(arena_printf(&program_arena, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2));
	for (size_t i = 0; i < sizeof(debug_paths) / sizeof(*debug_paths) && !e; i++)
		if (link || !strstr(debug_paths[i], "%l"))
			e = open_with_dwarf(debug_path(debug_paths[i], path, link));
	if (!e) {
		const char *fetched = fetch_debuginfo(fetch, r, id, path);

		e = fetched ? open_with_dwarf(fetched) : NULL;
	}
	return e;
}

/* ---- opening ---- */
/* The module's own file, which may be packed: then a file in memory takes its place. NULL: errno. */
static struct elf_file *open_file(const char *path)
{
	struct elf_file *e = elf_open(path);
	_cleanup_text_ struct text packed = {}, plain = {};
	_cleanup_close_ int in = -1, fd = -1;
	const char *why;

	if (e || errno != ENOEXEC)
		return e;
	in = open_regular(path);
	if (in >= 0 && !text_read_fd(&packed, in) && payload_unpack(text_str(&packed), packed.len, &plain, &why))
		fd = memory_file("module", text_str(&plain), plain.len);
	if (fd >= 0)
		e = elf_open(arena_printf(&program_arena, "/proc/self/fd/%d", fd));
	if (e)
		e->path = path;
	else
		errno = ENOEXEC;
	return e;
}

/* Build-id of the module of that name in the running kernel, NULL: it is not loaded, or another kernel is meant. */
static const char *loaded_build_id(const struct kernel *k, const char *name)
{
	_cleanup_free_ char *path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", name);
	_cleanup_text_ struct text t = {};
	const char *id = NULL;

	if (k->build_id && kernel_running_build_id() && !strcmp(k->build_id, kernel_running_build_id()) &&
	    text_read_file(&t, path))
		id = elf_build_id_of_notes(text_str(&t), t.len);
	return id;
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

/* DEBUG describes another build than what runs, or than KO? Reported. */
static bool is_stale(const struct kernel *k, const char *name, const struct elf_file *ko, const struct elf_file *debug,
		     struct loc loc)
{
	const char *loaded = loaded_build_id(k, name);

	if (ko && differ(ko->build_id, debug->build_id)) {
		error(loc, DIAG_STALE_DEBUGINFO, "%s has build-id %s, %s has %s", debug->path, debug->build_id, ko->path,
		      ko->build_id);
		note(loc, "install the debugging information of the same build");
		return true;
	}
	if (differ(loaded, debug->build_id)) {
		error(loc, DIAG_STALE_DEBUGINFO, "%s has build-id %s, the module '%s' that is loaded has %s", debug->path,
		      debug->build_id, name, loaded);
		note(loc, "load the module again, or name the file that is loaded");
		return true;
	}
	return false;
}

static void no_debuginfo(const struct kernel *k, const char *module, const char *what, struct loc loc)
{
	error(loc, DIAG_NO_DEBUGINFO, "module '%s' has no %s here", module, what);
	if (strchr(module, '/')) {
		note(loc, "build it with -g (KCFLAGS=-g), or with CONFIG_DEBUG_INFO_BTF_MODULES");
		return;
	}
	note(loc, "a probe of kprobe.module(\"%s\").function(NAME) needs none, and has no $variables", module);
	package_note(diag_reports(loc), PACKAGE_DEBUGINFO, k->release, "the kernel's debugging information");
}

/* Takes over E. */
static struct target *open_dwarf(struct elf_file *e, struct loc loc)
{
	struct target *t = elf_relocate_debug(e) ? dwarf_open(e) : NULL;

	if (!t) {
		error(loc, DIAG_NO_DEBUGINFO, "the DWARF of %s cannot be read", e->path);
		note(loc, "--debuginfo=btf does without");
		elf_close(e);
		return NULL;
	}
	return target_whole(t, loc);
}

static struct target *open_files(struct fetch *fetch, const struct kernel *k, const char *module, const char *path, enum debuginfo how,
				 struct loc loc)
{
	const char *name = kernel_module_name(module);
	struct elf_file *ko = open_file(path), *debug = NULL;
	struct target *t = NULL;
	bool stale = false;

	if (!ko && strchr(module, '/')) {
		error(loc, DIAG_NO_MATCH, "module '%s': %s", module, errno == ENOEXEC ? "not an ELF file" : regular_failure(-errno));
		note(loc, "expected the file of a module, NAME.ko");
		return NULL;
	}
	if (how != DEBUGINFO_BTF)
		debug = has_dwarf(ko) ? ko : find_separate(fetch, ko, path, diag_reports(loc));
	if (debug)
		stale = is_stale(k, name, ko, debug, loc);
	if (stale && debug != ko)
		elf_close(debug);
	if (debug && !stale)
		t = open_dwarf(debug, loc);
	else if (!debug && how != DEBUGINFO_DWARF)
		t = btf_open_module(k, ko, name);
	if (!debug && !t)
		no_debuginfo(k, module, how == DEBUGINFO_AUTO ? "DWARF and no BTF" : how == DEBUGINFO_BTF ? "BTF" : "DWARF", loc);
	if (t && !t->build_id)
		t->build_id = ko && ko->build_id ? ko->build_id : loaded_build_id(k, name);
	if (t && !t->build_id) {
		warning(loc, DIAG_STALE_DEBUGINFO, "module '%s' has no build-id, so another build of it that is loaded is not recognized", module);
		note(loc, "link it with --build-id, as kernels do (LDFLAGS_MODULE=--build-id)");
	}
	/* The reader took the file over, or open_dwarf() closed it. */
	if (debug ? debug != ko || stale : !t)
		elf_close(ko);
	return t;
}

struct target *target_open_module(struct opened *o, const struct kernel *k, const char *module, enum debuginfo how, struct loc loc)
{
	const struct reports *reports = diag_reports(loc);
	const int reported = reports->reported;
	const char *path;
	struct module_memo *m;

	for (m = k->kept->modules; m; m = m->next)
		if (!strcmp(m->written, module))
			return m->target;
	m = arena_new(&program_arena, struct module_memo);
	*m = (struct module_memo){ .written = arena_strdup(&program_arena, module), .next = k->kept->modules };
	k->kept->modules = m;
	path = find_file(k, module);
	if (path)
		m->target = open_files(&o->fetch, k, module, path, how, loc);
	else
		report_unknown(k, module, loc);
	if (m->target) {
		m->target->kernel = k;
		m->target->module = kernel_module_name(module);
		m->target->written = m->written;
	} else if (reports->reported == reported) {
		k->kept->modules = m->next; /* a failure that was not shown is shown next time */
	}
	return m->target;
}

void target_close_module(struct target *t)
{
	for (struct module_memo **m = t ? &t->kernel->kept->modules : NULL; m && *m; m = &(*m)->next) {
		if ((*m)->target != t)
			continue;
		*m = (*m)->next;
		target_close(t);
		return;
	}
}

void module_functions(struct elf_file *e, void (*fn)(const struct kernel_function *f, void *data), void *data)
{
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *section, *name = elf_symbol_name(e, i, &sym);

		if (!name || !*name || GELF_ST_TYPE(sym.st_info) != STT_FUNC || symbol_is_padding(name) || kernel_name_is_odd(name))
			continue;
		section = elf_section_at(e, sym.st_value);
		if (section)
			fn(&(struct kernel_function){ name, sym.st_value, denied_in_module(section), e }, data);
	}
}

enum module_found kernel_module_symbols(const struct kernel *k, const char *module,
					void (*fn)(const struct kernel_function *f, void *data), void *data)
{
	struct wanted w = { .name = kernel_module_name(module) };
	const char *path = find_file(k, module);
	struct elf_file *e = path ? open_file(path) : NULL;

	if (e)
		module_functions(e, fn, data);
	elf_close(e);
	if (e)
		return MODULE_INSTALLED;
	return each_path(k, "modules.builtin", is_wanted, &w) ? MODULE_BUILT_IN : MODULE_ELSEWHERE;
}

void kernel_function_anchor(const struct kernel_function *f, const char **ret_symbol, uint64_t *ret_offset)
{
	if (!elf_anchor(f->file, f->address, ret_symbol, ret_offset)) {
		*ret_symbol = f->name;
		*ret_offset = 0;
	}
	*ret_symbol = intern(*ret_symbol);
}

/* ---- modules with tracepoints ---- */
struct tracing {
	const struct kernel *k;
	struct text names; /* a line each */
};

static bool add_if_tracing(const char *path, void *data)
{
	struct tracing *t = data;
	const char *whole = whole_path(t->k, path);
	struct elf_file *e = open_file(whole);

	if (e && elf_section_address(e, "__tracepoints_strings"))
		text_printf(&t->names, "%s\n", kernel_module_name(whole));
	elf_close(e);
	return false;
}

/* Returns the names of all modules of K that have tracepoints, a line each. Where modules are packed, finding them takes seconds, so they
 * are kept. */
static const char *tracing_modules(const struct kernel *k)
{
	_cleanup_free_ char *dep = xasprintf("/lib/modules/%s/modules.dep", k->release);
	struct tracing t = { .k = k };
	const char *name, *ret;
	struct stat st;
	size_t size;
	char *kept;

	if (stat(dep, &st))
		return "";
	name = arena_printf(&program_arena, "tracing-%s-%llx-%llx.names", k->release, (unsigned long long)st.st_size,
			    (unsigned long long)st.st_mtime);
	kept = store_map(name, &size);
	if (kept) {
		ret = arena_strndup(&program_arena, kept, size);
		store_unmap(kept, size);
		return ret;
	}
	text_puts(&t.names, "\n");
	each_path(k, "modules.dep", add_if_tracing, &t);
	store_write(name, text_str(&t.names), t.names.len);
	return text_keep(&t.names);
}

bool kernel_module_traces(const struct kernel *k, const char *name)
{
	if (!k->kept->tracing)
		k->kept->tracing = tracing_modules(k);
	return strstr(k->kept->tracing, arena_printf(&program_arena, "\n%s\n", name));
}
