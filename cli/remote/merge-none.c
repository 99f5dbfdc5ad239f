/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of other machines in a ktap that was built without json-c: merge_check() refuses the options that need them. */
#include "cli/remote/merge.h"
#include "cli/remote/record.h"
#include "lib/diag.h"
#include "lib/packages.h"

bool merge_check(const char *option)
{
	error((struct loc){ 0 }, DIAG_USAGE, "this ktap was built without json-c, which %s needs", option);
	package_rebuild_note(PACKAGE_JSON_C, "json-c");
	return false;
}

enum merge_fate merge_take(const char *name, struct json_object *record, size_t len, struct text *why)
{
	return MERGE_OTHER;
}

void merge_show(struct json_object *record, struct text *t, struct text *warning)
{
}

void merge_print(struct text *t, bool json)
{
}

struct json_object *record_parse(const char *line, size_t len, struct text *why)
{
	return NULL;
}

void record_put(struct text *t, struct json_object *record, const char *name)
{
}

void record_deinit(struct json_object *record)
{
}
