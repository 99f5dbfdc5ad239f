/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that arrays take. */
#ifndef KTAP_GEN_MEMORY_H
#define KTAP_GEN_MEMORY_H

#include "translator/gen/state.h"

struct kt_map_type;

/* Adds the memory of the array S, of type T, to those of the program. */
void memory_note(struct program *p, const struct symbol *s, const struct kt_map_type *t);
/* The sum, as members of struct kt_script. */
void memory_write_sum(const struct program *p, struct text *out);
/* The largest arrays, in a section that the loader reads without loading the module. */
void memory_write_largest(const struct program *p, struct text *out);

#endif
