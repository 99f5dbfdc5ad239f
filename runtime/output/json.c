/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/output/json.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 1024 };

void json_deinit(struct json *j)
{
	free(j->buf);
	*j = (struct json){ 0 };
}

void json_raw(struct json *j, const char *text, size_t len)
{
	if (j->len + len > j->room) {
		j->room = 2 * (j->len + len) + ROOM_MIN;
		j->buf = realloc(j->buf, j->room);
		if (!j->buf) {
			fputs("ktap: error: out of memory [run]\n", stderr);
			exit(1);
		}
	}
	memcpy(j->buf + j->len, text, len);
	j->len += len;
}

void json_puts(struct json *j, const char *text)
{
	json_raw(j, text, strlen(text));
}

void json_comma(struct json *j)
{
	if (j->len && !strchr("{[,:", j->buf[j->len - 1]))
		json_puts(j, ",");
}

void json_number(struct json *j, kt_s64 number)
{
	char digits[24];

	json_raw(j, digits, (size_t)snprintf(digits, sizeof(digits), "%lld", number));
}

void json_unsigned(struct json *j, kt_u64 number)
{
	char digits[24];

	json_raw(j, digits, (size_t)snprintf(digits, sizeof(digits), "%llu", number));
}

/* ---- strings ---- */

/* Returns the bytes of the UTF-8 sequence that S, of LEN bytes, begins with; 0 when it begins with none. Overlong forms,
 * surrogates and numbers above U+10FFFF are invalid. */
static size_t sequence(const unsigned char *s, size_t len)
{
	/* The range of the second byte depends on the first one. */
	static const struct {
		unsigned char first, last, low, high;
		size_t len;
	} forms[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	size_t form = 0, n;

	if (s[0] < 0x80)
		return 1;
	while (form < sizeof(forms) / sizeof(forms[0]) && (s[0] < forms[form].first || s[0] > forms[form].last))
		form++;
	if (form == sizeof(forms) / sizeof(forms[0]) || forms[form].len > len)
		return 0;
	n = forms[form].len;
	if (s[1] < forms[form].low || s[1] > forms[form].high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

enum { REPLACEMENT_LEN = sizeof(replacement) - 1 };

static bool is_replacement(const unsigned char *s, size_t len)
{
	return len >= REPLACEMENT_LEN && !memcmp(s, replacement, REPLACEMENT_LEN);
}

static void put_escaped(struct json *j, unsigned char byte)
{
	static const char named[] = "\bb\tt\nn\ff\rr\"\"\\\\";
	const char *at = named;
	char escape[8];

	while (*at && (unsigned char)*at != byte)
		at += 2;
	if (*at)
		snprintf(escape, sizeof(escape), "\\%c", at[1]);
	else
		snprintf(escape, sizeof(escape), "\\u%04x", byte);
	json_puts(j, escape);
}

static void put_byte(struct json *j, unsigned char byte)
{
	char escape[8];

	json_raw(j, escape, (size_t)snprintf(escape, sizeof(escape), "%s%02x", replacement, byte));
}

/* Returns how many of the LEN bytes at S are seen, eight at a time, to be ASCII that no escape is for. */
static size_t plain_words(const unsigned char *s, size_t len)
{
	const uint64_t ones = ~0ull / 0xff;
	size_t n;

	for (n = 0; n + sizeof(ones) <= len; n += sizeof(ones)) {
		uint64_t w;

		memcpy(&w, s + n, sizeof(w));
		/* The high bit of a byte: not ASCII, below a space, equal to one of the two characters. */
		if ((w | (w - ones * ' ') | ((w ^ ones * '"') - ones) | ((w ^ ones * '\\') - ones)) & ones << 7)
			break;
	}
	return n;
}

void json_string(struct json *j, const char *s, size_t len)
{
	const unsigned char *at = (const unsigned char *)s, *end = at + len;

	json_puts(j, "\"");
	while (at < end) {
		const unsigned char *plain = at;
		size_t n;

		at += plain_words(at, (size_t)(end - at));
		while (at < end && *at >= 0x20 && *at != '"' && *at != '\\' && (n = sequence(at, (size_t)(end - at))) &&
		       !is_replacement(at, (size_t)(end - at)))
			at += n;
		json_raw(j, (const char *)plain, (size_t)(at - plain));
		if (at == end)
			break;
		if (*at < 0x80)
			put_escaped(j, *at++);
		else
			for (n = is_replacement(at, (size_t)(end - at)) ? REPLACEMENT_LEN : 1; n; n--)
				put_byte(j, *at++);
	}
	json_puts(j, "\"");
}

size_t json_restore(char *s, size_t len)
{
	char *to = s, *end = s + len, digits[3] = "";

	for (char *at = s; at < end;) {
		bool byte = is_replacement((unsigned char *)at, (size_t)(end - at)) && end - at >= REPLACEMENT_LEN + 2 &&
			    isxdigit((unsigned char)at[REPLACEMENT_LEN]) && isxdigit((unsigned char)at[REPLACEMENT_LEN + 1]);

		if (byte) {
			memcpy(digits, at + REPLACEMENT_LEN, 2);
			*to++ = (char)strtoul(digits, NULL, 16);
			at += REPLACEMENT_LEN + 2;
		} else {
			*to++ = *at++;
		}
	}
	return (size_t)(to - s);
}

/* ---- members ---- */

void json_key(struct json *j, const char *name)
{
	json_comma(j);
	json_string(j, name, strlen(name));
	json_puts(j, ":");
}

void json_member_number(struct json *j, const char *name, kt_s64 number)
{
	json_key(j, name);
	json_number(j, number);
}

void json_member_unsigned(struct json *j, const char *name, kt_u64 number)
{
	json_key(j, name);
	json_unsigned(j, number);
}

void json_member_string(struct json *j, const char *name, const char *s)
{
	json_key(j, name);
	json_string(j, s, strlen(s));
}
