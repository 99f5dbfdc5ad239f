/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globs over dotted names: probe points such as sys**.open and syscall.*. */
#include "translator/sema/glob.h"

/* Matches [set] at *P (after the bracket) against C; moves *P past it. An unclosed set matches nothing. */
static bool match_set(const char **p, char c)
{
	const char *s = *p;
	bool negated = *s == '!' || *s == '^', found = false, first = true;

	if (negated)
		s++;
	for (; *s && (*s != ']' || first); first = false) {
		char low = *s++, high = low;

		if (s[0] == '-' && s[1] && s[1] != ']') {
			high = s[1];
			s += 2;
		}
		if (low <= c && c <= high)
			found = true;
	}
	if (!*s)
		return false;
	*p = s + 1;
	return found != negated;
}

/* Only the last star is ever retried, so time is at most length times length. */
bool glob_dotted(const char *pattern, const char *name, bool head)
{
	const char *p = pattern, *s = name, *star = 0, *star_at = 0;
	bool crosses = false;

	while (*s) {
		if (*p == '*') {
			crosses = p[1] == '*';
			while (*p == '*')
				p++;
			star = p;
			star_at = s;
			continue;
		}
		if (*p == '[' && *s != '.') {
			const char *q = p + 1;

			if (match_set(&q, *s)) {
				p = q;
				s++;
				continue;
			}
		} else if (*p == *s || (*p == '?' && *s != '.')) {
			p++;
			s++;
			continue;
		}
		/* A star that stays inside its component cannot take the dot. */
		if (!star || (*star_at == '.' && !crosses))
			return false;
		s = ++star_at;
		p = star;
	}
	while (*p == '*')
		p++;
	return !*p || (head && *p == '.');
}
