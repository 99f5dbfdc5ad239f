/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: the globals that sessions on several machines print at their end become one of each, from the objects of -f json. */
#ifndef KTAP_CLI_REMOTE_MERGE_H
#define KTAP_CLI_REMOTE_MERGE_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct text;

/* The globals so far; {} at the beginning. */
struct merge {
	struct merged *merged;
	size_t n;
	struct json_object *numbers; /* from the name of a global to its number in MERGED; NULL: none came */
	struct json_object *sizes;   /* from the name of a machine to the bytes of its lines; NULL: none came */
};

/* Can this ktap read records? False: reported for OPTION. */
bool merge_check(const char *option);

/* What became of a record: it is merged; it is shown as it is; it is refused, for the reason in WHY. */
enum merge_fate { MERGE_TAKEN, MERGE_OTHER, MERGE_REFUSED };

/* Takes RECORD of the machine NAME, a line of LEN bytes, if it is a map or a global. */
enum merge_fate merge_take(struct merge *all, const char *name, struct json_object *record, size_t len, struct text *why);

/* Appends to T what a print object printed, and to WARNING what a warning, an error or losses at the exit of a session say. */
void merge_show(struct json_object *record, struct text *t, struct text *warning);

/* Appends what was merged, as text or as objects, and frees it. */
void merge_print(struct merge *all, struct text *t, bool json);

#endif
