/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines as tables: ktap, ktaprun and programs of --runtime=user read them alike. Needs libc only. */
#ifndef KT_OPTIONS_H
#define KT_OPTIONS_H

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct kt_option {
	int id;                /* the letter, or a number above 255; 0: HELP is the title of a section */
	const char *name;      /* long name or NULL */
	const char *argument;  /* NULL: none; "[=X]": optional */
	const char *help;
};

enum { KT_OPTIONS_MAX = 128 };

/* The options of a session, which ktaprun and programs of --runtime=user have in common. */
enum { KT_OPT_LEDGER = 256, KT_OPT_STRICT, KT_OPT_TIMESTAMPS, KT_OPT_CONTROL, KT_OPT_OWN };
#define KT_SESSION_OPTIONS \
	{ 'c', NULL, "CMD", "start CMD as target(), and end with it" }, \
	{ 'x', NULL, "PID", "set target() to PID" }, \
	{ 'T', NULL, "SECONDS", "end after this many seconds; fractions are allowed" }, \
	{ 'G', NULL, "NAME=VALUE", "set a global of the script before the start" }, \
	{ 'f', NULL, "FORMAT", "print text, or one JSON object a line (json)" }, \
	{ KT_OPT_TIMESTAMPS, "timestamps", "[=wall|mono|delta]", "print the time of each line" }, \
	{ KT_OPT_CONTROL, "control", NULL, "read commands that arm and disarm probes from stdin" }, \
	{ 'w', NULL, NULL, "suppress warnings" }, \
	{ 'v', NULL, NULL, "be verbose; implies --ledger" }, \
	{ KT_OPT_LEDGER, "ledger", NULL, "print hits and losses of each probe at the end" }, \
	{ KT_OPT_STRICT, "strict", NULL, "exit with status 6 if anything was lost" },

/* How an error names the argument of -T. */
#define KT_SECONDS_EXPECTED "seconds above 0, at most 1000000000"

/* Reads the argument of -T, seconds above 0, with fractions. False: it is something else. */
static inline int kt_seconds(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	return end != text && !*end && *ret > 0 && *ret <= 1e9;
}

/* getopt's two descriptions. */
struct kt_options {
	char letters[2 * KT_OPTIONS_MAX + 2];
	struct option longs[KT_OPTIONS_MAX + 1];
	int n_letters, n_longs;
};

/* Adds an option; one too many is left out. */
static inline void kt_options_add(struct kt_options *o, const struct kt_option *row)
{
	int argument = !row->argument ? no_argument : row->argument[0] == '[' ? optional_argument : required_argument;

	if (row->id > 0 && row->id < 256 && o->n_letters < 2 * KT_OPTIONS_MAX) {
		o->letters[o->n_letters++] = (char)row->id;
		if (argument != no_argument)
			o->letters[o->n_letters++] = ':';
	}
	if (row->name && o->n_longs < KT_OPTIONS_MAX)
		o->longs[o->n_longs++] = (struct option){ row->name, argument, NULL, row->id };
}

/* Fills O, all zeros, with N rows. */
static inline void kt_options_init(struct kt_options *o, const struct kt_option *rows, int n)
{
	o->letters[o->n_letters++] = ':'; /* a missing argument differs from an unknown option */
	for (int i = 0; i < n; i++)
		kt_options_add(o, &rows[i]);
}

/* Returns the id of the next option, -1 after the last, '?' for an unknown one, ':' for a missing argument. optarg and optind are
 * getopt's. Words between options are left for the end; words after `--` are no options. */
static inline int kt_options_next(const struct kt_options *o, int argc, char **argv)
{
	opterr = 0;
	return getopt_long(argc, argv, o->letters, o->longs, NULL);
}

/* Writes to RET what is wrong with the option for which kt_options_next() returned GOT. */
static inline void kt_options_wrong(int got, char *const *argv, char *ret, size_t size)
{
	const char *word = argv[optind - 1];

	if (got == ':')
		snprintf(ret, size, "option '%s' needs an argument", word);
	else if (optopt > 0 && optopt < 256)
		snprintf(ret, size, "unknown option '-%c'", optopt);
	else
		snprintf(ret, size, "unknown option '%s'", word);
}

/* Prints a line for each row, the help from column WIDTH + 4 on. */
static inline void kt_options_print(const struct kt_option *rows, int n, int width)
{
	for (int i = 0; i < n; i++) {
		const struct kt_option *r = &rows[i];
		char left[64], letter[8] = "";
		const char *sep = r->argument && r->argument[0] != '[' ? (r->name ? "=" : " ") : "";

		if (!r->id) {
			printf("%s%s:\n", i ? "\n" : "", r->help);
			continue;
		}
		if (r->id < 256)
			snprintf(letter, sizeof(letter), "-%c%s", r->id, r->name ? ", " : "");
		snprintf(left, sizeof(left), "%s%s%s%s%s", letter, r->name ? "--" : "", r->name ? r->name : "", sep,
			 r->argument ? r->argument : "");
		printf("  %-*s %s\n", width, left, r->help);
	}
}

#endif
