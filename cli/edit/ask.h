/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of an editor about a document. Each answer is made in a separate process: whatever a script makes the compiler do, the
 * server stays, and what an answer allocates ends with it. */
#ifndef KTAP_CLI_EDIT_ASK_H
#define KTAP_CLI_EDIT_ASK_H

#include <json-c/json.h>

#include "cli/edit/outline.h"

struct ask {
	struct program program;   /* with the libraries */
	struct reports reports;   /* of the program */
	struct source *src;       /* the document */
	struct outline outline;
	const char *uri;
	struct json_object *params;
	size_t offset;            /* of params.position */
};

/* Fills A for the document TEXT, by the settings of SETTINGS. PARAMS may be NULL. */
void ask_init(struct ask *a, const struct program *settings, const char *uri, const char *text, struct json_object *params);

typedef struct json_object *ask_fn(struct ask *a);

/* Returns the answer of METHOD ("textDocument/hover"); NULL: no such method exists. "diagnostics" is one. */
ask_fn *ask_find(const char *method);

/* Positions count UTF-16 units. */
size_t ask_offset(const struct source *src, int line, int character);
struct json_object *ask_range(const struct source *src, size_t begin, size_t end);
struct json_object *ask_location(const char *uri, const struct source *src, size_t begin, size_t end);
struct json_object *ask_strings(const char *key, const char *value); /* {KEY: VALUE} */

/* diagnose.c */
ask_fn ask_diagnostics;
/* suggest.c */
ask_fn ask_completion;

#endif
