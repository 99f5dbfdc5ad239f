/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tapset index: a quick scan of the library directories finds which file defines which function, alias, global and
 * macro; a file is parsed when a name of its is needed.
 *
 * The scan knows just enough of the language to find the names at top level: it skips comments, strings, embedded C
 * and everything inside braces. A name in a %( %) branch that is not taken only means that a file is read without need.
 */
#include "translator/sema/tapset.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/map.h"
#include "lib/paths.h"
#include "lib/rows.h"
#include "lib/text.h"
#include "lib/trust.h"
#include "lib/vec.h"
#include "translator/sema/glob.h"

enum entry_kind { ENTRY_FUNCTION, ENTRY_ALIAS, ENTRY_GLOBAL, ENTRY_MACRO, ENTRY_KINDS };

struct library {
	const char *path;
	struct source *src;
	bool macros; /* .stpm */
	bool loaded;
	bool own;      /* of ktap's library */
	bool last;     /* of SystemTap's directory: only what no other file has */
	bool left_out; /* it is SystemTap's own */
};

struct entry {
	struct library *library;
	struct entry *next;
};

/* One that was read. */
struct folder {
	dev_t dev;
	ino_t ino;
	struct folder *next;
};

struct tapset {
	const struct parse_options *options;
	struct folder *folders;
	int n_files;
	bool own;       /* the files that are read now are ktap's */
	bool last;      /* the files that are read now lie in SystemTap's directory */
	bool untrusted; /* the files that are read now lie where an environment variable leads to */
	struct map entries[ENTRY_KINDS]; /* by name: a list of struct entry */
};

static struct entry *find_entries(const struct tapset *ts, enum entry_kind kind, const char *name)
{
	const struct map_row *r = map_find(&ts->entries[kind], name, 0);

	return r ? r->value : NULL;
}

static void add_entry(struct tapset *ts, enum entry_kind kind, const char *name, struct library *lib)
{
	struct map_row *r = map_add(&ts->entries[kind], name, 0);
	struct entry *e, *last = NULL;

	for (e = r->value; e; last = e, e = e->next) {
		if (e->library == lib)
			return;
		lib->left_out |= lib->last && e->library->own;
	}
	e = arena_new(&program_arena, struct entry);
	e->library = lib;
	if (last)
		last->next = e;
	else
		r->value = e;
}

/* ---- the scan ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Past white space, comments and #-comments. */
static const char *skip_blank(const char *s)
{
	for (;;) {
		while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r') /* mostly none or one: strspn() takes longer */
			s++;
		if (*s == '#' || (s[0] == '/' && s[1] == '/')) {
			s += strcspn(s, "\n");
		} else if (s[0] == '/' && s[1] == '*') {
			s = strstr(s + 2, "*/");
			if (!s)
				return "";
			s += 2;
		} else {
			return s;
		}
	}
}

static const char *skip_string(const char *s)
{
	for (s++; *s && *s != '"'; s++)
		if (*s == '\\' && s[1])
			s++;
	return *s ? s + 1 : s;
}

static const char *skip_to(const char *s, const char *end)
{
	const char *p = strstr(s, end);

	return p ? p + strlen(end) : "";
}

static const char *skip_word(const char *s)
{
	while (is_word(*s))
		s++;
	return s;
}

/* The word at S, interned; NULL when there is none. */
static const char *take_word(const char **s)
{
	const char *start = *s;

	*s = skip_word(start);
	return *s > start ? intern_n(start, (size_t)(*s - start)) : NULL;
}

/* Is the word from S to END this one? */
static bool is_this(const char *s, const char *end, const char *word)
{
	return strlen(word) == (size_t)(end - s) && !memcmp(s, word, (size_t)(end - s));
}

