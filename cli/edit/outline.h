/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The definitions of a script and the locations of its names, from its tokens alone: it need not parse. */
#ifndef KTAP_CLI_EDIT_OUTLINE_H
#define KTAP_CLI_EDIT_OUTLINE_H

#include "cli/edit/pieces.h"

enum definition_kind { DEF_PROBE, DEF_ALIAS, DEF_FUNCTION, DEF_GLOBAL, DEF_MACRO };

struct definition {
	enum definition_kind kind;
	const char *name;   /* of a probe: its points */
	size_t begin, end;  /* offsets in the text */
	size_t name_at;     /* of the name */
};

enum name_role { NAME_NONE, NAME_VARIABLE, NAME_FUNCTION, NAME_POINT, NAME_MACRO };

/* A name as it stands in the text. */
struct name {
	enum name_role role;
	const char *text;
	size_t at, len;
	int scope;          /* index of the definition around it; -1: none */
};

struct outline {
	struct pieces pieces;
	struct definition *defs;
	size_t n_defs;
	struct name *names;
	size_t n_names;
};

/* Fills O. SRC may hold anything. */
void outline_read(struct outline *o, struct source *src);
void outline_deinit(struct outline *o);

/* Returns the name at OFFSET or directly before it, NULL: there is none. */
const struct name *outline_name_at(const struct outline *o, size_t offset);
/* Do A and B mean the same thing of this script? */
bool outline_same(const struct outline *o, const struct name *a, const struct name *b);
/* Returns the definition of a function, macro or global that N means, NULL: it has none here. */
const struct definition *outline_definition(const struct outline *o, const struct name *n);

#endif
