/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that points of programs name: by path, in PATH, by a running process, by build-id, and libraries.
 *
 *	process("/path")  process("name")  process("glob*")  process("BUILD-ID")
 *	process(PID)      what that process executes, also in a container: through /proc/PID/root
 *	process           what -c or -x is about
 *	.library("name")  after them: a library that the program loads, or that the process has mapped
 *
 * A library that is empty because its functions are in the C library now stands for that.
 */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/paths.h"
#include "lib/regular.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/program.h"
#include "translator/machine/machine.h"
#include "translator/probe/process.h"

enum { BUILD_ID_DIGITS = 16, DIRS_MAX = 256, LINE_MAX_LENGTH = 4096, CONF_DEPTH = 4 };

const struct component *process_part(const struct probe_point *pp, const char *name)
{
	const struct component *c = pp->parts;

	while (c && strcmp(c->name, name))
		c = c->next;
	return c;
}

static bool has_glob_chars(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

static bool is_file(const char *root, const char *path)
{
	struct stat st;

	return !stat(guest_file(root, path), &st) && S_ISREG(st.st_mode);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* ---- a growing list of files ---- */
struct dirs {
	const char *dir[DIRS_MAX];
	int n;
};

struct files {
	struct file_search *search;
	struct process_file *first, **end;
	const char *before; /* the components before .library() */
	const char *program; /* the file that they name */
	/* Returns whether the program can load the library. NULL: libraries are not compared. */
	bool (*fits)(const char *root, const char *path, const struct machine *m);
	int pid;
};

/* Shared by the points of a program. */
struct file_search {
	const struct machine *machine;   /* of the programs */
	const char *root;                /* see guest_file() */
	struct dirs programs, libraries; /* where they are looked for; .n 0: not read yet */
	struct files empty;              /* libraries that were reported as empty */
};

static struct file_search *search_of(struct program *p)
{
	if (!p->file_search) {
		p->file_search = arena_new(&program_arena, struct file_search);
		p->file_search->machine = platform_machine(&p->platform);
		p->file_search->root = p->platform.guest_root;
		p->file_search->empty.end = &p->file_search->empty.first;
	}
	return p->file_search;
}

/* Adds the file at PATH once, as it is written there. */
static void add_path(struct files *l, const char *path)
{
	struct process_file *f;

	for (f = l->first; f; f = f->next)
		if (!strcmp(f->path, path))
			return;
	f = arena_new(&program_arena, struct process_file);
	f->path = arena_strdup(&program_arena, path);
	f->point = arena_printf(&program_arena, l->before ? "%s.library(\"%s\")" : "%sprocess(\"%s\")",
				l->before ? l->before : "", f->path);
	f->program = l->program;
	f->pid = l->pid;
	*l->end = f;
	l->end = &f->next;
}

/* Adds it by its real path. */
static void add_file(struct files *l, const char *path)
{
	const char *root = l->search->root;
	_cleanup_free_ char *real = realpath(guest_file(root, path), NULL);
	const char *name = real ? guest_name(root, real) : NULL;

	if (name && (!l->fits || l->fits(root, name, l->search->machine)))
		add_path(l, name);
}

static bool is_elf(const char *root, const char *path)
{
	_cleanup_close_ int fd = open_regular(guest_file(root, path));
	char magic[4] = "";

	return fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) && !memcmp(magic, "\177ELF", sizeof(magic));
}

/* Of several matches, those that are not OURS are passed over: libraries of other architectures, object files. When all are
 * of that kind they stay, and the first is reported.
 */
static void drop_foreign(struct files *l, bool (*ours)(const char *root, const char *path, const struct machine *m))
{
	struct process_file **end = &l->first, *next;

	if (!l->first || !l->first->next)
		return;
	for (struct process_file *f = l->first; f; f = f->next)
		if (ours(l->search->root, f->path, l->search->machine))
			break;
		else if (!f->next)
			return;
	for (struct process_file *f = l->first; f; f = next) {
		next = f->next;
		if (!ours(l->search->root, f->path, l->search->machine))
			continue;
		*end = f;
		end = &f->next;
	}
	*end = NULL;
	l->end = end;
}

/* With a wildcard, what is no program is passed over, and files of this machine that the guest has others for. */
static void add_glob(struct files *l, const char *pattern)
{
	const char *root = l->search->root;
	const char *in_guest = root && *pattern == '/' ? arena_printf(&program_arena, "%s%s", root, pattern) : NULL;
	glob_t g = {};

	if (in_guest)
		glob(in_guest, 0, NULL, &g);
	glob(pattern, in_guest ? GLOB_APPEND : 0, NULL, &g);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		const char *name = guest_name(root, g.gl_pathv[i]);

		if (is_file(root, name) && is_elf(root, name))
			add_file(l, name);
	}
	globfree(&g);
}

