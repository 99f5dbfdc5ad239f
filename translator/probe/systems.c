/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Systems of tracepoints, from the text of the kernel's headers.
 *
 * Debugging information names tracepoints but not their systems. The headers do: `#define TRACE_SYSTEM sched`, then
 * TRACE_EVENT(sched_switch, ...), DEFINE_EVENT(class, name, ...) and macros of the subsystem's own. What counts as a
 * tracepoint is said elsewhere, so of those any word that stands as first or second argument is remembered, and believed
 * when no macro of the first kinds has the word. Some two hundred files, about 10 ms.
 */
#include "translator/probe/systems.h"

#include <ctype.h>
#include <glob.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/debuginfo/kernel.h"

/* Below the build tree, and below the tree of shared headers that its Makefile includes. */
static const char *const header_globs[] = {
	"include/trace/events/*.h", "include/ras/*_event.h", "arch/*/include/asm/trace/*.h",
	"arch/*/include/asm/*-trace.h", NULL,
};

struct named {
	const char *name;   /* interned */
	const char *system;
	bool guess;         /* the macro is not one that is known to define a tracepoint */
};

/* Macros by the start of their name, and which argument is the tracepoint: 1, 2, or 0 for none. */
static const struct {
	const char *start;
	int argument;
} macros[] = {
	{ "TRACE_EVENT", 1 }, { "DECLARE_TRACE", 1 }, { "DEFINE_EVENT", 2 }, { "DECLARE_EVENT_CLASS", 0 },
};

/* What the headers of a kernel say. */
struct trace_systems {
	struct named *names;         /* sorted by name, as pointers */
	size_t n;
	const char **systems;
	size_t n_systems;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void add_name(struct trace_systems *known, const char *name, size_t len, const char *suffix, const char *system, bool guess)
{
	_cleanup_free_ char *whole = xasprintf("%.*s%s", (int)len, name, suffix);

	*vec_add(known->names, known->n) = (struct named){ intern(whole), system, guess };
}

static void add_system(struct trace_systems *known, const char *system)
{
	for (size_t i = 0; i < known->n_systems; i++)
		if (known->systems[i] == system)
			return;
	*vec_add(known->systems, known->n_systems) = system;
}

static const char *skip_space(const char *s)
{
	return s + strspn(s, " \t\n\\");
}

/* The first two arguments at S, after the bracket, as far as they are words. */
static void read_arguments(struct trace_systems *known, const char *macro, const char *s, const char *system)
{
	int wanted = -1;

	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++)
		if (!strncmp(macro, macros[i].start, strlen(macros[i].start)))
			wanted = macros[i].argument;
	for (int i = 1; i <= 2; i++) {
		size_t len = 0;

		s = skip_space(s);
		while (is_word(s[len]))
			len++;
		if (!len)
			return;
		if (wanted < 0 || wanted == i)
			add_name(known, s, len, "", system, wanted < 0);
		/* On newer kernels DECLARE_TRACE(name, ...) defines the tracepoint name_tp. */
		if (!strncmp(macro, "DECLARE_TRACE", 13))
			add_name(known, s, len, "_tp", system, false);
		/* x86 makes two of each name. */
		if (!strncmp(macro, "DEFINE_IRQ_VECTOR_EVENT", 23)) {
			add_name(known, s, len, "_entry", system, false);
			add_name(known, s, len, "_exit", system, false);
		}
		s = skip_space(s + len);
		if (*s != ',')
			return;
		s++;
	}
}

/* One line: a macro call at its start, or the name of the system. */
static void read_line(struct trace_systems *known, const char *s, const char **system)
{
	static const char define[] = "#define TRACE_SYSTEM ", undef[] = "#undef TRACE_SYSTEM";
	size_t len = 0;

	if (!strncmp(s, define, sizeof(define) - 1)) {
		s += sizeof(define) - 1;
		s += strspn(s, " \t");
		while (is_word(s[len]))
			len++;
		*system = len ? intern_n(s, len) : NULL;
		if (*system)
			add_system(known, *system);
		return;
	}
	if (!strncmp(s, undef, sizeof(undef) - 1))
		*system = NULL;
	while (isupper((unsigned char)s[len]) || isdigit((unsigned char)s[len]) || s[len] == '_')
		len++;
	if (len && s[len] == '(' && *system)
		read_arguments(known, s, s + len + 1, *system);
}

static void read_header(struct trace_systems *known, const char *path)
{
	_cleanup_text_ struct text t = {};
	const char *system = NULL;

	if (text_read_file(&t, path))
		for (const char *s = text_str(&t); s; s = strchr(s, '\n')) {
			s += *s == '\n';
			read_line(known, s, &system);
		}
}

static void read_tree(struct trace_systems *known, const char *dir)
{
	for (const char *const *pattern = header_globs; *pattern; pattern++) {
		_cleanup_free_ char *all = xasprintf("%s/%s", dir, *pattern);
		glob_t found = {};

		if (!glob(all, 0, NULL, &found))
			for (size_t i = 0; i < found.gl_pathc; i++)
				read_header(known, found.gl_pathv[i]);
		globfree(&found);
	}
}

/* Debian's headers of a flavour, and build trees outside the sources, are a Makefile of one line: `include TREE/Makefile`.
 * NULL: this one is not. */
static char *included_tree(const char *dir)
{
	_cleanup_free_ char *path = xasprintf("%s/Makefile", dir);
	_cleanup_text_ struct text t = {};
	const char *line;
	char *tree = NULL;

	if (text_read_file(&t, path) && t.len < 4096) {
		line = strstr(text_str(&t), "include /");
		if (line) {
			line += strlen("include ");
			tree = xasprintf("%.*s", (int)strcspn(line, " \t\n"), line);
			if (strrchr(tree, '/'))
				*strrchr(tree, '/') = 0;
		}
	}
	return tree;
}

/* Known systems before guessed ones; of equals, the first in the alphabet, so that every run agrees. */
static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->guess != y->guess ? x->guess - y->guess : strcmp(x->system, y->system);
}

/* Returns the systems of K, read once. */
static const struct trace_systems *systems_of(const struct kernel *k)
{
	struct trace_systems *known = k->kept->systems;
	_cleanup_free_ char *tree = NULL;

	if (known)
		return known;
	known = k->kept->systems = arena_new(&program_arena, struct trace_systems);
	if (!k->build_dir)
		return known;
	read_tree(known, k->build_dir);
	tree = included_tree(k->build_dir);
	if (tree)
		read_tree(known, tree);
	sort_rows(known->names, known->n, by_name);
	return known;
}

const char *trace_system(const struct kernel *k, const char *name)
{
	const struct trace_systems *known = systems_of(k);
	const struct named first = { .name = name, .system = "" };
	size_t lo = rows_before(&first, known->names, known->n, sizeof(*known->names), by_name);

	return lo < known->n && known->names[lo].name == name ? known->names[lo].system : NULL;
}

void trace_system_names(const struct kernel *k, void (*fn)(const char *system, void *data), void *data)
{
	const struct trace_systems *known = systems_of(k);

	for (size_t i = 0; i < known->n_systems; i++)
		fn(known->systems[i], data);
}