/* After `probe`: the dotted name, when an = or += follows: it is an alias then. */
static const char *scan_alias(struct tapset *ts, struct library *lib, const char *s)
{
	char name[256];
	size_t n = 0;

	s = skip_blank(s);
	while (is_word(*s) || *s == '.') {
		if (n < sizeof(name) - 1)
			name[n++] = *s;
		s++;
	}
	name[n] = 0;
	s = skip_blank(s);
	if ((s[0] == '=' || (s[0] == '+' && s[1] == '=')) && n)
		add_entry(ts, ENTRY_ALIAS, intern(name), lib);
	return s;
}

/* After `global`: names separated by commas, each perhaps with size and value. */
static const char *scan_globals(struct tapset *ts, struct library *lib, const char *s)
{
	for (;;) {
		const char *name;

		s = skip_blank(s);
		name = take_word(&s);
		if (!name || name == intern("function") || name == intern("global"))
			return s;
		add_entry(ts, ENTRY_GLOBAL, name, lib);
		for (;;) {
			s = skip_blank(s);
			if (*s == '"')
				s = skip_string(s);
			else if (*s && strchr("%[]=-$#@", *s)) /* $# and @1 are values too */
				s++;
			else if (isdigit((unsigned char)*s))
				take_word(&s);
			else
				break;
		}
		if (*s != ',')
			return s;
		s++;
	}
}

/* Characters that matter in a body: braces, and what may hide them. */
#define SCAN_STOPS "{}\"#/%@$"

static void scan(struct tapset *ts, struct library *lib)
{
	const char *s = lib->src->text;
	int depth = 0;

	while (*(s = skip_blank(s))) {
		const char *word = s;

		if (depth && !strchr(SCAN_STOPS, *s)) { /* most of a file is bodies */
			s += strcspn(s, SCAN_STOPS);
		} else if (*s == '"') {
			s = skip_string(s);
		} else if (s[0] == '%' && s[1] == '{') {
			s = skip_to(s, "%}");
		} else if ((*s == '$' || *s == '@') && s[1] == '#') { /* no comment */
			s += 2;
		} else if (*s == '{' || *s == '}') {
			depth += *s == '{' ? 1 : depth > 0 ? -1 : 0;
			s++;
		} else if (*s == '@' && !strncmp(s, "@define", 7)) {
			s = skip_word(s + 1);
			if (!is_this(word, s, "@define")) /* @defined */
				continue;
			s = skip_blank(s);
			word = take_word(&s);
			if (!word)
				continue;
			add_entry(ts, ENTRY_MACRO, word, lib);
			s = skip_to(s, "%(");
			s = skip_to(s, "%)");
		} else if (!is_word(*s)) {
			s++;
		} else {
			s = skip_word(s);
			if (is_this(word, s, "probe")) {
				s = scan_alias(ts, lib, s);
			} else if (is_this(word, s, "global")) {
				s = scan_globals(ts, lib, s);
			} else if (is_this(word, s, "private")) {
				/* Globals that only their file means. */
				const char *after = skip_blank(s);

				if (!strncmp(after, "global", 6))
					s = after + 6;
			} else if (is_this(word, s, "function")) {
				s = skip_blank(s);
				word = take_word(&s);
				if (word)
					add_entry(ts, ENTRY_FUNCTION, word, lib);
			}
		}
	}
}

/* ---- directories ---- */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

/* False: the tapset is one that others could change, and they can change this file; reported. */
static bool is_usable(const struct program *p, const char *path)
{
	const char *why;
	int fd = p->tapset->untrusted ? trust_open(path, &why) : 0;

	if (fd > 0)
		close(fd);
	if (fd != -EPERM)
		return true;
	warning(diag_nowhere(p->reports), DIAG_UNTRUSTED, "the library file '%s' is not used: %s", path, why);
	return false;
}

static void add_file(struct program *p, const char *path)
{
	struct library *lib;

	if (!is_usable(p, path))
		return;
	lib = arena_new(&program_arena, struct library);
	lib->path = path;
	lib->macros = ends_with(path, ".stpm");
	lib->src = source_from_file(p, path);
	if (!lib->src)
		return;
	lib->src->tapset = true;
	/* Embedded C of SystemTap's own library needs its runtime. */
	if (p->tapset->last && strstr(lib->src->text, "%{"))
		return;
	lib->own = p->tapset->own;
	lib->last = p->tapset->last;
	lib->src->order = p->tapset->n_files++;
	scan(p->tapset, lib);
}

