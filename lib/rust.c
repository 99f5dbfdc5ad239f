/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of Rust: the mangling that imitates C++'s, "_ZN4shop3pay17h0123456789abcdefE", and version 0, "_RNvCs1_4shop3pay"
 * (RFC 2603). Files are not trusted: depth and length are bounded.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/demangler.h"
#include "lib/text.h"

enum { DEPTH_MAX = 100, LENGTH_MAX = 4096, HASH_LEN = 16 };

struct rust {
	const char *start; /* of what backward references count from */
	const char *s;
	struct text out;
	int depth;
	unsigned lifetimes; /* bound around here */
	bool bad;
};

static char *take_text(struct rust *r)
{
	char *ret = r->bad ? NULL : strdup(text_str(&r->out));

	text_deinit(&r->out);
	return ret;
}

static void put_len(struct rust *r, const char *s, size_t len)
{
	r->bad |= r->out.len + len > LENGTH_MAX;
	if (!r->bad)
		text_append(&r->out, s, len);
}

static void put(struct rust *r, const char *s)
{
	put_len(r, s, strlen(s));
}

/* Drops what was put after the first LEN bytes. */
static void cut(struct rust *r, size_t len)
{
	r->out.len = len;
	r->out.buf[len] = 0;
}

static bool take(struct rust *r, char c)
{
	if (*r->s != c)
		return false;
	r->s++;
	return true;
}

static char next(struct rust *r)
{
	if (*r->s)
		return *r->s++;
	r->bad = true;
	return 0;
}

static size_t decimal(struct rust *r)
{
	size_t n = 0;

	r->bad |= !isdigit((unsigned char)*r->s);
	if (take(r, '0'))
		return 0;
	while (isdigit((unsigned char)*r->s) && n < LENGTH_MAX)
		n = n * 10 + (size_t)(*r->s++ - '0');
	return n;
}

/* ---- the mangling like C++'s ---- */

static const struct {
	const char *code, *text;
} escapes[] = {
	{ "$SP$", "@" }, { "$BP$", "*" }, { "$RF$", "&" }, { "$LT$", "<" },   { "$GT$", ">" },
	{ "$LP$", "(" }, { "$RP$", ")" }, { "$C$", "," },  { "..", "::" },    { ".", "-" },
	{ "$u20$", " " }, { "$u22$", "\"" }, { "$u27$", "'" }, { "$u2b$", "+" }, { "$u3b$", ";" },
	{ "$u5b$", "[" }, { "$u5d$", "]" }, { "$u7b$", "{" }, { "$u7d$", "}" }, { "$u7e$", "~" },
};

static void put_escaped(struct rust *r, const char *s, size_t len)
{
	const char *end = s + len;

	if (len > 1 && s[0] == '_' && s[1] == '$')
		s++;
	while (s < end) {
		size_t i = 0, n = 1;

		for (; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
			n = strlen(escapes[i].code);
			if ((size_t)(end - s) >= n && !memcmp(s, escapes[i].code, n))
				break;
		}
		if (i < sizeof(escapes) / sizeof(escapes[0]))
			put(r, escapes[i].text);
		else
			put_len(r, s, n = 1);
		s += n;
	}
}

static bool is_hash(const char *s, size_t len)
{
	return len == HASH_LEN + 1 && *s == 'h' && strspn(s + 1, "0123456789abcdef") >= HASH_LEN;
}

static char *demangle_legacy(const char *s)
{
	struct rust r = { .s = s };
	bool hash = false;

	while (!r.bad && !hash && *r.s != 'E') {
		size_t len = decimal(&r);

		r.bad |= !len || strnlen(r.s, len) < len;
		if (r.bad)
			break;
		hash = is_hash(r.s, len) && r.s[len] == 'E';
		if (!hash && r.out.len)
			put(&r, "::");
		if (!hash)
			put_escaped(&r, r.s, len);
		r.s += len;
	}
	r.bad |= !hash || !r.out.len; /* C++ ends without one */
	return take_text(&r);
}

/* ---- version 0 ---- */

static uint64_t base62(struct rust *r)
{
	uint64_t n = 0;

	if (take(r, '_'))
		return 0;
	for (char c = next(r); c && c != '_'; c = next(r)) {
		r->bad |= !isalnum((unsigned char)c) || n > (UINT64_MAX - 62) / 62;
		if (r->bad)
			return 0;
		n = n * 62 + (uint64_t)(isdigit((unsigned char)c) ? c - '0' : islower((unsigned char)c) ? c - 'a' + 10 : c - 'A' + 36);
	}
	return n + 1;
}

static uint64_t optional_base62(struct rust *r, char tag)
{
	return take(r, tag) ? base62(r) + 1 : 0;
}

