/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types that a header declares, compiled for the purpose. */
#ifndef KTAP_DEBUGINFO_HEADER_H
#define KTAP_DEBUGINFO_HEADER_H

#include "translator/debuginfo/target.h"

/* HEADER as written in an #include <>, of the kernel K; NULL: one of programs. NULL: reported at LOC, the
 * first time. */
struct target *target_open_header(struct opened *o, const struct kernel *k, const char *header, struct loc loc);

#endif
