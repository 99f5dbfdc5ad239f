/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings of scripts: NUL-terminated, in buffers of a stated size, cut where the buffer ends.
 *
 * First the primitives of script.h, then the tapset functions that work on strings alone (kt_fn_NAME). Context of
 * all of them: any, NMI included. None allocates; each is linear in the length of what it reads. One that searched long strings looks at
 * the clock. RET never overlaps an argument.
 */
#include "bytes.h"
#include "str.h"

enum { KT_PAGE_MIN = 4096 };

KT_READS_WORDS kt_u32 kt_length(const char *s, kt_u32 max)
{
	const kt_u64 *word = (const kt_u64 *)((__UINTPTR_TYPE__)s & ~7ul);
	kt_u32 before = (__UINTPTR_TYPE__)s & 7;
	kt_u64 w = kt_load_word((const char *)word) | ((1ull << 8 * before) - 1), zero;
	__SIZE_TYPE__ n;

	while (!(zero = kt_zero_bytes(w))) {
		word++;
		if ((__SIZE_TYPE__)((const char *)word - s) >= max)
			return max;
		w = kt_load_word((const char *)word);
	}
	n = (const char *)word - s + __builtin_ctzll(zero) / 8;
	return n < max ? n : max;
}

kt_u32 kt_strlen(const char *s)
{
	return kt_length(s, ~0u);
}

/* Programs without a session do not count. */
__attribute__((weak)) void kt_string_cut(void)
{
}

/* Returns whether FROM did not fit. */
static inline __attribute__((always_inline)) int copy(char *to, const char *from, kt_u32 size)
{
	kt_u32 n;

	if (!size)
		return 0;
	n = kt_length(from, size);
	if (n == size) {
		kt_copy_bytes(to, from, size - 1);
		to[size - 1] = 0;
		return 1;
	}
	kt_copy_bytes(to, from, n);
	to[n] = 0;
	return 0;
}

void kt_strcpy(char *to, const char *from, kt_u32 size)
{
	if (copy(to, from, size))
		kt_string_cut();
}

void kt_strpart(char *to, const char *from, kt_u32 size)
{
	copy(to, from, size);
}

void kt_strcat(char *to, const char *from, kt_u32 size)
{
	kt_u32 len = kt_strlen(to);

	if (len < size)
		kt_strcpy(to + len, from, size - len);
}

/* May 8 bytes at S be read whatever follows the string? */
KT_INLINE int word_in_page(const char *s)
{
	return ((__UINTPTR_TYPE__)s & (KT_PAGE_MIN - 1)) <= KT_PAGE_MIN - 8;
}

KT_READS_WORDS int kt_strcmp(const char *a, const char *b)
{
	for (;;) {
		kt_u32 n = word_in_page(a) && word_in_page(b) ? 8 : 1;
		kt_u64 x = kt_load_part(a, n), y = kt_load_part(b, n), end = (x ^ y) | kt_zero_bytes(x);

		if (end && n > 1) {
			kt_u32 shift = __builtin_ctzll(end) & ~7u;

			return (int)(x >> shift & 255) - (int)(y >> shift & 255);
		}
		if (n == 1 && (x != y || !x))
			return (int)x - (int)y;
		a += n;
		b += n;
	}
}

void *kt_put_string(void *at, const char *s, kt_u32 len)
{
	kt_u32 room = kt_string_room(len);
	char *bytes = (char *)at + KT_STRING_HEADER;

	((kt_u64 *)at)[room / 8 - 1] = 0; /* what follows the string */
	*(kt_u32 *)at = len;
	kt_copy_bytes(bytes, s, len);
	return (char *)at + room;
}

/* The same of many lines. */
static __attribute__((__noinline__)) void *put_lines(void *at, const char *lines, kt_u32 len)
{
	kt_u32 room = kt_string_room(len);

	((kt_u64 *)at)[room / 8 - 1] = 0;
	*(kt_u32 *)at = len;
	kt_copy_long((char *)at + KT_STRING_HEADER, lines, len);
	return (char *)at + room;
}

void *kt_put_name(void *at, const char *s, kt_u32 len)
{
	void *end;

	if (kt_unlikely(len >> KT_NAME_SHIFT == KT_NAME_LINES))
		return put_lines(at, *(const char *const *)s, kt_name_length(len));
	end = kt_put_string(at, s, kt_name_length(len));
	*(kt_u32 *)at = len;
	return end;
}

void *kt_put_text(void *at, const char *s)
{
	return kt_put_string(at, s, kt_strlen(s));
}

/* ---- searching ---- */

/* BYTES of a string were searched for PART, or for the bytes in it. */
static void looked_for(struct kt_ctx *c, const char *part, kt_u64 bytes)
{
	if (kt_unlikely(bytes >= KT_LONG_STRING || kt_length(part, KT_LONG_STRING) == KT_LONG_STRING))
		kt_took_long(c);
}

