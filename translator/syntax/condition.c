/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions of %( %? %) conditionals: `left op right`, joined with && and ||, against what is known of the target,
 * the options and the kernel's configuration. Versions compare like versions, == and !=
 * take patterns.
 */
#include "translator/syntax/condition.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "translator/syntax/grammar.h"

/* One side of a comparison. */
struct value {
	enum { V_NONE, V_STRING, V_NUMBER } kind;
	const char *text;
	long long num;
};

enum order { ORDERED, PATTERN_ONLY }; /* which operators a left side takes */

/* ---- names on the left side ---- */

static const char *kernel_version(const struct conditions *c, bool full)
{
	const char *fixed = full ? c->kernel_vr : c->kernel_v;

	return fixed || !c->kernel ? fixed : c->kernel(c->data, full);
}

static const char *get_kernel_v(const struct conditions *c) { return kernel_version(c, false); }
static const char *get_kernel_vr(const struct conditions *c) { return kernel_version(c, true); }
static const char *get_systemtap_v(const struct conditions *c) { return c->systemtap_v; }
static const char *get_arch(const struct conditions *c) { return c->arch; }
static const char *get_runtime(const struct conditions *c) { return c->runtime; }
static const char *get_privilege(const struct conditions *c) { return c->privilege; }

static const struct subject {
	const char *name;
	const char *(*get)(const struct conditions *c);
	enum order order;
	const char *option; /* gives the value when it is not known */
} subjects[] = {
	{ "kernel_v", get_kernel_v, ORDERED, "-r RELEASE" },
	{ "kernel_vr", get_kernel_vr, ORDERED, "-r RELEASE" },
	{ "systemtap_v", get_systemtap_v, ORDERED, "--compatible=VERSION" },
	{ "arch", get_arch, PATTERN_ONLY, "-r RELEASE" },
	{ "runtime", get_runtime, PATTERN_ONLY, "--runtime=kernel|user" },
	{ "systemtap_privilege", get_privilege, PATTERN_ONLY, "-g" },
};

