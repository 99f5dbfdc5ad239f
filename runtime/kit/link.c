/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols that a compiler calls on its own. The kit refers to all of them, so that its symbol versions (modpost ran
 * for the kit alone) cover every script object that is linked to it later.
 */
#include <linux/string.h>

#include "runtime/kit/compat.h"

extern void *const kt_compiler_symbols[];
void *const kt_compiler_symbols[] = { memcpy, memmove, memset, memcmp, KT_ARCH_COMPILER_SYMBOLS };
