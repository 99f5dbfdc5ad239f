/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of report.c where ktap is built without json-c. */
#include "cli/commands.h"
#include "lib/packages.h"

int report_run(int argc, char **argv)
{
	return !package_missing("report", PACKAGE_JSON_C);
}
