/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: the globals that sessions on several machines print at their end become one of each, from the objects of -f json. */
#ifndef KTAP_REMOTE_MERGE_H
#define KTAP_REMOTE_MERGE_H

#include <stdbool.h>
#include <stddef.h>

struct text;

/* Can this ktap merge? False: reported. */
bool merge_check(void);

/* Takes an object of the machine NAME. False: it is not a map or a global, and is shown as it came. */
bool merge_object(const char *name, const char *line, size_t len);

/* Appends to T what a print object printed, and to WARNING what a warning, an error or losses at the exit of a session say. */
void merge_show(const char *line, size_t len, struct text *t, struct text *warning);

/* Appends what was merged: as text, or as objects. */
void merge_print(struct text *t, bool json);

#endif
