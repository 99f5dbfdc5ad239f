/* The tapset index: a quick scan of the library folders finds which file defines which function, alias, global and
 * macro; a file is parsed when a name of its is needed.
 *
 * The scan knows just enough of the language to find the names at top level: it skips comments, strings, embedded C
 * and everything inside braces. A name in a %( %) branch that is not taken only means that a file is read in vain.
 */
#include "translator/sema/tapset.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/base/paths.h"
#include "translator/base/text.h"
#include "translator/options.h"
#include "translator/sema/glob.h"

enum entry_kind { ENTRY_FUNCTION, ENTRY_ALIAS, ENTRY_GLOBAL, ENTRY_MACRO, ENTRY_KINDS };

struct library {
	const char *path;
	struct source *src;
	bool macros; /* .stpm */
	bool loaded;
};

struct entry {
	const char *name; /* interned */
	struct library *library;
	struct entry *next;
};

enum { BUCKETS = 1024 };

struct tapset {
	const struct parse_options *options;
	struct entry *hash[ENTRY_KINDS][BUCKETS];
};

static size_t bucket(const char *name)
{
	return ((uintptr_t)name >> 4) % BUCKETS;
}

static void add_entry(struct tapset *ts, enum entry_kind kind, const char *name, struct library *lib)
{
	struct entry *e, **slot = &ts->hash[kind][bucket(name)];

	for (e = *slot; e; e = e->next)
		if (e->name == name && e->library == lib)
			return;
	e = arena_new(&program_arena, struct entry);
	e->name = name;
	e->library = lib;
	while (*slot)
		slot = &(*slot)->next;
	*slot = e;
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
		s += strspn(s, " \t\r\n");
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

/* The word at S, interned; NULL when there is none. */
static const char *take_word(const char **s)
{
	const char *start = *s, *p = start;

	while (is_word(*p))
		p++;
	*s = p;
	return p > start ? intern_n(start, (size_t)(p - start)) : NULL;
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

/* After `global` or `private`: names separated by commas, each perhaps with size and value. */
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
			else if (*s && strchr("%[]=-", *s))
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

static void scan(struct tapset *ts, struct library *lib)
{
	const char *function = intern("function"), *probe = intern("probe"), *global = intern("global"),
		   *private_word = intern("private"), *define = intern("define"), *s = lib->src->text;
	int depth = 0;

	while (*(s = skip_blank(s))) {
		const char *word;

		if (*s == '"') {
			s = skip_string(s);
		} else if (s[0] == '%' && s[1] == '{') {
			s = skip_to(s, "%}");
		} else if (*s == '{' || *s == '}') {
			depth += *s == '{' ? 1 : depth > 0 ? -1 : 0;
			s++;
		} else if (*s == '@' && !strncmp(s, "@define", 7)) {
			s++;
			word = take_word(&s);
			s = skip_blank(s);
			word = word == define ? take_word(&s) : NULL;
			if (!word) /* @defined */
				continue;
			add_entry(ts, ENTRY_MACRO, word, lib);
			s = skip_to(s, "%(");
			s = skip_to(s, "%)");
		} else if (!is_word(*s)) {
			s++;
		} else {
			word = take_word(&s);
			if (depth)
				continue;
			if (word == probe) {
				s = scan_alias(ts, lib, s);
			} else if (word == global || word == private_word) {
				const char *after = skip_blank(s);

				if (strncmp(after, "function", 8) && strncmp(after, "global", 6))
					s = scan_globals(ts, lib, s);
			} else if (word == function) {
				s = skip_blank(s);
				word = take_word(&s);
				if (word)
					add_entry(ts, ENTRY_FUNCTION, word, lib);
			}
		}
	}
}

/* ---- folders ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

static void add_file(struct program *p, const char *path)
{
	struct library *lib = arena_new(&program_arena, struct library);

	lib->path = path;
	lib->macros = ends_with(path, ".stpm");
	lib->src = source_from_file(p, path);
	if (!lib->src)
		return;
	lib->src->tapset = true;
	scan(p->tapset, lib);
}

/* Entries of DIR in order of their names, folders after files; -errno when it cannot be read. */
static int add_folder(struct program *p, const char *dir)
{
	DIR *d = opendir(dir);
	const char **names = NULL;
	size_t n = 0;
	struct dirent *de;

	if (!d)
		return -errno;
	while ((de = readdir(d))) {
		if (de->d_name[0] == '.')
			continue;
		names = xrealloc(names, (n + 1) * sizeof(*names));
		names[n++] = arena_printf(&program_arena, "%s/%s", dir, de->d_name);
	}
	closedir(d);
	if (n)
		qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (ends_with(names[i], ".stp") || ends_with(names[i], ".stpm"))
			add_file(p, names[i]);
		else if (!stat(names[i], &st) && S_ISDIR(st.st_mode))
			add_folder(p, names[i]);
	}
	free(names);
	return 0;
}

bool tapset_index(struct program *p, const struct parse_options *po)
{
	const char **dir = p->options ? p->options->include_dirs : NULL;
	bool ok = true;

	p->tapset = arena_new(&program_arena, struct tapset);
	p->tapset->options = po;
	for (; dir && *dir; dir++) {
		int rc = add_folder(p, *dir);

		if (rc)
			ok = error((struct loc){ 0 }, DIAG_IO, "cannot read the tapset folder '%s': %s",
				   *dir, strerror(-rc));
	}
	/* Without a library the language still works; a missing function will name the folder. */
	add_folder(p, data_path("tapset"));
	if (built_path("tapset"))
		add_folder(p, built_path("tapset"));
	return ok;
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
	int errors = diag_errors;
	bool ok;

	if (lib->loaded)
		return false;
	lib->loaded = true;
	po.guru = true;
	if (!lib->macros)
		tapset_macros_for(p, lib->src);
	diag_demoted++;
	ok = lib->macros ? parse_macros(p, lib->src, &po) : parse_source(p, lib->src, &po);
	if (!ok) {
		note((struct loc){ 0 }, "the tapset file '%s' is skipped", lib->path);
		cut_ends(&ends);
	}
	diag_demoted--;
	diag_errors = errors;
	return ok;
}

static bool need(struct program *p, enum entry_kind kind, const char *name)
{
	bool added = false;

	if (!p->tapset)
		return false;
	for (struct entry *e = p->tapset->hash[kind][bucket(name)]; e; e = e->next)
		if (e->name == name && load(p, e->library))
			added = true;
	return added;
}

bool tapset_parse(struct program *p, struct source *src)
{
	static const struct parse_options plain;

	return parse_source(p, src, p->tapset ? p->tapset->options : &plain);
}

void tapset_macros_for(struct program *p, const struct source *src)
{
	const char *s = src->text, *end = s + src->len;

	if (!p->tapset)
		return;
	while ((s = memchr(s, '@', (size_t)(end - s)))) {
		const char *name;

		s++;
		name = take_word(&s);
		if (!name)
			continue;
		for (struct entry *e = p->tapset->hash[ENTRY_MACRO][bucket(name)]; e; e = e->next) {
			if (e->name != name || !e->library->macros || e->library->loaded)
				continue;
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
	for (int i = 0; i < BUCKETS; i++)
		for (struct entry *e = p->tapset->hash[ENTRY_ALIAS][i]; e; e = e->next)
			if (glob_dotted(pattern, e->name, true) && load(p, e->library))
				added = true;
	return added;
}

static void each_name(struct program *p, enum entry_kind kind,
		      void (*fn)(const char *name, void *data), void *data)
{
	if (!p->tapset)
		return;
	for (int i = 0; i < BUCKETS; i++)
		for (struct entry *e = p->tapset->hash[kind][i]; e; e = e->next)
			if (e->name[0] != '_')
				fn(e->name, data);
}

void tapset_function_names(struct program *p, void (*fn)(const char *name, void *data), void *data)
{
	each_name(p, ENTRY_FUNCTION, fn, data);
}

void tapset_alias_names(struct program *p, void (*fn)(const char *name, void *data), void *data)
{
	each_name(p, ENTRY_ALIAS, fn, data);
}
