/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences of a program that is called as stap. */
#ifndef KTAP_CLI_STAP_H
#define KTAP_CLI_STAP_H

#include "translator/syntax/ast.h"

/* Processor time and time on the clock, in milliseconds. */
struct pass_times {
	double user, system, real;
};

/* Returns whether ARGV0, the first word of a command line, calls the program as stap. */
bool stap_is_name(const char *argv0);

/* The end of pass NUMBER, which took TIMES: with -v its line, and a line when it failed. MODULE: what pass 4 made. */
void stap_pass_end(const struct program *p, int number, bool ok, const char *module, struct pass_times times);

/* Runs the loader ARGV, says when it starts and ends, and returns its status. Signals that this program gets go to the loader. */
int stap_run(const char *const *argv);

#endif
