/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of words in a string, separated by spaces: the names that a number has by its place. "-" is a place without a
 * name. Context: any; the tokens of tokenize() are left alone.
 */
#include "str.h"

/* Length of the word at S. */
static kt_u32 word_length(const char *s)
{
	kt_u32 n = 0;

	while (s[n] && s[n] != ' ')
		n++;
	return n;
}

static const char *next_word(const char *s)
{
	s += word_length(s);
	return *s ? s + 1 : s;
}

static int is_name(const char *s, kt_u32 length)
{
	return length && !(length == 1 && *s == '-');
}

void kt_fn___word(struct kt_ctx *c, char *ret, kt_u32 size, const char *names, kt_s64 at)
{
	kt_u32 n;

	ret[0] = 0;
	for (; *names && at > 0; at--)
		names = next_word(names);
	n = word_length(names);
	if (at == 0 && is_name(names, n))
		kt_strpart(ret, names, kt_min_u32(size, n + 1));
}

kt_s64 kt_fn___word_number(struct kt_ctx *c, const char *names, const char *name)
{
	kt_u32 length = kt_strlen(name), n;
	kt_s64 at = 0;

	for (; *names; names = next_word(names), at++) {
		n = word_length(names);
		if (n == length && is_name(names, n) && !memcmp(names, name, n))
			return at;
	}
	return -1;
}

void kt_fn___flag_names(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 flags, kt_s64 at, const char *names)
{
	struct kt_out out = { .at = ret, .size = size };

	for (; *names && at < 64; names = next_word(names), at++) {
		kt_u32 n = word_length(names);

		if (!((kt_u64)flags >> at & 1) || !is_name(names, n))
			continue;
		if (out.len)
			kt_out_char(&out, '|');
		for (kt_u32 i = 0; i < n; i++)
			kt_out_char(&out, names[i]);
	}
	kt_out_finish(&out);
}
