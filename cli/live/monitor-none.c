/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of monitor.c where ktap is built without ncurses. */
#include "cli/live/live.h"
#include "lib/packages.h"

bool monitor_check(void)
{
	return package_missing("--monitor", PACKAGE_NCURSES);
}

bool monitor_open(struct view *ret)
{
	return false;
}
