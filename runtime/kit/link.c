/* SPDX-License-Identifier: GPL-2.0-or-later */
/* References to symbols that the kit itself may not use: a compiler calls some on its own, macros of embedded C call others. Modpost runs
 * for the kit alone, and so finds the versions of all that a script's object needs when it is linked to the kit later.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/kit/compat.h"

extern void *const kt_compiler_symbols[];
void *const kt_compiler_symbols[] = { memcpy, memmove, memset, memcmp, KT_ARCH_COMPILER_SYMBOLS };

extern int (*const kt_embedded_symbols[])(char *, size_t, const char *, ...);
int (*const kt_embedded_symbols[])(char *, size_t, const char *, ...) = { snprintf, scnprintf };
