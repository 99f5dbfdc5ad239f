/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tapset libraries: which file defines a name, so that a run parses only the files that its script needs.
 *
 * Order of use by main: tapset_index() once; for each user source tapset_macros_for() and then parse_source();
 * sema_run() asks for functions, globals and aliases as it meets their names. A file that does not parse is a warning.
 */
#ifndef KTAP_SEMA_TAPSET_H
#define KTAP_SEMA_TAPSET_H

#include "translator/syntax/ast.h"
#include "translator/syntax/parse.h"

struct tapset;

/* Scans the library directories (-I, those of XDG, $KTAP_TAPSET or the build tree's or the installed one, SystemTap's last) for the names that
 * their files define. PO is kept: library files are parsed with it later. False: a directory given with -I cannot be read. */
bool tapset_index(struct program *p, const struct parse_options *po);
/* How many library files there are. */
int tapset_files(const struct program *p);

/* Parses the .stpm files that define macros which the text of SRC invokes. */
void tapset_macros_for(struct program *p, const struct source *src);

/* Parses SRC with the options given to tapset_index(): for script text that pass 2 makes itself. */
bool tapset_parse(struct program *p, struct source *src);
/* The same of T, which ktap made and which is used up; messages call it NAME. *RET: its first probe. */
bool tapset_parse_text(struct program *p, const char *name, struct text *t, struct probe_def **ret);

/* Parses the files that define function NAME. True when a file was added to the program. */
bool tapset_need_function(struct program *p, const char *name);
bool tapset_need_global(struct program *p, const char *name);

/* Parses the files with aliases that PATTERN may mean: PATTERN is a dotted name, components may hold * and **; an
 * alias also counts when its name is the head of PATTERN. */
bool tapset_need_alias(struct program *p, const char *pattern);

/* Every name of one kind in the libraries, for suggestions. */
void tapset_function_names(struct program *p, void (*fn)(const char *name, void *data), void *data);
void tapset_alias_names(struct program *p, void (*fn)(const char *name, void *data), void *data);

/* Adds a note at LOC if a directory that was not read, beside the script or of packages, defines the function or alias NAME. False: none
 * does. */
bool tapset_note_function(struct program *p, const char *name, struct loc loc);
bool tapset_note_alias(struct program *p, const char *name, struct loc loc);

#endif
