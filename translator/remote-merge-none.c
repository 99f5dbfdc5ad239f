/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge of a ktap that was built without json-c. */
#include "translator/base/diag.h"
#include "translator/base/packages.h"
#include "translator/remote-merge.h"

bool merge_check(void)
{
	error((struct loc){ 0 }, DIAG_USAGE, "this ktap was built without json-c, which --merge needs");
	package_rebuild_note(PACKAGE_JSON_C, "json-c");
	return false;
}

bool merge_object(const char *name, const char *line, size_t len)
{
	return false;
}

void merge_show(const char *line, size_t len, struct text *t, struct text *warning)
{
}

void merge_print(struct text *t, bool json)
{
}
