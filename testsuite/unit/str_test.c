/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/str.c: primitives and tapset functions on strings. */
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/core/bytes.h"
#include "runtime/core/str.h"
#include "testsuite/unit/tap.h"

static struct kt_ctx ctx;
static struct kt_ctx *const c = &ctx;
static long looks;

int kt_is_late(struct kt_ctx *unused)
{
	(void)unused;
	return ++looks >= 4;
}

static void primitives(void)
{
	char b[8];
	_Alignas(8) char record[32];

	is_int(kt_strlen("abc"), 3, "strlen");
	kt_strcpy(b, "abcdefghij", sizeof(b));
	is_str(b, "abcdefg", "strcpy cuts");
	kt_strcpy(b, b, sizeof(b));
	is_str(b, "abcdefg", "strcpy onto itself");
	kt_strcpy(b, "ab", sizeof(b));
	kt_strcat(b, "cdefghijk", sizeof(b));
	is_str(b, "abcdefg", "strcat cuts");
	kt_strcat(b, "x", sizeof(b));
	is_str(b, "abcdefg", "strcat to a full string");
	ok(kt_strcmp("a", "b") < 0 && kt_strcmp("b", "a") > 0 && !kt_strcmp("a", "a"), "strcmp");
	ok(kt_strcmp("\x80", "a") > 0, "strcmp is unsigned");
	memset(record, 'x', sizeof(record));
	is_int((char *)kt_put_string(record, "hello", 5) - record, 16, "put_string rounds to 8");
	ok(!memcmp(record, "\5\0\0\0hello\0\0\0\0\0\0\0x", 17), "put_string bytes");
	is_int((char *)kt_put_text(record, "abcd") - record, 8, "put_text, exact fit");
}

/* Strings of all short lengths at all places in a word, the last of which ends where memory ends: what is read as words must be
 * right, and stay in the page. */
static void words(void)
{
	enum { PAGE = 4096, LONGEST = 40 };
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *end = pages + PAGE;
	char model[LONGEST + 1], b[LONGEST + 10];
	kt_u32 wrong = 0;

	mprotect(end, PAGE, PROT_NONE);
	for (kt_u32 len = 0; len <= LONGEST; len++) {
		for (kt_u32 i = 0; i < len; i++)
			model[i] = (char)(0x80 + 3 * i);
		model[len] = 0;
		for (kt_u32 before = 0; before < 8; before++) {
			char *s = end - len - 1 - before;

			memset(pages, 0, PAGE);
			strcpy(s, model);
			wrong += kt_strlen(s) != len || kt_length(s, len / 2 + 1) != (len ? len / 2 + 1 : 0);
			memset(b, 'x', sizeof(b));
			kt_strcpy(b, s, LONGEST + 1);
			wrong += strcmp(b, model) != 0 || b[len + 1] != 'x';
			wrong += kt_strcmp(s, model) != 0;
			for (kt_u32 i = 0; i < len; i++) {
				s[i] ^= 1;
				wrong += (kt_strcmp(s, model) < 0) != (strcmp(s, model) < 0) || !kt_strcmp(s, model);
				wrong += kt_same_bytes(s, model, len) || !kt_same_bytes(s, model, i);
				s[i] ^= 1;
			}
			b[len] = 'y';
			b[len + 1] = 0;
			wrong += kt_strcmp(s, b) >= 0 || kt_strcmp(b, s) <= 0;
		}
	}
	munmap(pages, 2 * PAGE);
	is_int(wrong, 0, "strings as words");
}

static void addresses(void)
{
	static const unsigned long long known[] = { 0, 1, 0xf, 0x10, 0x9abcdef0, 0x123456789abcdef0, ~0ull, 0xffffffff810b1360 };

	for (kt_u32 i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		char text[KT_ADDRESS_TEXT + 1], want[32];

		text[kt_put_address(text, known[i])] = 0;
		snprintf(want, sizeof(want), "0x%llx ", known[i]);
		is_str(text, want, "an address");
	}
}

static void searching(void)
{
	is_int(kt_fn_strpos(c, "hello", "llo"), 2, "strpos");
	is_int(kt_fn_strpos(c, "hello", "lxo"), -1, "strpos: none");
	is_int(kt_fn_strpos(c, "", ""), 0, "strpos of nothing");
	is_int(kt_fn_isinstr(c, "aab", "ab"), 1, "isinstr after a false start");
	is_int(kt_fn_isinstr(c, "a", "ab"), 0, "isinstr: part is longer");
	is_int(kt_fn_stringat(c, "a\xff", 1), 255, "stringat is unsigned");
	ok(!c->error, "no error so far");
	is_int(kt_fn_stringat(c, "abc", 3), 0, "stringat past the end");
	is_str(c->error, "Position out of bounds: 3 in a string of 3 bytes", "its error");
	c->error = NULL;
	kt_fn_stringat(c, "abc", -1);
	ok(c->error, "stringat before the start");
	c->error = NULL;
	is_int(kt_fn_isdigit(c, "7x"), 1, "isdigit");
	is_int(kt_fn_isdigit(c, ""), 0, "isdigit of nothing");
}

