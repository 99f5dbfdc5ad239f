/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and comments of the script's C file. */
#ifndef KTAP_GEN_NAMES_H
#define KTAP_GEN_NAMES_H

#include "translator/gen/state.h"

/* A C identifier from a script's: keywords and our own prefix get one. */
const char *gen_local_name(const char *name);
/* Returns S as it may stand in a comment, which it neither ends nor begins. */
const char *gen_comment(const char *s);
/* Gives each global and each function its name in C. Private names of several files may be equal: the second is _2_NAME. */
void gen_names(struct gen *g);

#endif