/* The files of a directory, and how early it is read: a name is taken from the first file that has it. */
struct item {
	const char *path;
	int rank;
};

/* Below PLAIN: the more of the release its name has, the earlier. */
enum { RANK_RELEASE = 0, RANK_ARCH = 200, RANK_PLAIN = 201, RANK_NOT_OURS = -1 };

static int by_rank(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->rank != y->rank ? x->rank - y->rank : strcmp(x->path, y->path);
}

/* Directories for one architecture, as SystemTap calls it, or one kernel, 6.1.0-56-amd64, 6.1.0 or 6.1, are read for these
 * only. The kernel is looked for when there is a directory of a kernel. */
static int folder_rank(struct program *p, const char *name)
{
	static const char *const architectures[] = {
		"x86_64", "i386", "arm64", "arm", "powerpc", "s390", "mips", "riscv", "ia64", "loongarch", NULL
	};
	const struct conditions *c = p->tapset->options->conditions;
	size_t n = strlen(name);
	const char *release;

	for (const char *const *a = architectures; *a; a++)
		if (!strcmp(*a, name))
			return c && c->arch && !strcmp(c->arch, name) ? RANK_ARCH : RANK_NOT_OURS;
	if (strspn(name, "0123456789") == 0 || name[strspn(name, "0123456789")] != '.')
		return RANK_PLAIN;
	release = c && c->kernel && !strcmp(c->runtime, "kernel") ? c->kernel(c->data, true) : NULL;
	if (!release || strncmp(release, name, n) || !strchr(".-+", release[n]))
		return RANK_NOT_OURS;
	return RANK_RELEASE + (n < RANK_ARCH ? RANK_ARCH - 1 - (int)n : 0);
}

/* In SystemTap's directory: what is not left out for its names. Packages put nothing there, and much of it needs SystemTap. */
static bool is_of_systemtap(const char *name)
{
	static const char *const names[] = { "linux", "bpf", "dyninst", "java.stp", "timers.stp", NULL };

	for (const char *const *n = names; *n; n++)
		if (!strcmp(*n, name))
			return true;
	return false;
}

static void add_item(struct program *p, struct item **items, size_t *n, const char *dir, const char *name)
{
	struct item item = { arena_printf(&program_arena, "%s/%s", dir, name), RANK_PLAIN };
	struct stat st;

	if (*name == '.' || (p->tapset->last && is_of_systemtap(name)))
		return;
	if (stat(item.path, &st))
		return;
	if (ends_with(name, ".stp") || ends_with(name, ".stpm")) {
		if (!S_ISREG(st.st_mode)) /* a FIFO would be waited for */
			return;
	} else {
		if (!S_ISDIR(st.st_mode))
			return;
		item.rank = folder_rank(p, name);
		if (item.rank == RANK_NOT_OURS)
			return;
	}
	*vec_add(*items, *n) = item;
}

/* All of DIR; -errno when it cannot be read. A directory that was read before, by another name perhaps, is not read again. */
static int add_folder(struct program *p, const char *dir)
{
	struct folder *seen;
	_cleanup_free_ struct item *items = NULL;
	struct dirent *de;
	struct stat st;
	size_t n = 0;
	DIR *d = opendir(dir);

	if (!d)
		return -errno;
	if (fstat(dirfd(d), &st)) {
		int rc = -errno;

		closedir(d);
		return rc;
	}
	for (seen = p->tapset->folders; seen; seen = seen->next) {
		if (seen->dev == st.st_dev && seen->ino == st.st_ino) {
			closedir(d);
			return 0;
		}
	}
	seen = arena_new(&program_arena, struct folder);
	*seen = (struct folder){ st.st_dev, st.st_ino, p->tapset->folders };
	p->tapset->folders = seen;
	while ((de = readdir(d)))
		add_item(p, &items, &n, dir, de->d_name);
	closedir(d);
	sort_rows(items, n, by_rank);
	for (size_t i = 0; i < n; i++) {
		if (ends_with(items[i].path, ".stp") || ends_with(items[i].path, ".stpm"))
			add_file(p, items[i].path);
		else
			add_folder(p, items[i].path);
	}
	return 0;
}

