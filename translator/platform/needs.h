/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel options that probe families need. */
#ifndef KTAP_PLATFORM_NEEDS_H
#define KTAP_PLATFORM_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

enum { NEED_SYMBOLS = 6 };

struct need {
	unsigned families;  /* bit N is enum kt_family N */
	const char *option; /* of the kernel's configuration, without CONFIG_ */
	bool required;      /* false: the families do without the option */
	const char *symbols[NEED_SYMBOLS]; /* functions that the kernel exports with the option; NULL after the last */
};
/* All of them; the last one has no option. */
extern const struct need needs[];

/* Returns the need that the function of LEN bytes at NAME belongs to, NULL: every script needs it. */
const struct need *need_of_symbol(const char *name, size_t len);

#endif