/* ---- directories ---- */
static void add_dir(struct dirs *d, const char *dir, size_t len)
{
	if (len && d->n < DIRS_MAX)
		d->dir[d->n++] = arena_strndup(&program_arena, dir, len);
}

static void add_dir_list(struct dirs *d, const char *list)
{
	while (list && *list) {
		size_t len = strcspn(list, ":");

		add_dir(d, list, len);
		list += len + (list[len] == ':');
	}
}

/* The directories of the dynamic linker's configuration. */
static void read_conf(struct dirs *d, const char *path, int depth)
{
	FILE *in = fopen(path, "re");
	char line[LINE_MAX_LENGTH];

	while (in && fgets(line, sizeof(line), in)) {
		char *s = line + strspn(line, " \t");

		s[strcspn(s, "#\n")] = 0;
		if (!strncmp(s, "include ", 8) && depth < CONF_DEPTH) {
			glob_t g = {};

			if (!glob(s + 8, 0, NULL, &g))
				for (size_t i = 0; i < g.gl_pathc; i++)
					read_conf(d, g.gl_pathv[i], depth + 1);
			globfree(&g);
		} else if (*s == '/') {
			add_dir(d, s, strcspn(s, " \t"));
		}
	}
	if (in)
		fclose(in);
}

static const struct dirs *program_dirs(struct file_search *s)
{
	if (!s->programs.n)
		add_dir_list(&s->programs, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	return &s->programs;
}

static const struct dirs *library_dirs(struct file_search *s)
{
	struct dirs *d = &s->libraries;

	if (!d->n) {
		const struct machine *m = s->machine;

		/* The configuration is that of this machine's libraries. */
		if (m != machine_host())
			add_dir_list(d, arena_printf(&program_arena, "/lib/%s:/usr/lib/%s", m->triplet, m->triplet));
		read_conf(d, "/etc/ld.so.conf", 0);
		add_dir_list(d, "/lib64:/usr/lib64:/lib:/usr/lib");
	}
	return d;
}

/* NAME in the directories: the first, or all that a wildcard matches. */
static void search(struct files *l, const struct dirs *d, const char *name)
{
	bool wild = has_glob_chars(name);

	for (int i = 0; i < d->n && (wild || !l->first); i++) {
		const char *path = arena_printf(&program_arena, "%s/%s", d->dir[i], name);

		if (wild)
			add_glob(l, path);
		else if (is_file(l->search->root, path))
			add_file(l, path);
	}
}

/* ---- build-ids ---- */
static bool is_build_id(const char *s)
{
	size_t n = strlen(s);

	return n >= BUILD_ID_DIGITS && n % 2 == 0 && strspn(s, "0123456789abcdefABCDEF") == n;
}

static bool has_build_id(const char *root, const char *path, const char *id)
{
	struct elf_file *e = is_elf(root, path) ? elf_open(guest_file(root, path)) : NULL;
	bool ok = e && e->build_id && !strcasecmp(e->build_id, id);

	elf_close(e);
	return ok;
}

static void search_build_id(struct files *l, const struct dirs *d, const char *id)
{
	const char *root = l->search->root;

	for (int i = 0; i < d->n && !l->first; i++) {
		DIR *dir = opendir(d->dir[i]);
		struct dirent *e;

		while (dir && !l->first && (e = readdir(dir))) {
			const char *path = arena_printf(&program_arena, "%s/%s", d->dir[i], e->d_name);

			if (is_file(root, path) && has_build_id(root, path, id))
				add_file(l, path);
		}
		if (dir)
			closedir(dir);
	}
}

/* Finds the program or library with this build-id: one in the usual directories, or else a program that runs. Any user can run a program
 * with a copied build-id. */
static void find_build_id(struct files *l, const char *id)
{
	glob_t g = {};

	search_build_id(l, program_dirs(l->search), id);
	if (!l->first)
		search_build_id(l, library_dirs(l->search), id);
	if (!l->first && !glob("/proc/[0-9]*/exe", 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc && !l->first; i++)
			if (has_build_id(l->search->root, g.gl_pathv[i], id))
				add_file(l, g.gl_pathv[i]);
	globfree(&g);
}

/* ---- process() ---- */
static void suggest_programs(struct nearest *near, const struct dirs *d)
{
	for (int i = 0; i < d->n; i++) {
		DIR *dir = opendir(d->dir[i]);
		struct dirent *e;

		while (dir && (e = readdir(dir)))
			nearest_add(near, arena_strdup(&program_arena, e->d_name));
		if (dir)
			closedir(dir);
	}
}

static void report_no_file(const char *name, struct loc loc, const struct dirs *d, const char *where)
{
	struct nearest near = { .word = name };

	if (strchr(name, '/')) {
		error(loc, DIAG_NO_PROGRAM, "'%s': %s", name, has_glob_chars(name) ? "no program matches" : strerror(errno));
		note(loc, "a relative path begins at the current directory; a name without '/' is looked for in PATH first");
		return;
	}
	error(loc, DIAG_NO_PROGRAM, "there is no '%s' in %s", name, where);
	suggest_programs(&near, d);
	if (nearest_get(&near))
		note(loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(loc, "name it with its path");
}

/* Is PATTERN a name in the directories where libraries are on systems that have one directory for each size of word? */
static bool is_library_pattern(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	size_t usr = strncmp(pattern, "/usr/", 5) ? 0 : strlen("/usr");

	return !strncmp(pattern + usr, "/lib", 4) && strchr(pattern + usr + 1, '/') == slash;
}

static bool has_own(const struct files *l)
{
	const struct process_file *f = l->first;

	while (f && !program_is_native(l->search->root, f->path, l->search->machine))
		f = f->next;
	return f != NULL;
}

/* Scripts say "/usr/lib*" or "/lib64" for the directory of libraries. Where that is /usr/lib/x86_64-linux-gnu the dynamic linker
 * knows it. */
static void find_elsewhere(struct files *l, const char *pattern)
{
	struct files known = { .search = l->search, .end = &known.first, .before = l->before, .program = l->program };

	if (has_own(l) || !is_library_pattern(pattern))
		return;
	search(&known, library_dirs(l->search), strrchr(pattern, '/') + 1);
	for (const struct process_file *f = known.first; f; f = f->next)
		add_path(l, f->path);
}

/* HERE: a bare name that PATH does not have may be a file of the current directory. */
static void find_program(struct files *l, const char *name, bool here)
{
	if (strchr(name, '/') && has_glob_chars(name)) {
		add_glob(l, name);
		find_elsewhere(l, name);
	} else if (strchr(name, '/')) {
		if (is_directory(name)) {
			errno = EISDIR;
			return;
		}
		add_file(l, name);
		find_elsewhere(l, name);
	} else {
		search(l, program_dirs(l->search), name);
		if (!l->first && here && is_file(l->search->root, name))
			add_file(l, name);
		if (!l->first)
			search(l, library_dirs(l->search), name);
		if (!l->first && is_build_id(name))
			find_build_id(l, name);
	}
}

static void note_path(struct loc loc)
{
	note(loc, "process(\"PATH\") probes a program whenever it runs");
}

struct process_file *process_by_id(long long pid, struct loc loc)
{
	struct process_file *f = arena_new(&program_arena, struct process_file);

	if (pid < 1 || pid > 4 * 1024 * 1024 || access(arena_printf(&program_arena, "/proc/%lld", pid), F_OK) < 0) {
		error(loc, DIAG_NO_PROGRAM, "there is no process %lld", pid);
		note_path(loc);
		return NULL;
	}
	f->path = arena_printf(&program_arena, "/proc/%lld/exe", pid);
	f->point = arena_printf(&program_arena, "process(%lld)", pid);
	f->pid = (int)pid;
	return f;
}

static bool add_pid(struct files *l, long long pid, struct loc loc)
{
	struct process_file *f = process_by_id(pid, loc);
	char target[LINE_MAX_LENGTH];

	if (!f)
		return false;
	if (readlink(f->path, target, sizeof(target)) < 0) {
		error(loc, DIAG_NO_PROGRAM, "the program of process %lld cannot be read: %s", pid,
		      errno == ENOENT ? "it has none" : strerror(errno));
		note_path(loc);
		return false;
	}
	*l->end = f;
	l->end = &f->next;
	return true;
}

/* `process` alone: the program of -c or -x. */
static bool add_target(struct files *l, const struct session *o, struct loc loc)
{
	const char *s = o->command ? o->command + strspn(o->command, " \t") : NULL;

	if (o->target > 0)
		return add_pid(l, o->target, loc);
	if (!s) {
		error(loc, DIAG_NO_PROGRAM, "'process' without a path means the program of -c or -x, and neither is given");
		note(loc, "add -c COMMAND or -x PID to the command line, or name the program: process(\"PATH\")");
		return false;
	}
	s = arena_strndup(&program_arena, s, strcspn(s, " \t"));
	find_program(l, s, false);
	if (!l->first)
		report_no_file(s, loc, program_dirs(l->search), "PATH");
	return l->first != NULL;
}

/* ---- library() ---- */
/* The file that process PID knows as PATH. In a mount namespace of its own that is another than ours. */
static void add_of_process(struct files *l, int pid, const char *path)
{
	const char *theirs = arena_printf(&program_arena, "/proc/%d/root%s", pid, path);
	struct stat ours, st;

	if (stat(theirs, &st) || !S_ISREG(st.st_mode))
		return;
	if (!stat(path, &ours) && ours.st_dev == st.st_dev && ours.st_ino == st.st_ino)
		add_path(l, arena_strdup(&program_arena, path));
	else
		add_path(l, theirs);
}

/* The mapped files of process PID whose name or path matches NAME. */
static void add_mapped(struct files *l, int pid, const char *name)
{
	FILE *in = fopen(arena_printf(&program_arena, "/proc/%d/maps", pid), "re");
	char line[LINE_MAX_LENGTH];

	while (in && fgets(line, sizeof(line), in)) {
		char *path = strchr(line, '/'), *base;

		if (!path)
			continue;
		path[strcspn(path, "\n")] = 0;
		base = strrchr(path, '/') + 1;
		if (!fnmatch(name, strchr(name, '/') ? path : base, 0))
			add_of_process(l, pid, path);
	}
	if (in)
		fclose(in);
}

/* The dynamic section of a program: the directories of its libraries, and the names of those it needs. */
struct needs {
	struct dirs dirs;
	struct dirs names;
};

static void read_dynamic(struct needs *l, const struct elf_file *e, const char *path, const GElf_Dyn *dyn, size_t strings)
{
	const char *s = elf_strptr(e->elf, strings, dyn->d_un.d_val), *slash = strrchr(path, '/'), *origin;

	if (!s)
		return;
	if (dyn->d_tag == DT_NEEDED) {
		add_dir(&l->names, s, strlen(s));
		return;
	}
	origin = strstr(s, "$ORIGIN");
	if (origin && slash)
		s = arena_printf(&program_arena, "%.*s%.*s%s", (int)(origin - s), s, (int)(slash - path), path,
				 origin + strlen("$ORIGIN"));
	add_dir_list(&l->dirs, s);
}

static struct needs read_needs(const char *root, const char *path)
{
	struct elf_file *e = elf_open(guest_file(root, path));
	struct needs l = {};
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (e && (scn = elf_nextscn(e->elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNAMIC ? elf_getdata(scn, NULL) : NULL;
		GElf_Dyn dyn;

		for (int i = 0; data && gelf_getdyn(data, i, &dyn); i++)
			if (dyn.d_tag == DT_RUNPATH || dyn.d_tag == DT_RPATH || dyn.d_tag == DT_NEEDED)
				read_dynamic(&l, e, path, &dyn, sh.sh_link);
	}
	elf_close(e);
	return l;
}

/* Separates the libraries that the program at PATH can load from those of other programs. */
static bool (*same_class(const struct file_search *s, const char *path))(const char *root, const char *path, const struct machine *m)
{
	return program_is_native(s->root, path, s->machine) ? program_is_native :
	       program_is_ours(s->root, path, s->machine) ? program_is_compat : NULL;
}

/* The first file called NAME in the directories that a program names and in those of all libraries. */
static const struct process_file *find_library(struct file_search *s, const struct needs *own,
					       bool (*fits)(const char *root, const char *path, const struct machine *m),
					       const char *name)
{
	struct files l = { .search = s, .end = &l.first, .fits = fits };

	search(&l, &own->dirs, name);
	if (!l.first)
		search(&l, library_dirs(s), name);
	return l.first;
}

/* Adds to LOADED what the program at PATH loads when it starts, and what that loads. */
static void add_loaded(struct files *loaded, const char *path)
{
	const struct process_file *next = NULL;
	bool (*fits)(const char *root, const char *path, const struct machine *m) = same_class(loaded->search, path);

	do {
		struct needs own = read_needs(loaded->search->root, next ? next->path : path);

		for (int i = 0; i < own.names.n; i++) {
			const struct process_file *f = find_library(loaded->search, &own, fits, own.names.dir[i]);

			if (f)
				add_path(loaded, f->path);
		}
		next = next ? next->next : loaded->first;
	} while (next);
}

/* With a wildcard, of the libraries that the program loads when it starts; when none matches, of all. */
static void add_libraries(struct files *l, const char *path, const char *name)
{
	struct needs own = read_needs(l->search->root, path);
	struct files loaded = { .search = l->search, .end = &loaded.first };
	bool found = false;

	if (has_glob_chars(name))
		add_loaded(&loaded, path);
	for (const struct process_file *f = loaded.first; f; f = f->next)
		if (!fnmatch(name, strrchr(f->path, '/') + 1, 0)) {
			add_path(l, f->path);
			found = true;
		}
	if (found)
		return;
	l->fits = same_class(l->search, path);
	search(l, &own.dirs, name);
	if (!l->first || has_glob_chars(name))
		search(l, library_dirs(l->search), name);
	/* A file that is not a library gets its own message. */
	l->fits = NULL;
	if (!l->first)
		search(l, library_dirs(l->search), name);
}

static struct process_file *libraries(struct resolve *r, const struct process_file *programs, const struct node *arg)
{
	struct files l = { .search = search_of(r->program), .end = &l.first };

	for (const struct process_file *f = programs; f; f = f->next) {
		l.before = f->point;
		l.program = f->path;
		l.pid = f->pid;
		if (f->pid) {
			add_mapped(&l, f->pid, arg->text);
		} else if (strchr(arg->text, '/')) {
			if (has_glob_chars(arg->text))
				add_glob(&l, arg->text);
			else
				add_file(&l, arg->text);
			find_elsewhere(&l, arg->text);
		} else {
			add_libraries(&l, f->path, arg->text);
		}
	}
	drop_foreign(&l, program_is_ours);
	if (!l.first && !r->point->optional)
		report_no_file(arg->text, arg->loc, library_dirs(l.search), programs->pid ? "the memory of that process" :
			       "the directories of libraries");
	return l.first;
}

/* ---- libraries that the C library took in ---- */
enum { STUB_MAX = 256 * 1024 }; /* arm64 puts 64 KiB between code and data */

/* Does E define functions, all of them there only to bear the versions of those that were in it? */
static bool has_placeholders_only(const struct elf_file *e)
{
	static const char tail[] = "_version_placeholder";
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int n = 0;

	while ((scn = elf_nextscn(e->elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM ? elf_getdata(scn, NULL) : NULL;
		GElf_Sym sym;

		for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
			const char *name = elf_strptr(e->elf, sh.sh_link, sym.st_name);
			size_t len = name ? strlen(name) : 0;

			if (sym.st_shndx == SHN_UNDEF || GELF_ST_TYPE(sym.st_info) != STT_FUNC)
				continue;
			if (len < sizeof(tail) || strcmp(name + len - (sizeof(tail) - 1), tail))
				return false;
			n++;
		}
	}
	return n > 0;
}

/* Since glibc 2.34, libpthread.so.0 and similar libraries are files without code that need libc.so.6, which has theirs. The C library
 * of such a file: in its directory, or where libraries are; NULL: PATH is not such a file. */
static const char *library_behind(struct file_search *s, const char *path)
{
	const char *slash = strrchr(path, '/'), *beside, *libc = NULL;
	struct needs own;
	struct elf_file *e;
	struct stat st;
	bool empty;

	if (!slash || stat(guest_file(s->root, path), &st) || st.st_size > STUB_MAX || !is_elf(s->root, path))
		return NULL;
	e = elf_open(guest_file(s->root, path));
	empty = e && has_placeholders_only(e);
	elf_close(e);
	if (!empty)
		return NULL;
	own = read_needs(s->root, path);
	for (int i = 0; i < own.names.n && !libc; i++)
		if (!strncmp(own.names.dir[i], "libc.so", strlen("libc.so")))
			libc = own.names.dir[i];
	if (!libc)
		return NULL;
	beside = arena_printf(&program_arena, "%.*s/%s", (int)(slash - path), path, libc);
	if (!is_file(s->root, beside)) {
		const struct process_file *f = find_library(s, &own, same_class(s, path), libc);

		return f ? f->path : NULL;
	}
	return beside;
}

/* F stands for LIBC now. */
static void put_behind(struct process_file *f, const char *libc, bool library)
{
	static const char tail[] = ".library(\"\")";

	if (library) {
		size_t before = strlen(f->point) - strlen(f->path) - (sizeof(tail) - 1);

		f->point = arena_printf(&program_arena, "%.*s.library(\"%s\")", (int)before, f->point, libc);
	} else {
		f->point = arena_printf(&program_arena, "process(\"%s\")", libc);
	}
	f->path = libc;
}

static bool said_before(struct file_search *s, const char *path)
{
	for (const struct process_file *f = s->empty.first; f; f = f->next)
		if (!strcmp(f->path, path))
			return true;
	add_path(&s->empty, path);
	return false;
}

/* Files whose code is in the C library are replaced by it; one that is among FILES anyway needs no telling. */
static struct process_file *with_code(struct file_search *s, struct process_file *files, bool library, struct loc loc)
{
	for (struct process_file **fp = &files, *f; (f = *fp);) {
		const char *libc = f->pid && !library ? NULL : library_behind(s, f->path), *stub = f->path;
		const struct process_file *other = files;

		while (libc && other && strcmp(other->path, libc))
			other = other->next;
		if (libc && other) {
			*fp = f->next;
			continue;
		}
		if (libc) {
			put_behind(f, libc, library);
			if (!said_before(s, stub))
				warning(loc, DIAG_NO_PROGRAM, "%s is empty: %s has its functions and is probed in its place", stub, libc);
		}
		fp = &f->next;
	}
	return files;
}

struct process_file *process_files(struct resolve *r, bool *ret_optional)
{
	const struct component *c = r->point->parts, *library = process_part(r->point, "library"),
			       *statement = process_part(r->point, "statement");
	struct files l = { .search = search_of(r->program), .end = &l.first };
	struct trial trial = { 0 };

	*ret_optional = r->point->optional;
	if (r->point->optional)
		trial_begin(r->program->reports, &trial, TRIAL_DROPS);
	if (!c->arg) {
		add_target(&l, &r->program->session, c->loc);
	} else if (c->arg->kind == ND_NUM) {
		add_pid(&l, c->arg->num, c->arg->loc);
	} else {
		find_program(&l, c->arg->text, true);
		drop_foreign(&l, program_is_ours);
		/* Where a path does not decide and both exist, the 64-bit one is taken. */
		if (!strchr(c->arg->text, '/') || is_library_pattern(c->arg->text))
			drop_foreign(&l, program_is_native);
		if (!l.first)
			report_no_file(c->arg->text, c->arg->loc, program_dirs(l.search), "PATH");
	}
	trial_end(&trial);
	if (l.first && library)
		l.first = libraries(r, l.first, library->arg);
	/* Addresses are those of the file that is named. */
	if (statement && statement->arg && statement->arg->kind == ND_NUM)
		return l.first;
	return with_code(l.search, l.first, library != NULL, library ? library->arg->loc : c->loc);
}