kt_s64 kt_fn_strlen(struct kt_ctx *c, const char *s)
{
	return kt_strlen(s);
}

kt_s64 kt_fn_isinstr(struct kt_ctx *c, const char *s, const char *part)
{
	return kt_fn_strpos(c, s, part) >= 0;
}

kt_s64 kt_fn_strpos(struct kt_ctx *c, const char *s, const char *part)
{
	const char *at = kt_find(s, part);

	looked_for(c, part, at - s);
	return *at || !*part ? at - s : -1;
}

kt_s64 kt_fn_isdigit(struct kt_ctx *c, const char *s)
{
	return *s >= '0' && *s <= '9';
}

/* The byte at POS as a number from 1 to 255. */
kt_s64 kt_fn_stringat(struct kt_ctx *c, const char *s, kt_s64 pos)
{
	kt_u32 len = kt_strlen(s);

	if (pos < 0 || pos >= len) {
		kt_errorf(c, "Position out of bounds: %d in a string of %d bytes", pos, (kt_s64)len);
		return 0;
	}
	return (unsigned char)s[pos];
}

/* ---- numbers ---- */

static int digit_value(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'z')
		return ch - 'a' + 10;
	if (ch >= 'A' && ch <= 'Z')
		return ch - 'A' + 10;
	return 99;
}

/* Leading digits of S, with a minus before them or not, as a number; 0 when there are none. Base 0 reads the prefix 0x or 0,
 * base 16 skips 0x. As the kernel's simple_strtol(), which knows no plus. */
kt_s64 kt_fn_strtol(struct kt_ctx *c, const char *s, kt_s64 base)
{
	int negative = *s == '-';
	kt_u64 value = 0;

	s += negative;
	if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 32) == 'x' && digit_value(s[2]) < 16) {
		base = 16;
		s += 2;
	}
	if (base == 0)
		base = *s == '0' ? 8 : 10;
	for (; digit_value(*s) < base; s++) {
		if (digit_value(*s) > 35)
			break;
		value = value * (kt_u64)base + digit_value(*s);
	}
	return (kt_s64)(negative ? -value : value);
}

/* ---- making strings ---- */

/* LENGTH bytes of S from START on, as much of that as exists. */
void kt_fn_substr(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, kt_s64 start, kt_s64 length)
{
	ret[0] = 0;
	if (start < 0 || length <= 0 || start >= kt_strlen(s))
		return;
	if (length < size)
		kt_strpart(ret, s + start, (kt_u32)length + 1);
	else
		kt_strcpy(ret, s + start, size);
}

/* S with every occurrence of PART replaced; unchanged when PART is empty. */
void kt_fn_str_replace(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, const char *part, const char *by)
{
	struct kt_out o = { ret, size, 0 };
	kt_u32 part_len = kt_strlen(part);
	const char *from = s;

	for (;;) {
		const char *at = part_len ? kt_find(s, part) : s + kt_strlen(s);

		while (s < at)
			kt_out_char(&o, *s++);
		if (!*at || o.len >= size)
			break;
		for (const char *b = by; *b; b++)
			kt_out_char(&o, *b);
		s = at + part_len;
	}
	kt_out_finish(&o);
	looked_for(c, part, s - from);
	looked_for(c, by, 0);
}

kt_u32 kt_escape(char *to, unsigned char byte)
{
	static const char named[] = "\aa\bb\ff\nn\rr\tt\vv\"\"\\\\";
	kt_u32 i;

	for (i = 0; i < sizeof(named) - 1; i += 2) {
		if (named[i] != (char)byte)
			continue;
		to[0] = '\\';
		to[1] = named[i + 1];
		return 2;
	}
	if (byte >= ' ' && byte <= '~') {
		to[0] = byte;
		return 1;
	}
	to[0] = '\\';
	to[1] = '0' + (byte >> 6);
	to[2] = '0' + (byte >> 3 & 7);
	to[3] = '0' + (byte & 7);
	return 4;
}

/* The character of several bytes of UTF-8 at S: the bytes it takes, 0 when there is none. What Unicode does not allow is
 * none either: surrogates, codes above 0x10ffff, more bytes than needed. */
static kt_u32 decode_utf8(const char *s, kt_u32 *code)
{
	static const kt_u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = *s;
	kt_u32 n = (first & 0xe0) == 0xc0 ? 2 : (first & 0xf0) == 0xe0 ? 3 : (first & 0xf8) == 0xf0 ? 4 : 0;

	*code = n ? first & 0x7f >> n : 0;
	for (kt_u32 i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80) /* not a continuation byte, as the string's end */
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	return !n || *code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff) ? 0 : n;
}

