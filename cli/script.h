/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 1 from the command line's point of view: which texts, which script arguments, which facts for %( %). */
#ifndef KTAP_CLI_SCRIPT_H
#define KTAP_CLI_SCRIPT_H

#include "cli/options.h"
#include "translator/syntax/ast.h"

/* Reads and parses everything the user gave. The settings of P are set. */
bool script_parse(struct program *p, const struct options *opt);

#endif
