/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gen/regex.c and core/regex.c: syntax, matches, groups; and random expressions against the C library's regexec(),
 * which finds the leftmost longest match too. */
#include <regex.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/arena.h"
#include "runtime/core/core.h"
#include "testsuite/unit/tap.h"
#include "translator/sema/regex.h"

enum { TEXT = 512 };

static struct kt_ctx ctx;
static struct kt_ctx *const c = &ctx;
static char text_room[TEXT];
static kt_u16 at_room[2 * (REGEX_GROUPS_MAX + 1)];
static kt_u16 *work;

static bool compile(const char *pattern, struct regex *re)
{
	return regex_compile((struct loc){ 0 }, pattern, strlen(pattern), true, re);
}

/* Runs both matchers; they must agree. The room is exactly as large as promised. */
static int match(const struct regex *re, const char *s)
{
	int groups;

	free(work);
	work = malloc(regex_room(re) * sizeof(*work));
	c->match_text = text_room;
	c->match_at = at_room;
	groups = kt_regex_groups(c, &re->tables, s, TEXT, work);
	return groups == kt_regex_match(&re->tables, s) ? groups : -1;
}

/* The groups of PATTERN in S as "whole|1|2", or "-". */
static const char *groups_of(const char *pattern, const char *s)
{
	static char b[TEXT * 2];
	char one[TEXT];
	struct regex re;
	kt_s64 n;

	if (!compile(pattern, &re))
		return "error";
	if (match(&re, s) <= 0)
		return "-";
	b[0] = 0;
	n = kt_fn_ngroups(c);
	for (kt_s64 i = 0; i < n; i++) {
		kt_fn_matched(c, one, sizeof(one), i);
		snprintf(b + strlen(b), sizeof(b) - strlen(b), "%s%s", i ? "|" : "", one);
	}
	return b;
}
#define IS(pattern, s, want) is_str(groups_of(pattern, s), want, pattern)

static void matches(void)
{
	IS("abc", "xxabcxx", "abc");
	IS("abc", "ab", "-");
	IS("", "abc", "");
	IS("^b", "ab", "-");
	IS("b$", "ab", "b");
	IS("b$", "ba", "-");
	IS("^$", "", "");
	IS("$^", "", "");
	IS("^$", "a", "-");
	IS("a*", "baa", "");
	IS("a+", "baab", "aa");
	IS("ba?b", "bab", "bab");
	IS("a|ab", "ab", "ab");
	IS("(a|ab)(c|bcd)", "abcd", "abcd|a|bcd");
	IS("(a*)(a*)", "aaa", "aaa|aaa|");
	IS("(a)|(b)", "b", "b||b");
	IS("(?:ab)+(c)", "ababc", "ababc|c");
	IS("(a(b)?)+", "aba", "aba|a|b");
	IS("a{3}", "aaaa", "aaa");
	IS("a{2,}", "baaaa", "aaaa");
	IS("^a{2,3}$", "aaaa", "-");
	IS("^(ab){0,2}$", "abab", "abab|ab");
	IS("xa{0}y", "xy", "xy");
	IS("a{,2}", "a{,2}", "a{,2}");
	IS("{", "{", "{");
	IS("[a-c]+", "xxabcd", "abc");
	IS("[^a-c]+", "abxyc", "xy");
	IS("[]a]+", "x]a]", "]a]");
	IS("[a-]+", "-a-", "-a-");
	IS("[[:digit:][:u:]]+", "a1B2c", "1B2");
	IS("[[:punct:]]+", "a.,;b", ".,;");
	IS("[[:s:]]", "a\tb", "\t");
	IS("[\\]\\\\]+", "a\\]b", "\\]");
	IS("\\x41\\102\\t", "AB\t", "AB\t");
	IS("\\.\\*", "a.*", ".*");
	IS(".", "\xff", "\xff");
	IS("[\\x80-\\xff]+", "a\x80\xff", "\x80\xff");
	IS("(a*)*", "aab", "aa|aa");
	IS("(a*)+", "b", "|");
	IS("(|a)+", "aaa", "aaa|a");
	IS("((a)|(b))*", "ab", "ab|b|a|b");
}

static void refused(void)
{
	static const char *const bad[] = {
		"(", ")", "a)", "(a", "[a", "[", "[]", "[^]", "*", "a|*", "(+)", "^*", "$+", "^{2}", "[b-a]",
		"[[:foo:]]", "[[:alpha]", "a{3,2}", "a{99999}", "\\", "[\\", "(((a{200}){200}){200})",
		"(a|b)*a(a|b){12}(a|b){12}c",
	};
	struct regex re;
	char deep[1000];
	int screen = dup(2);

	/* The diagnostics are not shown. */
	if (!freopen("/dev/null", "w", stderr))
		return;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(!compile(bad[i], &re), "refused: %s", bad[i]);
	memset(deep, '(', sizeof(deep));
	deep[999] = 0;
	ok(!compile(deep, &re), "refused: 999 parentheses");
	ok(!compile("(a{500}|b{500})", &re), "too large for groups");
	ok(regex_compile((struct loc){ 0 }, "(a{500}|b{500})", 15, false, &re), "but not for a match");
	fflush(stderr);
	dup2(screen, 2);
	close(screen);
}

