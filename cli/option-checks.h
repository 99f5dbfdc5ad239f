/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that exclude or need one another. */
#ifndef KTAP_CLI_OPTION_CHECKS_H
#define KTAP_CLI_OPTION_CHECKS_H

#include <stdbool.h>

struct options;

/* Fills in what options imply. False: two cannot go together, reported. */
bool options_check(struct options *opt);
/* The same of options that read standard input, after the script is known. */
bool options_check_input(const struct options *opt);

#endif
