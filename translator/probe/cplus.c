/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of C++ and Rust by the names that c++filt(1) shows.
 *
 *	S::get  ns::S::get  ns::S::get(int)  get(char const*)  get(const char *)  biggest  biggest<int>  (anonymous namespace)::f
 *
 * Scopes may be left out from the left, and so may the parameters, what follows these, and the arguments of a template at the end.
 * A clone (f.isra.0) is its function; a part of one (f.part.0, f.cold) is meant where the name says so, as a symbol or as c++filt(1)
 * does, "f() [clone .part.0]". Inside the <> that begin a name of Rust, scopes may be left out too: <Apple as Fruit>::eat.
 *
 * Wildcards stand for any part. Spaces do not count, nor does where a const stands, nor "::" before the types of a generic
 * function of Rust: pay::<i32> and pay<i32> are the same.
 */
#include "translator/probe/cplus.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/demangler.h"
#include "lib/text.h"
#include "lib/vec.h"
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

/* Where the brackets that open at S close, or the end. */
static const char *skip_brackets(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		depth += (*s == '(') - (*s == ')');
		if (!depth)
			return s + 1;
	}
	return s;
}

/* Where the parameters of a name begin; its end when it has none. *RET_NAME: where the function's own name begins, *RET_TYPE: where
 * the name with its scopes begins, after the type that a template returns. A scope may be a function with its parameters. */
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
		if (*s == '(' && !depth) {
			const char *rest = skip_brackets(s);

			rest += strncmp(rest, " const", 6) && strncmp(rest, "const", 5) ? 0 : strcspn(rest, "t") + 1;
			if (strncmp(rest, "::", 2))
				break;
			s = rest;
		}
		depth += (*s == '<' || *s == '(' || *s == '{') - (*s == '>' || *s == ')' || *s == '}');
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

bool cplus_in_scope(const char *wanted, const char *s)
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

/* Is WANTED the name WHOLE, from whose every path scopes may be left out on the left? */
static bool same_paths(const char *wanted, const char *whole)
{
	while (*wanted || *whole) {
		size_t n = strcspn(wanted, " <>(),*&[];"), len = strcspn(whole, " <>(),*&[];");

		if (!cplus_in_scope(arena_strndup(&program_arena, wanted, n), arena_strndup(&program_arena, whole, len)) ||
		    wanted[n] != whole[len])
			return false;
		wanted += n + (wanted[n] != 0);
		whole += len + (whole[len] != 0);
	}
	return true;
}

bool cplus_matches(const char *wanted, const char *whole)
{
	const char *name, *type, *own, *parameters, *rest, *short_name;

	wanted = const_behind(without_spaces(wanted));
	whole = without_spaces(whole);
	if (cplus_in_scope(wanted, whole) || (*wanted == '<' && same_paths(wanted, whole)))
		return true;
	parameters = find_parameters(whole, &own, &type);
	short_name = without_arguments(type, own, parameters);
	rest = strrchr(parameters, ')');
	rest = rest ? rest + 1 : parameters;
	name = arena_strndup(&program_arena, type, (size_t)(rest - type));
	return cplus_in_scope(wanted, name) || cplus_in_scope(wanted, arena_strndup(&program_arena, type, (size_t)(parameters - type))) ||
	       cplus_in_scope(wanted, short_name) ||
	       cplus_in_scope(wanted, arena_printf(&program_arena, "%s%.*s", short_name, (int)(rest - parameters), parameters));
}

/* ---- clones ---- */
static const struct {
	const char *name;
	bool part; /* not each call of the function reaches it */
} suffixes[] = {
	{ "isra", false }, { "constprop", false }, { "llvm", false }, { "lto_priv", false }, { "localalias", false }, { "part", true },
	{ "cold", true },
};

/* Length of SYMBOL without what compilers append, ".constprop.0"; *RET_PART: it is of a part. Names of Rust have dots inside. */
static size_t plain_length(const char *symbol, bool *ret_part)
{
	size_t len = strlen(symbol), end = len;

	*ret_part = false;
	for (;;) {
		const char *dot = memrchr(symbol, '.', end);
		size_t n = dot ? (size_t)(symbol + end - dot) - 1 : 0, i = 0;

		if (!n || dot == symbol)
			return len;
		end -= n + 1;
		if (strspn(dot + 1, "0123456789") >= n)
			continue;
		while (i < sizeof(suffixes) / sizeof(*suffixes) && (strlen(suffixes[i].name) != n || memcmp(suffixes[i].name, dot + 1, n)))
			i++;
		if (i == sizeof(suffixes) / sizeof(*suffixes))
			return len;
		*ret_part |= suffixes[i].part;
		len = end;
	}
}