static void errors(void)
{
	char b[16];
	struct regex re;

	compile("(a)b", &re);
	ok(!match(&re, "xyz"), "no match");
	kt_fn_matched(c, b, sizeof(b), 0);
	is_str(c->error, "matched(0) after an =~ that did not match", "matched() then");
	c->error = NULL;
	kt_fn_ngroups(c);
	ok(c->error, "ngroups() then");
	c->error = NULL;
	match(&re, "ab");
	is_int(kt_fn_ngroups(c), 2, "ngroups()");
	kt_fn_matched(c, b, sizeof(b), 2);
	is_str(c->error, "matched(2): the regular expression has 1 groups", "no such group");
	c->error = NULL;
	kt_fn_matched(c, b, 1, 1);
	is_str(b, "", "cut");
}

static void long_texts(void)
{
	char s[TEXT];
	struct regex re;

	memset(s, 'a', TEXT - 1);
	s[TEXT - 1] = 0;
	compile("(a*)*b", &re);
	is_int(match(&re, s), 0, "(a*)*b in 511 a: no match");
	compile("(a|aa)+$", &re);
	is_int(match(&re, s), 1, "(a|aa)+$");
	is_int(c->match_at[1], TEXT - 1, "to the end");
	compile("^(([a-z])+.)+[A-Z]([a-z])+$", &re);
	is_int(match(&re, s), 0, "nested repetitions");
}

/* A random expression over a and b. Anchors stand at its ends only: elsewhere the C library gets them wrong. */
static kt_u64 seed = 1;
static kt_u32 dice(kt_u32 n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

static void grow(char *p, int depth)
{
	static const char *const atoms[] = { "a", "b", ".", "[ab]", "[^a]", "[^b]" };
	static const char *const repeats[] = { "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}" };
	int pieces = dice(3) + (depth == 0);

	for (int i = 0; i < pieces && strlen(p) < 60; i++) {
		kt_u32 atom = dice(9);

		if (atom >= 6 && depth < 3) {
			strcat(p, "(");
			grow(p, depth + 1);
			strcat(p, ")");
		} else {
			strcat(p, atoms[atom % 6]);
		}
		if (!dice(3))
			strcat(p, repeats[dice(7)]);
	}
	if (!dice(4)) {
		strcat(p, "|");
		grow(p, depth + 1);
	}
}

static void against_libc(void)
{
	int tried = 0, wrong = 0;

	for (int i = 0; i < 20000; i++) {
		char p[512] = "";
		regex_t libc;
		struct regex re;

		strcat(p, dice(4) ? "" : "^");
		grow(p, 0);
		strcat(p, dice(4) ? "" : "$");
		if (regcomp(&libc, p, REG_EXTENDED))
			continue;
		if (!compile(p, &re)) {
			printf("# refused %s\n", p);
			wrong++;
		}
		for (int j = 0; j < 6 && wrong < 5; j++) {
			char s[16];
			regmatch_t m[1];
			int n = dice(8), found;

			for (int k = 0; k < n; k++)
				s[k] = 'a' + dice(2);
			s[n] = 0;
			found = match(&re, s);
			tried++;
			if (found != !regexec(&libc, s, 1, m, 0) ||
			    (found && (c->match_at[0] != m[0].rm_so || c->match_at[1] != m[0].rm_eo))) {
				printf("# /%s/ in '%s': found %d at %d,%d; libc %d,%d\n", p, s, found, c->match_at[0],
				       c->match_at[1], m[0].rm_so, m[0].rm_eo);
				wrong++;
			}
		}
		regfree(&libc);
		arena_deinit(&program_arena);
	}
	ok(!wrong, "%d random matches agree with the C library", tried);
}

static void emitted(void)
{
	struct regex re;
	struct text t = { 0 };

	compile("a(b)", &re);
	regex_emit(&t, 3, &re);
	ok(strstr(text_str(&t), "static const struct kt_regex re_3 = {"), "C tables");
	text_deinit(&t);
}

int main(void)
{
	matches();
	refused();
	errors();
	long_texts();
	emitted();
	against_libc();
	free(work);
	arena_deinit(&program_arena);
	return tap_done();
}
