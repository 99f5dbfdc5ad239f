/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of C++ and Rust by the names that c++filt(1) shows.
 *
 *	S::get  ns::S::get  ns::S::get(int)  get(char const*)  get(const char *)  biggest  biggest<int>  (anonymous namespace)::f
 *
 * Scopes may be left out from the left, and so may the parameters, what follows these, and the arguments of a template at the end.
 * Wildcards stand for any part. Spaces do not count, nor does where a const stands, nor "::" before the types of a generic
 * function of Rust: pay::<i32> and pay<i32> are the same.
 */
#include "translator/probe/cplus.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "runtime/demangler.h"
#include "translator/base/arena.h"
#include "translator/base/text.h"
#include "translator/base/vec.h"
#include "translator/probe/query.h"

static const char unnamed[] = "(anonymous namespace)";

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* S without the spaces that nothing needs. */
static char *without_spaces(const char *s)
{
	char *copy = arena_strdup(&program_arena, s), *to = copy;

	for (const char *p = s; *p; p++)
		if (!strncmp(p, "::<", 3))
			p++;
		else if (*p != ' ' || (to > copy && is_word(p[1]) && (is_word(to[-1]) || strchr(">*&", to[-1]))) ||
		    !strncmp(p, " namespace)", 11))
			*to++ = *p;
	*to = 0;
	return copy;
}

/* Past the operator at S, whose name may hold brackets: "operator()", "operator<<". */
static const char *skip_operator(const char *s)
{
	s += strlen("operator");
	if (!strncmp(s, "()", 2))
		return s + 2;
	while (*s && strchr("<>=+-*/%^&|!~,[]", *s))
		s++;
	return s;
}

/* Where the parameters of a name begin; its end when it has none. *RET_NAME: where the function's own name begins, *RET_TYPE: where
 * the name with its scopes begins, after the type that a template returns. */
static const char *find_parameters(const char *s, const char **ret_name, const char **ret_type)
{
	const char *start = s;
	int depth = 0;

	*ret_name = *ret_type = s;
	while (*s) {
		if (!strncmp(s, unnamed, sizeof(unnamed) - 1)) {
			s += sizeof(unnamed) - 1;
			continue;
		}
		if (!strncmp(s, "operator", 8) && (s == start || !is_word(s[-1])) && !is_word(s[8])) {
			s = skip_operator(s);
			continue;
		}
		if (*s == '(' && !depth)
			break;
		depth += (*s == '<' || *s == '(') - (*s == '>' || *s == ')');
		if (!depth && !strncmp(s, "::", 2))
			*ret_name = s + 2;
		if (!depth && *s == ' ')
			*ret_name = *ret_type = s + 1;
		s++;
	}
	return s;
}

/* "const char*" as c++filt writes it, "char const*", for each parameter. */
static const char *const_behind(const char *s)
{
	const char *name, *type, *p = find_parameters(s, &name, &type);
	struct text t = {};
	const char *ret;

	text_append(&t, s, (size_t)(p - s));
	while (*p) {
		bool moves = (*p == '(' || *p == ',') && !strncmp(p + 1, "const ", 6);

		text_append(&t, p, 1);
		p++;
		if (!moves)
			continue;
		p += strlen("const ");
		while (*p && !strchr("*&,)", *p))
			text_append(&t, p++, 1);
		text_puts(&t, " const");
	}
	ret = arena_strdup(&program_arena, text_str(&t));
	text_deinit(&t);
	return ret;
}

static bool is_wild(const char *s)
{
	return strpbrk(s, "*?") != NULL;
}

/* Is WANTED the name S, or its end after a scope? */
static bool matches_end(const char *wanted, const char *s)
{
	size_t n = strlen(wanted), len = strlen(s);

	if (is_wild(wanted))
		return !fnmatch(wanted, s, FNM_NOESCAPE) || !fnmatch(arena_printf(&program_arena, "*::%s", wanted), s, FNM_NOESCAPE);
	if (n > len || strcmp(s + len - n, wanted))
		return false;
	return n == len || (len - n >= 2 && !strncmp(s + len - n - 2, "::", 2));
}

/* NAME up to END, without the arguments of a template at its end. */
static const char *without_arguments(const char *name, const char *own, const char *end)
{
	const char *angle = memchr(own, '<', (size_t)(end - own));

	if (!strncmp(own, "operator", 8) || !angle)
		angle = end;
	return arena_strndup(&program_arena, name, (size_t)(angle - name));
}

bool cplus_matches(const char *wanted, const char *whole)
{
	const char *name, *type, *own, *parameters, *rest, *short_name;

	wanted = const_behind(without_spaces(wanted));
	whole = without_spaces(whole);
	if (matches_end(wanted, whole))
		return true;
	parameters = find_parameters(whole, &own, &type);
	short_name = without_arguments(type, own, parameters);
	rest = strrchr(parameters, ')');
	rest = rest ? rest + 1 : parameters;
	name = arena_strndup(&program_arena, type, (size_t)(rest - type));
	return matches_end(wanted, name) || matches_end(wanted, arena_strndup(&program_arena, type, (size_t)(parameters - type))) ||
	       matches_end(wanted, short_name) ||
	       matches_end(wanted, arena_printf(&program_arena, "%s%.*s", short_name, (int)(rest - parameters), parameters));
}

/* ---- looking for them ---- */
struct search {
	const char *wanted;
	struct target *t;
	struct place *first, **end;
	const char **names; /* that matched, interned */
	size_t n;
};

static bool is_known(const struct search *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->names[i] == name)
			return true;
	return false;
}

/* Constructors have two names at one address. */
static bool has_address(const struct search *s, uint64_t address)
{
	const struct place *p = s->first;

	while (p && p->address != address)
		p = p->next;
	return p;
}

static void add_places(struct search *s, const char *mangled)
{
	struct function_query q = { .func = mangled, .outlined = true };

	for (struct place *p = target_symbol_functions(s->t, &q), *next; p; p = next) {
		struct place *described = target_has_lines(s->t) ? function_at(s->t, p->address) : NULL;

		next = p->next;
		p->next = NULL;
		if (described && described->address == p->address)
			p = described;
		if (has_address(s, p->address))
			continue;
		*s->end = p;
		s->end = &p->next;
	}
}

static void look_at(const char *mangled, void *data)
{
	struct search *s = data;
	char *whole;

	if ((strncmp(mangled, "_Z", 2) && strncmp(mangled, "_R", 2)) || strchr(mangled, '.') || strpbrk(mangled, "*?["))
		return;
	whole = demangle_name(mangled);
	if (whole && cplus_matches(s->wanted, whole) && !is_known(s, intern(mangled))) {
		*vec_add(s->names, s->n) = intern(mangled);
	}
	free(whole);
}

struct place *cplus_functions(struct target *t, const char *wanted)
{
	struct search s = { .wanted = wanted, .t = t };

	s.end = &s.first;
	target_symbol_names(t, look_at, &s);
	for (size_t i = 0; i < s.n; i++)
		add_places(&s, s.names[i]);
	free(s.names);
	return s.first;
}
