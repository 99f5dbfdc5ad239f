/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of strings, a word at a time: little endian, as are all machines that ktap runs on.
 *
 * Nothing here reads or writes past the N bytes that the caller names, except for kt_length(), which reads whole aligned words: the
 * one that holds the first byte, the one that holds the last byte, and those between. An aligned word never crosses into a page
 * that the string is not in. Context: any.
 */
#ifndef KT_CORE_BYTES_H
#define KT_CORE_BYTES_H

#include "../script.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "strings are read as words of little endian");

/* Sanitizers check objects, not words. Functions that such a function calls must always be inlined. */
#define KT_READS_WORDS __attribute__((__noinline__, __no_sanitize_address__))
#define KT_INLINE static inline __attribute__((__always_inline__))

KT_INLINE kt_u64 kt_load_word(const char *s)
{
	kt_u64 w;

	__builtin_memcpy(&w, s, 8);
	return w;
}

KT_INLINE kt_u32 kt_load_half(const char *s)
{
	kt_u32 w;

	__builtin_memcpy(&w, s, 4);
	return w;
}

/* The N bytes at S, 8 at most, the first one lowest. */
KT_INLINE kt_u64 kt_load_part(const char *s, kt_u32 n)
{
	if (n == 8)
		return kt_load_word(s);
	if (n >= 4) /* the two halves agree where they overlap */
		return kt_load_half(s) | (kt_u64)kt_load_half(s + n - 4) << 8 * (n - 4);
	if (!n)
		return 0;
	return (unsigned char)s[0] | (kt_u64)(unsigned char)s[n / 2] << 8 * (n / 2) |
	       (kt_u64)(unsigned char)s[n - 1] << 8 * (n - 1);
}

/* Not 0 when a byte of W is 0. The lowest bit that is set is the highest one of the first such byte. */
KT_INLINE kt_u64 kt_zero_bytes(kt_u64 w)
{
	return (w - 0x0101010101010101ull) & ~w & 0x8080808080808080ull;
}

/* The bits of a word up to its first zero byte and of that, and none after it; ZERO is what kt_zero_bytes() returned, not 0. */
KT_INLINE kt_u64 kt_before_zero(kt_u64 zero)
{
	return zero ^ (zero - 1);
}

/* Copies N bytes. The two places are the same or do not overlap. */
static inline void kt_copy_bytes(char *to, const char *from, kt_u32 n)
{
	if (n >= 8) {
		kt_u64 last = kt_load_word(from + n - 8), w;

		for (; n > 8; to += 8, from += 8, n -= 8) {
			w = kt_load_word(from);
			__asm__("" : "+r"(w)); /* or the compiler calls memcpy(), which is slow for short strings */
			__builtin_memcpy(to, &w, 8);
		}
		__builtin_memcpy(to + n - 8, &last, 8);
	} else if (n >= 4) {
		kt_u32 first = kt_load_half(from), last = kt_load_half(from + n - 4);

		__builtin_memcpy(to, &first, 4);
		__builtin_memcpy(to + n - 4, &last, 4);
	} else if (n) {
		to[0] = from[0];
		to[n / 2] = from[n / 2];
		to[n - 1] = from[n - 1];
	}
}

/* The same, faster where they are hundreds. */
static inline void kt_copy_long(char *to, const char *from, kt_u32 n)
{
	for (; n > 32; to += 32, from += 32, n -= 32) {
		kt_u64 a = kt_load_word(from), b = kt_load_word(from + 8);
		kt_u64 c = kt_load_word(from + 16), d = kt_load_word(from + 24);

		__builtin_memcpy(to, &a, 8);
		__builtin_memcpy(to + 8, &b, 8);
		__builtin_memcpy(to + 16, &c, 8);
		__builtin_memcpy(to + 24, &d, 8);
	}
	kt_copy_bytes(to, from, n);
}

/* Returns whether N bytes are equal. */
static inline int kt_same_bytes(const char *a, const char *b, kt_u32 n)
{
	if (n < 8)
		return kt_load_part(a, n) == kt_load_part(b, n);
	for (kt_u32 at = 0; at + 8 < n; at += 8) {
		if (kt_load_word(a + at) != kt_load_word(b + at))
			return 0;
	}
	return kt_load_word(a + n - 8) == kt_load_word(b + n - 8);
}

/* The low 32 bits of VALUE as 8 hexadecimal digits, the first one lowest. */
KT_INLINE kt_u64 kt_hex_digits(kt_u32 value)
{
	kt_u64 w = value;

	w = (w << 16 | w) & 0x0000ffff0000ffffull;
	w = (w << 8 | w) & 0x00ff00ff00ff00ffull;
	w = (w << 4 | w) & 0x0f0f0f0f0f0f0f0full;
	w = __builtin_bswap64(w);
	/* 0x30 makes '0', and 0x27 more makes 'a' of 10 */
	return w + 0x3030303030303030ull + (((w + 0x0606060606060606ull) >> 4 & 0x0101010101010101ull) * 0x27);
}

enum { KT_ADDRESS_TEXT = 19 }; /* bytes that the text of an address takes at most */

/* Writes ADDRESS in hexadecimal, after 0x and before a space, without a NUL. Returns the number of bytes. Bytes after them, up to
 * KT_ADDRESS_TEXT, may be written too. */
static inline kt_u32 kt_put_address(char *to, kt_u64 address)
{
	kt_u32 n = (67 - __builtin_clzll(address | 1)) / 4;
	kt_u64 digits;

	address <<= 64 - 4 * n; /* the first digit to the top */
	digits = kt_hex_digits(address >> 32);
	to[0] = '0';
	to[1] = 'x';
	__builtin_memcpy(to + 2, &digits, 8);
	if (n > 8) {
		digits = kt_hex_digits((kt_u32)address);
		__builtin_memcpy(to + 10, &digits, 8);
	}
	to[2 + n] = ' ';
	return n + 3;
}

/* Returns the length of S, MAX if that is less. MAX above 0. */
kt_u32 kt_length(const char *s, kt_u32 max);

#endif
