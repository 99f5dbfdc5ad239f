/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globs over dotted names. */
#ifndef KTAP_SEMA_GLOB_H
#define KTAP_SEMA_GLOB_H

#include <stdbool.h>

/* Whether PATTERN means NAME: * stays within a component, ** crosses dots, ? is one character, [..] a set. With HEAD also
 * when NAME is matched by the first components of PATTERN. */
bool glob_dotted(const char *pattern, const char *name, bool head);

#endif
