/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of -f json that other machines send: nothing of them is believed. */
#ifndef KTAP_CLI_REMOTE_RECORD_H
#define KTAP_CLI_REMOTE_RECORD_H

#include <stddef.h>

struct json_object;
struct text;

/* Returns docs/ktap-output-1.schema.json, for record_deinit(). */
struct json_object *record_schema(void);

/* Returns the record that the LEN bytes of LINE are, without members that SCHEMA, from record_schema(), does not name; or NULL, and the
 * reason in WHY. */
struct json_object *record_parse(struct json_object *schema, const char *line, size_t len, struct text *why);

/* Appends RECORD as a line without its end, with the member remote, NAME, before the others. */
void record_put(struct text *t, struct json_object *record, const char *name);

/* Frees RECORD, which may be a schema or NULL. */
void record_deinit(struct json_object *record);

#endif
