/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of -G, as ktaprun and the programs of --runtime=user read them. */
#ifndef KT_SET_GLOBAL_H
#define KT_SET_GLOBAL_H

#include <errno.h>
#include <stdlib.h>

/* Arguments: the name of a global, the bytes of its value, the most that fit. */
#define SET_GLOBAL_TOO_LONG \
	"-G: the value of '%s' has %zu bytes, but a string of this script holds at most %u; build it with a larger -DMAXSTRINGLEN"
/* Arguments: the name of a global, its value. */
#define SET_GLOBAL_NO_NUMBER "-G: '%s' is a number of 64 bits, not '%s'"

/* Reads the number TEXT. Numbers above the signed range wrap, as in a script. Returns 0, or -EDOM: TEXT is not a number of 64 bits. */
static inline int set_global_number(const char *text, long long *ret)
{
	char *end;

	errno = 0;
	*ret = strtoll(text, &end, 0);
	if (errno == ERANGE && *ret > 0) {
		errno = 0;
		*ret = (long long)strtoull(text, &end, 0);
	}
	return errno || end == text || *end ? -EDOM : 0;
}

#endif
