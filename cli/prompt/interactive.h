/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap -i: a script that grows line by line, and is run as often as its user likes. */
#ifndef KTAP_CLI_PROMPT_INTERACTIVE_H
#define KTAP_CLI_PROMPT_INTERACTIVE_H

#include <stdbool.h>

#include "cli/complete.h"
#include "cli/options.h"
#include "cli/prompt/prompt.h"
#include "lib/text.h"

/* Does what the words of a command line ask for, -i apart. LIMITS: those of this process, as it was started. Returns the exit status. */
typedef int start_fn(struct limits *limits, int argc, char **argv);

struct interactive {
	const struct options *opt;
	start_fn *start;
	struct text script;      /* whole declarations, which parse */
	struct text before;      /* the script before the last change */
	struct text draft;       /* a text of `edit` or `load` that does not parse */
	struct text pending;     /* the beginning of a declaration that is being typed */
	char *file;              /* what `save` writes when it is given no name; NULL: none */
	bool changed;            /* the script is not in that file */
	struct prompt prompt;
	bool ended;
	struct line_words options; /* of `set` */
};

/* Runs the session of OPT until its end. Returns the exit status. */
int interactive_run(const struct options *opt, start_fn *start);

/* The command line of NAMES (NULL-terminated, may be empty), the session's options, and TAIL (likewise), NULL-terminated, to be freed. */
char **interactive_words(const struct interactive *s, const char *const *names, const char *const *tail, int *ret_n);

/* The words that begin declarations, NULL-terminated. */
extern const char *const interactive_keywords[];

/* Parses the options of a run. Context: a child, as an option may set limits. False: reported. */
bool interactive_options(const struct interactive *s, struct options *ret);

/* cli/prompt/commands.c: a line that begins with a command. False: it does not. *RET_OK: the command succeeded. */
bool interactive_command(struct interactive *s, const char *line, bool *ret_ok);
void interactive_command_words(word_fn *fn, void *data);

/* cli/prompt/script.c: each reports what is wrong with the text, and then leaves the script as it was. */
/* Makes TEXT the script. */
bool script_change(struct interactive *s, const char *text);
/* Adds TEXT, which replaces functions, globals, macros and aliases of these names. */
bool script_add(struct interactive *s, const char *text);
/* Does TEXT end with whole declarations? */
bool script_is_complete(const char *text);
/* Deletes the declarations on the lines FIRST to LAST. */
bool script_delete(struct interactive *s, long first, long last);

/* cli/prompt/complete.c: Writes what the word at the end of LINE may become; see prompt.h. */
void interactive_complete(void *session, const char *line, struct text *ret);

#endif
