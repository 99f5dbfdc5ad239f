/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules that the script was compiled with. */
#ifndef KTAP_GEN_BUILDS_H
#define KTAP_GEN_BUILDS_H

#include "translator/gen/state.h"

/* Writes the table of modules that the script was compiled with. Returns their number; 0: there is no table. */
int gen_builds(const struct gen *g, struct text *out);

#endif