kt_u32 kt_escape_character(char *to, const char *s, kt_u32 *used)
{
	kt_u32 code, digits;

	*used = decode_utf8(s, &code);
	if (!*used) {
		*used = 1;
		return kt_escape(to, *s);
	}
	digits = code > 0xffff ? 8 : 4;
	to[0] = '\\';
	to[1] = digits == 8 ? 'U' : 'u';
	for (kt_u32 i = 0; i < digits; i++)
		to[2 + i] = "0123456789ABCDEF"[code >> 4 * (digits - 1 - i) & 15];
	return 2 + digits;
}

/* S escaped into at most SIZE bytes with the NUL. An escape is never cut in two. QUOTED puts double quotes around
 * it; a text that does not fit then ends in `"...`, and what must give way for that does. Returns whether S did not fit. */
int kt_quote(char *ret, kt_u32 size, const char *s, int quoted)
{
	kt_u32 room = size - 1, at = 0, cut = 0; /* cut: longest prefix that leaves space for the closing */

	if (quoted && room < 5) /* no space for even `""...` */
		quoted = 0;
	if (quoted)
		ret[at++] = '"';
	cut = at;
	for (kt_u32 used; *s; s += used) {
		char e[10];
		kt_u32 n = kt_escape_character(e, s, &used);

		if (at + n + (quoted ? 1 : 0) > room)
			break;
		memcpy(ret + at, e, n);
		at += n;
		if (at + 4 <= room)
			cut = at;
	}
	if (quoted && *s) {
		memcpy(ret + cut, "\"...", 4);
		at = cut + 4;
	} else if (quoted) {
		ret[at++] = '"';
	}
	ret[at] = 0;
	return *s != 0;
}

void kt_fn_text_str(struct kt_ctx *c, char *ret, kt_u32 size, const char *s)
{
	if (kt_quote(ret, size, s, 0))
		kt_string_cut();
}

/* LEN: of the result, 0 for as long as a string may be. Quotes and dots take 5 bytes, also where LEN is less. */
void kt_fn_text_strn(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, kt_s64 len, kt_s64 quoted)
{
	if (quoted && len > 0 && len < 5)
		len = 5;
	if (kt_quote(ret, len > 0 && len < size ? (kt_u32)len + 1 : size, s, quoted != 0) && !(len > 0 && len < size))
		kt_string_cut();
}

void kt_fn_string_quoted(struct kt_ctx *c, char *ret, kt_u32 size, const char *s)
{
	if (kt_quote(ret, size, s, 1))
		kt_string_cut();
}

/* ---- tokens ---- */

/* A set of bytes. */
struct delimiters {
	kt_u64 bits[4];
};

static struct delimiters delimiters_of(const char *bytes)
{
	struct delimiters d = { { 0 } };

	for (; *bytes; bytes++)
		d.bits[(unsigned char)*bytes / 64] |= 1ull << (*bytes & 63);
	return d;
}

static int is_delimiter(const struct delimiters *d, char ch)
{
	return d->bits[(unsigned char)ch / 64] >> (ch & 63) & 1;
}

/* Where the first token of FROM that is not empty begins, and in *TO where it ends: at FROM's end when none is left. */
static const char *find_token(const char *from, const struct delimiters *d, const char **to)
{
	while (is_delimiter(d, *from))
		from++;
	for (*to = from; **to && !is_delimiter(d, **to);)
		++*to;
	return from;
}

/* The next token of what kt_fn_tokenize_start() was given; "" when no token is left. Empty tokens are skipped. */
void kt_fn_tokenize_next(struct kt_ctx *c, char *ret, kt_u32 size, const char *delimiters)
{
	struct delimiters d = delimiters_of(delimiters);
	const char *from, *to;
	kt_u32 at = c->token_at;

	ret[0] = 0;
	if (!c->token_text)
		return;
	from = find_token(c->token_text + at, &d, &to);
	kt_strpart(ret, from, kt_min_u32(size, to - from + 1));
	c->token_at = to - c->token_text + (*to != 0); /* the next call may have other delimiters */
	looked_for(c, delimiters, c->token_at - at);
}

/* Keeps a copy of S in the handler's context and returns its first token; an empty S goes on with the one before. */
void kt_fn_tokenize_start(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, const char *delimiters)
{
	if (c->token_text && *s) {
		kt_strcpy(c->token_text, s, size);
		c->token_at = 0;
	}
	kt_fn_tokenize_next(c, ret, size, delimiters);
}

/* Token AT of S, the first being 0; "" when S has fewer. Keeps nothing: for functions of the tapset, which a script may call
 * in a loop over tokens of its own.
 */
void kt_fn___token(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, const char *delimiters, kt_s64 at)
{
	struct delimiters d = delimiters_of(delimiters);
	const char *begin = s, *to;

	for (s = find_token(s, &d, &to); *s && at > 0; at--)
		s = find_token(to, &d, &to);
	kt_strpart(ret, s, kt_min_u32(size, to - s + 1));
	looked_for(c, delimiters, to - begin);
}
