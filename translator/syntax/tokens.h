/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens: what the scanner makes, the preprocessor rewrites, and the grammar reads.
 *
 * A source is scanned whole into an array; preprocessing is array to array. Texts live in program_arena, arrays on
 * the heap. struct unit is the work on one source, known to all files of this directory.
 */
#ifndef KTAP_SYNTAX_TOKENS_H
#define KTAP_SYNTAX_TOKENS_H

#include "lib/map.h"
#include "translator/syntax/parse.h"

/* The tree and the stacks of every pass are as deep as the script nests: this bounds both. */
enum {
	BRACKETS_MAX = 1000,   /* open brackets */
	DEPTH_MAX = 2000,      /* height of the tree */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* a fuzzer would find nothing but ways to reach them */
	TOKENS_MAX = 1000,
	POINTS_MAX = 30,
#else
	TOKENS_MAX = 2000000,  /* that expansions make in one source */
	POINTS_MAX = 10000,    /* one probe point may stand for after brace expansion */
#endif
	ERRORS_MAX = 100,      /* per source; then the rest is not looked at */
	PRINT_ARGS_MAX = 32,
	ARRAY_KEYS_MAX = 9,    /* key_type[] of struct symbol */
};

/* Where a token came from when not from the text itself: for notes. */
struct expansion {
	const char *macro;           /* its name, or "$1" for a script argument */
	struct loc use;
	struct loc definition;       /* src NULL for a script argument */
	const struct expansion *up;
};

struct token {
	int kind;                    /* a token of grammar.y */
	enum op op;
	struct loc loc;
	bool glued;                  /* no space between this one and the one before */
	size_t offset, raw;          /* where its text begins in the source, and its length, quotes included */
	bool bad_number;             /* reported when it is used as a number: globs may hold such words */
	const char *text;            /* the name (interned), string value, C text, or the lexeme */
	size_t len;
	long long num;
	const struct expansion *via; /* NULL: written here */
};

struct tokens {
	struct token *v;
	size_t n;
};

struct macro; /* preprocess.c */

struct unit {
	struct program *program;
	struct source *src;
	const struct parse_options *opt;
	struct map macros;           /* of this file: struct macro by name */
	int errors_before;           /* diag_errors() when the work on this source began */
	struct tokens tokens;        /* what the grammar reads */
	size_t at;                   /* next one to read */
	bool cut;                    /* something is not closed and took the rest: the end is no news then */
	bool stopped;                /* too many errors, or the script is too large */
	bool too_deep;               /* reported once */
	size_t expanded;             /* tokens put by expansions */
	bool macro_file;             /* a .stpm: its macros are for all */
	/* Ends of the program's lists. */
	struct symbol **global_end;
	struct function **function_end;
	struct alias **alias_end;
	struct probe_def **probe_end;
	struct embedded_c **embedded_end;
	void *global_names;          /* tsearch tree: names of globals of this file */
};

static inline bool unit_failed(const struct unit *u)
{
	return diag_errors(u->src->reports) > u->errors_before;
}

static inline bool unit_gave_up(const struct unit *u)
{
	return u->stopped || diag_errors(u->src->reports) - u->errors_before >= ERRORS_MAX;
}

struct token *tokens_add(struct tokens *ts, const struct token *t);
void tokens_deinit(struct tokens *ts);

/* scan.l: appends the tokens of TEXT. When FIXED is given, all of them are at that place (a script argument). */
void scan_text(struct unit *u, const char *text, size_t len, const struct loc *fixed, struct tokens *out);

void keyword_names(void (*fn)(const char *name, void *data), void *data);
/* Keywords that begin a statement, and else. */
void statement_names(struct nearest *s);
/* The token that a word is: IDENT unless it is a keyword. */
int keyword_kind(const char *text, size_t len);

/* parse.c: kinds of tokens: a keyword; a piece of the name in a component of a probe point; what comes before such a component. */
bool token_is_keyword(int kind);
bool token_is_name_piece(int kind);
bool token_precedes_component(int kind);

/* preprocess.c: macros, conditionals, script arguments; adjacent string literals become one. */
void preprocess(struct unit *u, const struct tokens *in, struct tokens *out);
void preprocess_macro_file(struct unit *u, const struct tokens *in);

/* operators.c: @-operators of the language. False: no such one. */
bool at_operator(struct token *t);
void at_operator_names(void (*fn)(const char *name, void *data), void *data);

#endif
