/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Script text -> syntax tree. Errors are reported where they are and counted; parsing goes on at the next
 * top-level keyword, so that one run shows all of them. */
#ifndef KTAP_SYNTAX_PARSE_H
#define KTAP_SYNTAX_PARSE_H

#include "translator/syntax/ast.h"

/* Values of the names that %( %) conditions may ask for. Strings may be NULL: the condition is then an error that
 * names the option that supplies it. */
struct conditions {
	const char *kernel_v, *kernel_vr, *arch, *runtime, *systemtap_v, *privilege;
	bool guru;
	/* Value of CONFIG_NAME: "y", "m", a number, a string; NULL when not set. Called on demand only. */
	const char *(*config)(void *data, const char *name);
	/* kernel_v and kernel_vr on demand (reading them may cost): used when the members are NULL. */
	const char *(*kernel)(void *data, bool full);
	void *data;
};

struct parse_options {
	const struct conditions *conditions;
	const char *const *argv; /* script arguments: $1 is argv[0] */
	int argc;
	bool *arg_used;          /* argc flags, set on use; or NULL */
	bool guru;
};

/* Parses one source into P. Tapset files (src->tapset) get priority 1 functions. */
bool parse_source(struct program *p, struct source *src, const struct parse_options *opt);
/* Reads macro definitions of a .stpm file: visible in every source parsed later. */
bool parse_macros(struct program *p, struct source *src, const struct parse_options *opt);

/* Sources: from a file ("-": standard input), or from text given on the command line. NULL and a diagnostic on failure. */
struct source *source_from_file(struct program *p, const char *path);
/* From a stream, to its end. PATH: of its file, or NULL. NAME is for messages. */
struct source *source_from_stream(struct program *p, const char *name, const char *path, FILE *f);
struct source *source_from_text(struct program *p, const char *name, const char *text);

#endif