static void numbers(void)
{
	is_int(kt_fn_strtol(c, "123abc", 10), 123, "strtol");
	is_int(kt_fn_strtol(c, "-0x1F", 0), -31, "strtol: base 0, hex");
	is_int(kt_fn_strtol(c, "0x1f", 16), 31, "strtol: base 16 with prefix");
	is_int(kt_fn_strtol(c, "017", 0), 15, "strtol: base 0, octal");
	is_int(kt_fn_strtol(c, "0x", 0), 0, "strtol: 0x alone");
	is_int(kt_fn_strtol(c, "0x", 16), 0, "strtol: 0x alone, base 16");
	is_int(kt_fn_strtol(c, "zz", 36), 35 * 36 + 35, "strtol: base 36");
	is_int(kt_fn_strtol(c, "", 10), 0, "strtol of nothing");
	is_int(kt_fn_strtol(c, "12", -5), 0, "strtol: base below 0");
	is_int(kt_fn_strtol(c, "!", 1000), 0, "strtol: base beyond digits");
	is_int(kt_fn_strtol(c, "-9223372036854775808", 10), -9223372036854775807LL - 1, "strtol: least");
}

static void making(void)
{
	char b[16];

	kt_fn_substr(c, b, sizeof(b), "hello", 1, 3);
	is_str(b, "ell", "substr");
	kt_fn_substr(c, b, sizeof(b), "hello", 3, 300);
	is_str(b, "lo", "substr: as much as there is");
	kt_fn_substr(c, b, sizeof(b), "hello", -1, 3);
	is_str(b, "", "substr: negative start");
	kt_fn_substr(c, b, sizeof(b), "hello", 5, 3);
	is_str(b, "", "substr: start at the end");
	kt_fn_substr(c, b, 4, "hello", 0, 0x100000002LL);
	is_str(b, "hel", "substr: cut by the buffer");
	kt_fn_str_replace(c, b, sizeof(b), "a-b-c", "-", "::");
	is_str(b, "a::b::c", "str_replace");
	kt_fn_str_replace(c, b, sizeof(b), "abc", "", "x");
	is_str(b, "abc", "str_replace of nothing");
	kt_fn_str_replace(c, b, sizeof(b), "aaaaaaaa", "a", "bcd");
	is_str(b, "bcdbcdbcdbcdbcd", "str_replace cuts");
	kt_fn_str_replace(c, b, sizeof(b), "abab", "ab", "");
	is_str(b, "", "str_replace by nothing");
}

static void quoting(void)
{
	char b[16];

	kt_fn_text_str(c, b, sizeof(b), "a\n\"\x01");
	is_str(b, "a\\n\\\"\\001", "text_str");
	kt_fn_string_quoted(c, b, sizeof(b), "a\tb");
	is_str(b, "\"a\\tb\"", "string_quoted");
	kt_fn_string_quoted(c, b, sizeof(b), "0123456789abc");
	is_str(b, "\"0123456789abc\"", "string_quoted: exact fit");
	kt_fn_string_quoted(c, b, sizeof(b), "0123456789abcd");
	is_str(b, "\"0123456789\"...", "string_quoted: what does not fit");
	kt_fn_string_quoted(c, b, sizeof(b), "012345678\001234567");
	is_str(b, "\"012345678\"...", "string_quoted never cuts an escape");
	kt_fn_text_strn(c, b, sizeof(b), "hello world", 8, 1);
	is_str(b, "\"hel\"...", "text_strn");
	kt_fn_text_strn(c, b, sizeof(b), "hello", 3, 1);
	is_str(b, "\"\"...", "text_strn: quotes and dots have room always");
	kt_fn_text_strn(c, b, sizeof(b), "hello", 0, 0);
	is_str(b, "hello", "text_strn: no limit");
	for (int size = 1; size <= 16; size++) {
		kt_quote(b, size, "\1\2\3\4\5\6\7", size & 1);
		ok(strlen(b) < (size_t)size, "quote in %d bytes", size);
	}
}