enum { N_SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

static const struct subject *find_subject(const char *name)
{
	for (int i = 0; i < N_SUBJECTS; i++) {
		if (!strcmp(subjects[i].name, name))
			return &subjects[i];
	}
	return NULL;
}

static bool is_config(const struct token *t)
{
	return t->kind == IDENT && !strncmp(t->text, "CONFIG_", 7);
}

/* ---- comparing ---- */

static bool by_sign(enum op op, int sign)
{
	switch (op) {
	case OP_EQ:
		return sign == 0;
	case OP_NE:
		return sign != 0;
	case OP_LT:
		return sign < 0;
	case OP_LE:
		return sign <= 0;
	case OP_GT:
		return sign > 0;
	default:
		return sign >= 0;
	}
}

/* With a value that the kernel or ktap has, B may be a pattern. */
static bool compare_value(enum op op, const char *a, const char *b, bool versions)
{
	if (op == OP_EQ || op == OP_NE) {
		bool same = strpbrk(b, "*?[") ? !fnmatch(b, a, 0) : !strcmp(a, b);

		return same == (op == OP_EQ);
	}
	return by_sign(op, versions ? strverscmp(a, b) : strcmp(a, b));
}

static int sign_of(long long a, long long b)
{
	return a < b ? -1 : a > b;
}

static bool bad(const struct token *t, const char *message)
{
	return error(t->loc, DIAG_PREPROCESS, "%s", message);
}

/* ---- one comparison: L OP R ---- */

static bool subject_holds(struct unit *u, const struct subject *s, const struct token *t)
{
	const char *value;

	if (t[2].kind != STRING)
		return bad(&t[2], "expected a string on the right side");
	if (s->order == PATTERN_ONLY && t[1].op != OP_EQ && t[1].op != OP_NE)
		return error(t[1].loc, DIAG_PREPROCESS, "'%s' is compared with '==' or '!=' only", s->name);
	value = u->opt->conditions ? s->get(u->opt->conditions) : NULL;
	if (!value) {
		error(t->loc, DIAG_PREPROCESS, "'%s' is not known here", s->name);
		note(t->loc, "give it with %s", s->option);
		return false;
	}
	return compare_value(t[1].op, value, t[2].text, true);
}

static bool guru_holds(struct unit *u, const struct token *t)
{
	bool guru = u->opt->conditions ? u->opt->conditions->guru : u->opt->guru;

	if (t[2].kind != NUMBER || (t[2].num != 0 && t[2].num != 1))
		return bad(&t[2], "expected 0 or 1 on the right side of 'guru_mode'");
	if (t[1].op != OP_EQ && t[1].op != OP_NE)
		return bad(&t[1], "'guru_mode' is compared with '==' or '!=' only");
	return by_sign(t[1].op, guru != t[2].num);
}

/* Returns the value of an option of the kernel's configuration, "" when it is not set, as in SystemTap: that is 0 as a number, and
 * neither "n" nor anything that a letter matches. */
static const char *config_value(struct unit *u, const char *name)
{
	const struct conditions *c = u->opt->conditions;
	const char *value = c && c->config ? c->config(c->data, name) : NULL;

	return value ? value : "";
}

static bool config_holds(struct unit *u, const struct token *t)
{
	const char *value = config_value(u, t->text);
	char *end;
	long long num;

	if (is_config(&t[2]))
		return by_sign(t[1].op, strcmp(value, config_value(u, t[2].text)));
	if (t[2].kind == STRING)
		return compare_value(t[1].op, value, t[2].text, false);
	if (t[2].kind != NUMBER)
		return bad(&t[2], "expected a string, a number or another CONFIG_ name on the right side");
	num = strtoll(value, &end, 0);
	if (*end) {
		error(t->loc, DIAG_PREPROCESS, "%s is \"%s\", which is not a number", t->text, value);
		note(t[2].loc, "compare it with a string: \"y\", \"m\", or \"\" when it is not set");
		return false;
	}
	return by_sign(t[1].op, sign_of(num, t[2].num));
}

static bool literal_holds(const struct token *t)
{
	if (t[2].kind != t[0].kind)
		return error(t[2].loc, DIAG_PREPROCESS, "a %s is compared with a %s", t[0].kind == STRING ?
			     "string" : "number", t[0].kind == STRING ? "string" : "number");
	if (t[0].kind == STRING)
		return by_sign(t[1].op, strcmp(t[0].text, t[2].text));
	return by_sign(t[1].op, sign_of(t[0].num, t[2].num));
}

static bool unknown_subject(const struct token *t)
{
	struct nearest s = { .word = t->text };
	const char *near;

	for (int i = 0; i < N_SUBJECTS; i++)
		nearest_add(&s, subjects[i].name);
	nearest_add(&s, "guru_mode");
	near = t->kind == IDENT ? nearest_get(&s) : NULL;
	error(t->loc, DIAG_PREPROCESS, "a condition cannot ask for '%.40s'", t->text);
	if (near)
		note(t->loc, "did you mean '%s'?", near);
	else
		note(t->loc, "it can ask for kernel_v, kernel_vr, arch, runtime, systemtap_v, systemtap_privilege, "
		     "guru_mode, CONFIG_ names, strings and numbers");
	return false;
}

static bool comparison_holds(struct unit *u, const struct token *t)
{
	const struct subject *s = t->kind == IDENT ? find_subject(t->text) : NULL;

	if (t[1].kind != COMPARE)
		return bad(&t[1], "expected a comparison: == != < <= > >=");
	if ((t[0].kind == NUMBER && t[0].bad_number) || (t[2].kind == NUMBER && t[2].bad_number))
		return error(t->loc, DIAG_NUMBER, "malformed number in a condition");
	if (s)
		return subject_holds(u, s, t);
	if (t->kind == IDENT && !strcmp(t->text, "guru_mode"))
		return guru_holds(u, t);
	if (is_config(t))
		return config_holds(u, t);
	if (t->kind == STRING || t->kind == NUMBER)
		return literal_holds(t);
	return unknown_subject(t);
}

/* Takes `[-] number` as one token, joins nothing else: the grammar of conditions is flat. && binds tighter. */
bool condition_holds(struct unit *u, const struct token *t, size_t n, struct loc loc)
{
	bool any = false, all = true;
	size_t i = 0;

	if (!n)
		return error(loc, DIAG_PREPROCESS, "'%%(' without a condition");
	for (;;) {
		if (i + 3 > n) {
			error(t[n - 1].loc, DIAG_PREPROCESS, "the condition is incomplete");
			note(loc, "a condition is 'left == right', joined with '&&' and '||'");
			return false;
		}
		all = comparison_holds(u, &t[i]) && all;
		i += 3;
		if (i == n || t[i].kind == LOR) {
			any = any || all;
			all = true;
		} else if (t[i].kind != LAND) {
			return bad(&t[i], "expected '&&', '||' or '%?' in a condition");
		}
		if (i == n)
			return any;
		i++;
	}
}
