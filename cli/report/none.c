/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap without json-c: no reports. */
#include "cli/commands.h"
#include "lib/diag.h"
#include "lib/packages.h"

int report_run(int argc, char **argv)
{
	error((struct loc){ 0 }, DIAG_USAGE, "report: this ktap was built without json-c");
	package_rebuild_note(PACKAGE_JSON_C, "json-c");
	return 1;
}
