/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of merge.c and record.c where ktap is built without json-c: merge_check() refuses the options that need them. */
#include "cli/remote/merge.h"
#include "cli/remote/record.h"
#include "lib/packages.h"

bool merge_check(const char *option)
{
	return package_missing(option, PACKAGE_JSON_C);
}

enum merge_fate merge_take(struct merge *all, const char *name, struct json_object *record, size_t len, struct text *why)
{
	return MERGE_OTHER;
}

void merge_show(struct json_object *record, struct text *t, struct text *warning)
{
}

void merge_print(struct merge *all, struct text *t, bool json)
{
}

struct json_object *record_schema(void)
{
	return NULL;
}

struct json_object *record_parse(struct json_object *schema, const char *line, size_t len, struct text *why)
{
	return NULL;
}

void record_put(struct text *t, struct json_object *record, const char *name)
{
}

void record_deinit(struct json_object *record)
{
}
