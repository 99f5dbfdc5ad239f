/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 3: from the checked program to the C of its script object.
 *
 * The same program gives the same bytes: the text is what the module cache is keyed by.
 */
#ifndef KTAP_GEN_GEN_H
#define KTAP_GEN_GEN_H

#include "lib/text.h"
#include "translator/syntax/ast.h"

/* Compiles the regular expressions of the analysed program, for pass 2 to report those that are wrong. */
bool gen_check_patterns(const struct program *p);
/* Writes the complete script.c into OUT. False: an error was reported. */
bool gen_program(struct program *p, struct text *out);
/* Prints the memory that the arrays of the program take, after gen_program(). */
void gen_memory(struct text *t, const struct program *p);

#endif