static void put_number(struct rust *r, uint64_t n)
{
	struct text t = { 0 };

	text_printf(&t, "%llu", (unsigned long long)n);
	put(r, text_str(&t));
	text_deinit(&t);
}

/* The name at S, which moves past it; its length in *RET_LEN. One in Punycode stays as it is. */
static const char *identifier(struct rust *r, size_t *ret_len, uint64_t *ret_number)
{
	const char *name;

	*ret_number = optional_base62(r, 's');
	take(r, 'u');
	*ret_len = decimal(r);
	take(r, '_');
	name = r->s;
	if (strnlen(name, *ret_len) < *ret_len)
		r->bad = true;
	if (r->bad)
		*ret_len = 0;
	r->s += *ret_len;
	return name;
}

static void path(struct rust *r, bool value);
static void type(struct rust *r);
static void constant(struct rust *r);

/* A reference to an earlier part of the symbol. */
static void backward(struct rust *r, void (*read)(struct rust *r))
{
	const char *here, *tag = r->s - 1;
	uint64_t at = base62(r);

	here = r->s;
	r->bad |= at >= (uint64_t)(tag - r->start);
	if (r->bad)
		return;
	r->s = r->start + at;
	read(r);
	r->s = here;
}

static void path_in_type(struct rust *r) { path(r, false); }
static void path_of_value(struct rust *r) { path(r, true); }

static void lifetime(struct rust *r, uint64_t n)
{
	char name[2] = { 0 };

	put(r, "'");
	if (!n || n > r->lifetimes || r->lifetimes - n > 25) {
		put(r, "_");
		return;
	}
	name[0] = (char)('a' + (r->lifetimes - n));
	put(r, name);
}

static void arguments(struct rust *r)
{
	for (int i = 0; !r->bad && !take(r, 'E'); i++) {
		put(r, i ? ", " : "");
		if (take(r, 'L'))
			lifetime(r, base62(r));
		else if (take(r, 'K'))
			constant(r);
		else
			type(r);
	}
}

/* Skips the path of an impl: its type says more. */
static void skip_impl(struct rust *r)
{
	size_t len = r->out.len;

	optional_base62(r, 's');
	path(r, false);
	if (!r->bad && r->out.len)
		cut(r, len);
}

/* "::name", of a special namespace "::{closure#1}". */
static void nested(struct rust *r, bool value)
{
	char space = next(r);
	const char *name;
	uint64_t number;
	size_t len;

	path(r, value);
	name = identifier(r, &len, &number);
	if (islower((unsigned char)space)) {
		put(r, len ? "::" : "");
		put_len(r, name, len);
		return;
	}
	put(r, "::{");
	put_len(r, space == 'C' ? "closure" : space == 'S' ? "shim" : &space, space == 'C' ? 7 : space == 'S' ? 4 : 1);
	put(r, len ? ":" : "");
	put_len(r, name, len);
	put(r, "#");
	put_number(r, number);
	put(r, "}");
}

static void path_of(struct rust *r, char tag, bool value)
{
	uint64_t number;
	const char *name;
	size_t len;

	switch (tag) {
	case 'C':
		name = identifier(r, &len, &number);
		put_len(r, name, len);
		return;
	case 'M': case 'X': case 'Y':
		if (tag != 'Y')
			skip_impl(r);
		put(r, "<");
		type(r);
		if (tag != 'M') {
			put(r, " as ");
			path(r, false);
		}
		put(r, ">");
		return;
	case 'N':
		nested(r, value);
		return;
	case 'I':
		path(r, value);
		put(r, value ? "::<" : "<");
		arguments(r);
		put(r, ">");
		return;
	case 'B':
		backward(r, value ? path_of_value : path_in_type);
		return;
	}
	r->bad = true;
}

static void path(struct rust *r, bool value)
{
	if (++r->depth > DEPTH_MAX)
		r->bad = true;
	if (!r->bad)
		path_of(r, next(r), value);
	r->depth--;
}

static const char *basic_type(char tag)
{
	static const char *const names[26] = {
		"i8", "bool", "char", "f64", "str", "f32", NULL, "u8", "isize", "usize", NULL, "i32", "u32",
		"i128", "u128", "_", NULL, NULL, "i16", "u16", "()", "...", NULL, "i64", "u64", "!",
	};

	return islower((unsigned char)tag) ? names[tag - 'a'] : NULL;
}

static void bind(struct rust *r)
{
	uint64_t n = optional_base62(r, 'G');

	r->bad |= n > 26;
	if (!n || r->bad)
		return;
	put(r, "for<");
	for (uint64_t i = 0; i < n; i++) {
		r->lifetimes++;
		put(r, i ? ", " : "");
		lifetime(r, 1);
	}
	put(r, "> ");
}

