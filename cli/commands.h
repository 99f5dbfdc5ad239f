/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of ktap that take run no script: doctor, explain, examples, fmt, help, merge, report, symbolize. */
#ifndef KTAP_CLI_COMMANDS_H
#define KTAP_CLI_COMMANDS_H

#include <stdbool.h>

/* Runs the command that argv[1] names. *ret_status: its exit status. False: argv[1] is not a command, or, with SCRIPTS, a script of
 * that name is in the current directory and no other user can change it. */
bool command_run(int argc, char **argv, bool scripts, int *ret_status);

/* True if the script NAME exists and may be run. Else the reason is reported: NAME may be a command after options, the name of a function,
 * or a bare word whose file in the current directory another user can change. */
bool command_find_script(const char *name);

/* Reports wrong use of a command. Returns the exit status. */
int command_misused(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Flushes stdout. Returns the exit status: 1 and an error when something was not written. */
int command_written(void);

/* `ktap examples [WORD...]`: lists the installed examples that have all WORDs. Returns the exit status. */
int examples_run(int argc, char **argv);

/* `ktap explain [TAG]`: prints the explanation of a message, or lists the tags. Returns the exit status. */
int explain_run(int argc, char **argv);

/* `ktap fmt [--check] [FILE...]`: formats scripts. Returns the exit status: 1 if --check found a file that differs, 2 after an error. */
int fmt_run(int argc, char **argv);

/* `ktap help [SUBJECT]`: probes, functions, language. Returns the exit status. */
int help_run(int argc, char **argv);

/* `ktap merge [-o FILE] FILE...`: what the files of -b hold, in the order of time. Returns the exit status. */
int merge_run(int argc, char **argv);

/* `ktap report RUN.json [AFTER.json] [-o FILE]`: an HTML page of what -f json printed. Returns the exit status. */
int report_run(int argc, char **argv);

/* `ktap symbolize [-r RELEASE] [-m MODULE] [-x PROGRAM] [--json] [ADDRESS...]`: prints functions and lines of addresses. Returns the exit status: 1
 * if one is unknown, 2 after an error. */
int symbolize_run(int argc, char **argv);

#endif