/* WANTED without the clone that it names, *RET_CLONE: ".part.0", or NULL. */
static const char *without_clone(const char *wanted, const char **ret_clone)
{
	const char *bracket = strstr(wanted, " [clone ");
	size_t len = bracket ? (size_t)(bracket - wanted) : strlen(wanted), plain;
	bool part;

	*ret_clone = NULL;
	if (bracket)
		*ret_clone = arena_strndup(&program_arena, bracket + strlen(" [clone "), strcspn(bracket + strlen(" [clone "), "]"));
	plain = bracket ? len : plain_length(wanted, &part);
	if (plain < len)
		*ret_clone = arena_strdup(&program_arena, wanted + plain);
	return arena_strndup(&program_arena, wanted, plain);
}

/* ---- looking for them ---- */
struct search {
	const char *wanted, *clone;
	const struct function_query *q;
	struct target *t;
	struct place *first, **end;
	const char **names; /* that matched, interned */
	size_t n;
	const char *part;   /* a symbol of a part of the function */
};

static bool is_known(const struct search *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->names[i] == name)
			return true;
	return false;
}

/* Constructors have two names at one address. An inlined instance may begin where another function does. */
static bool has_place(const struct search *s, const struct place *new)
{
	const struct place *p = s->first;

	while (p && (p->address != new->address || p->inlined != new->inlined))
		p = p->next;
	return p;
}

static void add_place(struct search *s, struct place *p)
{
	p->next = NULL;
	if (has_place(s, p))
		return;
	*s->end = p;
	s->end = &p->next;
}

/* Adds the calls of the function of P that were inlined: they have no symbols. */
static void add_inlined(struct search *s, const struct place *p)
{
	struct function_query q = { .func = p->func, .file = p->file, .line = p->line, .inlined = true, .entries = true };
	const char *own = target_qualified_name(s->t, p);

	for (struct place *i = own && p->file && p->line ? target_functions(s->t, &q) : NULL, *next; i; i = next) {
		const char *name = target_qualified_name(s->t, i);

		next = i->next;
		if (name && !strcmp(name, own))
			add_place(s, i);
	}
}

static void add_places(struct search *s, const char *mangled)
{
	struct function_query q = { .func = mangled, .outlined = true };

	for (struct place *p = target_symbol_functions(s->t, &q), *next; p; p = next) {
		struct place *described = target_has_lines(s->t) ? function_at(s->t, p->address) : NULL;

		next = p->next;
		if (described && described->address == p->address)
			p = described;
		add_place(s, p);
		if (s->q->inlined && p == described && !s->clone)
			add_inlined(s, p);
	}
}

/* Does the function PLAIN have the wanted name? */
static bool is_wanted(const struct search *s, const char *plain)
{
	bool mangled = !strncmp(plain, "_Z", 2) || !strncmp(plain, "_R", 2);
	char *whole = mangled ? demangle_name(plain) : NULL;
	bool ok = whole ? cplus_matches(s->wanted, whole) : !strcmp(s->wanted, plain);

	free(whole);
	return ok;
}

static void look_at(const char *symbol, void *data)
{
	struct search *s = data;
	bool part;
	size_t len = plain_length(symbol, &part);

	if (strpbrk(symbol, "*?[") || (s->clone && strcmp(s->clone, symbol + len)))
		return;
	if (!is_wanted(s, symbol[len] ? arena_strndup(&program_arena, symbol, len) : symbol))
		return;
	if (part && !s->clone)
		s->part = s->part ? s->part : intern(symbol);
	else if (!is_known(s, intern(symbol)))
		*vec_add(s->names, s->n) = intern(symbol);
}

struct place *cplus_functions(struct target *t, const struct function_query *q)
{
	struct search s = { .q = q, .t = t };

	s.wanted = without_clone(q->func, &s.clone);
	s.end = &s.first;
	target_symbol_names(t, look_at, &s);
	for (size_t i = 0; i < s.n; i++)
		add_places(&s, s.names[i]);
	free(s.names);
	return s.first;
}

const char *cplus_part(struct target *t, const char *wanted)
{
	struct search s = { .wanted = wanted, .t = t };

	target_symbol_names(t, look_at, &s);
	free(s.names);
	return s.part;
}