static void tokens(void)
{
	char text[16] = "", b[16];

	kt_fn_tokenize_start(c, b, sizeof(b), "a b", " ");
	is_str(b, "", "tokenize without room in the context");
	c->token_text = text;
	kt_fn_tokenize_next(c, b, sizeof(b), " ");
	is_str(b, "", "tokenize: next before start");
	kt_fn_tokenize_start(c, b, sizeof(b), "::a::b c", ":");
	is_str(b, "a", "tokenize skips empty tokens");
	kt_fn_tokenize_next(c, b, sizeof(b), " ");
	is_str(b, ":b", "tokenize: one delimiter was consumed");
	kt_fn_tokenize_next(c, b, sizeof(b), " ");
	is_str(b, "c", "tokenize: last");
	kt_fn_tokenize_next(c, b, sizeof(b), " ");
	is_str(b, "", "tokenize: end");
	c->token_text = NULL;
}

/* Makes of two letters a PART, random or periodic or nearly so, and a text S of pieces of it, with all of it somewhere or not. */
static void make_search(char *part, char *s, kt_u32 size)
{
	kt_u32 len = 1 + rand() % 60, period = 1 + rand() % len, at = 0;

	for (kt_u32 i = 0; i < len; i++)
		part[i] = i < period ? (char)('a' + rand() % 2) : part[i - period];
	if (rand() % 3 == 0)
		part[rand() % len] ^= 3;
	part[len] = 0;
	while (at + len + 1 < size) {
		kt_u32 from = rand() % 2 ? rand() % len : 0, n = rand() % 100 ? rand() % (len - from) : len - from;

		memcpy(s + at, part + from, n);
		s[at + n] = (char)('a' + rand() % 2);
		at += n + 1;
	}
	s[at] = 0;
}

static void searching_at_random(void)
{
	char part[64], s[4000];
	kt_u32 wrong = 0, found = 0;

	srand(1);
	for (int i = 0; i < 4000; i++) {
		const char *want;

		make_search(part, s, sizeof(s));
		want = strstr(s, part);
		found += want && want > s + 1500;
		wrong += kt_find(s, part) != (want ? want : s + strlen(s));
	}
	is_int(wrong, 0, "find as strstr does");
	ok(found > 100, "some are found late: %u", found);
}

enum { LONG = 32768 };

/* LONG - 1 bytes A, and LAST. */
static void fill(char *s, kt_u32 len, char a, char last)
{
	memset(s, a, len);
	s[len - 1] = last;
	s[len] = 0;
}

/* Each of these took a tenth of a second, or more, when it was quadratic. */
static void long_strings(void)
{
	static char s[LONG], part[LONG], ret[LONG];
	clock_t begin = clock();

	fill(s, LONG - 1, 'a', 'a');
	fill(part, LONG / 2, 'a', 'b');
	c->token_text = ret;
	for (int i = 0; i < 20; i++) {
		is_int(kt_fn_strpos(c, s, part), -1, "strpos of a long string");
		kt_fn_str_replace(c, ret, LONG, s, part, "");
		is_str(ret, s, "str_replace of a long string");
		kt_fn___token(c, ret, LONG, s, part, 0);
		is_str(ret, "", "long delimiters");
	}
	fill(part, 40, 'a', 'b');
	memcpy(s + LONG - 100, "b", 1);
	for (int i = 0; i < 20; i++)
		is_int(kt_fn_strpos(c, s, part), LONG - 139, "strpos of a short one in a long string");
	ok(clock() - begin < CLOCKS_PER_SEC, "linear");
	c->token_text = NULL;
	c->error = NULL;
	c->flags = 0;
}

static void looks_at_clock(void)
{
	static char s[KT_LONG_STRING + 1];

	looks = 0;
	fill(s, KT_LONG_STRING - 1, 'a', 'a');
	kt_fn_isinstr(c, s, "b");
	is_int(looks, 0, "no look at the clock after a short search");
	fill(s, KT_LONG_STRING, 'a', 'a');
	for (int i = 1; i < 4; i++) {
		kt_fn_isinstr(c, s, "b");
		ok(looks == i && !c->error, "a look after a long one");
	}
	kt_fn_isinstr(c, "a", s);
	is_str(c->error, "MAXTIME exceeded; raise -DMAXTIME", "the time is up");
	ok(!kt_catchable(c) && kt_error_kind(c) == KT_ERROR_TIME, "its kind");
	c->error = NULL;
	c->flags = 0;
}

int main(void)
{
	primitives();
	words();
	addresses();
	searching();
	numbers();
	making();
	quoting();
	tokens();
	searching_at_random();
	long_strings();
	looks_at_clock();
	return tap_done();
}
