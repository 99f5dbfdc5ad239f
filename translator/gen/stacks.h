/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of user programs for stacks. */
#ifndef KTAP_GEN_STACKS_H
#define KTAP_GEN_STACKS_H

#include "translator/gen/state.h"

/* The table of the objects of -d; false: the script takes no stacks of user programs, and no lines of the kernel. */
bool gen_objects(const struct gen *g, struct text *out);
/* Emits the fields of kt_script about them. */
void gen_script_stacks(const struct gen *g, struct text *out);

#endif
