/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols that a compiler calls on its own, and those that the macros of embedded C call. The kit refers to all of them, so that its
 * symbol versions (modpost ran for the kit alone) cover every script object that is linked to it later.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/kit/compat.h"

extern void *const kt_compiler_symbols[];
void *const kt_compiler_symbols[] = { memcpy, memmove, memset, memcmp, KT_ARCH_COMPILER_SYMBOLS };

extern int (*const kt_embedded_symbols[])(char *, size_t, const char *, ...);
int (*const kt_embedded_symbols[])(char *, size_t, const char *, ...) = { snprintf, scnprintf };