/* All of the directory DIR that an environment variable leads to, which may be another user's: what others can change there is
 * not read. */
static void add_data_folder(struct program *p, const char *dir)
{
	const char *real, *why;
	int rc = trust_dir(dir, 0, &real, &why);

	if (!rc) {
		p->tapset->untrusted = true;
		add_folder(p, real);
		p->tapset->untrusted = false;
	} else if (rc == -EPERM && !access(dir, F_OK)) {
		warning(diag_nowhere(p->reports), DIAG_UNTRUSTED, "the library in '%s' is not used: %s", dir, why);
	}
}

/* SUBDIR in each directory of $XDG_DATA_DIRS. */
static void add_data_dirs(struct program *p, const char *subdir)
{
	const char *dirs = getenv("XDG_DATA_DIRS");

	dirs = dirs && *dirs ? dirs : "/usr/local/share:/usr/share";
	for (size_t n; *dirs; dirs += n + (dirs[n] == ':')) {
		n = strcspn(dirs, ":");
		if (*dirs == '/') /* by the standard others do not count */
			add_data_folder(p, arena_printf(&program_arena, "%.*s/%s", (int)n, dirs, subdir));
	}
}

/* Libraries of the user and of packages: ktap/tapset in $XDG_DATA_HOME and in each directory of $XDG_DATA_DIRS. */
static void add_data_folders(struct program *p)
{
	const char *home = getenv("XDG_DATA_HOME");

	if (home && *home)
		add_data_folder(p, arena_printf(&program_arena, "%s/ktap/tapset", home));
	else if ((home = getenv("HOME")) && *home)
		add_data_folder(p, arena_printf(&program_arena, "%s/.local/share/ktap/tapset", home));
	add_data_dirs(p, "ktap/tapset");
}

/* Packages install their libraries for SystemTap (libvirt, qemu, glib, ruby, hotspot). A file that has a name of ktap's library is
 * SystemTap's own, which needs the rest of it.
 */
static void add_last_folders(struct program *p)
{
	p->tapset->last = true;
	add_data_dirs(p, "systemtap/tapset");
	p->tapset->last = false;
}

bool tapset_index(struct program *p, const struct parse_options *po)
{
	const char **dir = p->language.include_dirs;
	bool ok = true;
	int rc;

	p->tapset = arena_new(&program_arena, struct tapset);
	p->tapset->options = po;
	for (; dir && *dir; dir++) {
		rc = add_folder(p, *dir);
		if (rc)
			ok = error(diag_nowhere(p->reports), DIAG_IO, "cannot read the tapset directory '%s': %s",
				   *dir, strerror(-rc));
	}
	add_data_folders(p);
	p->tapset->own = true;
	/* Without a library the language still works. */
	rc = add_folder(p, data_path("tapset"));
	if (rc && getenv("KTAP_TAPSET")) {
		ok = error(diag_nowhere(p->reports), DIAG_IO, "cannot read the library in '%s', which $KTAP_TAPSET names: %s",
			   data_path("tapset"), strerror(-rc));
		note(diag_nowhere(p->reports), "run: unset KTAP_TAPSET");
	}
	if (built_path("tapset"))
		add_folder(p, built_path("tapset"));
	p->tapset->own = false;
	add_last_folders(p);
	return ok;
}

int tapset_files(const struct program *p)
{
	return p->tapset ? p->tapset->n_files : 0;
}

/* ---- loading ---- */

/* The ends of the program's lists: what a file with errors appended is cut off there. */
struct ends {
	struct embedded_c **embedded;
	struct symbol **globals;
	struct function **functions;
	struct alias **aliases;
	struct probe_def **probe_defs;
};

