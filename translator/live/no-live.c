/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap without json-c: nothing reads the objects of a session. */
#include "translator/base/diag.h"
#include "translator/live/live.h"

bool live_check(const struct live_options *o)
{
	const char *option = o->monitor ? "monitor" : o->prometheus ? "prometheus" : o->otlp ? "otlp" : "notify";

	error((struct loc){ 0 }, DIAG_USAGE, "--%s: this ktap was built without json-c", option);
	note((struct loc){ 0 }, "install libjson-c-dev (Debian) or json-c-devel (Fedora) and run configure again");
	return false;
}

int live_run(const struct live_options *o, int (*session)(void *of), void *of)
{
	return 1;
}
