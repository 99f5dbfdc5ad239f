/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap without json-c: nothing reads the objects of a session. */
#include "cli/live/live.h"
#include "lib/diag.h"
#include "lib/packages.h"

bool live_check(const struct live_options *o)
{
	const char *option = o->monitor ? "monitor" : o->prometheus ? "prometheus" : o->otlp ? "otlp" : "notify";

	error((struct loc){ 0 }, DIAG_USAGE, "--%s: this ktap was built without json-c", option);
	package_rebuild_note(PACKAGE_JSON_C, "json-c");
	return false;
}

int live_run(const struct live_options *o, int (*session)(void *of), void *of)
{
	return 1;
}