static void function_type(struct rust *r)
{
	unsigned lifetimes = r->lifetimes;
	uint64_t number;
	size_t len;

	bind(r);
	if (take(r, 'U'))
		put(r, "unsafe ");
	if (take(r, 'K')) {
		const char *abi = "C";

		len = 1;
		if (!take(r, 'C'))
			abi = identifier(r, &len, &number);
		put(r, "extern \"");
		put_len(r, abi, len);
		put(r, "\" ");
	}
	put(r, "fn(");
	arguments(r);
	put(r, ")");
	if (!take(r, 'u')) {
		put(r, " -> ");
		type(r);
	}
	r->lifetimes = lifetimes;
}

/* One trait of a dyn type, with the types that it fixes: "Iterator<Item = i32>". */
static void dyn_trait(struct rust *r)
{
	bool open;
	int n = 0;

	path(r, false);
	open = r->out.len && text_str(&r->out)[r->out.len - 1] == '>';
	while (!r->bad && take(r, 'p')) {
		uint64_t number;
		const char *name;
		size_t len;

		if (!n++ && open)
			cut(r, r->out.len - 1);
		put(r, n > 1 || open ? ", " : "<");
		name = identifier(r, &len, &number);
		put_len(r, name, len);
		put(r, " = ");
		type(r);
	}
	put(r, n ? ">" : "");
}

static void dyn_type(struct rust *r)
{
	unsigned lifetimes = r->lifetimes;
	uint64_t n;

	put(r, "dyn ");
	bind(r);
	for (int i = 0; !r->bad && !take(r, 'E'); i++) {
		put(r, i ? " + " : "");
		dyn_trait(r);
	}
	r->lifetimes = lifetimes;
	r->bad |= !take(r, 'L');
	n = base62(r);
	if (n) {
		put(r, " + ");
		lifetime(r, n);
	}
}

static void reference(struct rust *r, const char *kind)
{
	put(r, "&");
	if (take(r, 'L')) {
		uint64_t n = base62(r);

		if (n) {
			lifetime(r, n);
			put(r, " ");
		}
	}
	put(r, kind);
	type(r);
}

static void tuple(struct rust *r)
{
	int n = 0;

	put(r, "(");
	for (; !r->bad && !take(r, 'E'); n++) {
		put(r, n ? ", " : "");
		type(r);
	}
	put(r, n == 1 ? ",)" : ")");
}

static void type_of(struct rust *r, char tag)
{
	switch (tag) {
	case 'A': case 'S':
		put(r, "[");
		type(r);
		if (tag == 'A') {
			put(r, "; ");
			constant(r);
		}
		put(r, "]");
		return;
	case 'T': tuple(r); return;
	case 'R': reference(r, ""); return;
	case 'Q': reference(r, "mut "); return;
	case 'P': put(r, "*const "); type(r); return;
	case 'O': put(r, "*mut "); type(r); return;
	case 'F': function_type(r); return;
	case 'D': dyn_type(r); return;
	case 'B': backward(r, type); return;
	}
	r->s--;
	path(r, false);
}

static void type(struct rust *r)
{
	const char *name;
	char tag;

	if (++r->depth > DEPTH_MAX)
		r->bad = true;
	tag = r->bad ? 0 : next(r);
	name = basic_type(tag);
	if (name)
		put(r, name);
	else if (tag)
		type_of(r, tag);
	r->depth--;
}

static void constant(struct rust *r)
{
	char tag = next(r);
	uint64_t n = 0;

	if (tag == 'B') {
		if (++r->depth > DEPTH_MAX)
			r->bad = true;
		if (!r->bad)
			backward(r, constant);
		r->depth--;
		return;
	}
	if (tag == 'p') {
		put(r, "_");
		return;
	}
	r->bad |= !basic_type(tag);
	if (take(r, 'n'))
		put(r, "-");
	for (char c = next(r); c && c != '_'; c = next(r)) {
		r->bad |= !isxdigit((unsigned char)c) || n >> 60;
		n = n << 4 | (uint64_t)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);
	}
	if (tag == 'b')
		put(r, n ? "true" : "false");
	else
		put_number(r, n);
}

char *rust_demangle(const char *mangled)
{
	struct rust r = { 0 };

	if (!strncmp(mangled, "_ZN", 3))
		return demangle_legacy(mangled + 3);
	if (strncmp(mangled, "_R", 2) || !isupper((unsigned char)mangled[2]))
		return NULL;
	r.start = r.s = mangled + 2;
	path(&r, true);
	return take_text(&r);
}
