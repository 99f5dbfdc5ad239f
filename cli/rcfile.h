/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that a file of the user's puts before those of the command line. */
#ifndef KTAP_CLI_RCFILE_H
#define KTAP_CLI_RCFILE_H

#include <stdbool.h>

/* Puts the words of the rc file after *ARGV's first; RET_N: how many there are. False: reported. */
bool rc_file_add(int *argc, char ***argv, int *ret_n);

#endif