#define LIST_END(head) ({ __typeof__(&(head)) end_ = &(head); while (*end_) end_ = &(*end_)->next; end_; })

static struct ends find_ends(struct program *p)
{
	return (struct ends){
		LIST_END(p->embedded), LIST_END(p->globals), LIST_END(p->functions),
		LIST_END(p->aliases), LIST_END(p->probe_defs),
	};
}

static void cut_ends(const struct ends *e)
{
	*e->embedded = NULL;
	*e->globals = NULL;
	*e->functions = NULL;
	*e->aliases = NULL;
	*e->probe_defs = NULL;
}

/* Errors in a library must not end a run that may not even need the broken part. */
static bool load(struct program *p, struct library *lib)
{
	struct parse_options po = *p->tapset->options;
	struct ends ends = find_ends(p);
	struct trial trial, *around;
	bool ok;

	if (lib->loaded || lib->left_out)
		return false;
	lib->loaded = true;
	po.guru = true;
	if (!lib->macros)
		tapset_macros_for(p, lib->src);
	around = trial_switch(p->reports, NULL); /* the file is read once, whoever needs it first */
	trial_begin(p->reports, &trial, TRIAL_DEMOTES);
	ok = lib->macros ? parse_macros(p, lib->src, &po) : parse_source(p, lib->src, &po);
	if (!ok) {
		note(diag_nowhere(p->reports), "the tapset file '%s' is skipped", lib->path);
		cut_ends(&ends);
	}
	trial_end(&trial);
	trial_switch(p->reports, around);
	return ok;
}

/* The files that have NAME; those of SystemTap's directory are used where no other has it. */
static bool need(struct program *p, enum entry_kind kind, const char *name)
{
	bool added = false, found = false;

	if (!p->tapset)
		return false;
	for (struct entry *e = find_entries(p->tapset, kind, name); e; e = e->next) {
		if (e->library->last && found)
			continue;
		found = true;
		added |= load(p, e->library);
	}
	return added;
}

bool tapset_parse(struct program *p, struct source *src)
{
	static const struct parse_options plain;

	return parse_source(p, src, p->tapset ? p->tapset->options : &plain);
}

bool tapset_parse_text(struct program *p, const char *name, struct text *t, struct probe_def **ret)
{
	struct source *src = source_from_text(p, name, text_keep(t));
	struct probe_def **tail = &p->probe_defs;
	bool ok;

	while (*tail)
		tail = &(*tail)->next;
	ok = tapset_parse(p, src);
	*ret = *tail;
	return ok;
}

void tapset_macros_for(struct program *p, const struct source *src)
{
	const char *s = src->text, *end = s + src->len;
	bool found;

	if (!p->tapset)
		return;
	while ((s = memchr(s, '@', (size_t)(end - s)))) {
		const char *name;

		s++;
		name = take_word(&s);
		if (!name)
			continue;
		found = false;
		for (struct entry *e = find_entries(p->tapset, ENTRY_MACRO, name); e; e = e->next) {
			if (!e->library->macros || (e->library->last && found))
				continue;
			found = true;
			if (load(p, e->library))
				tapset_macros_for(p, e->library->src);
		}
	}
}

bool tapset_need_function(struct program *p, const char *name)
{
	return need(p, ENTRY_FUNCTION, name);
}

bool tapset_need_global(struct program *p, const char *name)
{
	return need(p, ENTRY_GLOBAL, name);
}

/* Loads the files with aliases that match; LAST: those of SystemTap's directory. */
static bool need_matching(struct program *p, const char *pattern, bool last)
{
	const struct map *aliases = &p->tapset->entries[ENTRY_ALIAS];
	bool added = false;

	for (size_t i = 0; i < aliases->n; i++)
		for (struct entry *e = aliases->row[i].value; e; e = e->next)
			if (e->library->last == last && glob_dotted(pattern, aliases->row[i].name, true) && load(p, e->library))
				added = true;
	return added;
}

