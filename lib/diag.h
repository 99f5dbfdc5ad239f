/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Diagnostics: every message has a tag, a place, the source line with a caret, and a next step.
 *
 *     open.stp:4:12: error: key 1 of 'hits' is a string, expected long [key-type]
 *        4 | 	hits[execname()]++
 *          |      ^
 *     open.stp:1:8: note: first used as long here
 *
 * error() counts and returns false, so that callers can write `return error(...)`. Nothing here exits.
 *
 * A report goes to the struct reports of the place's source. A place without a source (loc.src == NULL) belongs to the process; one
 * without a line (diag_nowhere()) belongs to a struct reports. Both print "ktap: error: ..." and no source line.
 */
#ifndef KTAP_LIB_DIAG_H
#define KTAP_LIB_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "lib/arena.h"

struct reports;

/* A script, tapset file or -e text: what places point into. */
struct source {
	const char *name;     /* as printed: path, "<input>" for -e, "<stdin>" */
	const char *path;     /* where it was read from, NULL for -e */
	const char *text;     /* NUL-terminated copy */
	size_t len;           /* length without the NUL; the text may contain NULs */
	bool tapset;          /* a library file: hidden globals, warnings off */
	int order;            /* of a library file: how many were found before it */
	struct reports *reports; /* where its errors and warnings go; NULL: to those of the process */
	struct source *next;
};

struct loc {
	const struct source *src;
	int line; /* from 1 */
	int col;  /* from 1, in bytes */
};

/* The place of a message that has none. */
static const struct loc nowhere;

enum diag_tag {
#define DIAG(tag, text, summary) DIAG_##tag,
#include "lib/diags.def"
#undef DIAG
	DIAG_COUNT
};

bool error(struct loc loc, enum diag_tag tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Returns false if a trial drops it. Callers that warn once warn again then. */
bool warning(struct loc loc, enum diag_tag tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A note belongs to the error or warning before it: a second place, or the next step. */
void note(struct loc loc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns whether a note at LOC would be read now: callers need not look for what it says if not. */
bool note_is_wanted(struct loc loc);

/* The line of the source at LOC as a report shows it, to be freed; "": LOC is in a library file, or the line is too long. */
char *diag_line(struct loc loc);

struct diag {
	const char *severity; /* "error", "warning" or "note" */
	const char *tag;      /* NULL: a note, which belongs to the report before */
	const char *message;  /* valid during the call */
	struct loc loc;
};

enum diag_part { PART_ERROR, PART_WARNING, PART_NOTE, PART_SOURCE, PART_CARET, PART_TOKEN, PART_COUNT };

/* The reports of a program, or of a process. All zeros: uncolored, to standard error. The fields after REPORTED are of diag.c.
 * Functions that take a struct reports take NULL for those of the process. */
struct reports {
	bool no_warnings;         /* -w */
	bool warnings_are_errors; /* -W */
	bool keeps_catalog;       /* errors are kept for diag_print_catalog() */
	bool color;               /* escape sequences around tags and carets */
	/* Takes each report instead of standard error; NULL: not set. */
	void (*take)(void *of, const struct diag *d);
	void *of;
	int errors;               /* so far, not counting those in trials */
	int reported;             /* errors and warnings so far, not counting those in trials */
	struct trial *trial;      /* the innermost that runs; NULL: none */
	struct source nowhere;    /* without a name: see diag_nowhere() */
	struct {
		const char *sgr;  /* NULL: the default */
		int len;
	} colors[PART_COUNT];
	struct line_shown {
		const struct source *src;
		const char *start;
		int line;
	} line;                   /* that was looked up last */
	struct loc shown;         /* by the last report: a note at the same place does not show it again */
	bool quiet;               /* the last error or warning was not shown, and notes belong to it */
	struct told *told_first, *told_last;
	struct catalog_row *catalog_first, *catalog_last;
	int n_catalog;
	struct arena memory;      /* of the lists */
};

/* Returns the reports of the process, which are those of places without a source. */
struct reports *diag_process(void);
/* Returns empty reports that are shown as R says. */
struct reports diag_like(const struct reports *r);
/* Returns the reports that LOC belongs to. */
struct reports *diag_reports(struct loc loc);
/* Returns the number of errors so far, in a trial the number of its errors. */
int diag_errors(const struct reports *r);
/* Returns a place of R without a line. */
struct loc diag_nowhere(struct reports *r);

/* A trial: does this resolve, can that be computed? Errors are those of the trial and not of the program. Trials nest. */
struct trial {
	struct reports *reports;  /* NULL: it did not begin, and ending it does nothing */
	struct trial *around;
	enum trial_kind {
		TRIAL_DROPS,      /* nothing is reported */
		TRIAL_HOLDS,      /* warnings are kept for trial_hand_on(), errors are dropped */
		TRIAL_DEMOTES,    /* errors are reported as warnings at once */
	} kind;
	int errors;
	bool quiet;               /* the last error or warning was dropped, and notes belong to it */
	struct held *first, *last;
};

void trial_begin(struct reports *r, struct trial *t, enum trial_kind kind);
/* Ends T and drops the messages that it holds. */
void trial_end(struct trial *t);
/* Ends T and reports the messages that it holds to the trial around T, or to the user. */
void trial_hand_on(struct trial *t);
/* Makes T the innermost trial of R, NULL: none. For reports that do not belong to the trials that run. Returns the innermost trial of
 * before, to be set again. */
struct trial *trial_switch(struct reports *r, struct trial *t);

/* Adds to each report of this pass at how many other places it was repeated: error() and warning() print a kind of message once for
 * each place in the source. */
void diag_end_pass(struct reports *r);

/* Prints all errors so far for programs, if R keeps a catalog. The form is that of SystemTap 5.6: SEMANTIC_ERROR, file, line, column,
 * token and message, separated by tabs, between a line with their number and one that ends the list. */
void diag_print_catalog(const struct reports *r);

/* Frees what R remembers, and sets its errors to 0. Sources that it has reported may be freed after this. */
void diag_forget(struct reports *r);

/* Sets colors by $SYSTEMTAP_COLORS, "error=01;31:caret=01": each value is a list of SGR parameters. SPEC must stay. False: it is not of
 * that form. */
bool diag_set_colors(struct reports *r, const char *spec);

/* A `take` that drops messages. */
void diag_ignore(void *of, const struct diag *d);

/* An internal impossibility: message with file and line, then abort. */
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), noreturn));

/* Collects candidates one by one, keeps the nearest: one that differs in underscores (state, __state), or in one letter; else
 * one that has all words of WORD and some more, as renamed things do (sys_mmap, __x64_sys_mmap); else the least different.
 * Start with {.word = w}. */
struct nearest {
	const char *word;
	const char *best;
	int distance; /* of best: twice the number of edits, 1 more when the lengths differ */
	int more;     /* not 0: best has all words of WORD, and so many letters more, plus 1 */
};
void nearest_add(struct nearest *s, const char *candidate);
/* The same as a callback of whatever lists names: DATA is the struct nearest. */
void nearest_add_name(const char *candidate, void *data);
/* The nearest candidate or NULL when nothing is near enough to be helpful. */
const char *nearest_get(const struct nearest *s);

#endif
