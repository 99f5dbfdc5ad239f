/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 1 for an editor: a script as it stands, without the arguments, the kernel and the options that a run gives it. */
#ifndef KTAP_CLI_EDIT_PARSED_H
#define KTAP_CLI_EDIT_PARSED_H

#include "translator/syntax/ast.h"

/* Finds the libraries, whose macros scripts use. False: reported. */
bool parsed_begin(struct program *p);
/* Parses the script SRC into P, for pass 2. False: reported. */
bool parsed_script(struct program *p, struct source *src);
/* Returns what -p1 prints of SRC, in program_arena; NULL: it does not parse, which was reported. A macro file has its tokens checked. */
const char *parsed_canonical(struct program *p, struct source *src);

#endif
