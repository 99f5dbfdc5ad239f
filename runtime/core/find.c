/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding a string in another, in time that is linear in both. Context: any.
 *
 * Most searches compare few bytes at places where the string is not. Then it is fastest to try each place. A search that has compared more
 * continues with the Two-Way algorithm (Crochemore and Perrin, 1991), which needs no space.
 */
#include "bytes.h"
#include "str.h"

enum {
	WASTED_MOST = 1024, /* bytes compared at places where PART is not, before Two-Way goes on */
	LOOK_AHEAD = 256,   /* bytes of S whose end is looked for at once */
};

/* PART, cut at its critical position: the paper proves that it exists, and that these shifts skip no occurrence. */
struct halves {
	kt_u32 cut;    /* length of the left half */
	kt_u32 shift;  /* after the right half matched and the left did not */
	kt_u32 known;  /* bytes of PART's beginning that match after such a shift */
};

/* Returns where the largest suffix of PART begins, in the order of bytes or its opposite, and in *PERIOD that suffix's period. */
static kt_u32 largest_suffix(const char *part, kt_u32 len, int opposite, kt_u32 *period)
{
	kt_u32 from = 0, other = 1, same = 0;

	*period = 1;
	while (other + same < len) {
		unsigned char a = part[from + same], b = part[other + same];

		if (a == b) {
			if (++same == *period) {
				other += same;
				same = 0;
			}
		} else if ((a > b) != opposite) { /* the suffix from here is larger */
			other += same + 1;
			same = 0;
			*period = other - from;
		} else {
			from = other++;
			same = 0;
			*period = 1;
		}
	}
	return from;
}

static struct halves halve(const char *part, kt_u32 len)
{
	kt_u32 p, q, a = largest_suffix(part, len, 0, &p), b = largest_suffix(part, len, 1, &q);
	struct halves h = { .cut = a > b ? a : b, .shift = a > b ? p : q };

	if (kt_same_bytes(part, part + h.shift, h.cut))
		h.known = len - h.shift;
	else
		h.shift = (h.cut > len - h.cut ? h.cut : len - h.cut) + 1;
	return h;
}

/* As kt_find(), for a PART that is not empty. */
static __attribute__((__noinline__)) const char *find_two_way(const char *s, const char *part)
{
	kt_u32 len = kt_strlen(part), at = 0, known = 0, read = kt_length(s, len), i;
	struct halves h;

	if (read < len)
		return s + read;
	h = halve(part, len);
	for (;;) {
		if (read < at + len)
			read += kt_length(s + read, at + len - read + LOOK_AHEAD);
		if (read < at + len)
			return s + read;
		for (i = known > h.cut ? known : h.cut; i < len && part[i] == s[at + i]; i++)
			;
		if (i < len) {
			at += i - h.cut + 1;
			known = 0;
			continue;
		}
		for (i = h.cut; i > known && part[i - 1] == s[at + i - 1]; i--)
			;
		if (i <= known)
			return s + at;
		at += h.shift;
		known = h.known;
	}
}

const char *kt_find(const char *s, const char *part)
{
	for (kt_u32 wasted = 0;; s++) {
		kt_u32 i = 0;

		while (part[i] && s[i] == part[i])
			i++;
		if (!part[i] || !*s)
			return s;
		wasted += i;
		if (kt_unlikely(wasted > WASTED_MOST))
			return find_two_way(s + 1, part);
	}
}