bool tapset_need_alias(struct program *p, const char *pattern)
{
	bool added = false;

	if (!p->tapset)
		return false;
	if (!strchr(pattern, '*')) {
		/* The whole name and each head of it. */
		for (const char *dot = pattern; dot; ) {
			dot = strchr(dot, '.');
			added |= need(p, ENTRY_ALIAS,
				      dot ? intern_n(pattern, (size_t)(dot - pattern)) : intern(pattern));
			if (dot)
				dot++;
		}
		return added;
	}
	return need_matching(p, pattern, false) || need_matching(p, pattern, true);
}

static void each_name(struct program *p, enum entry_kind kind,
		      void (*fn)(const char *name, void *data), void *data)
{
	const struct map *entries = p->tapset ? &p->tapset->entries[kind] : NULL;

	for (size_t i = 0; entries && i < entries->n; i++)
		if (entries->row[i].name[0] != '_')
			fn(entries->row[i].name, data);
}

void tapset_function_names(struct program *p, void (*fn)(const char *name, void *data), void *data)
{
	each_name(p, ENTRY_FUNCTION, fn, data);
}

void tapset_alias_names(struct program *p, void (*fn)(const char *name, void *data), void *data)
{
	each_name(p, ENTRY_ALIAS, fn, data);
}

/* ---- directories that are not read ---- */
enum { SEARCHED_MAX = 200 };

/* Adds the library files of DIR, but not those below it, which may be many: it is where a script lies. */
static void add_files_beside(struct program *p, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *de;
	struct stat st;

	while (d && (de = readdir(d)) && p->tapset->n_files < SEARCHED_MAX) {
		const char *path = arena_printf(&program_arena, "%s/%s", dir, de->d_name);

		if (ends_with(de->d_name, ".stp") && *de->d_name != '.' && !stat(path, &st) && S_ISREG(st.st_mode))
			add_file(p, path);
	}
	if (d)
		closedir(d);
}

/* Returns whether the library files that TS has define NAME, of an alias its name or the beginning of it; *RET: the file. */
static bool defines(const struct tapset *ts, enum entry_kind kind, const char *name, const char **ret)
{
	const struct entry *e = find_entries(ts, kind, intern(name));
	const char *dot = kind == ENTRY_ALIAS ? strrchr(name, '.') : NULL;

	if (e)
		*ret = e->library->path;
	return e || (dot && defines(ts, kind, arena_strndup(&program_arena, name, (size_t)(dot - name)), ret));
}

/* Adds a note of the directory, beside the script at LOC or of packages, that defines NAME and that -I would have read. */
static bool note_elsewhere(struct program *p, enum entry_kind kind, const char *name, struct loc loc)
{
	const char *slash = loc.src && loc.src->name ? strrchr(loc.src->name, '/') : NULL;
	const char *beside = slash ? arena_strndup(&program_arena, loc.src->name, (size_t)(slash - loc.src->name)) : ".";
	const char *const dirs[] = {
		beside, arena_printf(&program_arena, "%s/tapset", beside), arena_printf(&program_arena, "%s/../tapset", beside),
		"/usr/share/systemtap/tapset", "/usr/local/share/systemtap/tapset",
	};
	struct tapset *read = p->tapset;
	struct trial trial;
	const char *file;
	bool found = false;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs) && read && !found; i++) {
		struct tapset other = { .options = read->options, .folders = read->folders };

		p->tapset = &other;
		trial_begin(p->reports, &trial, TRIAL_DROPS);
		if (i)
			add_folder(p, dirs[i]);
		else
			add_files_beside(p, dirs[i]);
		trial_end(&trial);
		p->tapset = read;
		found = defines(&other, kind, name, &file);
		if (found)
			note(loc, "'%s' defines it: add -I %s", file, dirs[i]);
	}
	return found;
}

bool tapset_note_function(struct program *p, const char *name, struct loc loc)
{
	return note_elsewhere(p, ENTRY_FUNCTION, name, loc);
}

bool tapset_note_alias(struct program *p, const char *name, struct loc loc)
{
	return note_elsewhere(p, ENTRY_ALIAS, name, loc);
}
