/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options: forms that are checked, and the functions that options.def calls. */
#ifndef KTAP_CLI_OPTION_VALUES_H
#define KTAP_CLI_OPTION_VALUES_H

#include <stdbool.h>

struct options;

/* Reports what is wrong with the command line, and where options are explained. Returns false. */
bool usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- forms ---- */
/* A whole number from MIN to MAX. */
bool parse_int(const char *s, int min, int max, int *ret);
/* NAME=VALUE */
bool is_setting(const char *v);
/* Seconds, fractions too, above 0. */
bool is_seconds(const char *v);
/* MB or MB,N, both above 0. */
bool is_rotation(const char *v);
bool is_module_name(const char *v);
/* Sets RET to the position of VALUE among WORDS, "a|b" or "[=a|b]". False: reported for the option --NAME. */
bool option_word(const char *name, const char *words, const char *value, int *ret);
/* Appends V to a list that NULL ends. */
void option_append(const char ***list, const char *v);
/* May diagnostics have colors, on a terminal whose environment does not say no? */
bool option_may_color(void);

/* ---- options ---- */
/* Takes the argument V, NULL where none was given. False: reported. */
typedef bool option_fn(struct options *opt, const char *v);
option_fn add_define, add_hosts, add_make, add_object, add_release, add_remote, check_privilege, keep_catalog,
	lift_error_limits, lift_time_limits, refuse_warnings, set_color, set_download, set_format, set_list,
	set_list_variables, set_machine, set_monitor, set_pass_verbose, set_prepare, set_script_text, set_signature,
	set_snapshots, set_tmpdir, set_vm, set_vm_exec, suppress_warnings;

#endif
